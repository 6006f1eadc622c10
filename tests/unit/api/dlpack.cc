#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/api/griddle.hpp"

using griddle::Any;
using griddle::Interpreter;

namespace {

// The structs of DLPack, as other libraries see them.
struct Tensor {
  void* data;
  std::int32_t device_type, device_id;
  std::int32_t ndim;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};

int given_back = 0;

DLManagedTensor* tensor_of(Managed& managed) { return reinterpret_cast<DLManagedTensor*>(&managed); }

}  // namespace

TEST_CASE("tensors come in place or by a copy, whatever their strides") {
  Interpreter bqn;
  std::vector<double> data(24);
  std::iota(data.begin(), data.end(), 0.0);
  std::int64_t shape[] = {4, 3}, compact[] = {3, 1}, transposed[] = {1, 4}, backwards[] = {-3, 1}, apart[] = {6, 2};
  const auto managed = [&](std::int64_t* strides, std::uint64_t offset = 0) {
    return Managed{{data.data(), 1, 0, 2, 2, 64, 1, shape, strides, offset}, nullptr, [](Managed*) { given_back++; }};
  };
  given_back = 0;
  {
    Managed plain = managed(nullptr), same = managed(compact);
    const Any a = Any::adopt(griddle_from_dlpack(bqn.handle(), tensor_of(plain), nullptr));
    CHECK(a.view<double>().data() == data.data());
    CHECK(a.shape() == std::vector<std::size_t>{4, 3});
    const Any b = Any::adopt(griddle_from_dlpack(bqn.handle(), tensor_of(same), nullptr));
    CHECK(b.matches(a));
    CHECK(given_back == 0);
  }
  CHECK(given_back == 2);
  Managed turned = managed(transposed), back = managed(backwards, 9 * sizeof(double)), wide = managed(apart);
  CHECK(bqn.eval("≡⟜(⍉3‿4⥊↕12)")(Any::adopt(griddle_from_dlpack(bqn.handle(), tensor_of(turned), nullptr)))->number() == 1);
  CHECK(bqn.eval("≡⟜(⌽4‿3⥊↕12)")(Any::adopt(griddle_from_dlpack(bqn.handle(), tensor_of(back), nullptr)))->number() == 1);
  CHECK(bqn.eval("≡⟜(2×4‿3⥊↕12)")(Any::adopt(griddle_from_dlpack(bqn.handle(), tensor_of(wide), nullptr)))->number() == 1);
  CHECK(given_back == 5);
  for (const int wrong : {0, 1, 2, 3}) {
    Managed m = managed(nullptr);
    if (wrong == 0) m.tensor.device_type = 2;
    if (wrong == 1) m.tensor.lanes = 4;
    if (wrong == 2) m.tensor.bits = 16;
    if (wrong == 3) m.tensor.ndim = -1;
    griddle_failure* why = nullptr;
    CHECK(griddle_from_dlpack(bqn.handle(), tensor_of(m), &why).interpreter == nullptr);
    CHECK(why != nullptr);
    griddle_release_failure(why);
  }
  CHECK(given_back == 9);
}

TEST_CASE("arrays go as tensors, numbers in place") {
  Interpreter bqn;
  for (const char* code : {"2‿3⥊↕6", "1e5×↕9", "0.5×↕9", "0‿1‿1", "5", "⟨⟩", "2‿0⥊0", "300×↕4"}) {
    CAPTURE(std::string(code));
    const Any value = *bqn.eval(code);
    griddle_failure* why = nullptr;
    DLManagedTensor* given = griddle_to_dlpack(value.handle(), &why);
    REQUIRE(given != nullptr);
    const auto* tensor = reinterpret_cast<const Managed*>(given);
    CHECK(tensor->tensor.ndim == static_cast<int>(value.rank()));
    if (value.is_array() && value.length() > 0 && value.element() != griddle::Element::bit)
      CHECK(tensor->tensor.data == griddle_elements(value.handle()));
    const Any back = Any::adopt(griddle_from_dlpack(bqn.handle(), given, &why));
    CHECK(why == nullptr);
    if (value.is_array())
      CHECK(back.matches(value));
    else
      CHECK(back[0].matches(value));
  }
  for (const char* code : {"\"abc\"", "+´", "⟨1,\"a\"⟩", "'a'"})
    CHECK(griddle_to_dlpack(bqn.eval(code)->handle(), nullptr) == nullptr);
}

TEST_CASE("one element shown more often than there is memory fails") {
  Interpreter bqn;
  double element = 1;
  std::int64_t shape[] = {std::int64_t{1} << 32, std::int64_t{1} << 29}, strides[] = {0, 0};
  Managed managed{{&element, 1, 0, 2, 2, 64, 1, shape, strides, 0}, nullptr, [](Managed*) { given_back++; }};
  given_back = 0;
  griddle_failure* why = nullptr;
  CHECK(griddle_from_dlpack(bqn.handle(), tensor_of(managed), &why).interpreter == nullptr);
  CHECK(std::string(griddle_failure_message(why).data) == "Out of memory");
  CHECK(given_back == 1);
  griddle_release_failure(why);
}
