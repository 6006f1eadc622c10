// Values of JSON, as the language server reads and writes them. Those of •json are BQN's: it gives 1 for true, and the same list
// for
// [] and "" where neither says more, and a number of a request must come back as it was; its memory and interrupts are those of
// an interpreter, which an editor's messages have no part in.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace griddle::repl {

class Json {
 public:
  enum class Kind : unsigned char { null, boolean, number, text, list, object };
  using Member = std::pair<const char*, Json>;

  Json() = default;  // null
  template <std::same_as<bool> T>
  Json(T b) : kind_(Kind::boolean), number_(b) {}
  template <class T>
  requires((std::is_arithmetic_v<T> && !std::same_as<T, bool>) || std::is_enum_v<T>) Json(T n)
      : kind_(Kind::number), number_(static_cast<double>(n)) {}
  Json(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
  Json(std::string_view text) : kind_(Kind::text), text_(text) {}
  Json(const char* text) : kind_(Kind::text), text_(text) {}
  Json(std::vector<Json> items) : kind_(Kind::list), items_(std::move(items)) {}
  static Json object(std::initializer_list<Member> members);
  static Json list(std::initializer_list<Json> items) { return Json(std::vector<Json>(items)); }

  // Reads a text; nothing where it is no JSON, or nested very deeply.
  static std::optional<Json> read(std::string_view);
  std::string written() const;

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_number() const { return kind_ == Kind::number; }
  bool is_true() const { return kind_ == Kind::boolean && number_ != 0; }
  double number() const { return number_; }                       // 0 where it is none
  const std::string& text() const { return text_; }               // empty where it is none
  const std::vector<Json>& items() const { return items_; }       // of a list, or the values of an object
  const std::vector<std::string>& keys() const { return keys_; }  // of an object
  // Gives a member of an object; null where there is none.
  const Json& operator[](std::string_view key) const;
  bool has(std::string_view key) const;
  // Adds to an object, or a list; null becomes one.
  void add(std::string_view key, Json value);
  void push(Json value);
  bool operator==(const Json&) const = default;

 private:
  friend class JsonReader;
  void write(std::string&) const;
  Kind kind_ = Kind::null;
  double number_ = 0;
  std::string text_;
  std::vector<std::string> keys_;
  std::vector<Json> items_;
};

}  // namespace griddle::repl
