#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/api/griddle.hpp"

using griddle::Any;
using griddle::Element;
using griddle::Interpreter;
using griddle::Result;

namespace {

// Takes elements in and out as the same type.
template <class T>
void there_and_back(Interpreter& bqn, const std::vector<T>& elements) {
  const Any list = bqn.list(elements);
  REQUIRE(list.has_value());
  std::vector<T> out(elements.size());
  CHECK(list.copy_to(std::span<T>(out)));
  CHECK(out == elements);
  const std::vector<double> expected(elements.begin(), elements.end());
  CHECK(list.numbers() == expected);
}

template <class T>
void all_sizes(Interpreter& bqn) {
  using Limits = std::numeric_limits<T>;
  for (const std::size_t n : {0, 1, 2, 7, 8, 63, 64, 65, 200}) {
    std::vector<T> elements(n);
    std::iota(elements.begin(), elements.end(), T{1});
    there_and_back(bqn, elements);
  }
  if constexpr (sizeof(T) < 8 || !std::is_integral_v<T>) there_and_back<T>(bqn, {Limits::lowest(), Limits::max(), T{0}});
}

}  // namespace

TEST_CASE("elements of every type come and go") {
  Interpreter bqn;
  all_sizes<std::int8_t>(bqn);
  all_sizes<std::int16_t>(bqn);
  all_sizes<std::int32_t>(bqn);
  all_sizes<std::int64_t>(bqn);
  all_sizes<std::uint8_t>(bqn);
  all_sizes<std::uint16_t>(bqn);
  all_sizes<std::uint32_t>(bqn);
  all_sizes<std::uint64_t>(bqn);
  all_sizes<float>(bqn);
  all_sizes<double>(bqn);
  for (const std::size_t n : {0, 1, 63, 64, 65, 130}) {
    std::vector<bool> bits(n);
    for (std::size_t i = 0; i < n; i++) bits[i] = i % 3 == 0;
    const Any list = bqn.list(bits);
    CHECK(list.element() == Element::bit);
    CHECK(list.as<std::vector<bool>>() == bits);
    CHECK(list.bits().size() == (n + 63) / 64);
    CHECK(list.numbers() == std::vector<double>(bits.begin(), bits.end()));
  }
}

TEST_CASE("what is no number or character of BQN is refused, and what does not fit a type") {
  Interpreter bqn;
  CHECK(!bqn.list(std::vector<std::int64_t>{(std::int64_t{1} << 53) + 1}).has_value());
  CHECK(bqn.list(std::vector<std::int64_t>{std::int64_t{1} << 53, -(std::int64_t{1} << 53)}).has_value());
  CHECK(!bqn.list(std::vector<std::uint64_t>{~std::uint64_t{0}}).has_value());
  CHECK(!bqn.list(std::vector<char32_t>{0x110000}).has_value());
  CHECK(!bqn.list(std::vector<char32_t>{0xFFFFFFFF}).has_value());
  CHECK(!bqn.list(std::vector<char16_t>{0xD800}).has_value());
  CHECK(bqn.list(std::vector<char32_t>{U'a', 0x10FFFF}).is_text());
  CHECK(!bqn.character(0xDFFF).has_value());
  CHECK(!bqn.character(0x110000).has_value());
  const Any list = *bqn.eval("⟨1.5,300,¯1⟩");
  CHECK(!list.as<std::vector<std::int32_t>>());
  CHECK(list.as<std::vector<float>>() == std::vector<float>{1.5f, 300, -1});
  CHECK(!(*bqn.eval("300‿1")).as<std::vector<std::int8_t>>());
  CHECK(!(*bqn.eval("¯1‿1")).as<std::vector<std::uint64_t>>());
  CHECK(!(*bqn.eval("9007199254740994‿1")).as<std::vector<std::int32_t>>());
  CHECK((*bqn.eval("⟨∞⟩")).as<std::vector<std::int64_t>>() == std::nullopt);
  CHECK((*bqn.eval("⟨¯∞⟩")).as<std::vector<std::uint8_t>>() == std::nullopt);
  CHECK((*bqn.eval("2⋆63‿62")).as<std::vector<std::int64_t>>() == std::nullopt);
  CHECK((*bqn.eval("-2⋆63‿62")).as<std::vector<std::int64_t>>() ==
        std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), -(std::int64_t{1} << 62)});
  CHECK(!(*bqn.eval("⟨1,\"a\"⟩")).numbers());
  CHECK(!(*bqn.eval("\"abc\"")).numbers());
  CHECK(!(*bqn.eval("1‿2")).as<std::vector<char32_t>>());
  CHECK((*bqn.eval("\"añ𝕩\"")).as<std::vector<char32_t>>() == std::vector<char32_t>{U'a', U'ñ', U'𝕩'});
  CHECK((*bqn.eval("⟨'a',1⟩⊏˜0‿0")).as<std::vector<char32_t>>() == std::vector<char32_t>{U'a', U'a'});
}

