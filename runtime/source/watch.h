// Lets a host look in on work that may take long or much memory.
#pragma once

#include <cstddef>

namespace griddle {

struct Watch {
  // Is told how many bytes the work takes by now; throws to end it.
  void (*look)(void* host, std::size_t bytes) = nullptr;
  void* host = nullptr;

  void operator()(std::size_t bytes) const {
    if (look != nullptr) look(host, bytes);
  }
};

}  // namespace griddle
