// Files whose bytes are memory. Where a file becomes shorter, the system takes that memory away, and whoever reads there gets
// SIGBUS.
#pragma once

#include <cstddef>

#include "runtime/files.h"

namespace griddle {

class Context;

// Has zeros stand for bytes that a mapped file does not have any more, and the evaluation that mapped it end with an error, by a
// handler for SIGBUS. Signals belong to the host: only an executable of our own may call it. Tells whether that worked.
bool guard_mapped_files();
bool mapped_files_are_guarded();

// The first bytes of a file, which may be written to without the file seeing it. Made only where mapped files are guarded.
class MappedFile {
 public:
  // Reading what is not there any more makes that evaluation end. `start` is null where errno says why the file cannot be mapped.
  MappedFile(Context&, const Descriptor&, std::size_t bytes);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  unsigned char* start = nullptr;

 private:
  struct Guard* guard_ = nullptr;
  std::size_t bytes_;
};

}  // namespace griddle
