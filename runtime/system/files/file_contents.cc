#include "runtime/system/files/file_contents.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#ifndef __EMSCRIPTEN__
#include <thread>
#endif
#include <vector>

#include "primitives/kernels/text/text.h"
#include "runtime/system/files/file_names.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

// Bytes that are read between two looks at an interrupt.
constexpr std::size_t read_at_once = std::size_t{1} << 26;
#ifndef __EMSCRIPTEN__
// From this size on a file is read by several threads, in pieces of whole huge pages.
constexpr std::size_t parallel_from = std::size_t{1} << 26;
constexpr std::size_t parallel_piece = std::size_t{1} << 23;
constexpr unsigned most_threads = 4;

// Reads n bytes of a regular file from its beginning on, by several threads at once: making fresh memory costs more than copying
// to it. Gives false where a piece could not be read in whole; whoever reads it again learns why.
bool read_in_parallel(Context& cx, const Descriptor& file, std::uint8_t* to, std::size_t n, unsigned thread_count) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  auto read_pieces = [&] {
    for (std::size_t at; !failed && !cx.interrupt_requested() && (at = next.fetch_add(parallel_piece)) < n;) {
      for (std::size_t done = 0, wanted = std::min(parallel_piece, n - at); done < wanted && !failed;) {
        const ssize_t got = pread(file.number, to + at + done, wanted - done, static_cast<off_t>(at + done));
        if (got > 0)
          done += static_cast<std::size_t>(got);
        else if (got == 0 || errno != EINTR)
          failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      while (threads.size() + 1 < thread_count) threads.emplace_back(read_pieces);
    } catch (const std::system_error&) {
      // Reads with the threads that there are.
    }
    read_pieces();
  }
  cx.check_interrupt();
  return !failed;
}
#endif

template <class T>
Value decoded_as(Heap& heap, ElementType type, std::string_view bytes, std::size_t code_points,
                 void (*decode)(T*, const std::uint8_t*, std::size_t)) {
  Ref<Array> a = make_list(heap, type, code_points);
  decode(a->as<T>(), reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return to_value(std::move(a));
}

bool is_ascii(std::string_view bytes) {
  return kernels::text().ascii_length(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) == bytes.size();
}

std::string_view bytes_of(const Array& a) { return {a.as<char>(), a.length}; }

}  // namespace

Value read_rest(Context& cx, const Function& self, const Descriptor& file, const std::string& path) {
  const std::size_t expected = file.expected_size();
  Ref<Array> a = make_list(cx.heap, ElementType::c8, expected);
  std::size_t size = 0;
#ifndef __EMSCRIPTEN__
  if (expected >= parallel_from && lseek(file.number, 0, SEEK_CUR) == 0) {
    const unsigned threads = std::min(most_threads, std::max(1u, std::thread::hardware_concurrency()));
    if (read_in_parallel(cx, file, a->as<std::uint8_t>(), expected, threads)) {
      size = expected;
      lseek(file.number, static_cast<off_t>(expected), SEEK_SET);
    }
  }
#endif
  while (size < expected) {
    cx.check_interrupt();
    const std::size_t wanted = std::min(read_at_once, expected - size);
    const ssize_t got = file.read_some(a->data + size, wanted);
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
    const std::size_t before = more.size(), wanted = expected > 0 && before == 0 ? 1 : std::max(least_read, before);
    more.resize(before + wanted);
    const ssize_t got = file.read_some(more.data() + before, wanted);
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

void require_utf8(Context& cx, const Function& self, std::string_view bytes, const char* what) {
  const std::size_t good = kernels::text().utf8_length(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (good == bytes.size()) return;
  fail_in(
      cx, self,
      std::string(what) + " must be UTF-8 (byte " + std::to_string(good) + " of " + std::to_string(bytes.size()) + " is not)");
}

Value checked_text(Heap& heap, std::string_view bytes) {
  const kernels::TextKernels& text = kernels::text();
  const kernels::Utf8Size size = text.measure(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (size.code_points == bytes.size()) {
    Ref<Array> a = make_list(heap, ElementType::c8, bytes.size());
    std::copy(bytes.begin(), bytes.end(), a->as<char>());
    return to_value(std::move(a));
  }
  switch (size.width) {
    case 1: return decoded_as(heap, ElementType::c8, bytes, size.code_points, text.decode8);
    case 2: return decoded_as(heap, ElementType::c16, bytes, size.code_points, text.decode16);
    default: return decoded_as(heap, ElementType::c32, bytes, size.code_points, text.decode32);
  }
}

Value decoded_text(Context& cx, const Function& self, Value bytes, const char* what) {
  if (is_ascii(bytes_of(bytes.array()))) return bytes;
  return decoded_text(cx, self, bytes_of(bytes.array()), what);
}

Value decoded_text(Context& cx, const Function& self, std::string_view bytes, const char* what) {
  require_utf8(cx, self, bytes, what);
  return checked_text(cx.heap, bytes);
}

std::optional<std::string_view> ascii_text(const Array& a) {
  if (a.length == 0) return std::string_view();
  if (a.type() == ElementType::c8 && is_ascii(bytes_of(a))) return bytes_of(a);
  return std::nullopt;
}

template <class Text>
void append_text(Text& out, const Array& a, std::size_t start, std::size_t length) {
  if (length == 0) return;
  const kernels::TextKernels& text = kernels::text();
  const std::size_t before = out.size();
  auto encode = [&](auto size_of, auto kernel, auto* elements) {
    out.resize(before + size_of(elements + start, length));
    kernel(reinterpret_cast<std::uint8_t*>(out.data()) + before, elements + start, length);
  };
  switch (a.type()) {
    case ElementType::c8: return encode(text.encoded_size8, text.encode8, a.as<std::uint8_t>());
    case ElementType::c16: return encode(text.encoded_size16, text.encode16, a.as<std::uint16_t>());
    case ElementType::c32: return encode(text.encoded_size32, text.encode32, a.as<std::uint32_t>());
    default:
      for (std::size_t i = start; i < start + length; i++) append_utf8(out, element(a, i).character());
  }
}
template void append_text(std::string&, const Array&, std::size_t, std::size_t);
template void append_text(HeapText&, const Array&, std::size_t, std::size_t);

BytesToWrite BytesToWrite::of_text(Context& cx, const Function& self, const Value& v, const char* which) {
  BytesToWrite result(cx.heap);
  if (!is_string(v)) fail_in(cx, self, std::string(which) + " must be a string (got a " + kind_text(v) + ")");
  if (std::optional<std::string_view> ascii = ascii_text(v.array()))
    result.borrowed_ = *ascii;
  else
    append_text(result.kept_, v.array());
  return result;
}

BytesToWrite BytesToWrite::of_bytes(Context& cx, const Function& self, const Value& v, const char* which) {
  BytesToWrite result(cx.heap);
  if (v.is_array() && v.array().is_list() && v.array().type() == ElementType::c8)
    result.borrowed_ = bytes_of(v.array());
  else
    result.kept_ = bytes_argument(cx, self, v, which);
  return result;
}

}  // namespace griddle
