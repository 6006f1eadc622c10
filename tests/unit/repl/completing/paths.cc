#include "repl/completing/paths.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using griddle::repl::path_names;

TEST_CASE("files and folders are found by how their names begin") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("griddle paths " + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "ab folder");
  std::ofstream(folder / "ab.bqn") << std::string(1500, 'x');
  std::ofstream(folder / "b") << "x";
  std::ofstream(folder / ".hidden") << "x";
  const auto found = [&folder](const std::string& begin) {
    std::string all;
    for (const auto& [name, note] : path_names(folder.string() + "/" + begin)) all += name + ": " + note + "; ";
    return all;
  };
  CHECK(found("a") == "ab folder/: folder; ab.bqn: file, 1.5 kB; ");
  CHECK(found("b") == "b: file, 1 bytes; ");
  CHECK(found(".") == ".hidden: file, 1 bytes; ");
  CHECK(found("x") == "");
  CHECK(found("nowhere/x") == "");
  std::filesystem::remove_all(folder);
}
