// What was entered before, in this session and those before it.
#pragma once

#include <string>
#include <vector>

namespace griddle::repl {

class History {
 public:
  // Without a path nothing is kept for later sessions.
  explicit History(std::string path = "");
  // Adds an entry, unless it is blank or the last one again; and writes it to the file, if that can be done.
  void add(const std::string& entry);
  const std::vector<std::string>& entries() const { return entries_; }

  // Gives the usual path: $XDG_STATE_HOME/griddle/history; empty where there is no home.
  static std::string usual_path();

 private:
  void load();
  std::string path_;
  std::vector<std::string> entries_;  // oldest first
};

}  // namespace griddle::repl
