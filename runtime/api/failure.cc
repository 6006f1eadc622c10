// Why there is no value: messages, places and causes, as the host reads them.
#include "runtime/api/failure.h"

#include <new>

#include "runtime/api/hints.h"
#include "runtime/api/interpreter_state.h"
#include "runtime/api/operand_values.h"
#include "runtime/format/format.h"
#include "runtime/source/diagnostic.h"
#include "runtime/system/argument.h"
#include "runtime/system/system.h"

namespace griddle {

namespace {

constexpr std::string_view out_of_memory = "Out of memory", out_of_memory_report = "Error: Out of memory\n";

// Stands where there is no memory for another one. Nobody owns it, and its texts are not its own.
griddle_failure without_memory;

bool same_place(const Location& a, const Location& b) { return a.source == b.source && a.start == b.start && a.end == b.end; }

// Appends the places of the active calls, innermost first; a recursion's repeated place stands once, and of very many places the
// middle is left out.
void append_places(std::string& report, std::span<const Location> places) {
  constexpr std::size_t most_places = 40, last_places = 8;
  std::vector<std::pair<std::size_t, std::size_t>> runs;  // first place, repetitions
  for (std::size_t i = 0; i < places.size(); i++) {
    if (!places[i].source) continue;
    if (!runs.empty() && same_place(places[runs.back().first], places[i]))
      runs.back().second++;
    else
      runs.emplace_back(i, 1);
  }
  for (std::size_t r = 0; r < runs.size(); r++) {
    if (runs.size() > most_places && r == most_places - last_places) {
      std::size_t left_out = runs.size() - most_places;
      report.append("(").append(std::to_string(left_out)).append(" more places)\n");
      r += left_out;
    }
    auto [first, count] = runs[r];
    const Location& place = places[first];
    report += render_place(*place.source, {place.start, place.end}, {place.related_start, place.related_end});
    // A block that refuses its arguments has its own place and that of its call, which are one: these are no calls within
    // another.
    if (count > 1 && !std::string_view(place.source->text).substr(place.start).starts_with('{'))
      report += "(more calls from here)\n";
  }
}

std::string message_text(Context& cx, const Value& message) {
  constexpr std::size_t most_characters = 65536;
  try {
    if (!is_string(message)) return brief_text(cx, message);
    if (message.array().length > most_characters) return to_utf8(message.array(), most_characters) + "…";
    return message.array().length > 0 ? to_utf8(message.array()) : std::string();
  } catch (...) {
    return "The message cannot be shown";
  }
}

// Appends what may help: values beside the place, and what may have been meant. Where that cannot be told, for want of memory,
// the error is told all the same.
void append_help(InterpreterState& state, std::string& report, std::string_view message, const Error& error) {
  try {
    if (const std::string values = operand_values(state, error); !values.empty()) report.append("Here ").append(values) += '\n';
    if (const std::string hint = report_hint(state, message, error); !hint.empty()) report.append("Hint: ").append(hint) += '\n';
  } catch (...) {
  }
}

griddle_failure* failure_of(InterpreterState& state, Error& error) {
  auto failure = std::make_unique<griddle_failure>();
  failure->message = message_text(state.cx, error.message);
  if (!error.catchable) failure->cause = state.why_interrupted();
  // Who asked for an end wants to know where, and did nothing wrong.
  failure->report = (failure->cause == griddle_interrupted ? "" : "Error: ") + failure->message + "\n";
  append_places(failure->report, error.frames);
  // Where there is no memory, help would want some, too.
  if (error.catchable && failure->message != out_of_memory) append_help(state, failure->report, failure->message, error);
  failure->frames = std::move(error.frames);
  failure->value = state.wrap(error.message);
  return failure.release();
}

}  // namespace

griddle_failure* memory_failure() noexcept { return &without_memory; }

griddle_failure* plain_failure(std::string_view message) noexcept {
  try {
    auto failure = std::make_unique<griddle_failure>();
    failure->message = message;
    failure->report = "Error: " + failure->message + "\n";
    return failure.release();
  } catch (...) {
    return &without_memory;
  }
}

griddle_failure* InterpreterState::current_failure() noexcept {
  try {
    try {
      throw;
    } catch (const ExitRequest& request) {
      auto failure = std::make_unique<griddle_failure>();
      failure->cause = griddle_exited;
      failure->exit_code = request.code;
      failure->message = "The program ended itself (" + std::to_string(request.code) + ")";
      return failure.release();
    } catch (Error& error) {
      return failure_of(*this, error);
    } catch (const OutOfMemory&) {
      return &without_memory;
    } catch (const std::bad_alloc&) {
      return &without_memory;
    } catch (const std::exception& exception) {
      return plain_failure(exception.what());
    }
  } catch (const std::bad_alloc&) {
    return &without_memory;
  } catch (const OutOfMemory&) {
    return &without_memory;
  } catch (...) {
    return plain_failure("An exception of unknown type");
  }
}

void InterpreterState::throw_failure(griddle_failure* given) {
  struct Owned {
    griddle_failure* failure;
    ~Owned() { griddle_release_failure(failure); }
  } owned{given};
  if (given->cause == griddle_exited) throw ExitRequest{given->exit_code};
  const bool has_value = given->value.interpreter == this;
  Error error(has_value ? share(given->value) : make_string(cx.heap, view_of(griddle_failure_message(given))));
  error.frames = given->frames;
  error.catchable = given->cause == griddle_error;
  throw error;
}

}  // namespace griddle

