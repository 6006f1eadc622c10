#include "runtime/source/analysis.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "runtime/source/scope.h"
#include "runtime/source/tokenizer.h"
#include "runtime/value/namespace.h"

namespace griddle {
namespace {

constexpr std::uint32_t no_partner = 0xFFFFFFFF;

SourceKind kind_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::number: return SourceKind::number;
    case TokenKind::character:
    case TokenKind::string: return SourceKind::text;
    case TokenKind::name: return SourceKind::name;
    case TokenKind::special: return SourceKind::special;
    case TokenKind::system: return SourceKind::system;
    case TokenKind::primitive: return SourceKind::primitive;
    case TokenKind::nothing: return SourceKind::nothing;
    case TokenKind::dot: return SourceKind::dot;
    case TokenKind::strand: return SourceKind::strand;
    case TokenKind::define:
    case TokenKind::change:
    case TokenKind::exporting: return SourceKind::arrow;
    case TokenKind::separator:
    case TokenKind::question:
    case TokenKind::colon:
    case TokenKind::semicolon: return SourceKind::separator;
    default: return SourceKind::bracket;
  }
}

bool holds(Span outer, Span inner) { return outer.start <= inner.start && inner.end <= outer.end; }

// Reads a text again and again, each time without what was wrong the last time: first its tokens, then its statements. What is
// taken out becomes blanks, or as much as keeps what surrounds it right, so that places stay what they are.
class Reader {
 public:
  Reader(const SourceText& source, const ParseOptions& options) : original_(source.text), text_(source), options_(options) {}

  SourceAnalysis read() {
    read_tokens();
    add_gaps();
    match_brackets();
    read_statements();
    // Line breaks between brackets have served to tell statements apart.
    drop_line_breaks();
    std::stable_sort(found_.problems.begin(), found_.problems.end(),
                     [](const auto& a, const auto& b) { return a.span.start < b.span.start; });
    return std::move(found_);
  }

 private:
  struct TokenRange {
    std::uint32_t first, last;  // the token behind it
  };
  std::string_view text_of(Span s) const { return std::string_view(original_).substr(s.start, s.end - s.start); }
  std::vector<SourceToken>& tokens() { return found_.tokens; }

  void read_tokens();
  bool read_tokens_once();
  void take_out(const SyntaxError&);
  void add_gaps();
  void add_gap(std::vector<SourceToken>& all, Span);
  void match_brackets();
  void read_statements();
  bool read_statements_once();
  bool repair(const SyntaxError&);
  bool is_consequence(Span) const;
  bool replace_value(TokenRange statement);
  void replace(TokenRange, const std::string& instead);
  std::string stand_in(TokenRange) const;
  std::uint32_t token_at(std::uint32_t place) const;
  bool separates(std::uint32_t token) const { return found_.tokens[token].kind == SourceKind::separator; }
  TokenRange part_at(std::uint32_t token) const;
  Span span_of(TokenRange r) const { return {found_.tokens[r.first].span.start, found_.tokens[r.last - 1].span.end}; }
  void take_mentions();
  std::uint32_t add_definition(std::uint32_t token, const Binding&);
  void drop_line_breaks();
  void blank(Span s) { std::fill(text_.text.begin() + s.start, text_.text.begin() + s.end, ' '); }

  const std::string& original_;
  SourceText text_;  // with blanks for what was taken out
  const ParseOptions& options_;
  SourceAnalysis found_;
  std::vector<SourceToken> taken_out_;
  bool brackets_differ_ = false;
  std::vector<std::uint32_t> partners_;  // of brackets
  std::vector<Span> replaced_;
  std::deque<std::string> declared_;  // names that are defined nowhere
  std::vector<std::string_view> predeclared_;
  std::optional<Arena> arena_;
  std::vector<NameMention> mentions_;
};

// Beyond so many errors nobody reads on, and each one costs reading the text once more.
constexpr int most_rounds = 50;

void Reader::read_tokens() {
  for (int round = 0; round < most_rounds; round++)
    if (read_tokens_once()) return;
  // What could be read stays; the rest is left out.
  blank({tokens().empty() ? 0 : tokens().back().span.end, static_cast<std::uint32_t>(original_.size())});
}

