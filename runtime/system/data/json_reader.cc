#include "runtime/system/data/json_reader.h"

#include <algorithm>

#include "runtime/system/data/decimal.h"
#include "runtime/system/data/find_byte.h"
#include "runtime/value/array_layout.h"

namespace griddle {

namespace {

bool begins_number(char c) { return is_digit(c) || c == '-'; }

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

// Finds the first byte of a string that does not stand for itself: a quote, a backslash, or a control character.
inline const char* find_end_of_text(const char* at, const char* end, bool& is_ascii) {
  return find_byte(at, end, is_ascii, ByteAmong<2, true>{{'"', '\\'}});
}

// Finds the quote that ends a string with escapes, the first of them at `at`, if it has at most `longest` bytes.
const char* find_near_quote(const char* start, const char* at, const char* end, std::size_t longest) {
  const std::ptrdiff_t all = std::min(end - start, static_cast<std::ptrdiff_t>(longest) + 1);
  for (std::ptrdiff_t i = at - start; i < all; i += start[i] == '\\' ? 2 : 1)
    if (start[i] == '"') return start + i;
  return nullptr;
}

}  // namespace

JsonReader::JsonReader(Context& cx, const JsonOptions& options, const TextSource& source)
    : SourceReader(cx, source),
      options_(options),
      values_(cx.heap),
      open_(cx.heap),
      expected_(cx.heap),
      numbers_(cx.heap, pages_),
      characters_(cx.heap),
      names_(cx.heap),
      texts_(cx.heap) {}

inline void JsonReader::skip_blanks() {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  if (at_ == end_ || static_cast<unsigned char>(*at_) > ' ') return;
  at_ += *at_ == ' ';
  if (at_ == end_ || static_cast<unsigned char>(*at_) > ' ') [[likely]]
    return;
  while (at_ != end_ && is_blank(*at_)) {
    at_++;
    // Lines of nested values begin with many blanks.
    while (static_cast<std::size_t>(end_ - at_) >= word_bytes && word_at(at_) == byte_ones * ' ') at_ += word_bytes;
  }
}

void JsonReader::fail_unexpected(const char* wanted) {
  source_.fail_at(at_, std::string("Expected ") + wanted + ", but got " + shown_character(at_, end_));
}

Value JsonReader::read_all() {
  Value value = read_value();
  skip_blanks();
  if (at_ != end_) fail_unexpected("the end of the text");
  return value;
}

Value JsonReader::read_line() {
  skip_blanks();
  if (at_ == end_) return Value();
  Value value = read_value();
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) at_++;
  if (at_ != end_ && *at_ != '\n' && *at_ != '\r') fail_unexpected("the end of the line");
  return value;
}

Value JsonReader::read_value() {
  unsigned new_texts = 0;
  do {
    skip_blanks();
    while (!begin_value(new_texts)) skip_blanks();
  } while (after_value());
  Value value = std::move(values_.back());
  values_.pop_back();
  return value;
}

// Goes on to where the next value begins. Gives false where there is none, as what was asked for is complete.
bool JsonReader::after_value() {
  while (!open_.empty()) {
    skip_blanks();
    const char c = at_ != end_ ? *at_ : '\0';
    const bool is_object = open_.back().is_object;
    if (c == ',') {
      at_++;
      if (!is_object) return true;
      skip_blanks();
      if (read_members()) continue;
      return true;
    }
    if (is_object && c == '}')
      end_object();
    else if (!is_object && c == ']')
      end_array();
    else
      fail_unexpected(is_object ? "a comma or }" : "a comma or ]");
  }
  return false;
}

// Reads a string of which so many before it, of the same kind, were new.
inline Value JsonReader::read_text(unsigned& new_texts) {
  const char* const start = ++at_;
  bool is_ascii = true;
  const char* const after = find_end_of_text(start, end_, is_ascii);
  if (after == end_ || *after != '"') return read_rare_text(start, after);
  at_ = after + 1;
  return texts_.string({start, static_cast<std::size_t>(after - start)}, is_ascii, new_texts);
}

// Reads a value, or the beginning of an array or an object up to its first value. Tells whether a value is complete. So many
// strings in its place were new.
inline bool JsonReader::begin_value(unsigned& new_texts) {
  count_part();
  switch (at_ != end_ ? *at_ : '\0') {
    case '"': values_.push_back(read_text(new_texts)); return true;
    case '[': return begin_array();
    case '{': return begin_object();
    case 't': read_word("true", options_.yes); return true;
    case 'f': read_word("false", options_.no); return true;
    case 'n': read_word("null", options_.null); return true;
    default:
      if (at_ == end_ || !begins_number(*at_)) fail_unexpected("a value");
      values_.push_back(read_number());
      return true;
  }
}