using griddle::InterpreterState;

namespace {

griddle_text text_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

griddle_cause griddle_failure_cause(const griddle_failure* failure) {
  return failure != nullptr ? failure->cause : griddle_error;
}

griddle_text griddle_failure_message(const griddle_failure* failure) {
  if (failure == nullptr) return {"", 0};
  return failure == &griddle::without_memory ? text_of(griddle::out_of_memory) : text_of(failure->message);
}

griddle_text griddle_failure_report(const griddle_failure* failure) {
  if (failure == nullptr) return {"", 0};
  return failure == &griddle::without_memory ? text_of(griddle::out_of_memory_report) : text_of(failure->report);
}

int griddle_failure_exit_code(const griddle_failure* failure) { return failure != nullptr ? failure->exit_code : 1; }

griddle_value griddle_failure_value(const griddle_failure* failure) {
  return failure != nullptr ? griddle_share(failure->value) : griddle_value{};
}

size_t griddle_failure_frames(const griddle_failure* failure) { return failure != nullptr ? failure->frames.size() : 0; }

int griddle_failure_frame(const griddle_failure* failure, size_t index, griddle_frame* frame) {
  if (failure == nullptr || frame == nullptr || index >= failure->frames.size()) return 0;
  const griddle::Location& place = failure->frames[index];
  griddle_frame f = {};
  f.name = f.line_text = {"", 0};
  if (place.source) {
    const griddle::SourceText& source = *place.source;
    const griddle::SourceText::Line line = source.line_at(place.start);
    f.name = text_of(source.name);
    f.line_text = {line.text.data(), line.text.size()};
    f.line = line.number;
    f.column = griddle::code_points(std::string_view(source.text).substr(line.start, place.start - line.start));
    f.length = griddle::code_points(std::string_view(source.text).substr(place.start, place.end - place.start));
    f.start_byte = place.start;
    f.bytes = place.end - place.start;
  }
  griddle::give_struct(f, frame);
  return 1;
}

griddle_failure* griddle_make_failure(griddle_text message) {
  return griddle::plain_failure({message.data != nullptr ? message.data : "", message.data != nullptr ? message.bytes : 0});
}

griddle_failure* griddle_make_failure_of(griddle_value message) {
  if (message.interpreter == nullptr) return griddle::plain_failure("A failure without a message");
  InterpreterState& state = *message.interpreter;
  std::unique_ptr<griddle_failure> failure;
  const int whole = state.done(nullptr, [&] {
    failure = std::make_unique<griddle_failure>();
    failure->message = griddle::message_text(state.cx, *griddle::Lent(message.bits));
    failure->report = "Error: " + failure->message + "\n";
  });
  if (whole == 0) return &griddle::without_memory;
  failure->value = griddle_share(message);
  return failure.release();
}

griddle_failure* griddle_share_failure(griddle_failure* failure) {
  if (failure != nullptr && failure != &griddle::without_memory) failure->owners++;
  return failure;
}

void griddle_release_failure(griddle_failure* failure) {
  if (failure == nullptr || failure == &griddle::without_memory || --failure->owners > 0) return;
  griddle_release(failure->value);
  delete failure;
}
