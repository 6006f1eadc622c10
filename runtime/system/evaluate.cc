// Running source text: •BQN •ReBQN •Import
#include "runtime/system/evaluate.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "runtime/bytecode/compiler.h"
#include "runtime/system/argument.h"
#include "runtime/system/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/vm.h"

namespace griddle {

namespace {

Ref<Unit> make_unit(Context& cx, std::string text, std::string label, std::string path) {
  auto source = std::make_shared<SourceText>();
  source->text = std::move(text);
  source->name = std::move(label);
  source->path = std::move(path);
  Ref<Unit> unit = make_native<Unit>(cx.heap);
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
  unit->path = real_path(slash == path.npos ? "." : path.substr(0, slash + 1));
  return unit;
}

Value run_unit(Context& cx, Ref<Unit> unit) {
  Ref<Code> code = load(cx, std::move(unit));
  return cx.vm->run(*code);
}

bool read_file(const std::string& path, std::string& bytes) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  constexpr std::size_t least_room = 4096;
  std::size_t room = fstat(file, &status) == 0 && status.st_size > 0 ? static_cast<std::size_t>(status.st_size) + 1 : least_room;
  std::size_t size = 0;
  for (;;) {
    if (bytes.size() - size < 1) bytes.resize(size + room);
    ssize_t got = read(file, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      int problem = errno;
      close(file);
      bytes.resize(size);
      errno = problem;
      return got == 0;
    }
    size += static_cast<std::size_t>(got);
    room = std::max(room, size);
  }
}

std::string real_path(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) ? buffer : std::string();
}

std::string current_directory() {
  char buffer[PATH_MAX];
  return getcwd(buffer, sizeof buffer) ? buffer : std::string();
}

namespace system_functions {

namespace {

// Limits an evaluator to some system values.
struct Evaluator final : NativeObject, SystemResolver {
  std::vector<std::string> allowed;
  bool all_allowed = true;
  // A scope that the evaluated texts share; null where each has its own.
  std::unique_ptr<RootScope> scope;
  Ref<Environment> root;