bool Reader::read_tokens_once() {
  arena_.emplace(options_.watch);
  SymbolTable symbols(*arena_);
  tokens().clear();
  try {
    Tokenizer tokenizer(text_, symbols, options_.glyphs, options_.watch);
    while (tokenizer.next_statement())
      for (const Token& t : tokenizer.tokens) tokens().push_back({{t.start, t.end}, kind_of(t.kind), t.role});
    return true;
  } catch (const SyntaxError& e) {
    const bool differed = brackets_differ_;
    take_out(e);
    // One bracket that is missing lets others look wrong, too.
    if (!differed || taken_out_.back().kind != SourceKind::bracket) found_.problems.push_back({e.message, e.span, e.related});
    return false;
  }
}

// Blanks what the tokenizer stumbled over.
void Reader::take_out(const SyntaxError& e) {
  Span place = e.span;
  const auto size = static_cast<std::uint32_t>(original_.size());
  const char first = place.start < size ? text_.text[place.start] : ' ';
  SourceKind kind = SourceKind::unknown;
  if (first == '"') {
    // The string that is open may be meant to end in its line.
    place.end = static_cast<std::uint32_t>(std::min<std::size_t>(original_.find_first_of("\r\n", place.start), size));
    kind = SourceKind::text;
  } else if (e.message.find("racket") != std::string::npos || e.related.end != 0) {
    brackets_differ_ = true;
    // Parentheses that hold a separator have not been closed before it.
    if (first == '\n' || first == '\r' || first == ',' || first == '\xE2') {
      const std::string_view at = text_of(place);
      if (at == "\n" || at == "\r" || at == "," || at == "⋄") place = e.related;
    }
    kind = SourceKind::bracket;
  } else if (e.message.find("Special name") != std::string::npos) {
    kind = SourceKind::special;
  }
  place.end = std::max(place.end, std::min(place.start + 1, size));
  blank(place);
  taken_out_.push_back({place, kind, Role::subject});
}

// Adds what lies between tokens: comments, and what separates statements of the program itself.
void Reader::add_gaps() {
  std::vector<SourceToken> known = std::move(tokens());
  known.insert(known.end(), taken_out_.begin(), taken_out_.end());
  const auto by_place = [](const SourceToken& a, const SourceToken& b) { return a.span.start < b.span.start; };
  std::stable_sort(known.begin(), known.end(), by_place);
  std::vector<SourceToken> all;
  std::uint32_t end = 0;
  for (const SourceToken& t : known) {
    if (t.span.start < end) continue;  // within what was taken out
    add_gap(all, {end, t.span.start});
    all.push_back(t);
    end = t.span.end;
  }
  add_gap(all, {end, static_cast<std::uint32_t>(original_.size())});
  for (std::size_t i = 1; i < all.size(); i++)
    if (all[i].kind == SourceKind::name && all[i - 1].kind == SourceKind::dot) all[i].kind = SourceKind::field;
  tokens() = std::move(all);
}

void Reader::add_gap(std::vector<SourceToken>& all, Span gap) {
  for (std::uint32_t i = gap.start; i < gap.end;) {
    const char c = text_.text[i];
    std::uint32_t end = i + 1;
    if (c == '#') {
      end = static_cast<std::uint32_t>(std::min<std::size_t>(text_.text.find_first_of("\r\n", i), gap.end));
      all.push_back({{i, end}, SourceKind::comment, Role::subject});
    } else if (c == '\n' || c == '\r' || c == ',') {
      all.push_back({{i, end}, SourceKind::separator, Role::subject});
    } else if (text_of({i, gap.end}).starts_with("⋄") && c != ' ') {
      end = i + 3;
      all.push_back({{i, end}, SourceKind::separator, Role::subject});
    }
    i = end;
  }
}

void Reader::match_brackets() {
  partners_.assign(tokens().size(), no_partner);
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < tokens().size(); i++) {
    const SourceToken& t = tokens()[i];
    // What was taken out is no bracket any more.
    if (t.kind != SourceKind::bracket || text_.text[t.span.start] == ' ') continue;
    const std::string_view text = text_of(t.span);
    if (text == "(" || text == "[" || text == "{" || text == "⟨") {
      open.push_back(i);
    } else if (!open.empty()) {
      partners_[i] = open.back();
      partners_[open.back()] = i;
      open.pop_back();
    }
  }
}

void Reader::read_statements() {
  for (int round = 0; round < most_rounds; round++)
    if (read_statements_once()) return;
}

