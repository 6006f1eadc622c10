#include "runtime/api/steps.h"

#include <algorithm>

#include "runtime/api/interpreter_state.h"
#include "runtime/format/format.h"

namespace griddle {

namespace {

// Gives a piece of the source on one row.
std::string piece_of(const Code& code, Span span) {
  constexpr std::size_t longest = 40;
  std::string text = code.unit->source->text.substr(span.start, span.end - span.start);
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (continues_utf8(text[end])) end--;
  return text.substr(0, end) + "…";
}

std::string name_of(const Code& code) { return code.label.empty() ? piece_of(code, code.span) : code.label; }

}  // namespace

std::string short_text(Context& cx, const Value& v) {
  constexpr std::size_t columns = 40;
  // To show some of what is on a device would bring all of it here.
  if (v.is_array() && v.array().data.elsewhere()) return kind_text(v);
  try {
    const HeapText text = text_within(cx, v, {2, columns, columns});
    return text.find('\n') == text.npos ? std::string(text) : kind_text(v);
  } catch (const Error& error) {
    // An interrupt is for what runs.
    if (!error.catchable) cx.request_interrupt(cx.interrupted_by());
    return "…";
  }
}

void GivenValues::gave(std::size_t, const Code& code, const Position& position, const Value& v) noexcept {
  try {
    if (!code.unit || code.unit->source.get() != source_) return;
    Given& given = given_[{position.span.start, position.span.end}];
    given.count++;
    given.text = short_text(cx_, v);
  } catch (...) {
    is_incomplete_ = true;
  }
}

std::string GivenValues::at(Span place) const {
  if (place.start == place.end) return {};
  const auto found = given_.find({place.start, place.end});
  if (found == given_.end()) return {};
  const Given& given = found->second;
  return " → " + given.text + (given.count > 1 ? " (the last of " + std::to_string(given.count) + ")" : "");
}

void Trace::line(std::size_t depth, const std::string& text) {
  if (lines_ == 0) first_depth_ = depth;
  if (++lines_ > most_lines) return;
  const std::size_t within = std::min(depth - std::min(depth, first_depth_), deepest_shown);
  out_ += std::string(2 * within, ' ') + text + '\n';
}

void Trace::gave(std::size_t depth, const Code& code, const Position& position, const Value& v) noexcept {
  // What a block gave stands there already, and what a function is, in the source.
  if (std::exchange(left_, 0) == depth + 1 || v.is_operation()) return;
  try {
    if (lines_ < most_lines && code.unit)
      line(depth + 1, piece_of(code, position.span) + " → " + short_text(cx_, v));
    else
      lines_++;
  } catch (...) {
    is_incomplete_ = true;
  }
}

void Trace::entered(std::size_t depth, const Code& code, const Value& w, const Value& x) noexcept {
  try {
    if (lines_ == 0) return line(depth, "program");
    if (!code.unit) return;
    if (code.type == BlockType::immediate) return line(depth, name_of(code));
    const std::string left = w.is_mark() ? "" : short_text(cx_, w) + " ";
    line(depth, left + name_of(code) + " " + (x.is_mark() ? "" : short_text(cx_, x)));
  } catch (...) {
    is_incomplete_ = true;
  }
}

void Trace::left(std::size_t depth, const Code& code, const Value& v) noexcept {
  left_ = depth;
  try {
    if (code.unit) line(depth, "→ " + (v.is_mark() ? "no value" : short_text(cx_, v)));
  } catch (...) {
    is_incomplete_ = true;
  }
}

void Trace::end() {
  if (lines_ > most_lines) out_ += "(" + std::to_string(lines_ - most_lines) + " more lines)\n";
}

Value InterpreterState::trace(std::string_view source, std::string& text) {
  const Ref<Code> code = compile_in_session(source, "");
  struct Ends {
    Trace trace;
    ~Ends() { trace.end(); }
  } ends{Trace(cx, text)};
  const ObservedSteps steps(vm, ends.trace);
  Value result = vm.run(*code, session_root.get());
  ends.trace.require_all();
  return result;
}

}  // namespace griddle

griddle_value griddle_trace(griddle_interpreter* bqn, griddle_text source, griddle_buffer* text, griddle_failure** failure) {
  if (text != nullptr) *text = {};
  if (bqn == nullptr) return griddle::nothing_to_call(failure, "There is no interpreter");
  std::string told;
  const griddle_value value = bqn->guarded(failure, [&] { return bqn->trace(griddle::view_of(source), told); });
  if (text != nullptr) *text = griddle::buffer_of(told);
  return value;
}
