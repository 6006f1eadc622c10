#include "runtime/api/profile.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "runtime/api/interpreter_state.h"
#include "runtime/value/fused_expression.h"
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

// Stands for a fast path that does not say which one it is.
constexpr char unknown_fast_path = 0;

// Names the way of a primitive's table that serves a call.
std::string way_name(const PrimitiveFunctionEntry& entry, bool dyadic, const void* way) {
  if (dyadic && entry.dyad_ways != nullptr)
    for (const DyadWay& each : entry.dyad_ways->table)
      if (reinterpret_cast<const void*>(each.run) == way) return each.name;
  if (!dyadic && entry.monad_ways != nullptr)
    for (const MonadWay& each : entry.monad_ways->table)
      if (reinterpret_cast<const void*>(each.run) == way) return each.name;
  return way == nullptr ? "the general way" : way == &unknown_fast_path ? "a fast path" : "a fast path, kernel remembered";
}

const Value& as_value(const std::uint64_t& bits) { return reinterpret_cast<const Value&>(bits); }
bool is_on_device(std::uint64_t v) { return as_value(v).is_array() && as_value(v).array().data.elsewhere(); }
// Gives the bytes of elements, those of boxes for boxed ones; of an atom those of a value.
std::uint64_t bytes_of(std::uint64_t v) {
  return as_value(v).is_array() ? bytes_for(as_value(v).array().type(), as_value(v).array().length) : sizeof v;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr struct {
    double from;
    const char* name;
  } units[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
  char text[32];
  for (const auto& unit : units) {
    if (static_cast<double>(bytes) < unit.from) continue;
    std::snprintf(text, sizeof text, "%.1f %s", static_cast<double>(bytes) / unit.from, unit.name);
    return text;
  }
  return std::to_string(bytes) + " B";
}

}  // namespace

Profile::Profile(Context& cx) : places_(new Place[most_places]), calls_(new Sampled[most_calls]), cx_(cx) {
  observe_primitives(cx, *this);
}
Profile::~Profile() { end_observation(cx_, *this); }

// A call while it runs, which samples find.
class Profile::Call : public Running {
 public:
  explicit Call(Profile& profile) : Running{profile.running_}, profile_(profile) { profile.running_ = this; }
  ~Call() {
    profile_.running_ = outer;
    if (samples == 0) return;
    profile_.notes_ = true;
    profile_.note_call(called, samples);
    profile_.notes_ = false;
  }
  void served(const Way& by) {
    called.entry = by.entry;
    called.way = by.way;
    called.dyadic = by.dyadic;
    called.on_device = by.on_device;
  }

 private:
  Profile& profile_;
};

void Profile::count(const Way& way, std::uint64_t read, std::uint64_t written) {
  Moved& moved = moved_[way];
  moved.calls++;
  moved.read += read;
  moved.written += written;
}

// Calls a primitive as the machine does: by what the instruction remembers, by a fast path, or through the door, which has the
// device and the general way.
template <class Site, class Again, class Fast, class Door>
std::uint64_t Profile::counted(const PrimitiveFunctionEntry& entry, bool dyadic, bool on_device, std::uint64_t read, Site& site,
                               Again again, Fast fast, Door door) {
  Call call(*this);
  const void* way = nullptr;
  std::uint64_t result = Value::absent_bits;
  if (site.entry == &entry) result = again();
  if (result == Value::absent_bits) {
    site = {};
    result = fast();
  }
  if (result != Value::absent_bits)
    way = site.compute != nullptr ? reinterpret_cast<const void*>(site.compute) : &unknown_fast_path;
  else
    result = door();
  const Way by{&entry, way, dyadic, on_device || is_on_device(result)};
  call.served(by);
  count(by, read, bytes_of(result));
  return result;
}

std::uint64_t Profile::direct(Context& cx, const Derived& derived, const Value& x) {
  Call call(*this);
  const std::uint64_t read = bytes_of(x.bits());
  const bool there = is_on_device(x.bits());
  const std::uint64_t result = derived.direct(cx, derived, x, nullptr);
  if (result == Value::absent_bits) return result;
  const Value& f = derived.f;
  const bool of_primitive = f.is_function() && f.object()->kind == ObjectKind::primitive_function;
  const Way by{of_primitive ? &primitive_entry_of(f.function()) : nullptr, reinterpret_cast<const void*>(derived.direct), false,
               there || is_on_device(result)};
  call.served(by);
  call.called.of_modifier = glyph_of(derived.modifier);
  count(by, read, bytes_of(result));
  return result;
}

