#include "repl/history.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

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
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) entries_.push_back(entry_of(line));
  if (entries_.size() <= most_entries) return;
  const bool cut = entries_.size() > 2 * most_entries;
  entries_.erase(entries_.begin(), entries_.end() - static_cast<std::ptrdiff_t>(most_entries));
  if (!cut) return;
  file.close();
  std::ofstream shorter(path_, std::ios::trunc);
  for (const std::string& entry : entries_) shorter << line_of(entry) << '\n';
}

void History::add(const std::string& entry) {
  if (entry.find_first_not_of(" \t\n") == entry.npos || (!entries_.empty() && entries_.back() == entry)) return;
  entries_.push_back(entry);
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
  std::ofstream(path_, std::ios::app) << line_of(entry) << '\n';
}

std::string History::usual_path() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != 0)
    return std::string(state) + "/griddle/history";
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == 0 ? "" : std::string(home) + "/.local/state/griddle/history";
}

}  // namespace griddle::repl
