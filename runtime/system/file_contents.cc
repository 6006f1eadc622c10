#include "runtime/system/file_contents.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "primitives/kernels/text.h"
#include "runtime/system/file_names.h"

namespace griddle {

namespace {

// Bytes that are read between two looks at an interrupt.
constexpr std::size_t piece = std::size_t{1} << 26;
constexpr std::size_t least_room = std::size_t{1} << 16;

// Tells the size of a regular file from here on; 0 where it is not known.
std::size_t expected_size(const Descriptor& file) {
  struct stat status;
  if (fstat(file.number, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  const off_t place = lseek(file.number, 0, SEEK_CUR);
  return place >= 0 && status.st_size > place ? static_cast<std::size_t>(status.st_size - place) : 0;
}

// Reads up to n bytes. Gives their number, below n only at the end; -1 where errno says why not.
ssize_t read_some(const Descriptor& file, void* to, std::size_t n) {
  std::size_t size = 0;
  while (size < n) {
    const ssize_t got = read(file.number, static_cast<char*>(to) + size, n - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(size);
}

template <class T>
Value decoded_as(Heap& heap, ElementType type, std::string_view bytes, std::size_t code_points,
                 void (*decode)(T*, const std::uint8_t*, std::size_t)) {
  Ref<Array> a = make_list(heap, type, code_points);
  decode(a->as<T>(), reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return to_value(std::move(a));
}

Value decode(Context& cx, const Function& self, std::string_view bytes, const std::string& what) {
  const kernels::TextKernels& text = kernels::text();
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::size_t good = text.utf8_length(data, bytes.size());
  if (good != bytes.size())
    fail_in(cx, self, what + " must be UTF-8 (byte " + std::to_string(good) + " of " + std::to_string(bytes.size()) + " is not)");
  const kernels::Utf8Size size = text.measure(data, bytes.size());
  switch (size.width) {
    case 1: return decoded_as(cx.heap, ElementType::c8, bytes, size.code_points, text.decode8);
    case 2: return decoded_as(cx.heap, ElementType::c16, bytes, size.code_points, text.decode16);
    default: return decoded_as(cx.heap, ElementType::c32, bytes, size.code_points, text.decode32);
  }
}

bool is_ascii(std::string_view bytes) {
  return kernels::text().ascii_length(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) == bytes.size();
}

std::string_view bytes_of(const Array& a) { return {a.as<char>(), a.length}; }

}  // namespace

bool read_file(const std::string& path, std::string& bytes) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return false;
  for (std::size_t room = expected_size(file) + 1;; room = std::max(least_room, bytes.size())) {
    const std::size_t size = bytes.size();
    bytes.resize(size + room);
    const ssize_t got = read_some(file, bytes.data() + size, room);
    bytes.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < static_cast<ssize_t>(room)) return got >= 0;
  }
}

Value read_rest(Context& cx, const Function& self, const Descriptor& file, const std::string& path) {
  const std::size_t expected = expected_size(file);
  Ref<Array> a = make_list(cx.heap, ElementType::c8, expected);
  std::size_t size = 0;
  while (size < expected) {
    cx.check_interrupt();
    const std::size_t wanted = std::min(piece, expected - size);
    const ssize_t got = read_some(file, a->data + size, wanted);
    if (got < 0) fail_system(cx, self, "Cannot read the file", path);
    size += static_cast<std::size_t>(got);
    if (static_cast<std::size_t>(got) < wanted) break;
  }
  a->length = size;
  if (size < expected) return to_value(std::move(a));
  // Takes what came after the size was known, or all of what has no size.
  std::string more;
  for (;;) {
    cx.check_interrupt();
    const std::size_t before = more.size(), wanted = expected > 0 && before == 0 ? 1 : std::max(least_room, before);
    more.resize(before + wanted);
    const ssize_t got = read_some(file, more.data() + before, wanted);
    if (got < 0) fail_system(cx, self, "Cannot read the file", path);
    more.resize(before + static_cast<std::size_t>(got));
    if (static_cast<std::size_t>(got) < wanted) break;
  }
  if (more.empty()) return to_value(std::move(a));
  Ref<Array> all = make_list(cx.heap, ElementType::c8, size + more.size());
  std::copy_n(a->as<std::uint8_t>(), size, all->as<std::uint8_t>());
  std::copy(more.begin(), more.end(), all->as<std::uint8_t>() + size);
  return to_value(std::move(all));
}

Value decoded_text(Context& cx, const Function& self, Value bytes, const std::string& what) {
  if (is_ascii(bytes_of(bytes.array()))) return bytes;
  return decode(cx, self, bytes_of(bytes.array()), what);
}

Value decoded_text(Context& cx, const Function& self, std::string_view bytes, const std::string& what) {
  if (!is_ascii(bytes)) return decode(cx, self, bytes, what);
  Ref<Array> a = make_list(cx.heap, ElementType::c8, bytes.size());
  if (!bytes.empty()) std::memcpy(a->data, bytes.data(), bytes.size());
  return to_value(std::move(a));
}

void append_text(std::string& out, const Array& a) {
  const kernels::TextKernels& text = kernels::text();
  const std::size_t before = out.size();
  auto encode = [&](auto kernel, auto* elements, std::size_t most_bytes) {
    out.resize(before + most_bytes * a.length);
    out.resize(before + kernel(reinterpret_cast<std::uint8_t*>(out.data()) + before, elements, a.length));
  };
  if (a.length == 0) return;
  switch (a.type()) {
    case ElementType::c8:
      if (is_ascii(bytes_of(a)))
        out += bytes_of(a);
      else
        encode(text.encode8, a.as<std::uint8_t>(), 2);
      return;
    case ElementType::c16: return encode(text.encode16, a.as<std::uint16_t>(), 3);
    case ElementType::c32: return encode(text.encode32, a.as<std::uint32_t>(), 4);
    default: out += to_utf8(a);
  }
}

BytesToWrite BytesToWrite::of_text(Context& cx, const Function& self, const Value& v, const char* which) {
  BytesToWrite result;
  if (!is_string(v)) fail_in(cx, self, std::string(which) + " must be a string (got a " + kind_text(v) + ")");
  const Array& a = v.array();
  if (a.length > 0 && a.type() == ElementType::c8 && is_ascii(bytes_of(a)))
    result.borrowed_ = bytes_of(a);
  else
    append_text(result.kept_, a);
  return result;
}

BytesToWrite BytesToWrite::of_bytes(Context& cx, const Function& self, const Value& v, const char* which) {
  BytesToWrite result;
  if (v.is_array() && v.array().is_list() && v.array().type() == ElementType::c8)
    result.borrowed_ = bytes_of(v.array());
  else
    result.kept_ = bytes_argument(cx, self, v, which);
  return result;
}

}  // namespace griddle
