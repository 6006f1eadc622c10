// What griddle.hpp says of values: Any, Result and Failure. Include that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "griddle.h"

namespace griddle {

class Any;
class Interpreter;
class Result;

enum class Kind : std::uint8_t { none, array, number, character, function, modifier1, modifier2, name_space };

// How an array holds its elements: packed bits, integers, doubles, code points, or values of any kind.
enum class Element : std::uint8_t { bit, i8, i16, i32, f64, c8, c16, c32, any };

namespace detail {

inline griddle_text text(std::string_view t) { return {t.data(), t.size()}; }
inline std::string_view view(griddle_text t) { return {t.data, t.bytes}; }
inline std::string taken(griddle_buffer b) {
  std::string text(b.data != nullptr ? b.data : "", b.data != nullptr ? b.bytes : 0);
  griddle_free(b);
  return text;
}

// The type of the interface that elements of a C++ type have; -1 for others.
template <class T>
constexpr int type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return griddle_bool;
  else if constexpr (std::is_same_v<T, double>)
    return griddle_f64;
  else if constexpr (std::is_same_v<T, float>)
    return griddle_f32;
  else if constexpr (std::is_same_v<T, char8_t>)
    return griddle_c8;
  else if constexpr (std::is_same_v<T, char16_t>)
    return griddle_c16;
  else if constexpr (std::is_same_v<T, char32_t>)
    return griddle_c32;
  else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, wchar_t>)
    return -1;
  else if constexpr (std::is_integral_v<T>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1)
      return is_signed ? griddle_i8 : griddle_u8;
    else if constexpr (sizeof(T) == 2)
      return is_signed ? griddle_i16 : griddle_u16;
    else if constexpr (sizeof(T) == 4)
      return is_signed ? griddle_i32 : griddle_u32;
    else
      return is_signed ? griddle_i64 : griddle_u64;
  } else
    return -1;
}

template <class T>
concept Elements = type_of<T>()
>= 0;

// The form in which arrays hold elements of a C++ type: what view<T>() asks for. std::uint8_t and std::uint16_t stand for code
// points.
template <class T>
constexpr int form_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return griddle_c8;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return griddle_c16;
  else
    return type_of<T>();
}
template <class T>
concept InPlace = form_of<T>()
>= 0 && form_of<T>() < griddle_any;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

}  // namespace detail

// Elements in place, with the lengths of their axes: a(row, column).
template <class T>
struct ArrayView {
  std::span<const T> elements;
  std::span<const std::size_t> shape;
  template <class... Indices>
  const T& operator()(Indices... indices) const {
    const std::size_t at[] = {static_cast<std::size_t>(indices)...};
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < sizeof...(indices); axis++) place = place * shape[axis] + at[axis];
    return elements[place];
  }
};

// How much text is wanted: so many rows and columns, or so many characters where a value takes one row alone. 0: any number.
struct TextLimits {
  std::size_t rows = 0, columns = 0, alone = 0;
};

// A BQN value. Copying shares it; it keeps what it needs of its interpreter alive. The default is no value at all.
class Any {
 public:
  Any() = default;
  Any(const Any& o) noexcept : v_(griddle_share(o.v_)) {}
  Any(Any&& o) noexcept : v_(std::exchange(o.v_, griddle_value{})) {}
  Any& operator=(const Any& o) noexcept {
    Any copy(o);
    std::swap(v_, copy.v_);
    return *this;
  }
  Any& operator=(Any&& o) noexcept {
    std::swap(v_, o.v_);
    return *this;
  }
  ~Any() {
    if (v_.interpreter != nullptr) griddle_release(v_);
  }
  // Takes over what a function of griddle.h gave; lends and hands out what one of them wants.
  static Any adopt(griddle_value v) noexcept {
    Any any;
    any.v_ = v;
    return any;
  }
  const griddle_value& handle() const noexcept { return v_; }
  [[nodiscard]] griddle_value leak() noexcept { return std::exchange(v_, griddle_value{}); }

  [[nodiscard]] Kind kind() const noexcept { return static_cast<Kind>(griddle_kind_of(v_)); }
  bool has_value() const noexcept { return v_.interpreter != nullptr; }
  bool is_number() const noexcept { return kind() == Kind::number; }
  bool is_character() const noexcept { return kind() == Kind::character; }
  bool is_array() const noexcept { return kind() == Kind::array; }
  bool is_function() const noexcept { return kind() == Kind::function; }
  bool is_namespace() const noexcept { return kind() == Kind::name_space; }
  // Tells whether this is a list of characters; an empty list is one.
  bool is_text() const noexcept { return griddle_is_text(v_) != 0; }

  // Atoms: NaN, or NUL, for what is no number, or no character.
  [[nodiscard]] double number() const noexcept { return griddle_number_of(v_); }
  [[nodiscard]] char32_t character() const noexcept { return griddle_character_of(v_); }
  // Numbers, truths (0 and 1), integers, characters, texts and lists of elements as C++ has them; nothing where the value is none
  // such.
  template <class T>
  [[nodiscard]] std::optional<T> as() const;

