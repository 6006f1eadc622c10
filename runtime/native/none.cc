// In place of the rest of this folder, where no machine code can be made: every block is interpreted.
#include "runtime/vm/machine.h"

namespace griddle {

const void* Machine::native_at(Vm&, const Code&, const Instruction*) { return nullptr; }
void Machine::end_native(Vm&) {}

}  // namespace griddle
