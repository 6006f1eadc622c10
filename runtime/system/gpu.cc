// Where arrays are computed: •gpu
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"
#include "runtime/value/array.h"
#include "runtime/value/namespace.h"

namespace griddle::system_functions {

namespace {

Device& device_of(Context& cx, const Function& self) {
  if (cx.device == nullptr || !cx.device->report().present) fail_in(cx, self, "There is no device");
  return *cx.device;
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
    fields.emplace_back("call", Value(r.call_seconds));
    fields.emplace_back("up", Value(r.up_seconds));
    fields.emplace_back("down", Value(r.down_seconds));
    fields.emplace_back("pass", Value(r.pass_seconds));
    fields.emplace_back("strict", Value(cx.device->strict));
  }
  return make_namespace(cx.heap, std::move(fields));
}

Value put(Context& cx, const Function& self, Value x) {
  Device& device = device_of(cx, self);
  if (!x.is_array() || x.array().type() == ElementType::boxed)
    fail_in(cx, self, "𝕩 must be an array of numbers or characters (got a " + kind_text(x) + ")");
  Value there = device.put(cx, x);
  return there.is_absent() ? x : there;
}

// Gives the same array once its elements are in the host's memory.
Value get(Context& cx, const Function& self, Value x) {
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

constexpr MethodEntry methods[] = {
    {"info", "•gpu.Info", info, nullptr}, {"put", "•gpu.Put", put, nullptr},          {"get", "•gpu.Get", get, nullptr},
    {"sync", "•gpu.Sync", sync, nullptr}, {"strict", "•gpu.Strict", strict, nullptr},
};

}  // namespace

Value gpu_namespace(Context& cx, Unit&) { return make_method_namespace(cx, methods); }

}  // namespace griddle::system_functions