bool JsonReader::begin_array() {
  open_.push_back({values_.size(), at_++, false, false});
  skip_blanks();
  if (at_ != end_ && *at_ == ']') {
    end_array();
    return true;
  }
  if (at_ != end_ && begins_number(*at_)) return read_numbers();
  return read_elements();
}

// Gives how many numbers there will be if the rest of the text goes on like the list that began at `first`.
std::size_t JsonReader::expected_numbers(const char* first) const {
  constexpr double more = 1.05;
  const auto read = static_cast<double>(at_ - first), all = static_cast<double>(end_ - first);
  return static_cast<std::size_t>(static_cast<double>(numbers_.size()) * all / std::max(read, 1.0) * more);
}

// Reads the numbers that an array begins with. Tells whether they are all there is; else a value that is no number comes next.
bool JsonReader::read_numbers() {
  numbers_.clear();
  const char* const first = at_;
  for (;;) {
    const char* const start = at_;
    Decimal decimal;
    at_ = read_decimal<DecimalForm::json>(start, end_, decimal);
    if (at_ == nullptr || (decimal.is_large && options_.large != JsonOptions::Large::round)) {
      // Has read_number say what is wrong, or make something else of it.
      at_ = start;
      break;
    }
    if (numbers_.is_full()) [[unlikely]]
      numbers_.make_room(expected_numbers(first));
    numbers_.add(decimal.number);
    count_part();
    skip_blanks();
    if (at_ == end_) fail_unexpected("a comma or ]");
    if (*at_ == ']') {
      at_++;
      open_.pop_back();
      values_.push_back(numbers_.finish());
      return true;
    }
    if (*at_ != ',') fail_unexpected("a comma or ]");
    at_++;
    skip_blanks();
    if (at_ == end_ || !begins_number(*at_)) break;
  }
  numbers_.move_to(values_);
  return false;
}

// Reads strings and words of an array from one on, as long as there are more. Tells whether they are all there is; else the next
// value begins.
bool JsonReader::read_elements() {
  for (unsigned new_texts = 0; at_ != end_ && *at_ != '[' && *at_ != '{';) {
    begin_value(new_texts);
    skip_blanks();
    if (at_ != end_ && *at_ == ']') {
      end_array();
      return true;
    }
    if (at_ == end_ || *at_ != ',') fail_unexpected("a comma or ]");
    at_++;
    skip_blanks();
  }
  return false;
}

void JsonReader::end_array() {
  at_++;
  const std::size_t first = open_.back().first;
  Value list = make_values(cx_.heap, std::span<Value>(values_).subspan(first));
  values_.resize(first);
  values_.push_back(std::move(list));
  open_.pop_back();
}

// Names up to this length are expected again, and so many of an object.
constexpr std::size_t longest_expected = 14, most_expected = 64;

// Expects a name again whose text begins at `text`, if it stands there as it is, and the colon right behind it.
void JsonReader::expect_name(ExpectedName& expected, const char* text, const Value& name) {
  const auto length = static_cast<std::size_t>(at_ - 1 - text);
  if (length > longest_expected || length != name.array().length || end_ - text < 2 * static_cast<std::ptrdiff_t>(word_bytes) ||
      at_ == end_ || *at_ != ':')
    return;
  const std::size_t compared = length + 2;
  const auto mask = [](std::size_t bytes) {
    return bytes >= word_bytes ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
  };
  expected.second_at = compared > word_bytes ? compared - word_bytes : 0;
  expected.first_mask = expected.second_mask = mask(compared);
  expected.first = word_at(text) & expected.first_mask;
  expected.second = word_at(text + expected.second_at) & expected.second_mask;
  expected.length = length;
  expected.name = name;
}

// Tells whether this name comes next, in quotes, and a colon right behind it.
inline bool JsonReader::is_next(const ExpectedName& expected) const {
  if (end_ - at_ <= static_cast<std::ptrdiff_t>(2 * word_bytes)) return false;
  const char* const text = at_ + 1;
  return *at_ == '"' && expected.first_mask != 0 && (word_at(text) & expected.first_mask) == expected.first &&
         (word_at(text + expected.second_at) & expected.second_mask) == expected.second;
}

