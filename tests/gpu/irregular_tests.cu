// Tests of intervals and of draws by products on a real device: every width, place and kind of counts beside loops over numbers;
// every method of drawing beside plain sums in exact arithmetic, and beside probabilities. Argument: how many outputs, and places
// to draw from, at most (2^20); below 50,000 outputs there are fewer draws, too, so that it ends under a sanitizer.
#include <cmath>
#include <functional>
#include <random>

#include "gpu/cuda/samplers.cuh"
#include "tests/gpu/on_device.h"

namespace griddle::cuda {

namespace {

std::mt19937_64 random_bits(7);
std::size_t most = std::size_t{1} << 20;

// --- intervals

struct Layout {
  std::string name;
  std::vector<std::uint64_t> counts;
};

std::vector<Layout> layouts(std::size_t outputs) {
  std::vector<Layout> all;
  const auto until = [&](const char* name, const std::function<std::uint64_t()>& next) {
    Layout l{name, {}};
    std::uint64_t sum = 0;
    while (sum < outputs) {
      l.counts.push_back(std::min<std::uint64_t>(next(), outputs - sum));
      sum += l.counts.back();
    }
    all.push_back(std::move(l));
  };
  until("0 to 19", [] { return random_bits() % 20; });
  until("ones", [] { return std::uint64_t{1}; });
  until("mostly empty", [] { return random_bits() % 8 ? 0 : random_bits() % 5; });
  until("heavy-tailed",
        [] { return static_cast<std::uint64_t>(std::min(1e6, 1e4 / static_cast<double>(1 + random_bits() % 10000))); });
  until("one giant", [=] { return std::uint64_t{outputs}; });
  until("long", [] { return 900 + random_bits() % 300; });
  until("127", [] { return std::uint64_t{127}; });
  // Empty ones in a row, longer than tiles, before, between and after.
  Layout hollow{"hollow", std::vector<std::uint64_t>(5000, 0)};
  for (std::uint64_t sum = 0; sum < outputs;) {
    hollow.counts.push_back(std::min<std::uint64_t>(outputs / 3 + 1, outputs - sum));
    sum += hollow.counts.back();
    hollow.counts.insert(hollow.counts.end(), 7001, 0);
  }
  all.push_back(std::move(hollow));
  return all;
}

std::uint64_t element(const std::vector<std::uint8_t>& bytes, unsigned bits, std::uint64_t i) {
  if (bits == 1) return bytes[i / 8] >> i % 8 & 1;
  std::uint64_t v = 0;
  std::memcpy(&v, &bytes[i * (bits / 8)], bits / 8);
  return v;
}
void set_element(std::vector<std::uint8_t>& bytes, unsigned bits, std::uint64_t i, std::uint64_t v) {
  if (bits == 1)
    bytes[i / 8] = static_cast<std::uint8_t>((bytes[i / 8] & ~(1u << i % 8)) | v << i % 8);
  else
    std::memcpy(&bytes[i * (bits / 8)], &v, bits / 8);
}

template <class E, class P>
void move(const Layout& l, unsigned bits, bool gathers, bool scatters) {
  const std::size_t n = l.counts.size();
  std::vector<E> ends(n);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < n; i++) ends[i] = static_cast<E>(total += l.counts[i]);
  // What is written lies in another order, with gaps; what is read anywhere.
  const std::size_t in_length = total + 77;
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; i++) order[i] = i;
  std::shuffle(order.begin(), order.end(), random_bits);
  std::vector<P> from(n), to(n);
  std::uint64_t at = 3;
  for (const std::size_t i : order) {
    to[i] = static_cast<P>(at);
    at += l.counts[i] + (l.counts[i] != 0 && random_bits() % 4 == 0 ? random_bits() % 40 : 0);
    from[i] = static_cast<P>(random_bits() % (in_length - l.counts[i] + 1));
  }
  const std::size_t out_length = scatters ? at + 5 : total + 45;  // what lies behind stays
  std::vector<std::uint8_t> in((in_length * bits + 7) / 8 + 8), wanted((out_length * bits + 31) / 32 * 4, 0);
  for (std::uint8_t& b : in) b = static_cast<std::uint8_t>(random_bits());
  for (std::uint8_t& b : wanted) b = static_cast<std::uint8_t>(random_bits());
  const Copy<std::uint8_t> there(in), out(wanted);
  const Copy<E> ends_there(ends);
  const Copy<P> from_there(from), to_there(to);
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < n; i++)
    for (std::uint64_t k = 0; k < l.counts[i]; k++, place++)
      set_element(wanted, bits, scatters ? static_cast<std::uint64_t>(to[i]) + k : place,
                  element(in, bits, gathers ? static_cast<std::uint64_t>(from[i]) + k : place));
  const auto type = [](auto t) { return std::is_same_v<decltype(t), double> ? griddle_device_f64 : griddle_device_i32; };
  const griddle_intervals intervals{
      n, total, type(E{}), type(P{}), ends_there.at(), gathers ? from_there.at() : nullptr, scatters ? to_there.at() : nullptr};
  int bad = 1;
  must(plugin->check_intervals(device, &intervals, in_length, out_length, &bad));
  const std::string what = l.name + ", " + std::to_string(bits) + " bits, " + std::to_string(total) +
                           (gathers ? ", gathered" : "") + (scatters ? ", scattered" : "");
  check("bounds of " + what, std::vector<int>{0}, std::vector<int>{bad});
  must(plugin->move_intervals(device, &intervals, bits, there.at(), out.at()));
  std::vector<std::uint8_t> got = out.back();
  // Bits past the end are anything.
  if (bits == 1)
    for (std::size_t i = out_length; i < wanted.size() * 8; i++) set_element(got, 1, i, element(wanted, 1, i));
  if (bits != 1) got.resize(out_length * bits / 8), wanted.resize(out_length * bits / 8);
  check(what, wanted, got);
}

