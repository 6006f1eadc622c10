#include "gpu/costs.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "runtime/files.h"

namespace griddle {

namespace {

std::string key_of(const OpenDevice& d) { return std::string(d.info.name) + ", driver " + std::to_string(d.info.driver); }

// A line is five numbers and the key.
std::optional<Costs> costs_in(const std::string& line, std::string& key) {
  Costs c;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (double* number : {&c.open, &c.call, &c.up, &c.down, &c.pass}) {
    const auto [after, problem] = std::from_chars(at, end, *number);
    if (problem != std::errc() || after == end || *after != ' ') return std::nullopt;
    at = after + 1;
  }
  key.assign(at, end);
  const auto sane = [](double cost) { return cost >= 0 && std::isfinite(cost); };
  return sane(c.open) && sane(c.call) && sane(c.up) && sane(c.down) && sane(c.pass) ? std::optional(c) : std::nullopt;
}

std::string line_of(const Costs& c, const std::string& key) {
  std::string line;
  for (const double number : {c.open, c.call, c.up, c.down, c.pass}) {
    char text[32];
    line.append(text, std::to_chars(text, text + sizeof text, number).ptr) += ' ';
  }
  return line + key + '\n';
}

// Puts the device's line last. Where the file cannot be written, the next program measures again.
void remember(const std::string& path, const OpenDevice& d, const Costs& c) {
  if (path.empty() || !make_folders_above(path)) return;
  std::vector<std::string> lines;
  read_own_lines(path, lines);
  std::erase_if(lines, [&](const std::string& line) {
    std::string key;
    return !costs_in(line, key) || key == key_of(d);
  });
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  write_own_file(path, text + line_of(c, key_of(d)), Writing::replace);
}

// Gives the least time of several.
template <class F>
double least_seconds(int times, F f) {
  double least = 1e9;
  for (int i = 0; i < times; i++) {
    const auto start = std::chrono::steady_clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

// Nanoseconds an element of random lists of 2^21 on one core of an AMD EPYC, rounded down: so that work moves only where that
// surely pays.
struct HostCosts {
  double sort, grade, search;
};
HostCosts host_costs(ElementType t) {
  switch (t) {
    case ElementType::bit: return {0, 0, 0};
    case ElementType::i8:
    case ElementType::c8: return {0.3, 1.5, 0.5};
    case ElementType::i16:
    case ElementType::c16: return {1, 6, 1};
    case ElementType::i32: return {8, 12, 10};
    case ElementType::c32: return {8, 10, 4};
    default: return {12, 18, 10};
  }
}

}  // namespace

std::optional<Costs> remembered_costs(const std::string& path, const OpenDevice* d) {
  std::vector<std::string> lines;
  if (!path.empty()) read_own_lines(path, lines);
  std::optional<Costs> found;
  for (const std::string& line : lines) {
    std::string key;
    const std::optional<Costs> costs = costs_in(line, key);
    if (costs && (d == nullptr || key == key_of(*d))) found = costs;
  }
  return found;
}

void remember_opening(const std::string& path, const OpenDevice& d, Costs& c) {
  // Less counts more: what else a machine does only adds to it.
  constexpr double follows_up = 0.2, follows_down = 0.4, much_the_same = 0.05;
  const double more = d.open_seconds - c.open;
  if (std::abs(more) < much_the_same * c.open) return;
  c.open += more * (more < 0 ? follows_down : follows_up);
  remember(path, d, c);
}

Costs measured_costs(const std::string& path, OpenDevice& d) {
  constexpr std::size_t bytes = std::size_t{16} << 20;
  const griddle_plugin& plugin = *d.plugin;
  Costs c;
  void* there[2] = {};
  bool works = true;
  const auto must = [&](griddle_status s) { works &= s == griddle_done; };
  for (void*& memory : there) must(plugin.allocate(d.device, bytes, &memory));
  if (works) {
    std::vector<char> here(bytes, 1);
    const auto move = [&](std::uint64_t count) {
      must(plugin.move(d.device, 64, there[0], 0, 1, there[1], 0, count));
      must(plugin.wait(d.device));
    };
    must(plugin.upload(d.device, there[0], here.data(), bytes));
    move(1);  // the first call loads the kernel
    c.call = least_seconds(20, [&] { move(1); });
    const auto beyond_call = [&](double seconds, double count) { return std::max(seconds - c.call, 0.0) / count; };
    c.up = beyond_call(least_seconds(2,
                                     [&] {
                                       must(plugin.upload(d.device, there[0], here.data(), bytes));
                                       must(plugin.wait(d.device));
                                     }),
                       bytes);
    c.down = beyond_call(least_seconds(2, [&] { must(plugin.download(d.device, here.data(), there[0], bytes)); }), bytes);
    c.pass = beyond_call(least_seconds(5, [&] { move(bytes / 8); }), 2 * bytes);
  }
  for (void* memory : there)
    if (memory) plugin.release(d.device, memory);
  if (!works) c = Costs();
  c.open = d.open_seconds;
  if (works) remember(path, d, c);
  return c;
}

// An array that is made there saves what the functions that follow take here: as a rule some that each pass over it, and a call
// there. Where arrays fill no cache, each pass here takes as long as memory does.
constexpr double following_calls = 12, following_bytes = 24, fills_caches = 5e7;
double following_seconds(double count) { return count * (count < fills_caches ? 0.3e-9 : 3e-9); }

Task range_task(double count, std::size_t functions, bool stays) {
  // Functions in one go take a part of a nanosecond each.
  const double seconds = 0.12e-9 * static_cast<double>(functions);
  if (!stays) return {count, seconds * count, 2, 0, 0, 0};
  return {count, seconds * count + following_seconds(count), following_calls, 0, 0, following_bytes * count};
}

Task random_task(double count) {
  return {count, 1e-9 * count + following_seconds(count), following_calls, 0, 0, following_bytes * count};
}

bool repeating_is_long(const Costs& c, double bytes) {
  // On one core of an AMD EPYC, rounded down; whatever meets the list costs a call or some more.
  constexpr double seconds_for_byte = 3e-11, calls = 4;
  return seconds_for_byte * bytes >= calls * c.call;
}

Task draw_task(double count, double length, double bytes_up) {
  // On one core of an AMD EPYC, rounded down.
  const double seconds = count * (2e-8 + 0.4e-9 * length);
  return {count, seconds + following_seconds(count), following_calls, bytes_up, 0, (8 * length + following_bytes) * count};
}

Task order_task(ElementType t, std::size_t length, bool grades) {
  const double n = static_cast<double>(length), bytes = static_cast<double>(bytes_for(t, length));
  const HostCosts host = host_costs(t);
  // A radix sort passes over its elements, and places, once a byte.
  const double width = static_cast<double>(bits_of(t)) / 8, passes = 2 * width + 2;
  return {n,
          1e-9 * n * (grades ? host.grade : host.sort),
          1 + width,
          bytes,
          grades ? 4 * n : bytes,
          passes * (grades ? bytes + 4 * n : bytes)};
}

Task search_task(ElementType t, std::size_t among, std::size_t sought) {
  const double n = static_cast<double>(among), m = static_cast<double>(sought), width = static_cast<double>(bits_of(t)) / 8;
  const Task sorting = order_task(t, among, true);
  return {
      n + m, 1e-9 * (n + m) / 2 * host_costs(t).search, sorting.calls + 4, width * (n + m), 4 * m, sorting.bytes_passed + 64 * m};
}

Task product_task(double rows, double inner, double columns, double bytes_up, bool begins) {
  // A product and its sum take .067 ns on one core of an Intel Xeon; rounded down. Devices that are slow at doubles take as long
  // for one as for some bytes of memory. Loading the library and making its first kernel ready takes .11 to .14 s with an H200.
  constexpr double host_seconds = 3e-11, bytes_each = 2, loading = 0.15;
  const double products = rows * inner * columns, results = rows * columns;
  return {rows * inner + inner * columns, host_seconds * products, 2, bytes_up, 8 * results,
          bytes_each * products,          begins ? loading : 0};
}

}  // namespace griddle
