#include "runtime/api/profile.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "runtime/api/interpreter_state.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

std::size_t hash_of(const void* p, std::uint32_t start) {
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;
  return (reinterpret_cast<std::uintptr_t>(p) / 16 + start) * factor >> 40;
}

std::string percent(std::uint64_t part, std::uint64_t all) {
  char text[16];
  std::snprintf(text, sizeof text, "%5.1f%%", all > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0);
  return text;
}

// Names the way of a primitive's table that serves a call.
const char* way_name(char32_t glyph, bool dyadic, const void* way) {
  for (const PrimitiveFunctionEntry& entry : primitive_table().functions) {
    if (entry.glyph != glyph) continue;
    if (dyadic && entry.dyad_ways != nullptr)
      for (const DyadWay& each : entry.dyad_ways->table)
        if (reinterpret_cast<const void*>(each.run) == way) return each.name;
    if (!dyadic && entry.monad_ways != nullptr)
      for (const MonadWay& each : entry.monad_ways->table)
        if (reinterpret_cast<const void*>(each.run) == way) return each.name;
  }
  return way != nullptr ? "fast path, kernel remembered" : "";
}

}  // namespace

Profile::Profile() : places_(new Place[most_places]), calls_(new Call[most_calls]) {}

Profile::Place* Profile::place_of(const Code& code, std::uint32_t word) noexcept {
  if (!code.unit || word >= code.word_count) return nullptr;
  const Position* position = code.position_of(word);
  const Span span = position != nullptr ? position->span : code.span;
  const auto& source = code.unit->source;
  for (std::size_t i = hash_of(source.get(), span.start), tries = 0; tries < most_places / 4; i++, tries++) {
    Place& place = places_[i % most_places];
    if (!place.where.source) place.where = {source, span.start, span.end};
    if (place.where.source == source && place.where.start == span.start && place.where.end == span.end) return &place;
  }
  return nullptr;
}

Profile::Called Profile::called_at(const Context& cx, const Instruction& i) noexcept {
  Called called;
  called.op = i.op;
  if (names_primitive(i.op)) {
    called.glyph = i.pointer<const PrimitiveFunctionEntry>(0)->glyph;
    const auto* entry = i.pointer<const PrimitiveFunctionEntry>(0);
    const RecentDyad& dyad = *cx.vm->dyad_site(&i);
    const RecentMonad& monad = *cx.vm->monad_site(&i);
    if (dyad.entry == entry) called.way = reinterpret_cast<const void*>(dyad.compute), called.dyadic = true;
    if (monad.entry == entry && called.way == nullptr) called.way = reinterpret_cast<const void*>(monad.compute);
  } else if (i.op == Opcode::call1_constant || i.op == Opcode::call2_constant) {
    const Value& f = i.value(0);
    called.dyadic = i.op == Opcode::call2_constant;
    called.glyph = glyph_of(f);
    if (f.is_function() && f.object()->kind == ObjectKind::derived) {
      const auto& derived = static_cast<const Derived&>(f.function());
      called.modifier = glyph_of(derived.modifier);
      called.glyph = glyph_of(derived.f);
    }
  }
  return called;
}

void Profile::note_call(const Called& called) noexcept {
  std::size_t i = (std::size_t{called.glyph} * 31 + called.modifier * 17 + static_cast<std::size_t>(called.op) +
                   reinterpret_cast<std::uintptr_t>(called.way) / 16) %
                  most_calls;
  for (std::size_t tries = 0; tries < most_calls; tries++, i = (i + 1) % most_calls) {
    Call& call = calls_[i];
    if (call.samples == 0) call.called = called;
    if (!(call.called == called)) continue;
    call.samples++;
    return;
  }
}

void Profile::sample(const Context& cx) noexcept {
  samples_++;
  std::size_t seen = 0;
  cx.vm->see_frames([&](const Code& code, const Instruction* pc, bool innermost) {
    const auto* const at = reinterpret_cast<const std::uint64_t*>(pc);
    if (at < code.words.get() || at > code.words.get() + code.word_count) return false;  // a frame is being made
    auto word = static_cast<std::uint32_t>(at - code.words.get());
    // Others go on after the call that they wait for.
    if (!innermost && word > 0) word--;
    if (Place* place = place_of(code, word)) {
      place->own += innermost;
      if (std::exchange(place->last, samples_) != samples_) place->all++;
    }
    if (innermost && word < code.word_count) note_call(called_at(cx, *pc));
    return ++seen < most_frames;
  });
  if (seen == 0) outside_++;
}

