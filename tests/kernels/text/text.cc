#include "primitives/kernels/text/text.h"

#include <string>

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

const std::uint8_t* bytes_of(const std::string& s) { return reinterpret_cast<const std::uint8_t*>(s.data()); }

void append(std::string& out, std::uint32_t c) {
  auto put = [&](std::uint32_t b) { out.push_back(static_cast<char>(b)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      put(0xE0 | c >> 12);
    } else {
      put(0xF0 | c >> 18);
      put(0x80 | (c >> 12 & 63));
    }
    put(0x80 | (c >> 6 & 63));
  }
  put(0x80 | (c & 63));
}

// Gives the length of the well-formed beginning, byte by byte: what decodes to a code point that is written the same way.
std::size_t well_formed(const std::string& s) {
  std::size_t i = 0;
  while (i < s.size()) {
    const auto b = static_cast<unsigned char>(s[i]);
    const std::size_t length = b < 0x80 ? 1 : b < 0xC0 ? 0 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : b < 0xF8 ? 4 : 0;
    if (length == 0 || i + length > s.size()) return i;
    std::uint32_t c = length == 1 ? b : b & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; k++) c = c << 6 | (static_cast<unsigned char>(s[i + k]) & 63u);
    std::string again;
    append(again, c);
    if (c > 0x10FFFF || again != s.substr(i, length)) return i;
    i += length;
  }
  return i;
}

// Text of n code points up to a limit, with stretches of ASCII.
std::vector<std::uint32_t> sample(Random& random, std::size_t n, std::uint32_t limit) {
  std::vector<std::uint32_t> text(n);
  for (std::size_t i = 0; i < n; i++) text[i] = random.next() % 4 < (i / 50) % 4 ? random.next() % limit : random.next() % 128;
  return text;
}

template <class T, class Decode, class Size, class Encode>
void check_coding(std::uint32_t limit, Decode decode, Size encoded_size, Encode encode) {
  on_every_target([&] {
    Random random;
    for_lengths([&](std::size_t n) {
      INFO("code points ", n, " below ", limit);
      const std::vector<std::uint32_t> points = sample(random, n, limit);
      std::string utf8;
      std::uint32_t largest = 0;
      for (std::uint32_t c : points) {
        append(utf8, c);
        largest = std::max(largest, c);
      }
      const std::string exact(utf8);
      CHECK(text().utf8_length(bytes_of(exact), exact.size()) == exact.size());
      const Utf8Size size = text().measure(bytes_of(exact), exact.size());
      CHECK(size.code_points == n);
      CHECK(size.width == (largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4));
      const std::vector<T> elements(points.begin(), points.end());
      Guarded<T> out(n, n % 3);
      (text().*decode)(out.start(), bytes_of(exact), exact.size());
      CHECK(std::equal(elements.begin(), elements.end(), out.start()));
      CHECK(out.kept_outside(n));
      Guarded<std::uint8_t> written(exact.size(), n % 5);
      CHECK((text().*encoded_size)(elements.data(), n) == exact.size());
      CHECK((text().*encode)(written.start(), elements.data(), n) == exact.size());
      CHECK(std::equal(exact.begin(), exact.end(), reinterpret_cast<const char*>(written.start())));
      CHECK(written.kept_outside(exact.size()));
    });
  });
}

}  // namespace

TEST_CASE("UTF-8 is measured, decoded and written") {
  check_coding<std::uint8_t>(0x100, &TextKernels::decode8, &TextKernels::encoded_size8, &TextKernels::encode8);
  check_coding<std::uint16_t>(0x10000, &TextKernels::decode16, &TextKernels::encoded_size16, &TextKernels::encode16);
  // Mostly pairs of bytes, also where the elements are wider.
  check_coding<std::uint16_t>(0x800, &TextKernels::decode16, &TextKernels::encoded_size16, &TextKernels::encode16);
  check_coding<std::uint16_t>(0x1800, &TextKernels::decode16, &TextKernels::encoded_size16, &TextKernels::encode16);
  check_coding<std::uint32_t>(0x14000, &TextKernels::decode32, &TextKernels::encoded_size32, &TextKernels::encode32);
  check_coding<std::uint32_t>(0x110000, &TextKernels::decode32, &TextKernels::encoded_size32, &TextKernels::encode32);
}

TEST_CASE("faults of UTF-8 are found where they are") {
  const std::string faults[] = {"\x80",         "\xBF",         "\xC0\x80",         "\xC1\xBF",         "\xC2",
                                "\xC2\x41",     "\xC2\xC2\x80", "\xE0\x80\x80",     "\xE0\x9F\xBF",     "\xE1\x80",
                                "\xE1\x80\x41", "\xF0\x80\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                                "\xFF",         "\xF1\x80\x80", "\xF8\x88\x80\x80", "\xE1\x80\x80\x80", "\xFE\x80"};
  const std::string fillings[] = {"a", "é", "⍉", "𝕩"};
  on_every_target([&] {
    for (const std::string& fault : faults)
      for (const std::string& filling : fillings)
        for (std::size_t before = 0; before < 140; before += 1 + before / 40)
          for (std::size_t after : {0, 1, 2, 3, 70}) {
            std::string s;
            while (s.size() < before) s += filling;
            s += fault;
            for (std::size_t k = 0; k < after; k++) s += filling;
            INFO("fault ", static_cast<int>(static_cast<unsigned char>(fault[0])), " before ", before, " after ", after);
            CHECK(text().utf8_length(bytes_of(s), s.size()) == well_formed(s));
          }
  });
}

TEST_CASE("any two and three bytes are judged as byte by byte") {
  on_every_target([&] {
    std::size_t wrong = 0;
    for (unsigned pair = 0; pair < 0x10000; pair++) {
      for (unsigned third : {0x41u, 0x80u, 0x9Fu, 0xBFu, 0xC3u}) {
        std::string s(45, 'x');
        s += {static_cast<char>(pair >> 8), static_cast<char>(pair), static_cast<char>(third), '\x80', 'y', 'z'};
        s += std::string(70, 'x');
        wrong += text().utf8_length(bytes_of(s), s.size()) != well_formed(s);
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("ASCII and lines end where they end") {
  on_every_target([&] {
    for_lengths([&](std::size_t n) {
      for (std::size_t at = 0; at <= n; at += 1 + at / 7) {
        INFO("length ", n, " place ", at);
        for (char found : {'\n', '\r', '\x80', '\xFF'}) {
          std::string s(n, 'a');
          if (at < n) s[at] = found;
          const bool ends = found == '\n' || found == '\r';
          CHECK(text().line_length(bytes_of(s), n) == (ends ? at : n));
          CHECK(text().ascii_length(bytes_of(s), n) == (ends ? n : at));
        }
      }
    });
  });
}
