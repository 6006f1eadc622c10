// Random calls that make values, read them, and hand them where they do not belong.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "tests/fuzz/abi_world.h"

namespace abi_fuzz {

size_t bytes_of(griddle_type type, size_t count) {
  switch (type) {
    case griddle_bit: return (count + 63) / 64 * 8;
    case griddle_i8:
    case griddle_c8:
    case griddle_bool:
    case griddle_u8: return count;
    case griddle_i16:
    case griddle_c16:
    case griddle_u16: return count * 2;
    case griddle_i32:
    case griddle_c32:
    case griddle_u32:
    case griddle_f32: return count * 4;
    case griddle_any: return count * sizeof(griddle_value);
    default: return count * 8;
  }
}

namespace {

template <class T>
double number_in(const void* elements, size_t index) {
  T t;
  std::memcpy(&t, static_cast<const char*>(elements) + index * sizeof t, sizeof t);
  return static_cast<double>(t);
}

// Gives any of the bit patterns that stand for no number, as other programs may make them.
double some_nan(Random& random) {
  return std::bit_cast<double>((random.chance(50) ? 0xFFF0000000000001 : 0x7FF0000000000001) | random.next() >> 12);
}

double random_double(Random& random) {
  switch (random.below(8)) {
    case 0: return some_nan(random);
    case 1: return random.among({std::numeric_limits<double>::infinity(), -0.0, 1e300, 5e-324, -1.5, 9007199254740993.0});
    case 2: return std::bit_cast<double>(random.next());
    default: return static_cast<double>(random.below(300)) - 20;
  }
}

template <class T>
void put(void* to, size_t index, T t) {
  std::memcpy(static_cast<char*>(to) + index * sizeof t, &t, sizeof t);
}

// Writes an element; tells whether BQN has such a one.
bool put_random(Random& random, griddle_type type, void* to, size_t i, bool may_be_wrong) {
  const uint64_t bits = random.next();
  const bool wrong = may_be_wrong && random.chance(2);
  switch (type) {
    case griddle_i8:
    case griddle_u8:
    case griddle_c8: put(to, i, static_cast<uint8_t>(bits)); return true;
    case griddle_bool: put(to, i, static_cast<uint8_t>(bits & 1)); return true;
    case griddle_i16:
    case griddle_u16: put(to, i, static_cast<uint16_t>(bits)); return true;
    case griddle_i32:
    case griddle_u32: put(to, i, static_cast<uint32_t>(bits >> random.below(64))); return true;
    case griddle_c16: put(to, i, static_cast<uint16_t>(wrong ? 0xD800 : bits % 0xD800)); return !wrong;
    case griddle_c32: put(to, i, static_cast<uint32_t>(wrong ? 0x110000 : bits % 0xD800 + (bits & 1) * 0xE000)); return !wrong;
    case griddle_i64: {
      constexpr int64_t most = int64_t{1} << 53;
      const int64_t n = wrong ? random.among({most + 1, -most - 1, INT64_MIN, INT64_MAX})
                              : static_cast<int64_t>(bits >> (11 + random.below(52))) * (bits & 1 ? 1 : -1);
      put(to, i, n);
      return !wrong;
    }
    case griddle_u64: put(to, i, wrong ? UINT64_MAX - bits % 9 : bits >> (11 + random.below(52))); return !wrong;
    case griddle_f32:
      put(to, i, static_cast<float>(random.chance(90) ? static_cast<double>(bits % 100) : std::nan("")));
      return true;
    default: put(to, i, random_double(random)); return true;
  }
}

}  // namespace

double number_at(griddle_type type, const void* elements, size_t index) {
  switch (type) {
    case griddle_bit: return static_cast<const uint8_t*>(elements)[index / 8] >> (index % 8) & 1;
    case griddle_i8: return number_in<int8_t>(elements, index);
    case griddle_i16: return number_in<int16_t>(elements, index);
    case griddle_i32: return number_in<int32_t>(elements, index);
    case griddle_bool:
    case griddle_u8:
    case griddle_c8: return number_in<uint8_t>(elements, index);
    case griddle_u16:
    case griddle_c16: return number_in<uint16_t>(elements, index);
    case griddle_u32:
    case griddle_c32: return number_in<uint32_t>(elements, index);
    case griddle_i64: return number_in<int64_t>(elements, index);
    case griddle_u64: return number_in<uint64_t>(elements, index);
    case griddle_f32: return number_in<float>(elements, index);
    default: return number_in<double>(elements, index);
  }
}

Elements::~Elements() { std::free(start); }

void Elements::make(Random& random, griddle_type t, std::vector<size_t> axes, size_t shift) {
  type = t, shape = std::move(axes);
  for (const size_t length : shape) count *= length;
  bytes = bytes_of(type, count);
  start = static_cast<char*>(std::malloc(bytes + shift));
  data = start + shift;
  const bool may_be_wrong = random.chance(20);
  // All of one kind, or of any.
  const bool small = random.chance(30);
  if (type == griddle_bit) {
    for (size_t i = 0; i < bytes / 8; i++) put(data, i, random.next());
    return;
  }
  for (size_t i = 0; i < count; i++) {
    if (small && type != griddle_bool)
      std::memset(data + i * (bytes / count), 0, bytes / count);
    else
      is_valid &= put_random(random, type, data, i, may_be_wrong);
  }
}

std::vector<size_t> random_shape(Random& random, size_t most) {
  constexpr size_t lengths[] = {0, 1, 1, 2, 2, 3, 3, 4, 7, 8, 9, 16, 31, 63, 64, 65, 100, 127, 128, 129, 1000, 4097};
  std::vector<size_t> shape(random.chance(60) ? 1 : random.below(6));
  size_t count = 1;
  for (size_t& length : shape) {
    length = random.among(lengths);
    if (length > 0 && count * length > most) length = 1;
    count *= std::max<size_t>(length, 1);
  }
  return shape;
}

bool is_data(griddle_value v, int depth) {
  const griddle_kind kind = griddle_kind_of(v);
  if (kind == griddle_number) return !std::isnan(griddle_number_of(v));
  if (kind != griddle_array) return kind == griddle_character;
  const size_t count = griddle_length(v);
  const griddle_type type = griddle_type_of(v);
  if (type != griddle_any) {
    const void* elements = griddle_elements(v);
    for (size_t i = 0; type == griddle_f64 && i < count; i++)
      if (std::isnan(number_at(type, elements, i))) return false;
    return true;
  }
  if (depth > 20 || count > 3000) return false;
  for (size_t i = 0; i < count; i++)
    if (const Own element(griddle_element(v, i)); !is_data(element.get(), depth + 1)) return false;
  return true;
}

namespace {

constexpr griddle_type types[] = {griddle_bit, griddle_i8,  griddle_i16, griddle_i32,  griddle_f64, griddle_c8,
                                  griddle_c16, griddle_c32, griddle_any, griddle_bool, griddle_u8,  griddle_u16,
                                  griddle_u32, griddle_i64, griddle_u64, griddle_f32};

griddle_type random_type(Random& random) {
  griddle_type type = random.among(types);
  while (type == griddle_any) type = random.among(types);
  return type;
}

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Copies out what was put in, and compares.
void compare(World& world, griddle_value v, const Elements& e) {
  require(griddle_rank(v) == e.shape.size() && griddle_length(v) == e.count, "an array has the shape that it was made with");
  require(e.shape.empty() || std::equal(e.shape.begin(), e.shape.end(), griddle_shape(v)), "an array has its lengths");
  char* out = static_cast<char*>(std::malloc(e.bytes));
  Why why(world, true);
  const int copied = griddle_copy(v, e.type, out, why.slot());
  why.judge(copied != 0, "griddle_copy");
  for (size_t i = 0; copied && i < e.count; i++)
    require(same_number(number_at(e.type, out, i), number_at(e.type, e.data, i)), "elements come out as they went in");
  std::free(out);
}

void make_copied(World& world) {
  Engine& engine = world.engine();
  Elements e;
  e.make(world.random, random_type(world.random), random_shape(world.random));
  log.note("griddle_make_array: type %d, rank %zu, %zu elements", e.type, e.shape.size(), e.count);
  Why why(world);
  const bool as_list = e.shape.size() == 1 && world.random.chance(50);
  Own v(as_list ? griddle_make_list(engine.handle, e.type, e.data, e.count, why.slot())
                : griddle_make_array(engine.handle, e.type, e.data, e.shape.data(), e.shape.size(), why.slot()));
  why.judge(bool(v), "griddle_make_array");
  if (v) require(e.is_valid, "characters and integers that BQN does not have are refused");
  if (v) compare(world, v.get(), e);
  world.keep(v.leak());
}

void make_of_values(World& world) {
  Engine& engine = world.engine();
  std::vector<Own> owned;
  std::vector<griddle_value> values;
  bool is_own = true;
  const std::vector<size_t> shape = random_shape(world.random, 40);
  size_t count = 1;
  for (const size_t length : shape) count *= length;
  for (size_t i = 0; i < count; i++) {
    owned.push_back(world.random.chance(1) ? world.any() : world.any_of(engine.handle));
    values.push_back(owned.back().get());
    is_own &= values.back().interpreter == engine.handle;
  }
  log.note("griddle_make_array: %zu values, rank %zu", count, shape.size());
  Why why(world);
  Own v(griddle_make_array(engine.handle, griddle_any, values.data(), shape.data(), shape.size(), why.slot()));
  why.judge(bool(v), "griddle_make_array of values");
  require(!v || is_own, "values of others are refused");
  if (v && count > 0) {
    // Copied out, values are the host's.
    std::vector<griddle_value> out(count);
    Why copy_why(world);
    if (griddle_copy(v.get(), griddle_any, out.data(), copy_why.slot()))
      for (const griddle_value& element : out) world.random.chance(5) ? world.keep(element) : griddle_release(element);
  }
  world.keep(v.leak());
}

void make_impossible(World& world) {
  Engine& engine = world.engine();
  constexpr size_t most = std::numeric_limits<size_t>::max();
  const std::vector<size_t> shapes[] = {{most, 2},
                                        {most},
                                        {size_t{1} << 32, size_t{1} << 32},
                                        {most, 0},
                                        std::vector<size_t>(300, 1),
                                        {size_t{1} << 40, size_t{1} << 40, 0},
                                        {0, most, most}};
  const std::vector<size_t>& shape = world.random.among(shapes);
  const griddle_type type =
      world.random.chance(90) ? random_type(world.random) : static_cast<griddle_type>(world.random.below(6) + 10);
  log.note("griddle_make_array: an impossible shape of rank %zu, type %d", shape.size(), type);
  // Nothing lies there: all but empty ones fail.
  Why why(world);
  Own v(griddle_make_array(engine.handle, type, nullptr, shape.data(), shape.size(), why.slot()));
  why.judge(bool(v), "griddle_make_array of an impossible shape");
  require(!v || griddle_length(v.get()) == 0, "no array is so large");
  world.keep(v.leak());
}

struct Lent {
  Token& token;
  void* memory;
};

void drop_lent(void* data) {
  Lent* lent = static_cast<Lent*>(data);
  lent->token.drops++;
  std::free(lent->memory);
  delete lent;
}

void borrow(World& world) {
  Engine& engine = world.engine();
  constexpr griddle_type kept[] = {griddle_bit, griddle_i8, griddle_i16, griddle_i32,
                                   griddle_f64, griddle_c8, griddle_c16, griddle_c32};
  Elements e;
  e.make(world.random, world.random.chance(90) ? world.random.among(kept) : random_type(world.random), random_shape(world.random),
         world.random.chance(30) ? world.random.below(8) : 0);
  log.note("griddle_borrow_array: type %d, rank %zu, %zu elements, at %zu", e.type, e.shape.size(), e.count,
           static_cast<size_t>(e.data - e.start));
  auto* lent = new Lent{world.token("borrowed memory"), std::exchange(e.start, nullptr)};
  Why why(world);
  Own v(griddle_borrow_array(engine.handle, e.type, e.data, e.shape.data(), e.shape.size(), drop_lent, lent, why.slot()));
  why.judge(bool(v), "griddle_borrow_array");
  require(!v || e.is_valid, "borrowed characters are looked at");
  if (!v || e.count == 0) return world.keep(v.leak());
  // Elements may have been copied and dropped: what was read is only what is still there.
  if (const void* there = griddle_elements(v.get()); there == e.data) compare(world, v.get(), e);
  world.keep(v.leak());
}

void make_atom(World& world) {
  Engine& engine = world.engine();
  log.note("griddle_make_number, griddle_make_character, griddle_make_text");
  world.keep(griddle_make_number(engine.handle, random_double(world.random)));
  const auto c = static_cast<uint32_t>(world.random.chance(50) ? world.random.below(256) : world.random.next() >> 40);
  Own character(griddle_make_character(engine.handle, c));
  require(bool(character) == (c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF)), "code points alone are characters");
  require(!character || griddle_character_of(character.get()) == c, "a character comes back");
  world.keep(character.leak());
  std::string bytes = world.random.chance(30) ? world.program() : std::string(world.random.below(70), 'x');
  for (char& byte : bytes)
    if (world.random.chance(10)) byte = static_cast<char>(world.random.next());
  Why why(world);
  Own text(griddle_make_text(engine.handle, bytes.empty() ? griddle_text{} : text_of(bytes), why.slot()));
  why.judge(bool(text), "griddle_make_text");
  require(!text || griddle_is_text(text.get()), "a text is one");
  world.keep(text.leak());
}

void make_name_space(World& world) {
  Engine& engine = world.engine();
  static const char* const names[] = {"a", "b", "Function", "_m", "_c_", "some_name", "someName", "x1", "", "ñ", "𝕩", "\xFF"};
  std::vector<Own> owned;
  std::vector<griddle_text> texts;
  std::vector<griddle_value> values;
  bool is_own = true;
  for (size_t n = world.random.below(5); n > 0; n--) {
    owned.push_back(world.any_of(engine.handle));
    values.push_back(owned.back().get());
    texts.push_back(griddle_string(world.random.among(names)));
    is_own &= values.back().interpreter == engine.handle;
  }
  log.note("griddle_make_namespace: %zu fields", values.size());
  Why why(world);
  Own v(griddle_make_namespace(engine.handle, texts.data(), values.data(), values.size(), why.slot()));
  why.judge(bool(v), "griddle_make_namespace");
  require(!v || is_own, "fields of others are refused");
  world.keep(v.leak());
}

void share_and_release(World& world) {
  Own v = world.any();
  log.note("griddle_share: kind %d", griddle_kind_of(v.get()));
  griddle_release(griddle_share(griddle_share(v.get())));
  griddle_release(v.get());
  Own leaked(v.leak());
}

void look_at_failure(World& world) {
  griddle_failure* failure = world.any_failure();
  log.note("griddle_failure_…");
  griddle_failure_cause(failure);
  griddle_failure_exit_code(failure);
  const griddle_text message = griddle_failure_message(failure), report = griddle_failure_report(failure);
  require(message.data && report.data, "a failure has texts");
  require(std::string_view(report.data, report.bytes).find('\0', report.bytes) == std::string_view::npos, "a report can be read");
  for (size_t i = 0; i <= griddle_failure_frames(failure); i++) {
    griddle_frame frame = {};
    frame.size = world.random.chance(80) ? sizeof frame : offsetof(griddle_frame, line);
    const int there = griddle_failure_frame(failure, i, &frame);
    require(there == (i < griddle_failure_frames(failure)), "a failure has as many frames as it says");
    if (there) require(std::string(frame.line_text.data, frame.line_text.bytes).size() < 1 << 20, "a line can be read");
  }
  world.keep(griddle_failure_value(failure));
  Own v = world.any();
  griddle_failure* made =
      world.random.chance(50) ? griddle_make_failure_of(v.get()) : griddle_make_failure(text_of(world.program()));
  require(made != nullptr, "a failure is made");
  world.keep(made);
  griddle_release_failure(failure);
}

void read_some(World& world) {
  Own v = world.any();
  read_all(world, v.get());
}

void compare_values(World& world) {
  Own a = world.any(), b = world.random.chance(90) ? world.any_of(a.get().interpreter) : world.any();
  log.note("griddle_match: kinds %d and %d", griddle_kind_of(a.get()), griddle_kind_of(b.get()));
  Why why(world);
  const int same = griddle_match(a.get(), b.get(), why.slot());
  require(!same || a.get().interpreter == b.get().interpreter, "values of others do not match");
  require(!same || !why.failed(), "what fails does not match");
}

void import(World& world) {
  Engine& engine = world.engine();
  Own v = world.any();
  log.note("griddle_import: kind %d, %zu elements", griddle_kind_of(v.get()), griddle_length(v.get()));
  Why why(world);
  Own copy(griddle_import(engine.handle, v.get(), why.slot()));
  why.judge(bool(copy), "griddle_import");
  require(!copy || copy.get().interpreter == engine.handle, "what is imported belongs to whom it was imported by");
  if (copy) {
    require(griddle_rank(copy.get()) == griddle_rank(v.get()) && griddle_length(copy.get()) == griddle_length(v.get()),
            "a copy has the shape of what it was made of");
    if (!world.engine_of(v.get().interpreter)) return world.keep(copy.leak());
    if (Own again(griddle_import(v.get().interpreter, copy.get(), nullptr)); again && is_data(v.get())) {
      griddle_failure* failure = nullptr;
      const int same = griddle_match(again.get(), v.get(), &failure);
      require(same || failure, "a copy of a copy matches");
      world.keep(failure);
    }
  }
  world.keep(copy.leak());
}

constexpr Operation operations[] = {{"make_copied", 8, make_copied},
                                    {"make_of_values", 4, make_of_values},
                                    {"make_impossible", 1, make_impossible},
                                    {"borrow", 6, borrow},
                                    {"make_atom", 2, make_atom},
                                    {"make_name_space", 3, make_name_space},
                                    {"share_and_release", 2, share_and_release},
                                    {"look_at_failure", 3, look_at_failure},
                                    {"read_some", 8, read_some},
                                    {"compare_values", 3, compare_values},
                                    {"import", 4, import}};

// Copies elements out as another type, and compares what came with the same as doubles.
void copy_as(World& world, griddle_value v) {
  const griddle_type type = random_type(world.random);
  const size_t n = griddle_length(v);
  if (n > 100000) return;
  char* out = static_cast<char*>(std::malloc(bytes_of(type, n)));
  auto* doubles = static_cast<double*>(std::malloc(n * sizeof(double)));
  Why why(world, true);
  const int copied = griddle_copy(v, type, out, why.slot());
  why.judge(copied != 0, "griddle_copy as another type");
  const bool is_character = type == griddle_c8 || type == griddle_c16 || type == griddle_c32;
  if (copied && n > 0 && !is_character && type != griddle_f32 && griddle_copy(v, griddle_f64, doubles, nullptr))
    for (size_t i = 0; i < n; i++) require(same_number(number_at(type, out, i), doubles[i]), "elements are the same as any type");
  std::free(doubles);
  std::free(out);
}

void read_texts(World& world, griddle_value v) {
  Why text_why(world), source_why(world), fields_why(world);
  const griddle_buffer text = griddle_text_of(v, text_why.slot());
  text_why.judge(text.data != nullptr, "griddle_text_of");
  const griddle_buffer shown = griddle_format(v);
  const griddle_buffer source = griddle_source(v, source_why.slot());
  source_why.judge(source.data != nullptr, "griddle_source");
  for (const griddle_buffer& buffer : {text, shown, source}) {
    require(!buffer.data || buffer.data[buffer.bytes] == 0, "a NUL follows");
    griddle_free(buffer);
  }
  Own fields(griddle_fields(v, fields_why.slot()));
  fields_why.judge(bool(fields), "griddle_fields");
  for (size_t i = 0; fields && i < griddle_length(fields.get()); i++) {
    Own name(griddle_element(fields.get(), i));
    const griddle_buffer spelled = griddle_text_of(name.get(), nullptr);
    world.keep(griddle_field(v, {spelled.data, spelled.bytes}));
    griddle_free(spelled);
  }
  Own none(griddle_field(v, griddle_string("no_such_name")));
}

}  // namespace

void read_all(World& world, griddle_value v) {
  log.note("read: kind %d, rank %zu, %zu elements, type %d", griddle_kind_of(v), griddle_rank(v), griddle_length(v),
           griddle_type_of(v));
  griddle_is_text(v);
  griddle_number_of(v);
  griddle_character_of(v);
  size_t count = 1;
  for (size_t axis = 0; axis < griddle_rank(v); axis++) count *= griddle_shape(v)[axis];
  require(count == griddle_length(v) || v.interpreter == nullptr, "the length is the product of the shape");
  if (const void* elements = griddle_elements(v); elements && count > 0) number_at(griddle_type_of(v), elements, count - 1);
  const size_t at = world.random.below(count + 2);
  Own element(griddle_element(v, at));
  require(bool(element) == (at < count && v.interpreter != nullptr), "there are elements up to the length");
  if (element && world.random.chance(20)) world.keep(element.leak());
  copy_as(world, v);
  if (count < 20000) read_texts(world, v);
}

std::span<const Operation> value_operations() { return operations; }

}  // namespace abi_fuzz
