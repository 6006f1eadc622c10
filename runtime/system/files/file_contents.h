// Whole files, and text in UTF-8, as arrays.
#pragma once

#include <optional>
#include <string>

#include "runtime/files.h"
#include "runtime/system/argument.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// Reads what is left of an open file, as a list of bytes. Fails with the path.
Value read_rest(Context&, const Function& self, const Descriptor&, const std::string& path);

// Turns a list of bytes (c8) into text. `what` says what the bytes are, for the message where they are no UTF-8.
Value decoded_text(Context&, const Function& self, Value bytes, const char* what);
Value decoded_text(Context&, const Function& self, std::string_view bytes, const char* what);
// Fails where bytes are no UTF-8.
void require_utf8(Context&, const Function& self, std::string_view bytes, const char* what);
// Turns bytes that are known to be UTF-8 into text.
Value checked_text(Heap&, std::string_view bytes);

// Gives the bytes of an argument to write; they may lie in the array itself.
class BytesToWrite {
 public:
  // Characters as UTF-8.
  static BytesToWrite of_text(Context&, const Function& self, const Value&, const char* which = "𝕩");
  // Characters @ to @+255 or numbers ¯128 to 255, of which the negative ones stand for 256 more.
  static BytesToWrite of_bytes(Context&, const Function& self, const Value&, const char* which = "𝕩");
  std::string_view view() const { return kept_.empty() ? borrowed_ : std::string_view(kept_); }

 private:
  explicit BytesToWrite(Heap& heap) : kept_(heap) {}

  std::string_view borrowed_;
  HeapText kept_;
};

// Appends text (an array of characters, or of none) as UTF-8; the whole, or `length` characters from `start` on.
template <class Text>
void append_text(Text& out, const Array&, std::size_t start, std::size_t length);
template <class Text>
void append_text(Text& out, const Array& a) {
  append_text(out, a, 0, a.length);
}
// Gives the bytes of a list of characters that is ASCII throughout, in place; nothing for another one.
std::optional<std::string_view> ascii_text(const Array&);

}  // namespace griddle
