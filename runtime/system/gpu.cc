// Where arrays are computed: •gpu
#include <array>
#include <bit>

#include "runtime/source/text.h"
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/device_work.h"

namespace griddle::system_functions {

namespace {

Device& device_of(Context& cx, const Function& self) {
  if (cx.device == nullptr || !cx.device->report().present) fail_in(cx, self, "There is no device");
  return *cx.device;
}

// Gives ⟨function,times,bytes⟩ for each function that elements came back for. Its name is empty where they were only read.
Value reasons(Context& cx) {
  struct Reason {
    std::string_view by;
    double times, bytes;
  };
  std::vector<Reason> found;
  for (const DeviceWork& w : cx.device->work()) {
    if (w.times_back == 0) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const Reason& r) { return r.by == w.function; });
    Reason& reason = same != found.end() ? *same : found.emplace_back(Reason{w.function, 0, 0});
    reason.times += w.times_back;
    reason.bytes += w.back;
  }
  ArrayBuilder all(cx.heap, found.size());
  for (const Reason& f : found) {
    ArrayBuilder one(cx.heap, 3);
    one.push(make_string(cx.heap, f.by));
    one.push(Value(f.times));
    one.push(Value(f.bytes));
    all.push(one.finish());
  }
  return all.finish();
}

// Gives a namespace: present, and for a device its name, its memory and what it has done for this program.
Value info(Context& cx, const Function&, Value) {
  const Device::Report r = cx.device ? cx.device->report() : Device::Report();
  std::vector<std::pair<std::string, Value>> fields;
  fields.emplace_back("present", Value(r.present));
  if (r.present) {
    fields.emplace_back("name", make_string(cx.heap, std::string_view(r.name)));
    fields.emplace_back("memory", Value(r.memory_bytes));
    fields.emplace_back("kernels", Value(r.kernels));
    fields.emplace_back("waits", Value(r.waits));
    fields.emplace_back("uploaded", Value(r.uploaded));
    fields.emplace_back("downloaded", Value(r.downloaded));
    fields.emplace_back("back", reasons(cx));
    fields.emplace_back("call", Value(r.call_seconds));
    fields.emplace_back("up", Value(r.up_seconds));
    fields.emplace_back("down", Value(r.down_seconds));
    fields.emplace_back("pass", Value(r.pass_seconds));
    fields.emplace_back("strict", Value(cx.device->strict));
  }
  return make_namespace(cx.heap, std::move(fields));
}

Value put_on_device(Context& cx, const Function& self, Value x) {
  Device& device = device_of(cx, self);
  if (!x.is_array() || x.array().type() == ElementType::boxed)
    fail_in(cx, self, "𝕩 must be an array of numbers or characters (got a " + kind_text(x) + ")");
  Value there = device.put(cx, x);
  return there.is_absent() ? x : there;
}

// Gives the same array once its elements are in the host's memory.
Value get_from_device(Context& cx, const Function& self, Value x) {
  device_of(cx, self);
  if (x.is_array()) x.array().data.get();
  return x;
}

Value sync(Context& cx, const Function& self, Value x) {
  device_of(cx, self).sync(cx);
  return x;
}

Value strict(Context& cx, const Function& self, Value x) {
  Device& device = device_of(cx, self);
  if (!x.is_number() || (x.number() != 0 && x.number() != 1)) fail_in(cx, self, "𝕩 must be 0 or 1 (got " + kind_text(x) + ")");
  const bool before = device.strict;
  device.strict = x.number() == 1;
  return Value(before);
}

// --- what ran where

// Says why a function was done on the host with what is on the device, or why elements came back.
std::string_view reason_of(const DeviceWork& w) {
  if (w.function[0] == 0) return "read";
  switch (w.reason) {
    case Device::Reason::no_kernel: return "no kernel";
    case Device::Reason::no_memory: return "no memory";
    case Device::Reason::strict: return "strict";
    case Device::Reason::little: return "little work";
    case Device::Reason::unasked: return "host alone";
    default: return "";
  }
}

// Gives a table: a row for each function at each place, below one of the columns' names.
Value work_table(Context& cx) {
  constexpr std::array columns = {"function",      "line",         "code", "there", "here",
                                  "seconds there", "seconds here", "sent", "back",  "reason"};
  const std::span<const DeviceWork> rows = cx.device != nullptr ? cx.device->work() : std::span<const DeviceWork>();
  ArrayBuilder table(cx.heap, (rows.size() + 1) * columns.size());
  const auto text = [&](std::string_view s) { table.push(make_string(cx.heap, s)); };
  for (const char* name : columns) text(name);
  for (const DeviceWork& w : rows) {
    text(w.function);
    std::string_view code;
    std::string line;
    if (w.place.source) {
      const SourceText::Line at = w.place.source->line_at(w.place.start);
      line = (w.place.source->name.empty() ? "(REPL)" : w.place.source->name) + ":" + std::to_string(at.number);
      code = at.text.substr(std::min(at.text.find_first_not_of(" \t"), at.text.size()));
    }
    text(line);
    text(code);
    for (const double number : {w.there, w.here, w.seconds_there, w.seconds_here, w.sent, w.back}) table.push(Value(number));
    text(reason_of(w));
  }
  return table.finish(Shape{rows.size() + 1, columns.size()});
}

