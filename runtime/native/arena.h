// Memory for machine code that is made while programs run. It is never writable and executable at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle {

class CodeArena {
 public:
  // Reserves the memory, and tells the C++ runtime how exceptions leave the code in it: it keeps one frame, which `frame_bytes`
  // and the order of the saved registers describe (arena.cc). Without memory, nothing can be made.
  CodeArena();
  ~CodeArena();
  CodeArena(const CodeArena&) = delete;
  CodeArena& operator=(const CodeArena&) = delete;

  bool usable() const { return memory_ != nullptr; }
  std::uint8_t* begin() const { return memory_; }
  // Where the next code goes, and how much room there is.
  std::uint8_t* next() const { return memory_ + used_; }
  std::size_t room() const { return bytes - used_; }
  // Lets the memory be written, or run. Gives false where the system refuses.
  bool write();
  bool seal();
  // Keeps so many bytes from next() on, or of all that was kept.
  void keep(std::size_t count) { used_ += (count + 63) / 64 * 64; }
  void keep_only(std::size_t count) { used_ = 0, keep(count); }

  // The bytes from the return address to the stack pointer in machine code, both ends included: six saved registers and one word.
  static constexpr std::size_t frame_bytes = 64;

 private:
  static constexpr std::size_t bytes = std::size_t{1} << 22;
  void describe_frame();

  std::uint8_t* memory_ = nullptr;
  std::size_t used_ = 0;
  // What exception handling reads of the frame, in the format of .eh_frame.
  alignas(8) std::uint8_t unwinding_[80] = {};
  // The runtime's own note of it takes 6 to 8 words. Where it finds memory for that itself, it doesn't look whether there is any.
  std::uintptr_t noted_[16] = {};
};

}  // namespace griddle
