// A flag that any thread and any signal handler may set and read at any time. It orders nothing else in memory.
// What every file includes needs no <atomic>, which is 11,000 lines.
#pragma once

namespace griddle {

class Flag {
 public:
  Flag() = default;
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;
  Flag& operator=(bool set) {
    __atomic_store_n(&set_, set, __ATOMIC_RELAXED);
    return *this;
  }
  operator bool() const { return __atomic_load_n(&set_, __ATOMIC_RELAXED); }

 private:
  bool set_ = false;
};

}  // namespace griddle