TEST_CASE("there is one NaN, however it came") {
  Interpreter bqn;
  const std::uint64_t odd = 0xFFF8'0000'0000'1234;
  const double strange = std::bit_cast<double>(odd);
  const Any list = bqn.list(std::vector<double>{strange, 1});
  CHECK(std::bit_cast<std::uint64_t>(list.view<double>()[0]) == std::bit_cast<std::uint64_t>(std::nan("")));
  CHECK(std::isnan(list[0].number()));
  // What is borrowed stays as it is, and reading it is harmless.
  const double held[] = {strange, 1, strange};
  const std::size_t length = 3;
  const Any borrowed = bqn.borrow(std::span<const double>(held), {&length, 1}, [] {});
  CHECK(std::isnan(borrowed[0].number()));
  for (const char* code : {"⊢", "∧", "⍋", "⍷", "+´", "⌽", "⋈¨", "•Fmt", "≍", "⊐", "⊔∘⊐"}) {
    CAPTURE(std::string(code));
    const Result r = bqn.eval(code)(borrowed);
    CHECK_MESSAGE(r.ok(), r.failure().message);
  }
}

TEST_CASE("borrowed memory is shown in place, never changed, and given back once") {
  Interpreter bqn;
  int given_back = 0;
  std::vector<double> data(1000);
  std::iota(data.begin(), data.end(), 0.0);
  const std::size_t shape[] = {10, 100};
  {
    Any table = bqn.borrow(std::span<const double>(data), shape, [&] { given_back++; });
    CHECK(table.view<double>().data() == data.data());
    CHECK(table.shape() == std::vector<std::size_t>{10, 100});
    const auto view = table.array_view<double>();
    REQUIRE(view);
    CHECK((*view)(3, 7) == 307);
    CHECK(bqn.eval("+´⥊")(table)->number() == 499500);
    const Any row = *bqn.eval("3⊸⊏")(table);
    CHECK(bqn.eval("{x←𝕩⋄x↩1+x⋄x↩⌽x⋄5⌾(0⊸⊑)x}")(row).ok());
    table = Any();
    CHECK(given_back == 0);
    CHECK(row[0].number() == 300);
  }
  CHECK(given_back == 1);
  for (std::size_t i = 0; i < data.size(); i++) CHECK(data[i] == static_cast<double>(i));
  // What is not aligned is copied and given back at once; what is wrong as well.
  const std::vector<char> bytes(65);
  const std::size_t eight = 8;
  griddle_failure* why = nullptr;
  const auto count = [](void* to) { ++*static_cast<int*>(to); };
  Any copied = Any::adopt(griddle_borrow_array(bqn.handle(), griddle_f64, bytes.data() + 1, &eight, 1, count, &given_back, &why));
  CHECK(why == nullptr);
  CHECK(given_back == 2);
  CHECK(copied.length() == 8);
  const char32_t wrong[] = {0xD801};
  const std::size_t one = 1;
  CHECK(griddle_borrow_array(bqn.handle(), griddle_c32, wrong, &one, 1, count, &given_back, nullptr).interpreter == nullptr);
  CHECK(given_back == 3);
  const std::size_t huge[] = {std::size_t{1} << 40, std::size_t{1} << 40};
  CHECK(griddle_borrow_array(bqn.handle(), griddle_f64, data.data(), huge, 2, count, &given_back, &why).interpreter == nullptr);
  CHECK(given_back == 4);
  REQUIRE(why != nullptr);
  CHECK(std::string(griddle_failure_message(why).data).find("shape") != std::string::npos);
  griddle_release_failure(why);
  CHECK(griddle_borrow_array(nullptr, griddle_f64, data.data(), &eight, 1, count, &given_back, nullptr).interpreter == nullptr);
  CHECK(given_back == 5);
  const Any moved = bqn.borrow(std::vector<std::int32_t>{1, 2, 3});
  CHECK(bqn.eval("+´")(moved)->number() == 6);
  std::vector<std::uint64_t> words = {0b1011, ~std::uint64_t{0}};
  const std::size_t bits = 70;
  const Any packed =
      Any::adopt(griddle_borrow_array(bqn.handle(), griddle_bit, words.data(), &bits, 1, nullptr, nullptr, nullptr));
  CHECK(bqn.eval("+´")(packed)->number() == 9);
  CHECK(bqn.eval("4⊸↑")(packed)->format() == "⟨ 1 1 0 1 ⟩");
}

TEST_CASE("borrowed elements that are not aligned are copied") {
  Interpreter bqn;
  const double numbers[] = {1.5, -2, 1e300};
  const char32_t characters[] = U"ñ😀x";
  alignas(8) char bytes[64];
  const std::size_t length = 3;
  std::memcpy(bytes + 1, numbers, sizeof numbers);
  int drops = 0;
  const auto drop = [](void* data) { ++*static_cast<int*>(data); };
  const Any list = Any::adopt(griddle_borrow_array(bqn.handle(), griddle_f64, bytes + 1, &length, 1, drop, &drops, nullptr));
  CHECK(drops == 1);
  std::memcpy(bytes + 3, characters, 3 * sizeof characters[0]);
  const Any text = Any::adopt(griddle_borrow_array(bqn.handle(), griddle_c32, bytes + 3, &length, 1, drop, &drops, nullptr));
  CHECK(drops == 2);
  CHECK(list.numbers() == std::vector<double>{1.5, -2, 1e300});
  CHECK(text.text() == "ñ😀x");
}
