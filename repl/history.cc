#include "repl/history.h"

#include <algorithm>

#include "repl/environment.h"
#include "runtime/files.h"

namespace griddle::repl {

namespace {

// Entries that a session starts with; a file of more than twice as many is cut down to them.
constexpr std::size_t most_entries = 10'000;
// A longer entry, such as data that was pasted, is for this session alone: some hundred of them would be more than is read.
constexpr std::size_t longest_line = std::size_t{64} << 10;

// Writes an entry as one line.
std::string line_of(std::string_view entry) {
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

std::string entry_of(std::string_view line) {
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
  read_own_file(path_, lines_);
  find_lines();
  if (starts_.size() > 2 * most_entries) shorten_file();
  // A line without an end is what a process left that was ended meanwhile: the next entry may not go on in it.
  breaks_off_ = !lines_.empty() && lines_.back() != '\n';
  if (breaks_off_) lines_ += '\n';
  if (starts_.size() > most_entries) starts_.erase(starts_.begin(), starts_.end() - static_cast<std::ptrdiff_t>(most_entries));
}

void History::find_lines() {
  starts_.clear();
  for (std::size_t start = 0, end; start < lines_.size(); start = end + 1) {
    end = std::min(lines_.find('\n', start), lines_.size());
    if (end > start) starts_.push_back(static_cast<std::uint32_t>(start));
  }
}

// Cuts the file down to its last entries. What other sessions add meanwhile waits until that is done.
void History::shorten_file() {
  const Descriptor alone = lock_own_file(path_);
  std::string now;
  if (!alone || !read_own_file(path_, now)) return;
  lines_ = std::move(now);
  find_lines();
  if (starts_.size() <= most_entries) return;
  lines_.erase(0, starts_[starts_.size() - most_entries]);
  find_lines();
  write_own_file(path_, lines_, Writing::replace);
}

std::string_view History::line(std::size_t i) const {
  return std::string_view(lines_).substr(starts_[i], lines_.find('\n', starts_[i]) - starts_[i]);
}

std::string History::entry(std::size_t i) const { return entry_of(line(i)); }
bool History::begins_with(std::size_t i, std::string_view text) const { return line(i).starts_with(line_of(text)); }

std::optional<std::size_t> History::find_in(std::size_t i, std::string_view text) const {
  const std::string wanted = line_of(text);
  // What was found may begin within the spelling of a line break or a backslash, where a plain n would be found.
  if (line(i).find(wanted) == std::string_view::npos) return std::nullopt;
  const std::size_t place = entry(i).find(text);
  return place == std::string::npos ? std::nullopt : std::optional(place);
}

std::vector<std::string> History::entries() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < size(); i++) all.push_back(entry(i));
  return all;
}

void History::add(const std::string& entry) {
  const std::string added = line_of(entry);
  if (entry.find_first_not_of(" \t\n") == entry.npos || (size() > 0 && line(size() - 1) == added)) return;
  starts_.push_back(static_cast<std::uint32_t>(lines_.size()));
  lines_.append(added) += '\n';
  if (path_.empty() || added.size() > longest_line) return;
  make_folders_above(path_);
  const Descriptor alone = lock_own_file(path_);
  write_own_file(path_, (breaks_off_ ? "\n" : "") + added + '\n', Writing::append);
  breaks_off_ = false;
}

std::string History::usual_path() { return user_file("XDG_STATE_HOME", ".local/state", "history"); }

}  // namespace griddle::repl
