#include "runtime/system/patterns/replacement.h"

#include <algorithm>

#include "runtime/system/data/decimal.h"
#include "runtime/vm/call.h"

namespace griddle {

namespace {

Value template_text(Context& cx, const Value& given) {
  return given.is_function() ? to_value(make_list(cx.heap, ElementType::c8, 0)) : given;
}
bool is_ascii_digit(char32_t c) { return c < 0x80 && is_digit(static_cast<char>(c)); }

}  // namespace

Value groups_of_match(Context& cx, const RegexSearch& match, const RegularExpression& expression, const RegexText& text) {
  HeapVector<Value> groups(cx.heap);
  for (std::size_t i = 0; i < expression.group_count(); i++) {
    const RegexSearch::Place place = match.group(i);
    groups.push_back(text.piece(cx.heap, place.start, place.length));
  }
  return make_values(cx.heap, groups);
}

Replacement::Replacement(Context& cx, const Function& self, const RegularExpression& expression, const Value& given)
    : cx_(cx),
      self_(self),
      function_(given.is_function() ? given : Value()),
      text_(cx, self, template_text(cx, given), "The replacement"),
      parts_(cx.heap) {
  if (function_.is_absent()) read_template(expression);
}

void Replacement::read_template(const RegularExpression& expression) {
  const std::u32string_view text = text_.view();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t sign = std::min(text.find(U'$', at), text.size());
    if (sign > at) parts_.push_back({at, sign - at, none});
    if (sign == text.size()) break;
    at = sign + 1;
    if (at < text.size() && text[at] == U'$') {
      parts_.push_back({at++, 1, none});
    } else {
      parts_.push_back({0, 0, read_group(expression, at)});
    }
  }
}

// Reads the number or name behind a `$`.
std::size_t Replacement::read_group(const RegularExpression& expression, std::size_t& at) const {
  const std::u32string_view text = text_.view();
  const std::size_t sign = at - 1;
  std::u32string_view name;
  if (at < text.size() && text[at] == U'{') {
    const std::size_t end = text.find(U'}', at);
    if (end == text.npos) fail_at(sign, "This ${ has no }");
    name = text.substr(at + 1, end - at - 1);
    at = end + 1;
  } else {
    const std::size_t start = at;
    while (at < text.size() && is_ascii_digit(text[at])) at++;
    name = text.substr(start, at - start);
    if (name.empty()) fail_at(sign, "Behind $ there must be a number, a name in {}, or another $");
  }
  if (!name.empty() && std::ranges::all_of(name, is_ascii_digit)) {
    std::size_t number = 0;
    for (const char32_t digit : name) number = std::min(number * 10 + (digit - U'0'), expression.group_count());
    if (number < expression.group_count()) return number;
  }
  for (const RegularExpression::Name& known : expression.names())
    if (std::ranges::equal(known.name, name, [](char a, char32_t b) { return static_cast<unsigned char>(a) == b; }))
      return known.group;
  fail_at(sign, "The pattern has no such group");
}

void Replacement::fail_at(std::size_t at, const std::string& message) const {
  const std::string text = string_argument(cx_, self_, text_.piece(cx_.heap, 0, text_.size()));
  fail_in(cx_, self_, message + " (character " + std::to_string(at + 1) + " of the replacement \"" + text + "\")");
}

void Replacement::append(HeapVector<char32_t>& out, const RegexSearch& match, const RegularExpression& expression,
                         const RegexText& subject) const {
  const auto add = [&](const RegexText& text, std::size_t start, std::size_t length) {
    out.insert(out.end(), text.data() + start, text.data() + start + length);
  };
  if (!function_.is_absent()) {
    const RegexText given(cx_, self_, call(cx_, function_, groups_of_match(cx_, match, expression, subject)),
                          "The result of the replacement");
    add(given, 0, given.size());
    return;
  }
  for (const Part& part : parts_) {
    if (part.group == none) {
      add(text_, part.start, part.length);
    } else {
      const RegexSearch::Place place = match.group(part.group);
      add(subject, place.start, place.length);
    }
  }
}

Value Replacement::in(RegularExpression& expression, const RegexText& subject) const {
  HeapVector<char32_t> out(cx_.heap);
  std::size_t copied = 0;
  RegexSearch search(cx_, self_, expression, subject);
  while (search.next()) {
    const RegexSearch::Place whole = search.group(0);
    out.insert(out.end(), subject.data() + copied, subject.data() + whole.start);
    append(out, search, expression, subject);
    copied = whole.start + whole.length;
  }
  if (copied == 0 && out.empty()) return subject.piece(cx_.heap, 0, subject.size());
  out.insert(out.end(), subject.data() + copied, subject.data() + subject.size());
  return make_string(cx_.heap, std::u32string_view(out.data(), out.size()));
}

}  // namespace griddle
