// Running source text: •BQN
#include "runtime/system/evaluate.h"

#include "runtime/bytecode/compiler.h"
#include "runtime/system/argument.h"
#include "runtime/system/data/text_source.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/vm/vm.h"

namespace griddle {

namespace {

Ref<Unit> make_unit(Context& cx, std::string text, std::string label, std::string path) {
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  auto source = std::make_shared<SourceText>();
  source->text = std::move(text);
  source->name = std::move(label);
  source->path = std::move(path);
  Ref<Unit> unit = make_native<Unit>(cx.heap);
  unit->memory.hold(cx.heap, sizeof(SourceText) + source->text.capacity() + source->name.capacity() + source->path.capacity());
  unit->source = std::move(source);
  unit->resolver = cx.system;
  return unit;
}

}  // namespace

Ref<Unit> make_text_unit(Context& cx, std::string text, std::string label) {
  return make_unit(cx, std::move(text), std::move(label), {});
}

Ref<Unit> make_file_unit(Context& cx, const std::string& path, std::string text, std::string label) {
  Ref<Unit> unit = make_unit(cx, std::move(text), std::move(label), path);
  std::size_t slash = path.rfind('/');
  unit->name = path.substr(slash + 1);
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  unit->path = cx.system->files != nullptr ? folder : real_path(folder);
  return unit;
}

void share_system_values(Unit& unit, const Unit& from) {
  unit.resolver = from.resolver;
  unit.resolver_owner = from.resolver_owner;
}

void locate(Context& cx, const Function& self, Unit& unit, const Value& w) {
  if (!w.is_array() || !w.array().is_list() || w.array().length > 3)
    fail_in(cx, self, "𝕨 must be a list of at most a path, a name and arguments (got a " + kind_text(w) + ")");
  const Array& parts = w.array();
  auto text = [&](std::size_t i, const char* which) {
    return parts.length > i ? name_bytes(string_argument(cx, self, element(parts, i), which)) : std::string();
  };
  unit.path = parts.length > 0 ? text(0, "The path in 𝕨") : starting_directory(cx);
  unit.name = text(1, "The name in 𝕨");
  unit.args = parts.length > 2 ? element(parts, 2) : to_value(make_list(cx.heap, ElementType::f64, 0));
}

Value run_unit(Context& cx, Ref<Unit> unit) {
  Ref<Code> code = load(cx, std::move(unit));
  Value result = cx.vm->run(*code);
  cx.check_mapped_files();
  return result;
}

namespace system_functions {

Value evaluate_text(Context& cx, const Function& self, Value x) {
  Ref<Unit> unit = make_text_unit(cx, string_argument(cx, self, x), {});
  share_system_values(*unit, unit_of(self));
  return run_unit(cx, std::move(unit));
}

Value evaluate_text_at(Context& cx, const Function& self, Value w, Value x) {
  Ref<Unit> unit = make_text_unit(cx, string_argument(cx, self, x), {});
  share_system_values(*unit, unit_of(self));
  locate(cx, self, *unit, w);
  return run_unit(cx, std::move(unit));
}

}  // namespace system_functions

}  // namespace griddle
