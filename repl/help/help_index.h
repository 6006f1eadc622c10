// Finds parts of the pages of spec/ by what a person calls them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repl/help/pages.h"

namespace griddle::repl {

// What stands below a heading, up to the next one. The first section of a page is its beginning, below the title.
struct Section {
  const Page* page;
  std::string_view heading;
  std::string_view body;
  bool begins_page;
  std::vector<std::string_view> glyphs;  // that the heading is about; in pages of glyphs alone
  std::vector<std::string_view> names;   // that it gives: parts between commas and `and`
};

class HelpIndex {
 public:
  explicit HelpIndex(std::span<const Page>);

  // Finds sections, the best first: by glyph, by a name, by a page, by a page and a heading of it, by how a name begins.
  std::vector<const Section*> find(std::string_view topic) const;
  // Gives names that are like this one, or hold it.
  std::vector<std::string> similar(std::string_view topic) const;
  // Gives the sections of a page, in order.
  std::vector<const Section*> sections_of(const Page&) const;

  // Gives what a page is called: `blocks` of grammar/blocks.md.
  static std::string_view name_of(const Page&);

 private:
  std::vector<Section> sections_;
};

}  // namespace griddle::repl
