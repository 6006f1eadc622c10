// What it has cost that large arrays stay on the host, where each function of them by itself is too little work to move them, and
// what it costs that they have moved. A program that has lost a part of what opening the device takes goes on, as a rule, to lose
// more: then they move. Where the program says how many rounds of a loop are to come, they move for what these will lose; and a
// program that has lost a little at each of many places, most of which lie behind it, is not taken to go on like that.
#pragma once

#include <chrono>
#include <optional>

#include "gpu/costs.h"
#include "runtime/vm/device_work.h"

namespace griddle {

class Staying {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Notes that the host begins to compute from and to so many bytes.
  void begin(double bytes, Time now);
  // Notes that it has done with that, if it ever began.
  void end(Time now, const Costs&);
  // Tells whether the device had better be opened: from then on it always had.
  bool is_worth_opening(const Costs&);
  // Tells whether arrays had better move to a device that is open for other reasons.
  bool is_worth_moving(const Costs& c) const { return lost_ > 0 && lost_ >= share_to_move_ * c.open; }
  // Tells whether so much more was lost since loops were last seen that they had better be seen again; and sees them.
  bool wants_loops() const { return lost_ - seen_after_ >= 0.005; }
  void see(const std::vector<CountedLoop>&, const Progress& = {});

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
  // Of what opening takes (tests/bench/gpu/RESULTS.md): what has to be lost for it to be opened, or where it is open; and what
  // loops have to lose yet.
  double share_to_open_ = 0.5, share_to_move_ = 0.3, share_to_come_ = 1.4;
  // Loops as they were last seen, and the rounds that were left, and what was lost, when each was first seen.
  struct Seen {
    CountedLoop loop;
    double left, lost;
  };
  std::vector<Seen> loops_;
  double to_come_ = 0;                         // that one of these loses in its other rounds, at least
  bool has_gone_round_ = false;                // so that it is known whether more is to come
  double seen_after_ = 0, left_to_loops_ = 0;  // of what is lost: when they were last seen, and when these told what is to come
  // The furthest that the program has come; and of what is lost, what was when it began, and when it came there.
  Progress furthest_;
  double lost_before_ = 0, lost_on_the_way_ = 0;
  bool opens_ = false;
  bool moves_ = false;
  double gained_ = 0, spent_ = 0, allowed_ = 0;
};

}  // namespace griddle
