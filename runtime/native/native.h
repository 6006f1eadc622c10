// Native: the machine code of one machine, made block by block once a block runs often enough.
#pragma once

#include "runtime/native/arena.h"
#include "runtime/native/translator.h"

namespace griddle {

class Native {
 public:
  explicit Native(Vm&);
  static Native* made(Vm&);
  ~Native() { forget_all(); }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;

  // Translates a block, anew where there is code already; gives false where that doesn't work.
  bool translate(Context&, const Code&);
  // Makes room for others where there is none, while no machine code runs: blocks that still run often are translated again.
  void make_room() {
    if (is_full_) forget_all();
  }

 private:
  void forget_all();

  CodeArena arena_;
  NativeCode translated_;   // stands for none, in the ring of those of all blocks
  std::size_t common_ = 0;  // bytes of what all code shares
  bool is_full_ = false;
  NativePlaces places_{};
};

}  // namespace griddle
