// Values as text: how they are shown to people, and how a program would spell them.
#pragma once

#include <string>

#include "runtime/format/style.h"
#include "runtime/value/array.h"
#include "runtime/value/context.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// Gives the display text in UTF-8, lines joined by LF, every line padded to the full width. Nothing is left out.
HeapText display_text(Context&, const Value&);

// How much text is wanted: so many rows and columns, and so many characters where a value takes one row alone. Everything, unless
// something else is said.
struct TextRoom {
  static constexpr std::size_t all = ~std::size_t{0};
  std::size_t rows = all, columns = all, alone = all;
  bool is_all() const { return rows == all && columns == all && alone == all; }
};

// Gives the upper left part of the text, an ellipsis for what is left out of a row, and one for the rows below. Formats what is
// shown and hardly more, however large the value is; columns are as wide as what is shown of them needs. Tells whether the text
// is whole.
HeapText text_within(Context&, const Value&, const TextRoom&, bool* is_whole = nullptr, const TextStyles& = {});

// Takes a piece of text; gives false where no more is wanted.
using TextTaker = bool (*)(void* data, std::string_view piece);
// Hands over the whole text piece by piece. Takes some megabytes at most, however large the value is.
void text_in_pieces(Context&, const Value&, const TextStyle&, TextTaker, void* data);

// Gives the beginning of the text for a message: at most some kilobytes.
std::string brief_text(Context&, const Value&);

enum class SourceProblem { none, block, name_space, system };

// Appends source text (UTF-8) that recreates data and operations made of primitives, system functions and data.
// Reports what cannot be recreated; `out` then ends somewhere in between.
SourceProblem append_source(Context&, HeapText& out, const Value&);

// Appends the elements of a non-empty array of characters, or so many of them, as a string literal, its quotes doubled.
void append_string_literal(HeapText& out, const Array& characters, std::size_t most = ~std::size_t{0});
// Appends a character literal; NUL is @.
void append_character_literal(HeapText& out, char32_t);
// Appends a strand of axis lengths: 2‿3.
void append_shape(HeapText& out, std::span<const std::size_t>);

}  // namespace griddle
