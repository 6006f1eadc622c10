// Names, one Symbol each: what differs only in case or underscores is the same name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/source/arena.h"

namespace griddle {

struct ScopedBinding;
struct PendingUse;

struct Symbol {
  std::string_view name;  // normalised, in the arena
  std::uint32_t hash;
  ScopedBinding* binding = nullptr;  // of the innermost open body that defines the name
  PendingUse* pending = nullptr;     // uses not resolved yet, latest first
};

class SymbolTable {
 public:
  explicit SymbolTable(Arena& arena) : arena_(arena), slots_(64, 0) {}

  // Finds or adds the name with this normalised spelling and its hash_name.
  std::uint32_t intern(std::string_view normalised, std::uint32_t hash);
  std::uint32_t intern(std::string_view normalised);
  Symbol& operator[](std::uint32_t index) { return symbols_[index]; }
  std::vector<Symbol>& all() { return symbols_; }

 private:
  void grow();

  Arena& arena_;
  std::vector<Symbol> symbols_;
  std::vector<std::uint32_t> slots_;  // open addressing; 1 + index of a symbol, 0 where free
};

// One step of hash_name: the tokenizer hashes a word while it reads it.
inline std::uint32_t hash_byte(std::uint32_t hash, char byte) { return (hash ^ static_cast<unsigned char>(byte)) * 0x01000193u; }
inline constexpr std::uint32_t hash_start = 0x811C9DC5u;

}  // namespace griddle
