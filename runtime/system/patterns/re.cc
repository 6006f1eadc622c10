// Regular expressions: •re
#include <algorithm>
#include <array>

#include "runtime/system/functions.h"
#include "runtime/system/patterns/regular_expression.h"
#include "runtime/system/patterns/replacement.h"
#include "runtime/system/table.h"

namespace griddle::system_functions {

namespace {

// The last patterns that were given as text, so that one that comes again is compiled once.
class LastPatterns final : public NativeObject {
 public:
  Ref<RegularExpression> compiled(Context& cx, const Function& self, const Value& pattern) {
    const RegexText text(cx, self, pattern, "𝕨");
    for (Kept& kept : kept_)
      if (kept.expression && kept.text == text.view()) return kept.expression;
    Ref<RegularExpression> made = RegularExpression::compile(cx, self, pattern, {});
    Kept& oldest = kept_[next_++ % kept_.size()];
    oldest = {std::u32string(text.view()), made};
    return made;
  }

 private:
  struct Kept {
    std::u32string text;
    Ref<RegularExpression> expression;
  };
  std::array<Kept, 16> kept_;
  std::size_t next_ = 0;
};

// --- what is done with an expression and a text

Value has_match(Context& cx, const Function& self, RegularExpression& expression, const Value& x) {
  const RegexText text(cx, self, x, "𝕩");
  return RegexSearch(cx, self, expression, text).next();
}

Value no_list(Context& cx) { return to_value(make_list(cx.heap, ElementType::bit, 0)); }

Value first_place(Context& cx, const Function& self, RegularExpression& expression, const Value& x) {
  const RegexText text(cx, self, x, "𝕩");
  RegexSearch search(cx, self, expression, text);
  if (!search.next()) return no_list(cx);
  const std::size_t place[] = {search.group(0).start, search.group(0).length};
  return make_numbers(cx.heap, std::span<const std::size_t>(place));
}

Value all_places(Context& cx, const Function& self, RegularExpression& expression, const Value& x) {
  const RegexText text(cx, self, x, "𝕩");
  HeapVector<std::size_t> starts(cx.heap), lengths(cx.heap);
  for (RegexSearch search(cx, self, expression, text); search.next();) {
    starts.push_back(search.group(0).start);
    lengths.push_back(search.group(0).length);
  }
  return make_pair(cx.heap, make_numbers(cx.heap, std::span<const std::size_t>(starts)),
                   make_numbers(cx.heap, std::span<const std::size_t>(lengths)));
}

Value group_places(Context& cx, const Function& self, RegularExpression& expression, const Value& x) {
  const RegexText text(cx, self, x, "𝕩");
  RegexSearch search(cx, self, expression, text);
  if (!search.next()) return no_list(cx);
  HeapVector<double> places(cx.heap);
  for (std::size_t i = 0; i < expression.group_count(); i++) {
    const RegexSearch::Place place = search.group(i);
    places.push_back(place.took_part ? static_cast<double>(place.start) : -1);
    places.push_back(static_cast<double>(place.length));
  }
  const std::size_t shape[] = {expression.group_count(), 2};
  return with_shape(cx.heap, make_numbers(cx.heap, std::span<const double>(places)), shape);
}

Value first_groups(Context& cx, const Function& self, RegularExpression& expression, const Value& x) {
  const RegexText text(cx, self, x, "𝕩");
  RegexSearch search(cx, self, expression, text);
  return search.next() ? groups_of_match(cx, search, expression, text) : no_list(cx);
}

Value all_groups(Context& cx, const Function& self, RegularExpression& expression, const Value& x) {
  const RegexText text(cx, self, x, "𝕩");
  HeapVector<Value> pieces(cx.heap);
  std::size_t matches = 0;
  for (RegexSearch search(cx, self, expression, text); search.next(); matches++) {
    for (std::size_t i = 0; i < expression.group_count(); i++) {
      const RegexSearch::Place place = search.group(i);
      pieces.push_back(text.piece(cx.heap, place.start, place.length));
    }
  }
  const std::size_t shape[] = {matches, expression.group_count()};
  Ref<Array> table = make_array(cx.heap, ElementType::boxed, shape);
  std::move(pieces.begin(), pieces.end(), table->as<Value>());
  return to_value(std::move(table));
}

Value named_groups(Context& cx, const Function& self, RegularExpression& expression, const Value& x) {
  const RegexText text(cx, self, x, "𝕩");
  RegexSearch search(cx, self, expression, text);
  if (expression.names().empty()) fail_in(cx, self, "The pattern has no groups with names, such as (?<year>\\d+)");
  if (!search.next()) return no_list(cx);
  std::vector<std::pair<std::string, Value>> fields;
  for (const RegularExpression::Name& name : expression.names()) {
    const RegexSearch::Place place = search.group(name.group);
    const auto known = std::ranges::find_if(
        fields, [&](const auto& field) { return normalised_name(field.first) == normalised_name(name.name); });
    if (known == fields.end()) {
      fields.emplace_back(name.name, text.piece(cx.heap, place.start, place.length));
    } else if (known->first != name.name) {
      fail_in(cx, self, "The names of two groups are one in BQN (" + known->first + " and " + name.name + ")");
    } else if (place.took_part) {
      // Of several groups with one name, at most one took part.
      known->second = text.piece(cx.heap, place.start, place.length);
    }
  }
  return make_namespace(cx.heap, std::move(fields));
}

Value split(Context& cx, const Function& self, RegularExpression& expression, const Value& x) {
  const RegexText text(cx, self, x, "𝕩");
  HeapVector<Value> pieces(cx.heap);
  std::size_t start = 0;
  for (RegexSearch search(cx, self, expression, text); search.next();) {
    const RegexSearch::Place whole = search.group(0);
    // What is empty divides only what stands on both sides of it.
    if (whole.length == 0 && (whole.start == 0 || whole.start == text.size())) continue;
    pieces.push_back(text.piece(cx.heap, start, whole.start - start));
    start = whole.start + whole.length;
  }
  pieces.push_back(text.piece(cx.heap, start, text.size() - start));
  return make_values(cx.heap, pieces);
}

// --- with a pattern on the left, and as functions of a compiled one

using Work = Value (*)(Context&, const Function& self, RegularExpression&, const Value& x);

NativeObject& state_of(const Function& self) { return *static_cast<const NativeFunction&>(self).state; }

Ref<RegularExpression> pattern_argument(Context& cx, const Function& self, const Value& pattern) {
  return static_cast<LastPatterns&>(state_of(self)).compiled(cx, self, pattern);
}
template <Work work>
Value with_pattern(Context& cx, const Function& self, Value w, Value x) {
  const Ref<RegularExpression> expression = pattern_argument(cx, self, w);
  return work(cx, self, *expression, x);
}
template <Work work>
Value with_compiled(Context& cx, const Function& self, Value x) {
  return work(cx, self, static_cast<RegularExpression&>(state_of(self)), x);
}

Value replace_by_pattern(Context& cx, const Function& self, Value w, Value x) {
  if (!w.is_array() || !w.array().is_list() || w.array().length != 2 || is_string(w))
    fail_in(cx, self, "𝕨 must be a pattern and a replacement (got a " + kind_text(w) + ")");
  const Ref<RegularExpression> expression = pattern_argument(cx, self, element(w.array(), 0));
  const RegexText text(cx, self, x, "𝕩");
  return Replacement(cx, self, *expression, element(w.array(), 1)).in(*expression, text);
}
Value replace_by_compiled(Context& cx, const Function& self, Value w, Value x) {
  auto& expression = static_cast<RegularExpression&>(state_of(self));
  const RegexText text(cx, self, x, "𝕩");
  return Replacement(cx, self, expression, w).in(expression, text);
}

// Gives a pattern that matches a text and nothing else.
Value escape(Context& cx, const Function& self, Value x) {
  const RegexText text(cx, self, x, "𝕩");
  const HeapVector<char32_t> out = text.escaped(cx.heap);
  return make_string(cx.heap, std::u32string_view(out.data(), out.size()));
}

constexpr MethodEntry compiled_methods[] = {
    {"match", "•re.Match", with_compiled<has_match>, nullptr},
    {"find", "•re.Find", with_compiled<first_place>, nullptr},
    {"findall", "•re.FindAll", with_compiled<all_places>, nullptr},
    {"where", "•re.Where", with_compiled<group_places>, nullptr},
    {"groups", "•re.Groups", with_compiled<first_groups>, nullptr},
    {"groupsall", "•re.GroupsAll", with_compiled<all_groups>, nullptr},
    {"named", "•re.Named", with_compiled<named_groups>, nullptr},
    {"split", "•re.Split", with_compiled<split>, nullptr},
    {"replace", "•re.Replace", nullptr, replace_by_compiled},
};

Value compile_with(Context& cx, const Function& self, Value w, Value x) {
  const RegexOptions options = regex_options(cx, self, w);
  return make_method_namespace(cx, compiled_methods, Ref<NativeObject>(RegularExpression::compile(cx, self, x, options).leak()));
}
Value compile_pattern(Context& cx, const Function& self, Value x) { return compile_with(cx, self, Value(), std::move(x)); }

constexpr MethodEntry regex_methods[] = {
    {"match", "•re.Match", nullptr, with_pattern<has_match>},
    {"find", "•re.Find", nullptr, with_pattern<first_place>},
    {"findall", "•re.FindAll", nullptr, with_pattern<all_places>},
    {"where", "•re.Where", nullptr, with_pattern<group_places>},
    {"groups", "•re.Groups", nullptr, with_pattern<first_groups>},
    {"groupsall", "•re.GroupsAll", nullptr, with_pattern<all_groups>},
    {"named", "•re.Named", nullptr, with_pattern<named_groups>},
    {"split", "•re.Split", nullptr, with_pattern<split>},
    {"replace", "•re.Replace", nullptr, replace_by_pattern},
    {"compile", "•re.Compile", compile_pattern, compile_with},
    {"escape", "•re.Escape", escape, nullptr},
};

}  // namespace

Value regex_namespace(Context& cx, Unit&) {
  return make_method_namespace(cx, regex_methods, Ref<NativeObject>(make_native<LastPatterns>(cx.heap).leak()));
}

}  // namespace griddle::system_functions
