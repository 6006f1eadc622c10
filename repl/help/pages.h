// The pages of spec/, which the executable holds for )help. pages.sh makes them when it is built.
#pragma once

#include <span>
#include <string_view>

namespace griddle::repl {

struct Page {
  std::string_view path;  // below spec/, such as grammar/blocks.md; README.md is the index
  std::string_view text;
};

std::span<const Page> spec_pages();

}  // namespace griddle::repl
