// Tests of the look-back engine on a real device, where programs do not reach or not at every edge: both drivers with an
// operation whose order matters, compaction in place, sums of bytes at their limits, runs of every kind; elements put to places;
// numbers of others. Built with the plug-in's objects (tests/gpu/meson.build). Arguments: how many elements at most (2^22).
#include <algorithm>
#include <functional>
#include <random>
#include <unordered_map>

#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/scan.cuh"
#include "tests/gpu/on_device.h"

namespace griddle::cuda {

namespace {

std::mt19937 random_bits(5);
std::size_t most = std::size_t{1} << 22;

std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (const std::size_t n : {1, 2, 31, 33, 127, 129, 4095, 4097, 8192, 8193, 16384, 20481, 65537, 262145, 1048579, 4194301})
    if (n <= most) all.push_back(n);
  return all;
}

// --- transfers: in one piece, and dealt out to lanes in short pieces and long ones

void transfers(std::size_t bytes) {
  std::vector<std::uint32_t> sent((bytes + 3) / 4), back(sent.size() + 1, 0xA5A5A5A5);
  for (std::uint32_t& v : sent) v = static_cast<std::uint32_t>(random_bits());
  const auto* from = reinterpret_cast<const std::uint8_t*>(sent.data());
  const std::vector<std::uint8_t> wanted(from, from + bytes);
  Copy<std::uint8_t> there(wanted);
  check("there and back, " + std::to_string(bytes) + " bytes", wanted, there.back());
  must(plugin->download(device, back.data(), there.at(), bytes));
  const auto* got = reinterpret_cast<const std::uint8_t*>(back.data());
  check("nothing beyond, " + std::to_string(bytes) + " bytes", std::vector<std::uint8_t>(4, 0xA5),
        std::vector<std::uint8_t>(got + back.size() * 4 - 4, got + back.size() * 4));
}

// --- order

using ComposeScan = Scan<AffineMap, AffineMap, Compose, 16, 4>;

void compose(std::size_t rows, std::size_t length) {
  std::vector<AffineMap> maps(rows * length), wanted(rows * length);
  for (AffineMap& m : maps) m = {static_cast<u32>(random_bits()) | 1, static_cast<u32>(random_bits())};
  for (std::size_t i = 0; i < maps.size(); i++) {
    const AffineMap before = i % length ? wanted[i - 1] : AffineMap{1, 0};
    wanted[i] = {before.scale * maps[i].scale, maps[i].scale * before.shift + maps[i].shift};
  }
  Copy<AffineMap> in(maps);
  ComposeScan job{};
  const u32 tiles_in_row = tiles_for(length, ComposeScan::tile_length);
  job.in = reinterpret_cast<const char*>(in.at());
  job.table = {static_cast<i64>(length), tiles_in_row};
  job.tiles = static_cast<u32>(tiles_in_row * rows);
  const std::string sizes = std::to_string(rows) + " rows of " + std::to_string(length);
  for (int again = 0; again < 3; again++) {
    Copy<AffineMap> out(maps.size());
    job.out = out.at();
    must(run_tile_a_block(*device, job, job.tiles));
    check("composition of maps, one tile a block, " + sizes, wanted, out.back());
    Copy<AffineMap> second(maps.size());
    job.out = second.at();
    const griddle_status s = run_persistent<ComposeScan, Tuning{16, 4, 5, 3, 5}>(*device, job, job.tiles);
    if (s == griddle_unsupported) continue;
    must(s);
    check("composition of maps, persistent blocks, " + sizes, wanted, second.back());
  }
}

// --- compaction

template <class T>
void compact(std::size_t n, unsigned of_16, bool in_place) {
  std::vector<T> items(n), wanted;
  std::vector<std::uint64_t> mask((n + 63) / 64);
  for (std::size_t i = 0; i < n; i++) {
    items[i] = static_cast<T>(random_bits() * std::uint64_t{0x9E3779B97F4A7C15});
    if (random_bits() % 16 >= of_16) continue;
    mask[i / 64] |= std::uint64_t{1} << i % 64;
    wanted.push_back(items[i]);
  }
  Copy<T> there(items);
  const Copy<T> apart(in_place ? 1 : wanted.size());
  Copy<std::uint64_t> bits(mask);
  const Copy<T>& to = in_place ? there : apart;
  must(plugin->select_if(device, sizeof(T), there.at(), bits.at(), to.at(), nullptr, n));
  const std::string place = in_place ? "compaction in place, " : "compaction, ";
  check(place + std::to_string(sizeof(T)) + " bytes, " + std::to_string(of_16) + " of 16, " + std::to_string(n), wanted,
        to.back(wanted.size()));
}

void select_bits(std::size_t n, unsigned of_16) {
  std::vector<std::uint32_t> items((n + 31) / 32), mask(items.size()), wanted(items.size());
  for (std::uint32_t& v : items) v = static_cast<std::uint32_t>(random_bits());
  for (std::uint32_t& v : mask) v = static_cast<std::uint32_t>(random_bits());  // past the end, too
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i++) {
    const std::uint32_t bit = std::uint32_t{1} << i % 32;
    mask[i / 32] = (mask[i / 32] & ~bit) | (random_bits() % 16 < of_16 ? bit : 0);
    if ((mask[i / 32] & bit) == 0) continue;
    wanted[count / 32] |= (items[i / 32] >> i % 32 & 1) << count % 32;
    count++;
  }
  wanted.resize((count + 31) / 32);
  if (count == 0) return;
  const Copy<std::uint32_t> from(items), by(mask), to(wanted.size());
  must(plugin->select_bits(device, from.at(), by.at(), to.at(), count, n));
  check("bits kept, " + std::to_string(of_16) + " of 16, " + std::to_string(n), wanted, to.back());
}

