// What was cut, latest last, to be put back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace griddle::repl {

class KillRing {
 public:
  // Keeps what was cut; with `joins` together with what was cut just before it, on the side where it stood.
  void add(std::u32string_view cut, bool joins, bool stood_before);
  // Gives what was cut last, and then step by step what was cut before it, from the start again behind the oldest.
  const std::u32string& latest();
  const std::u32string& older();

 private:
  std::u32string nothing_;
  std::vector<std::u32string> cuts_;
  std::size_t given_ = 0;
};

}  // namespace griddle::repl
