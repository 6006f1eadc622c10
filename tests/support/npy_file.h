// Files as NumPy writes them, from what a header says and bytes.
#pragma once

#include <string>
#include <string_view>

namespace griddle::testing {

// Gives a file of version 1 whose shape is as Python writes it, such as "(2, 3)".
inline std::string npy_file(std::string_view type, std::string_view shape, std::string_view elements, bool by_columns = false,
                            int version = 1) {
  std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': " + (by_columns ? "True" : "False") +
                       ", 'shape': " + std::string(shape) + ", }\n";
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  file += static_cast<char>(header.size());
  file.append(version == 1 ? 1 : 3, '\0');
  return file + header + std::string(elements);
}

// Gives a program's list of these bytes.
inline std::string bqn_bytes(std::string_view bytes) {
  std::string list = "(@+⟨";
  for (const char c : bytes) list += std::to_string(static_cast<unsigned char>(c)) + ",";
  return list + "⟩)";
}

}  // namespace griddle::testing
