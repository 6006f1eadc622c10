// What bqn --explain and the session's )explain show: how a line is read, what it becomes, and what happens when it runs.
#include <algorithm>
#include <set>

#include "primitives/kernels/shared/processor.h"
#include "runtime/api/interpreter_state.h"
#include "runtime/api/steps.h"
#include "runtime/format/format.h"
#include "runtime/source/drawn_tree.h"
#include "runtime/source/outline.h"
#include "runtime/value/fused_expression.h"
#include "runtime/value/recent_call.h"

namespace griddle {

namespace {

std::string kind_of(const Value& v) {
  if (!v.is_array()) return v.is_number() ? "number" : v.is_character() ? "character" : "operation or namespace";
  const Array& a = v.array();
  const std::string type = a.type() == ElementType::boxed ? "boxes" : name_of(a.type());
  if (a.data.elsewhere()) return type + " on the device";
  return a.is_list() ? "list of " + type : type + " of rank " + std::to_string(a.rank());
}

// Calls each primitive, and notes with what and how it was done. Remembers nothing from one call to the next, so that none is
// passed over.
class Calls final : public PrimitiveObserver {
 public:
  struct Call {
    const void* site;  // null: not from an instruction
    const PrimitiveFunctionEntry* entry;
    bool dyadic;
    std::string operands, outcome;
    std::size_t count = 0;
  };
  std::vector<Call> calls;       // each kind of call once, in the order in which they came
  std::set<const void*> served;  // derived functions, and what else was computed at once

  std::uint64_t monad(Context& cx, const PrimitiveFunctionEntry& entry, std::uint64_t x, MonadCall call) override {
    std::string operands = kind_of(reinterpret_cast<const Value&>(x));
    RecentMonad recent;
    return noted(
        call.site, entry, false, std::move(operands), recent,
        [&] {
          if (entry.monad_ways == nullptr || cx.device != nullptr) return Value::absent_bits;
          const std::uint64_t result = entry.monad_ways->run(cx, x, {.site = &recent, .gives_x = call.gives_x});
          if (result != Value::absent_bits && call.gives_x) release_bits(x);
          return result;
        },
        [&] { return entry.monad(cx, x, {.gives_x = call.gives_x}); }, entry.monad_ways);
  }
  std::uint64_t dyad(Context& cx, const PrimitiveFunctionEntry& entry, std::uint64_t w, std::uint64_t x, DyadCall call) override {
    std::string operands = kind_of(reinterpret_cast<const Value&>(w)) + ", " + kind_of(reinterpret_cast<const Value&>(x));
    RecentDyad recent;
    return noted(
        call.site, entry, true, std::move(operands), recent,
        [&] {
          if (entry.dyad_ways == nullptr || cx.device != nullptr) return Value::absent_bits;
          const std::uint64_t result = entry.dyad_ways->run(cx, w, x, {.site = &recent, .given = call.given});
          if (result != Value::absent_bits && call.gives_w()) release_bits(w);
          if (result != Value::absent_bits && call.gives_x()) release_bits(x);
          return result;
        },
        [&] { return entry.dyad(cx, w, x, {.given = call.given}); }, entry.dyad_ways);
  }

  std::uint64_t direct(Context& cx, const Derived& derived, const Value& x) override {
    const std::uint64_t result = derived.direct(cx, derived, x, nullptr);
    if (result != Value::absent_bits) served.insert(&derived);
    return result;
  }
  void computed(const void* by, std::span<const Value* const>, const Value&) override { served.insert(by); }

 private:
  // Tries the fast paths, then the door, which has the device and the general way.
  template <class Recent, class Fast, class Door, class Ways>
  std::uint64_t noted(const void* site, const PrimitiveFunctionEntry& entry, bool dyadic, std::string operands,
                      const Recent& recent, Fast fast, Door door, const Ways* ways) {
    try {
      std::uint64_t result = fast();
      const bool is_fast = result != Value::absent_bits;
      if (!is_fast) result = door();
      const Value& v = reinterpret_cast<const Value&>(result);
      const bool is_there = v.is_array() && v.array().data.elsewhere();
      std::string outcome = " → " + kind_of(v) + (is_there ? "" : is_fast ? ": fast path" : ": general way");
      for (std::size_t i = 0; is_fast && i < ways->table.size(); i++)
        if (ways->table[i].run == recent.compute) outcome += std::string(" for ") + ways->table[i].name;
      // What an instruction would remember, so that the next call like this leads to the kernel by one comparison.
      if (recent.compute != nullptr) outcome += recent.kernel != nullptr ? ", kernel remembered" : ", remembered";
      note(site, entry, dyadic, std::move(operands), std::move(outcome));
      return result;
    } catch (...) {
      note(site, entry, dyadic, std::move(operands), ": fails");
      throw;
    }
  }

  void note(const void* site, const PrimitiveFunctionEntry& entry, bool dyadic, std::string operands, std::string outcome) {
    const auto same = std::find_if(calls.begin(), calls.end(), [&](const Call& c) {
      return c.site == site && c.entry == &entry && c.dyadic == dyadic && c.operands == operands && c.outcome == outcome;
    });
    Call& call =
        same != calls.end() ? *same : calls.emplace_back(Call{site, &entry, dyadic, std::move(operands), std::move(outcome)});
    call.count++;
  }
};

// Writes what happened at each instruction of a program.
class Report {
 public:
  Report(Context& cx, const Calls& calls) : cx_(cx), calls_(calls), told_(calls.calls.size()) {}

  std::string text(const Code& program) {
    block(program);
    bool first = true;
    for (std::size_t k = 0; k < told_.size(); k++) {
      if (told_[k]) continue;
      if (std::exchange(first, false)) out_ += "called by functions and modifiers, or when constants were computed:\n";
      out_ += "  " + line_of(calls_.calls[k]);
    }
    return std::move(out_);
  }