template <class E, class T>
void expand(const Layout& l, bool numbers) {
  std::vector<E> ends;
  std::vector<T> values, wanted;
  std::uint64_t total = 0;
  for (const std::uint64_t c : l.counts) {
    ends.push_back(static_cast<E>(total += c));
    values.push_back(static_cast<T>(random_bits()));
    wanted.insert(wanted.end(), c, numbers ? static_cast<T>(ends.size() - 1) : values.back());
  }
  const Copy<E> ends_there(ends);
  const Copy<T> there(values), out(total);
  const griddle_intervals intervals{ends.size(),
                                    total,
                                    std::is_same_v<E, double> ? griddle_device_f64 : griddle_device_i32,
                                    griddle_device_i32,
                                    ends_there.at(),
                                    nullptr,
                                    nullptr};
  must(plugin->expand(device, &intervals, sizeof(T), numbers ? nullptr : there.at(), out.at()));
  check("expand " + l.name + ", " + std::to_string(sizeof(T)) + " bytes, " + std::to_string(total), wanted, out.back());
}

// The same where counts have 8 bits.
template <class T>
void expand_bytes(const Layout& l, bool numbers) {
  std::vector<std::int8_t> counts;
  std::vector<T> values, wanted;
  for (const std::uint64_t c : l.counts) {
    counts.push_back(static_cast<std::int8_t>(std::min<std::uint64_t>(c, 127)));
    values.push_back(static_cast<T>(random_bits()));
    wanted.insert(wanted.end(), static_cast<std::size_t>(counts.back()),
                  numbers ? static_cast<T>(counts.size() - 1) : values.back());
  }
  const Copy<std::int8_t> counts_there(counts);
  const Copy<T> there(values), out(wanted.size());
  const Copy<double> ends((counts.size() + griddle_count_group - 1) / griddle_count_group);
  must(plugin->sum_counts(device, counts_there.at(), counts.size(), ends.at()));
  check("sum of counts " + l.name, std::vector<double>{static_cast<double>(wanted.size())},
        std::vector<double>{ends.back().back()});
  must(plugin->expand_counts(device, counts_there.at(), counts.size(), ends.at(), sizeof(T), numbers ? nullptr : there.at(),
                             out.at()));
  check("expand bytes " + l.name + ", " + std::to_string(sizeof(T)) + " bytes, " + std::to_string(wanted.size()), wanted,
        out.back());
}

