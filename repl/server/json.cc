#include "repl/server/json.h"

#include <charconv>
#include <cmath>

#include "repl/text.h"

namespace griddle::repl {

namespace {

void write_text(std::string_view text, std::string& to) {
  to += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      to += '\\';
      to += c;
    } else if (c == '\n') {
      to += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char digits[] = "0123456789abcdef";
      to.append("\\u00").append(1, digits[c >> 4]).append(1, digits[c & 15]);
    } else {
      to += c;
    }
  }
  to += '"';
}

void write_number(double number, std::string& to) {
  char digits[32];
  constexpr double largest_exact = 9007199254740992;
  std::to_chars_result end{};
  if (number == std::floor(number) && std::abs(number) < largest_exact)
    end = std::to_chars(digits, std::end(digits), static_cast<long long>(number));
  else
    end = std::to_chars(digits, std::end(digits), number);
  to.append(digits, end.ptr);
}

}  // namespace

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}
  std::optional<Json> read() {
    Json value;
    if (!read_value(value, 0)) return std::nullopt;
    skip_blanks();
    return at_ == text_.size() ? std::optional(std::move(value)) : std::nullopt;
  }

 private:
  static constexpr int deepest = 256;

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) at_++;
  }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  // Takes a sign behind blanks.
  bool take_sign(char c) {
    skip_blanks();
    return take({&c, 1});
  }

  bool read_value(Json& to, int depth) {
    skip_blanks();
    if (at_ == text_.size() || depth > deepest) return false;
    switch (text_[at_]) {
      case '{': return read_object(to, depth);
      case '[': return read_list(to, depth);
      case '"': to.kind_ = Json::Kind::text; return read_text(to.text_);
      case 't': to = Json(true); return take("true");
      case 'f': to = Json(false); return take("false");
      case 'n': return take("null");
      default: return read_number(to);
    }
  }

  bool read_object(Json& to, int depth) {
    to.kind_ = Json::Kind::object;
    at_++;
    if (take_sign('}')) return true;
    do {
      skip_blanks();
      if (at_ == text_.size() || text_[at_] != '"' || !read_text(to.keys_.emplace_back()) || !take_sign(':')) return false;
      if (!read_value(to.items_.emplace_back(), depth + 1)) return false;
    } while (take_sign(','));
    return take_sign('}');
  }

  bool read_list(Json& to, int depth) {
    to.kind_ = Json::Kind::list;
    at_++;
    if (take_sign(']')) return true;
    do
      if (!read_value(to.items_.emplace_back(), depth + 1)) return false;
    while (take_sign(','));
    return take_sign(']');
  }

  bool read_number(Json& to) {
    const char* const start = text_.data() + at_;
    const bool is_one =
        (*start >= '0' && *start <= '9') || (*start == '-' && at_ + 1 < text_.size() && start[1] >= '0' && start[1] <= '9');
    double number = 0;
    const std::from_chars_result end = std::from_chars(start, text_.data() + text_.size(), number);
    if (!is_one || end.ec != std::errc()) return false;
    at_ += static_cast<std::size_t>(end.ptr - start);
    to = Json(number);
    return true;
  }

  bool read_text(std::string& to) {
    for (at_++; at_ < text_.size(); at_++) {
      const char c = text_[at_];
      if (c == '"') return at_++, true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\')
        to += c;
      else if (++at_ == text_.size() || !read_escape(to))
        return false;
    }
    return false;
  }

  bool read_escape(std::string& to) {
    constexpr std::string_view signs = "\"\\/bfnrt", means = "\"\\/\b\f\n\r\t";
    if (const std::size_t i = signs.find(text_[at_]); i != signs.npos) {
      to += means[i];
      return true;
    }
    unsigned c = 0, low = 0;
    constexpr unsigned replacement = 0xFFFD;
    if (text_[at_] != 'u' || !read_hexadecimal(c)) return false;
    const bool is_high = c >= 0xD800 && c < 0xDC00;
    if (is_high && text_.substr(at_ + 1).starts_with("\\u")) {
      const std::size_t before = at_;
      at_ += 2;
      if (!read_hexadecimal(low)) return false;
      if (low >= 0xDC00 && low < 0xE000)
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      else
        at_ = before;  // no pair: the second one stands for itself
    }
    const char32_t code = c >= 0xD800 && c < 0xE000 ? replacement : c;
    to += utf8_of({&code, 1});
    return true;
  }

  // Reads four digits behind the current place; stops on the last one.
  bool read_hexadecimal(unsigned& to) {
    if (at_ + 4 >= text_.size()) return false;
    const char* const start = text_.data() + at_ + 1;
    const std::from_chars_result end = std::from_chars(start, start + 4, to, 16);
    at_ += 4;
    return end.ec == std::errc() && end.ptr == start + 4;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<Json> Json::read(std::string_view text) { return JsonReader(text).read(); }

Json Json::object(std::initializer_list<Member> members) {
  Json json;
  json.kind_ = Kind::object;
  for (const auto& [key, value] : members) json.add(key, value);
  return json;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json none;
  for (std::size_t i = 0; i < keys_.size(); i++)
    if (keys_[i] == key) return items_[i];
  return none;
}

bool Json::has(std::string_view key) const {
  for (const std::string& known : keys_)
    if (known == key) return true;
  return false;
}

void Json::add(std::string_view key, Json value) {
  kind_ = Kind::object;
  keys_.emplace_back(key);
  items_.push_back(std::move(value));
}

void Json::push(Json value) {
  kind_ = Kind::list;
  items_.push_back(std::move(value));
}

std::string Json::written() const {
  std::string text;
  write(text);
  return text;
}

void Json::write(std::string& to) const {
  switch (kind_) {
    case Kind::null: to += "null"; break;
    case Kind::boolean: to += number_ != 0 ? "true" : "false"; break;
    case Kind::number: write_number(number_, to); break;
    case Kind::text: write_text(text_, to); break;
    case Kind::list:
    case Kind::object: {
      const bool is_object = kind_ == Kind::object;
      to += is_object ? '{' : '[';
      for (std::size_t i = 0; i < items_.size(); i++) {
        if (i > 0) to += ',';
        if (is_object) {
          write_text(keys_[i], to);
          to += ':';
        }
        items_[i].write(to);
      }
      to += is_object ? '}' : ']';
    }
  }
}

}  // namespace griddle::repl
