#include "gpu/staying.h"

#include <algorithm>

namespace griddle {

namespace {

// Between two functions that are asked about lies more than the first: no host takes longer for a byte, and no device less for a
// function.
constexpr double most_for_byte = 2e-10, least_there = 5e-6;
// What comes back again and again is given another chance after so much more has been lost.
constexpr double more_patience = 8;

}  // namespace

void Staying::begin(double bytes, Time now) {
  since_ = now;
  under_way_ = bytes;
}

void Staying::end(Time now, const Costs& c) {
  if (!since_) return;
  const double took = std::min(std::chrono::duration<double>(now - *since_).count(), under_way_ * most_for_byte);
  since_.reset();
  seconds_ += took;
  bytes_ += under_way_;
  lost_ += std::max(0.0, took - under_way_ * c.pass - least_there);
}

bool Staying::is_worth_opening(const Costs& c) {
  const double lost = lost_ - left_to_loops_, on_the_way = lost_on_the_way_ - lost_before_;
  // What was lost at places that lie behind counts as much as there is of the program yet.
  const double left = furthest_.passed > 0 ? on_the_way / furthest_.passed * (1 - furthest_.passed) : 0;
  const bool goes_on = lost - on_the_way >= share_to_open_ * c.open || left >= share_to_come_ * c.open;
  const bool has_lost = !has_gone_round_ && lost >= share_to_open_ * c.open && goes_on;
  if (to_come_ >= share_to_come_ * c.open || has_lost) opens_ = lost_ > 0;
  return opens_;
}

void Staying::see(const std::vector<CountedLoop>& loops, const Progress& so_far) {
  if (so_far.program != furthest_.program) {
    furthest_ = {so_far.program, 0};
    lost_before_ = lost_on_the_way_ = seen_after_;
  }
  if (so_far.passed > furthest_.passed) {
    furthest_ = so_far;
    lost_on_the_way_ = lost_;
  }
  std::vector<Seen> now;
  to_come_ = 0;
  has_gone_round_ = false;
  seen_after_ = lost_;
  for (const CountedLoop& loop : loops) {
    const auto same = std::find_if(loops_.begin(), loops_.end(), [&](const Seen& s) {
      return s.loop.ends == loop.ends && s.loop.slots == loop.slots && s.loop.left >= loop.left;
    });
    const Seen seen = same != loops_.end() ? Seen{loop, same->left, same->lost} : Seen{loop, loop.left, lost_};
    // The round that is under way loses no less than it has lost so far.
    const double rounds = seen.left - loop.left;
    to_come_ = std::max(to_come_, (lost_ - seen.lost) / (rounds + 1) * (loop.left - 1));
    has_gone_round_ |= rounds > 0;
    now.push_back(seen);
  }
  if (has_gone_round_) left_to_loops_ = lost_;
  loops_ = std::move(now);
}

void Staying::move() {
  moves_ = true;
  gained_ = spent_ = 0;
  // Arrays are sent before anything is gained.
  allowed_ = std::max(lost_, 0.02);
}

void Staying::stay() {
  moves_ = false;
  since_.reset();
  lost_ = seen_after_ = left_to_loops_ = lost_before_ = lost_on_the_way_ = 0;
  furthest_ = {};
  loops_.clear();
  to_come_ = 0;
  has_gone_round_ = opens_ = false;
  for (double* share : {&share_to_open_, &share_to_move_, &share_to_come_}) *share *= more_patience;
}

}  // namespace griddle
