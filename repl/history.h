// What was entered before, in this session and those before it, some of which may still run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace griddle::repl {

class History {
 public:
  // Without a path nothing is kept for later sessions.
  explicit History(std::string path = "");
  // Adds an entry, unless it is blank or the last one again; and writes it to the file, if that can be done, behind what other
  // sessions have written.
  void add(const std::string& entry);
  std::size_t size() const { return starts_.size(); }
  // Gives an entry; the oldest is 0.
  std::string entry(std::size_t) const;
  // Tells whether an entry begins with a text, and where it holds one, in bytes.
  bool begins_with(std::size_t, std::string_view) const;
  std::optional<std::size_t> find_in(std::size_t, std::string_view) const;
  // Gives all of them, oldest first.
  std::vector<std::string> entries() const;

  // Gives the usual path: $XDG_STATE_HOME/griddle/history; empty where there is no home.
  static std::string usual_path();

 private:
  void load();
  void find_lines();
  void shorten_file();
  std::string_view line(std::size_t) const;

  std::string path_;
  // As in the file: a line for each entry. So a long history is read without taking it apart.
  std::string lines_;
  std::vector<std::uint32_t> starts_;
  bool breaks_off_ = false;  // the file's last line has no end
};

}  // namespace griddle::repl
