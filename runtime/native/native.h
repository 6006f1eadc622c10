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
  const void* at(std::uint32_t place) const { return arena_.begin() + place; }
  const Instruction* run(Vm& vm, const void* place, const Frame* entry) const { return enter_(place, &vm, entry); }

  // So many instructions may give arrays unforeseen before the block is translated anew.
  static constexpr std::uint32_t most_surprises = 4;

 private:
  CodeArena arena_;
  NativePlaces places_{};
  const Instruction* (*enter_)(const void* place, Vm*, const Frame* entry) = nullptr;
};

}  // namespace griddle
