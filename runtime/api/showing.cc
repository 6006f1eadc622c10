// Values as those see them who show them: digits, as much text as there is room for, pictures, and what they take.
#include <algorithm>
#include <unordered_set>

#include "runtime/api/interpreter_state.h"
#include "runtime/format/format.h"

using namespace griddle;

namespace {

std::size_t limit_of(std::size_t given) { return given != 0 ? given : TextRoom::all; }

// Adds up what arrays take. What is in several places counts once.
class Bytes {
 public:
  std::size_t of(const Value& v) {
    if (!v.is_array() || !seen_.insert(v.object()).second) return 0;
    const Array& a = v.array();
    std::size_t bytes = bytes_for(a.type(), a.length);
    if (a.type() != ElementType::boxed) return bytes;
    // What is nested very deep is not worth the stack.
    if (depth_ == deepest) return bytes;
    depth_++;
    for (std::size_t i = 0; i < a.length; i++) bytes += of(a.boxes()[i]);
    depth_--;
    return bytes;
  }

 private:
  static constexpr unsigned deepest = 1000;
  std::unordered_set<const Object*> seen_;
  unsigned depth_ = 0;
};

}  // namespace

griddle_buffer griddle_format_within(griddle_value value, const griddle_text_room* room, int* is_whole) {
  griddle_text_room limits = {};
  take_struct(limits, room);
  bool whole = true;
  griddle_buffer buffer = shown_text(value, [&](Context& cx, const Value& v) {
    return text_within(cx, v, {limit_of(limits.rows), limit_of(limits.columns), limit_of(limits.alone)}, &whole,
                       {value.interpreter->shown_style, {}});
  });
  if (is_whole != nullptr) *is_whole = whole;
  return buffer;
}

size_t griddle_bytes_of(griddle_value value) {
  if (value.interpreter == nullptr) return 0;
  try {
    return Bytes().of(*Lent(value.bits));
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

int griddle_on_device(griddle_value value) {
  if (value.interpreter == nullptr) return 0;
  const Lent v(value.bits);
  return v->is_array() && v->array().data.elsewhere();
}

void griddle_set_precision(griddle_interpreter* bqn, int32_t digits) {
  if (bqn != nullptr) bqn->shown_style.precision = std::clamp<int>(digits, 0, TextStyle::most_precision);
}

griddle_buffer griddle_picture(griddle_value value) {
  if (value.interpreter == nullptr) return buffer_of("");
  const Lent v(value.bits);
  const LastPicture& picture = value.interpreter->system.picture;
  const bool is_it = v->is_array() && picture.value.is_array() && v->object() == picture.value.object();
  return buffer_of(is_it ? std::string_view(picture.shown) : "");
}
