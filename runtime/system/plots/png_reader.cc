#include "runtime/system/plots/png_reader.h"

#include <array>
#include <cstdlib>

#include "runtime/system/data/zip_archive.h"
#include "runtime/value/array.h"

namespace griddle {

namespace {

constexpr std::string_view magic("\x89PNG\r\n\x1A\n", 8);
// A length, a name, and a check of name and content.
constexpr std::size_t chunk_start = 8, chunk_check = 4;
// What is packed becomes no longer than that.
constexpr std::size_t most_packed = 1032;

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < size; i++) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

// What a row is told as the difference from: what stands left, above, or left above, whichever is next to a + b - c.
int nearest(int left, int above, int before) {
  const int guess = left + above - before;
  const int from_left = std::abs(guess - left), from_above = std::abs(guess - above), from_before = std::abs(guess - before);
  if (from_left <= from_above && from_left <= from_before) return left;
  return from_above <= from_before ? above : before;
}

}  // namespace

void PngReader::fail(const char* message) const { fail_in(cx_, self_, message); }

PngReader::Chunk PngReader::next_chunk() {
  if (bytes_.size() - at_ < chunk_start + chunk_check) fail("This PNG file ends too early");
  const std::size_t length = number_at(bytes_, at_, 4);
  if (length > bytes_.size() - at_ - chunk_start - chunk_check) fail("This PNG file ends too early");
  const std::string_view checked = bytes_.substr(at_ + 4, 4 + length);
  at_ += chunk_start + length;
  if (checksum_of(cx_, checked) != number_at(bytes_, at_, 4)) fail("This PNG file is damaged");
  at_ += chunk_check;
  return {checked.substr(0, 4), checked.substr(4)};
}

void PngReader::read_header(std::string_view content) {
  constexpr std::size_t header_bytes = 13, most = std::size_t{1} << 31;
  if (content.size() != header_bytes) fail("This PNG file is damaged");
  width_ = number_at(content, 0, 4);
  height_ = number_at(content, 4, 4);
  depth_ = static_cast<unsigned char>(content[8]);
  const auto kind = static_cast<unsigned char>(content[9]);
  is_interlaced_ = content[12] == 1;
  const bool is_power = depth_ == 1 || depth_ == 2 || depth_ == 4 || depth_ == 8 || depth_ == 16;
  const bool is_known = kind == 0   ? is_power
                        : kind == 3 ? is_power && depth_ <= 8
                                    : (kind == 2 || kind == 4 || kind == 6) && is_power && depth_ >= 8;
  if (!is_known || width_ == 0 || height_ == 0 || width_ >= most || height_ >= most || content[10] != 0 || content[11] != 0 ||
      static_cast<unsigned char>(content[12]) > 1)
    fail("This PNG file has a picture of a kind that the standard does not have");
  has_palette_ = kind == 3;
  stored_ = kind == 2 ? 3 : kind == 4 ? 2 : kind == 6 ? 4 : 1;
}

void PngReader::read_chunks() {
  if (!bytes_.starts_with(magic)) fail("This is no PNG file");
  at_ = magic.size();
  if (const Chunk header = next_chunk(); header.name == "IHDR")
    read_header(header.content);
  else
    fail("This PNG file is damaged");
  for (;;) {
    const Chunk chunk = next_chunk();
    if (chunk.name == "IEND") break;
    if (chunk.name == "PLTE") {
      palette_ = chunk.content;
    } else if (chunk.name == "tRNS") {
      transparent_ = chunk.content;
    } else if (chunk.name == "IDAT") {
      if (!packed_.empty() && joined_.empty()) joined_ = packed_;
      if (packed_.empty()) {
        packed_ = chunk.content;
      } else {
        joined_ += chunk.content;
        packed_ = joined_;
      }
    } else if ((chunk.name[0] & 0x20) == 0) {
      fail("This PNG file has a part that the standard does not have");
    }
  }
  // One colour may be transparent, or each of a palette as far as it likes.
  const bool is_transparent = !transparent_.empty() && stored_ % 2 == 1;
  if (has_palette_ ? palette_.empty() || palette_.size() % 3 != 0
                   : is_transparent && transparent_.size() != 2 * std::size_t{stored_})
    fail("This PNG file is damaged");
  samples_ = (has_palette_ ? 3 : stored_) + is_transparent;
}

std::size_t PngReader::row_bytes(const Part& part) const { return 1 + (part.width * stored_ * depth_ + 7) / 8; }