void bounds() {
  const std::vector<std::int32_t> ends{3, 3, 10};
  const auto is_bad = [&](std::vector<std::int32_t> from, std::vector<std::int32_t> to, std::uint64_t in, std::uint64_t out) {
    const Copy<std::int32_t> e(ends), f(from), t(to);
    const griddle_intervals intervals{3, 10, griddle_device_i32, griddle_device_i32, e.at(), f.at(), t.at()};
    int bad = 0;
    must(plugin->check_intervals(device, &intervals, in, out, &bad));
    return bad;
  };
  check("bounds", std::vector<int>{0, 1, 1, 1, 1},
        std::vector<int>{is_bad({0, 12, 5}, {7, 0, 0}, 12, 10), is_bad({0, 13, 5}, {7, 0, 0}, 12, 10),
                         is_bad({-1, 0, 5}, {7, 0, 0}, 12, 10), is_bad({0, 0, 6}, {7, 0, 0}, 12, 10),
                         is_bad({0, 0, 5}, {8, 0, 0}, 12, 10)});
}

// --- draws by products

using namespace samplers;

constexpr Method methods[] = {Method::pieces,     Method::prefix_linear, Method::prefix_binary,
                              Method::transposed, Method::butterfly,     Method::warp};
constexpr const char* names[] = {"pieces", "prefix-linear", "prefix-binary", "transposed", "butterfly", "warp"};

// Tables and rows on the device.
template <class T>
struct Given {
  Copy<T> first, second;
  Copy<std::int32_t> first_rows, second_rows, documents;
  Copy<u32> fault{std::vector<u32>{0}};
  Draws<T> draws;
  Given(const std::vector<T>& a, const std::vector<T>& b, u32 length, const std::vector<std::int32_t>& rows,
        const std::vector<std::int32_t>& other_rows, const std::vector<std::int32_t>& starts, std::int32_t* out)
      : first(a), second(b), first_rows(rows), second_rows(other_rows), documents(starts) {
    draws = {first.at(),
             second.at(),
             length,
             length,
             first_rows.at(),
             second_rows.at(),
             rows.size(),
             nullptr,
             static_cast<u32>(starts.size() - 1),
             77,
             5,
             out,
             fault.at()};
  }
};

template <class T>
std::vector<std::int32_t> drawn(Method m, Draws<T> d, u32 lanes, const Copy<std::int32_t>& out) {
  const u32 blocks = blocks_of(m, d, 64);
  const Copy<T> table(table_length(m, d, blocks) + 1);
  start(m, d, table.at(), blocks, lanes, device->stream);
  must(launched(*device));
  return out.back();
}

