// What work costs on the host and on the device, from which follows where it is done.
#pragma once

#include <cstddef>
#include <optional>

#include "gpu/loader.h"
#include "runtime/value/element_type.h"

namespace griddle {

// Costs of a device as programs meet them, in seconds. Where nothing was measured yet, what is usual.
struct Costs {
  double open = 0.3;                    // opening the device
  double call = 2e-5;                   // from handing over a small piece of work to its end
  double up = 1.2e-10, down = 1.2e-10;  // a byte from and to the memory of programs
  double pass = 5e-13;                  // a byte that a kernel reads or writes
};

// Finds the costs of the device, or, given none, those of the device that was measured last. They are kept in a file that the
// host names, a line for each device and driver; without a name nothing is kept.
std::optional<Costs> remembered_costs(const std::string& file, const OpenDevice*);
// Remembers how long opening took: a mean that follows what was seen last. The first time on a machine takes longest, and now and
// then one takes half as long as others.
void remember_opening(const std::string& file, const OpenDevice&, Costs&);
// Measures, in about 20 ms, and remembers. Gives what is usual where the device declines.
Costs measured_costs(const std::string& file, OpenDevice&);

// One piece of work whose operands are on the host.
struct Task {
  double elements;
  double host_seconds;
  double calls, bytes_up, bytes_down, bytes_passed;
  double seconds_there = 0;  // of what is done once

  double device_seconds(const Costs& c) const {
    return calls * c.call + bytes_up * c.up + bytes_down * c.down + bytes_passed * c.pass + seconds_there;
  }
};
// So many functions in one go of a range, whose result stays or is folded.
Task range_task(double count, std::size_t functions, bool stays);
Task random_task(double count);
// Tells whether the host takes so long to repeat a short list, until it has so many bytes, that the device had better read these
// where they are.
bool repeating_is_long(const Costs&, double bytes);
// Draws by products of so many weights, whose operands that are on the host have so many bytes.
Task draw_task(double count, double length, double bytes_up);
Task order_task(ElementType, std::size_t length, bool grades);
Task search_task(ElementType, std::size_t among, std::size_t sought);
// A product of matrices, of which so many bytes are sent; `begins` where the library for it is still to be loaded.
Task product_task(double rows, double inner, double columns, double bytes_up, bool begins);

}  // namespace griddle