std::string Profile::report(double seconds) const {
  char text[128];
  std::snprintf(text, sizeof text, "%.3g s of processor time, %llu samples\n", static_cast<double>(samples_) * seconds,
                static_cast<unsigned long long>(samples_));
  std::string out = text;
  if (samples_ == 0) return out;
  struct Line {
    std::string name, text;
    std::uint64_t own = 0, all = 0;
  };
  std::map<std::pair<std::string, std::uint32_t>, Line> lines;
  for (std::size_t i = 0; i < most_places; i++) {
    const Place& place = places_[i];
    if (!place.where.source) continue;
    const SourceText::Line at = place.where.source->line_at(place.where.start);
    Line& line = lines[{place.where.source->name, at.number}];
    line.name = (place.where.source->name.empty() ? "(REPL)" : place.where.source->name) + ":" + std::to_string(at.number);
    line.text = at.text;
    line.own += place.own;
    // Several places of a line may stand within each other: it has as many samples as the one that has most, at least.
    line.all = std::max({line.all, std::uint64_t{place.all}, line.own});
  }
  std::vector<Line> sorted;
  for (auto& [key, line] : lines) sorted.push_back(std::move(line));
  std::sort(sorted.begin(), sorted.end(),
            [](const Line& a, const Line& b) { return a.own != b.own ? a.own > b.own : a.all > b.all; });
  constexpr std::size_t most_lines = 20, most_text = 60;
  out += "\n  there  with calls  line\n";
  for (std::size_t i = 0; i < sorted.size() && i < most_lines; i++) {
    std::string source = sorted[i].text.substr(0, most_text);
    while (source.size() == most_text && continues_utf8(sorted[i].text[source.size()])) source.pop_back();
    out += " " + percent(sorted[i].own, samples_) + "     " + percent(sorted[i].all, samples_) + "  " + sorted[i].name + "  " +
           source + "\n";
  }
  std::vector<Call> calls;
  for (std::size_t i = 0; i < most_calls; i++)
    if (calls_[i].samples > 0) calls.push_back(calls_[i]);
  std::sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.samples > b.samples; });
  out += "\n  share  instruction\n";
  for (std::size_t i = 0; i < calls.size() && i < most_lines; i++) {
    const Called& c = calls[i].called;
    std::string what;
    if (c.glyph != 0) append_utf8(what, c.glyph);
    if (c.modifier != 0) append_utf8(what, c.modifier);
    const char* way = way_name(c.glyph, c.dyadic, c.modifier == 0 ? c.way : nullptr);
    out += " " + percent(calls[i].samples, samples_) + "  " + name_of(c.op) + (what.empty() ? "" : " " + what) +
           (*way != '\0' ? ", served by " + std::string(way) : "") + "\n";
  }
  if (outside_ > 0) out += " " + percent(outside_, samples_) + "  compiling, reading, writing\n";
  return out;
}

}  // namespace griddle

using namespace griddle;

int griddle_start_profile(griddle_interpreter* bqn, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, "There is no interpreter"), 0;
  return bqn->done(failure, [&] { bqn->profile = std::make_unique<Profile>(); });
}

void griddle_sample(griddle_interpreter* bqn) {
  // Other threads, and code of the host, are not what is asked about.
  if (bqn != nullptr && bqn->profile && evaluating == &bqn->cx) bqn->profile->sample(bqn->cx);
}

griddle_buffer griddle_end_profile(griddle_interpreter* bqn, double seconds) {
  if (bqn == nullptr || !bqn->profile) return {};
  const std::unique_ptr<Profile> profile = std::move(bqn->profile);
  try {
    return buffer_of(profile->report(seconds));
  } catch (const std::bad_alloc&) {
    return {};
  }
}
