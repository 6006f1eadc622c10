#include "runtime/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <vector>

#include "runtime/value/checkpoint.h"

namespace griddle {

namespace {

// Tells whether a call that failed is to be made again: a signal came, and the evaluation goes on.
bool goes_on() {
  if (errno != EINTR || evaluating == nullptr) return false;
  checkpoint();
  return true;
}

// A file without end would not fit in memory, and is none of Griddle's own.
constexpr off_t largest_own_file = off_t{64} << 20;

// Opens a file of Griddle's own. Nobody waits for the other end of a pipe.
Descriptor open_own_file(const std::string& path, int flags) {
  constexpr mode_t for_the_owner = S_IRUSR | S_IWUSR;
  Descriptor file(open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, for_the_owner));
  struct stat status;
  if (!file || fstat(file.number, &status) != 0) return {};
  if (S_ISREG(status.st_mode) && status.st_size <= largest_own_file) return file;
  errno = S_ISDIR(status.st_mode) ? EISDIR : S_ISREG(status.st_mode) ? EFBIG : EINVAL;
  return {};
}

// Tells whether a path leads to an open file, which this user owns.
bool is_own_at(const Descriptor& file, const std::string& path) {
  struct stat open, there;
  return fstat(file.number, &open) == 0 && lstat(path.c_str(), &there) == 0 && open.st_ino == there.st_ino &&
         open.st_dev == there.st_dev && open.st_uid == geteuid();
}

}  // namespace

bool Descriptor::close() {
  const int open_number = std::exchange(number, -1);
  return open_number < 0 || ::close(open_number) == 0;
}

bool Descriptor::write_all(std::string_view bytes) {
  // Linux writes at most 2 GiB at once.
  constexpr std::size_t largest_piece = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t count = ::write(number, bytes.data(), std::min(bytes.size(), largest_piece));
    if (count < 0 && !goes_on()) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

ssize_t Descriptor::read_some(void* to, std::size_t n) const {
  std::size_t size = 0;
  while (size < n) {
    const ssize_t got = read(number, static_cast<char*>(to) + size, n - size);
    if (got < 0 && goes_on()) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(size);
}

std::size_t Descriptor::expected_size() const {
  struct stat status;
  if (fstat(number, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  const off_t place = lseek(number, 0, SEEK_CUR);
  return place >= 0 && status.st_size > place ? static_cast<std::size_t>(status.st_size - place) : 0;
}

Descriptor open_descriptor(const std::string& path, int flags) {
  for (;;) {
    Descriptor file(open(path.c_str(), flags | O_CLOEXEC, file_mode));
    if (file || !goes_on()) return file;
  }
}

namespace {

bool read_whole(const Descriptor& file, std::string& bytes) {
  if (!file) return false;
  for (std::size_t room = file.expected_size() + 1;; room = std::max(least_read, bytes.size())) {
    const std::size_t size = bytes.size();
    bytes.resize(size + room);
    const ssize_t got = file.read_some(bytes.data() + size, room);
    bytes.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < static_cast<ssize_t>(room)) return got >= 0;
  }
}

}  // namespace

bool read_file(const std::string& path, std::string& bytes) { return read_whole(open_descriptor(path, O_RDONLY), bytes); }

bool read_own_file(const std::string& path, std::string& text) { return read_whole(open_own_file(path, O_RDONLY), text); }

bool read_own_lines(const std::string& path, std::vector<std::string>& lines, bool* last_has_end) {
  std::string text;
  if (!read_own_file(path, text)) return false;
  if (last_has_end != nullptr) *last_has_end = text.empty() || text.back() == '\n';
  for (std::size_t start = 0, end; start < text.size(); start = end + 1) {
    end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
  }
  return true;
}

bool write_own_file(const std::string& path, std::string_view bytes, Writing how) {
  if (how == Writing::append) {
    Descriptor file = open_own_file(path, O_WRONLY | O_CREAT | O_APPEND);
    return file && file.write_all(bytes) && file.close();
  }
  // Always the same name: what processes leave that are killed does not pile up. Who holds the lock of the file that has the
  // name is the one that writes it; who waited for it would hold that of a file which has been renamed.
  const std::string beside = path + ".new";
  Descriptor file = open_own_file(beside, O_WRONLY | O_CREAT | O_NOFOLLOW);
  if (!file || flock(file.number, LOCK_EX | LOCK_NB) != 0) return false;
  if (!is_own_at(file, beside)) {
    errno = EBUSY;
    return false;
  }
  // Renamed while it is open, and so locked.
  if (ftruncate(file.number, 0) == 0 && file.write_all(bytes) && rename(beside.c_str(), path.c_str()) == 0) return file.close();
  const int why = errno;
  unlink(beside.c_str());
  errno = why;
  return false;
}

Descriptor lock_own_file(const std::string& path) {
  constexpr int most_tries = 200;
  constexpr useconds_t pause = 1000;
  for (int i = 0; i < most_tries; i++) {
    Descriptor file = open_own_file(path, O_WRONLY | O_CREAT);
    if (!file) return {};
    // Who waited may have the lock of a file that another has taken the place of.
    if (flock(file.number, LOCK_EX | LOCK_NB) == 0 && is_own_at(file, path)) return file;
    usleep(pause);
  }
  return {};
}

bool make_folders_above(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != path.npos; slash = path.find('/', slash + 1))
    if (mkdir(path.substr(0, slash).c_str(), 0777) != 0 && errno != EEXIST) return false;
  return true;
}

namespace {

// Lists what is in a folder.
bool names_in(const Descriptor& folder, std::vector<std::string>& names) {
  Descriptor same(dup(folder.number));
  std::unique_ptr<DIR, int (*)(DIR*)> stream(same ? fdopendir(same.number) : nullptr, closedir);
  if (!stream) return false;
  same.number = -1;  // the stream's now
  errno = 0;
  while (const dirent* entry = readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  return errno == 0;
}

// Removes what has a name in an open folder.
bool remove_tree_at(int parent, const char* name) {
  if (unlinkat(parent, name, 0) == 0) return true;
  if (errno != EISDIR && errno != EPERM) return false;  // that it is a folder: on Linux, elsewhere
  Descriptor folder(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  std::vector<std::string> names;
  if (!folder || !names_in(folder, names)) return false;
  for (const std::string& inner : names)
    if (!remove_tree_at(folder.number, inner.c_str())) return false;
  return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

}  // namespace

bool remove_tree(const std::string& path) { return remove_tree_at(AT_FDCWD, path.c_str()); }

}  // namespace griddle