// Integers: every sum is exact, and every method gives the same.
void exact(u32 K, int zeros_of_8) {
  constexpr std::size_t rows = 50, words = 40;
  std::vector<u32> a(rows * K), b(words * K);
  for (u32& v : a) v = static_cast<int>(random_bits() % 8) < zeros_of_8 ? 0 : static_cast<u32>(1 + random_bits() % 30);
  for (u32& v : b) v = static_cast<u32>(random_bits() % 30 + 1);
  for (std::size_t r = 0; r < rows; r++) a[r * K + random_bits() % K] = 7;
  std::vector<std::int32_t> first, second, starts{0};
  for (std::size_t r = 0; r < rows; r++) {
    for (std::size_t k = random_bits() % 60; k-- > 0;) {
      first.push_back(static_cast<std::int32_t>(r));
      second.push_back(static_cast<std::int32_t>(random_bits() % words));
    }
    starts.push_back(static_cast<std::int32_t>(first.size()));
  }
  std::vector<std::int32_t> wanted;
  for (std::size_t i = 0; i < first.size(); i++) {
    const u32 *x = &a[static_cast<std::size_t>(first[i]) * K], *y = &b[static_cast<std::size_t>(second[i]) * K];
    u32 total = 0, sum = 0;
    for (u32 k = 0; k < K; k++) total += x[k] * y[k];
    const u64 random = rd::block_at(77, 5 + i / 2, 0).half(static_cast<int>(i % 2));
    const u32 share = static_cast<u32>(static_cast<unsigned __int128>(random) * total >> 64);
    u32 k = 0;
    while ((sum += x[k] * y[k]) <= share) k++;
    wanted.push_back(static_cast<std::int32_t>(k));
  }
  const Copy<std::int32_t> out(wanted.size());
  Given<u32> given(a, b, K, first, second, starts, out.at());
  for (const Method m : methods)
    for (const bool documents : {false, true}) {
      if (documents && !has_table(m)) continue;
      given.draws.documents = documents ? given.documents.at() : nullptr;
      for (const u32 lanes : {4u, 8u, 16u, 32u}) {
        if (m != Method::warp && lanes != 4) continue;
        check(std::string(names[static_cast<int>(m)]) + ", K = " + std::to_string(K) + ", " + std::to_string(zeros_of_8) +
                  " of 8 without weight, " + std::to_string(lanes) + " lanes" + (documents ? ", by documents" : ""),
              wanted, drawn(m, given.draws, lanes, out));
      }
    }
  check("no fault", std::vector<u32>{0}, given.fault.back());
}

