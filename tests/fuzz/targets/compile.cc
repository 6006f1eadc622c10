// Source text becomes tokens, a tree, instructions and messages; nothing runs.
#include <memory>
#include <vector>

#include "runtime/bytecode/compiler.h"
#include "runtime/source/outline.h"
#include "tests/fuzz/targets/target.h"
#include "tests/support/program.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source = fuzz::text_of(data, size);
  griddle::Machinery machinery;
  machinery.cx.heap.set_limit(std::size_t{64} << 20);
  std::vector<griddle::OutlineLine> outline;
  griddle::ParseOptions options;
  options.outline = &outline;
  try {
    const griddle::Ref<griddle::Code> code = griddle::load(machinery.cx, machinery.unit(source), options);
    griddle::disassemble(*code);
    fuzz::require(!outline.empty(), "a program has an outline");
  } catch (const griddle::Error&) {
  } catch (const griddle::OutOfMemory&) {
  }
  // As a line of a session: shared names, and no value needed.
  griddle::RootScope scope;
  options.outline = nullptr;
  options.value_optional = true;
  for (int time = 0; time < 2; time++) {
    try {
      griddle::load(machinery.cx, machinery.unit(source), scope, options);
    } catch (const griddle::Error&) {
    } catch (const griddle::OutOfMemory&) {
    }
  }
  return 0;
}