template <class Take>
void PngReader::each_part(Take take) const {
  if (!is_interlaced_) return take(Part{0, 0, 1, 1, width_, height_});
  struct Pass {
    std::size_t x, y, step_x, step_y;
  };
  constexpr std::array<Pass, 7> passes{
      {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
  for (const Pass& pass : passes)
    if (width_ > pass.x && height_ > pass.y)
      take(Part{pass.x, pass.y, pass.step_x, pass.step_y, (width_ - pass.x - 1) / pass.step_x + 1,
                (height_ - pass.y - 1) / pass.step_y + 1});
}

// Undoes what the first byte of each row says was done to it.
void PngReader::restore(unsigned char* rows, const Part& part) const {
  const std::size_t bytes = row_bytes(part), step = (stored_ * depth_ + 7) / 8;
  for (std::size_t y = 0; y < part.height; y++) {
    if (y % 64 == 0) cx_.check_interrupt();
    unsigned char* const row = rows + y * bytes;
    const unsigned char* const above = y == 0 ? nullptr : row - bytes;
    if (row[0] > 4) fail("This PNG file is damaged");
    for (std::size_t i = 1; row[0] != 0 && i < bytes; i++) {
      const int left = i > step ? row[i - step] : 0, up = above != nullptr ? above[i] : 0;
      const int before = above != nullptr && i > step ? above[i - step] : 0;
      const int told = row[0] == 1 ? left : row[0] == 2 ? up : row[0] == 3 ? (left + up) / 2 : nearest(left, up, before);
      row[i] = static_cast<unsigned char>(row[i] + told);
    }
  }
}

inline unsigned PngReader::sample(const unsigned char* row, std::size_t i) const {
  if (depth_ == 8) return row[i];
  if (depth_ == 16) return static_cast<unsigned>(row[2 * i] << 8 | row[2 * i + 1]);
  const std::size_t bit = i * depth_;
  return row[bit / 8] >> (8 - depth_ - bit % 8) & ((1u << depth_) - 1);
}

// Writes the samples of one place, of which it is the x-th of its row.
template <class T>
inline void PngReader::take_samples(T* to, const unsigned char* row, std::size_t x) const {
  if (has_palette_) {
    const unsigned colour = sample(row, x);
    if (3 * colour >= palette_.size()) fail("This PNG file is damaged");
    for (unsigned k = 0; k < 3; k++) to[k] = static_cast<T>(static_cast<unsigned char>(palette_[3 * colour + k]));
    if (samples_ == 4)
      to[3] = static_cast<T>(colour < transparent_.size() ? static_cast<unsigned char>(transparent_[colour]) : 255);
    return;
  }
  // Few bits are spread over what a byte holds.
  const unsigned most = (1u << depth_) - 1, factor = depth_ < 8 ? 255 / most : 1;
  bool is_transparent = samples_ > stored_;
  for (unsigned k = 0; k < stored_; k++) {
    const unsigned s = sample(row, x * stored_ + k);
    is_transparent = is_transparent && s == number_at(transparent_, 2 * k, 2);
    to[k] = static_cast<T>(s * factor);
  }
  if (samples_ > stored_) to[stored_] = static_cast<T>(is_transparent ? 0 : most * factor);
}

template <class T>
void PngReader::expand(T* to, const unsigned char* rows, const Part& part) const {
  const std::size_t bytes = row_bytes(part);
  for (std::size_t y = 0; y < part.height; y++) {
    if (y % 64 == 0) cx_.check_interrupt();
    T* place = to + ((part.first_y + y * part.step_y) * width_ + part.first_x) * samples_;
    for (std::size_t x = 0; x < part.width; x++, place += part.step_x * samples_) take_samples(place, rows + y * bytes + 1, x);
  }
}

Value PngReader::read() {
  require_zlib(cx_, self_);
  read_chunks();
  double all = 0;
  each_part([&](const Part& part) { all += static_cast<double>(row_bytes(part)) * static_cast<double>(part.height); });
  if (all > static_cast<double>(packed_.size()) * most_packed) fail("This PNG file is damaged");
  const auto size = static_cast<std::size_t>(all);
  const HeapArray<char> rows = make_heap_array<char>(cx_.heap, size);
  if (!inflated(cx_, self_, packed_, rows.get(), size)) fail("This PNG file is damaged");
  const std::size_t shape[] = {height_, width_, samples_};
  const ElementType type = depth_ == 16 ? ElementType::i32 : ElementType::i16;
  Ref<Array> picture = make_array(cx_.heap, type, std::span<const std::size_t>(shape, samples_ == 1 ? 2 : 3));
  auto* part_rows = reinterpret_cast<unsigned char*>(rows.get());
  each_part([&](const Part& part) {
    restore(part_rows, part);
    if (type == ElementType::i32)
      expand(picture->as<std::int32_t>(), part_rows, part);
    else
      expand(picture->as<std::int16_t>(), part_rows, part);
    part_rows += row_bytes(part) * part.height;
  });
  return to_value(std::move(picture));
}

}  // namespace griddle
