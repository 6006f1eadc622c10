// From syntax tree to bytecode.
#pragma once

#include "runtime/bytecode/chunk.h"
#include "runtime/source/parser.h"

namespace griddle {

// Compiles a program. Throws an Error that carries the place, say for an unknown system value.
// `shared_root`: the variables of the root body live in an environment that the caller keeps from one program to the next; a
// binding's index is its slot. Else the root's variables are its own. `outline`, where there is one, is told of the calls that
// are computed beforehand.
Ref<Code> compile(Context&, const Program&, Ref<Unit>, bool shared_root = false,
                  std::vector<struct OutlineLine>* outline = nullptr);

// Parses and compiles the unit's source. Syntax errors become Errors with their place.
Ref<Code> load(Context&, Ref<Unit>, const ParseOptions& = {});
// Likewise for one of many programs that share a scope. After the call the scope's environment must have room for
// `scope.body()->bindings.size()` variables (see Vm::grow).
Ref<Code> load(Context&, Ref<Unit>, RootScope&, const ParseOptions& = {});

}  // namespace griddle
