#include "runtime/plot/png.h"

#include <algorithm>
#include <array>
#include <bit>

#include "runtime/value/checkpoint.h"

namespace griddle::plot {

namespace {

constexpr std::size_t bytes_between_looks = std::size_t{1} << 20;

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  constexpr std::uint32_t polynomial = 0xEDB88320;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); i++) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; bit++) c = (c & 1) != 0 ? c >> 1 ^ polynomial : c >> 1;
    table[i] = c;
  }
  return table;
}

std::uint32_t crc_of(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> table = make_crc_table();
  std::uint32_t c = ~0u;
  for (std::size_t i = 0; i < bytes.size(); i++) {
    if (i % bytes_between_looks == 0) checkpoint();
    c = c >> 8 ^ table[(c ^ static_cast<unsigned char>(bytes[i])) & 0xFF];
  }
  return ~c;
}

std::uint32_t adler_of(std::string_view bytes) {
  constexpr std::uint32_t modulus = 65521;
  constexpr std::size_t sums_at_once = 5552;  // so many fit in 32 bits
  std::uint32_t a = 1, b = 0;
  for (std::size_t i = 0; i < bytes.size();) {
    checkpoint();
    for (const std::size_t end = std::min(bytes.size(), i + sums_at_once); i < end; i++) {
      a += static_cast<unsigned char>(bytes[i]);
      b += a;
    }
    a %= modulus;
    b %= modulus;
  }
  return b << 16 | a;
}

void append_big_endian(HeapText& out, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(v >> shift);
}

void append_chunk(HeapText& out, std::string_view name, std::string_view content) {
  append_big_endian(out, static_cast<std::uint32_t>(content.size()));
  const std::size_t start = out.size();
  (out += name) += content;
  append_big_endian(out, crc_of(std::string_view(out).substr(start)));
}

// Deflate (RFC 1951) with the code that the standard fixes: pictures of lines and areas are long repeats, for which codes of
// their own would gain little. Each place is compared with the last one that had the same four bytes, and with the row above.
class Deflate {
 public:
  explicit Deflate(HeapText& out) : out_(out) {}

  void compress(std::string_view bytes, std::size_t row) {
    HeapVector<std::uint32_t> last(std::size_t{1} << hash_bits, none, out_.get_allocator());
    put(1, 1);  // the last block
    put(1, 2);  // with the fixed code
    for (std::size_t i = 0, next_look = 0; i < bytes.size();) {
      if (i >= next_look) {
        checkpoint();
        next_look = i + bytes_between_looks;
      }
      std::size_t length = 0, distance = 0;
      const auto consider = [&](std::size_t from) {
        const std::size_t n = common(bytes, from, i);
        if (n > length) length = n, distance = i - from;
      };
      if (i + least_length < bytes.size()) {
        std::uint32_t& place = last[hash(bytes.data() + i)];
        if (place != none && i - place <= most_distance) consider(place);
        place = static_cast<std::uint32_t>(i);
      }
      if (row <= most_distance && i >= row) consider(i - row);
      if (length < least_length) {
        literal(static_cast<unsigned char>(bytes[i++]));
        continue;
      }
      put_length(length);
      put_distance(distance);
      i += length;
    }
    literal(end_of_block);
    if (count_ > 0) out_ += static_cast<char>(bits_);
  }

 private:
  static constexpr int hash_bits = 15;
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::size_t least_length = 4, most_length = 258, most_distance = 32768;
  static constexpr unsigned end_of_block = 256;

  static std::size_t hash(const char* at) {
    std::uint32_t word = 0;
    for (int k = 0; k < 4; k++) word = word << 8 | static_cast<unsigned char>(at[k]);
    return word * 2654435761u >> (32 - hash_bits);
  }
  static std::size_t common(std::string_view bytes, std::size_t from, std::size_t at) {
    const std::size_t most = std::min(most_length, bytes.size() - at);
    std::size_t n = 0;
    while (n < most && bytes[from + n] == bytes[at + n]) n++;
    return n;
  }
  // Numbers go out from their lowest bit.
  void put(std::uint32_t value, int bits) {
    bits_ |= std::uint64_t{value} << count_;
    for (count_ += bits; count_ >= 8; count_ -= 8, bits_ >>= 8) out_ += static_cast<char>(bits_);
  }
  // Codes go out from their highest bit.
  void put_code(std::uint32_t code, int bits) {
    std::uint32_t reversed = 0;
    for (int k = 0; k < bits; k++) reversed |= (code >> k & 1) << (bits - 1 - k);
    put(reversed, bits);
  }
  void literal(unsigned symbol) {
    if (symbol < 144)
      put_code(0x30 + symbol, 8);
    else if (symbol < 256)
      put_code(0x190 + symbol - 144, 9);
    else if (symbol < 280)
      put_code(symbol - 256, 7);
    else
      put_code(0xC0 + symbol - 280, 8);
  }
  // Numbers in groups of four (of two, for distances) that double in width: a symbol for the group, and the rest in bits.
  void put_length(std::size_t length) {
    if (length == most_length) return literal(285);
    const auto n = static_cast<std::uint32_t>(length - 3);
    if (n < 8) return literal(257 + n);
    const int extra = std::bit_width(n) - 3;
    literal(257 + 4 * static_cast<unsigned>(extra) + (n >> extra));
    put(n & ((1u << extra) - 1), extra);
  }
  void put_distance(std::size_t distance) {
    const auto n = static_cast<std::uint32_t>(distance - 1);
    if (n < 4) return put_code(n, 5);
    const int extra = std::bit_width(n) - 2;
    put_code(2 * static_cast<unsigned>(extra) + (n >> extra), 5);
    put(n & ((1u << extra) - 1), extra);
  }

  HeapText& out_;
  std::uint64_t bits_ = 0;
  int count_ = 0;
};

}  // namespace

HeapText png_of(Heap& heap, const Pixels& pixels) {
  const std::size_t row = 1 + 3 * pixels.width;  // the first byte says how a row is filtered: not at all
  HeapText rows(heap);
  rows.reserve(row * pixels.height);
  for (std::size_t y = 0; y < pixels.height; y++) {
    checkpoint();
    rows += '\0';
    for (std::size_t x = 0; x < pixels.width; x++) {
      const Color& c = pixels.data[y * pixels.width + x];
      for (const std::uint8_t part : {c.red, c.green, c.blue}) rows += static_cast<char>(part);
    }
  }
  return png_of_rows(heap, rows, pixels.width, pixels.height, 3);
}

HeapText png_of_rows(Heap& heap, std::string_view rows, std::size_t width, std::size_t height, std::size_t samples) {
  const std::size_t row = 1 + samples * width;
  HeapText packed(heap);
  packed += "\x78\x01";  // zlib, of the least effort
  Deflate(packed).compress(rows, row);
  append_big_endian(packed, adler_of(rows));

  HeapText out("\x89PNG\r\n\x1A\n", 8, heap), header(heap);
  append_big_endian(header, static_cast<std::uint32_t>(width));
  append_big_endian(header, static_cast<std::uint32_t>(height));
  constexpr char kinds[] = {0, 4, 2, 6};
  header += '\x08';  // bits of a sample
  header += kinds[samples - 1];
  header.append(3, '\0');
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", packed);
  append_chunk(out, "IEND", {});
  return out;
}

}  // namespace griddle::plot
