#include "runtime/system/plots/png_reader.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/called.h"
#include "tests/support/npy_file.h"

using griddle::testing::bqn_bytes;
using griddle::testing::Host;
using namespace std::string_literals;

namespace {

std::string big_endian(std::uint32_t n) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift);
  return bytes;
}

std::string chunk(const std::string& name, const std::string& content) {
  std::uint32_t sum = ~0u;
  for (const char c : name + content) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xEDB88320u : 0);
  }
  return big_endian(static_cast<std::uint32_t>(content.size())) + name + content + big_endian(~sum);
}

// Packs bytes as zlib does where it leaves them as they are.
std::string stored(const std::string& bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) b = (b + (a = (a + static_cast<unsigned char>(c)) % 65521)) % 65521;
  const auto size = static_cast<std::uint16_t>(bytes.size());
  const auto low = [](std::uint32_t n) { return static_cast<char>(n); };
  return "\x78\x01\x01"s + low(size) + low(size >> 8) + low(~size) + low(~size >> 8) + bytes + big_endian(b << 16 | a);
}

const std::string signature = "\x89PNG\r\n\x1A\n";

std::string header(int width, int height, int depth, int kind, bool interlaced = false) {
  return chunk("IHDR", big_endian(static_cast<std::uint32_t>(width)) + big_endian(static_cast<std::uint32_t>(height)) +
                           static_cast<char>(depth) + static_cast<char>(kind) + "\0\0"s + static_cast<char>(interlaced));
}

std::string file_of(const std::string& header, const std::string& rows, const std::string& more = "") {
  return signature + header + more + chunk("tEXt", "who\0cares"s) + chunk("IDAT", stored(rows)) + chunk("IEND", "");
}

bool is(Host& run, const std::string& file, const std::string& wanted) {
  return run("(" + wanted + ")≡•png.Parse" + bqn_bytes(file)) == "1";
}

}  // namespace

TEST_CASE("gray samples of every depth are spread over a byte, or have two") {
  Host run;
  CHECK(is(run, file_of(header(10, 1, 1, 0), "\0\xA0\x40"s), "1‿10⥊255‿0‿255‿0‿0‿0‿0‿0‿0‿255"));
  CHECK(is(run, file_of(header(5, 1, 2, 0), "\0\x1B\x80"s), "1‿5⥊0‿85‿170‿255‿170"));
  CHECK(is(run, file_of(header(3, 1, 4, 0), "\0\x0F\x80"s), "1‿3⥊0‿255‿136"));
  CHECK(is(run, file_of(header(2, 2, 8, 0), "\0\1\2\0\3\xFF"s), "2‿2⥊1‿2‿3‿255"));
  CHECK(is(run, file_of(header(1, 2, 16, 0), "\0\1\2\0\xFF\xFF"s), "2‿1⥊258‿65535"));
}

TEST_CASE("places have several samples, or a colour of a palette") {
  Host run;
  CHECK(is(run, file_of(header(1, 1, 8, 4), "\0\7\x80"s), "1‿1‿2⥊7‿128"));
  CHECK(is(run, file_of(header(2, 1, 8, 2), "\0\1\2\3\4\5\6"s), "1‿2‿3⥊1+↕6"));
  CHECK(is(run, file_of(header(1, 1, 16, 6), "\0\0\1\0\2\0\3\1\0"s), "1‿1‿4⥊1‿2‿3‿256"));
  const std::string palette = chunk("PLTE", "\1\2\3\xFF\0\0"s);
  CHECK(is(run, file_of(header(3, 1, 1, 3), "\0\x40"s, palette), "1‿3‿3⥊1‿2‿3‿255‿0‿0‿1‿2‿3"));
  CHECK(is(run, file_of(header(2, 1, 8, 3), "\0\0\1"s, palette + chunk("tRNS", "\7"s)), "1‿2‿4⥊1‿2‿3‿7‿255‿0‿0‿255"));
  CHECK(is(run, file_of(header(2, 1, 8, 0), "\0\5\6"s, chunk("tRNS", "\0\6"s)), "1‿2‿2⥊5‿255‿6‿0"));
  CHECK(is(run, file_of(header(2, 1, 8, 2), "\0\1\2\3\1\2\4"s, chunk("tRNS", "\0\1\0\2\0\4"s)), "1‿2‿4⥊1‿2‿3‿255‿1‿2‿4‿0"));
}

