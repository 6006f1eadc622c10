#include "runtime/system/data/zip_archive.h"

#include <algorithm>
#include <limits>

#ifdef GRIDDLE_HAS_ZLIB
#include <zlib.h>
#endif

namespace griddle {

#ifdef GRIDDLE_HAS_ZLIB

namespace {

// Numbers in such files have their least byte first.
std::uint64_t number_in(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i > 0; i--) number = number << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return number;
}
void append_number(HeapText& out, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; i++, number >>= 8) out += static_cast<char>(number);
}

constexpr std::string_view local_mark = "PK\3\4", directory_mark = "PK\1\2", end_mark = "PK\5\6", end64_mark = "PK\6\6",
                           locator64_mark = "PK\6\7";
constexpr std::size_t local_bytes = 30, directory_bytes = 46, end_bytes = 22, end64_bytes = 56, locator64_bytes = 20;
constexpr std::size_t most_comment = 0xFFFF;
constexpr std::uint64_t elsewhere = 0xFFFFFFFF;  // a number that stands in the extra part, in 64 bits
constexpr std::uint64_t stored_method = 0, deflated_method = 8;
// Between two looks at whether anybody wants the result.
constexpr std::size_t piece = std::size_t{1} << 22;

void* allocate_for_zlib(void* heap, unsigned count, unsigned size) {
  try {
    return static_cast<Heap*>(heap)->allocate(std::size_t{count} * size);
  } catch (const OutOfMemory&) {
    return nullptr;
  }
}
void free_for_zlib(void*, void* memory) { Heap::free(memory); }

Bytef* zlib_bytes(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT: it only reads them
}

// A stream of zlib without a header, and its end.
class Stream {
 public:
  using End = int (*)(z_stream*);
  Stream(Context& cx, End end) : end_(end) {
    z.zalloc = allocate_for_zlib;
    z.zfree = free_for_zlib;
    z.opaque = &cx.heap;
  }
  ~Stream() {
    if (begun) end_(&z);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  // Throws where there was no memory to begin with.
  void begin(int code) {
    if (code != Z_OK) throw OutOfMemory(piece);
    begun = true;
  }
  z_stream z{};
  bool begun = false;

 private:
  End end_;
};

// Gives bytes a stream to read and to write, some at a time, until there is neither; `step` makes it work.
template <class Step>
int run(Context& cx, z_stream& z, std::string_view from, char* to, std::size_t room, Step step) {
  z.next_in = zlib_bytes(from);
  z.next_out = reinterpret_cast<Bytef*>(to);
  std::size_t left = from.size();
  int code = Z_OK;
  while (code == Z_OK) {
    cx.check_interrupt();
    if (z.avail_in == 0) {
      z.avail_in = static_cast<uInt>(std::min(left, piece));
      left -= z.avail_in;
    }
    const auto out = static_cast<uInt>(std::min(room, piece));
    z.avail_out = out;
    code = step(left == 0);
    room -= out - z.avail_out;
    if (code == Z_BUF_ERROR && (left > 0 || room > 0) && out != z.avail_out) code = Z_OK;
  }
  return code;
}

class ZipReader {
 public:
  ZipReader(Context& cx, const Function& self, std::string_view archive) : cx_(cx), self_(self), archive_(archive) {}

  std::vector<ZipEntry> entries() {
    const std::size_t end = find_end();
    std::uint64_t count = number_in(archive_, end + 10, 2), size = number_in(archive_, end + 12, 4),
                  at = number_in(archive_, end + 16, 4);
    if ((count == 0xFFFF || size == elsewhere || at == elsewhere) && end >= locator64_bytes &&
        archive_.substr(end - locator64_bytes).starts_with(locator64_mark)) {
      const std::uint64_t end64 = number_in(archive_, end - locator64_bytes + 8, 8);
      require(end64, end64_bytes);
      if (!archive_.substr(end64).starts_with(end64_mark)) fail();
      count = number_in(archive_, end64 + 32, 8);
      at = number_in(archive_, end64 + 48, 8);
    }
    std::vector<ZipEntry> entries;
    std::size_t packed = 0;
    for (std::uint64_t i = 0; i < count; i++) {
      if (i % 1024 == 0) cx_.check_interrupt();
      entries.push_back(entry(at));
      packed += entries.back().packed.size();
      // Files that share their bytes would unpack to any size.
      if (packed > archive_.size()) fail();
    }
    return entries;
  }

