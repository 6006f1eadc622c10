// Running source text: what •BQN, •Import and the host share.
#pragma once

#include <string>

#include "runtime/bytecode/unit.h"
#include "runtime/value/context.h"

namespace griddle {

// Makes a unit for text that is in no file. `label` is what messages call it.
Ref<Unit> make_text_unit(Context&, std::string text, std::string label);
// Makes a unit for the text of a file, with the file's directory as •path. Messages call it `label`.
Ref<Unit> make_file_unit(Context&, const std::string& path, std::string text, std::string label);

// Compiles and runs a program.
Value run_unit(Context&, Ref<Unit>);

// Reads a whole file. Tells whether that worked; else errno says why not.
bool read_file(const std::string& path, std::string& bytes);
// Gives the absolute path without symbolic links, or an empty text where there is no such file.
std::string real_path(const std::string& path);
std::string current_directory();

}  // namespace griddle