void places(std::size_t n, unsigned of_16) {
  std::vector<std::uint32_t> mask((n + 31) / 32);
  std::vector<std::int32_t> wanted, others;
  for (std::uint32_t& v : mask) v = static_cast<std::uint32_t>(random_bits());  // past the end, too
  for (std::size_t i = 0; i < n; i++) {
    const std::uint32_t bit = std::uint32_t{1} << i % 32;
    const bool is_set = random_bits() % 16 < of_16;
    mask[i / 32] = (mask[i / 32] & ~bit) | (is_set ? bit : 0);
    (is_set ? wanted : others).push_back(static_cast<std::int32_t>(i));
  }
  const Copy<std::uint32_t> by(mask);
  const Copy<std::int32_t> alone(wanted.size() + 1), both(n);
  must(plugin->select_if(device, 4, nullptr, by.at(), alone.at(), nullptr, n));
  const std::string what = std::to_string(of_16) + " of 16, " + std::to_string(n);
  check("places, " + what, wanted, alone.back(wanted.size()));
  must(plugin->select_if(device, 4, nullptr, by.at(), both.at() + others.size(), both.at(), n));
  std::vector<std::int32_t> in_order = others;
  in_order.insert(in_order.end(), wanted.begin(), wanted.end());
  check("places of both, " + what, in_order, both.back());
}

// --- moves, boxes and gathers beside loops

void moved_bytes(std::size_t n) {
  std::vector<std::uint8_t> in(n + 32), before(n + 64);
  for (auto* bytes : {&in, &before})
    for (std::uint8_t& b : *bytes) b = static_cast<std::uint8_t>(random_bits());
  const Copy<std::uint8_t> from(in);
  for (const std::size_t start : {0, 1, 7, 16, 19})
    for (const std::size_t at : {0, 1, 5, 15, 16, 35}) {
      const Copy<std::uint8_t> to(before);
      must(plugin->move(device, 8, from.at(), static_cast<std::int64_t>(start), 1, to.at(), static_cast<std::int64_t>(at), n));
      std::vector<std::uint8_t> wanted = before;
      std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(start), n, wanted.begin() + static_cast<std::ptrdiff_t>(at));
      check("bytes moved from " + std::to_string(start) + " to " + std::to_string(at) + ", " + std::to_string(n), wanted,
            to.back());
    }
}

