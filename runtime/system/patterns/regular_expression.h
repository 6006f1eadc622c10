// Regular expressions, by PCRE2. Text is code points here, so its library for units of 32 bits gives indices of elements at once;
// its mode for UTF would only look again and again whether halves of surrogate pairs are among them, which BQN allows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/system/argument.h"
#include "runtime/value/heap_memory.h"

struct pcre2_real_code_32;
struct pcre2_real_compile_context_32;
struct pcre2_real_general_context_32;
struct pcre2_real_jit_stack_32;
struct pcre2_real_match_context_32;
struct pcre2_real_match_data_32;

namespace griddle {

// What a program says about a pattern beside its text.
struct RegexOptions {
  bool ignores_case = false;
  bool is_multiline = false;     // ^ and $ stand at the ends of every line
  bool dot_takes_all = false;    // . is any character, line ends too
  bool is_extended = false;      // blanks and comments in the pattern do not count
  bool is_ungreedy = false;      // repetitions take as little as they can
  bool is_ascii = false;         // \w \d \s \b and cases are those of ASCII alone
  bool is_literal = false;       // the pattern is text
  std::uint64_t most_steps = 0;  // after which a match gives up; 0: as many as usual
};
RegexOptions regex_options(Context&, const Function& self, const Value& w);

// A string as the library wants it. Pieces of it are those of the string that the program gave.
class RegexText {
 public:
  RegexText(Context&, const Function& self, const Value&, const char* which);
  const char32_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  // Puts \ before all that means something in a pattern.
  HeapVector<char32_t> escaped(Heap&) const;
  std::u32string_view view() const { return {data_, size_}; }
  Value piece(Heap&, std::size_t start, std::size_t length) const;

 private:
  Value text_, wide_;
  const char32_t* data_ = U"";
  std::size_t size_ = 0;
};

// A compiled pattern.
class RegularExpression final : public NativeObject {
 public:
  // Fails with the place in the pattern where that is wrong.
  static Ref<RegularExpression> compile(Context&, const Function& self, const Value& pattern, const RegexOptions&);
  explicit RegularExpression(Heap& heap) : heap_(heap) {}
  ~RegularExpression() override;
  RegularExpression(const RegularExpression&) = delete;
  RegularExpression& operator=(const RegularExpression&) = delete;

  // How many groups there are, the whole match included.
  std::size_t group_count() const { return group_count_; }
  struct Name {
    std::string name;
    std::size_t group;
  };
  const std::vector<Name>& names() const { return names_; }

 private:
  friend class RegexSearch;
  void find_names();

  Heap& heap_;
  pcre2_real_general_context_32* memory_ = nullptr;
  pcre2_real_match_context_32* matching_ = nullptr;
  pcre2_real_code_32* code_ = nullptr;
  pcre2_real_jit_stack_32* stack_ = nullptr;  // made for the first match that needs a large one
  std::size_t group_count_ = 1;
  std::uint64_t most_steps_ = 0;
  std::vector<Name> names_;
};

// Goes through the matches in a text, one after the other. Several may go on at once with one expression.
class RegexSearch {
 public:
  RegexSearch(Context&, const Function& self, RegularExpression&, const RegexText&);
  ~RegexSearch();
  RegexSearch(const RegexSearch&) = delete;
  RegexSearch& operator=(const RegexSearch&) = delete;

  // Finds the next match. Tells whether there is one.
  bool next();
  struct Place {
    std::size_t start, length;
    bool took_part;  // false for a group that nothing was matched by
  };
  // The place of a group in it; 0 is the whole.
  Place group(std::size_t number) const;

 private:
  int attempt(std::uint32_t options);

  Context& cx_;
  const Function& self_;
  RegularExpression& expression_;
  const RegexText& text_;
  pcre2_real_match_data_32* data_ = nullptr;
  std::size_t from_ = 0;
  std::uint64_t steps_;
  bool was_empty_ = false;  // the last match, so that the next one has to be another
};

}  // namespace griddle