  Value resolve(Context& cx, Unit& unit, std::string_view name) override {
    if (!all_allowed && std::find(allowed.begin(), allowed.end(), name) == allowed.end()) return Value();
    return cx.system->resolve(cx, unit, name);
  }
  void trace(ObjectVisitor& visitor) override {
    if (root) visitor.visit(root.get());
  }
  void clear() override { root = {}; }
};

// A unit that keeps the evaluator that resolves its names alive.
struct EvaluatorUnit final : Unit {
  Ref<Evaluator> evaluator;
  void trace(ObjectVisitor& visitor) override {
    Unit::trace(visitor);
    if (evaluator) visitor.visit(evaluator.get());
  }
};

// Puts the elements of 𝕨, at most ⟨path,name,args⟩, into a unit.
void locate(Context& cx, const Function& self, Unit& unit, const Value& w) {
  if (!w.is_array() || !w.array().is_list() || w.array().length > 3)
    fail_in(cx, self, "𝕨 must be a list of at most a path, a name and arguments (got a " + kind_text(w) + ")");
  const Array& parts = w.array();
  if (parts.length > 0) unit.path = string_argument(cx, self, element(parts, 0), "The path in 𝕨");
  if (parts.length > 1) unit.name = string_argument(cx, self, element(parts, 1), "The name in 𝕨");
  if (parts.length > 2) {
    unit.args = element(parts, 2);
    if (!unit.args.is_array() || !unit.args.array().is_list())
      fail_in(cx, self, "The arguments in 𝕨 must be a list (got a " + kind_text(unit.args) + ")");
  }
}

Value import(Context& cx, const Function& self, const std::string& path, const std::string& real, Value args) {
  std::string text;
  if (!read_file(real, text)) fail_in(cx, self, "Cannot read the file (" + path + ": " + std::strerror(errno) + ")");
  Ref<Unit> unit = make_file_unit(cx, real, std::move(text), real);
  unit->args = std::move(args);
  return run_unit(cx, std::move(unit));
}

std::string existing_path(Context& cx, const Function& self, const std::string& path) {
  std::string real = real_path(path);
  if (real.empty()) fail_in(cx, self, "There is no such file (" + path + ")");
  return real;
}

Value evaluate_with(Context& cx, const Function& self, const Value& w, const Value& x) {
  auto& evaluator = static_cast<Evaluator&>(*static_cast<const NativeFunction&>(self).state);
  Ref<EvaluatorUnit> unit = make_native<EvaluatorUnit>(cx.heap);
  auto source = std::make_shared<SourceText>();
  source->text = string_argument(cx, self, x);
  unit->source = std::move(source);
  unit->evaluator = Ref<Evaluator>::share(&evaluator);
  unit->resolver = &evaluator;
  if (!w.is_mark()) locate(cx, self, *unit, w);
  if (!evaluator.scope) return run_unit(cx, Ref<Unit>(unit.leak()));
  Ref<Code> code = load(cx, Ref<Unit>(unit.leak()), *evaluator.scope);
  Vm::grow(cx, *evaluator.root, evaluator.scope->body()->bindings.size());
  return cx.vm->run(*code, evaluator.root.get());
}

Value evaluator_monad(Context& cx, const Function& self, Value x) { return evaluate_with(cx, self, Value::nothing(), x); }
Value evaluator_dyad(Context& cx, const Function& self, Value w, Value x) { return evaluate_with(cx, self, w, x); }

}  // namespace

Value evaluate_text(Context& cx, const Function& self, Value x) {
  return run_unit(cx, make_text_unit(cx, string_argument(cx, self, x), {}));
}

Value evaluate_text_at(Context& cx, const Function& self, Value w, Value x) {
  Ref<Unit> unit = make_text_unit(cx, string_argument(cx, self, x), {});
  locate(cx, self, *unit, w);
  return run_unit(cx, std::move(unit));
}

Value make_evaluator(Context& cx, const Function& self, Value x) {
  const Namespace& options = namespace_argument(cx, self, x);
  Ref<Evaluator> evaluator = make_native<Evaluator>(cx.heap);
  for (const FieldTable::Field& option : options.table->fields) {
    Value chosen = options.environment->slots()[option.slot];
    if (option.name == "repl") {
      std::string repl = string_argument(cx, self, chosen, "repl");
      if (repl != "none" && repl != "loose" && repl != "strict")
        fail_in(cx, self, "repl must be none, loose or strict (got " + repl + ")");
      if (repl == "none") continue;
      evaluator->scope = std::make_unique<RootScope>(repl == "loose");
      evaluator->root = Vm::make_root(cx.heap);
    } else if (option.name == "system") {
      evaluator->all_allowed = is_string(chosen) && chosen.array().length > 0 && to_utf8(chosen.array()) == "all";
      if (evaluator->all_allowed || (is_string(chosen) && chosen.array().length > 0 && to_utf8(chosen.array()) == "none"))
        continue;
      for (const std::string& name : strings_argument(cx, self, chosen, "system"))
        evaluator->allowed.push_back(normalised_name(name));
    } else {
      fail_in(cx, self, "There is no option with this name (" + option.name + ")");
    }
  }
  return make_system_function(cx, "(evaluator)", evaluator_monad, evaluator_dyad, Ref<NativeObject>(evaluator.leak()));
}

Value import_file(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  std::string real = existing_path(cx, self, path);
  auto& imported = cx.system->imported;
  auto [entry, first] = imported.try_emplace(real);
  if (!first) {
    if (entry->second.is_absent()) fail_in(cx, self, "The file is being imported already (" + path + ")");
    return entry->second;
  }
  try {
    Value result = import(cx, self, path, real, Value());
    imported[real] = result;
    return result;
  } catch (...) {
    imported.erase(real);
    throw;
  }
}

Value import_file_with(Context& cx, const Function& self, Value w, Value x) {
  std::string path = path_argument(cx, self, x);
  if (!w.is_array() || !w.array().is_list()) fail_in(cx, self, "𝕨 must be a list of arguments (got a " + kind_text(w) + ")");
  return import(cx, self, path, existing_path(cx, self, path), std::move(w));
}

}  // namespace system_functions

}  // namespace griddle
