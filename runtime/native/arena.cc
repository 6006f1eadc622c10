#include "runtime/native/arena.h"

#include <sys/mman.h>

#include <cstring>

extern "C" {
// Of the C++ runtime: takes descriptions of frames that no file holds, and memory for what it notes of them.
void __register_frame_info(const void*, void*);
void* __deregister_frame_info(const void*);
}

namespace griddle {

CodeArena::CodeArena() {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  memory_ = static_cast<std::uint8_t*>(memory);
  describe_frame();
  __register_frame_info(unwinding_, noted_);
}

CodeArena::~CodeArena() {
  if (!usable()) return;
  __deregister_frame_info(unwinding_);
  munmap(memory_, bytes);
}

bool CodeArena::write() { return mprotect(memory_, bytes, PROT_READ | PROT_WRITE) == 0; }
bool CodeArena::seal() { return mprotect(memory_, bytes, PROT_READ | PROT_EXEC) == 0; }

// One description of a frame for the whole memory, as the DWARF standard has it: where the caller's stack begins, and which words
// hold the registers that the caller wants back.
void CodeArena::describe_frame() {
  constexpr std::uint8_t common[] = {1,                        // version
                                     0,                        // no further description
                                     1,                        // code is counted in bytes
                                     0x78,                     // words of the stack in -8 bytes
                                     16,                       // the column of the return address
                                     0x0C, 7, frame_bytes,     // the caller's stack begins at rsp + frame_bytes
                                     0x90, 1,                  // below it the return address,
                                     0x86, 2, 0x83,        3,  // rbp, rbx
                                     0x8C, 4, 0x8D,        5,  // r12, r13
                                     0x8E, 6, 0x8F,        7,  // r14, r15
                                     0,    0};                 // fills the entry up
  static_assert((sizeof common + 8) % 8 == 0);
  std::uint8_t* to = unwinding_;
  const auto put = [&to](auto value) {
    std::memcpy(to, &value, sizeof value);
    to += sizeof value;
  };
  put(static_cast<std::uint32_t>(sizeof common + 4));
  put(std::uint32_t{0});
  std::memcpy(to, common, sizeof common);
  to += sizeof common;
  put(std::uint32_t{4 + 16 + 4});
  put(static_cast<std::uint32_t>(to - unwinding_));
  put(reinterpret_cast<std::uint64_t>(memory_));
  put(static_cast<std::uint64_t>(bytes));
  put(std::uint32_t{0});
  put(std::uint32_t{0});
}

}  // namespace griddle
