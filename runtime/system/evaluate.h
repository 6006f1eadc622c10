// Running source text: what •BQN, •ReBQN, •Import and the host share.
#pragma once

#include <string>

#include "runtime/bytecode/unit.h"
#include "runtime/value/context.h"

namespace griddle {

// Makes a unit for text that is in no file. `label` is what messages call it.
Ref<Unit> make_text_unit(Context&, std::string text, std::string label);
// Makes a unit for the text of a file, with the file's directory as •path. Messages call it `label`.
Ref<Unit> make_file_unit(Context&, const std::string& path, std::string text, std::string label);
// Lets a unit use the system values that another one may use.
void share_system_values(Unit&, const Unit& from);

// Puts the elements of 𝕨, at most ⟨path,name,args⟩, into a unit; for those that are missing the working directory, no name and no
// arguments.
void locate(Context&, const Function& self, Unit&, const Value& w);

// Compiles and runs a program.
Value run_unit(Context&, Ref<Unit>);

}  // namespace griddle
