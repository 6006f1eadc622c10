// What the fuzzer of the C interface holds, and what it looks for when all is released.
#include "tests/fuzz/abi_world.h"

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>

namespace abi_fuzz {

void Log::note(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(lines_[count_++ % lines_.size()].data(), lines_[0].size(), format, arguments);
  va_end(arguments);
}

void Log::print() const {
  std::fprintf(stderr, "abi_fuzz: in the round with --seed %llu --rounds 1; its last calls:\n",
               static_cast<unsigned long long>(round_seed));
  for (size_t i = count_ - std::min({count_, lines_.size(), shown}); i < count_; i++)
    std::fprintf(stderr, "  %s\n", lines_[i % lines_.size()].data());
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "abi_fuzz: not as the contract says: %s\n", what);
  std::abort();
}

namespace {

constexpr size_t most_values = 40, most_failures = 8, most_engines = 4;
constexpr int most_depth = 4;
constexpr double patience = 5;  // seconds that an evaluation may take in any case

World& world_of(void* data) { return *static_cast<Engine*>(data)->world; }

// What a program writes may make the host do something.
void take_output(void* data, griddle_text text) {
  World& world = world_of(data);
  require(text.data != nullptr || text.bytes == 0, "output has no text");
  if (text.bytes > 0) require(text.data[text.bytes - 1] != 1 || text.data[0] != 2, "output can be read");
  if (world.depth < most_depth && world.random.chance(2)) {
    world.depth++;
    world.step();
    world.depth--;
  }
}
void take_flush(void*) {}
void take_raw(void*, int) {}
int give_line(void* data, griddle_text* line) {
  auto& engine = *static_cast<Engine*>(data);
  Random& random = engine.world->random;
  if (random.chance(30)) return 0;
  engine.line = random.chance(20) ? std::string() : engine.world->program();
  *line = engine.line.empty() ? griddle_text{} : text_of(engine.line);
  return 1;
}
int give_byte(void* data, int wait) {
  Random& random = world_of(data).random;
  if (wait == 0 && random.chance(50)) return -1;
  return random.chance(20) ? -1 : static_cast<int>(random.below(256));
}
int give_terminal_size(void* data, size_t* rows, size_t* columns) {
  Random& random = world_of(data).random;
  *rows = random.below(100);
  *columns = random.below(1000);
  return random.chance(80);
}
size_t give_error_columns(void* data) { return world_of(data).random.below(100); }
int give_file(void* data, griddle_text path, griddle_text* contents) {
  auto& engine = *static_cast<Engine*>(data);
  require(path.bytes > 0 && path.data[0] == '/', "the path of a made-up file is absolute");
  if (engine.world->random.chance(40)) return 0;
  engine.file = engine.world->program();
  *contents = text_of(engine.file);
  return 1;
}

}  // namespace

