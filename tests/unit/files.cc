#include "runtime/files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

using namespace griddle;

namespace {

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// A folder of its own, which the test removes.
std::string fresh_folder() {
  std::string name = "/tmp/griddle-files-XXXXXX";
  REQUIRE(mkdtemp(name.data()) != nullptr);
  return name;
}

}  // namespace

TEST_CASE("files are replaced, added to and read, whatever their size") {
  const std::string folder = fresh_folder(), path = folder + "/f";
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, least_read - 1, least_read, least_read + 1, 3 * least_read}) {
    const std::string bytes(n, 'x');
    std::string got = "before:";
    CHECK(write_own_file(path, bytes, Writing::replace));
    CHECK(read_file(path, got));
    CHECK(got == "before:" + bytes);
    CHECK(write_own_file(path, "end", Writing::append));
    got.clear();
    CHECK(read_file(path, got));
    CHECK(got == bytes + "end");
  }
  CHECK(remove_tree(folder));
}

TEST_CASE("a file that does not say how long it is, is read whole") {
  std::string text;
  CHECK(read_file("/proc/self/maps", text));
  CHECK(text.find("unit_tests") != text.npos);
  CHECK(text.back() == '\n');
}

TEST_CASE("lines of a file: empty ones count, and the last needs no end") {
  const std::string folder = fresh_folder(), path = folder + "/f";
  struct Case {
    std::string_view text;
    std::vector<std::string> lines;
  };
  for (const Case& c : {Case{"", {}}, Case{"a", {"a"}}, Case{"a\n", {"a"}}, Case{"\n\nb", {"", "", "b"}}}) {
    std::vector<std::string> lines;
    CHECK(write_own_file(path, c.text, Writing::replace));
    bool last_has_end = false;
    CHECK(read_own_lines(path, lines, &last_has_end));
    CHECK(lines == c.lines);
    CHECK(last_has_end == (std::string(c.text).empty() || std::string(c.text).ends_with('\n')));
  }
  CHECK(remove_tree(folder));
}

TEST_CASE("what others put in the place of an own file is left alone") {
  const std::string folder = fresh_folder(), path = folder + "/f", beside = path + ".new";
  std::vector<std::string> lines;
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  CHECK(!read_own_lines(path, lines));
  CHECK(!write_own_file(path, "x", Writing::append));
  unlink(path.c_str());
  REQUIRE(symlink("/dev/zero", path.c_str()) == 0);
  CHECK(!read_own_lines(path, lines));
  unlink(path.c_str());
  const Descriptor large = open_descriptor(path, O_RDWR | O_CREAT);
  REQUIRE(ftruncate(large.number, off_t{1} << 40) == 0);
  CHECK(!read_own_lines(path, lines));
  CHECK(errno == EFBIG);
  CHECK(write_own_file(path, "x", Writing::replace));
  CHECK(lines.empty());
  for (const bool killed : {false, true}) {
    // What a process left that was killed is written anew; what one writes that is not, is not.
    Descriptor writes = open_descriptor(beside, O_RDWR | O_CREAT);
    CHECK(writes.write_all("half of it"));
    REQUIRE(flock(writes.number, LOCK_EX) == 0);
    if (killed) writes.close();
    CHECK(write_own_file(path, "new", Writing::replace) == killed);
    CHECK(exists(beside) != killed);
    std::string text;
    CHECK(read_file(path, text));
    CHECK(text == (killed ? "new" : "x"));
  }
  REQUIRE(symlink("/nowhere", beside.c_str()) == 0);
  CHECK(!write_own_file(path, "x", Writing::replace));
  CHECK(remove_tree(folder));
}

TEST_CASE("what files refuse is told by errno") {
  const std::string folder = fresh_folder(), missing = folder + "/missing/f";
  std::string text;
  std::vector<std::string> lines;
  CHECK(!read_file(missing, text));
  CHECK(errno == ENOENT);
  CHECK(!read_own_lines(missing, lines));
  CHECK(errno == ENOENT);
  CHECK(!write_own_file(missing, "x", Writing::replace));
  CHECK(errno == ENOENT);
  CHECK(!remove_tree(missing));
  CHECK(errno == ENOENT);
  CHECK(!read_file(folder, text));
  CHECK(errno == EISDIR);
  CHECK(write_own_file(folder + "/f", "x", Writing::replace));
  CHECK(!make_folders_above(folder + "/f/inner/g"));
  CHECK(errno == ENOTDIR);
  CHECK(remove_tree(folder));
}

TEST_CASE("folders are made above a file, and removed with all in them but what links lead to") {
  const std::string folder = fresh_folder(), kept = fresh_folder();
  CHECK(write_own_file(kept + "/f", "x", Writing::replace));
  for (int again = 0; again < 2; again++) CHECK(make_folders_above(folder + "/a/b/c/file"));
  CHECK(!exists(folder + "/a/b/c/file"));
  for (const char* name : {"/a/f", "/a/b/f", "/a/b/.hidden", "/a/b/c/f"})
    CHECK(write_own_file(folder + name, "x", Writing::replace));
  CHECK(symlink(kept.c_str(), (folder + "/a/b/link").c_str()) == 0);
  CHECK(symlink("/nowhere", (folder + "/a/broken").c_str()) == 0);
  CHECK(remove_tree(folder));
  CHECK(!exists(folder));
  CHECK(exists(kept + "/f"));
  CHECK(remove_tree(kept + "/f"));
  CHECK(remove_tree(kept));
}

TEST_CASE("one at a time has the lock of an own file, also where another file takes its place") {
  const std::string folder = fresh_folder(), path = folder + "/f";
  {
    const Descriptor first = lock_own_file(path);
    REQUIRE(first);
    CHECK(!lock_own_file(path));
    CHECK(write_own_file(path, "x", Writing::replace));
    CHECK(lock_own_file(path));
  }
  CHECK(lock_own_file(path));
  CHECK(!lock_own_file(folder));
  CHECK(remove_tree(folder));
}