// Rows that are reversed, begin further on, turn round or end in fills.
template <class T>
void boxes(std::size_t rows, std::size_t across) {
  std::vector<T> in(rows * across);
  for (T& v : in) v = static_cast<T>(random_bits());
  const Copy<T> from(in);
  const auto row = static_cast<std::int64_t>(across);
  const griddle_axis all{rows, row, 0, 0};
  const std::pair<griddle_axis, std::int64_t> kinds[] = {
      {{across, -1, 0, 0}, row - 1},     {{across - across / 3, 1, 0, 0}, row / 3},
      {{across, 1, row / 2, across}, 0}, {{across, -1, row / 2, across}, row - 1},
      {{across + 5, 1, -3, across}, 0},  {{across, 1, 1, across}, 0}};
  for (const auto& [axis, first] : kinds)
    for (const bool fills : {false, true}) {
      if (!fills && (axis.first < 0 || axis.length > across)) continue;
      const griddle_box box{sizeof(T) * 8, 2, fills, first, 7, {all, axis}};
      std::vector<T> wanted;
      for (std::size_t r = 0; r < rows; r++)
        for (std::size_t i = 0; i < axis.length; i++) {
          std::int64_t place = static_cast<std::int64_t>(i) + axis.first;
          const bool outside = axis.limit != 0 && (place < 0 || place >= row);
          if (outside && !fills) place -= row;
          wanted.push_back(outside && fills ? T{7} : in[r * across + static_cast<std::size_t>(first + place * axis.step)]);
        }
      const Copy<T> to(wanted.size());
      must(plugin->box(device, &box, from.at(), to.at()));
      check("box of " + std::to_string(rows) + " rows of " + std::to_string(across) + ", " + std::to_string(sizeof(T)) + " bytes",
            wanted, to.back());
    }
}

template <class T, class I>
void gathers(std::size_t n, griddle_device_type type) {
  const std::size_t cells = 100;
  std::vector<T> in(cells), wanted(n);
  std::vector<I> at(n);
  std::vector<std::uint32_t> bits(cells / 32 + 1), wanted_bits((n + 31) / 32);
  for (T& v : in) v = static_cast<T>(random_bits());
  for (std::uint32_t& v : bits) v = static_cast<std::uint32_t>(random_bits());
  for (std::size_t i = 0; i < n; i++) {
    const int index = static_cast<int>(random_bits() % 200) - 100;
    const std::size_t place = static_cast<std::size_t>(index < 0 ? index + 100 : index);
    at[i] = static_cast<I>(index);
    wanted[i] = in[place];
    wanted_bits[i / 32] |= (bits[place / 32] >> place % 32 & 1) << i % 32;
  }
  const Copy<T> from(in), to(n);
  const Copy<std::uint32_t> of_bits(bits), to_bits(wanted_bits.size());
  const std::string what = std::to_string(sizeof(T)) + " bytes by " + std::to_string(sizeof(I)) + ", " + std::to_string(n);
  int bad = 0;
  for (const int wrong : {0, 1}) {
    if (wrong) at[n / 2] = static_cast<I>(n % 2 ? 100 : -101);
    const Copy<I> by(at);
    must(plugin->gather(device, sizeof(T) * 8, from.at(), cells, 1, type, by.at(), to.at(), n, &bad));
    check("places within bounds, " + what, std::vector<int>{wrong}, std::vector<int>{bad});
    if (!wrong) check("elements gathered, " + what, wanted, to.back());
    must(plugin->gather(device, 1, of_bits.at(), cells, 1, type, by.at(), to_bits.at(), n, &bad));
    check("places of bits within bounds, " + what, std::vector<int>{wrong}, std::vector<int>{bad});
    if (!wrong) check("bits gathered, " + what, wanted_bits, to_bits.back());
  }
}

