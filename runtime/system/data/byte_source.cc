#include "runtime/system/data/byte_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "runtime/system/files/file_names.h"

namespace griddle {

void ByteSource::read(void* to, std::size_t n) {
  assert(n <= left_);
  left_ -= n;
  constexpr std::size_t at_once = std::size_t{1} << 26;
  for (auto* at = static_cast<char*>(to); n > 0;) {
    cx_.check_interrupt();
    const std::size_t piece = std::min(n, at_once);
    if (file_ == nullptr) {
      std::memcpy(at, bytes_.data(), piece);
      bytes_.remove_prefix(piece);
    } else {
      const ssize_t got = file_->read_some(at, piece);
      if (got < 0) fail_system(cx_, self_, "Cannot read the file", *path_);
      if (static_cast<std::size_t>(got) < piece)
        fail_in(cx_, self_, "The file became shorter while it was read (" + *path_ + ")");
    }
    at += piece;
    n -= piece;
  }
}

}  // namespace griddle
