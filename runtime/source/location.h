// A place in a source text that is kept for as long as somebody may tell of it.
#pragma once

#include <cstdint>
#include <memory>

namespace griddle {

struct SourceText;  // source/text.h

// Bytes [start, end).
struct Location {
  std::shared_ptr<const SourceText> source;
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  // Another place that the error is about, such as the bracket that is open; empty: none.
  std::uint32_t related_start = 0;
  std::uint32_t related_end = 0;
  bool in_syntax = false;  // found before anything ran
};

}  // namespace griddle