void Profile::computed(const void* by, std::span<const Value* const> operands, const Value& result) {
  std::uint64_t read = 0;
  for (const Value* operand : operands)
    if (operand->is_array()) read += bytes_of(operand->bits());
  count({nullptr, by, false, false}, read, bytes_of(result.bits()));
}

std::uint64_t Profile::monad(Context& cx, const PrimitiveFunctionEntry& entry, std::uint64_t x, MonadCall call) {
  RecentMonad own;
  RecentMonad& site = call.site != nullptr && cx.device == nullptr ? *call.site : own;
  const auto given_up = [&](std::uint64_t result) {
    if (result != Value::absent_bits && call.gives_x) release_bits(x);
    return result;
  };
  return counted(
      entry, false, is_on_device(x), bytes_of(x), site, [&] { return given_up(site.compute(cx, x, site)); },
      [&] {
        if (entry.monad_ways == nullptr || cx.device != nullptr) return Value::absent_bits;
        return given_up(entry.monad_ways->run(cx, x, {.site = &site, .gives_x = call.gives_x}));
      },
      [&] { return entry.monad(cx, x, {.gives_x = call.gives_x}); });
}

std::uint64_t Profile::dyad(Context& cx, const PrimitiveFunctionEntry& entry, std::uint64_t w, std::uint64_t x, DyadCall call) {
  RecentDyad own;
  RecentDyad& site = call.site != nullptr && cx.device == nullptr ? *call.site : own;
  const auto given_up = [&](std::uint64_t result) {
    if (result != Value::absent_bits && call.gives_w()) release_bits(w);
    if (result != Value::absent_bits && call.gives_x()) release_bits(x);
    return result;
  };
  return counted(
      entry, true, is_on_device(w) || is_on_device(x), bytes_of(w) + bytes_of(x), site,
      [&] { return given_up(site.compute(cx, w, x, site)); },
      [&] {
        if (entry.dyad_ways == nullptr || cx.device != nullptr) return Value::absent_bits;
        return given_up(entry.dyad_ways->run(cx, w, x, {.site = &site, .given = call.given}));
      },
      [&] { return entry.dyad(cx, w, x, {.given = call.given}); });
}

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