// --- sums of narrow elements

template <class In, class Out>
void sum(const char* what, std::size_t n, griddle_device_type from, griddle_device_type to,
         const std::function<In(std::size_t)>& element) {
  std::vector<In> in(n);
  std::vector<Out> wanted(n);
  long long total = 0;
  for (std::size_t i = 0; i < n; i++) {
    in[i] = element(i);
    total += in[i];
    wanted[i] = static_cast<Out>(total);
  }
  Copy<In> there(in);
  Copy<Out> out(n);
  must(plugin->scan(device, griddle_fold_add, from, to, there.at(), out.at(), 1, n));
  check(std::string("sums of ") + what + ", " + std::to_string(n), wanted, out.back());
}

template <class In>
void sums(const char* what, std::size_t n, griddle_device_type from) {
  constexpr In low = static_cast<In>(1u << (8 * sizeof(In) - 1)), high = static_cast<In>(~low);
  if (n * -static_cast<double>(low) < 2147483648.0) {
    sum<In, int>(what, n, from, griddle_device_i32, [](std::size_t) { return low; });
    sum<In, int>(what, n, from, griddle_device_i32, [](std::size_t i) { return i % 3 ? high : low; });
  }
  sum<In, double>(what, n, from, griddle_device_f64, [](std::size_t) { return high; });
  sum<In, double>(what, n, from, griddle_device_f64, [](std::size_t i) { return i % 5 ? low : high; });
  sum<In, double>(what, n, from, griddle_device_f64, [](std::size_t) { return static_cast<In>(random_bits()); });
}

// --- numbers of others

// Every type, with axes in another order, and from a place that only suits the type.
template <class From, class To>
void imported(const char* what, griddle_foreign_type type, std::size_t rows, std::size_t columns) {
  std::vector<From> in(rows * columns + 1);
  std::vector<To> wanted(rows * columns);
  for (From& v : in) v = static_cast<From>(random_bits() % 100);
  for (std::size_t i = 0; i < wanted.size(); i++) wanted[i] = static_cast<To>(in[1 + i % rows * columns + i / rows]);
  griddle_box box{};
  box.axis_count = 2;
  box.axes[0] = {columns, 1, 0, 0};
  box.axes[1] = {rows, static_cast<std::int64_t>(columns), 0, 0};
  Copy<From> there(in);
  Copy<To> out(wanted.size());
  int bad = -1;
  must(plugin->import_numbers(device, type, &box, there.at() + 1, out.at(), &bad));
  check(std::string("imported ") + what + ", " + std::to_string(rows) + " by " + std::to_string(columns), wanted, out.back());
  check(std::string("none is beyond, ") + what, std::vector<int>{0}, std::vector<int>{bad});
  if (sizeof(From) < 8 || static_cast<From>(0.5) != 0) return;
  in.back() = static_cast<From>(std::uint64_t{1} << 60);
  Copy<From> large(in);
  must(plugin->import_numbers(device, type, &box, large.at() + 1, out.at(), &bad));
  check(std::string("one is beyond, ") + what, std::vector<int>{1}, std::vector<int>{bad});
}

void all_imported(std::size_t rows, std::size_t columns) {
  imported<std::int8_t, std::int8_t>("i8", griddle_foreign_i8, rows, columns);
  imported<std::int16_t, std::int16_t>("i16", griddle_foreign_i16, rows, columns);
  imported<std::int32_t, std::int32_t>("i32", griddle_foreign_i32, rows, columns);
  imported<std::int64_t, double>("i64", griddle_foreign_i64, rows, columns);
  imported<std::uint8_t, std::int16_t>("u8", griddle_foreign_u8, rows, columns);
  imported<std::uint16_t, std::int32_t>("u16", griddle_foreign_u16, rows, columns);
  imported<std::uint32_t, double>("u32", griddle_foreign_u32, rows, columns);
  imported<std::uint64_t, double>("u64", griddle_foreign_u64, rows, columns);
  imported<float, double>("f32", griddle_foreign_f32, rows, columns);
  imported<double, double>("f64", griddle_foreign_f64, rows, columns);
}

