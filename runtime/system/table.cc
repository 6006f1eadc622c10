#include "runtime/system/table.h"

#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

namespace griddle {

namespace system_functions {

namespace {

constexpr SystemEntry function(const char* spelling, MonadCode monad, DyadCode dyad = nullptr) {
  return {spelling, SystemEntry::Kind::function, false, monad, dyad, nullptr};
}
constexpr SystemEntry modifier1(const char* spelling, MonadCode monad, DyadCode dyad) {
  return {spelling, SystemEntry::Kind::modifier1, false, monad, dyad, nullptr};
}
constexpr SystemEntry modifier2(const char* spelling, MonadCode monad, DyadCode dyad) {
  return {spelling, SystemEntry::Kind::modifier2, false, monad, dyad, nullptr};
}
constexpr SystemEntry value(const char* spelling, Value (*make)(Context&, Unit&)) {
  return {spelling, SystemEntry::Kind::value, false, nullptr, nullptr, make};
}
constexpr SystemEntry value_in_unit(const char* spelling, Value (*make)(Context&, Unit&)) {
  return {spelling, SystemEntry::Kind::value, true, nullptr, nullptr, make};
}

using enum Reach;

constexpr SystemEntry system_entries[] = {
    function("•Out", out).reaching(console),
    function("•Show", show, show_within).reaching(console),
    function("•Fmt", display, display_within),
    function("•Repr", source),
    function("•ParseFloat", parse_float).refusing(parse_float_refusal),
    function("•ToUTF8", to_utf8),
    function("•FromUTF8", from_utf8),
    function("•GetLine", get_line).reaching(console),
    value("•term", terminal_namespace).reaching(console),
    function_in_unit("•BQN", evaluate_text, evaluate_text_at),
    function_in_unit("•ReBQN", make_evaluator),
    function_in_unit("•Import", import_file, import_file_with).reaching(read_files),
    value_in_unit("•args", unit_arguments),
    value_in_unit("•path", unit_path).reaching(see_environment),
    value_in_unit("•name", unit_name),
    value_in_unit("•state", unit_state).reaching(see_environment),
    value_in_unit("•env", environment_namespace),
    value("•wdpath", working_directory).reaching(see_environment),
    function("•Exit", exit_program).reaching(console),
    function("•CurrentError", current_error),
    modifier2("•_while_", while_monad, while_dyad),
    modifier2("•_maxTime_", limited_monad, limited_dyad).reaching(read_clock),
    function("•MonoTime", monotonic_time).reaching(read_clock),
    function("•UnixTime", unix_time).reaching(read_clock),
    function("•Delay", delay).reaching(read_clock),
    modifier1("•_timed", timed_once, timed).reaching(read_clock),
    modifier1("•_progress", progress_monad, progress_dyad).reaching(console),
    function("•Type", type_code),
    function("•Glyph", glyph),
    function("•Source", block_source),
    function("•Decompose", decompose),
    function("•Cmp", nullptr, compare),
    function("•Hash", hash, seeded_hash),
    value_in_unit("•primitives", primitive_pairs),
    value_in_unit("•listsys", system_names),
    value("•platform", platform_namespace),
    value("•ns", namespace_functions),
    value_in_unit("•internal", internal_namespace),
    function_in_unit("•FChars", read_characters, write_characters).reaching(read_files, write_files),
    function_in_unit("•FLines", read_lines, write_lines).reaching(read_files, write_files),
    function_in_unit("•FBytes", read_bytes, write_bytes).reaching(read_files, write_files),
    value_in_unit("•file", file_namespace),
    value_in_unit("•plot", plot_namespace),
    value_in_unit("•json", json_namespace),
    value_in_unit("•csv", csv_namespace),
    value_in_unit("•date", date_namespace),
    value_in_unit("•npy", npy_namespace),
    value_in_unit("•png", png_namespace),
    value("•re", regex_namespace),
    value("•math", math_namespace),
    value("•bit", bit_namespace),
    value("•gpu", gpu_namespace),
    value("•rand", random_namespace),
    function("•MakeRand", make_random),
    function("•HashMap", nullptr, make_hash_map),
    function("•SH", run_command, run_command_with).reaching(run_programs),
    function_in_unit("•FFI", nullptr, foreign_function).reaching(call_foreign),
};

}  // namespace

}  // namespace system_functions

namespace {

using system_functions::system_entries;

Value no_monad(Context& cx, const Function& self, Value) { fail_in(cx, self, "This needs a left argument"); }
Value no_dyad(Context& cx, const Function& self, Value, Value) { fail_in(cx, self, "This takes no left argument"); }

[[noreturn]] void refuse(Context& cx, std::string_view spelling) {
  fail(cx, std::string(spelling) + ": This is not permitted in safe mode");
}
Value refused_monad(Context& cx, const Function& self, Value) { refuse(cx, name_of(self)); }
Value refused_dyad(Context& cx, const Function& self, Value, Value) { refuse(cx, name_of(self)); }

// Tells whether a spelling with • has this normalised name.
bool has_name(std::string_view spelling, std::string_view name) {
  spelling.remove_prefix(std::string_view("•").size());
  for (char c : spelling) {
    if (c == '_') continue;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (name.empty() || name[0] != c) return false;
    name.remove_prefix(1);
  }
  return name.empty();
}

}  // namespace

std::span<const SystemEntry> system_table() { return system_entries; }

const SystemEntry* find_system_entry(std::string_view name) {
  for (const SystemEntry& entry : system_entries)
    if (has_name(entry.spelling, name)) return &entry;
  return nullptr;
}

Value make_system_value(Context& cx, Unit& unit, const SystemEntry& entry) {
  const SystemValues& values = values_of(unit);
  const bool permitted = values.permits(entry.reach);
  const MonadCode monad = permitted ? entry.monad : refused_monad;
  const DyadCode dyad = values.permits(entry.dyad_reach) ? entry.dyad : refused_dyad;
  switch (entry.kind) {
    case SystemEntry::Kind::function: {
      Value made = make_system_function(cx, entry.spelling, monad, dyad,
                                        entry.in_unit ? Ref<NativeObject>::share(&unit) : Ref<NativeObject>());
      static_cast<NativeFunction&>(made.function()).refusal = entry.refusal;
      return made;
    }
    case SystemEntry::Kind::modifier1: return make_system_modifier(cx, 1, entry.spelling, monad, dyad);
    case SystemEntry::Kind::modifier2: return make_system_modifier(cx, 2, entry.spelling, monad, dyad);
    case SystemEntry::Kind::value:
      if (!permitted) refuse(cx, entry.spelling);
      return entry.make(cx, unit);
  }
  __builtin_unreachable();
}

Value make_entry_namespace(Context& cx, Unit& unit, std::span<const SystemEntry> entries) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const SystemEntry& entry : entries) {
    const std::string_view name = entry.spelling;
    fields.emplace_back(name.substr(name.find('.') + 1), make_system_value(cx, unit, entry));
  }
  return make_namespace(cx.heap, std::move(fields));
}

