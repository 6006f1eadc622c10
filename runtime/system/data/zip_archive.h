// Archives in the format of ZIP, as .npz files are: reading those whose files are stored or deflated, and writing such. Deflating
// is zlib's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/system/argument.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

struct ZipEntry {
  std::string name;
  std::string_view packed;  // the bytes of the archive that hold it
  std::size_t size = 0;     // when unpacked
  std::uint32_t checksum = 0;
  bool is_deflated = false;
};

inline constexpr std::string_view zip_magic = "PK";

// Lists the files of an archive. Fails where it is none, or is damaged.
std::vector<ZipEntry> zip_entries(Context&, const Function& self, std::string_view archive);
// Gives the contents of one as a list of bytes.
Value unpacked(Context&, const Function& self, const ZipEntry&);

// Fails where this build has no zlib.
void require_zlib(Context&, const Function& self);
// Gives the checksum that archives and PNG files have.
std::uint32_t checksum_of(Context&, std::string_view bytes);
// Unpacks a stream of zlib that holds so many bytes. Tells whether it does.
bool inflated(Context&, const Function& self, std::string_view packed, char* to, std::size_t size);

class ZipWriter {
 public:
  ZipWriter(Context& cx, const Function& self) : cx_(cx), self_(self), archive_(cx.heap), directory_(cx.heap) {}
  void add(std::string_view name, std::string_view contents, bool deflates);
  // Gives the archive.
  std::string_view finish();

 private:
  Context& cx_;
  const Function& self_;
  HeapText archive_, directory_;
  std::size_t count_ = 0;
};

}  // namespace griddle
