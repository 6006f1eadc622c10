#include "repl/commands/session_state.h"

#include <algorithm>
#include <string_view>

#include "repl/commands/showing.h"
#include "repl/highlight.h"
#include "repl/report.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

// Spells a name as BQN compares them: without underscores, in small letters.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '_') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

}  // namespace

void note_definitions(SessionState& state, const Entered& entered) {
  for (const auto& [name, statement] : entered.definitions) {
    const std::string plain = plain_name(name);
    state.last_is_taken |= plain == name_of_last;
    // The latest spelling of a name counts.
    std::erase_if(state.definitions, [&plain](const auto& each) { return plain_name(each.first) == plain; });
    state.definitions[name] = statement;
  }
}

void complain(SessionState& state, std::string_view message) {
  state.failed = true;
  state.console.write_error(message);
}

bool survive(SessionState& state, const Result& result, int& exit_code) {
  const Failure& failure = result.failure();
  if (failure.cause == Failure::Cause::exit) {
    exit_code = failure.exit_code;
    return false;
  }
  state.failed = true;
  tell_failure(state.console, failure);
  return true;
}

bool take_semicolon(std::string& text) {
  std::u32string source = code_points_of(text);
  std::size_t last = source.size();  // of what is no blank and no comment, the latest token
  for (std::size_t i = 0; i < source.size();) {
    const Token token = token_at(source, i);
    if (token.colour != Colour::comment && source[i] > U' ') last = i;
    i = token.end;
  }
  if (last == source.size() || source[last] != U';') return false;
  source[last] = U' ';
  text = utf8_of(source);
  return true;
}

bool run_entry(SessionState& state, const std::string& typed, int& exit_code) {
  std::string text = typed;
  const bool quiet = take_semicolon(text);
  state.last_entry = text;
  Entered entered;
  const Result result = state.interpreter.enter(text, entered);
  note_definitions(state, entered);
  if (!result) return survive(state, result, exit_code);
  if (!result->has_value()) return true;
  state.shown = *result;
  if (!entered.ends_in_assignment && !state.last_is_taken) state.interpreter.define(name_of_last, *result);
  if (!quiet) show(state, *result, entered.ends_in_assignment);
  if (state.console.drops_output()) state.console.write_error("Interrupted\n");
  return true;
}

}  // namespace griddle::repl
