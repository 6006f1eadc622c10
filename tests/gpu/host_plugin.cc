// A plug-in whose device is the host: plain loops behind the same table. It tests residency, chains and declining where there is
// no device; what it leaves unsupported the host must do.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tests/gpu/host_exchange.h"
#include "tests/gpu/host_moves.h"
#include "tests/gpu/host_numbers.h"
#include "tests/gpu/host_random.h"
#include "tests/gpu/host_search.h"

struct griddle_device {
  long allocations = 0;
};

namespace {

using namespace host_device;

constexpr std::size_t most_bytes = std::size_t{1} << 30;

griddle_status open(griddle_device** d, griddle_device_info* info) {
  *d = new griddle_device;
  *info = {};
  std::strcpy(info->name, "The host");
  info->memory_bytes = most_bytes;
  return griddle_done;
}
void close(griddle_device* d) { delete d; }
const char* message(griddle_device*) { return ""; }

// Fails where much is wanted at once, and now and then where asked to, so that full devices are tested.
griddle_status allocate(griddle_device* d, size_t bytes, void** memory) {
  const char* every = std::getenv("GRIDDLE_TEST_FULL_EVERY");
  *memory = nullptr;
  if (every && ++d->allocations % std::atol(every) < 2) return griddle_no_memory;
  if (bytes > most_bytes) return griddle_no_memory;
  *memory = std::malloc(bytes + 512);
  std::memset(*memory, 0x5A, bytes + 512);
  return griddle_done;
}
void release(griddle_device*, void* p) { std::free(p); }
void trim(griddle_device*) {}
griddle_status copy(griddle_device*, void* to, const void* from, size_t bytes) {
  std::memcpy(to, from, bytes);
  return griddle_done;
}
griddle_status wait(griddle_device*) { return griddle_done; }
void keep_kernels(griddle_device*, const char*) {}

constexpr griddle_plugin table = {
    GRIDDLE_PLUGIN_VERSION,
    sizeof(griddle_plugin),
    open,
    close,
    message,
    allocate,
    release,
    trim,
    copy,
    copy,
    wait,
    wait,
    keep_kernels,
    import_numbers,
    map,
    fold,
    scan,
    scan_bits,
    fold_rows,
    fold_columns,
    fold_chain_columns,
    fold_windows,
    count_bits,
    select_if,
    select_bits,
    runs,
    fold_runs,
    expand,
    sum_counts,
    expand_counts,
    move_intervals,
    check_intervals,
    move,
    tile,
    gather,
    box,
    scatter,
    random,
    draw_products,
    deal,
    digest,
    match_cells,
    find,
    sort,
    bins,
    in_order,
    first_equals,
    first_places,
    look_up,
    count_values,
    fold_values,
    multiply_matrices,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const griddle_plugin* griddle_device_plugin() { return &table; }