 private:
  [[noreturn]] void fail() const { fail_in(cx_, self_, "This archive is damaged, or none"); }
  void require(std::uint64_t at, std::uint64_t bytes) const {
    if (at > archive_.size() || archive_.size() - at < bytes) fail();
  }
  // Finds the end of the directory, behind which there may be a comment.
  std::size_t find_end() const {
    require(0, end_bytes);
    const std::size_t last = archive_.size() - end_bytes, first = last > most_comment ? last - most_comment : 0;
    const std::size_t found = archive_.rfind(end_mark, last);
    if (found == archive_.npos || found < first) fail();
    return found;
  }
  ZipEntry entry(std::uint64_t& at) const {
    require(at, directory_bytes);
    if (!archive_.substr(at).starts_with(directory_mark)) fail();
    const std::uint64_t flags = number_in(archive_, at + 8, 2), method = number_in(archive_, at + 10, 2);
    std::uint64_t packed = number_in(archive_, at + 20, 4), size = number_in(archive_, at + 24, 4),
                  local = number_in(archive_, at + 42, 4);
    const std::uint64_t name = number_in(archive_, at + 28, 2), extra = number_in(archive_, at + 30, 2),
                        comment = number_in(archive_, at + 32, 2);
    require(at + directory_bytes, name + extra + comment);
    ZipEntry entry;
    entry.name = archive_.substr(at + directory_bytes, name);
    entry.checksum = static_cast<std::uint32_t>(number_in(archive_, at + 16, 4));
    read_extra(archive_.substr(at + directory_bytes + name, extra), size, packed, local);
    at += directory_bytes + name + extra + comment;
    if ((flags & 1) != 0) fail_in(cx_, self_, "Encrypted archives are not read (" + entry.name + ")");
    if (method != stored_method && method != deflated_method)
      fail_in(cx_, self_, "Files packed in this way are not read (" + entry.name + ", method " + std::to_string(method) + ")");
    require(local, local_bytes);
    if (!archive_.substr(local).starts_with(local_mark)) fail();
    const std::uint64_t start = local + local_bytes + number_in(archive_, local + 26, 2) + number_in(archive_, local + 28, 2);
    require(start, packed);
    // Nothing deflates to less than a thousandth or so.
    constexpr std::uint64_t most_times = 1032, some = 64;
    entry.is_deflated = method == deflated_method;
    if (entry.is_deflated ? size / most_times > packed + some : size != packed) fail();
    entry.packed = archive_.substr(start, packed);
    entry.size = size;
    return entry;
  }
  // Reads numbers of 64 bits, of those that do not fit 32.
  void read_extra(std::string_view extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& local) const {
    constexpr std::size_t head = 4;
    constexpr std::uint64_t of_64_bits = 1;
    while (extra.size() >= head) {
      const std::uint64_t kind = number_in(extra, 0, 2), bytes = number_in(extra, 2, 2);
      if (bytes > extra.size() - head) fail();
      std::string_view part = extra.substr(head, bytes);
      extra.remove_prefix(head + bytes);
      if (kind != of_64_bits) continue;
      for (std::uint64_t* const number : {&size, &packed, &local}) {
        if (*number != elsewhere) continue;
        if (part.size() < 8) fail();
        *number = number_in(part, 0, 8);
        part.remove_prefix(8);
      }
    }
  }

  Context& cx_;
  const Function& self_;
  std::string_view archive_;
};

}  // namespace

std::uint32_t checksum_of(Context& cx, std::string_view bytes) {
  uLong sum = crc32(0, nullptr, 0);
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    cx.check_interrupt();
    const std::string_view part = bytes.substr(at, piece);
    sum = crc32(sum, zlib_bytes(part), static_cast<uInt>(part.size()));
  }
  return static_cast<std::uint32_t>(sum);
}

bool inflated(Context& cx, const Function&, std::string_view packed, char* to, std::size_t size) {
  Stream stream(cx, inflateEnd);
  stream.begin(inflateInit(&stream.z));
  const int code = run(cx, stream.z, packed, to, size, [&](bool) { return inflate(&stream.z, Z_NO_FLUSH); });
  if (code == Z_MEM_ERROR) throw OutOfMemory(piece);
  return code == Z_STREAM_END && stream.z.total_out == size;
}

void require_zlib(Context&, const Function&) {}

std::vector<ZipEntry> zip_entries(Context& cx, const Function& self, std::string_view archive) {
  return ZipReader(cx, self, archive).entries();
}

