// Files as the system has them: without locales, and without streams of C++, which are half a megabyte of code.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace griddle {

// The permissions of a file that is made, less what the user's mask takes.
inline constexpr unsigned file_mode = 0666;

// Owns a file descriptor of the system.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() { close(); }
  explicit operator bool() const { return number >= 0; }
  // Tells whether all went well; else errno says why not.
  bool close();
  // Within an evaluation both go on after a signal, or throw where the evaluation is to end. Elsewhere a signal makes them fail.
  bool write_all(std::string_view bytes);
  // Reads up to n bytes. Gives their number, below n only at the end; -1 where errno says why not.
  ssize_t read_some(void* to, std::size_t n) const;
  // Gives the size of a regular file from here on; 0 where it is not known.
  std::size_t expected_size() const;

  int number = -1;
};

// Opens a file, which programs started from here do not get. That may take until somebody else opens a pipe; signals count as
// above.
Descriptor open_descriptor(const std::string& path, int flags);

// So much is read at once where a file does not say how long it is.
inline constexpr std::size_t least_read = std::size_t{1} << 16;

// These tell whether that worked; else errno says why not.
bool read_file(const std::string& path, std::string& bytes);
// Files of Griddle's own, which their owner alone may read. What others put in their places, such as a pipe, a folder or a file
// without end, is left alone, and nobody waits for it. A last line needs no end; `last_has_end`, unless null, tells whether it
// has one. An empty file lacks none.
bool read_own_file(const std::string& path, std::string& text);
bool read_own_lines(const std::string& path, std::vector<std::string>& lines, bool* last_has_end = nullptr);
// What replaces a file is written beside it and renamed: others, and a process that is ended meanwhile, leave the old file or the
// new one, and at most one other, `path.new`, which the next one writes anew. One that others write meanwhile is not replaced.
enum class Writing { replace, append };
bool write_own_file(const std::string& path, std::string_view bytes, Writing how);
// Locks a file of Griddle's own, which is made if need be, against others that lock it, as long as it is open. Waits for them a
// little; no file where that was too long, or it cannot be had.
Descriptor lock_own_file(const std::string& path);
// Makes the folders that a path goes through, where they are missing.
bool make_folders_above(const std::string& path);
// Removes a file or a folder with all that is in it; follows no links.
bool remove_tree(const std::string& path);

}  // namespace griddle