// Tells whether there is no more to be done.
bool Reader::read_statements_once() {
  ParseOptions options;
  options.stack_limit = options_.stack_limit;
  options.glyphs = options_.glyphs;
  options.watch = options_.watch;
  options.value_optional = true;
  options.predeclared = predeclared_;
  mentions_.clear();
  options.mentions = &mentions_;
  arena_.emplace(options_.watch);
  try {
    parse(text_, *arena_, options);
  } catch (const SyntaxError& e) {
    return !repair(e);
  }
  take_mentions();
  return true;
}

// Changes the text, or what counts as known, so that the parser comes further. Tells whether that was possible.
bool Reader::repair(const SyntaxError& e) {
  if (tokens().empty()) return false;
  const std::uint32_t at = token_at(e.span.start);
  TokenRange part = part_at(at);
  const bool undefined = e.message == undefined_name;
  bool is_known = brackets_differ_ || is_consequence(span_of(part));
  if (undefined) {
    // What was replaced may have defined the name.
    declared_.push_back(normalised_name(text_of(e.span)));
    predeclared_.push_back(declared_.back());
    for (const SourceToken& t : tokens())
      for (const Span gone : replaced_)
        is_known |= t.kind == SourceKind::name && holds(gone, t.span) && normalised_name(text_of(t.span)) == declared_.back();
  } else {
    const auto is_replaced = [&] {
      return std::any_of(replaced_.begin(), replaced_.end(), [&](Span gone) { return holds(gone, span_of(part)); });
    };
    for (; is_replaced(); part = part_at(part.first - 1))
      if (part.first == 0) return false;
    if (!replace_value(part)) replace(part, stand_in(part));
  }
  if (!is_known) found_.problems.push_back({e.message, e.span, e.related});
  return true;
}

// Tells whether an error in a part of the text may come from what was changed there.
bool Reader::is_consequence(Span part) const {
  const auto lies_within = [&](Span s) { return holds(part, s); };
  return std::any_of(replaced_.begin(), replaced_.end(), lies_within) ||
         std::any_of(taken_out_.begin(), taken_out_.end(), [&](const SourceToken& t) { return lies_within(t.span); });
}

void Reader::replace(TokenRange part, const std::string& instead) {
  const Span place = span_of(part);
  blank(place);
  text_.text.replace(place.start, instead.size(), instead);
  replaced_.push_back(place);
}

// Replaces what a name is defined as by something of its role, so that the name stays known. Tells whether that was possible.
bool Reader::replace_value(TokenRange statement) {
  const TokenRange value{statement.first + 2, statement.last};
  if (value.first >= value.last || tokens()[statement.first].kind != SourceKind::name) return false;
  const std::string_view arrow = text_of(tokens()[statement.first + 1].span);
  const Span place = span_of(value);
  if ((arrow != "←" && arrow != "⇐") ||
      std::count_if(replaced_.begin(), replaced_.end(), [&](Span s) { return holds(s, place); }) > 0)
    return false;
  constexpr const char* values[] = {"0", "+", "`", "∘"};
  std::string instead = stand_in(value);
  const Role role = tokens()[statement.first].role;
  // Special names would be lost, and with them what kind of block this is.
  if (role != Role::subject && instead != "0") return false;
  if (role != Role::subject) instead = values[static_cast<std::size_t>(role)];
  if (instead.size() > place.end - place.start) return false;
  replace(value, instead);
  return true;
}

// Gives a value that a block can have instead of a part of it, and stay a block of its kind.
std::string Reader::stand_in(TokenRange part) const {
  bool rows[3] = {};
  for (std::uint32_t i = part.first; i < part.last; i++) {
    if (partners_[i] != no_partner && text_of(found_.tokens[i].span) == "{") i = std::max(i, partners_[i]);
    if (found_.tokens[i].kind != SourceKind::special || text_.text[found_.tokens[i].span.start] == ' ') continue;
    const std::string_view name = text_of(found_.tokens[i].span);
    const bool second = name == "𝕘" || name == "𝔾" || name == "_𝕣_",
               first = name == "𝕗" || name == "𝔽" || name == "𝕣" || name == "_𝕣";
    rows[second ? 0 : first ? 1 : 2] = true;
  }
  const Span place = span_of(part);
  std::string text;
  constexpr std::string_view names[] = {"𝕘", "𝕗", "𝕩"};
  for (std::size_t row = 0; row < 3; row++) {
    const std::string more = (text.empty() ? "" : "+") + std::string(names[row]);
    if (rows[row] && text.size() + more.size() <= place.end - place.start) text += more;
  }
  return text.empty() ? "0" : text;
}

