#include "runtime/vm/machine.h"

#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

namespace griddle {

namespace {

// Writes over a slot that holds nothing.
void put(Value& slot, Value v) { new (&slot) Value(std::move(v)); }

Value fetch(Value& slot, bool consume) { return consume ? std::move(slot) : slot; }

// Marks an array as lent while a pure function changes the variable that holds it.
class Loan {
 public:
  explicit Loan(const Value& variable) {
    if (variable.is_array() && variable.array().refs == 1) {
      array_ = &variable.array();
      array_->flags |= Object::lent;
    }
  }
  ~Loan() {
    if (array_) array_->flags &= static_cast<std::uint8_t>(~Object::lent);
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

 private:
  Array* array_ = nullptr;
};

// Computes on short lists, which stay where they are. Gives the absent value where there is no such way.
Value short_result(Context& cx, const PrimitiveFunctionEntry& entry, const Value& w, const Value& x) {
  if (cx.device != nullptr && (belongs_to_device(cx, w) || belongs_to_device(cx, x))) [[unlikely]]
    return Value();
  if (entry.short_dyad && (w.is_array() || x.is_array())) return entry.short_dyad(cx, w, x);
  return Value();
}

// Does what the loop does not about atoms: characters.
bool scalar_atoms(ScalarOp op, const Value& w, const Value& x, Value& result) {
  auto compare = [&](double l, double r) {
    switch (op) {
      case ScalarOp::less: result = Value(l < r); return true;
      case ScalarOp::less_equal: result = Value(l <= r); return true;
      case ScalarOp::equal: result = Value(l == r); return true;
      case ScalarOp::greater_equal: result = Value(l >= r); return true;
      case ScalarOp::greater: result = Value(l > r); return true;
      case ScalarOp::not_equal: result = Value(l != r); return true;
      default: return false;
    }
  };
  auto shifted = [&](char32_t c, double by) {
    double code = c + by;
    if (!(code >= 0 && code <= 1114111) || code != static_cast<double>(static_cast<std::int32_t>(code))) return false;
    result = Value::character(static_cast<char32_t>(code));
    return true;
  };
  if (w.is_character()) {
    if (x.is_character()) {
      if (op == ScalarOp::subtract) {
        result = Value(static_cast<double>(w.character()) - static_cast<double>(x.character()));
        return true;
      }
      return compare(w.character(), x.character());
    }
    if (!x.is_number()) return false;
    if (op == ScalarOp::add) return shifted(w.character(), x.number());
    if (op == ScalarOp::subtract) return shifted(w.character(), -x.number());
    return false;
  }
  return op == ScalarOp::add && w.is_number() && x.is_character() && shifted(x.character(), w.number());
}

Value call_dyad(Context& cx, const PrimitiveFunctionEntry& entry, Value w, Value x) {
  Value result;
  if (scalar_atoms(entry.scalar, w, x, result)) return result;
  return entry.dyad(cx, std::move(w), std::move(x));
}

// Calls a primitive of which an argument may be Nothing.
Value call_maybe(Context& cx, const PrimitiveFunctionEntry& entry, Value w, Value x) {
  if (x.is_mark()) return x;
  if (w.is_mark()) return entry.monad(cx, std::move(x));
  return entry.dyad(cx, std::move(w), std::move(x));
}

void change(Value& variable, Value v) { variable = std::move(v); }

// Computes `variable F x` (x is absent for one argument), lending the variable to F where no code of the program could see it.
Value lend_to(Context& cx, const Value& variable, const Value& f, Value x) {
  if (!f.is_function() || !f.function().is_pure())
    return x.is_absent() ? call(cx, f, variable) : call(cx, f, variable, std::move(x));
  Loan loan(variable);
  const Function& function = f.function();
  if (x.is_absent()) return function.monad(cx, function, variable);
  return function.dyad(cx, function, variable, std::move(x));
}

// Appends an atom, or a list of the same type, to a list that nobody else sees and that has room for it. Declines where the
// list's type or fill would change.
bool append(Value& list, const Value& item) {
  if (!list.is_array()) return false;
  Array& a = list.array();
  if (a.refs != 1 || a.rank() != 1 || a.is_view() || !a.writable()) return false;
  FillKind fill = a.fill_kind();
  if (fill != FillKind::none && fill != (is_character(a.type()) ? FillKind::space : FillKind::zero)) return false;
  std::size_t n = a.length;
  if (item.is_array()) {
    const Array& more = item.array();
    if (more.type() != a.type() || more.rank() != 1 || more.fill_kind() != fill || a.type() == ElementType::bit ||
        a.type() == ElementType::boxed || &more == &a || bytes_for(a.type(), n + more.length) > a.capacity_bytes())
      return false;
    std::memcpy(a.data + bytes_for(a.type(), n), more.data, bytes_for(a.type(), more.length));
    a.length = n + more.length;
    return true;
  }
  if (bytes_for(a.type(), n + 1) > a.capacity_bytes()) return false;
  auto narrow = [&]<class T>(std::type_identity<T>) {
    if (!item.is_number()) return false;
    double d = item.number();
    if (!(d >= std::numeric_limits<T>::min() && d <= std::numeric_limits<T>::max()) || d != static_cast<T>(d)) return false;
    a.as<T>()[n] = static_cast<T>(d);
    return true;
  };
  bool stored = false;
  switch (a.type()) {
    case ElementType::i8: stored = narrow(std::type_identity<std::int8_t>{}); break;
    case ElementType::i16: stored = narrow(std::type_identity<std::int16_t>{}); break;
    case ElementType::i32: stored = narrow(std::type_identity<std::int32_t>{}); break;
    case ElementType::f64:
      stored = item.is_number();
      if (stored) a.as<double>()[n] = item.number();
      break;
    case ElementType::c8:
      stored = item.is_character() && item.character() < 256;
      if (stored) a.as<std::uint8_t>()[n] = static_cast<std::uint8_t>(item.character());
      break;
    case ElementType::c32:
      stored = item.is_character();
      if (stored) a.as<char32_t>()[n] = item.character();
      break;
    default: break;
  }
  if (stored) a.length = n + 1;
  return stored;
}

Value boolean_dyad(Context& cx, const PrimitiveFunctionEntry& entry, Value w, Value x) {
  return call_dyad(cx, entry, std::move(w), std::move(x));
}

}  // namespace

double arithmetic(const Function& f, double x) {
  if (f.kind == ObjectKind::derived) {
    const Derived& d = static_cast<const Derived&>(f);
    return d.bound() == ScalarOp::none ? NAN : bound_number(d, x);
  }
  if (f.kind == ObjectKind::primitive_function) {
    switch (static_cast<const PrimitiveFunction&>(f).scalar()) {
      case ScalarOp::add:
      case ScalarOp::left:
      case ScalarOp::right: return x;
      case ScalarOp::subtract: return 0 - x;
      case ScalarOp::divide: return 1 / (x + 0.0);
      case ScalarOp::minimum: return std::floor(x);
      case ScalarOp::maximum: return std::ceil(x);
      case ScalarOp::modulus: return std::fabs(x);
      case ScalarOp::span_not: return 1 - x;
      default: return NAN;
    }
  }
  if (f.kind != ObjectKind::train || f.a == 0) return NAN;
  const Train& t = static_cast<const Train&>(f);
  const double right = arithmetic(t.h.function(), x);
  if (t.f.is_absent()) return right == right ? arithmetic(t.g.function(), right) : NAN;
  const double left = t.f.is_number() ? t.f.number() : arithmetic(t.f.function(), x);
  if (right != right || left != left) return NAN;
  return scalar_numbers(static_cast<const PrimitiveFunction&>(t.g.function()).scalar(), left, right);
}

// --- primitives

void Machine::monad(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  if (i->flags & Instruction::modify) {
    Value& variable = base[i->a];
    Value result;
    {
      Loan loan(variable);
      result = entry.monad(vm.cx_, variable);
    }
    change(variable, std::move(result));
    return;
  }
  Value x = fetch(base[i->b], i->flags & Instruction::consume_b);
  if (x.is_mark()) {
    put(base[i->a], std::move(x));
    return;
  }
  put(base[i->a], entry.monad(vm.cx_, std::move(x)));
}

void Machine::dyad(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  if (i->flags & Instruction::modify) {
    Value& variable = base[i->a];
    if (entry.glyph == U'∾' && append(variable, base[i->c])) {
      if (i->flags & Instruction::consume_c) base[i->c] = Value();
      return;
    }
    Value result;
    {
      Loan loan(variable);
      Value x = fetch(base[i->c], i->flags & Instruction::consume_c);
      result = call_dyad(vm.cx_, entry, variable, std::move(x));
    }
    change(variable, std::move(result));
    return;
  }
  if (Value result = short_result(vm.cx_, entry, base[i->b], base[i->c]); !result.is_absent()) {
    if (i->flags & Instruction::consume_b) base[i->b] = Value();
    if (i->flags & Instruction::consume_c) base[i->c] = Value();
    put(base[i->a], std::move(result));
    return;
  }
  Value w = fetch(base[i->b], i->flags & Instruction::consume_b);
  Value x = fetch(base[i->c], i->flags & Instruction::consume_c);
  if (i->flags & Instruction::maybe)
    put(base[i->a], call_maybe(vm.cx_, entry, std::move(w), std::move(x)));
  else
    put(base[i->a], call_dyad(vm.cx_, entry, std::move(w), std::move(x)));
}

void Machine::dyad_constant(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const Value& borrowed = reinterpret_cast<const Value&>(reinterpret_cast<const std::uint64_t*>(i)[2]);
  if (!(i->flags & Instruction::modify)) {
    const bool swapped = i->flags & Instruction::swapped;
    if (Value result = short_result(vm.cx_, entry, swapped ? borrowed : base[i->b], swapped ? base[i->b] : borrowed);
        !result.is_absent()) {
      if (i->flags & Instruction::consume_b) base[i->b] = Value();
      put(base[i->a], std::move(result));
      return;
    }
  }
  Value constant = borrowed;
  if (i->flags & Instruction::modify) {
    Value& variable = base[i->a];
    Value result;
    {
      Loan loan(variable);
      result = call_dyad(vm.cx_, entry, variable, std::move(constant));
    }
    change(variable, std::move(result));
    return;
  }
  Value other = fetch(base[i->b], i->flags & Instruction::consume_b);
  if (i->flags & Instruction::swapped) std::swap(other, constant);
  if (i->flags & Instruction::maybe)
    put(base[i->a], call_maybe(vm.cx_, entry, std::move(other), std::move(constant)));
  else
    put(base[i->a], call_dyad(vm.cx_, entry, std::move(other), std::move(constant)));
}

void Machine::pick(Vm& vm, Value* base, const Instruction* i) {
  const Value& w = base[i->b];
  const Value& x = base[i->c];
  std::int64_t index;
  if (x.is_array() && x.array().rank() == 1 && w.to_integer(index)) {
    const Array& a = x.array();
    if (index < 0) index += static_cast<std::int64_t>(a.length);
    if (index >= 0 && static_cast<std::size_t>(index) < a.length && !a.data.elsewhere()) {
      Value result = element(a, static_cast<std::size_t>(index));
      if (i->flags & Instruction::consume_c) base[i->c] = Value();
      put(base[i->a], std::move(result));
      return;
    }
  }
  dyad(vm, base, i);
}

void Machine::length(Vm& vm, Value* base, const Instruction* i) {
  const Value& x = base[i->b];
  if (!x.is_array()) return monad(vm, base, i);
  std::size_t cells = x.array().cells();
  if (i->flags & Instruction::consume_b) base[i->b] = Value();
  put(base[i->a], Value(cells));
}

bool Machine::require(Vm& vm, Value* base, const Instruction* i, bool dyadic) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const Value& x = base[dyadic ? i->c : i->b];
  if (!(i->flags & Instruction::maybe)) {
    vm.raised_ = entry.refusal(vm.cx_, dyadic ? base[i->b] : Value(), x);
    if (!vm.raised_.is_absent()) return false;
  }
  if (dyadic)
    Machine::dyad(vm, base, i);
  else
    Machine::monad(vm, base, i);
  return true;
}

bool Machine::test_value(Vm& vm, const Value& v) {
  if (v.is_number()) {
    if (v.number() == 1) return true;
    if (v.number() == 0) return false;
    fail(vm.cx_, "Predicate: Value must be 0 or 1 (got " + number_text(v.number()) + ")");
  }
  fail(vm.cx_, "Predicate: Value must be 0 or 1 (got a " + kind_text(v) + ")");
}

std::uint32_t Machine::choice(Vm& vm, const Value& index, std::uint32_t count, bool nested) {
  const Value one =
      index.is_array() && index.array().rank() == 1 && index.array().length == 1 ? element(index.array(), 0) : index;
  if (nested && one.is_array()) return count;
  if (!one.is_number()) fail(vm.cx_, "Choose: Index must be an integer (got a " + kind_text(index) + ")");
  std::int64_t i;
  if (!one.to_integer(i)) fail(vm.cx_, "Choose: Index must be an integer (got " + number_text(one.number()) + ")");
  if (i < -static_cast<std::int64_t>(count) || i >= count)
    fail(vm.cx_, "Choose: Index out of range (index " + number_text(one.number()) + ", " + std::to_string(count) + " choices)");
  return static_cast<std::uint32_t>(i < 0 ? i + count : i);
}

bool Machine::test(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  Value w = fetch(base[i->b], i->flags & Instruction::consume_b);
  Value x = fetch(base[i->c], i->flags & Instruction::consume_c);
  return test_value(vm, boolean_dyad(vm.cx_, entry, std::move(w), std::move(x)));
}

bool Machine::test_constant(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  Value constant = reinterpret_cast<const Value&>(reinterpret_cast<const std::uint64_t*>(i)[2]);
  Value other = fetch(base[i->b], i->flags & Instruction::consume_b);
  if (i->flags & Instruction::swapped) std::swap(other, constant);
  return test_value(vm, boolean_dyad(vm.cx_, entry, std::move(other), std::move(constant)));
}

// --- calls

void Machine::call_primitive(Vm& vm, Value* arguments, const Function& function, bool dyadic) {
  const PrimitiveFunctionEntry& entry = *static_cast<const PrimitiveFunction&>(function).entry;
  Value& place = arguments[0];
  if (!dyadic) {
    Value x = std::move(place);
    new (&place) Value(entry.monad(vm.cx_, std::move(x)));
    return;
  }
  if (entry.scalar == ScalarOp::right) {
    arguments[1] = Value();
    return;
  }
  if (Value result = short_result(vm.cx_, entry, arguments[1], place); !result.is_absent()) {
    arguments[1] = Value();
    place = std::move(result);
    return;
  }
  Value x = std::move(place);
  Value w = std::move(arguments[1]);
  if (entry.scalar == ScalarOp::left)
    new (&place) Value(std::move(w));
  else
    new (&place) Value(entry.dyad(vm.cx_, std::move(w), std::move(x)));
}

void Machine::call(Vm& vm, Value* base, const Instruction* i, const Value& function, bool dyadic) {
  Value held = &function == &vm.picked_ ? std::move(vm.picked_) : Value();
  const Value& f = held.is_absent() ? function : held;
  if (!dyadic && f.is_function() && f.function().kind == ObjectKind::derived) {
    const Derived& d = static_cast<const Derived&>(f.function());
    if (d.bound() != ScalarOp::none && base[i->a].is_array()) {
      const Value& operation = d.b ? d.f : d.g;
      const PrimitiveFunctionEntry& entry = *static_cast<const PrimitiveFunction&>(operation.function()).entry;
      Value result = d.b ? short_result(vm.cx_, entry, base[i->a], d.g) : short_result(vm.cx_, entry, d.f, base[i->a]);
      if (!result.is_absent()) {
        base[i->a] = std::move(result);
        return;
      }
    }
  }
  Value x = std::move(base[i->a]);
  Value result;
  if (dyadic)
    result = griddle::call(vm.cx_, f, std::move(base[i->a + 1]), std::move(x));
  else
    result = griddle::call(vm.cx_, f, std::move(x));
  put(base[i->a], std::move(result));
}

void Machine::call_stacked(Vm& vm, Value* base, const Instruction* i, bool dyadic) {
  Value x = std::move(base[i->a]);
  Value f = std::move(base[i->a + 1]);
  Value w = dyadic ? std::move(base[i->a + 2]) : Value();
  if (x.is_mark()) {
    put(base[i->a], Value::nothing());
    return;
  }
  if (f.is_mark()) fail(vm.cx_, "Call: Nothing cannot be called");
  put(base[i->a], griddle::call_maybe(vm.cx_, f, std::move(w), std::move(x)));
}

const Value& Machine::chosen(Vm& vm, const Value& function, const Value* arguments, bool dyadic) {
  const Value* f = &function;
  while (f->is_function() && f->function().monad == vm.choose_code_ && f->function().kind == ObjectKind::derived) {
    const Derived& d = static_cast<const Derived&>(f->function());
    if (!d.g.is_array() || d.g.array().rank() != 1 || d.g.array().type() != ElementType::boxed) break;
    Value index = !d.f.is_function() ? call_other(vm.cx_, d.f)
                  : dyadic           ? griddle::call(vm.cx_, d.f, arguments[1], arguments[0])
                                     : griddle::call(vm.cx_, d.f, arguments[0]);
    std::int64_t i;
    std::int64_t count = static_cast<std::int64_t>(d.g.array().length);
    if (!index.to_integer(i) || i < -count || i >= count) {
      // Leaves lists of indices, and errors, to Pick.
      vm.picked_ = griddle::call(vm.cx_, primitive(vm.cx_, U'⊑'), std::move(index), d.g);
      return vm.picked_;
    }
    f = &d.g.array().boxes()[static_cast<std::size_t>(i < 0 ? i + count : i)];
  }
  return *f;
}

const Value& Machine::operand(const Frame& frame, int which) {
  const DerivedBlock& d = static_cast<const DerivedBlock&>(*frame.self);
  return which ? d.g : d.f;
}

void Machine::check_call(Vm& vm) {
  vm.cx_.check_interrupt();
  fail(vm.cx_, "Stack overflow");
}

void Machine::no_body(Vm& vm, const Frame& frame) {
  const Code& code = *frame.code;
  std::string name = code.label.empty() ? "Block" : code.label;
  if (code.type != BlockType::immediate && !code.deferred && code.type != BlockType::function)
    fail(vm.cx_, name + ": No body applies to these operands");
  fail(vm.cx_, name + ": No body applies to these arguments");
}

// --- variables

void Machine::undefined(Vm& vm) { fail(vm.cx_, "Variable is used before it is defined"); }

void Machine::set_outer(Vm& vm, Value* base, const Instruction* i, Environment* e, std::uint32_t slot) {
  for (std::uint32_t hops = i->b; hops; hops--) e = e->parent;
  Value& variable = e->slots()[slot];
  if (i->flags & Instruction::checked && variable.is_absent()) fail(vm.cx_, "↩: Variable is changed before it is defined");
  variable = fetch(base[i->a], i->flags & Instruction::consume_b);
}

void Machine::modify_outer(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  for (std::uint32_t hops = i->b; hops; hops--) e = e->parent;
  Value& variable = e->slots()[i->c];
  if (variable.is_absent()) undefined(vm);
  const bool dyadic = i->flags & Instruction::dyadic;
  const Value computed = i->flags & Instruction::maybe ? std::move(base[i->a + dyadic]) : Value();
  const Value& f = computed.is_absent() ? reinterpret_cast<const Value&>(reinterpret_cast<const std::uint64_t*>(i)[1]) : computed;
  if (dyadic && f.is_function() && f.function().kind == ObjectKind::primitive_function &&
      static_cast<const PrimitiveFunction&>(f.function()).entry->glyph == U'∾' && append(variable, base[i->a]))
    return;
  Value x = dyadic ? std::move(base[i->a]) : Value();
  Value result = lend_to(vm.cx_, variable, f, std::move(x));
  change(variable, std::move(result));
}

void Machine::modify_local(Vm& vm, Value* base, const Instruction* i) {
  const bool dyadic = i->flags & Instruction::dyadic;
  const Value computed = i->flags & Instruction::maybe ? std::move(base[i->a + dyadic]) : Value();
  const Value& f = computed.is_absent() ? reinterpret_cast<const Value&>(reinterpret_cast<const std::uint64_t*>(i)[1]) : computed;
  Value x = dyadic ? std::move(base[i->a]) : Value();
  Value& variable = base[i->b];
  Value result = lend_to(vm.cx_, variable, f, std::move(x));
  change(variable, std::move(result));
}

// --- making values

void Machine::list(Vm& vm, Value* base, const Instruction* i) { put(base[i->a], make_values(vm.cx_.heap, {base + i->a, i->b})); }

void Machine::join_lists(Vm& vm, Value* base, const Instruction* i) {
  const Value& join = primitive(vm.cx_, U'∾');
  Value w = std::move(base[i->a]), x = std::move(base[i->b]);
  put(base[i->a], griddle::call(vm.cx_, join, std::move(w), std::move(x)));
}

void Machine::derive1(Vm& vm, Value* base, const Instruction* i) {
  Value modifier = std::move(base[i->a]), f = std::move(base[i->a + 1]);
  put(base[i->a], griddle::derive1(vm.cx_, modifier, std::move(f)));
}

void Machine::derive2(Vm& vm, Value* base, const Instruction* i) {
  Value g = std::move(base[i->a]), modifier = std::move(base[i->a + 1]), f = std::move(base[i->a + 2]);
  put(base[i->a], griddle::derive2(vm.cx_, modifier, std::move(f), std::move(g)));
}

void Machine::train(Vm& vm, Value* base, const Instruction* i) {
  Value h = std::move(base[i->a]), g = std::move(base[i->a + 1]);
  if (i->op == Opcode::atop)
    put(base[i->a], make_atop(vm.cx_, std::move(g), std::move(h)));
  else if (Value f = std::move(base[i->a + 2]); f.is_mark())
    put(base[i->a], make_atop(vm.cx_, std::move(g), std::move(h)));
  else
    put(base[i->a], make_fork(vm.cx_, std::move(f), std::move(g), std::move(h)));
}

void Machine::closure(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  put(base[i->a], make_closure(vm.cx_.heap, *i->pointer<Code>(0), e));
}

void Machine::scoped(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  const auto& f = *reinterpret_cast<const NativeFunction*>(i->immediate(0) & Value::pointer_mask);
  Ref<CapturedScope> captured = make_native<CapturedScope>(vm.cx_.heap);
  captured->visible = Ref<VisibleNames>::share(static_cast<VisibleNames*>(f.state));
  if (e) captured->environment = Ref<Environment>::share(e);
  put(base[i->a], make_native_function(vm.cx_.heap, f.name, f.monad, f.dyad, Ref<NativeObject>(captured.leak())));
}

void Machine::field(Vm& vm, Value* base, const Instruction* i) {
  FieldCache& cache = *i->pointer<FieldCache>(0);
  const Value& object = base[i->b];
  if (!object.is_namespace()) fail(vm.cx_, "Field ." + cache.name + ": Expected a namespace (got a " + kind_text(object) + ")");
  const Namespace& n = object.name_space();
  if (cache.table.get() != n.table) {
    const FieldTable::Field* found = n.table->find(cache.name);
    if (!found) fail(vm.cx_, "Field ." + cache.name + ": The namespace has no such field");
    cache.table = Ref<FieldTable>::share(n.table);
    cache.slot = found->slot;
  }
  Value v = n.environment->slots()[cache.slot];
  if (v.is_absent()) fail(vm.cx_, "Field ." + cache.name + ": The variable is not defined yet");
  if (i->flags & Instruction::consume_b) base[i->b] = Value();
  put(base[i->a], std::move(v));
}

void Machine::name_space(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  put(base[i->a], make_namespace(vm.cx_.heap, Ref<FieldTable>::share(i->pointer<FieldTable>(0)), Ref<Environment>::share(e)));
}

void Machine::self(Value* base, const Instruction* i, const Object* self) {
  put(base[i->a], Value::share(const_cast<Function*>(static_cast<const Function*>(self))));
}

void Machine::modifier_self(Value* base, const Instruction* i, const Object* self) {
  if (self->kind == ObjectKind::derived_block) {
    put(base[i->a], static_cast<const DerivedBlock*>(self)->modifier);
    return;
  }
  BlockModifier* m = const_cast<BlockModifier*>(static_cast<const BlockModifier*>(self));
  retain(m);
  put(base[i->a], m->a == 1 ? Value::modifier1(m) : Value::modifier2(m));
}

// --- taking values apart

bool Machine::match(Vm& vm, Value* base, const Instruction* i) {
  const Value& expected = reinterpret_cast<const Value&>(reinterpret_cast<const std::uint64_t*>(i)[1]);
  const Value& v = base[i->a];
  if (v.is_number() && expected.is_number()) return v.number() == expected.number();
  if (v.is_mark()) return false;
  return griddle::call(vm.cx_, primitive(vm.cx_, U'≡'), v, expected).number() == 1;
}

namespace {

bool unpack_namespace(Vm&, Context& cx, Value* base, const Instruction* i, const Namespace& n, const UnpackNames& names,
                      bool may_fail) {
  for (std::size_t k = 0; k < names.names.size(); k++) {
    Value v;
    if (!names.names[k].empty()) v = field(n, names.names[k]);
    if (v.is_absent()) {
      Machine::clear(base, i->a, static_cast<std::uint32_t>(i->a + k));
      if (may_fail) return false;
      if (names.names[k].empty()) fail(cx, "Destructuring: Taking fields of a namespace needs names");
      fail(cx, "Destructuring: The namespace has no field " + names.names[k]);
    }
    put(base[i->a + k], std::move(v));
  }
  return true;
}

bool may_mismatch(const Instruction* i) { return std::bit_cast<Mismatch>(i->immediate(1)).distance != 0; }

}  // namespace

bool Machine::unpack(Vm& vm, Value* base, const Instruction* i) {
  const UnpackNames& names = *i->pointer<const UnpackNames>(0);
  const Value& source = base[i->b];
  if (source.is_namespace()) {
    // Takes the value out only after success: a failing pattern leaves it to its frame.
    if (!unpack_namespace(vm, vm.cx_, base, i, source.name_space(), names, may_mismatch(i))) return false;
    base[i->b] = Value();
    return true;
  }
  std::size_t count = i->c;
  if (!source.is_array() || source.array().rank() != 1 || source.array().length != count || names.namespace_only) {
    if (may_mismatch(i)) return false;
    if (names.namespace_only) fail(vm.cx_, "Destructuring: Expected a namespace (got a " + kind_text(source) + ")");
    fail(vm.cx_, "Destructuring: Expected a list of length " + std::to_string(count) + " (got a " + kind_text(source) + ")");
  }
  Value list = std::move(base[i->b]);
  Array& a = list.array();
  bool take = a.type() == ElementType::boxed && a.writable();
  const auto numbers = [&]<class T>(std::type_identity<T>) {
    const T* from = a.as<T>();
    for (std::size_t k = 0; k < count; k++) put(base[i->a + k], Value(static_cast<double>(from[k])));
  };
  switch (a.type()) {
    case ElementType::i8: numbers(std::type_identity<std::int8_t>{}); break;
    case ElementType::i16: numbers(std::type_identity<std::int16_t>{}); break;
    case ElementType::i32: numbers(std::type_identity<std::int32_t>{}); break;
    default:
      for (std::size_t k = 0; k < count; k++) put(base[i->a + k], take ? std::move(a.boxes()[k]) : element(a, k));
  }
  return true;
}

bool Machine::unpack_cells(Vm& vm, Value* base, const Instruction* i) {
  const Value& source = base[i->b];
  std::size_t count = i->c;
  if (!source.is_array() || source.array().rank() == 0 || source.array().cells() != count) {
    if (may_mismatch(i)) return false;
    fail(vm.cx_, "Destructuring: Expected an array of " + std::to_string(count) + " cells (got a " + kind_text(source) + ")");
  }
  Value array = std::move(base[i->b]);
  Shape cell(array.array().shape().subspan(1));
  std::size_t length = array.array().cell_length();
  std::size_t k = 0;
  try {
    for (; k < count; k++) {
      Value v =
          cell.size() == 0 ? enclose(vm.cx_.heap, element(array.array(), k)) : slice(vm.cx_.heap, array, k * length, cell.view());
      put(base[i->a + k], std::move(v));
    }
  } catch (...) {
    clear(base, i->a, static_cast<std::uint32_t>(i->a + k));
    throw;
  }
  return true;
}

void Machine::clear(Value* base, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t slot = from; slot < to; slot++) base[slot] = Value();
}

