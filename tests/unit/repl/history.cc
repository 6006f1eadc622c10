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
