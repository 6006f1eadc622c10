// Files of Griddle's own, whatever they hold: costs of devices, and the history of a session.
#include <fcntl.h>
#include <unistd.h>

#include "gpu/costs.h"
#include "repl/history.h"
#include "runtime/files.h"
#include "tests/fuzz/targets/target.h"

namespace {

// A file in a folder of this process, gone when the process ends.
class KeptFile {
 public:
  KeptFile() {
    char name[] = "/tmp/griddle-fuzz-XXXXXX";
    fuzz::require(mkdtemp(name) != nullptr, "there is room for a folder");
    folder_ = name;
  }
  ~KeptFile() { griddle::remove_tree(folder_); }
  std::string path() const { return folder_ + "/file"; }
  void hold(std::string_view bytes) const {
    const int file = open(path().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const ssize_t written = write(file, bytes.data(), bytes.size());
    close(file);
    fuzz::require(written == static_cast<ssize_t>(bytes.size()), "there is room for a file");
  }

 private:
  std::string folder_;
};

void look_at_costs(const std::string& path) {
  griddle::OpenDevice device;
  device.info.driver = 12;
  std::snprintf(device.info.name, sizeof device.info.name, "A device");
  griddle::remembered_costs(path, nullptr);
  griddle::Costs costs = griddle::remembered_costs(path, &device).value_or(griddle::Costs());
  fuzz::require(costs.open >= 0 && costs.call >= 0 && costs.up >= 0 && costs.down >= 0 && costs.pass >= 0, "no cost is below 0");
  const griddle::Task task = griddle::order_task(griddle::ElementType::f64, 1000000, true);
  fuzz::require(task.device_seconds(costs) >= 0, "no work takes less than no time");
  const double before = costs.open;
  device.open_seconds = 0.01;
  griddle::remember_opening(path, device, costs);
  const std::optional<griddle::Costs> again = griddle::remembered_costs(path, &device);
  if (before < 0.0125) return;
  fuzz::require(costs.open >= 0.01 && costs.open < before, "what opening costs goes towards what it took");
  fuzz::require(again && again->open == costs.open, "costs that are kept are found again");
}

void look_at_history(const std::string& path) {
  std::size_t entries = 0;
  {
    griddle::repl::History history(path);
    history.add("one\\more\nline");
    entries = history.entries().size();
    fuzz::require(entries > 0 && history.entries().back() == "one\\more\nline", "an entry is the last one");
  }
  const griddle::repl::History again(path);
  fuzz::require(again.entries().size() == entries && again.entries().back() == "one\\more\nline", "an entry comes back");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const KeptFile file;
  file.hold(fuzz::text_of(data, size));
  look_at_costs(file.path());
  file.hold(fuzz::text_of(data, size));
  look_at_history(file.path());
  return 0;
}
