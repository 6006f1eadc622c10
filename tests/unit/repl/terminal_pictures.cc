#include "repl/terminal_pictures.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace griddle;
using namespace griddle::repl;

TEST_CASE("the environment tells how pictures are shown, or that the terminal is to be asked") {
  constexpr const char* names[] = {"GRIDDLE_PICTURES", "TERM", "TERM_PROGRAM", "KITTY_WINDOW_ID"};
  std::vector<std::pair<const char*, std::optional<std::string>>> before;
  for (const char* name : names) {
    const char* text = std::getenv(name);
    before.emplace_back(name, text != nullptr ? std::optional<std::string>(text) : std::nullopt);
  }
  const auto kind = [&](std::vector<std::pair<const char*, const char*>> variables) {
    for (const char* name : names) unsetenv(name);
    for (const auto& [name, text] : variables) setenv(name, text, 1);
    return pictures_by_environment();
  };
  CHECK(kind({}) == PictureForm::text);
  CHECK(kind({{"TERM", "dumb"}}) == PictureForm::text);
  CHECK(kind({{"TERM", "xterm-256color"}}) == std::nullopt);
  CHECK(kind({{"TERM", "xterm-kitty"}}) == PictureForm::kitty);
  CHECK(kind({{"TERM", "xterm-256color"}, {"TERM_PROGRAM", "WezTerm"}}) == PictureForm::kitty);
  CHECK(kind({{"TERM", "xterm-256color"}, {"KITTY_WINDOW_ID", "1"}}) == PictureForm::kitty);
  CHECK(kind({{"TERM", "tmux-256color"}, {"KITTY_WINDOW_ID", "1"}}) == std::nullopt);
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

TEST_CASE("a terminal answers with the pictures that it shows, in pieces, and between keys") {
  const TerminalAnswer sixel = take_answer("\x1b[?62;4;22c");
  CHECK(sixel.is_whole);
  CHECK(sixel.form == PictureForm::sixel);
  CHECK(take_answer("\x1b[?4c").form == PictureForm::sixel);
  for (const char* without : {"\x1b[?62;22c", "\x1b[?64;14;44c", "\x1b[?6c"}) {
    CHECK(take_answer(without).is_whole);
    CHECK(take_answer(without).form == PictureForm::text);
  }
  const TerminalAnswer kitty = take_answer("a\x1b_Gi=31;OK\x1b\\\x1b[?62;4c\x1b[Ab");
  CHECK(kitty.is_whole);
  CHECK(kitty.form == PictureForm::kitty);
  CHECK(kitty.typed == "a\x1b[Ab");
  CHECK(take_answer("\x1b_Gi=31;ENOTSUPPORTED:no\x1b\\\x1b[?1;2c").form == PictureForm::text);
  // What is not over yet is no key.
  for (const char* part : {"", "xy", "\x1b_Gi=31;O", "\x1b[?62;", "\x1b_Gi=31;OK\x1b\\"}) CHECK(!take_answer(part).is_whole);
  CHECK(take_answer("xy\x1b[?62;").typed == "xy");
}

TEST_CASE("a terminal that would write a question is not asked it") {
  CHECK(picture_question("xterm").find("\x1b_G") == 0);
  CHECK(picture_question("linux") == "\x1b[c");
}
