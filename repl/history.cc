#include "repl/history.h"

#include <vector>

#include "repl/environment.h"
#include "runtime/files.h"

namespace griddle::repl {

namespace {

// Entries that a session starts with; a file of more than twice as many is cut down to them.
constexpr std::size_t most_entries = 5000;

// Writes an entry as one line.
std::string line_of(const std::string& entry) {
  std::string line;
  for (char c : entry) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
  }
  return line;
}

std::string entry_of(const std::string& line) {
  std::string entry;
  for (std::size_t i = 0; i < line.size(); i++) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      entry += line[i];
    } else {
      i++;
      entry += line[i] == 'n' ? '\n' : line[i];
    }
  }
  return entry;
}

}  // namespace

History::History(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) load();
}

void History::load() {
  std::vector<std::string> lines;
  // A line without an end is what a process left that was ended meanwhile: the next entry may not go on in it.
  bool is_whole = true;
  read_own_lines(path_, lines, &is_whole);
  for (const std::string& line : lines) entries_.push_back(entry_of(line));
  const bool cut = entries_.size() > 2 * most_entries;
  if (entries_.size() > most_entries)
    entries_.erase(entries_.begin(), entries_.end() - static_cast<std::ptrdiff_t>(most_entries));
  if (is_whole && !cut) return;
  std::string text;
  for (const std::string& entry : entries_) text += line_of(entry) += '\n';
  write_own_file(path_, text, Writing::replace);
}

void History::add(const std::string& entry) {
  if (entry.find_first_not_of(" \t\n") == entry.npos || (!entries_.empty() && entries_.back() == entry)) return;
  entries_.push_back(entry);
  if (path_.empty()) return;
  make_folders_above(path_);
  write_own_file(path_, line_of(entry) + '\n', Writing::append);
}

std::string History::usual_path() { return user_file("XDG_STATE_HOME", ".local/state", "history"); }

}  // namespace griddle::repl