  // Arrays; an atom counts as an array of rank 0 that holds it.
  [[nodiscard]] std::size_t rank() const noexcept { return griddle_rank(v_); }
  [[nodiscard]] std::size_t length() const noexcept { return griddle_length(v_); }  // number of elements
  [[nodiscard]] std::vector<std::size_t> shape() const {
    const std::size_t* lengths = griddle_shape(v_);
    return {lengths, lengths + rank()};
  }
  [[nodiscard]] Element element() const noexcept { return static_cast<Element>(griddle_type_of(v_)); }
  // Gives an element in index order, or no value beyond the last.
  [[nodiscard]] Any operator[](std::size_t index) const { return adopt(griddle_element(v_, index)); }
  // Gives the elements in place where the array holds them as T (std::int8_t to double, std::uint8_t to char32_t); else nothing.
  // They live as long as this value.
  template <detail::InPlace T>
  [[nodiscard]] std::span<const T> view() const& noexcept {
    if (!is_array() || static_cast<int>(griddle_type_of(v_)) != detail::form_of<T>()) return {};
    return {static_cast<const T*>(griddle_elements(v_)), length()};
  }
  template <detail::InPlace T>
  std::span<const T> view() const&& = delete;  // the value ends before its elements are read
  // The same with the shape.
  template <detail::InPlace T>
  [[nodiscard]] std::optional<ArrayView<T>> array_view() const& noexcept {
    if (!is_array() || static_cast<int>(griddle_type_of(v_)) != detail::form_of<T>()) return std::nullopt;
    return ArrayView<T>{view<T>(), {griddle_shape(v_), rank()}};
  }
  template <detail::InPlace T>
  std::optional<ArrayView<T>> array_view() const&& = delete;
  // Gives the words of packed bits in place, the first bit lowest; nothing for other forms.
  [[nodiscard]] std::span<const std::uint64_t> bits() const& noexcept {
    if (!is_array() || element() != Element::bit) return {};
    return {static_cast<const std::uint64_t*>(griddle_elements(v_)), (length() + 63) / 64};
  }
  std::span<const std::uint64_t> bits() const&& = delete;
  // Copies all elements, whatever form they are held in. Gives false where the room is another number of elements, or one cannot
  // be a T.
  template <detail::Elements T>
  bool copy_to(std::span<T> to) const {
    return to.size() == length() && griddle_copy(v_, static_cast<griddle_type>(detail::type_of<T>()), to.data(), nullptr) != 0;
  }
  // Gives all elements as doubles; nothing where one is no number.
  [[nodiscard]] std::optional<std::vector<double>> numbers() const { return has_value() ? copied<double>() : std::nullopt; }
  // Gives the characters of a list in UTF-8; nothing where one is no character.
  [[nodiscard]] std::optional<std::string> text() const {
    if (!is_text()) return std::nullopt;
    griddle_buffer b = griddle_text_of(v_, nullptr);
    return b.data != nullptr ? std::optional(detail::taken(b)) : std::nullopt;
  }
  [[nodiscard]] std::vector<Any> elements() const {
    std::vector<Any> result;
    for (std::size_t i = 0; i < length(); i++) result.push_back((*this)[i]);
    return result;
  }

  // Namespaces: a field by any spelling of its name, or no value.
  [[nodiscard]] Any field(std::string_view name) const { return adopt(griddle_field(v_, detail::text(name))); }
  [[nodiscard]] std::vector<std::string> fields() const { return strings(adopt(griddle_fields(v_, nullptr))); }

  // Calls a value: functions run, anything else gives itself. Arguments may be numbers, texts and vectors of C++, too.
  Result operator()(const Any& x) const;
  Result operator()(const Any& w, const Any& x) const;
  template <class X>
  requires(!std::is_convertible_v<const X&, const Any&>) Result operator()(const X& x) const;
  template <class W, class X>
  requires(!(std::is_convertible_v<const W&, const Any&> && std::is_convertible_v<const X&, const Any&>)) Result operator()(
      const W& w, const X& x) const;
  // Gives a modifier its operands.
  Result derive(const Any& f) const;
  Result derive(const Any& f, const Any& g) const;
  // Tells whether two values match.
  bool matches(const Any& other) const { return griddle_match(v_, other.v_, nullptr) != 0; }

  // Gives the text that a session shows; where memory does not hold it, or an interrupt ends it, "(not shown: …)".
  [[nodiscard]] std::string format() const { return detail::taken(griddle_format(v_)); }
  // Gives the upper left part of that text, with an ellipsis for the rest, and formats no more. Tells whether it is whole.
  [[nodiscard]] std::string format_within(const TextLimits& room, bool* is_whole = nullptr) const {
    const griddle_text_room limits = {sizeof limits, room.rows, room.columns, room.alone};
    int whole = 1;
    std::string text = detail::taken(griddle_format_within(v_, &limits, &whole));
    if (is_whole != nullptr) *is_whole = whole != 0;
    return text;
  }
  // Gives the text that format() gives to `take(std::string_view) -> bool`, piece by piece and in little memory, until that wants no
  // more. Says why it is not whole where something else ends it.
  template <class F>
  Result format_in_pieces(F take) const;
  // Gives what a terminal shows instead, if •plot gave this value last (Options::pictures).
  [[nodiscard]] std::string picture() const { return detail::taken(griddle_picture(v_)); }
  // Gives the bytes of the elements of an array, and of all arrays in it.
  [[nodiscard]] std::size_t bytes() const noexcept { return griddle_bytes_of(v_); }
  [[nodiscard]] bool is_on_device() const noexcept { return griddle_on_device(v_) != 0; }
  // Gives source text that recreates the value.
  Result source() const;
  // Gives bytes that hold data for another interpreter, process or day; nothing where the value holds what has no source.
  [[nodiscard]] std::optional<std::string> serialise() const {
    griddle_buffer b = griddle_serialise(v_, nullptr);
    return b.data != nullptr ? std::optional(detail::taken(b)) : std::nullopt;
  }

