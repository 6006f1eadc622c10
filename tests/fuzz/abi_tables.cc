// Random columns and tables of the Arrow C data interface, to the library and from it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/api/arrow.h"
#include "tests/fuzz/abi_world.h"

namespace abi_fuzz {

namespace {

// What stands behind the structs: an owner for each, as producers have it, so that children may be moved away.
struct SchemaOwner {
  std::string format, name;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> pointers;
  Token* token;
};
struct ArrayOwner {
  std::vector<void*> memory;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> pointers;
  Token* token;
};

template <class T>
void release(T* t) {
  if (t->release) t->release(t);
}

void release_schema(ArrowSchema* s) {
  const std::unique_ptr<SchemaOwner> owner(static_cast<SchemaOwner*>(s->private_data));
  for (const auto& child : owner->children) release(child.get());
  owner->token->drops++;
  s->release = nullptr;
}
void release_array(ArrowArray* a) {
  const std::unique_ptr<ArrayOwner> owner(static_cast<ArrayOwner*>(a->private_data));
  for (const auto& child : owner->children) release(child.get());
  for (void* memory : owner->memory) std::free(memory);
  owner->token->drops++;
  a->release = nullptr;
}

struct Format {
  const char* name;
  griddle_type type;
};
constexpr Format formats[] = {{"c", griddle_i8},  {"C", griddle_u8},  {"s", griddle_i16}, {"S", griddle_u16}, {"i", griddle_i32},
                              {"I", griddle_u32}, {"l", griddle_i64}, {"L", griddle_u64}, {"f", griddle_f32}, {"g", griddle_f64}};

// Makes an array of Arrow; `wanted` gets its numbers, where it is a column of such.
class Maker {
 public:
  Maker(World& world, std::vector<double>& wanted) : world_(world), random_(world.random), wanted_(wanted) {}

  // `rows` is what the array has to have beside its offset, at least.
  void make(ArrowSchema& schema, ArrowArray& array, size_t rows, int depth, const std::string& name) {
    auto s = std::make_unique<SchemaOwner>();
    auto a = std::make_unique<ArrayOwner>();
    s->token = &world_.token("a schema of Arrow");
    a->token = &world_.token("an array of Arrow");
    s->name = name;
    const size_t offset = random_.chance(60) ? 0 : random_.below(70);
    // Where all elements are there, a producer may say so, or have no bits for it.
    int64_t missing = 0;
    const size_t all = offset + rows;
    void* present = nullptr;
    if (random_.chance(40)) present = bits(*a, all, random_.chance(70) ? 100 : 90, offset, missing);
    array = {static_cast<int64_t>(rows),
             random_.chance(50) ? -1 : missing,
             static_cast<int64_t>(offset),
             0,
             0,
             nullptr,
             nullptr,
             nullptr,
             release_array,
             nullptr};
    a->buffers.push_back(present);
    const size_t kind = random_.below(depth > 0 ? 10 : 6);
    if (kind < 4) {
      numbers(*s, *a, all, depth, offset, present);
    } else if (kind == 4) {
      int64_t ignored = 0;
      s->format = "b";
      a->buffers.push_back(bits(*a, all, 50, 0, ignored));
    } else if (kind == 5) {
      random_.chance(50) ? texts<int32_t>(*s, *a, all) : texts<int64_t>(*s, *a, all);
    } else if (kind < 8) {
      random_.chance(50) ? lists<int32_t>(*s, *a, all, depth) : lists<int64_t>(*s, *a, all, depth);
    } else {
      columns(*s, *a, all, depth);
    }
    if (random_.chance(2)) s->format = random_.among({"n", "e", "tdD", "w:4", "+m", "+w:2", "", "vu"});
    for (const auto& child : s->children) s->pointers.push_back(child.get());
    for (const auto& child : a->children) a->pointers.push_back(child.get());
    array.n_buffers = static_cast<int64_t>(a->buffers.size()), array.buffers = a->buffers.data();
    array.n_children = static_cast<int64_t>(a->children.size()), array.children = a->pointers.data();
    schema = {s->format.c_str(),
              random_.chance(90) ? s->name.c_str() : nullptr,
              nullptr,
              2,
              array.n_children,
              s->pointers.data(),
              nullptr,
              release_schema,
              nullptr};
    schema.private_data = s.release();
    array.private_data = a.release();
  }