 private:
  static std::string line_of(const Calls::Call& c) {
    std::string glyph;
    append_utf8(glyph, c.entry->glyph);
    const std::string times = c.count == 1 ? "" : std::to_string(c.count) + " times ";
    return times + glyph + " (" + (c.dyadic ? c.entry->dyad_name : c.entry->monad_name) + ") on " + c.operands + c.outcome + "\n";
  }

  void block(const Code& code) {
    const std::string name = code.label.empty() ? "" : code.label + " ";
    for (const Instruction* i = first_of(code); i != last_of(code); i = i->next()) instruction(code, name, *i);
    each_inner_block(code, [this](const Code& inner) { block(inner); });
  }
  static const Instruction* first_of(const Code& code) { return reinterpret_cast<const Instruction*>(code.words.get()); }
  static const Instruction* last_of(const Code& code) {
    return reinterpret_cast<const Instruction*>(code.words.get() + code.word_count);
  }

  void instruction(const Code& code, const std::string& name, const Instruction& i) {
    const auto place = [&] {
      const auto word = reinterpret_cast<const std::uint64_t*>(&i) - code.words.get();
      std::string text = "  " + name + std::to_string(word) + " " + name_of(i.op);
      if (const Position* p = code.position_of(&i)) text += " at " + piece(code.unit->source->text, p->span);
      return text + ": ";
    };
    if (i.op == Opcode::fused)
      if (const auto* const expression = i.pointer<const FusedExpression>(0); calls_.served.contains(expression))
        out_ += place() + "computed block by block" + (expression->plan ? ", by a plan that stays here\n" : "\n");
    if (i.op == Opcode::call1_constant || i.op == Opcode::call2_constant)
      if (const Value& f = i.value(0); f.function().kind == ObjectKind::derived) {
        const auto& derived = static_cast<const Derived&>(f.function());
        if (calls_.served.contains(&derived))
          out_ += place() + std::string(display_text(cx_, f)) + " by kernels of its own\n";
        else if (derived.direct == nullptr && derived.kernels != nullptr)
          out_ += place() + std::string(display_text(cx_, f)) + " has kernels of its own\n";
      }
    if ((i.op == Opcode::monad_then_fold || i.op == Opcode::dyad_then_fold) && calls_.served.contains(&i))
      out_ += place() + "its parts are not made: their folds are computed at once\n";
    for (std::size_t k = 0; k < told_.size(); k++) {
      const Calls::Call& c = calls_.calls[k];
      const void* const site = c.dyadic ? static_cast<const void*>(cx_.vm->dyad_site(&i)) : cx_.vm->monad_site(&i);
      if (told_[k] || c.site == nullptr || c.site != site || !may_call(i, c)) continue;
      told_[k] = true;
      out_ += place() + line_of(c);
    }
  }

  // Tells whether a call may come from an instruction: others may have the same site.
  static bool may_call(const Instruction& i, const Calls::Call& c) {
    if (i.op == Opcode::constant || i.op == Opcode::outer || i.op == Opcode::set_outer) return false;
    if (i.op == Opcode::call1_constant || i.op == Opcode::call2_constant) {
      const Function& f = i.value(0).function();
      return f.kind == ObjectKind::primitive_function && static_cast<const PrimitiveFunction&>(f).entry->glyph == c.entry->glyph;
    }
    return !names_primitive(i.op) || i.pointer<const PrimitiveFunctionEntry>(0)->glyph == c.entry->glyph;
  }

  static std::string piece(const std::string& source, Span span) {
    constexpr std::size_t longest = 40;
    std::string text = source.substr(span.start, span.end - span.start);
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (text.size() <= longest) return text;
    std::size_t end = longest;
    while (continues_utf8(text[end])) end--;
    return text.substr(0, end) + "…";
  }

  Context& cx_;
  const Calls& calls_;
  std::vector<bool> told_;
  std::string out_;
};

}  // namespace

Value InterpreterState::explain(std::string_view source, std::string& text, std::size_t columns) {
  Calls calls;
  struct Observing {
    Observing(Context& cx, Calls& calls) : cx(cx), calls(calls) { observe_primitives(cx, calls); }
    ~Observing() { end_observation(cx, calls); }
    Context& cx;
    Calls& calls;
  } observing(cx, calls);
  std::vector<OutlineLine> tree;
  ParseOptions options;
  options.outline = &tree;
  const Ref<Code> code = compile_in_session(session_unit(source, ""), options);
  GivenValues given(cx, code->unit->source.get());
  const auto report_calls = [&] {
    std::vector<ExplainedNode> nodes;
    for (const OutlineLine& line : tree)
      nodes.push_back(
          {&line, line.constant.is_absent() ? given.at(line.place) : " → " + short_text(cx, line.constant) + ", a constant"});
    text += "Tree\n";
    if (const std::string drawing = drawn_tree(source, nodes, columns); !drawing.empty()) {
      text += drawing;
    } else {
      for (const ExplainedNode& node : nodes) text += node.line->text + node.gave + '\n';
    }
    text += "\nInstructions\n" + disassemble(*code);
    text += "\nRun, with kernels for " + std::string(kernels::instruction_sets().chosen) + "\n";
    const std::string report = Report(cx, calls).text(*code);
    text += report.empty() ? "  no calls of primitives, but what the interpreter computes itself: on numbers, ⊑ and ≠\n" : report;
  };
  try {
    Value result;
    {
      const ObservedSteps steps(vm, given);
      result = vm.run(*code, session_root.get());
    }
    given.require_all();
    report_calls();
    return result;
  } catch (...) {
    report_calls();
    throw;
  }
}

}  // namespace griddle
