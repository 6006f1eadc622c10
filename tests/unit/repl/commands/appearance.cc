#include "repl/commands/appearance.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace griddle;
using namespace griddle::repl;

TEST_CASE("pictures are of the kind that the terminal says, and characters where it says nothing") {
  constexpr const char* names[] = {"GRIDDLE_PICTURES", "TERM", "TERM_PROGRAM", "KITTY_WINDOW_ID"};
  std::vector<std::pair<const char*, std::optional<std::string>>> before;
  for (const char* name : names) {
    const char* text = std::getenv(name);
    before.emplace_back(name, text != nullptr ? std::optional<std::string>(text) : std::nullopt);
  }
  const auto kind = [&](std::vector<std::pair<const char*, const char*>> variables) {
    for (const char* name : names) unsetenv(name);
    for (const auto& [name, text] : variables) setenv(name, text, 1);
    return pictures_of_terminal();
  };
  CHECK(kind({}) == PictureForm::text);
  CHECK(kind({{"TERM", "xterm-256color"}}) == PictureForm::text);
  CHECK(kind({{"TERM", "xterm-kitty"}}) == PictureForm::kitty);
  CHECK(kind({{"TERM", "xterm-256color"}, {"TERM_PROGRAM", "WezTerm"}}) == PictureForm::kitty);
  CHECK(kind({{"TERM", "xterm-256color"}, {"KITTY_WINDOW_ID", "1"}}) == PictureForm::kitty);
  CHECK(kind({{"TERM", "tmux-256color"}, {"KITTY_WINDOW_ID", "1"}}) == PictureForm::text);
  CHECK(kind({{"GRIDDLE_PICTURES", "sixel"}, {"TERM", "xterm-kitty"}}) == PictureForm::sixel);
  CHECK(kind({{"GRIDDLE_PICTURES", "text"}, {"TERM", "xterm-kitty"}}) == PictureForm::text);
  CHECK(kind({{"GRIDDLE_PICTURES", "kitty"}, {"TERM", "tmux"}}) == PictureForm::kitty);
  for (const auto& [name, text] : before) {
    if (text)
      setenv(name, text->c_str(), 1);
    else
      unsetenv(name);
  }
}
