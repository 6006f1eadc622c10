#include "repl/editor/outside_editor.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/files.h"

namespace griddle::repl {

namespace {

// Where the executable has more rights than who runs it, these are not theirs to choose.
std::string variable_or(const char* name, const std::string& other) {
  const char* value = secure_getenv(name);
  return value != nullptr && *value != '\0' ? value : other;
}

// Owns a file of its own in the folder for temporary ones, whose name editors take for BQN.
struct TemporaryFile {
  std::string path = variable_or("TMPDIR", "/tmp") + "/bqn-XXXXXX.bqn";
  Descriptor file{mkostemps(path.data(), 4, O_CLOEXEC)};
  ~TemporaryFile() {
    if (file) unlink(path.c_str());
  }
};

std::string quoted(const std::string& path) {
  std::string word = "'";
  for (const char c : path) c == '\'' ? void(word += "'\\''") : void(word += c);
  return word + "'";
}

}  // namespace

std::string edit_in_editor(std::string& text) {
  TemporaryFile temporary;
  if (!temporary.file || !temporary.file.write_all(text + "\n"))
    return "The text cannot be written to a file (" + temporary.path + ": " + strerror(errno) + ")";
  const std::string editor = variable_or("VISUAL", variable_or("EDITOR", "vi"));
  if (system((editor + " " + quoted(temporary.path)).c_str()) != 0) return "The editor did not end well (" + editor + ")";
  std::string changed;
  // Anew by its name: editors put another file in the place of the one that they were given.
  if (!read_file(temporary.path, changed)) return "The text cannot be read from the file (" + temporary.path + ")";
  while (changed.ends_with('\n')) changed.pop_back();
  text = changed;
  return "";
}

}  // namespace griddle::repl
