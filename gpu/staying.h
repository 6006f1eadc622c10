// What it has cost that large arrays stay on the host, where each function of them by itself is too little work to move them, and
// what it costs that they have moved. A program that has lost a part of what opening the device takes goes on, as a rule, to lose
// more: then they move.
#pragma once

#include <chrono>
#include <optional>

#include "gpu/costs.h"

namespace griddle {

class Staying {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Notes that the host begins to compute from and to so many bytes.
  void begin(double bytes, Time now);
  // Notes that it has done with that, if it ever began.
  void end(Time now, const Costs&);
  // Tells whether the device had better be opened.
  bool is_worth_opening(const Costs& c) const { return lost_ > 0 && lost_ >= share_ * c.open; }

  // Notes that arrays move from now on; that the device computes from and to so many bytes; that so many bytes are sent or come
  // back; and that they stay again.
  void move();
  void compute_there(double bytes) { gained_ += bytes * seconds_a_byte(); }
  void send(double bytes, const Costs& c) { spent_ += bytes * c.up; }
  void come_back(double bytes, const Costs& c) { spent_ += bytes * c.down; }
  void stay();
  bool moves() const { return moves_; }
  bool is_under_way() const { return since_.has_value(); }
  // Tells whether transfers cost more than moving gains.
  bool is_in_vain() const { return spent_ > gained_ + allowed_; }

 private:
  double seconds_a_byte() const { return bytes_ > 0 ? seconds_ / bytes_ : 0; }

  std::optional<Time> since_;
  double under_way_ = 0;            // bytes
  double seconds_ = 0, bytes_ = 0;  // that the host has taken, and for how many
  double lost_ = 0;                 // seconds that the device would have saved
  double share_ = 0.3;              // of what opening takes: tests/bench/gpu/RESULTS.md
  bool moves_ = false;
  double gained_ = 0, spent_ = 0, allowed_ = 0;
};

}  // namespace griddle
