// How the fuzzer of the C interface makes values: atoms, arrays that are copied or lent, namespaces, functions.
#include "tests/fuzz/abi_world.h"

namespace abi_fuzz {

// What BQN calls.
struct Callbacks {
  struct Data {
    World* world;
    int tag;
  };
  static void drop(void* data) {
    auto* d = static_cast<Data*>(data);
    must(d->tag == 7, "dropped twice");
    d->tag = 0;
    d->world->dropped++;
    delete d;
  }
  static void* data_of(World& world) {
    world.borrowed++;
    return new Data{&world, 7};
  }
  static griddle_value act(World& world, griddle_value x, griddle_failure** failure) {
    if (world.depth_ < 3) {
      world.depth_++;
      for (std::size_t k = world.random.below(3); k > 0; k--) world.step();
      world.depth_--;
    }
    switch (world.random.below(5)) {
      case 0: *failure = griddle_make_failure(text_of("not today")); return {};
      case 1: *failure = griddle_make_failure_of(x); return {};
      case 2: return {};
      // Whatever interpreter it is of.
      case 3: return griddle_share(world.any_value());
      default: return griddle_share(x);
    }
  }
  static griddle_value function(void* data, griddle_interpreter*, const griddle_value* w, griddle_value x,
                                griddle_failure** failure) {
    return act(*static_cast<Data*>(data)->world, w != nullptr ? *w : x, failure);
  }
  static griddle_value modifier(void* data, griddle_interpreter*, griddle_value f, const griddle_value* g, const griddle_value*,
                                griddle_value x, griddle_failure** failure) {
    if (static_cast<Data*>(data)->world->random.one_in(2)) return griddle_call(g != nullptr ? *g : f, x, failure);
    return act(*static_cast<Data*>(data)->world, x, failure);
  }
};

std::vector<char> World::bytes_of(griddle_type type, std::size_t count) {
  constexpr std::size_t widths[] = {8, 1, 2, 4, 8, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 4, 8, 8, 4};
  std::vector<char> bytes((count + 64) * std::max<std::size_t>(widths[type], 1));
  const bool wild = random.one_in(4);
  for (std::size_t i = 0; i < count; i++) {
    const double number = random.number();
    const std::uint64_t word = wild ? random.word() : random.below(128);
    if (type == griddle_f64)
      std::memcpy(&bytes[i * 8], wild ? static_cast<const void*>(&word) : &number, 8);
    else if (type == griddle_bool)
      bytes[i] = static_cast<char>(word & 1);
    else
      std::memcpy(&bytes[i * widths[type]], &word, widths[type]);
  }
  return bytes;
}

void World::make_atom() {
  griddle_failure* why = nullptr;
  calls.note("make an atom, or text");
  switch (random.below(3)) {
    case 0: take(griddle_make_number(any_interpreter(), random.number()), nullptr); break;
    case 1:
      take(griddle_make_character(any_interpreter(),
                                  static_cast<std::uint32_t>(random.one_in(2) ? random.word() : random.below(0x120000))),
           nullptr);
      break;
    default: take(griddle_make_text(any_interpreter(), text_of(any_program()), asked(why)), why);
  }
}

void World::make_array() {
  std::vector<std::size_t> shape = any_shape();
  std::size_t n = 1;
  for (const std::size_t length : shape) n *= length;
  const griddle_type type = types[random.below(std::size(types))];
  griddle_failure* why = nullptr;
  calls.note("make an array");
  if (random.one_in(20)) {
    // More elements than there can be: nothing of them is read.
    const std::size_t huge[] = {std::size_t{1} << 40, std::size_t{1} << 30};
    char none = 0;
    return void(take(griddle_make_array(any_interpreter(), griddle_i8, &none, huge, 2, asked(why)), why));
  }
  if (type == griddle_any) {
    std::vector<griddle_value> elements;
    for (std::size_t i = 0; i < n; i++) elements.push_back(any_value());
    return void(take(griddle_make_array(any_interpreter(), type, elements.data(), shape.data(), shape.size(), asked(why)), why));
  }
  const std::vector<char> bytes = bytes_of(type, n);
  if (random.one_in(2)) return void(take(griddle_make_list(any_interpreter(), type, bytes.data(), n, asked(why)), why));
  const griddle_value made = griddle_make_array(any_interpreter(), type, bytes.data(), shape.data(), shape.size(), asked(why));
  // What went in comes out, but for NaN, and for what lies beyond the last bit.
  if (made.interpreter != nullptr && type != griddle_bit && type != griddle_f64 && type != griddle_f32) {
    std::vector<char> out(bytes.size());
    if (griddle_copy(made, type, out.data(), nullptr) != 0)
      must(std::memcmp(out.data(), bytes.data(), n * (bytes.size() / (n + 64))) == 0, "other elements come out");
  }
  take(made, why);
}

void World::borrow() {
  const griddle_type type = types[random.below(8)];
  std::vector<std::size_t> shape = any_shape();
  std::size_t n = 1;
  for (const std::size_t length : shape) n *= length;
  struct Lent {
    World* world;
    std::vector<char> bytes;
  };
  auto* lent = new Lent{this, bytes_of(type, n + 8)};
  borrowed++;
  calls.note("borrow");
  griddle_failure* why = nullptr;
  const auto drop = [](void* data) {
    static_cast<Lent*>(data)->world->dropped++;
    delete static_cast<Lent*>(data);
  };
  // Now and then at an odd place; bits are whole words.
  const char* start = lent->bytes.data() + (type != griddle_bit && random.one_in(4) ? 1 : 0);
  take(griddle_borrow_array(any_interpreter(), type, start, shape.data(), shape.size(), drop, lent, asked(why)), why);
}

void World::make_namespace() {
  const griddle_text field_names[] = {text_of("a"), text_of("F"), text_of("long_name")};
  const griddle_value fields[] = {any_value(), any_value(), any_value()};
  griddle_failure* why = nullptr;
  calls.note("make a namespace");
  take(griddle_make_namespace(any_interpreter(), field_names, fields, random.below(4), asked(why)), why);
}

void World::make_function() {
  griddle_failure* why = nullptr;
  calls.note("make a function or modifier");
  const std::string called = any_name();
  void* data = Callbacks::data_of(*this);
  if (random.one_in(2))
    take(griddle_make_function(any_interpreter(), text_of(called), Callbacks::function, data, Callbacks::drop, asked(why)), why);
  else
    take(griddle_make_modifier(any_interpreter(), text_of(called), 1 + static_cast<int>(random.below(2)), Callbacks::modifier,
                               data, Callbacks::drop, asked(why)),
         why);
}

}  // namespace abi_fuzz
