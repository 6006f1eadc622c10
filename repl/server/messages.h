// Messages of an editor, by the header that stands before each one: "Content-Length: 12", an empty line, and so many bytes.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace griddle::repl {

// Cuts what arrives into messages.
class MessageReader {
 public:
  // Takes what has arrived.
  void add(std::string_view bytes) { waiting_.append(bytes); }
  // Gives the next whole message, or nothing.
  std::optional<std::string> next();
  // Tells whether what has arrived is no message, so that nobody can tell where the next one begins.
  bool is_lost() const { return is_lost_; }

 private:
  bool read_header();
  std::string waiting_;
  std::size_t length_ = 0;     // of the message that comes
  bool knows_length_ = false;  // its header has been read
  bool is_lost_ = false;
};

// Gives a message with its header.
std::string with_header(std::string_view message);

}  // namespace griddle::repl
