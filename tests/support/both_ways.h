// Programs with and without fast paths, which must agree.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "tests/support/host.h"

namespace griddle::testing {

class BothWays {
 public:
  BothWays() : general_{Interpreter(without_fast_paths())} {}

  // Checks that a program gives the same with and without fast paths, or fails with the same message.
  void agree(const std::string& program) {
    CAPTURE(program);
    CHECK(usual_(program) == general_(program));
  }
  // Checks a function of 𝕩 on lists of every storage form and of several lengths.
  void on_lists(std::string_view body) {
    for (const int length : {0, 1, 2, 7, 64, 300})
      for (const char* list : lists) agree(called(body, filled_in(list, length)));
  }
  // Checks a function of 𝕨 and 𝕩 on lists of the same length of every pair of forms, and on an atom and such a list.
  void on_pairs(std::string_view body) {
    for (const int length : {0, 1, 3, 70})
      for (const char* w : lists)
        for (const char* x : lists) agree("(" + filled_in(w, length) + ")" + called(body, filled_in(x, length)));
    for (const char* atom : {"0", "1", "3", "¯200", "1e6", "0.5", "'b'"})
      for (const char* list : lists) {
        agree(std::string(atom) + called(body, filled_in(list, 40)));
        agree("(" + filled_in(list, 40) + ")" + called(body, atom));
      }
  }
  // Checks a function of 𝕩 on tables of several shapes.
  void on_tables(std::string_view body) {
    for (const char* shape : {"3‿5", "1‿9", "9‿1", "0‿4", "4‿0", "2‿3‿4", "40‿3"})
      for (const char* list : lists) agree(called(body, std::string(shape) + "⥊" + filled_in(list, 120)));
  }

 private:
  // `#` stands for the length.
  static constexpr const char* lists[] = {
      "0=3|↕#",      "2|(↕#)÷3",     "¯50+101|37×↕#", "¯5000+10007|3701×↕#", "¯50000+100003|37019×↕#", "0.5+101|37×↕#",
      "'a'+26|7×↕#", "'日'+26|7×↕#", "'𝕩'+26|7×↕#",   "{↕3|𝕩}¨↕#",           "¯1↓(5|↕#)∾<\"box\"",     "⌽⌽9|↕#",
      "1↓9|↕1+#"};

  static Options without_fast_paths() {
    Options options;
    options.general_ways = true;
    return options;
  }
  static std::string filled_in(std::string text, int length) {
    for (std::size_t at = text.find('#'); at != text.npos; at = text.find('#')) text.replace(at, 1, std::to_string(length));
    return text;
  }
  // What is computed when the program runs is no constant.
  static std::string called(std::string_view body, std::string_view argument) {
    return std::string("{").append(body).append("} ").append(argument);
  }

  Host usual_, general_;
};

}  // namespace griddle::testing