 private:
  void* memory(ArrayOwner& a, size_t bytes) {
    // An empty buffer may be none.
    if (bytes == 0 && random_.chance(50)) return nullptr;
    a.memory.push_back(std::malloc(bytes));
    return a.memory.back();
  }
  void* bits(ArrayOwner& a, size_t n, size_t percent, size_t counted_from, int64_t& zeros) {
    auto* bytes = static_cast<uint8_t*>(memory(a, (n + 7) / 8));
    for (size_t i = 0; i < (n + 7) / 8; i++) bytes[i] = 0;
    for (size_t i = 0; i < n; i++) {
      const bool set = random_.chance(percent);
      bytes[i / 8] = static_cast<uint8_t>(bytes[i / 8] | set << (i % 8));
      zeros += !set && i >= counted_from;
    }
    return bytes;
  }
  void numbers(SchemaOwner& s, ArrayOwner& a, size_t all, int depth, size_t offset, const void* present) {
    const Format& format = random_.among(formats);
    s.format = format.name;
    Elements e;
    e.make(random_, format.type, {all});
    a.memory.push_back(std::exchange(e.start, nullptr));
    a.buffers.push_back(e.data);
    if (depth < outermost) return;
    for (size_t i = offset; i < all; i++) {
      const bool is_there = !present || static_cast<const uint8_t*>(present)[i / 8] >> (i % 8) & 1;
      wanted_.push_back(is_there ? number_at(format.type, e.data, i) : std::nan(""));
    }
  }
  // Gives places that rise from some start.
  template <class Offset>
  size_t places(ArrayOwner& a, size_t all) {
    auto* ends = static_cast<Offset*>(std::malloc((all + 1) * sizeof(Offset)));
    a.memory.push_back(ends);
    a.buffers.push_back(ends);
    size_t end = random_.chance(70) ? 0 : random_.below(9);
    for (size_t i = 0; i <= all; i++) {
      ends[i] = static_cast<Offset>(end);
      if (i < all) end += random_.below(4);
    }
    return end;
  }
  template <class Offset>
  void texts(SchemaOwner& s, ArrayOwner& a, size_t all) {
    s.format = sizeof(Offset) == 4 ? random_.among({"u", "z"}) : random_.among({"U", "Z"});
    const size_t end = places<Offset>(a, all);
    auto* characters = static_cast<char*>(memory(a, end));
    for (size_t i = 0; i < end; i++) characters[i] = static_cast<char>(random_.chance(90) ? 'a' + i % 26 : random_.next());
    a.buffers.push_back(characters);
  }
  template <class Offset>
  void lists(SchemaOwner& s, ArrayOwner& a, size_t all, int depth) {
    s.format = sizeof(Offset) == 4 ? "+l" : "+L";
    child(s, a, places<Offset>(a, all), depth, "item");
  }
  void columns(SchemaOwner& s, ArrayOwner& a, size_t all, int depth) {
    s.format = "+s";
    static const char* const names[] = {"a", "b", "c", "d"};
    for (size_t n = random_.below(4), i = 0; i < n; i++)
      child(s, a, all + (random_.chance(20) ? 3 : 0), depth, random_.chance(95) ? names[i] : "a");
  }
  void child(SchemaOwner& s, ArrayOwner& a, size_t rows, int depth, const char* name) {
    s.children.push_back(std::make_unique<ArrowSchema>());
    a.children.push_back(std::make_unique<ArrowArray>());
    make(*s.children.back(), *a.children.back(), rows, depth - 1, name);
  }

 public:
  static constexpr int outermost = 3;

