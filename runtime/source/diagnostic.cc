#include "runtime/source/diagnostic.h"

#include <algorithm>

namespace griddle {
namespace {

bool starts_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

}  // namespace

std::string render_place(const SourceText& source, Span span) {
  const SourceText::Line line = source.line_at(span.start);
  const std::size_t first = std::min<std::size_t>(span.start - line.start, line.text.size());
  const std::size_t last = std::clamp<std::size_t>(span.end - std::min(line.start, span.end), first, line.text.size());
  const bool named = !source.name.empty();
  std::string result = named ? source.name + ":" + std::to_string(line.number) + ":\n  " : "at ";
  result += line.text;
  result += named ? "\n  " : "\n   ";
  for (const char byte : line.text.substr(0, first)) {
    if (byte == '\t') {
      result += '\t';
    } else if (starts_code_point(byte)) {
      result += ' ';
    }
  }
  const std::string_view marked = line.text.substr(first, last - first);
  result.append(std::max<std::ptrdiff_t>(1, std::count_if(marked.begin(), marked.end(), starts_code_point)), '^');
  result += '\n';
  return result;
}

std::string render_error(std::string_view message, const SourceText& source, Span span) {
  return "Error: " + std::string(message) + "\n" + render_place(source, span);
}

}  // namespace griddle