TEST_CASE("rows are told as differences in five ways") {
  Host run;
  CHECK(is(run, file_of(header(3, 1, 8, 0), "\1\1\1\1"s), "1‿3⥊1‿2‿3"));
  CHECK(is(run, file_of(header(2, 2, 8, 0), "\0\1\2\2\1\1"s), "2‿2⥊1‿2‿2‿3"));
  CHECK(is(run, file_of(header(2, 2, 8, 0), "\0\4\6\3\1\1"s), "2‿2⥊4‿6‿3‿5"));
  CHECK(is(run, file_of(header(2, 2, 8, 0), "\0\4\x0A\4\1\1"s), "2‿2⥊4‿10‿5‿11"));
  CHECK(is(run, file_of(header(2, 2, 8, 0), "\2\4\x0A\4\1\1"s), "2‿2⥊4‿10‿5‿11"));
  CHECK(is(run, file_of(header(1, 1, 8, 2), "\4\1\2\3"s), "1‿1‿3⥊1‿2‿3"));
}

TEST_CASE("interlaced rows come in seven parts") {
  Host run;
  // Places are numbered as they come.
  CHECK(is(run, file_of(header(1, 1, 8, 0, true), "\0\1"s), "1‿1⥊1"));
  CHECK(is(run,
           file_of(header(3, 3, 8, 0, true),
                   "\0\1"
                   "\0\2"
                   "\0\3\4"
                   "\0\5"
                   "\0\6"
                   "\0\7\x08\x09"s),
           "3‿3⥊1‿5‿2‿7‿8‿9‿3‿6‿4"));
  CHECK(is(run,
           file_of(header(5, 1, 8, 0, true),
                   "\0\1"
                   "\0\2"
                   "\0\3"
                   "\0\4\5"s),
           "1‿5⥊1‿4‿3‿5‿2"));
}

TEST_CASE("the packed rows may come in pieces") {
  Host run;
  const std::string packed = stored("\0\1\2"s);
  const std::string file = signature + header(2, 1, 8, 0) + chunk("IDAT", packed.substr(0, 5)) + chunk("IDAT", "") +
                           chunk("IDAT", packed.substr(5)) + chunk("IEND", "");
  CHECK(is(run, file, "1‿2⥊1‿2"));
}

TEST_CASE("what is damaged is refused, wherever it ends and whatever bit is wrong") {
  Host run;
  const std::string good = file_of(header(2, 2, 8, 3), "\0\0\1\1\1\0"s, chunk("PLTE", "\1\2\3\xFF\0\0"s));
  CHECK(is(run, good, "2‿2‿3⥊1‿2‿3‿255‿0‿0‿255‿0‿0‿255‿0‿0"));
  const auto refuses = [&](const std::string& file) {
    return run("•png.Parse" + bqn_bytes(file)).starts_with("! •png.Parse: This ");
  };
  for (std::size_t n = 0; n < good.size(); n++) CHECK(refuses(good.substr(0, n)));
  for (std::size_t i = 0; i + 12 < good.size(); i++) {
    std::string other = good;
    other[i] = static_cast<char>(other[i] ^ 4);
    CAPTURE(i);
    // The name of a part may become that of another; its check tells.
    CHECK(refuses(other));
  }
  const std::string pixel = "\0\1"s;
  for (const std::string& wrong : {header(0, 1, 8, 0), header(1, 1, 3, 0), header(1, 1, 4, 2), header(1, 1, 16, 3),
                                   header(1, 1, 8, 5), header(1 << 30, 1 << 30, 8, 6)})
    CHECK(refuses(file_of(wrong, pixel)));
  CHECK(refuses(file_of(header(1, 1, 8, 0), "\5\1"s)));
  CHECK(refuses(file_of(header(1, 1, 8, 0), "\0\1\2"s)));
  CHECK(refuses(file_of(header(1, 1, 8, 0), "\0"s)));
  CHECK(refuses(file_of(header(1, 1, 8, 3), pixel)));
  CHECK(refuses(file_of(header(1, 1, 8, 3), pixel, chunk("PLTE", "\1\2\3"))));
  CHECK(refuses(file_of(header(1, 1, 8, 3), pixel, chunk("PLTE", "\1\2"))));
  CHECK(refuses(file_of(header(1, 1, 8, 0), pixel, chunk("tRNS", "\1"))));
  CHECK(refuses(file_of(header(1, 1, 8, 0), pixel, chunk("NEWS", ""))));
  CHECK(refuses(signature + chunk("IDAT", stored(pixel)) + header(1, 1, 8, 0) + chunk("IEND", "")));
  CHECK(refuses(signature + header(1, 1, 8, 0) + chunk("IEND", "")));
}