 private:
  World& world_;
  Random& random_;
  std::vector<double>& wanted_;
};

// Looks that all columns of a table, and those of the tables in it, have so many rows.
void require_rows(griddle_value v, size_t rows) {
  if (griddle_kind_of(v) != griddle_namespace) return require(griddle_length(v) == rows, "a column has the rows of its table");
  Own names(griddle_fields(v, nullptr));
  for (size_t i = 0; names && i < griddle_length(names.get()); i++) {
    Own name(griddle_element(names.get(), i));
    const griddle_buffer spelled = griddle_text_of(name.get(), nullptr);
    if (Own column(griddle_field(v, {spelled.data, spelled.bytes})); column) require_rows(column.get(), rows);
    griddle_free(spelled);
  }
}

void take_table(World& world) {
  Engine& engine = world.engine();
  ArrowSchema schema;
  ArrowArray array;
  std::vector<double> wanted;
  const size_t rows = world.random.chance(10) ? 0 : world.random.below(world.random.chance(80) ? 20 : 300);
  Maker(world, wanted).make(schema, array, rows, Maker::outermost, "");
  const std::string format = schema.format;
  log.note("griddle_from_arrow: %s, %zu rows, offset %lld", schema.format, rows, static_cast<long long>(array.offset));
  Why why(world);
  Own v(griddle_from_arrow(engine.handle, &schema, &array, why.slot()));
  why.judge(bool(v), "griddle_from_arrow");
  require(!schema.release && !array.release, "what is taken is the library's");
  if (v) {
    require_rows(v.get(), rows);
    std::vector<double> got(wanted.size());
    if (format.size() == 1 && !wanted.empty() && griddle_copy(v.get(), griddle_f64, got.data(), nullptr))
      for (size_t i = 0; i < rows; i++)
        require(got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i])), "a column keeps its numbers");
  }
  world.keep(v.leak());
}

// Reads all that an array of Arrow shows.
unsigned read_array(const ArrowSchema& s, const ArrowArray& a) {
  unsigned sum = 0;
  const auto length = static_cast<size_t>(a.length);
  const auto add = [&](const void* bytes, size_t n) {
    for (size_t i = 0; i < n; i++) sum += static_cast<const unsigned char*>(bytes)[i];
  };
  require(s.n_children == a.n_children && a.offset == 0 && a.null_count == 0, "an array that is given is whole");
  const std::string format = s.format;
  if (format == "b") add(a.buffers[1], (length + 7) / 8);
  for (const Format& known : formats)
    if (format == known.name) add(a.buffers[1], bytes_of(known.type, length));
  if (format == "U") {
    const auto* ends = static_cast<const int64_t*>(a.buffers[1]);
    for (size_t i = 0; i < length; i++) require(ends[i] <= ends[i + 1] && ends[0] == 0, "places rise");
    add(a.buffers[2], static_cast<size_t>(ends[length]));
  }
  for (int64_t i = 0; i < a.n_children; i++) {
    require(a.children[i]->length == a.length, "columns have one length");
    sum += read_array(*s.children[i], *a.children[i]);
  }
  return sum;
}

void give_table(World& world) {
  Own v = world.any();
  for (int i = 0; i < 3 && griddle_kind_of(v.get()) != griddle_namespace; i++) v = world.any();
  log.note("griddle_to_arrow: kind %d, type %d, %zu elements", griddle_kind_of(v.get()), griddle_type_of(v.get()),
           griddle_length(v.get()));
  ArrowSchema schema;
  ArrowArray array;
  Why why(world);
  const int given = griddle_to_arrow(v.get(), &schema, &array, why.slot());
  why.judge(given != 0, "griddle_to_arrow");
  if (!given) return;
  log.note("bytes that are %u together", read_array(schema, array));
  const bool is_list = griddle_kind_of(v.get()) == griddle_array && griddle_length(v.get()) > 0;
  const griddle_interpreter* from = v.get().interpreter;
  if (world.random.chance(30)) {
    Own gone = std::move(v);
  }
  if (world.random.chance(30)) {
    // A child that somebody moved away is released by them.
    ArrowArray moved = {};
    if (array.n_children > 0 && world.random.chance(50)) {
      moved = *array.children[0];
      array.children[0]->release = nullptr;
    }
    release(&array);
    if (moved.release) require(moved.length >= 0, "a child outlives its parent"), release(&moved);
    return release(&schema);
  }
  // What is given holds its interpreter: back in there, it might become part of a circle of values that holds itself.
  Engine& engine = world.quiet_engine();
  Why back_why(world);
  Own back(griddle_from_arrow(engine.handle, &schema, &array, back_why.slot()));
  back_why.judge(bool(back), "griddle_from_arrow of what was given");
  if (back && v && is_list && is_data(v.get()) && back.get().interpreter == from) {
    griddle_failure* failure = nullptr;
    require(griddle_match(back.get(), v.get(), &failure) || failure, "a column comes back as it went");
    world.keep(failure);
  }
  world.keep(back.leak());
}

constexpr Operation operations[] = {{"take_table", 8, take_table}, {"give_table", 5, give_table}};

}  // namespace

std::span<const Operation> table_operations() { return operations; }

}  // namespace abi_fuzz
