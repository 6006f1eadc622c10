#include "repl/history.h"

#include <doctest/doctest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace griddle::repl;

TEST_CASE("the history is kept in a file, with entries of several rows") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("griddle history " + std::to_string(getpid()));
  const std::string path = folder / "deep" / "history";
  {
    History history(path);
    history.add("a←\"\\n\"\nb");
    history.add("2");
    history.add("2");
    history.add("  ");
  }
  CHECK(History(path).entries() == std::vector<std::string>{"a←\"\\n\"\nb", "2"});
  // Of a process that was ended while it wrote.
  std::ofstream(path, std::ios::app) << "half";
  History(path).add("whole");
  CHECK(History(path).entries() == std::vector<std::string>{"a←\"\\n\"\nb", "2", "half", "whole"});
  const auto permissions = std::filesystem::status(path).permissions();
  CHECK((permissions & (std::filesystem::perms::group_all | std::filesystem::perms::others_all)) == std::filesystem::perms::none);
  std::filesystem::remove_all(folder);
}

TEST_CASE("entries are found by what they begin with, and by what they hold, as they were typed") {
  History history;
  history.add("a\\n\nb");
  CHECK(history.begins_with(0, "a\\n\n"));
  CHECK(!history.begins_with(0, "a\n"));
  CHECK(history.find_in(0, "b") == 4);
  CHECK(history.find_in(0, "n") == 2);
  CHECK(!history.find_in(0, "nb"));
  CHECK(history.size() == 1);
  CHECK(history.entry(0) == "a\\n\nb");
}

TEST_CASE("an entry that is very long is kept for this session alone") {
  const std::string path = std::filesystem::temp_directory_path() / ("griddle short history " + std::to_string(getpid()));
  History history(path);
  history.add("1");
  history.add(std::string(100'000, '2'));
  history.add("3");
  CHECK(history.size() == 3);
  CHECK(History(path).entries() == std::vector<std::string>{"1", "3"});
  std::filesystem::remove(path);
}

TEST_CASE("a long file is cut down to its last entries") {
  const std::string path = std::filesystem::temp_directory_path() / ("griddle long history " + std::to_string(getpid()));
  {
    std::ofstream file(path);
    for (int i = 0; i < 25'000; i++) file << i << '\n';
  }
  for (int round = 0; round < 2; round++) {
    const History history(path);
    REQUIRE(history.size() == 10'000);
    CHECK(history.entry(0) == "15000");
    CHECK(history.entry(9'999) == "24999");
  }
  std::string first;
  std::getline(std::ifstream(path), first);
  CHECK(first == "15000");
  std::filesystem::remove(path);
}
