// Functions, modifiers and namespaces that the host makes.
#include "runtime/api/interpreter_state.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

using namespace griddle;

namespace {

// Holds what the host's code needs, until the value is gone.
struct HostState final : NativeObject {
  HostState(griddle_interpreter& state, std::string_view name, void* data, void (*drop)(void*))
      : state(state), name(name), data(data), drop(drop) {}
  ~HostState() override {
    if (drop != nullptr) drop(data);
  }
  griddle_interpreter& state;
  std::string name;
  griddle_host_function function = nullptr;
  griddle_host_modifier modifier = nullptr;
  void* data;
  void (*drop)(void*);
};

// Takes what the host gave; its failures become errors of the program.
Value taken(HostState& host, griddle_value result, griddle_failure* failure) {
  if (failure != nullptr) {
    griddle_release(result);
    host.state.throw_failure(failure);
  }
  if (result.interpreter != &host.state) {
    const bool is_any = result.interpreter != nullptr;
    griddle_release(result);
    fail(host.state.cx, host.name + (is_any ? ": The value belongs to another interpreter, and was not imported"
                                            : ": The function gave no value"));
  }
  host.state.handles--;
  return Value::from_bits(result.bits);
}

// Calls code of the host. A host in C++ may throw: that is an error of the program, which names the function.
template <class F>
Value called(HostState& host, F f) {
  griddle_failure* failure = nullptr;
  griddle_value result = {};
  try {
    const Evaluating none(nullptr);
    result = f(&failure);
  } catch (const Error&) {
    throw;
  } catch (const ExitRequest&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const OutOfMemory&) {
    throw;
  } catch (const std::exception& exception) {
    fail(host.state.cx, host.name + ": " + exception.what());
  } catch (...) {
    fail(host.state.cx, host.name + ": An exception of unknown type");
  }
  return taken(host, result, failure);
}

HostState& state_of(const Function& self) { return static_cast<HostState&>(*static_cast<const NativeFunction&>(self).state); }

// Shows the host a value that stays the program's. Whoever evaluates has a handle of the interpreter meanwhile.
griddle_value shown(HostState& host, const Value& v) { return {&host.state, v.bits()}; }

Value host_monad(Context&, const Function& self, Value x) {
  HostState& host = state_of(self);
  return called(host, [&](griddle_failure** why) { return host.function(host.data, &host.state, nullptr, shown(host, x), why); });
}

Value host_dyad(Context&, const Function& self, Value w, Value x) {
  HostState& host = state_of(self);
  const griddle_value left = shown(host, w);
  return called(host, [&](griddle_failure** why) { return host.function(host.data, &host.state, &left, shown(host, x), why); });
}

Value with_operands(const Function& self, const Value& w, const Value& x) {
  auto& derived = static_cast<const Derived&>(self);
  auto& host = static_cast<HostState&>(*static_cast<const NativeModifier&>(derived.modifier.modifier()).state);
  const griddle_value f = shown(host, derived.f), g = shown(host, derived.g), left = shown(host, w);
  return called(host, [&](griddle_failure** why) {
    return host.modifier(host.data, &host.state, f, derived.g.is_absent() ? nullptr : &g, w.is_absent() ? nullptr : &left,
                         shown(host, x), why);
  });
}

Value derived_monad(Context&, const Function& self, Value x) { return with_operands(self, Value(), x); }
Value derived_dyad(Context&, const Function& self, Value w, Value x) { return with_operands(self, w, x); }

// Makes the state, which calls `drop` from then on; before that a failure does.
template <class Make>
griddle_value make_host(griddle_interpreter* bqn, griddle_text name, void* data, void (*drop)(void*), griddle_failure** failure,
                        Make make) {
  if (bqn == nullptr) {
    if (drop != nullptr) drop(data);
    return nothing_to_call(failure, "There is no interpreter");
  }
  return bqn->made(failure, [&] {
    Ref<HostState> host;
    try {
      host = make_native<HostState>(bqn->cx.heap, *bqn, view_of(name), data, drop);
    } catch (...) {
      if (drop != nullptr) drop(data);
      throw;
    }
    return make(std::move(host));
  });
}

}  // namespace

griddle_value griddle_make_function(griddle_interpreter* bqn, griddle_text name, griddle_host_function function, void* data,
                                    void (*drop)(void*), griddle_failure** failure) {
  return make_host(bqn, name, data, drop, failure, [&](Ref<HostState> host) {
    host->function = function;
    const char* shown = host->name.c_str();
    return make_native_function(bqn->cx.heap, shown, host_monad, host_dyad, Ref<NativeObject>(host.leak()));
  });
}

griddle_value griddle_make_modifier(griddle_interpreter* bqn, griddle_text name, int operands, griddle_host_modifier modifier,
                                    void* data, void (*drop)(void*), griddle_failure** failure) {
  return make_host(bqn, name, data, drop, failure, [&](Ref<HostState> host) {
    if (operands != 1 && operands != 2) fail(bqn->cx, "A modifier has one or two operands");
    host->modifier = modifier;
    const char* shown = host->name.c_str();
    return make_native_modifier(bqn->cx.heap, operands, shown, derived_monad, derived_dyad, Ref<NativeObject>(host.leak()));
  });
}

griddle_value griddle_make_namespace(griddle_interpreter* bqn, const griddle_text* names, const griddle_value* values,
                                     size_t count, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, "There is no interpreter");
  return bqn->made(failure, [&] {
    std::vector<std::pair<std::string, Value>> fields;
    for (std::size_t i = 0; i < count; i++) {
      std::string name = normalised_name(view_of(names[i]));
      for (const auto& [other, value] : fields)
        if (other == name) fail(bqn->cx, "A namespace has one field of a name (" + name + ")");
      fields.emplace_back(std::move(name), bqn->share(values[i]));
      if (fields.back().second.is_absent()) fail(bqn->cx, "A field needs a value (" + fields.back().first + ")");
    }
    return make_namespace(bqn->cx.heap, std::move(fields));
  });
}
