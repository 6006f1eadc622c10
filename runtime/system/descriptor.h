// Owns a file descriptor of the system.
#pragma once

#include <string_view>
#include <utility>

namespace griddle {

// The permissions of a file that is made, less what the user's mask takes.
inline constexpr unsigned file_mode = 0666;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() { close(); }
  explicit operator bool() const { return number >= 0; }
  // Tells whether all went well; else errno says why not.
  bool close();
  bool write_all(std::string_view bytes);

  int number = -1;
};

}  // namespace griddle
