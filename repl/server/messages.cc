#include "repl/server/messages.h"

#include <algorithm>
#include <charconv>

namespace griddle::repl {

namespace {

constexpr std::size_t largest_message = std::size_t{1} << 30, longest_header = std::size_t{1} << 16;

// Tells whether a line begins with the name of a field, in small or capital letters.
bool has_name(std::string_view line, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return line.size() >= name.size() &&
         std::equal(name.begin(), name.end(), line.begin(), [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

// Reads the header that stands at the front. Tells whether it is whole and good.
bool MessageReader::read_header() {
  constexpr std::string_view end_mark = "\r\n\r\n", field = "Content-Length:";
  const std::size_t end = waiting_.find(end_mark);
  if (end == waiting_.npos) {
    is_lost_ = waiting_.size() > longest_header;
    return false;
  }
  for (std::size_t at = 0; at < end;) {
    const std::size_t line_end = std::min(waiting_.find("\r\n", at), end);
    std::string_view line = std::string_view(waiting_).substr(at, line_end - at);
    if (has_name(line, field)) {
      line.remove_prefix(field.size());
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      const std::from_chars_result read = std::from_chars(line.data(), line.data() + line.size(), length_);
      knows_length_ = read.ec == std::errc() && read.ptr == line.data() + line.size() && length_ <= largest_message;
    }
    at = line_end + 2;
  }
  is_lost_ = !knows_length_;
  waiting_.erase(0, end + end_mark.size());
  return knows_length_;
}

std::optional<std::string> MessageReader::next() {
  if (is_lost_ || (!knows_length_ && !read_header())) return std::nullopt;
  if (waiting_.size() < length_) return std::nullopt;
  std::string message = waiting_.substr(0, length_);
  waiting_.erase(0, length_);
  knows_length_ = false;
  return message;
}

std::string with_header(std::string_view message) {
  return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + std::string(message);
}

}  // namespace griddle::repl
