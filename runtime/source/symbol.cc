#include "runtime/source/symbol.h"

namespace griddle {
namespace {

// Spreads the hash, whose low bits alone are weak.
std::size_t first_slot(std::uint32_t hash, std::size_t slots) { return (hash * 0x9E3779B97F4A7C15u >> 20) & (slots - 1); }

}  // namespace

std::uint32_t SymbolTable::intern(std::string_view normalised, std::uint32_t hash) {
  for (std::size_t slot = first_slot(hash, slots_.size());; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::uint32_t entry = slots_[slot];
    if (entry == 0) {
      const auto index = static_cast<std::uint32_t>(symbols_.size());
      symbols_.push_back({arena_.copy(normalised), hash});
      slots_[slot] = index + 1;
      if (symbols_.size() * 2 > slots_.size()) grow();
      return index;
    }
    const Symbol& symbol = symbols_[entry - 1];
    if (symbol.hash == hash && symbol.name == normalised) return entry - 1;
  }
}

std::uint32_t SymbolTable::intern(std::string_view normalised) {
  std::uint32_t hash = hash_start;
  for (const char c : normalised) hash = hash_byte(hash, c);
  return intern(normalised, hash);
}

void SymbolTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < symbols_.size(); i++) {
    std::size_t slot = first_slot(symbols_[i].hash, slots_.size());
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace griddle
