// Native: the machine code of one machine, made block by block once a block runs often enough.
#pragma once

#include "runtime/native/arena.h"
#include "runtime/native/translator.h"

namespace griddle {

class Native {
 public:
  explicit Native(Vm&);

  // Translates a block, anew where there is code already; gives false where that doesn't work.
  bool translate(Context&, const Code&);

 private:
  CodeArena arena_;
  NativePlaces places_{};
};

}  // namespace griddle
