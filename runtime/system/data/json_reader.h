// From JSON to values, in one pass over its bytes.
#pragma once

#include "runtime/system/data/json_options.h"
#include "runtime/system/data/number_list.h"
#include "runtime/system/data/text_cache.h"
#include "runtime/system/data/text_source.h"

namespace griddle {

// Values that are not complete yet wait on a stack of their own, so that brackets may be nested as deep as memory allows.
class JsonReader : private SourceReader {
 public:
  // `source` holds UTF-8.
  JsonReader(Context&, const JsonOptions&, const TextSource& source);

  // Reads the one value that the text has to be.
  Value read_all();
  // Reads the next of several values, after each of which the line has to end. Gives the absent value after the last.
  Value read_line();

 private:
  // An array or an object that has begun.
  struct Open {
    std::size_t first;  // of its values among all that wait
    const char* at;
    bool is_object;
    // An object whose names so far are those that are expected, which need not wait: only its values do.
    bool is_expected;
  };
  // The name that a member of the last objects had at some place, with the quote and the colon behind it, as two words of which
  // only the masked bytes count. The second begins `second_at` bytes after the first.
  struct ExpectedName {
    std::uint64_t first = 0, first_mask = 0, second = 0, second_mask = 0;
    std::size_t second_at = 0, length = 0;
    Value name;
    unsigned new_texts = 0;  // values in a row that were strings which the cache did not have
  };
  using ExpectedNames = HeapVector<ExpectedName>;
  Value read_value();
  void skip_blanks();
  bool begin_value(unsigned& new_texts);
  bool begin_array();
  bool begin_object();
  bool read_numbers();
  bool read_elements();
  std::size_t expected_numbers(const char* first) const;
  void end_array();
  bool read_members();
  void end_object();
  bool after_value();
  bool is_next(const ExpectedName&) const;
  void read_other_name(Open&, std::size_t member);
  void expect_name(ExpectedName&, const char* text, const Value& name);
  bool may_expect() const { return open_objects_ <= most_depths; }
  ExpectedNames& expected() { return expected_[open_objects_ - 1]; }
  Value read_number();
  Value read_name();
  Value read_text(unsigned& new_texts);
  Value read_rare_text(const char* start, const char* after);
  Value read_escaped(const char* start, const char* at);
  char32_t read_escape(const char*& at);
  char32_t read_four(const char* at, const char* escape);
  void read_word(std::string_view word, const Value& meaning);
  [[noreturn]] void fail_unexpected(const char* wanted);

  const JsonOptions& options_;
  // Names are expected in objects that lie in so many others.
  static constexpr std::size_t most_depths = 8;

  HeapVector<Value> values_;  // complete ones in what is open; of most objects names and values by turns
  HeapVector<Open> open_;
  std::size_t open_objects_ = 0;
  HeapVector<ExpectedNames> expected_;  // by depth, and by place in an object
  HugePages pages_;
  NumberList numbers_;  // of an array that has only numbers so far
  HeapVector<char32_t> characters_;
  TextCache names_, texts_;
};

}  // namespace griddle