// Reads the name of a member, and the colon behind it, where the names of the object are not all as expected.
void JsonReader::read_other_name(Open& open, std::size_t member) {
  if (open.is_expected) {
    open.is_expected = false;
    // Has the names stand before their values.
    const std::size_t first = open.first;
    values_.resize(first + 2 * member);
    for (std::size_t i = member; i-- > 0;) {
      values_[first + 2 * i + 1] = std::move(values_[first + i]);
      values_[first + 2 * i] = expected()[i].name;
    }
  }
  if (at_ == end_ || *at_ != '"') fail_unexpected("a name in quotes");
  ExpectedNames* const names = may_expect() && member < most_expected ? &expected() : nullptr;
  if (names != nullptr && member < names->size() && is_next((*names)[member])) {
    const ExpectedName& expected = (*names)[member];
    at_ += expected.length + 3;
    values_.push_back(expected.name);
    return;
  }
  const char* const text = at_ + 1;
  values_.push_back(read_name());
  if (names != nullptr) {
    if (member >= names->size()) names->resize(member + 1);
    expect_name((*names)[member], text, values_.back());
  }
  skip_blanks();
  if (at_ == end_ || *at_ != ':') fail_unexpected("a colon after a name");
  at_++;
}

bool JsonReader::begin_object() {
  open_.push_back({values_.size(), at_++, true, ++open_objects_ <= most_depths});
  if (may_expect() && expected_.size() < open_objects_) expected_.emplace_back(cx_.heap);
  skip_blanks();
  if (at_ != end_ && *at_ == '}') {
    end_object();
    return true;
  }
  return read_members();
}

// Reads members from a name on, as long as their values are strings, numbers and words. Tells whether they are all; else the next
// value begins. Objects of a list mostly have the same names in the same order.
bool JsonReader::read_members() {
  Open& open = open_.back();
  std::size_t member = values_.size() - open.first;
  if (!open.is_expected) member /= 2;
  ExpectedNames* const names = may_expect() ? &expected() : nullptr;
  for (;; member++) {
    unsigned other_texts = 0;
    unsigned* new_texts = &other_texts;
    if (open.is_expected && member < names->size() && is_next((*names)[member])) [[likely]] {
      ExpectedName& expected = (*names)[member];
      at_ += expected.length + 3;
      new_texts = &expected.new_texts;
    } else {
      read_other_name(open, member);
    }
    skip_blanks();
    if (at_ == end_ || *at_ == '{' || *at_ == '[') return false;
    begin_value(*new_texts);
    skip_blanks();
    if (at_ != end_ && *at_ == '}') {
      end_object();
      return true;
    }
    if (at_ == end_ || *at_ != ',') fail_unexpected("a comma or }");
    at_++;
    skip_blanks();
  }
}

namespace {

// Makes a table of two rows of values, which are 0 so far, or still to be written where the table is small.
Ref<Array> make_unset_members(Heap& heap, std::size_t count) {
  const std::size_t shape[] = {2, count}, bytes = 2 * count * sizeof(Value);
  if (bytes >= aligned_from_bytes) return make_array(heap, ElementType::boxed, shape);
  constexpr std::size_t header = sizeof(Array) + Array::bytes_of_axes(std::size(shape));
  void* const memory = heap.allocate(header + bytes);
  Array* const a = place_array(memory, array_description(ElementType::boxed, 2, FillKind::none), 2 * count,
                               static_cast<std::uint8_t*>(memory) + header);
  std::copy_n(shape, std::size(shape), trailing_of(a));
  enlist_object(heap, a);
  return Ref<Array>(a);
}

}  // namespace

void JsonReader::end_object() {
  at_++;
  const Open open = open_.back();
  const std::size_t waiting = values_.size() - open.first, count = open.is_expected ? waiting : waiting / 2;
  Ref<Array> table = make_unset_members(cx_.heap, count);
  Value* const names = table->as<Value>();
  Value* const found = values_.data() + open.first;
  if (open.is_expected) {
    const ExpectedName* const expected_names = count != 0 ? expected().data() : nullptr;
    for (std::size_t i = 0; i < count; i++) new (names + i) Value(expected_names[i].name);
    for (std::size_t i = 0; i < count; i++) new (names + count + i) Value(std::move(found[i]));
  } else {
    for (std::size_t i = 0; i < count; i++) {
      new (names + i) Value(std::move(found[2 * i]));
      new (names + count + i) Value(std::move(found[2 * i + 1]));
    }
  }
  values_.resize(open.first);
  values_.push_back(to_value(std::move(table)));
  open_.pop_back();
  open_objects_--;
}

