#include "runtime/source/diagnostic.h"

#include <algorithm>
#include <array>
#include <utility>

namespace griddle {
namespace {

constexpr std::size_t widest_line = 300;  // in bytes: longer ones are shown in part
constexpr std::size_t kept_before = 100;  // of them, left of the span

bool starts_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::size_t code_point_start(std::string_view text, std::size_t position) {
  while (position > 0 && position < text.size() && !starts_code_point(text[position])) position--;
  return position;
}

// Gives blanks as wide as a text, with tabs where that has some.
std::string blanks_below(std::string_view text) {
  std::string blanks;
  while (!text.empty()) {
    const std::size_t tab = std::min(text.find('\t'), text.size());
    blanks.append(code_points(text.substr(0, tab)), ' ').append(tab < text.size(), '\t');
    text.remove_prefix(std::min(tab + 1, text.size()));
  }
  return blanks;
}

// Gives a line behind an indent, and below it carets under two places of it, which may be one.
std::string marked_line(const SourceText::Line& line, std::string indent, Span span, Span other) {
  const std::string_view text = line.text;
  const auto in_line = [&](Span s) {
    const std::size_t first = std::min<std::size_t>(s.start - line.start, text.size());
    return std::pair(first, std::clamp<std::size_t>(s.end - std::min(line.start, s.end), first, text.size()));
  };
  std::array places = {in_line(span), in_line(other)};
  std::size_t from = 0;
  std::size_t to = text.size();
  if (text.size() > widest_line) {
    from = code_point_start(text, places.front().first > kept_before ? places.front().first - kept_before : 0);
    to = code_point_start(text, std::min(text.size(), from + widest_line));
  }
  if (from > 0) indent += "…";
  std::string result = indent;
  result.append(text.substr(from, to - from)).append(to < text.size() ? "…\n" : "\n");
  result.append(code_points(indent), ' ');
  std::sort(places.begin(), places.end());
  std::size_t done = from;
  for (std::size_t i = 0; i < (places[0] == places[1] ? 1 : places.size()); i++) {
    const std::size_t first = places[i].first, last = std::min(places[i].second, to);
    if (first < done) break;
    result += blanks_below(text.substr(done, first - done));
    result.append(std::max<std::size_t>(1, code_points(text.substr(first, last - first))), '^');
    done = last;
  }
  return result += '\n';
}

}  // namespace

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

std::string render_place(const SourceText& source, Span span, Span related) {
  const SourceText::Line line = source.line_at(span.start);
  const std::string_view text = line.text;
  const bool is_related = related.end > related.start;
  const std::uint32_t line_end = line.start + static_cast<std::uint32_t>(text.size());
  const bool in_line = is_related && related.start >= line.start && related.end <= line_end && text.size() <= widest_line;
  std::string result = source.name.empty() ? "" : source.name + ":" + std::to_string(line.number) + ":\n";
  result += marked_line(line, source.name.empty() ? "at " : "  ", span, in_line ? related : span);
  if (!is_related || in_line) return result;
  const SourceText::Line other = source.line_at(related.start);
  if (source.name.empty()) return result + marked_line(other, "opened at ", related, related);
  return result + "opened in " + source.name + ":" + std::to_string(other.number) + ":\n" +
         marked_line(other, "  ", related, related);
}

std::string render_error(std::string_view message, const SourceText& source, Span span) {
  return "Error: " + std::string(message) + "\n" + render_place(source, span);
}

}  // namespace griddle