void Machine::fail_nothing(Vm& vm) { fail(vm.cx_, "Nothing (·) cannot be used as a value"); }

// --- errors

void Machine::unwind(Vm& vm, Frame* top, Frame* entry, const Instruction* pc, Error* error) noexcept {
  constexpr std::size_t most_places = 256;
  Value* end = nullptr;  // of the slots in use
  for (Frame* f = top; f >= entry; f--) {
    const Code& code = *f->code;
    const std::uint64_t* at = reinterpret_cast<const std::uint64_t*>(f == top ? pc : f->pc);
    std::uint32_t word = static_cast<std::uint32_t>(at - code.words.get());
    const Position* position = code.position_of(f == top ? word : word - 1);
    if (error && position && code.unit) {
      try {
        // Of a very deep stack, keeps the innermost frames and the outermost one.
        if (error->frames.size() >= most_places) error->frames.pop_back();
        error->frames.push_back({code.unit->source, position->span.start, position->span.end});
      } catch (const std::bad_alloc&) {
      }
    }
    if (f == top) end = f->base + (position ? position->depth : 0);
    for (Value* slot = f->base; slot < end; slot++) slot->~Value();
    if (position && position->environment) release(f->environment);
    if (f->keep >= Value::first_object) release(reinterpret_cast<Object*>(f->keep & Value::pointer_mask));
    end = f->base;
  }
  vm.frame_ = entry - 1;
}

}  // namespace griddle