void JsonReader::read_word(std::string_view word, const Value& meaning) {
  if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) fail_unexpected("a value");
  at_ += word.size();
  values_.push_back(meaning);
}

Value JsonReader::read_number() {
  const char* const start = at_;
  Decimal decimal;
  const char* const after = read_decimal<DecimalForm::json>(start, end_, decimal);
  if (after == nullptr) source_.fail_at(start, "This is no number as JSON has it");
  at_ = after;
  if (decimal.is_large && options_.large == JsonOptions::Large::error) source_.fail_at(start, "This integer is beyond 2⋆53");
  if (decimal.is_large && options_.large == JsonOptions::Large::text)
    return ascii_string(cx_.heap, {start, static_cast<std::size_t>(after - start)});
  return decimal.number;
}

Value JsonReader::read_name() {
  const char* const start = ++at_;
  bool is_ascii = true;
  const char* const after = find_end_of_text(start, end_, is_ascii);
  if (after == end_ || *after != '"') return read_rare_text(start, after);
  at_ = after + 1;
  const std::string_view text(start, static_cast<std::size_t>(after - start));
  return names_.string(text, is_ascii);
}

// Reads a string that starts at `start` and has its first escape, or its fault, at `after`.
Value JsonReader::read_rare_text(const char* start, const char* after) {
  // Names of places and people come again: no text without escapes is spelled like one with them.
  const char* const quote = find_near_quote(start, after, end_, TextCache::longest);
  if (quote == nullptr) return read_escaped(start, after);
  Value text = texts_.string_of({start, static_cast<std::size_t>(quote - start)}, [&] { return read_escaped(start, after); });
  at_ = quote + 1;
  return text;
}

// The same without a look at the cache.
Value JsonReader::read_escaped(const char* start, const char* at) {
  const char* const quote = start - 1;
  characters_.clear();
  const auto add = [&](const char* from, const char* to) {
    while (from != to) {
      // The text is well-formed UTF-8.
      const auto first = static_cast<unsigned char>(*from++);
      const int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
      char32_t c = more == 0 ? first : first & (0x3Fu >> more);
      for (int k = 0; k < more; k++) c = c << 6 | (static_cast<unsigned char>(*from++) & 0x3Fu);
      characters_.push_back(c);
    }
  };
  for (;;) {
    add(start, at);
    if (at == end_) source_.fail_at(quote, "This string does not end");
    if (*at == '"') break;
    if (*at != '\\') source_.fail_at(at, "A string may not hold " + shown_character(at, end_));
    characters_.push_back(read_escape(at));
    start = at;
    bool is_ascii;
    at = find_end_of_text(start, end_, is_ascii);
  }
  at_ = at + 1;
  return make_string(cx_.heap, std::u32string_view(characters_.data(), characters_.size()));
}

// Reads an escape sequence, and goes behind it.
char32_t JsonReader::read_escape(const char*& at) {
  const char* const escape = at++;
  if (at == end_) source_.fail_at(escape, "This escape sequence does not end");
  switch (*at++) {
    case '"': return '"';
    case '\\': return '\\';
    case '/': return '/';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'u': break;
    default: source_.fail_at(escape, "There is no such escape sequence");
  }
  const char32_t first = read_four(at, escape);
  at += 4;
  // The second half of a pair is another escape. What has no other half stays as it is.
  if (first < 0xD800 || first >= 0xDC00 || !std::string_view(at, static_cast<std::size_t>(end_ - at)).starts_with("\\u"))
    return first;
  const char32_t second = read_four(at + 2, at);
  if (second < 0xDC00 || second >= 0xE000) return first;
  at += 6;
  return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
}

char32_t JsonReader::read_four(const char* at, const char* escape) {
  char32_t code = 0;
  for (int k = 0; k < 4; k++, at++) {
    const char c = at < end_ ? *at : '\0';
    const int letter = (c | 0x20) - 'a';
    if (!is_digit(c) && (letter < 0 || letter > 5)) source_.fail_at(escape, "\\u needs four hexadecimal digits");
    code = code << 4 | static_cast<char32_t>(is_digit(c) ? c - '0' : letter + 10);
  }
  return code;
}

}  // namespace griddle
