// Values as those see them who show them: digits, as much text as there is room for, pictures, and the memory that they take.
#include <algorithm>
#include <unordered_set>
#include <vector>

#include "runtime/api/interpreter_state.h"
#include "runtime/format/format.h"
#include "runtime/value/cycles.h"
#include "runtime/value/references.h"

using namespace griddle;

namespace {

std::size_t limit_of(std::size_t given) { return given != 0 ? given : TextRoom::all; }

// Adds up what arrays take. What is in several places counts once.
class Bytes {
 public:
  std::size_t of(const Value& v) {
    if (!v.is_array() || !seen_.insert(v.object()).second) return 0;
    const Array& a = v.array();
    std::size_t bytes = bytes_for(a.type(), a.length);
    if (a.type() != ElementType::boxed) return bytes;
    // What is nested very deep is not worth the stack.
    if (depth_ == deepest) return bytes;
    depth_++;
    for (std::size_t i = 0; i < a.length; i++) bytes += of(a.boxes()[i]);
    depth_--;
    return bytes;
  }

 private:
  static constexpr unsigned deepest = 1000;
  std::unordered_set<const Object*> seen_;
  unsigned depth_ = 0;
};

// Goes through all objects that can be reached, each once.
class MemoryKinds final : ObjectVisitor {
 public:
  explicit MemoryKinds(griddle_memory_kinds& kinds) : kinds_(kinds) {}

  void visit(Object* o) override {
    if (o == nullptr) return;
    // What has one owner is met once; environments are in the collector's list as well.
    if ((o->refs > 1 || o->kind == ObjectKind::environment) && !seen_.insert(o).second) return;
    waiting_.push_back(o);
  }
  ObjectVisitor& visitor() { return *this; }

  void count_all() {
    while (!waiting_.empty()) {
      Object* const o = waiting_.back();
      waiting_.pop_back();
      count(*o);
      if (o->kind == ObjectKind::native)
        static_cast<NativeObject*>(o)->trace(*this);
      else
        each_reference(o, [this](Object* held) { visit(held); });
    }
  }
  std::size_t counted() const { return counted_; }

 private:
  std::size_t& kind_of(const Object& o) {
    switch (o.kind) {
      case ObjectKind::array: return kind_of(static_cast<const Array&>(o).type());
      case ObjectKind::environment:
      case ObjectKind::name_space: return kinds_.namespaces;
      default: return kinds_.functions;
    }
  }
  std::size_t& kind_of(ElementType type) {
    switch (type) {
      case ElementType::bit: return kinds_.bits;
      case ElementType::i8: return kinds_.i8;
      case ElementType::i16: return kinds_.i16;
      case ElementType::i32: return kinds_.i32;
      case ElementType::f64: return kinds_.f64;
      case ElementType::boxed: return kinds_.boxes;
      default: return kinds_.characters;
    }
  }
  void count(const Object& o) {
    const std::size_t bytes = Heap::usable_size(&o);
    kind_of(o) += bytes;
    counted_ += bytes;
    if (o.kind != ObjectKind::array) return;
    const Array& a = static_cast<const Array&>(o);
    if (a.data.elsewhere()) kinds_.on_device += bytes_for(a.type(), a.length);
  }

  griddle_memory_kinds& kinds_;
  std::unordered_set<const Object*> seen_;  // of those with several owners
  std::vector<Object*> waiting_;
  std::size_t counted_ = 0;
};

}  // namespace

griddle_buffer griddle_format_within(griddle_value value, const griddle_text_room* room, int* is_whole) {
  griddle_text_room limits = {};
  take_struct(limits, room);
  bool whole = true;
  griddle_buffer buffer = shown_text(value, [&](Context& cx, const Value& v) {
    return text_within(cx, v, {limit_of(limits.rows), limit_of(limits.columns), limit_of(limits.alone)}, &whole,
                       {value.interpreter->shown_style, {}});
  });
  if (is_whole != nullptr) *is_whole = whole;
  return buffer;
}

int griddle_format_pieces(griddle_value value, int (*take)(void* data, griddle_text piece), void* data,
                          griddle_failure** failure) {
  if (value.interpreter == nullptr || take == nullptr) return nothing_to_call(failure, "There is no value"), 0;
  struct Taker {
    int (*take)(void*, griddle_text);
    void* data;
  } taker{take, data};
  return value.interpreter->done(failure, [&] {
    griddle::text_in_pieces(
        value.interpreter->cx, *Lent(value.bits), value.interpreter->shown_style,
        [](void* to, std::string_view piece) {
          const Taker& t = *static_cast<Taker*>(to);
          return t.take(t.data, {piece.data(), piece.size()}) != 0;
        },
        &taker);
  });
}

size_t griddle_bytes_of(griddle_value value) {
  if (value.interpreter == nullptr) return 0;
  try {
    return Bytes().of(*Lent(value.bits));
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

int griddle_on_device(griddle_value value) {
  if (value.interpreter == nullptr) return 0;
  const Lent v(value.bits);
  return v->is_array() && v->array().data.elsewhere();
}

void griddle_set_precision(griddle_interpreter* bqn, int32_t digits) {
  if (bqn != nullptr) bqn->shown_style.precision = std::clamp<int>(digits, 0, TextStyle::most_precision);
}

griddle_buffer griddle_picture(griddle_value value) {
  if (value.interpreter == nullptr) return buffer_of("");
  const Lent v(value.bits);
  const LastPicture& picture = value.interpreter->system.picture;
  const bool is_it = v->is_array() && picture.value.is_array() && v->object() == picture.value.object();
  return buffer_of(is_it ? std::string_view(picture.shown) : "");
}

int griddle_memory_kinds_of(griddle_interpreter* bqn, griddle_memory_kinds* told) {
  if (bqn == nullptr || told == nullptr) return 0;
  griddle_memory_kinds kinds = {};
  try {
    MemoryKinds all(kinds);
    ObjectVisitor& visitor = all.visitor();
    if (bqn->session_root) visitor.visit(bqn->session_root.get());
    visitor.visit(bqn->arguments);
    bqn->system.trace(visitor);
    for (const Value& primitive : bqn->cx.primitives) visitor.visit(primitive);
    // Variables of blocks that something keeps, and what only cycles keep until they are collected.
    if (bqn->cx.heap.cycles != nullptr)
      for (Environment* e = bqn->cx.heap.cycles->first; e != nullptr; e = e->next) visitor.visit(e);
    all.count_all();
    const std::size_t in_use = bqn->cx.heap.bytes_in_use();
    kinds.rest = in_use - std::min(in_use, all.counted());
  } catch (const std::bad_alloc&) {
    kinds = {};
  }
  give_struct(kinds, told);
  return kinds.functions > 0;
}