// --- runs

template <class Key>
void runs(const char* what, std::size_t n, const std::function<bool(std::size_t)>& begins) {
  std::vector<Key> keys(n), firsts;
  std::vector<double> values(n), totals;
  std::vector<std::int32_t> starts;
  Key key = 7;
  for (std::size_t i = 0; i < n; i++) {
    values[i] = static_cast<double>(random_bits() % 1000);
    if (i == 0 || begins(i)) {
      key = static_cast<Key>(key + 1 + random_bits() % 3);
      firsts.push_back(key);
      starts.push_back(static_cast<std::int32_t>(i));
      totals.push_back(0);
    }
    keys[i] = key;
    totals.back() += values[i];
  }
  const std::string name = std::string(what) + ", keys of " + std::to_string(sizeof(Key)) + " bytes, " + std::to_string(n);
  Copy<Key> in(keys), first(n);
  Copy<std::int32_t> start(n);
  std::uint64_t count = 0;
  must(plugin->runs(device, sizeof(Key), in.at(), first.at(), start.at(), n, &count));
  check("number of runs, " + name, std::vector<std::uint64_t>{firsts.size()}, std::vector<std::uint64_t>{count});
  check("keys of runs, " + name, firsts, first.back(firsts.size()));
  check("starts of runs, " + name, starts, start.back(starts.size()));
  if constexpr (sizeof(Key) >= 4) {
    Copy<double> value(values), total(n);
    Copy<Key> second(n);
    must(plugin->fold_runs(device, sizeof(Key), in.at(), value.at(), second.at(), total.at(), n, &count));
    check("number of sums, " + name, std::vector<std::uint64_t>{firsts.size()}, std::vector<std::uint64_t>{count});
    check("keys of sums, " + name, firsts, second.back(firsts.size()));
    check("sums over runs, " + name, totals, total.back(totals.size()));
  }
}

template <class Key>
void runs_of_all_kinds(std::size_t n) {
  runs<Key>("one run", n, [](std::size_t) { return false; });
  runs<Key>("no two alike", n, [](std::size_t) { return true; });
  runs<Key>("pairs", n, [](std::size_t i) { return i % 2 == 0; });
  runs<Key>("about 500 long", n, [](std::size_t) { return random_bits() % 500 == 0; });
  runs<Key>("long, then short", n, [n](std::size_t i) { return i > n / 2 && random_bits() % 3 == 0; });
  runs<Key>("at the ends of rows and tiles", n, [](std::size_t i) { return i % 128 == 0 || i % 5120 == 5119; });
}

// --- elements put to places: all over the array or in order, some of them or all, the same place twice

