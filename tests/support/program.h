// Runs programs on a bare virtual machine, without system values or a session.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runtime/bytecode/compiler.h"
#include "runtime/format/format.h"
#include "runtime/value/cycles.h"
#include "runtime/vm/vm.h"

namespace griddle {

struct Machinery {
  Context cx;
  std::unique_ptr<Vm> vm;

  Machinery() {
    set_stack_limit(cx);
    make_primitives(cx);
    vm = std::make_unique<Vm>(cx);
  }
  ~Machinery() {
    collect_cycles(cx.heap);
    vm.reset();
  }

  Ref<Unit> unit(std::string_view source) {
    Ref<Unit> u = make_native<Unit>(cx.heap);
    u->source = std::make_shared<SourceText>(SourceText{std::string(source), "test", ""});
    return u;
  }
  Ref<Code> code(std::string_view source) { return load(cx, unit(source)); }
  Value run(std::string_view source) {
    Ref<Code> c = code(source);
    return vm->run(*c);
  }
  // Gives the display text of the result, or "! " and the message of the error.
  std::string operator()(std::string_view source) {
    try {
      return std::string(display_text(cx, run(source)));
    } catch (const Error& e) {
      return "! " + (e.message.is_array() ? to_utf8(e.message.array()) : std::string(display_text(cx, e.message)));
    }
  }
};

}  // namespace griddle
