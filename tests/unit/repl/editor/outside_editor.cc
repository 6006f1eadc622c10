#include "repl/editor/outside_editor.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <string>

using griddle::repl::edit_in_editor;

TEST_CASE("the editor that the environment names changes the text") {
  setenv("VISUAL", "sed -i s/1/2/", 1);
  std::string text = "1+1\na←1";
  CHECK(edit_in_editor(text) == "");
  CHECK(text == "2+1\na←2");
  setenv("VISUAL", "", 1);
  setenv("EDITOR", "false", 1);
  CHECK(edit_in_editor(text) == "The editor did not end well (false)");
  CHECK(text == "2+1\na←2");
  unsetenv("VISUAL");
  unsetenv("EDITOR");
}
