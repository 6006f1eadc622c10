// What ran where: one row for each function at each place of the program that met the device. All that tells of it reads these
// rows.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/vm/device_work.h"

namespace griddle {

class Record {
 public:
  explicit Record(const Context& cx) : cx_(cx) {}
  // Gives the number of the row of a function at the place that runs now. Where there are too many, one without a place.
  std::size_t row_of(const char* function);
  DeviceWork& operator[](std::size_t row) { return rows_[row]; }
  // Tells whether a number that was given is still that of this function.
  bool holds(std::size_t row, const char* function) const;
  const std::vector<DeviceWork>& rows() const { return rows_; }
  void clear();

 private:
  struct Key {
    std::string_view function;
    const void* source;
    std::uint32_t start;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key&) const;
  };
  std::size_t row_at(const char* function, Location place);

  const Context& cx_;
  std::vector<DeviceWork> rows_;
  std::unordered_map<Key, std::size_t, HashOfKey> index_;
};

}  // namespace griddle