Value unpacked(Context& cx, const Function& self, const ZipEntry& entry) {
  Ref<Array> bytes = make_list(cx.heap, ElementType::c8, entry.size);
  char* const to = bytes->as<char>();
  if (entry.is_deflated) {
    Stream stream(cx, inflateEnd);
    stream.begin(inflateInit2(&stream.z, -MAX_WBITS));
    const int code = run(cx, stream.z, entry.packed, to, entry.size, [&](bool) { return inflate(&stream.z, Z_NO_FLUSH); });
    if (code == Z_MEM_ERROR) throw OutOfMemory(piece);
    if (code != Z_STREAM_END || stream.z.total_out != entry.size)
      fail_in(cx, self, "This archive is damaged (" + entry.name + ")");
  } else {
    std::ranges::copy(entry.packed, to);
  }
  if (checksum_of(cx, {to, entry.size}) != entry.checksum) fail_in(cx, self, "This archive is damaged (" + entry.name + ")");
  return to_value(std::move(bytes));
}

void ZipWriter::add(std::string_view name, std::string_view contents, bool deflates) {
  HeapText deflated(cx_.heap);
  std::string_view packed = contents;
  if (deflates) {
    Stream stream(cx_, deflateEnd);
    constexpr int usual_memory = 8;
    stream.begin(deflateInit2(&stream.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, usual_memory, Z_DEFAULT_STRATEGY));
    deflated.resize(deflateBound(&stream.z, contents.size()));
    const int code = run(cx_, stream.z, contents, deflated.data(), deflated.size(),
                         [&](bool is_last) { return deflate(&stream.z, is_last ? Z_FINISH : Z_NO_FLUSH); });
    if (code != Z_STREAM_END) throw OutOfMemory(deflated.size());
    packed = std::string_view(deflated).substr(0, stream.z.total_out);
  }
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1, most_files = 0xFFFE;
  if (contents.size() > most || packed.size() > most || archive_.size() > most - packed.size() || count_ >= most_files)
    fail_in(cx_, self_, "An archive beyond four gigabytes or 65534 arrays is not written");
  const std::size_t start = archive_.size();
  // What the file and the directory say of it alike.
  const auto append_facts = [&](HeapText& out) {
    constexpr std::uint64_t version = 20, names_are_utf8 = 0x800, no_time = 0, first_day = 0x21;
    append_number(out, version, 2);
    append_number(out, names_are_utf8, 2);
    append_number(out, deflates ? deflated_method : stored_method, 2);
    append_number(out, no_time, 2);
    append_number(out, first_day, 2);
    append_number(out, checksum_of(cx_, contents), 4);
    append_number(out, packed.size(), 4);
    append_number(out, contents.size(), 4);
    append_number(out, name.size(), 2);
    append_number(out, 0, 2);  // no extra part
  };
  archive_ += local_mark;
  append_facts(archive_);
  archive_ += name;
  archive_ += packed;
  directory_ += directory_mark;
  append_number(directory_, 20, 2);
  append_facts(directory_);
  append_number(directory_, 0, 2 + 2 + 2 + 4);  // no comment, one disk, no attributes
  append_number(directory_, start, 4);
  directory_ += name;
  count_++;
}

std::string_view ZipWriter::finish() {
  const std::size_t start = archive_.size();
  archive_ += directory_;
  archive_ += end_mark;
  append_number(archive_, 0, 4);  // one disk
  append_number(archive_, count_, 2);
  append_number(archive_, count_, 2);
  append_number(archive_, directory_.size(), 4);
  append_number(archive_, start, 4);
  append_number(archive_, 0, 2);  // no comment
  return archive_;
}

#else

namespace {
[[noreturn]] void fail_without_zlib(Context& cx, const Function& self) {
  fail_in(cx, self, "This build unpacks nothing: zlib, as Debian's zlib1g-dev, was not there when it was made");
}
}  // namespace

void require_zlib(Context& cx, const Function& self) { fail_without_zlib(cx, self); }
std::uint32_t checksum_of(Context&, std::string_view) { return 0; }
bool inflated(Context&, const Function&, std::string_view, char*, std::size_t) { return false; }
std::vector<ZipEntry> zip_entries(Context& cx, const Function& self, std::string_view) { fail_without_zlib(cx, self); }
Value unpacked(Context& cx, const Function& self, const ZipEntry&) { fail_without_zlib(cx, self); }
void ZipWriter::add(std::string_view, std::string_view, bool) { fail_without_zlib(cx_, self_); }
std::string_view ZipWriter::finish() { return archive_; }

#endif

}  // namespace griddle
