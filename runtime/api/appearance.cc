// How values appear to people: digits of numbers, and pictures.
#include <algorithm>

#include "runtime/api/interpreter_state.h"

using namespace griddle;

void griddle_set_precision(griddle_interpreter* bqn, int32_t digits) {
  if (bqn != nullptr) bqn->shown_style.precision = std::clamp<int>(digits, 0, TextStyle::most_precision);
}

griddle_buffer griddle_picture(griddle_value value) {
  if (value.interpreter == nullptr) return buffer_of("");
  const Lent v(value.bits);
  const LastPicture& picture = value.interpreter->system.picture;
  const bool is_it = v->is_array() && picture.value.is_array() && v->object() == picture.value.object();
  return buffer_of(is_it ? std::string_view(picture.shown) : std::string_view());
}
