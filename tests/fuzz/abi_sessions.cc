// Random calls of those who show values and keep sessions: what lines define, texts within some room, traces, samples, memory.
#include "tests/fuzz/abi_world.h"

namespace abi_fuzz {

namespace {

void take_entered(World& world, const griddle_entered& entered) {
  require(entered.definitions.interpreter == nullptr || griddle_length(entered.definitions) % 2 == 0,
          "each name that is defined has a statement");
  world.keep(entered.definitions);
}

void enter(World& world) {
  Engine& engine = world.runner();
  const std::string source = world.session_line();
  log.note("griddle_enter: %.150s", source.c_str());
  Why why(world);
  griddle_entered entered = {};
  entered.size = sizeof entered;
  const bool told = world.random.chance(85);
  Own v(griddle_enter(engine.handle, text_of(source), world.random.chance(30) ? griddle_string("a file") : griddle_text{},
                      told ? &entered : nullptr, why.slot()));
  why.judge(bool(v), "griddle_enter", true);
  take_entered(world, entered);
  world.keep(v.leak());
}

void enter_file(World& world) {
  Engine& engine = world.runner();
  log.note("griddle_enter_file");
  Why why(world);
  griddle_entered entered = {};
  entered.size = sizeof entered;
  const griddle_text arguments[] = {griddle_string("a"), {}};
  Own v(griddle_enter_file(engine.handle, griddle_string(world.random.among({"/nonexistent/file.bqn", "", "/tmp", "/dev/null"})),
                           arguments, world.random.below(3), &entered, why.slot()));
  why.judge(bool(v), "griddle_enter_file", true);
  take_entered(world, entered);
  world.keep(v.leak());
}

void look_up(World& world) {
  Engine& engine = world.runner();
  log.note("griddle_session_value, griddle_imported_files");
  world.keep(
      griddle_session_value(engine.handle, griddle_string(world.random.among({"a", "F", "H1", "v1", "A_", "", "1", "•x"}))));
  Why why(world);
  Own files(griddle_imported_files(engine.handle, why.slot()));
  why.judge(bool(files), "griddle_imported_files");
  if (world.random.chance(30)) griddle_forget_imports(engine.handle);
}

void look_into(World& world) {
  Engine& engine = world.runner();
  const std::string source = world.session_line();
  log.note("griddle_bytecode, griddle_trace: %.150s", source.c_str());
  Why why1(world), why2(world);
  const griddle_buffer code = griddle_bytecode(engine.handle, text_of(source), why1.slot());
  require(!code.data || code.data[code.bytes] == 0, "a NUL follows the instructions");
  griddle_free(code);
  griddle_buffer text = {};
  Own v(griddle_trace(engine.handle, text_of(source), world.random.chance(90) ? &text : nullptr, why2.slot()));
  why2.judge(bool(v), "griddle_trace", true);
  require(!text.data || text.data[text.bytes] == 0, "a NUL follows the trace");
  griddle_free(text);
  world.keep(v.leak());
}

void analyse(World& world) {
  Engine& engine = world.runner();
  const std::string source = world.session_line();
  log.note("griddle_analyse: %.150s", source.c_str());
  Why why(world);
  Own v(griddle_analyse(engine.handle, text_of(source), why.slot()));
  why.judge(bool(v), "griddle_analyse");
  world.keep(v.leak());
}

void show(World& world) {
  const Own v = world.any();
  log.note("griddle_format_within and others of a value of kind %d", griddle_kind_of(v.get()));
  griddle_text_room room = {};
  room.size = world.random.chance(90) ? sizeof room : sizeof(size_t);
  room.rows = world.random.below(20), room.columns = world.random.below(60), room.alone = world.random.below(60);
  // Without limits only what is not too long.
  const bool limited = room.rows != 0 && room.columns != 0 && room.alone != 0 && room.size == sizeof room;
  int is_whole = -1;
  if (limited || griddle_length(v.get()) < 20000) {
    const griddle_buffer text = griddle_format_within(v.get(), world.random.chance(90) ? &room : nullptr, &is_whole);
    require(!text.data || text.data[text.bytes] == 0, "a NUL follows the text");
    require(is_whole == 0 || is_whole == 1, "a text is whole or not");
    griddle_free(text);
  }
  griddle_free(griddle_picture(v.get()));
  const size_t bytes = griddle_bytes_of(v.get());
  require(griddle_kind_of(v.get()) == griddle_array || bytes == 0, "only arrays take bytes");
  require(griddle_on_device(v.get()) == 0, "there is no device");
  if (world.random.chance(20)) griddle_set_precision(world.engine().handle, static_cast<int32_t>(world.random.below(40)) - 10);
}

void measure(World& world) {
  Engine& engine = world.runner();
  griddle_memory memory = {};
  memory.size = sizeof memory;
  griddle_memory_of(engine.handle, &memory);
  require(memory.in_use <= memory.peak, "the most that was in use is no less than what is");
  if (world.random.chance(30)) griddle_forget_peak(engine.handle);
  log.note("griddle_start_profile and others");
  Why why(world);
  switch (world.random.below(3)) {
    case 0: griddle_start_profile(engine.handle, why.slot()); break;
    case 1: griddle_free(griddle_end_profile(engine.handle, 0.001)); break;
    default: griddle_sample(engine.handle);
  }
}

void without_interpreter(World& world) {
  const griddle_value none = {};
  Why why1(world, true), why2(world, true), why3(world, true);
  log.note("the same without an interpreter");
  require(!Own(griddle_enter(nullptr, griddle_string("1"), {}, nullptr, why1.slot())) && why1.failed(), "nobody enters");
  require(!Own(griddle_trace(nullptr, griddle_string("1"), nullptr, why2.slot())) && why2.failed(), "nothing is traced");
  require(!griddle_start_profile(nullptr, why3.slot()) && why3.failed(), "nobody is profiled");
  require(!Own(griddle_session_value(nullptr, griddle_string("a"))), "nobody has names");
  griddle_sample(nullptr), griddle_forget_peak(nullptr), griddle_forget_imports(nullptr), griddle_set_precision(nullptr, 5);
  griddle_free(griddle_end_profile(nullptr, 1)), griddle_free(griddle_picture(none)),
      griddle_free(griddle_format_within(none, nullptr, nullptr));
  require(griddle_bytes_of(none) == 0 && griddle_on_device(none) == 0, "no value takes nothing");
}

constexpr Operation operations[] = {{"enter", 8, enter},     {"enter_file", 1, enter_file},
                                    {"look_up", 3, look_up}, {"look_into", 3, look_into},
                                    {"analyse", 3, analyse}, {"show", 8, show},
                                    {"measure", 3, measure}, {"without_interpreter", 1, without_interpreter}};

}  // namespace

std::span<const Operation> session_operations() { return operations; }

}  // namespace abi_fuzz