// Gives the chi-squared statistic, less its mean, in deviations. Places without weight must not be drawn.
template <class T>
double deviation(const std::vector<double>& weights, const std::vector<std::int32_t>& places) {
  double total = 0, chi = 0;
  for (const double w : weights) total += w;
  std::vector<double> seen(weights.size());
  for (const std::int32_t p : places) seen[static_cast<std::size_t>(p)]++;
  double cells = 0, rare = 0, rare_seen = 0;
  for (std::size_t k = 0; k < weights.size(); k++) {
    const double expected = static_cast<double>(places.size()) * weights[k] / total;
    if (weights[k] == 0 && seen[k] != 0) return 1e9;
    if (expected < 8) {  // too few to count by themselves
      rare += expected;
      rare_seen += seen[k];
      continue;
    }
    chi += (seen[k] - expected) * (seen[k] - expected) / expected;
    cells++;
  }
  if (rare >= 8) {
    chi += (rare_seen - rare) * (rare_seen - rare) / rare;
    cells++;
  }
  return cells < 2 ? 0 : (chi - (cells - 1)) / std::sqrt(2 * (cells - 1));
}
template <class T>
void distribution(const char* kind, u32 K, const std::function<double(u32)>& weight) {
  std::vector<double> weights(K);
  std::vector<T> a(K), b(K);
  for (u32 k = 0; k < K; k++) {
    a[k] = static_cast<T>(weight(k));
    b[k] = static_cast<T>(0.5 + static_cast<double>(k % 3));
    weights[k] = static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  const std::vector<std::int32_t> zeros(std::min<std::size_t>(200000, 4 * most), 0);
  const Copy<std::int32_t> out(zeros.size());
  const Given<T> given(a, b, K, zeros, zeros, {0, static_cast<std::int32_t>(zeros.size())}, out.at());
  for (const Method m : methods) {
    const double d = deviation<T>(weights, drawn(m, given.draws, 8, out));
    if (!(std::fabs(d) < 5)) std::printf("%s %s K = %u: %g deviations\n", names[static_cast<int>(m)], kind, K, d);
    check(std::string(names[static_cast<int>(m)]) + " draws " + kind, std::vector<int>{1}, std::vector<int>{std::fabs(d) < 5});
  }
}

// The pattern of a butterfly: entry (row d, lane r) is the sum over places v to w of draw u.
template <int W>
__global__ void butterfly_of(const u32* in, u32* out) {
  u32 a[W];
  for (int k = 0; k < W; k++) a[k] = in[k * W + threadIdx.x % W];
  make_butterfly<W>(a);
  if (threadIdx.x < W)
    for (int k = 0; k < W; k++) out[k * W + threadIdx.x] = a[k];
}
template <int W>
void pattern() {
  std::vector<u32> in(W * W), wanted(W * W);
  for (u32& v : in) v = static_cast<u32>(random_bits() % 1000);
  for (u32 d = 0; d < W; d++)
    for (u32 r = 0; r < W; r++) {
      const u32 m = d == W - 1 ? 2 * W - 1 : d ^ (d + 1), k = m >> 1, u = ((d & ~m) + (r & m)) % W, v = r & ~k;
      u32 sum = 0;
      for (u32 at = d == W - 1 ? 0 : v; at <= (d == W - 1 ? W - 1 : v + k); at++) sum += in[(d == W - 1 ? r : u) * W + at];
      wanted[d * W + r] = sum;
    }
  const Copy<u32> there(in), out(W * W);
  butterfly_of<W><<<1, 32, 0, device->stream>>>(there.at(), out.at());
  check("butterfly of " + std::to_string(W), wanted, out.back());
}

// A block as figure 1 of "Using Butterfly-Patterned Partial Sums to Draw from Discrete Distributions" (2015) shows it, for 8
// draws: of which draw each entry is, and the sum over which places of the block.
void figure() {
  constexpr int W = 8;
  static const char* const shown[W] = {
      "0:0-0 1:1-1 0:2-2 1:3-3 0:4-4 1:5-5 0:6-6 1:7-7", "0:0-1 1:0-1 2:2-3 3:2-3 0:4-5 1:4-5 2:6-7 3:6-7",
      "2:0-0 3:1-1 2:2-2 3:3-3 2:4-4 3:5-5 2:6-6 3:7-7", "0:0-3 1:0-3 2:0-3 3:0-3 4:4-7 5:4-7 6:4-7 7:4-7",
      "4:0-0 5:1-1 4:2-2 5:3-3 4:4-4 5:5-5 4:6-6 5:7-7", "4:0-1 5:0-1 6:2-3 7:2-3 4:4-5 5:4-5 6:6-7 7:6-7",
      "6:0-0 7:1-1 6:2-2 7:3-3 6:4-4 7:5-5 6:6-6 7:7-7", "0:0-7 1:0-7 2:0-7 3:0-7 4:0-7 5:0-7 6:0-7 7:0-7"};
  std::vector<u32> in(W * W), wanted;
  for (u32& v : in) v = static_cast<u32>(random_bits() % 1000);
  for (const char* row : shown)
    for (int r = 0; r < W; r++, row += 6) {
      u32 sum = 0;
      for (int at = row[2] - '0'; at <= row[4] - '0'; at++) sum += in[static_cast<std::size_t>((row[0] - '0') * W + at)];
      wanted.push_back(sum);
    }
  const Copy<u32> there(in), out(W * W);
  butterfly_of<W><<<1, 32, 0, device->stream>>>(there.at(), out.at());
  check("figure 1", wanted, out.back());
}

void faults() {
  const auto fault = [](std::vector<double> a, std::vector<std::int32_t> rows) {
    const Copy<double> first(a), second(std::vector<double>{1, 1, 1});
    const Copy<std::int32_t> at(rows), zeros(std::vector<std::int32_t>(rows.size(), 0)), out(rows.size());
    griddle_product_draws p{};
    p.method = griddle_draw_pieces;
    p.tables[0] = first.at();
    p.tables[1] = second.at();
    p.rows[0] = a.size() / 3;
    p.rows[1] = 1;
    p.length = 3;
    p.at[0] = at.at();
    p.at[1] = zeros.at();
    p.count = rows.size();
    int is = 0, single = 0;
    must(plugin->draw_products(device, &p, out.at(), &is));
    p.single = 1;
    p.method = griddle_draw_warp;
    must(plugin->draw_products(device, &p, out.at(), &single));
    return is + 2 * single;
  };
  check("faults", std::vector<int>{0, 3, 3, 3, 3, 3, 3},
        std::vector<int>{fault({0, 1, 0}, {0, 0}), fault({0, 0, 0}, {0}), fault({1, -1, 2}, {0}), fault({1, NAN, 2}, {0}),
                         fault({1, INFINITY, 2}, {0}), fault({1, 1, 1}, {0, 1}), fault({1, 1, 1}, {-1})});
}

}  // namespace

}  // namespace griddle::cuda