template <class T>
void scatter(const char* what, std::size_t cells, std::size_t count, bool in_order, bool twice) {
  std::vector<std::int32_t> places(cells);
  for (std::size_t i = 0; i < cells; i++) places[i] = static_cast<std::int32_t>(i);
  if (!in_order) std::shuffle(places.begin(), places.end(), random_bits);
  places.resize(count);
  if (twice) places[count / 2] = places[count - 1];
  std::vector<T> before(cells), elements(count);
  for (T& v : before) v = static_cast<T>(random_bits());
  for (T& v : elements) v = static_cast<T>(random_bits());
  if (twice) elements[count / 2] = elements[count - 1];
  std::vector<T> wanted = before;
  for (std::size_t i = 0; i < count; i++) wanted[static_cast<std::size_t>(places[i])] = elements[i];
  const Copy<T> old(before), from(elements), to(cells);
  const Copy<std::int32_t> at(places);
  const std::string name = std::string("places ") + what + ", " + std::to_string(count) + " of " + std::to_string(cells) + ", " +
                           std::to_string(sizeof(T)) + " bytes";
  int repeated = -1;
  must(plugin->scatter(device, sizeof(T), old.at(), from.at(), at.at(), to.at(), count, cells, &repeated));
  check(name, wanted, to.back());
  check("repeated, " + name, std::vector<int>{twice}, std::vector<int>{repeated});
  if (count != cells || twice) return;
  const Copy<T> all(cells);
  must(plugin->scatter(device, sizeof(T), nullptr, from.at(), at.at(), all.at(), count, cells, nullptr));
  check("nothing before, " + name, wanted, all.back());
}
template <class T>
void scatters(std::size_t cells) {
  scatter<T>("anywhere", cells, cells, false, false);
  scatter<T>("anywhere", cells, (cells + 3) / 4, false, false);
  scatter<T>("in order", cells, cells, true, false);
  scatter<T>("in order", cells, (cells + 1) / 2, true, false);
  if (cells < 2) return;
  scatter<T>("twice", cells, cells, false, true);
  scatter<T>("twice", cells, (cells + 1) / 2, false, true);
}

// --- the first of equal elements: few values, many, and values that all come into one bucket

template <class T>
void first_equals(const char* what, std::size_t n, const std::function<T(std::size_t)>& value) {
  std::vector<T> elements(n);
  for (std::size_t i = 0; i < n; i++) elements[i] = value(i);
  std::vector<std::int32_t> wanted(n);
  std::vector<std::uint32_t> marks((n + 31) / 32);
  std::unordered_map<T, std::int32_t> known;
  for (std::size_t i = 0; i < n; i++) {
    wanted[i] = known.emplace(elements[i], static_cast<std::int32_t>(i)).first->second;
    if (wanted[i] == static_cast<std::int32_t>(i)) marks[i / 32] |= 1u << i % 32;
  }
  const Copy<T> from(elements);
  const Copy<std::uint32_t> bits(marks.size());
  const Copy<std::int32_t> places(n), firsts(n);
  const std::string name =
      std::string("first equals, ") + what + ", " + std::to_string(n) + ", " + std::to_string(sizeof(T)) + " bytes";
  must(plugin->first_equals(device, sizeof(T), from.at(), bits.at(), nullptr, nullptr, n));
  check("marked, " + name, marks, bits.back());
  must(plugin->first_equals(device, sizeof(T), from.at(), nullptr, places.at(), firsts.at(), n));
  std::vector<std::int32_t> got(n, -1);
  const std::vector<std::int32_t> at = places.back(), first = firsts.back();
  for (std::size_t i = 0; i < n; i++)
    if (static_cast<std::size_t>(at[i]) < n) got[static_cast<std::size_t>(at[i])] = first[i];
  check(name, wanted, got);
}
// Gives the number that is mixed into this one (gpu/cuda/buckets/firsts.cu).
template <class T>
T unmixed(T x, T first, T second, int left, int middle) {
  const auto undo = [](T odd) {
    T inverse = odd;
    for (int i = 0; i < 6; i++) inverse *= 2 - odd * inverse;
    return inverse;
  };
  constexpr int width = 8 * sizeof(T);
  const auto turn = [](T y, int by) {
    T z = y;
    for (int done = by; done < width; done += by) z = y ^ z >> by;
    return z;
  };
  return turn(turn(turn(x, left) * undo(second), middle) * undo(first), left);
}
template <class T>
void all_first_equals(std::size_t n) {
  constexpr int width = 8 * sizeof(T);
  first_equals<T>("one value", n, [](std::size_t) { return T(7); });
  first_equals<T>("few values", n, [](std::size_t) { return static_cast<T>(random_bits() % 5) << (width - 3); });
  first_equals<T>("pairs", n, [n](std::size_t i) { return static_cast<T>(i % (n / 2 + 1)) * 1000; });
  first_equals<T>("no two alike", n, [](std::size_t i) { return static_cast<T>(i) * 3; });
  first_equals<T>("one bucket", n, [](std::size_t i) {
    const T key = T(5) << (width - 16) | static_cast<T>(i % 65521);
    if constexpr (width == 32)
      return unmixed<T>(key, 0x85EBCA6B, 0xC2B2AE35, 16, 13);
    else
      return unmixed<T>(key, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, 33, 33);
  });
}

}  // namespace

}  // namespace griddle::cuda