Value trace(Context& cx, const Function& self, Value x) {
  const bool begins = x.is_number() && (x.number() == 0 || x.number() == 1);
  if (!begins && !(x.is_character() && x.character() == 0)) fail_in(cx, self, "𝕩 must be 0, 1 or @ (got " + value_text(x) + ")");
  Value table = work_table(cx);
  if (begins && cx.device != nullptr) cx.device->trace(x.number() == 1);
  return table;
}

// --- runs of equal neighbours, which the host finds where there is no device

const Array& plain_list_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  if (!v.is_array() || v.array().rank() != 1 || (v.array().type() == ElementType::boxed && v.array().length != 0))
    fail_in(cx, self, std::string(which) + " must be a list of numbers or of characters (got " + kind_text(v) + ")");
  return v.array();
}

// Gives where each run starts, and then the length of the list.
std::vector<std::size_t> run_starts(Context& cx, const Array& list) {
  std::vector<std::size_t> starts;
  with_type(list.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, Value>) {
      const auto at = [&](std::size_t i) {
        if constexpr (std::is_same_v<T, Bit>) {
          return list.bit(i);
        } else if constexpr (std::is_same_v<T, double>) {
          return std::bit_cast<std::uint64_t>(list.as<double>()[i] + 0.0);  // both zeros are one number
        } else {
          return list.as<T>()[i];
        }
      };
      for (std::size_t i = 0; i < list.length; i++) {
        if ((i & 0xFFFF) == 0) cx.check_interrupt();
        if (i == 0 || at(i) != at(i - 1)) starts.push_back(i);
      }
    }
  });
  starts.push_back(list.length);
  return starts;
}

// Gives the elements at all places but the last.
Value elements_at(Context& cx, const Array& list, const std::vector<std::size_t>& places) {
  Ref<Array> elements = make_list(cx.heap, list.type(), places.size() - 1);
  for (std::size_t r = 0; r + 1 < places.size(); r++) copy_elements(*elements, r, list, places[r], 1);
  return to_value(std::move(elements));
}

Value runs(Context& cx, const Function& self, Value x) {
  const Array& list = plain_list_argument(cx, self, x, "𝕩");
  if (cx.device != nullptr)
    if (Value r = cx.device->runs(cx, x); !r.is_absent()) return r;
  std::vector<std::size_t> starts = run_starts(cx, list);
  Value elements = elements_at(cx, list, starts);
  for (std::size_t r = 0; r + 1 < starts.size(); r++) starts[r] = starts[r + 1] - starts[r];
  starts.pop_back();
  return make_pair(cx.heap, make_numbers(cx.heap, std::span<const std::size_t>(starts)), std::move(elements));
}

Value sum_runs(Context& cx, const Function& self, Value w, Value x) {
  const Array& keys = plain_list_argument(cx, self, w, "𝕨");
  const Array& values = plain_list_argument(cx, self, x, "𝕩");
  if (!is_number(values.type()) && values.length != 0)
    fail_in(cx, self, "𝕩 must be a list of numbers (got " + kind_text(x) + ")");
  if (keys.length != values.length)
    fail_in(
        cx, self,
        "𝕨 and 𝕩 must have the same length (got " + std::to_string(keys.length) + " and " + std::to_string(values.length) + ")");
  if (cx.device != nullptr)
    if (Value r = cx.device->sum_runs(cx, w, x); !r.is_absent()) return r;
  const std::vector<std::size_t> starts = run_starts(cx, keys);
  std::vector<double> sums(starts.size() - 1);
  for (std::size_t r = 0; r < sums.size(); r++)
    for (std::size_t i = starts[r + 1]; i-- > starts[r];) sums[r] += number_at(values, i);
  Value elements = elements_at(cx, keys, starts);
  return make_pair(cx.heap, std::move(elements), make_numbers(cx.heap, std::span<const double>(sums)));
}

constexpr MethodEntry gpu_methods[] = {
    {"info", "•gpu.Info", info, nullptr},           {"put", "•gpu.Put", put_on_device, nullptr},
    {"get", "•gpu.Get", get_from_device, nullptr},  {"sync", "•gpu.Sync", sync, nullptr},
    {"strict", "•gpu.Strict", strict, nullptr},     {"runs", "•gpu.Runs", runs, nullptr},
    {"sumruns", "•gpu.SumRuns", nullptr, sum_runs}, {"move", "•gpu.Move", nullptr, move_intervals},
    {"trace", "•gpu.Trace", trace, nullptr},
};

}  // namespace

Value gpu_namespace(Context& cx, Unit&) { return make_method_namespace(cx, gpu_methods); }

}  // namespace griddle::system_functions