Value make_system_function(Context& cx, const char* spelling, MonadCode monad, DyadCode dyad, Ref<NativeObject> state) {
  return make_native_function(cx.heap, spelling, monad ? monad : no_monad, dyad ? dyad : no_dyad, std::move(state));
}

Value make_system_modifier(Context& cx, int operands, const char* spelling, MonadCode monad, DyadCode dyad) {
  return make_native_modifier(cx.heap, operands, spelling, monad ? monad : no_monad, dyad ? dyad : no_dyad);
}

Value make_method_namespace(Context& cx, std::span<const MethodEntry> methods, const Ref<NativeObject>& state) {
  Ref<Environment> environment = make_environment(cx.heap, nullptr, static_cast<std::uint32_t>(methods.size()));
  Value* slot = environment->slots();
  for (const MethodEntry& m : methods) *slot++ = make_system_function(cx, m.spelling, m.monad, m.dyad, state);
  return make_namespace(cx.heap, method_fields(cx, methods), std::move(environment));
}

Ref<FieldTable> method_fields(Context& cx, std::span<const MethodEntry> methods) {
  auto& tables = cx.system->field_tables;
  for (const auto& [entries, table] : tables)
    if (entries == methods.data()) return Ref<FieldTable>::share(table.get());
  Ref<FieldTable> table = make_native<FieldTable>(cx.heap);
  for (std::uint32_t i = 0; i < methods.size(); i++)
    table->fields.push_back({normalised_name(methods[i].name), methods[i].name, i});
  tables.emplace_back(methods.data(), Ref<FieldTable>::share(table.get()));
  return table;
}

SystemState::SystemState(Context& context, Streams& streams)
    : streams(streams), picture(context.heap), values_(std::size(system_entries)) {
  context.system = this;
}
SystemState::~SystemState() = default;

Value SystemState::resolve(Context& cx, Unit& unit, std::string_view name) {
  const SystemEntry* entry = find_system_entry(name);
  if (!entry) return Value();
  if (entry->in_unit || !values_of(unit).permits(entry->reach)) {
    for (const auto& [key, value] : unit.resolved)
      if (key == entry) return value;
    Value made = make_system_value(cx, unit, *entry);
    unit.resolved.emplace_back(entry, made);
    return made;
  }
  Value& kept = values_[static_cast<std::size_t>(entry - system_entries)];
  if (kept.is_absent()) kept = make_system_value(cx, unit, *entry);
  return kept;
}

std::vector<std::string> SystemState::names() const {
  std::vector<std::string> names;
  for (const SystemEntry& entry : system_entries)
    if (permits(entry.reach))
      names.push_back(normalised_name(std::string_view(entry.spelling).substr(std::string_view("•").size())));
  return names;
}

Value SystemState::primitives(Context& cx) {
  std::vector<Value> pairs;
  for (const Value& p : cx.primitives)
    if (!p.is_absent()) pairs.push_back(make_pair(cx.heap, Value::character(glyph_of(p)), p));
  return make_values(cx.heap, pairs);
}

}  // namespace griddle
