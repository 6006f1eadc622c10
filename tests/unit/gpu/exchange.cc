#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "runtime/api/dlpack.h"
#include "tests/support/on_device.h"

using griddle::Any;
using griddle::Interpreter;

namespace {

// The device is the host here, so that tests can look at its memory.
enum Code : std::uint8_t { of_signed = 0, of_unsigned = 1, of_float = 2, of_bool = 6 };
constexpr std::int32_t cuda = 2;

int dropped = 0;

struct ForTensors {
  Interpreter bqn = made();
  static Interpreter made() {
    griddle::Options options;
    options.device = griddle::DeviceUse::always;
    options.device_from = 1;
    options.device_plugin = griddle::testing::host_plugin();
    return Interpreter(options);
  }
  griddle::Result take(DLManagedTensor& t) {
    griddle_failure* why = nullptr;
    const griddle_value v = griddle_from_dlpack(bqn.handle(), &t, &why);
    return griddle::Result(Any::adopt(v), why);
  }
  DLManagedTensor* give(const Any& v) { return griddle_to_dlpack(v.handle(), nullptr); }
  double number(const char* program, const Any& x) { return bqn.eval(program)(x)->number(); }
};

template <class T>
DLManagedTensor tensor(T* data, Code code, std::vector<std::int64_t>& shape, std::int64_t* strides = nullptr) {
  const auto axes = static_cast<std::int32_t>(shape.size());
  return {
      {data, {cuda, 0}, axes, {code, 8 * sizeof(T), 1}, shape.data(), strides, 0}, nullptr, [](DLManagedTensor*) { dropped++; }};
}

template <class T>
void check_type(ForTensors& m, Code code) {
  std::vector<std::int64_t> shape{2, 3};
  T data[] = {0, 1, 2, 3, 4, 100};
  DLManagedTensor t = tensor(data, code, shape);
  dropped = 0;
  const griddle::Result taken = m.take(t);
  REQUIRE(taken);
  CHECK(m.number("≡⟜(2‿3⥊0‿1‿2‿3‿4‿100)", *taken) == 1);
  CHECK(m.number("+´⥊", *taken) == 110);
}

}  // namespace

TEST_CASE("numbers of every type come from tensors on the device") {
  ForTensors m;
  check_type<std::int8_t>(m, of_signed);
  check_type<std::int16_t>(m, of_signed);
  check_type<std::int32_t>(m, of_signed);
  check_type<std::int64_t>(m, of_signed);
  check_type<std::uint8_t>(m, of_unsigned);
  check_type<std::uint16_t>(m, of_unsigned);
  check_type<std::uint32_t>(m, of_unsigned);
  check_type<std::uint64_t>(m, of_unsigned);
  check_type<float>(m, of_float);
  check_type<double>(m, of_float);
  std::vector<std::int64_t> shape{3};
  std::uint8_t truths[] = {1, 0, 1};
  DLManagedTensor t = tensor(truths, of_bool, shape);
  CHECK(m.number("≡⟜1‿0‿1", *m.take(t)) == 1);
}

TEST_CASE("a tensor on the device is used where it lies, and dropped once") {
  ForTensors m;
  std::vector<std::int64_t> shape{64};
  alignas(256) double data[64];
  std::iota(data, data + 64, 0.0);
  DLManagedTensor t = tensor(data, of_float, shape);
  dropped = 0;
  {
    const Any a = *m.take(t);
    DLManagedTensor* again = m.give(a);
    REQUIRE(again != nullptr);
    CHECK(again->dl_tensor.device.device_type == cuda);
    CHECK(again->dl_tensor.data == data);
    again->deleter(again);
    CHECK(m.number("+´", a) == 2016);
    CHECK(dropped == 0);
  }
  m.bqn.eval("↕3");
  CHECK(dropped == 1);
}

TEST_CASE("tensors whose elements lie apart, or nowhere, come too") {
  ForTensors m;
  std::vector<std::int32_t> data(24);
  std::iota(data.begin(), data.end(), 0);
  std::vector<std::int64_t> shape{4, 3}, none{0, 3}, unit;
  std::int64_t turned[] = {1, 4}, backwards[] = {-3, 1};
  DLManagedTensor across = tensor(data.data(), of_signed, shape, turned),
                  back = tensor(data.data() + 9, of_signed, shape, backwards);
  CHECK(m.number("≡⟜(⍉3‿4⥊↕12)", *m.take(across)) == 1);
  CHECK(m.number("≡⟜(⌽4‿3⥊↕12)", *m.take(back)) == 1);
  DLManagedTensor empty = tensor(data.data(), of_signed, none), single = tensor(data.data() + 5, of_signed, unit);
  CHECK(m.number("≡⟜(0‿3⥊0)", *m.take(empty)) == 1);
  CHECK(m.number("≡⟜(<5)", *m.take(single)) == 1);
}

TEST_CASE("what is computed there is given where it lies; bits as bytes") {
  ForTensors m;
  const Any sums = *m.bqn.eval("+`↕1000"), truths = *m.bqn.eval("0=2|↕100");
  DLManagedTensor* t = m.give(sums);
  REQUIRE(t != nullptr);
  CHECK(t->dl_tensor.device.device_type == cuda);
  CHECK(t->dl_tensor.shape[0] == 1000);
  CHECK(t->dl_tensor.dtype.bits == 32);
  CHECK(static_cast<std::int32_t*>(t->dl_tensor.data)[999] == 499500);
  t->deleter(t);
  t = m.give(truths);
  REQUIRE(t != nullptr);
  CHECK(t->dl_tensor.device.device_type == cuda);
  CHECK(t->dl_tensor.dtype.code == of_bool);
  CHECK(static_cast<std::uint8_t*>(t->dl_tensor.data)[98] == 1);
  CHECK(static_cast<std::uint8_t*>(t->dl_tensor.data)[99] == 0);
  t->deleter(t);
}

TEST_CASE("tensors that cannot be taken are dropped, and say why") {
  ForTensors m;
  Interpreter plain;
  std::vector<std::int64_t> shape{2};
  std::int64_t large[] = {1, std::int64_t{1} << 60};
  DLManagedTensor t = tensor(large, of_signed, shape);
  dropped = 0;
  CHECK(m.take(t).failure().message.find("beyond 2⋆53") != std::string::npos);
  CHECK(dropped == 1);
  t.dl_tensor.device.device_id = 3;
  CHECK(m.take(t).failure().message.find("another device") != std::string::npos);
  CHECK(dropped == 2);
  t.dl_tensor.device.device_id = 0;
  griddle_failure* why = nullptr;
  CHECK(griddle_from_dlpack(plain.handle(), &t, &why).interpreter == nullptr);
  CHECK(std::strstr(griddle_failure_message(why).data, "does not use") != nullptr);
  griddle_release_failure(why);
  CHECK(dropped == 3);
  t.dl_tensor.device.device_type = 7;
  CHECK(m.take(t).failure().message.find("not known") != std::string::npos);
  CHECK(dropped == 4);
}
