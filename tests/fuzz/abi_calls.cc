// Random calls that run programs, and functions of the host that do anything while one runs.
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "tests/fuzz/abi_world.h"

namespace abi_fuzz {

namespace {

constexpr int most_depth = 4;

struct Host {
  World& world;
  Token& token;
  griddle_value held;  // made for it by a quiet interpreter, so that no circle of values holds itself
};

void drop_host(void* data) {
  Host* host = static_cast<Host*>(data);
  host->token.drops++;
  griddle_release(host->held);
  delete host;
}

// What a function of the host gives where it fails.
griddle_value fail_somehow(World& world, griddle_interpreter* bqn, griddle_value x, griddle_failure** failure) {
  switch (world.random.below(6)) {
    case 0: *failure = griddle_make_failure(griddle_string("refused")); break;
    case 1: *failure = griddle_make_failure_of(x); break;
    case 2: return griddle_eval(bqn, text_of(world.program()), griddle_string("inner"), failure);
    case 3: *failure = world.any_failure(); return *failure ? griddle_share(x) : griddle_value{};
    case 4: throw std::runtime_error("thrown by the host");
    default: return {};
  }
  return {};
}

griddle_value act(World& world, griddle_interpreter* bqn, const griddle_value* w, griddle_value x, griddle_failure** failure) {
  switch (const size_t choice = world.random.below(20)) {
    case 0:
    case 1: return fail_somehow(world, bqn, x, failure);
    case 2: return world.any().leak();
    case 3: world.keep(griddle_share(x)); return griddle_make_number(bqn, 1);
    case 4:
      log.note("callback: a line of the session");
      return griddle_eval_in_session(bqn, text_of(world.session_line()), {}, failure);
    case 5: {
      log.note("callback: griddle_define");
      Why why(world);
      griddle_define(bqn, griddle_string(world.random.among({"H1", "a", "F", "v1", "fresh", "_m1"})), x, why.slot());
      return griddle_share(x);
    }
    case 6:
      if (Engine* engine = world.engine_of(bqn); engine && world.random.chance(30)) {
        log.note("callback: griddle_delete");
        world.give_up(*engine);
      }
      return griddle_share(x);
    case 7:
      griddle_should_stop(bqn);
      griddle_sample(bqn);
      if (world.random.chance(20)) griddle_interrupt(bqn);
      return griddle_share(x);
    case 8:
    case 9:
    case 10:
      for (size_t n = choice - 7; n > 0; n--) world.step();
      return griddle_share(x);
    default: return w && world.random.chance(50) ? griddle_share(*w) : griddle_share(x);
  }
}

griddle_value call_host(void* data, griddle_interpreter* bqn, const griddle_value* w, griddle_value x,
                        griddle_failure** failure) {
  World& world = static_cast<Host*>(data)->world;
  require(x.interpreter == bqn && griddle_kind_of(x) != griddle_no_value, "a host function gets an argument");
  if (world.depth >= most_depth) return griddle_share(x);
  struct Deeper {
    int& depth;
    explicit Deeper(int& depth) : depth(depth) { depth++; }
    ~Deeper() { depth--; }
  } deeper(world.depth);
  griddle_value result = act(world, bqn, w, x, failure);
  // What came before is still there.
  require(griddle_kind_of(x) != griddle_no_value, "an argument stays");
  return result;
}

griddle_value call_modifier(void* data, griddle_interpreter* bqn, griddle_value f, const griddle_value* g, const griddle_value* w,
                            griddle_value x, griddle_failure** failure) {
  World& world = static_cast<Host*>(data)->world;
  require(griddle_kind_of(f) != griddle_no_value, "a modifier gets an operand");
  if (world.depth < most_depth && world.random.chance(60)) {
    world.depth++;
    const griddle_value result =
        w ? griddle_call2(g && world.random.chance(50) ? *g : f, *w, x, failure) : griddle_call(f, x, failure);
    world.depth--;
    return result;
  }
  return call_host(data, bqn, w, x, failure);
}

Host* new_host(World& world) {
  return new Host{world, world.token("data of a host function"),
                  griddle_make_list(world.quiet_engine().handle, griddle_i8, "held", 4, nullptr)};
}

}  // namespace

griddle_value make_host_function(World& world, griddle_interpreter* bqn, griddle_failure** failure) {
  return griddle_make_function(bqn, world.random.chance(80) ? griddle_string("Host") : griddle_text{}, call_host, new_host(world),
                               drop_host, failure);
}

griddle_value make_host_modifier(World& world, griddle_interpreter* bqn, int operands, griddle_failure** failure) {
  return griddle_make_modifier(bqn, griddle_string("_host"), operands, call_modifier, new_host(world), drop_host, failure);
}

namespace {

void evaluate(World& world) {
  Engine& engine = world.runner();
  const std::string source = world.program();
  log.note("griddle_eval: %.150s", source.c_str());
  Why why(world);
  Own v(griddle_eval(engine.handle, source.empty() ? griddle_text{} : text_of(source),
                     world.random.chance(50) ? griddle_string("name") : griddle_text{}, why.slot()));
  why.judge(bool(v), "griddle_eval");
  world.keep(v.leak());
}

void run(World& world) {
  Engine& engine = world.runner();
  const std::string source = world.program();
  const griddle_text arguments[] = {griddle_string("a"), {}, griddle_string("c\xFF")};
  log.note("griddle_run: %.150s", source.c_str());
  Why why(world);
  const size_t count = world.random.below(4);
  Own v(world.random.chance(70)
            ? griddle_run(engine.handle, text_of(source), griddle_string("x.bqn"), arguments, count, why.slot())
            : griddle_run_file(engine.handle,
                               griddle_string(world.random.among({"/nonexistent/file.bqn", "", "/tmp", "/dev/null"})), arguments,
                               count, why.slot()));
  why.judge(bool(v), "griddle_run");
  world.keep(v.leak());
}

void run_in_session(World& world) {
  Engine& engine = world.runner();
  const std::string source = world.session_line();
  log.note("griddle_eval_in_session: %.150s", source.c_str());
  Why why(world);
  Own v(griddle_eval_in_session(engine.handle, text_of(source), {}, why.slot()));
  why.judge(bool(v), "griddle_eval_in_session", true);
  world.keep(v.leak());
}

void explain(World& world) {
  Engine& engine = world.runner();
  const std::string source = world.session_line();
  log.note("griddle_explain: %.150s", source.c_str());
  Why why(world);
  griddle_buffer text = {};
  Own v(griddle_explain(engine.handle, text_of(source), world.random.chance(90) ? &text : nullptr, why.slot()));
  why.judge(bool(v), "griddle_explain", true);
  require(!text.data || text.data[text.bytes] == 0, "a NUL follows the explanation");
  griddle_free(text);
  world.keep(v.leak());
}

void define(World& world) {
  Engine& engine = world.runner();
  static const char* const names[] = {"v1", "v1", "v1", "a",   "F",  "_m1", "_c1_", "H1",   "Some_Name",
                                      "",   "1a", "𝕩",  "a b", "•x", "_",   "__",   "a\xFF"};
  const char* name = world.random.among(names);
  Own v = world.any_of(engine.handle);
  log.note("griddle_define: %s, kind %d", name, griddle_kind_of(v.get()));
  Why why(world);
  const int defined = griddle_define(engine.handle, griddle_string(name), v.get(), why.slot());
  why.judge(defined != 0, "griddle_define");
  require(!defined || v.get().interpreter == engine.handle, "values of others are not defined");
}

void define_hosts(World& world) {
  Engine& engine = world.runner();
  log.note("griddle_make_function, griddle_make_modifier, and names for them");
  const auto add = [&](const char* name, Own v) {
    if (!engine.handle) return;
    Why why(world);
    griddle_define(engine.handle, griddle_string(name), v.get(), why.slot());
    world.keep(v.leak());
  };
  Why why1(world), why2(world), why3(world), why4(world);
  add("H1", Own(make_host_function(world, engine.handle, why1.slot())));
  if (world.random.chance(50)) add("_m1", Own(make_host_modifier(world, engine.handle, 1, why2.slot())));
  if (world.random.chance(50)) add("_c1_", Own(make_host_modifier(world, engine.handle, 2, why3.slot())));
  if (world.random.chance(5))
    require(!Own(make_host_modifier(world, engine.handle, 3, why4.slot())), "no modifier has three operands");
}

// A circle of values that holds a function of the host: only the collector ends it.
void make_circle(World& world) {
  Engine& engine = world.runner();
  log.note("a circle with a host function");
  Why why1(world), why2(world), why3(world);
  Own make(griddle_eval(engine.handle, griddle_string("{f←𝕩⋄{h⇐f⋄r⇐@⋄Set⇐{r↩𝕩}}}"), {}, why1.slot()));
  if (!engine.handle) return;
  Own function(make_host_function(world, engine.handle, why2.slot()));
  Own circle(griddle_call(make.get(), function.get(), why3.slot()));
  Own set(griddle_field(circle.get(), griddle_string("Set")));
  Why why4(world);
  Own none(griddle_call(set.get(), circle.get(), why4.slot()));
  if (world.random.chance(20)) world.keep(circle.leak());
}

// Takes a value that may be called, and one of the same interpreter for its argument, as a rule.
void call(World& world) {
  Own f = world.any();
  for (int i = 0; i < 6 && griddle_kind_of(f.get()) != griddle_function; i++) f = world.any();
  if (!world.may_run(f.get())) return;
  Own x = world.any_of(f.get().interpreter), w = world.any_of(f.get().interpreter);
  Why why(world);
  const bool two = world.random.chance(50);
  log.note("griddle_call%s: kinds %d, %d, %d", two ? "2" : "", griddle_kind_of(f.get()), griddle_kind_of(x.get()),
           griddle_kind_of(w.get()));
  const bool is_own = x.get().interpreter == f.get().interpreter && (!two || w.get().interpreter == f.get().interpreter);
  Own v(two ? griddle_call2(f.get(), w.get(), x.get(), why.slot()) : griddle_call(f.get(), x.get(), why.slot()));
  why.judge(bool(v), "griddle_call");
  require(!v || is_own, "arguments of others are refused");
  world.keep(v.leak());
}

void derive(World& world) {
  Own m = world.any();
  for (int i = 0; i < 8 && griddle_kind_of(m.get()) != griddle_modifier1 && griddle_kind_of(m.get()) != griddle_modifier2; i++)
    m = world.any();
  if (!world.may_run(m.get())) return;
  Own f = world.any_of(m.get().interpreter),
      g = griddle_kind_of(m.get()) == griddle_modifier2 ? world.any_of(m.get().interpreter) : Own();
  if (world.random.chance(5)) g = world.any();
  log.note("griddle_derive: kinds %d, %d, %d", griddle_kind_of(m.get()), griddle_kind_of(f.get()), griddle_kind_of(g.get()));
  Why why(world);
  Own v(griddle_derive(m.get(), f.get(), g.get(), why.slot()));
  why.judge(bool(v), "griddle_derive");
  world.keep(v.leak());
}

void get_primitive(World& world) {
  Engine& engine = world.runner();
  static const char* const sources[] = {"˜",     "¨",   "⌜", "´", "∘", "⟜", "⌾", "⎊", "⍟", "{𝔽𝕩}",
                                        "{𝔽𝔾𝕩}", "{𝕩}", "⌽", "≡", "⊔", "⥊", "+", "∾", "⊏", "•Fmt"};
  const char* source = world.random.among(sources);
  log.note("griddle_eval: %s", source);
  Why why(world);
  world.keep(griddle_eval(engine.handle, griddle_string(source), {}, why.slot()));
}

void set_limits(World& world) {
  Engine& engine = world.engine();
  Random& random = world.random;
  log.note("limits");
  if (world.settings.timed) {
    Why why(world);
    require(griddle_set_deadline(
                engine.handle,
                random.among({0.0, -1.0, 1e-6, 0.001, 1000.0, 1e300, std::numeric_limits<double>::infinity(), std::nan("")}),
                why.slot()) ||
                why.slot() == nullptr || why.failed(),
            "griddle_set_deadline");
    if (random.chance(70)) require(griddle_set_deadline(engine.handle, 0, nullptr), "a deadline is taken back");
    griddle_resume(engine.handle);
  }
  if (random.chance(30)) griddle_interrupt(engine.handle);
  if (random.chance(60)) griddle_clear_interrupt(engine.handle);
  if (random.chance(20)) griddle_stop(engine.handle);
  if (random.chance(80)) griddle_resume(engine.handle);
  if (random.chance(20))
    griddle_set_memory_limit(engine.handle, random.among({size_t{1}, size_t{1} << 20, size_t{64} << 20, size_t{64} << 20}));
  griddle_steps_left(engine.handle);
  if (random.chance(60)) griddle_set_steps(engine.handle, random.among({0, 1, 100, 3000, 20000, 20000}));
  griddle_free(griddle_taken_ways(engine.handle));
}

void list_names(World& world) {
  Engine& engine = world.runner();
  log.note("griddle_session_names, griddle_system_names");
  Why why1(world), why2(world);
  world.keep(griddle_session_names(engine.handle, why1.slot()));
  world.keep(griddle_system_names(engine.handle, why2.slot()));
}

void without_interpreter(World& world) {
  log.note("calls without an interpreter");
  const griddle_value none = {};
  Why why1(world), why2(world), why3(world), why4(world), why5(world), why6(world);
  require(!Own(griddle_eval(nullptr, griddle_string("1"), {}, why1.slot())), "nobody evaluates");
  require(!Own(griddle_call(none, none, why2.slot())), "nothing is called");
  require(!griddle_copy(none, griddle_f64, nullptr, why3.slot()), "nothing is copied");
  require(!griddle_define(nullptr, griddle_string("a"), none, why4.slot()), "nothing is defined");
  require(!Own(griddle_explain(nullptr, griddle_string("1"), nullptr, why5.slot())), "nothing is explained");
  require(!Own(make_host_function(world, nullptr, why6.slot())), "nobody has functions");
  griddle_interrupt(nullptr), griddle_stop(nullptr), griddle_resume(nullptr), griddle_clear_interrupt(nullptr);
  griddle_delete(nullptr), griddle_release(none), griddle_free({}), griddle_release_failure(nullptr);
  require(griddle_should_stop(nullptr) && griddle_memory_in_use(nullptr) == 0 && griddle_abi() == GRIDDLE_ABI, "nobody goes on");
}

void drop_handle(World& world) {
  if (world.depth > 0 || !world.random.chance(30)) return;
  Engine& engine = world.engine();
  if (!engine.runs_programs) return;
  log.note("griddle_delete");
  world.give_up(engine);
}

constexpr Operation operations[] = {{"evaluate", 12, evaluate},
                                    {"run", 2, run},
                                    {"run_in_session", 14, run_in_session},
                                    {"explain", 2, explain},
                                    {"define", 5, define},
                                    {"define_hosts", 5, define_hosts},
                                    {"make_circle", 1, make_circle},
                                    {"call", 14, call},
                                    {"derive", 4, derive},
                                    {"get_primitive", 6, get_primitive},
                                    {"set_limits", 4, set_limits},
                                    {"list_names", 1, list_names},
                                    {"without_interpreter", 1, without_interpreter},
                                    {"drop_handle", 2, drop_handle}};

}  // namespace

std::span<const Operation> call_operations() { return operations; }

}  // namespace abi_fuzz
