#include "repl/editor/kill_ring.h"

namespace griddle::repl {

namespace {

constexpr std::size_t most_cuts = 32;

}  // namespace

void KillRing::add(std::u32string_view cut, bool joins, bool stood_before) {
  if (joins && !cuts_.empty()) {
    cuts_.back().insert(stood_before ? 0 : cuts_.back().size(), cut);
    return;
  }
  if (cuts_.size() == most_cuts) cuts_.erase(cuts_.begin());
  cuts_.emplace_back(cut);
}

const std::u32string& KillRing::latest() {
  if (cuts_.empty()) return nothing_;
  given_ = cuts_.size() - 1;
  return cuts_[given_];
}

const std::u32string& KillRing::older() {
  if (cuts_.empty()) return nothing_;
  given_ = (given_ > 0 ? given_ : cuts_.size()) - 1;
  return cuts_[given_];
}

}  // namespace griddle::repl
