#include "runtime/plot/axis.h"

#include <algorithm>
#include <charconv>

namespace griddle::plot {

namespace {

constexpr double largest = std::numeric_limits<double>::max();

double bounded(long double v) {
  return static_cast<double>(std::clamp(v, -static_cast<long double>(largest), static_cast<long double>(largest)));
}

// Gives the nearest number that is 1, 2 or 5 times a power of ten.
long double round_step(long double v) {
  const long double power = std::pow(10.0L, std::floor(std::log10(v))), rest = v / power;
  // Between two of these their geometric mean decides.
  const long double factor = rest < std::sqrt(2.0L) ? 1 : rest < std::sqrt(10.0L) ? 2 : rest < std::sqrt(50.0L) ? 5 : 10;
  return factor * power;
}

// Writes a number with so many digits after the point, and 1.50e7 as 1.5e7.
std::string label_of(double value, std::chars_format format, int digits) {
  char text[400];
  std::string label(text, std::to_chars(text, std::end(text), value == 0 ? 0.0 : value, format, digits).ptr);
  const std::size_t e = label.find('e');
  if (e == label.npos) return label;
  std::string mantissa = label.substr(0, e), exponent = label.substr(e + 1);
  const bool negative = exponent[0] == '-';
  exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
  if (mantissa.find('.') != mantissa.npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  return value == 0 ? "0" : mantissa + "e" + (negative ? "-" : "") + exponent;
}

// Labels ticks that are a step apart.
void label_ticks(std::vector<Tick>& ticks, long double step) {
  constexpr double exponent_from = 1e6, exponent_below = 1e-4;
  double most = 0;
  for (const Tick& tick : ticks) most = std::max(most, std::fabs(tick.value));
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + 1e-9L));
  const bool scientific = most >= exponent_from || most < exponent_below;
  const int most_exponent = most > 0 ? static_cast<int>(std::floor(std::log10(most))) : 0;
  constexpr int most_digits = 16;
  const int digits = std::clamp(scientific ? most_exponent - step_exponent : -step_exponent, 0, most_digits);
  for (Tick& tick : ticks)
    tick.label = label_of(tick.value, scientific ? std::chars_format::scientific : std::chars_format::fixed, digits);
}

std::vector<Tick> decades_of(const Range& range, std::size_t about) {
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::ceil(std::log10(range.low) - 1e-9)),
            last = static_cast<int>(std::floor(std::log10(range.high) + 1e-9));
  const int step = std::max(1, static_cast<int>((last - first) / static_cast<int>(std::max<std::size_t>(about, 1)) + 1));
  const auto add = [&](double value) {
    if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)) return;
    constexpr double plain_from = 1e-3, plain_to = 1e5;
    char text[64];
    const bool plain = value >= plain_from && value <= plain_to;
    const std::string label = plain ? std::string(text, std::to_chars(text, std::end(text), value).ptr)
                                    : label_of(value, std::chars_format::scientific, 0);
    ticks.push_back({value, label});
  };
  const bool few = last - first < 2;
  for (int e = first - 1; e <= last + 1; e++) {
    if (!few && (e - first) % step != 0) continue;
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor == 1 || few) add(factor * std::pow(10.0, e));
  }
  return ticks;
}

}  // namespace

Scale::Scale(const Range& range, bool logarithmic, double from, double to) : logarithmic_(logarithmic), from_(from) {
  const auto at = [&](double v) { return logarithmic ? std::log10(static_cast<long double>(v)) : static_cast<long double>(v); };
  low_ = at(range.low);
  step_ = (static_cast<long double>(to) - from) / (at(range.high) - low_);
}

Range drawable(Range range, bool logarithmic) {
  if (range.is_empty()) return logarithmic ? Range{1, 10} : Range{0, 1};
  if (range.low < range.high) return range;
  if (logarithmic) return {bounded(range.low / 2), bounded(range.high * 2.0L)};
  const long double room = range.low == 0 ? 1.0L : std::fabs(static_cast<long double>(range.low)) / 10;
  return {bounded(range.low - room), bounded(range.high + room)};
}

Range wider(const Range& range, bool logarithmic, double share) {
  if (logarithmic) {
    const long double factor = std::pow(static_cast<long double>(range.high) / range.low, static_cast<long double>(share));
    return {std::max(bounded(range.low / factor), std::numeric_limits<double>::min()), bounded(range.high * factor)};
  }
  const long double room = (static_cast<long double>(range.high) - range.low) * share;
  return {bounded(range.low - room), bounded(range.high + room)};
}

std::vector<Tick> ticks_of(const Range& range, bool logarithmic, std::size_t about) {
  if (logarithmic) {
    std::vector<Tick> ticks = decades_of(range, about);
    if (ticks.size() > 1) return ticks;
  }
  const long double low = range.low, high = range.high;
  const long double step = round_step((high - low) / static_cast<long double>(std::max<std::size_t>(about, 1)));
  std::vector<Tick> ticks;
  const long double slack = step * 1e-9L;
  for (long double i = std::ceil((low - slack) / step); i * step <= high + slack && ticks.size() <= 2 * about + 2; i++)
    ticks.push_back({static_cast<double>(i * step), {}});
  label_ticks(ticks, step);
  return ticks;
}

}  // namespace griddle::plot
