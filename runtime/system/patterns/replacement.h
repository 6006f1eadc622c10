// What stands for the matches of a regular expression: text in which $1 is a group, or the results of a function.
#pragma once

#include "runtime/system/patterns/regular_expression.h"

namespace griddle {

class Replacement {
 public:
  // Fails where a text names a group that there is not.
  Replacement(Context&, const Function& self, const RegularExpression&, const Value& given);

  // Gives a text with all matches replaced.
  Value in(RegularExpression&, const RegexText&) const;

 private:
  // A piece of text, or of a match.
  struct Part {
    std::size_t start, length;  // of the text
    std::size_t group;          // none: the piece is text
  };
  static constexpr std::size_t none = ~std::size_t{0};
  void read_template(const RegularExpression&);
  std::size_t read_group(const RegularExpression&, std::size_t& at) const;
  [[noreturn]] void fail_at(std::size_t at, const std::string& message) const;
  void append(HeapVector<char32_t>& out, const RegexSearch&, const RegularExpression&, const RegexText&) const;

  Context& cx_;
  const Function& self_;
  Value function_;  // absent where there is text
  RegexText text_;
  HeapVector<Part> parts_;
};

// Gives the groups of a match as strings, the whole match first; those that took no part are empty.
Value groups_of_match(Context&, const RegexSearch&, const RegularExpression&, const RegexText&);

}  // namespace griddle