 private:
  friend class Interpreter;
  static std::vector<std::string> strings(const Any& list) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < list.length() && list.has_value(); i++) result.push_back(list[i].text().value_or(""));
    return result;
  }
  template <class T>
  std::optional<std::vector<T>> copied() const {
    std::vector<T> result(length());
    return copy_to(std::span<T>(result)) ? std::optional(std::move(result)) : std::nullopt;
  }
  // A C++ value as one of this one's interpreter.
  template <class T>
  Any made(const T&) const;

  griddle_value v_ = {};
};

// What a line of a session, or a file, defines: names, each with the statement that gives it its value.
struct Entered {
  bool ends_in_assignment = false;
  std::vector<std::pair<std::string, std::string>> definitions;
};

// Where an active call of a failed evaluation stands.
struct StackFrame {
  std::string name;  // of the source, or a path
  std::string line_text;
  std::size_t line = 0;                // from 1 on
  std::size_t column = 0, length = 0;  // in characters
};

// Why an evaluation gave no value.
struct Failure {
  enum class Cause : std::uint8_t { error, interrupt, timeout, steps, exit };
  Cause cause = Cause::error;
  std::string message;                      // of the error, as text
  std::string report;                       // message and place of each active call, as the executable prints it
  int exit_code = 1;                        // of •Exit
  Any value;                                // the message as a value, where it is any
  std::vector<StackFrame> frames;           // the innermost first
  std::shared_ptr<griddle_failure> origin;  // so that one that a function of the host forwards keeps its places
};

class Result {
 public:
  Result(Any value) : value_(std::move(value)) {}
  Result(Failure failure) : failure_(std::make_shared<Failure>(std::move(failure))) {}
  // Makes a failure with a message, for functions of the host.
  static Result error(std::string_view message) { return Result(Any(), griddle_make_failure(detail::text(message))); }
  // Takes over what a function of griddle.h gave.
  Result(Any value, griddle_failure* failure) : value_(std::move(value)) {
    if (failure != nullptr) failure_ = described(failure);
  }

  bool ok() const noexcept { return !failure_; }
  explicit operator bool() const noexcept { return ok(); }
  // The value; no value where there is a failure.
  const Any& value() const& noexcept { return value_; }
  Any value() && noexcept { return std::move(value_); }
  const Any& operator*() const& noexcept { return value_; }
  Any operator*() && noexcept { return std::move(value_); }
  const Any* operator->() const noexcept { return &value_; }
  // Calls the value; a failure stays what it is, so that calls can follow each other and be checked at the end.
  template <class... Arguments>
  Result operator()(const Arguments&... arguments) const {
    return failure_ ? *this : value_(arguments...);
  }
  // The failure; an empty one where there is a value.
  const Failure& failure() const noexcept {
    static const Failure none;
    return failure_ ? *failure_ : none;
  }

 private:
  static std::shared_ptr<const Failure> described(griddle_failure* failure) {
    auto f = std::make_shared<Failure>();
    f->origin.reset(failure, griddle_release_failure);
    f->cause = static_cast<Failure::Cause>(griddle_failure_cause(failure));
    f->message = detail::view(griddle_failure_message(failure));
    if (f->cause != Failure::Cause::exit) f->report = detail::view(griddle_failure_report(failure));
    f->exit_code = griddle_failure_exit_code(failure);
    f->value = Any::adopt(griddle_failure_value(failure));
    const std::size_t count = griddle_failure_frames(failure);
    constexpr std::size_t most = 256;  // of a deep recursion the rest can be had from `origin`
    for (std::size_t i = 0; i < count && i < most; i++) {
      griddle_frame frame;
      frame.size = sizeof frame;
      if (griddle_failure_frame(failure, i, &frame) == 0) continue;
      f->frames.push_back({std::string(detail::view(frame.name)), std::string(detail::view(frame.line_text)), frame.line,
                           frame.column, frame.length});
    }
    return f;
  }
  Any value_;
  std::shared_ptr<const Failure> failure_;
};

template <class F>
Result Any::format_in_pieces(F take) const {
  griddle_failure* why = nullptr;
  griddle_format_pieces(
      v_, [](void* data, griddle_text piece) -> int { return (*static_cast<F*>(data))(detail::view(piece)); }, &take, &why);
  return Result(Any(), why);
}

}  // namespace griddle
