// Bytes that hold a value: as the host gets them, and •file.Value.
#include "tests/fuzz/targets/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  griddle::Interpreter bqn(fuzz::limited());
  // With the eight bytes that all begin with, so that few inputs end there.
  const std::string whole = std::string("griddle\1", 8) + std::string(fuzz::text_of(data, size));
  const griddle::Result value = bqn.deserialise(whole);
  fuzz::look_at(bqn, value);
  if (value && value->is_array()) {
    // What was made is as good as any array.
    for (const char* program : {"⌽", "∾⟜⥊", "≢", "⊏⎊0", "≡⟜⊢", "3⊸↑⥊", "⍷⥊", "⍋⎊0"})
      fuzz::look_at(bqn, bqn.eval(program)(*value));
  }
  fuzz::look_at(bqn, bqn.deserialise(fuzz::text_of(data, size)));
  return 0;
}
