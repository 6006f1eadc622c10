#include "runtime/system/descriptor.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace griddle {

bool Descriptor::close() {
  const int open_number = std::exchange(number, -1);
  return open_number < 0 || ::close(open_number) == 0;
}

bool Descriptor::write_all(std::string_view bytes) {
  // Linux writes at most 2 GiB at once.
  constexpr std::size_t largest_piece = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t count = ::write(number, bytes.data(), std::min(bytes.size(), largest_piece));
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace griddle