Profile::Called Profile::called_at(const Instruction& i) noexcept {
  Called called;
  called.op = i.op;
  if (i.op == Opcode::fused) called.way = i.pointer<const FusedExpression>(0);
  if (i.op == Opcode::monad_then_fold || i.op == Opcode::dyad_then_fold) called.way = &i;
  if (names_primitive(i.op)) {
    called.glyph = i.pointer<const PrimitiveFunctionEntry>(0)->glyph;
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

void Profile::note_call(const Called& called, std::uint32_t samples) noexcept {
  std::size_t i = (std::size_t{called.glyph} * 31 + called.modifier * 17 + static_cast<std::size_t>(called.op) +
                   reinterpret_cast<std::uintptr_t>(called.way) / 16) %
                  most_calls;
  for (std::size_t tries = 0; tries < most_calls; tries++, i = (i + 1) % most_calls) {
    Sampled& call = calls_[i];
    if (call.samples == 0) call.called = called;
    if (!(call.called == called)) continue;
    call.samples += samples;
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
    if (innermost && word < code.word_count) {
      const Called called = called_at(*pc);
      if (Running* const running = running_; running != nullptr) {
        if (running->samples++ == 0) running->called = called;
      } else if (!notes_) {
        note_call(called, 1);
      }
    }
    return ++seen < most_frames;
  });
  if (seen == 0) outside_++;
}

std::string Profile::lines_text() const {
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
  constexpr std::size_t most_text = 60;
  std::string out = "\n  there  with calls  line\n";
  for (std::size_t i = 0; i < sorted.size() && i < most_lines; i++) {
    std::string source = sorted[i].text.substr(0, most_text);
    while (source.size() == most_text && continues_utf8(sorted[i].text[source.size()])) source.pop_back();
    out += " " + percent(sorted[i].own, samples_) + "     " + percent(sorted[i].all, samples_) + "  " + sorted[i].name + "  " +
           source + "\n";
  }
  return out;
}

std::string Profile::calls_text() const {
  std::vector<Sampled> calls;
  for (std::size_t i = 0; i < most_calls; i++)
    if (calls_[i].samples > 0) calls.push_back(calls_[i]);
  std::sort(calls.begin(), calls.end(), [](const Sampled& a, const Sampled& b) { return a.samples > b.samples; });
  std::string out = "\n  share  instruction, what served it, and the bytes of all calls served so\n";
  for (std::size_t i = 0; i < calls.size() && i < most_lines; i++) {
    const Called& c = calls[i].called;
    std::string what;
    if (c.glyph != 0) append_utf8(what, c.glyph);
    if (c.modifier != 0) append_utf8(what, c.modifier);
    out += " " + percent(calls[i].samples, samples_) + "  " + name_of(c.op) + (what.empty() ? "" : " " + what);
    std::string within;
    if (c.entry != nullptr) append_utf8(within, c.entry->glyph);
    if (c.of_modifier != 0) append_utf8(within, c.of_modifier);
    if (!within.empty())
      out += (within == what ? "" : ", in " + within) + ", served " +
             (c.on_device          ? "on the device"
              : c.of_modifier != 0 ? "by kernels of its own"
                                   : "by " + way_name(*c.entry, c.dyadic, c.way));
    else if (c.op == Opcode::fused)
      out += ", an expression computed block by block";
    else if ((c.op == Opcode::monad_then_fold || c.op == Opcode::dyad_then_fold) &&
             moved_.contains({nullptr, c.way, false, false}))
      out += ", with the fold that follows";
    if (const auto moved = moved_.find({c.entry, c.way, c.dyadic, c.on_device});
        (c.entry != nullptr || c.way != nullptr) && moved != moved_.end())
      out += ": " + std::to_string(moved->second.calls) + (moved->second.calls == 1 ? " call, " : " calls, ") +
             bytes_text(moved->second.read) + " read, " + bytes_text(moved->second.written) + " written";
    out += '\n';
  }
  return out;
}

std::string Profile::report(double seconds) const {
  char text[128];
  std::snprintf(text, sizeof text, "%.3g s of processor time, %llu samples\n", static_cast<double>(samples_) * seconds,
                static_cast<unsigned long long>(samples_));
  std::string out = text;
  Moved all;
  for (const auto& [way, moved] : moved_) all.calls += moved.calls, all.read += moved.read, all.written += moved.written;
  if (all.calls > 0)
    out += std::to_string(all.calls) + " calls of primitives on arrays: " + bytes_text(all.read) + " read, " +
           bytes_text(all.written) + " written\n";
  if (samples_ == 0) return out;
  out += lines_text() + calls_text();
  if (outside_ > 0) out += " " + percent(outside_, samples_) + "  compiling, reading, writing\n";
  return out;
}

}  // namespace griddle

using namespace griddle;

int griddle_start_profile(griddle_interpreter* bqn, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, "There is no interpreter"), 0;
  return bqn->done(failure, [&] {
    if (bqn->profile && bqn->profile->sees_a_call()) fail(bqn->cx, "What is looked at by a profile cannot start another one");
    bqn->profile = std::make_unique<Profile>(bqn->cx);
  });
}

void griddle_sample(griddle_interpreter* bqn) {
  // Other threads, and code of the host, are not what is asked about.
  if (bqn != nullptr && bqn->profile && evaluating == &bqn->cx) bqn->profile->sample(bqn->cx);
}

griddle_buffer griddle_end_profile(griddle_interpreter* bqn, double seconds) {
  if (bqn == nullptr || !bqn->profile || bqn->profile->sees_a_call()) return {};
  const std::unique_ptr<Profile> profile = std::move(bqn->profile);
  try {
    return buffer_of(profile->report(seconds));
  } catch (const std::bad_alloc&) {
    return {};
  }
}
