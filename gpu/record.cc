#include "gpu/record.h"

#include <functional>

namespace griddle {

namespace {

// Rows keep the sources of their places: a program that evaluates texts for ever must not keep them all.
constexpr std::size_t most_rows = 1024;

}  // namespace

std::size_t Record::HashOfKey::operator()(const Key& k) const {
  constexpr std::size_t factor = 0x9E3779B97F4A7C15;
  const std::size_t place = (reinterpret_cast<std::uintptr_t>(k.source) ^ k.start) * factor;
  return std::hash<std::string_view>()(k.function) ^ place >> 20;
}

std::size_t Record::row_at(const char* function, Location place) {
  const auto [found, is_new] = index_.try_emplace({function, place.source.get(), place.start}, rows_.size());
  if (is_new) rows_.push_back({function, std::move(place)});
  return found->second;
}

std::size_t Record::row_of(const char* function) {
  Location place = place_of_call(cx_);
  if (rows_.size() >= most_rows && !index_.contains({function, place.source.get(), place.start})) place = {};
  return row_at(function, std::move(place));
}

bool Record::holds(std::size_t row, const char* function) const {
  return row < rows_.size() && rows_[row].function == std::string_view(function);
}

void Record::clear() {
  rows_.clear();
  index_.clear();
}

}  // namespace griddle