Engine* World::make_engine() {
  Engine* engine = nullptr;
  {
    const std::lock_guard lock(handles_);
    engine = &engines_.emplace_back();
  }
  engine->world = this;
  // More than the library knows may follow.
  struct Longer {
    griddle_options options;
    char more[16];
  } longer = {};
  griddle_options& o = longer.options = griddle_default_options();
  griddle_console console = {};
  console.size = random.chance(90) ? sizeof console : offsetof(griddle_console, read_byte);
  console.data = engine;
  if (random.chance(80)) console.write = take_output;
  if (random.chance(80)) console.write_error = take_output;
  if (random.chance(80)) console.flush = take_flush;
  if (random.chance(80)) console.read_line = give_line;
  if (random.chance(80)) console.read_byte = give_byte;
  if (random.chance(80)) console.set_raw = take_raw;
  if (random.chance(80)) console.terminal_size = give_terminal_size;
  if (random.chance(80)) console.error_columns = give_error_columns;
  griddle_file_source files = {sizeof files, engine, random.chance(90) ? give_file : nullptr};
  const griddle_text arguments[] = {griddle_string("one"), griddle_string(""), {nullptr, 0}, griddle_string("\xFF\xFE")};
  engine->runs_programs = random.chance(70);
  // Nothing that a program does here may change the machine.
  constexpr uint32_t harmless = griddle_may_see_environment | griddle_may_read_clock;
  o.capabilities = random.chance(30) ? 0 : static_cast<uint32_t>(random.next()) & harmless;
  if (random.chance(30)) o.root = random.among({"/nonexistent", "/tmp", "", "relative"});
  if (random.chance(70)) o.console = &console;
  if (random.chance(50)) o.files = &files, o.capabilities |= random.chance(70) * uint32_t{griddle_may_read_files};
  if (random.chance(40)) o.arguments = arguments, o.argument_count = random.below(5);
  o.memory_limit =
      random.among({size_t{64} << 20, size_t{64} << 20, size_t{16} << 20, size_t{1} << 20, size_t{100000}, size_t{1}});
  o.output_limit = random.among({0, 0, 1, 1000, 1000000});
  o.step_limit = random.among({20000, 20000, 3000, 100, 1});
  o.has_seed = 1;
  o.seed = random.next();
  o.time_limit =
      settings.timed ? random.among({patience, 0.001, 0.02, 1e300, std::numeric_limits<double>::infinity()}) : patience;
  o.depth_limit = random.among({0, 0, 1, 20, 100000});
  o.stack_bytes = random.chance(70) ? 0 : random.among({size_t{64} << 10, size_t{256} << 10});
  if (random.chance(5)) o.device = griddle_device_automatic, o.device_plugin = "/nonexistent/plugin.so", o.device_cache = "";
  o.device_from = random.below(100);
  o.general_ways = random.chance(10);
  o.checked_ways = random.chance(5);
  o.machine_code = static_cast<int32_t>(random.below(3));
  if (random.chance(10)) o.size = sizeof longer;
  if (random.chance(10)) o.size = offsetof(griddle_options, depth_limit);
  log.note("griddle_new: engine %zu, memory %zu, steps %llu, stack %zu, depth %zu, output %zu%s%s%s", engines_.size() - 1,
           o.memory_limit, static_cast<unsigned long long>(o.step_limit), o.stack_bytes, o.depth_limit, o.output_limit,
           o.checked_ways   ? ", checked"
           : o.general_ways ? ", general"
                            : "",
           o.files ? ", files" : "", engine->runs_programs ? "" : ", quiet");
  Why why(*this);
  griddle_interpreter* made = griddle_new(&o, why.slot());
  why.judge(made != nullptr, "griddle_new gives an interpreter or a failure");
  if (made) engine->baseline = griddle_memory_in_use(made);
  const std::lock_guard lock(handles_);
  engine->handle = made;
  return engine;
}

Engine& World::engine() {
  std::vector<Engine*> there;
  for (Engine& e : engines_)
    if (e.handle) there.push_back(&e);
  if (!there.empty() && (there.size() >= most_engines || !random.chance(2))) return *random.among(there);
  for (;;)
    if (Engine* made = make_engine(); made->handle) return *made;
}

Engine& World::engine_that(bool runs_programs) {
  for (int i = 0; i < 8; i++)
    if (Engine& e = engine(); e.runs_programs == runs_programs) return e;
  for (;;)
    if (Engine* made = make_engine(); made->handle && made->runs_programs == runs_programs) return *made;
}
Engine& World::runner() { return engine_that(true); }
Engine& World::quiet_engine() { return engine_that(false); }

Engine* World::engine_of(griddle_interpreter* bqn) {
  for (Engine& e : engines_)
    if (e.handle && e.handle == bqn) return &e;
  return nullptr;
}

bool World::may_run(griddle_value v) {
  const Engine* e = engine_of(v.interpreter);
  return v.interpreter != nullptr && (e == nullptr || e->runs_programs);
}

void World::give_up(Engine& engine) {
  griddle_interpreter* handle = nullptr;
  {
    const std::lock_guard lock(handles_);
    handle = std::exchange(engine.handle, nullptr);
  }
  griddle_delete(handle);
}

Own World::any() {
  if (values_.empty() || random.chance(3)) return {};
  return Own(griddle_share(random.among(values_)));
}

Own World::any_of(griddle_interpreter* bqn) {
  if (random.chance(6)) return any();
  for (int i = 0; i < 12 && !values_.empty(); i++)
    if (const griddle_value v = random.among(values_); v.interpreter == bqn) return Own(griddle_share(v));
  return Own(griddle_make_number(bqn, static_cast<double>(random.below(10))));
}

