// Bytes that are read once from the front: of memory, or of a file, whose elements then go straight to where they belong.
#pragma once

#include <string_view>

#include "runtime/files.h"
#include "runtime/system/argument.h"

namespace griddle {

class ByteSource {
 public:
  ByteSource(Context& cx, const Function& self, std::string_view bytes)
      : cx_(cx), self_(self), bytes_(bytes), left_(bytes.size()) {}
  // `left` is the size of the file from here on; `path` names it in messages.
  ByteSource(Context& cx, const Function& self, const Descriptor& file, std::size_t left, const std::string& path)
      : cx_(cx), self_(self), file_(&file), path_(&path), left_(left) {}

  std::size_t left() const { return left_; }
  // Reads n bytes, which there are. Fails where a file has become shorter, or cannot be read.
  void read(void* to, std::size_t n);

 private:
  Context& cx_;
  const Function& self_;
  std::string_view bytes_;
  const Descriptor* file_ = nullptr;  // null: the bytes are in memory
  const std::string* path_ = nullptr;
  std::size_t left_;
};

}  // namespace griddle
