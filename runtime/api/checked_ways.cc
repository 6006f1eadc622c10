#include "runtime/api/checked_ways.h"

#include "runtime/format/format.h"
#include "runtime/source/text.h"
#include "runtime/value/fill.h"
#include "runtime/value/recent_call.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

// Larger arrays take long to compute with twice.
constexpr std::size_t most_elements = std::size_t{1} << 17;

const Value& as_value(const std::uint64_t& bits) { return reinterpret_cast<const Value&>(bits); }
bool is_checked(std::uint64_t v) { return !as_value(v).is_array() || as_value(v).array().length <= most_elements; }

const PrimitiveFunctionEntry& general_entry(Glyph name) {
  return primitive_table(true).functions[static_cast<std::size_t>(name)];
}

bool are_alike(Context& cx, const Value& a, const Value& b) {
  if (a.is_absent() || b.is_absent()) return a.is_absent() && b.is_absent();
  // What is no number matches nothing, but is shown alike.
  return call_primitive(cx, general_entry(Glyph::match), a, b).number() == 1 || display_text(cx, a) == display_text(cx, b);
}

std::string name_of_way(const PrimitiveFunctionEntry& entry, bool dyadic, const char* way) {
  std::string text;
  append_utf8(text, entry.glyph);
  return text + " (" + (dyadic ? entry.dyad_name : entry.monad_name) + "), " + way;
}

}  // namespace

template <class Way, class Run, class General>
void CheckedWays::check(Context& cx, const PrimitiveFunctionEntry& entry, bool dyadic, std::span<const Way> table, Run run,
                        General general) {
  for (const Way& way : table) {
    const Value result = Value::from_bits(run(way));
    if (result.is_absent()) continue;
    served_[&way]++;
    Value expected;
    std::string what = "fails";
    try {
      expected = general();
      what = "gives " + std::string(display_text(cx, expected));
    } catch (const Error& error) {
      if (!error.catchable) throw;
    }
    if (!expected.is_absent() && are_alike(cx, result, expected) &&
        are_alike(cx, fill_of(cx.heap, result), fill_of(cx.heap, expected)))
      continue;
    fail(cx, name_of_way(entry, dyadic, way.name) + ": gives " + std::string(display_text(cx, result)) +
                 ", where the general way " + what);
  }
}

std::uint64_t CheckedWays::monad(Context& cx, const PrimitiveFunctionEntry& entry, std::uint64_t x, MonadCall call) {
  const PrimitiveFunctionEntry& general = general_entry(entry.name);
  // What the call gives is released here where a check fails.
  Value given = call.gives_x ? Value::from_bits(x) : Value();
  if (entry.monad_ways != nullptr && cx.device == nullptr && is_checked(x)) {
    RecentMonad site;
    check(
        cx, entry, false, entry.monad_ways->table, [&](const MonadWay& way) { return way.run(cx, x, site); },
        [&] { return Value::from_bits(general.monad(cx, x, {})); });
  }
  given.leak();
  return entry.monad(cx, x, {.gives_x = call.gives_x});
}

std::uint64_t CheckedWays::dyad(Context& cx, const PrimitiveFunctionEntry& entry, std::uint64_t w, std::uint64_t x,
                                DyadCall call) {
  const PrimitiveFunctionEntry& general = general_entry(entry.name);
  Value given_w = call.gives_w() ? Value::from_bits(w) : Value(), given_x = call.gives_x() ? Value::from_bits(x) : Value();
  if (entry.dyad_ways != nullptr && cx.device == nullptr && is_checked(w) && is_checked(x)) {
    RecentDyad site;
    check(
        cx, entry, true, entry.dyad_ways->table, [&](const DyadWay& way) { return way.run(cx, w, x, site); },
        [&] { return Value::from_bits(general.dyad(cx, w, x, {})); });
  }
  given_w.leak();
  given_x.leak();
  return entry.dyad(cx, w, x, {.given = call.given});
}

std::string CheckedWays::taken() const {
  std::string text;
  const auto add = [&](const PrimitiveFunctionEntry& entry, bool dyadic, const auto* ways) {
    if (ways == nullptr) return;
    for (const auto& way : ways->table) {
      const auto found = served_.find(&way);
      text += name_of_way(entry, dyadic, way.name) + "\t" + std::to_string(found != served_.end() ? found->second : 0) + "\n";
    }
  };
  for (const PrimitiveFunctionEntry& entry : primitive_table().functions) {
    add(entry, false, entry.monad_ways);
    add(entry, true, entry.dyad_ways);
  }
  return text;
}

}  // namespace griddle
