#include "repl/commands/keeping.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "repl/other_programs.h"
#include "runtime/files.h"

namespace griddle::repl {

namespace {

// What a saved session begins with. The rest is a list of names, each with its value, or with a statement that makes it.
constexpr const char* saved_mark = "Griddle session 1";

std::string problem_with(const char* what, const std::string& path) {
  return std::string("Cannot ") + what + " the file (" + path + ")\n";
}

// Tells whether a file was changed after a moment; one that is gone was not.
bool changed_since(const std::string& path, const std::timespec& when) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return false;
  return status.st_mtim.tv_sec != when.tv_sec ? status.st_mtim.tv_sec > when.tv_sec : status.st_mtim.tv_nsec > when.tv_nsec;
}

void tell_names(StandardConsole& console, const std::vector<std::string>& names, const char* before) {
  if (names.empty()) return;
  std::string line = before;
  for (const std::string& name : names) line += " " + name;
  console.write(line + "\n");
}

}  // namespace

Result load(SessionState& session, const std::string& path, std::span<const std::string> arguments) {
  SessionState::LoadedFile file{path, {}};
  clock_gettime(CLOCK_REALTIME, &file.when);
  std::erase_if(session.files, [&](const auto& each) { return each.path == path; });
  session.files.push_back(file);
  Entered entered;
  Result result = session.interpreter.enter_file(path, arguments, entered);
  note_definitions(session, entered);
  return result;
}

CommandResult load_file(CommandCall& call) {
  const std::string path(call.argument);
  std::string text;
  if (!read_file(path, text)) {
    call.fail(problem_with("read", path));
    return CommandResult::done;
  }
  return call.result(load(call.session, path, {}));
}

CommandResult reload_files(CommandCall& call) {
  const std::vector<SessionState::LoadedFile> files = call.session.files;
  const std::vector<std::string> imports = call.interpreter().imported_files();
  std::vector<std::string> changed;
  for (const auto& file : files)
    if (changed_since(file.path, file.when) ||
        std::any_of(imports.begin(), imports.end(), [&](const auto& path) { return changed_since(path, file.when); }))
      changed.push_back(file.path);
  if (changed.empty()) {
    call.console().write(files.empty() ? "No file was loaded: )load FILE\n" : "No file has changed\n");
    return CommandResult::done;
  }
  call.interpreter().forget_imports();
  for (const std::string& path : changed) {
    call.console().write("Loading " + path + "\n");
    if (const Result result = load(call.session, path, {}); !result) return call.result(result);
  }
  return CommandResult::done;
}

CommandResult save_session(CommandCall& call) {
  Interpreter& bqn = call.interpreter();
  std::vector<Any> entries = {bqn.text(saved_mark)};
  std::vector<std::string> saved, as_source, lost;
  for (const std::string& name : bqn.session_names()) {
    const Any value = bqn.session_value(name);
    if (!value.has_value()) continue;
    const auto definition = call.session.definitions.find(name);
    if (value.serialise()) {
      entries.push_back(bqn.list({bqn.text(name), bqn.number(0), value}));
      saved.push_back(name);
    } else if (definition != call.session.definitions.end()) {
      entries.push_back(bqn.list({bqn.text(name), bqn.number(1), bqn.text(definition->second)}));
      as_source.push_back(name);
    } else {
      lost.push_back(name);
    }
  }
  const std::optional<std::string> bytes = bqn.list(entries).serialise();
  const std::string path(call.argument);
  if (!bytes || !write_own_file(path, *bytes, Writing::replace)) {
    call.fail(problem_with("write", path));
    return CommandResult::done;
  }
  tell_names(call.console(), saved, "saved:");
  tell_names(call.console(), as_source, "saved as source, which )restore runs:");
  tell_names(call.console(), lost, "not saved, as their source is not known:");
  return CommandResult::done;
}

CommandResult restore_session(CommandCall& call) {
  Interpreter& bqn = call.interpreter();
  const std::string path(call.argument);
  std::string bytes;
  if (!read_file(path, bytes)) {
    call.fail(problem_with("read", path));
    return CommandResult::done;
  }
  const Result read = bqn.deserialise(bytes);
  if (!read || read->length() == 0 || (*read)[0].text() != saved_mark) {
    call.fail("This is no saved session (" + path + ")\n");
    return CommandResult::done;
  }
  std::vector<std::string> restored;
  // Values first: statements may need them.
  for (const bool statements : {false, true}) {
    for (std::size_t i = 1; i < read->length(); i++) {
      const Any entry = (*read)[i];
      const std::string name = entry[0].text().value_or("");
      if (entry.length() != 3 || (entry[1].number() != 0) != statements) continue;
      Entered entered;
      const Result result = statements ? bqn.enter(entry[2].text().value_or(""), entered) : bqn.define(name, entry[2]);
      note_definitions(call.session, entered);
      if (!result && !survive(call.session, result, call.exit_code)) return CommandResult::leave;
      if (result) restored.push_back(name);
    }
  }
  tell_names(call.console(), restored, "restored:");
  return CommandResult::done;
}

CommandResult log_session(CommandCall& call) {
  if (call.argument.empty()) {
    call.console().log_to(-1);
    return CommandResult::done;
  }
  constexpr unsigned for_owner = 0600;
  const std::string path(call.argument);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, for_owner);
  if (file < 0)
    call.fail(problem_with("write", path));
  else
    call.console().log_to(file);
  return CommandResult::done;
}

CommandResult edit_source(CommandCall& call) {
  const std::string what(call.argument);
  const auto definition = call.session.definitions.find(what);
  if (!what.empty() && definition == call.session.definitions.end()) {
    if (call.interpreter().session_value(what).has_value()) {
      call.fail("The source of " + what + " is not known\n");
      return CommandResult::done;
    }
    const std::string problem = edit_file(call.console(), what);
    if (problem.empty()) return load_file(call);
    call.fail(problem + "\n");
    return CommandResult::done;
  }
  std::string text = what.empty() ? call.session.last_entry : definition->second;
  if (const std::string problem = edit_text(call.console(), text); !problem.empty()) {
    call.fail(problem + "\n");
    return CommandResult::done;
  }
  if (text.empty()) return CommandResult::done;
  call.console().write(text + "\n");
  return run_entry(call.session, text, call.exit_code) ? CommandResult::done : CommandResult::leave;
}

}  // namespace griddle::repl
