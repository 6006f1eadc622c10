// What becomes of the results of a function that is called with one element after the other.
#pragma once

#include <new>

#include "runtime/value/array.h"

namespace griddle::primitives {

// Collects the elements of a short result, which takes a list of the right type and length once they are known.
class FewValues {
 public:
  static constexpr std::size_t most = 16;
  FewValues() = default;
  FewValues(const FewValues&) = delete;
  FewValues& operator=(const FewValues&) = delete;
  ~FewValues() {
    for (std::size_t i = 0; i < count_; i++) at(i).~Value();
  }
  void push(Value v) { new (&at(count_++)) Value(std::move(v)); }
  template <class Next>
  std::size_t push_boxes(std::size_t, Next) {
    return 0;
  }
  Value finish(Heap& heap, std::span<const std::size_t> shape) {
    Value list = make_values(heap, {&at(0), count_});
    return shape.size() == 1 ? std::move(list) : with_shape(heap, std::move(list), shape);
  }

 private:
  Value& at(std::size_t i) { return reinterpret_cast<Value*>(memory_)[i]; }
  alignas(Value) std::byte memory_[most * sizeof(Value)];
  std::size_t count_ = 0;
};

// Takes the results of a loop, which nobody needs: kept, they may take a square of the memory.
struct NoResults {
  void push(Value) {}
  template <class Next>
  std::size_t push_boxes(std::size_t, Next) {
    return 0;
  }
  Value finish(std::span<const std::size_t>) { return Value(0.0); }
};

}  // namespace griddle::primitives
