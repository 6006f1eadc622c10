// What a plug-in for a device hands over: its version, what it says of the device, and functions that fail when the input says
// so. Where they do not, they are those of tests/gpu/host_plugin.cc. Programs give what they give without a device, or an error.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "gpu/plugin_abi.h"
#include "gpu/settings.h"
#include "tests/fuzz/targets/target.h"

namespace {

const griddle_plugin* host = nullptr;
griddle_plugin* table = nullptr;
std::string plugin_path;
fuzz::Bytes input(nullptr, 0);
griddle_device_info info;

griddle_status next_status() {
  const std::uint8_t byte = input.next();
  return byte < 200 ? griddle_done : static_cast<griddle_status>(byte % 4);
}

// Calls the function of the host, or fails. What it would have given stays as it was.
template <auto>
struct Failing;
template <class... A, griddle_status (*griddle_plugin::*M)(griddle_device*, A...)>
struct Failing<M> {
  static griddle_status call(griddle_device* d, A... a) {
    const griddle_status status = next_status();
    return status == griddle_done ? (host->*M)(d, a...) : status;
  }
};
template <auto... M>
void make_fail() {
  ((table->*M = Failing<M>::call), ...);
}

griddle_status open(griddle_device** device, griddle_device_info* found) {
  const griddle_status status = next_status();
  if (status != griddle_done) return status;
  const griddle_status opened = host->open(device, found);
  *found = info;
  return opened;
}
griddle_status allocate(griddle_device* d, std::size_t bytes, void** memory) {
  const griddle_status status = next_status();
  *memory = nullptr;
  return status == griddle_done ? host->allocate(d, bytes, memory) : status;
}
const char* message(griddle_device*) {
  const std::uint8_t byte = input.next();
  return byte < 100 ? "the device failed" : byte < 200 ? "\xFF not UTF-8" : nullptr;
}

void fill_table() {
  *table = *host;
  table->open = open;
  table->allocate = allocate;
  table->message = message;
  using P = griddle_plugin;
  make_fail<&P::upload, &P::download, &P::wait, &P::wait_for_all, &P::import_numbers, &P::map, &P::fold, &P::scan, &P::scan_bits,
            &P::fold_rows, &P::fold_columns, &P::fold_chain_columns, &P::count_bits, &P::select_if, &P::runs, &P::fold_runs,
            &P::expand, &P::sum_counts, &P::expand_counts, &P::move_intervals, &P::check_intervals, &P::move, &P::tile,
            &P::gather, &P::box, &P::scatter, &P::random, &P::draw_products, &P::deal, &P::digest, &P::match_cells, &P::find,
            &P::sort, &P::bins, &P::in_order, &P::first_equals, &P::first_places, &P::look_up, &P::count_values,
            &P::fold_values>();
}

// Finds the plug-ins beside this program's folder.
void* open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  fuzz::require(library != nullptr, "the plug-in is built");
  return library;
}
void find_plugins() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  fuzz::require(length > 0, "a program knows where it is");
  std::string folder(path, static_cast<std::size_t>(length));
  folder.erase(folder.rfind('/'));
  plugin_path = folder + "/failing_plugin.so";
  void* library = open_library(folder + "/../../gpu/host_plugin.so");
  host = reinterpret_cast<griddle_plugin_function>(dlsym(library, GRIDDLE_PLUGIN_SYMBOL))();
  table = static_cast<griddle_plugin*>(dlsym(open_library(plugin_path), "griddle_failing_table"));
}

constexpr const char* programs[] = {
    "+´1+2×↕200",
    "⌽⍉3‿40⥊↕120",
    "∧100|7×↕300",
    "(50|3×↕200)⊐↕60",
    "(0=3|↕200)/↕200",
    "a←↕200 ⋄ a↩¯1⌾(5⊸⊑)a ⋄ a",
    "≠¨⊔10|↕300",
    "⊔10|↕100",
    "(3|↕100)/↕100",
    "\"abc\"⍷300⥊\"xabcab\"",
    "⍷20|7×↕300",
    "+`100⥊0‿1‿1",
    "⌈´˘4‿50⥊100|13×↕200",
    "+˝4‿50⥊↕200",
    "»⊸≠200⥊1‿1‿0",
    "300↑↕200",
    "↑↕9",
    "r←•MakeRand 5 ⋄ r.Deal 300",
    "r←•MakeRand 5 ⋄ 100 r.Range 1000",
    "≡⟜⌽200⥊↕3",
    "⟨↕100,⌽↕100⟩",
    "+´⎊{𝕊:¯1} ÷1+↕300",
    "∊10|↕300",
    "⊏⟜(↕200)100⥊5‿7",
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (host == nullptr) find_plugins();
  input = fuzz::Bytes(data, size);
  fill_table();
  const std::uint8_t which = input.next(), odd = input.next();
  info = {};
  std::snprintf(info.name, sizeof info.name, "A device");
  info.memory_bytes = std::size_t{1} << 30;
  if (odd % 8 == 1) table->version = input.next();
  if (odd % 8 == 2) table->bytes = input.number<std::uint16_t>();
  if (odd % 8 == 3)
    for (char& c : info.name) c = static_cast<char>(input.next() | 1);
  if (odd % 8 == 4) info.memory_bytes = input.number<std::uint64_t>();
  const char* program = programs[which % std::size(programs)];
  griddle::Options options = fuzz::limited();
  griddle::Interpreter usual(options);
  const griddle::Result wanted = usual.eval(program);
  fuzz::require(wanted.ok(), program);
  griddle::device_name(plugin_path);
  options.device = griddle::DeviceUse::always;
  options.device_from = 1;
  options.device_plugin = plugin_path;
  griddle::Interpreter bqn(options);
  for (int time = 0; time < 2; time++) {
    const griddle::Result result = bqn.eval(program);
    // What is on the device may fail to come, when the result is shown.
    const std::string shown = result ? result->format() : wanted->format();
    // A program may catch the failure of the device.
    const bool caught = shown == "¯1" && std::string_view(program).find("⎊{𝕊:¯1}") != std::string_view::npos;
    if (shown != wanted->format() && !caught && !shown.starts_with("(not shown: ")) {
      std::fprintf(stderr, "%s gives %s\n", program, shown.c_str());
      std::abort();
    }
    fuzz::require(result.ok() || !result.failure().report.empty(), "a failure has a report");
    const griddle::Result found = bqn.eval("i←•gpu.Info@ ⋄ i.name");
    fuzz::require(!found || found->is_text(), "a device has a name");
  }
  return 0;
}
