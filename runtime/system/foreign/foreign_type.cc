#include "runtime/system/foreign/foreign_type.h"

#include <algorithm>

namespace griddle {

namespace {

using Kind = ForeignType::Kind;

constexpr std::size_t most_elements = 1'000'000'000;

// Reads a type from left to right.
class TypeParser {
 public:
  explicit TypeParser(std::string_view text) : text_(text) {}

  ForeignArgument argument() {
    ForeignArgument result;
    bool side_given = false;
    for (;;) {
      if (take(">")) {
        if (result.whole) fail("There may be only one >");
        result.whole = true;
        continue;
      }
      const bool left = take("𝕨");
      if (!left && !take("𝕩")) break;
      if (side_given) fail("There may be only one of 𝕨 and 𝕩");
      side_given = true;
      result.from_left = left;
    }
    result.text = text_.substr(place_);
    const bool changed = take("&");
    if (changed || take("⥊")) {
      result.passing = changed ? ForeignArgument::Passing::changed : ForeignArgument::Passing::fresh;
      result.returned = !take("·");
    }
    result.type = type(result.passing != ForeignArgument::Passing::value);
    end();
    return result;
  }

  ForeignTypeRef whole_type() {
    ForeignTypeRef result = type();
    end();
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw ForeignTypeError{message + " (type \"" + std::string(text_) + "\")"};
  }

  bool take(std::string_view token) {
    if (!text_.substr(place_).starts_with(token)) return false;
    place_ += token.size();
    return true;
  }

  void end() const {
    if (place_ != text_.size()) fail("There is more after the end of the type");
  }

  std::size_t number() {
    const std::size_t start = place_;
    std::size_t n = 0;
    for (; place_ < text_.size() && text_[place_] >= '0' && text_[place_] <= '9'; place_++) {
      n = n * 10 + static_cast<std::size_t>(text_[place_] - '0');
      if (n > most_elements) fail("The number is too large");
    }
    if (place_ == start) fail("Expected a number");
    return n;
  }

  // `in_list`: what a pointer or an array has before it.
  ForeignTypeRef type(bool in_list = false) {
    if (depth_++ > 100) fail("The type is nested too deep");
    const std::size_t start = place_;
    auto result = std::make_shared<ForeignType>();
    if (take("*"))
      pointer(*result, in_list);
    else if (take("["))
      array(*result);
    else if (take("{"))
      structure(*result);
    else if (take("a"))
      atom(*result, Kind::bqn_value, sizeof(std::uint64_t));
    else if (take("i"))
      sized(*result, Kind::integer, in_list);
    else if (take("u"))
      sized(*result, Kind::natural, in_list);
    else if (take("f"))
      sized(*result, Kind::real, in_list);
    else if (text_.substr(place_).starts_with("&") || text_.substr(place_).starts_with("⥊"))
      fail("A pointer to what changes may only be the whole type");
    else
      fail(place_ == text_.size() ? "The type ends too early" : "Expected a type");
    result->text = text_.substr(start, place_ - start);
    depth_--;
    return result;
  }

  static void atom(ForeignType& type, Kind kind, std::size_t size) {
    type.kind = kind;
    type.size = type.alignment = size;
  }

  void sized(ForeignType& type, Kind kind, bool in_list) {
    const std::size_t bits = number();
    const bool known = kind == Kind::real ? bits == 32 || bits == 64 : bits == 8 || bits == 16 || bits == 32 || bits == 64;
    if (!known) fail("There is no number of this width");
    atom(type, kind, bits / 8);
    conversion(type, in_list);
  }

  void pointer(ForeignType& type, bool in_list) {
    atom(type, Kind::pointer, sizeof(void*));
    if (place_ == text_.size() || text_[place_] == ',' || text_[place_] == '}' || text_[place_] == ':')
      conversion(type, in_list);
    else
      type.element = this->type(true);
  }

  void conversion(ForeignType& type, bool in_list) {
    if (!take(":")) return;
    const std::size_t start = place_;
    if (!take("i") && !take("u") && !take("f") && !take("c")) fail("Expected a BQN type after :");
    number();
    struct Known {
      std::string_view text;
      ElementType type;
    };
    constexpr Known known[] = {{"u1", ElementType::bit},  {"i8", ElementType::i8},   {"i16", ElementType::i16},
                               {"i32", ElementType::i32}, {"f64", ElementType::f64}, {"c8", ElementType::c8},
                               {"c16", ElementType::c16}, {"c32", ElementType::c32}};
    const std::string_view wanted = text_.substr(start, place_ - start);
    const auto* found = std::find_if(std::begin(known), std::end(known), [&](const Known& k) { return k.text == wanted; });
    if (found == std::end(known)) fail("No list has elements of this type");
    type.converted = true;
    type.as = found->type;
    if (!in_list && bits_of(type.as) > type.bits()) fail("The BQN type is wider than the value");
  }

  void array(ForeignType& type) {
    type.kind = Kind::array;
    type.count = number();
    if (!take("]")) fail("Expected ]");
    if (type.count == 0) fail("An array must have an element");
    type.element = this->type(true);
    if (type.element->size > most_elements / type.count) fail("The array is too large");
    type.size = type.count * type.element->size;
    if (type.element->converted && type.bits() % bits_of(type.element->as) != 0) fail("No whole elements of the BQN type fit");
    type.alignment = type.element->alignment;
  }

  void structure(ForeignType& type) {
    type.kind = Kind::structure;
    do {
      ForeignTypeRef field = this->type();
      const std::size_t alignment = field->alignment;
      const std::size_t offset = (type.size + alignment - 1) / alignment * alignment;
      type.offsets.push_back(offset);
      type.size = offset + field->size;
      type.alignment = std::max(type.alignment, alignment);
      type.fields.push_back(std::move(field));
    } while (take(","));
    if (!take("}")) fail("Expected , or }");
    type.size = (type.size + type.alignment - 1) / type.alignment * type.alignment;
  }

  std::string_view text_;
  std::size_t place_ = 0;
  int depth_ = 0;
};

}  // namespace

bool ForeignType::holds_values() const {
  if (kind == Kind::array) return element->holds_values();
  return kind == Kind::bqn_value || std::any_of(fields.begin(), fields.end(), [](const auto& f) { return f->holds_values(); });
}

ForeignTypeRef parse_foreign_type(std::string_view text) { return TypeParser(text).whole_type(); }
ForeignArgument parse_foreign_argument(std::string_view text) { return TypeParser(text).argument(); }

bool are_compatible(const ForeignType* a, const ForeignType* b) {
  if (!a || !b || a == b) return true;
  if (a->kind != b->kind || a->size != b->size || a->count != b->count || a->fields.size() != b->fields.size()) return false;
  if (a->kind == Kind::pointer) return are_compatible(a->element.get(), b->element.get());
  if (a->kind == Kind::array) return are_compatible(a->element.get(), b->element.get());
  for (std::size_t i = 0; i < a->fields.size(); i++)
    if (!are_compatible(a->fields[i].get(), b->fields[i].get())) return false;
  return true;
}

}  // namespace griddle
