// Values of BQN as values of C, and back.
#pragma once

#include <deque>
#include <vector>

#include "runtime/system/argument.h"
#include "runtime/system/foreign/foreign_type.h"

namespace griddle {

// Memory that lives as long as a call.
class CallMemory {
 public:
  // Gives zeroed memory, aligned for any type.
  std::uint8_t* allocate(std::size_t bytes);
  void keep(Value v) { kept_.push_back(std::move(v)); }
  // Notes a value that the callee shall own, and gives its bits. Until `hand_over` it is the caller's.
  std::uint64_t give(Value v) {
    given_.push_back(std::move(v));
    return given_.back().bits();
  }
  void hand_over() {
    for (Value& v : given_) v.leak();
    given_.clear();
  }

 private:
  std::deque<std::vector<std::max_align_t>> blocks_;
  std::vector<Value> kept_;
  std::vector<Value> given_;
};

// Stores a value as a C type. Lists that a pointer shall point to go to `memory`; where there is none, only pointer objects will
// do, and no values of type a.
void store_foreign(Context&, const Function& self, const ForeignType&, const Value&, void* to, CallMemory* memory);
Value load_foreign(Context&, const Function& self, const ForeignTypeRef&, const void* from);

// What a pointer points to: a list of n values of a type, in the memory of a call. `n` is given back.
std::uint8_t* store_foreign_list(Context&, const Function& self, const ForeignType& element, const Value&, CallMemory&,
                                 bool may_share, std::size_t& n);
Value load_foreign_list(Context&, const Function& self, const ForeignTypeRef& element, const void* from, std::size_t n);

// Pointer objects (foreign_pointer.cc).
struct ForeignPointer final : NativeObject {
  std::uint8_t* address = nullptr;
  ForeignTypeRef type;  // null: untyped
  std::ptrdiff_t stride = 0;
};
Value make_foreign_pointer(Context&, void* address, ForeignTypeRef type);
// Gives what stands behind a pointer object; null for anything else.
const ForeignPointer* foreign_pointer(const Value&);

}  // namespace griddle