int main(int count, char** arguments) {
  using namespace griddle::cuda;
  if (count > 1) most = std::strtoull(arguments[1], nullptr, 10);
  return run_tests([] {
    for (const std::size_t n : {1, 7, 33, 991, 993, 4097, 65537, 1 << 20}) {
      if (n > most) continue;
      for (const Layout& l : layouts(n)) {
        expand<std::int32_t, std::uint8_t>(l, false);
        expand<std::int32_t, std::uint16_t>(l, false);
        expand<double, std::uint32_t>(l, false);
        expand<std::int32_t, std::uint32_t>(l, true);
        expand<std::int32_t, std::uint64_t>(l, false);
        expand_bytes<std::uint8_t>(l, false);
        expand_bytes<std::uint16_t>(l, false);
        expand_bytes<std::uint32_t>(l, false);
        expand_bytes<std::uint32_t>(l, true);
        expand_bytes<std::uint64_t>(l, false);
        for (const unsigned bits : {1u, 8u, 16u, 32u, 64u}) {
          move<std::int32_t, std::int32_t>(l, bits, true, false);
          move<double, std::int32_t>(l, bits, false, true);
          move<std::int32_t, double>(l, bits, true, true);
        }
      }
    }
    bounds();
    for (const u32 K : {1u,   2u,   3u,   7u,   8u,   9u,   16u,  31u,  32u,   33u,   48u,   63u,   64u,   65u,  80u,
                        112u, 127u, 208u, 240u, 256u, 257u, 511u, 513u, 1000u, 1024u, 1025u, 2047u, 4097u, 5000u})
      for (const int zeros : {0, 4, 8})
        if (K <= most) exact(K, zeros);
    for (const u32 K : {1u, 2u, 5u, 19u, 32u, 45u, 100u, 240u, 1000u}) {
      if (K > most) continue;
      distribution<double>("uniform", K, [](u32) { return 1.0; });
      distribution<float>("uniform in 24 bits", K, [](u32) { return 1.0; });
      distribution<double>("skewed", K, [](u32 k) { return 1.0 / (1 + k); });
      distribution<float>("skewed in 24 bits", K, [](u32 k) { return 1.0 / (1 + k); });
      distribution<double>("one-hot", K, [=](u32 k) { return k == K / 2 ? 1.0 : 0.0; });
      distribution<float>("one-hot in 24 bits", K, [=](u32 k) { return k == K / 2 ? 1.0 : 0.0; });
      distribution<double>("with zeros", K, [](u32 k) { return k % 3 == 1 ? 0.0 : 1.0 + k; });
      distribution<float>("with zeros in 24 bits", K, [](u32 k) { return k % 3 == 1 ? 0.0 : 1.0 + k; });
    }
    pattern<4>();
    pattern<8>();
    pattern<32>();
    figure();
    faults();
  });
}
