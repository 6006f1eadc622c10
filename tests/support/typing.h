// Keys typed into an editor, as a terminal sends them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/editor/keys.h"
#include "repl/editor/line_editor.h"
#include "repl/history.h"
#include "repl/session.h"
#include "repl/text.h"

namespace griddle::testing {

using namespace griddle::repl;
using Event = LineEditor::Event;

// An editor with a history, and keys typed into it as a terminal sends them. The cursor is shown as |.
struct Typing {
  History history;
  KeyDecoder decoder;
  bool like_vi;
  bool more_waits = false;
  LineEditor editor{history,
                    {is_unfinished,
                     [](std::u32string_view before) {
                       Completions found{before.ends_with(U"so") ? 2u : 0u, {}, {}};
                       if (found.replaced) found.choices = {U"sort", U"sortDown"};
                       return found;
                     },
                     [this] { return more_waits; }},
                    like_vi};
  Event event = Event::none;

  explicit Typing(const std::vector<std::string>& entries = {}, bool vi = false) : like_vi(vi) {
    for (const std::string& entry : entries) history.add(entry);
    editor.start();
  }
  Typing& operator<<(std::string_view bytes) {
    for (char byte : bytes)
      if (std::optional<Key> key = decoder.feed(static_cast<unsigned char>(byte))) event = editor.press(*key);
    return *this;
  }
  std::string shown() const {
    std::u32string text = editor.text();
    return utf8_of(text.insert(editor.cursor(), U"|"));
  }
};

inline std::string typed(std::string_view bytes) { return (Typing() << bytes).shown(); }

}  // namespace griddle::testing
