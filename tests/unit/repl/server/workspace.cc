#include "repl/server/workspace.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>

#include "repl/server/imports.h"
#include "tests/support/temporary_folder.h"

using namespace griddle;
using namespace griddle::repl;
using griddle::testing::TemporaryFolder;

TEST_CASE("what is open counts, else the file as it is now") {
  TemporaryFolder folder;
  const std::string path = folder.write("a.bqn", "1");
  Workspace workspace;
  REQUIRE(workspace.find(path) != nullptr);
  CHECK(workspace.find(path)->text.text() == "1");
  folder.write("a.bqn", "1+1");
  // It was looked at already.
  CHECK(workspace.find(path)->text.text() == "1");
  workspace.look_anew();
  CHECK(workspace.find(path)->text.text() == "1+1");
  workspace.open(uri_of_path(path), OpenText("open", CodeUnits::utf8));
  CHECK(workspace.find(path)->text.text() == "open");
  CHECK(workspace.opened(uri_of_path(path)) == workspace.find(path));
  CHECK(workspace.close(uri_of_path(path)));
  CHECK(!workspace.close(uri_of_path(path)));
  CHECK(workspace.find(path)->text.text() == "1+1");
}

TEST_CASE("what is no source is not there") {
  TemporaryFolder folder;
  Workspace workspace;
  CHECK(workspace.find(folder.at("none.bqn")) == nullptr);
  CHECK(workspace.find(folder.at("")) == nullptr);
  CHECK(workspace.find("untitled:1") == nullptr);
  CHECK(workspace.find(folder.write("bytes.bqn", "\xFF")) == nullptr);
  const Document& untitled = workspace.open("untitled:1", OpenText("•Import \"a\"", CodeUnits::utf8));
  CHECK(workspace.imported(untitled, "a") == nullptr);
}

TEST_CASE("sources are those of the folders, and what is imported, also in circles") {
  TemporaryFolder folder;
  Interpreter bqn;
  Workspace workspace;
  const std::string main = folder.write("main.bqn", "•Import \"a.txt\""), a = folder.write("a.txt", "•Import \"b\"");
  const std::string b = folder.write("b", "•Import \"main.bqn\" ⋄ •Import \"none\""), other = folder.write("other.bqn", "1");
  REQUIRE(mkdir(folder.at("inner").c_str(), 0700) == 0);
  const std::string inner = folder.write("inner/c.bqn", "1");
  folder.write("hidden", "1");
  workspace.open(uri_of_path(main), OpenText("•Import \"a.txt\"", CodeUnits::utf8));
  std::vector<std::string> wanted = {a, b};
  CHECK(workspace.files_imported(bqn) == wanted);
  wanted = {a, b, main};
  CHECK(workspace.paths(bqn) == wanted);
  CHECK(!workspace.has_folders());
  workspace.add_folder(uri_of_path(folder.at("")));
  CHECK(workspace.has_folders());
  wanted = {a, b, main, other, inner};
  std::sort(wanted.begin(), wanted.end());
  CHECK(workspace.paths(bqn) == wanted);
}