// Gives the token that holds a byte, or the next one.
std::uint32_t Reader::token_at(std::uint32_t place) const {
  const auto found =
      std::partition_point(found_.tokens.begin(), found_.tokens.end(), [&](const SourceToken& t) { return t.span.end <= place; });
  const auto index = static_cast<std::uint32_t>(found - found_.tokens.begin());
  return std::min(index, static_cast<std::uint32_t>(found_.tokens.size()) - 1);
}

// Gives the statement, header or element that a token belongs to.
Reader::TokenRange Reader::part_at(std::uint32_t token) const {
  TokenRange part{token, token + 1};
  if (partners_[token] != no_partner) part = {std::min(token, partners_[token]), std::max(token, partners_[token]) + 1};
  while (part.first > 0 && !separates(part.first - 1)) {
    const std::uint32_t partner = partners_[part.first - 1];
    if (partner != no_partner && partner >= part.first) break;
    part.first = partner == no_partner ? part.first - 1 : partner;
  }
  while (part.last < found_.tokens.size() && !separates(part.last)) {
    const std::uint32_t partner = partners_[part.last];
    if (partner != no_partner && partner < part.last) break;
    part.last = partner == no_partner ? part.last + 1 : partner + 1;
  }
  // A comment between statements belongs to none.
  while (part.first < token && found_.tokens[part.first].kind == SourceKind::comment) part.first++;
  while (part.last > token + 1 && found_.tokens[part.last - 1].kind == SourceKind::comment) part.last--;
  return part;
}

// Notes what each name means, as the parser has found.
void Reader::take_mentions() {
  const auto by_place = [](const NameMention& a, const NameMention& b) {
    return a.place.start != b.place.start ? a.place.start < b.place.start : a.how < b.how;
  };
  std::sort(mentions_.begin(), mentions_.end(), by_place);
  std::map<const Binding*, std::uint32_t> numbers;
  for (const NameMention& m : mentions_)
    if (m.how == NameMention::How::definition && numbers.find(&m.meant()) == numbers.end())
      numbers[&m.meant()] = add_definition(token_at(m.place.start), m.meant());
  for (const NameMention& m : mentions_) {
    SourceToken& t = tokens()[token_at(m.place.start)];
    if (t.use != NameUse::none) continue;  // `a⇐1` defines and exports
    t.use = static_cast<NameUse>(static_cast<int>(m.how) + 1);
    const auto known = numbers.find(&m.meant());
    if (known != numbers.end()) t.definition = known->second;
  }
}

std::uint32_t Reader::add_definition(std::uint32_t token, const Binding& binding) {
  const TokenRange part = part_at(token);
  SourceDefinition definition{
      token, static_cast<const ScopedBinding&>(binding).body->span, span_of(part), {0, 0}, binding.exported, binding.changed};
  const std::uint32_t block = token + 2;
  const bool is_block = part.first == token && block < part.last && tokens()[token + 1].kind == SourceKind::arrow &&
                        text_of(tokens()[block].span) == "{" && partners_[block] + 1 == part.last;
  if (is_block) definition.block = {tokens()[block].span.start, tokens()[part.last - 1].span.end};
  found_.definitions.push_back(definition);
  return static_cast<std::uint32_t>(found_.definitions.size()) - 1;
}

void Reader::drop_line_breaks() {
  std::vector<std::uint32_t> places;  // where tokens are then
  std::uint32_t kept = 0;
  for (const SourceToken& t : tokens()) {
    places.push_back(kept);
    kept += original_[t.span.start] != '\n' && original_[t.span.start] != '\r';
  }
  std::erase_if(tokens(),
                [&](const SourceToken& t) { return original_[t.span.start] == '\n' || original_[t.span.start] == '\r'; });
  for (SourceDefinition& d : found_.definitions) d.token = places[d.token];
}

}  // namespace

SourceAnalysis analyse(const SourceText& source, const ParseOptions& options) { return Reader(source, options).read(); }

}  // namespace griddle