int main(int count, char** arguments) {
  using namespace griddle::cuda;
  if (count > 1) most = std::strtoull(arguments[1], nullptr, 10);
  return run_tests([] {
    for (const std::size_t bytes : {std::size_t{1}, (std::size_t{8} << 20) - 1, std::size_t{8} << 20, std::size_t{12'582'917},
                                    (std::size_t{21} << 20) + 4095, std::size_t{100'000'007}})
      if (bytes <= 32 * most) transfers(bytes);
    for (const std::size_t n : lengths()) {
      compose(1, n);
      compact<std::uint8_t>(n, 8, true);
      compact<std::uint16_t>(n, 15, true);
      compact<std::uint32_t>(n, 8, true);
      compact<std::uint32_t>(n, 16, true);
      compact<std::uint64_t>(n, 1, true);
      for (const unsigned of_16 : {1u, 8u, 15u, 16u}) {
        compact<std::uint8_t>(n, of_16, false);
        compact<std::uint16_t>(n, of_16, false);
      }
      for (const unsigned of_16 : {1u, 8u, 16u}) select_bits(n, of_16);
      for (const unsigned of_16 : {0u, 1u, 8u, 16u}) places(n, of_16);
      sums<std::int8_t>("bytes", n, griddle_device_i8);
      sums<std::int16_t>("shorts", n, griddle_device_i16);
      runs_of_all_kinds<std::uint8_t>(n);
      runs_of_all_kinds<std::uint16_t>(n);
      runs_of_all_kinds<std::uint32_t>(n);
      runs_of_all_kinds<std::uint64_t>(n);
    }
    // Long enough for persistent blocks.
    if (most >= std::size_t{1} << 22) {
      select_bits(26'000'003, 8);
      places(16'000'003, 8);
    }
    for (const std::size_t n : {1, 15, 33, 4097}) {
      moved_bytes(n);
      gathers<std::uint8_t, std::int8_t>(n, griddle_device_i8);
      gathers<std::uint16_t, std::int16_t>(n, griddle_device_i16);
      gathers<std::uint32_t, std::int32_t>(n, griddle_device_i32);
      gathers<std::uint64_t, double>(n, griddle_device_f64);
      for (const std::size_t rows : {1, 3, 7}) {
        boxes<std::uint8_t>(rows, n);
        boxes<std::uint16_t>(rows, n);
        boxes<std::uint32_t>(rows, n);
        boxes<std::uint64_t>(rows, n);
      }
    }
    for (const std::size_t n : {1, 33, 4097, 262145, 4194301, 6400003}) {
      if (n > 2 * most) continue;
      scatters<std::uint8_t>(n);
      scatters<std::uint16_t>(n);
      scatters<std::uint32_t>(n);
      scatters<std::uint64_t>(n);
    }
    for (const std::size_t n : {1, 2, 33, 4097, 70001, 1000003}) {
      if (n > most) continue;
      all_first_equals<std::uint32_t>(n);
      all_first_equals<std::uint64_t>(n);
    }
    all_imported(1, 1);
    all_imported(3, 5);
    all_imported(1000, 333);
    compose(7, 4096);
    if (most >= 300000) compose(20, 14998);
  });
}
