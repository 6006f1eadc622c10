#include "runtime/source/diagnostic.h"

#include <algorithm>

#include "runtime/text_width.h"

namespace griddle {
namespace {

constexpr std::size_t widest_line = 300;  // in bytes: longer ones are shown in part
constexpr std::size_t kept_before = 100;  // of them, left of the span

bool starts_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::size_t code_point_start(std::string_view text, std::size_t position) {
  while (position > 0 && position < text.size() && !starts_code_point(text[position])) position--;
  return position;
}

}  // namespace

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

std::string render_place(const SourceText& source, Span span) {
  const SourceText::Line line = source.line_at(span.start);
  const std::string_view text = line.text;
  const std::size_t first = std::min<std::size_t>(span.start - line.start, text.size());
  std::size_t last = std::clamp<std::size_t>(span.end - std::min(line.start, span.end), first, text.size());
  std::size_t from = 0;
  std::size_t to = text.size();
  if (text.size() > widest_line) {
    from = code_point_start(text, first > kept_before ? first - kept_before : 0);
    to = code_point_start(text, std::min(text.size(), from + widest_line));
    last = std::min(last, to);
  }
  std::string result = source.name.empty() ? "" : source.name + ":" + std::to_string(line.number) + ":\n";
  std::string indent = source.name.empty() ? "at " : "  ";
  if (from > 0) indent += "…";
  result.append(indent).append(text.substr(from, to - from)).append(to < text.size() ? "…\n" : "\n");
  result.append(code_points(indent), ' ');
  // As wide as what stands above, with tabs where that has some.
  for (std::string_view rest = text.substr(from, first - from); !rest.empty();) {
    const std::size_t tab = std::min(rest.find('\t'), rest.size());
    result.append(columns_of(rest.substr(0, tab)), ' ').append(tab < rest.size(), '\t');
    rest.remove_prefix(std::min(tab + 1, rest.size()));
  }
  result.append(std::max<std::size_t>(1, columns_of(text.substr(first, last - first))), '^');
  return result += '\n';
}

std::string render_error(std::string_view message, const SourceText& source, Span span) {
  return "Error: " + std::string(message) + "\n" + render_place(source, span);
}

}  // namespace griddle