void World::keep(griddle_value v) {
  if (v.interpreter == nullptr) return;
  if (random.chance(10)) values_.push_back(griddle_share(v));
  values_.push_back(v);
  while (values_.size() > most_values) {
    const size_t at = random.below(values_.size());
    // Whatever its end calls may come here again.
    const griddle_value gone = std::exchange(values_[at], values_.back());
    values_.pop_back();
    griddle_release(gone);
  }
}

void World::keep(griddle_failure* failure) {
  if (!failure) return;
  failures_.push_back(failure);
  if (failures_.size() <= most_failures) return;
  const size_t at = random.below(failures_.size());
  griddle_failure* gone = std::exchange(failures_[at], failures_.back());
  failures_.pop_back();
  griddle_release_failure(gone);
}

griddle_failure* World::any_failure() { return failures_.empty() ? nullptr : griddle_share_failure(random.among(failures_)); }

std::string World::program() { return random_program(random, *settings.seeds); }
std::string World::session_line() { return random_session_line(random, *settings.seeds); }

void World::interrupt_now_and_then(uint64_t seed) {
  Random own(seed);
  while (!over_) {
    std::this_thread::sleep_for(std::chrono::microseconds(own.below(400)));
    const std::lock_guard lock(handles_);
    if (engines_.empty()) continue;
    griddle_interpreter* bqn = engines_[own.below(engines_.size())].handle;
    switch (own.below(5)) {
      case 0: griddle_stop(bqn); break;
      case 1: griddle_should_stop(bqn); break;
      default: griddle_interrupt(bqn);
    }
  }
}

World::World(uint64_t seed, const Settings& given) : random(seed), settings(given) {
  log.round_seed = seed;
  for (int i = 0; i < 2; i++) make_engine();
  if (settings.timed) interrupter_ = std::thread([this, start = random.next()] { interrupt_now_and_then(start); });
}

void World::step() {
  static const auto all = [] {
    std::vector<const Operation*> weighted;
    for (const auto& table :
         {value_operations(), call_operations(), exchange_operations(), table_operations(), session_operations()})
      for (const Operation& operation : table) weighted.insert(weighted.end(), operation.weight, &operation);
    return weighted;
  }();
  random.among(all)->run(*this);
}

World::~World() {
  over_ = true;
  if (interrupter_.joinable()) interrupter_.join();
  depth = most_depth;
  // Some handles go before the values, some after them.
  for (Engine& e : engines_)
    if (e.handle && e.runs_programs && random.chance(50)) {
      log.note("griddle_delete at the end");
      give_up(e);
    }
  while (!values_.empty() || !failures_.empty()) {
    if (!failures_.empty() && (values_.empty() || random.chance(20))) {
      griddle_failure* gone = failures_.back();
      failures_.pop_back();
      griddle_release_failure(gone);
      continue;
    }
    std::swap(values_[random.below(values_.size())], values_.back());
    const griddle_value gone = values_.back();
    values_.pop_back();
    griddle_release(gone);
  }
  for (Engine& e : engines_) {
    if (!e.handle) continue;
    if (!e.runs_programs) {
      // Buffers that are kept for reuse serve even beyond a limit. Where there is none left, pages of small objects that are free
      // are given back.
      const std::vector<char> much(std::size_t{4} << 20);
      std::vector<griddle_value> lists;
      griddle_set_memory_limit(e.handle, 1);
      do lists.push_back(griddle_make_list(e.handle, griddle_i8, much.data(), much.size(), nullptr));
      while (lists.back().interpreter != nullptr);
      for (const griddle_value& list : lists) griddle_release(list);
      // The newest segment stays, and others where a function that the interpreter itself keeps happens to lie.
      constexpr std::size_t spare = std::size_t{8} << 20;
      const std::size_t left = griddle_memory_in_use(e.handle);
      if (left > e.baseline + spare) std::fprintf(stderr, "abi_fuzz: %zu bytes in use, and %zu at first\n", left, e.baseline);
      require(left <= e.baseline + spare, "memory comes back when all values are released");
    }
    log.note("griddle_delete at the very end");
    give_up(e);
  }
  for (const Token& t : tokens_) {
    if (t.drops != 1) std::fprintf(stderr, "abi_fuzz: %s dropped %d times\n", t.what, t.drops);
    require(t.drops == 1, "what was handed over is dropped once");
  }
}

}  // namespace abi_fuzz
