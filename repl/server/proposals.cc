#include "repl/server/proposals.h"

#include <algorithm>
#include <set>

#include "repl/glyph_keys.h"
#include "repl/help/help.h"
#include "repl/server/explanations.h"
#include "repl/server/spelling.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

// Kinds of items, as the protocol numbers them.
enum ItemKind { function_item = 3, field_item = 5, variable_item = 6, module_item = 9, text_item = 1, operator_item = 24 };

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

ItemKind item_kind(Role role) {
  if (role == Role::subject) return variable_item;
  return role == Role::function ? function_item : operator_item;
}

class Proposals {
 public:
  Proposals(Interpreter& interpreter, OpenText& text, std::size_t byte, const FieldsElsewhere& fields_elsewhere)
      : interpreter_(interpreter),
        text_(text),
        reading_(text.reading(interpreter)),
        cursor_(byte),
        fields_elsewhere_(fields_elsewhere) {}

  Json items() {
    const std::string_view line = line_before();
    const std::size_t backslash = line.rfind('\\');
    constexpr std::size_t longest_key = 1;
    if (backslash != line.npos && line.size() - backslash - 1 <= longest_key) {
      place_ = {cursor_ - (line.size() - backslash), cursor_};
      add_glyphs();
    } else if (!is_within_text()) {
      add_words(line);
    }
    return std::move(items_);
  }

 private:
  std::string_view line_before() const {
    const std::size_t start = text_.lines().line_start(text_.lines().line_of(cursor_));
    return std::string_view(text_.text()).substr(start, cursor_ - start);
  }

  // Tells whether the cursor is in a string or a comment.
  bool is_within_text() const {
    for (const NameToken& t : reading_.tokens) {
      const std::string_view written = text_.piece(t);
      const bool is_open_string = written.starts_with('"') && (written.size() == 1 || !written.ends_with('"'));
      const bool ends_open = t.kind == griddle_token_comment || is_open_string;
      if ((t.kind == griddle_token_text || ends_open) && t.start < cursor_ &&
          (cursor_ < t.end || (ends_open && cursor_ == t.end)))
        return true;
    }
    return false;
  }

  void add(std::string_view label, int kind, std::string detail, std::string_view filter = {}, std::string documentation = {}) {
    Json item = Json::object({{"label", label},
                              {"kind", kind},
                              {"detail", std::move(detail)},
                              {"textEdit", Json::object({{"range", text_.range_of(place_)}, {"newText", label}})}});
    if (!filter.empty()) item.add("filterText", filter);
    if (!documentation.empty()) item.add("documentation", std::move(documentation));
    items_.push(std::move(item));
  }

  void add_glyphs() {
    for (char32_t key = U' '; key <= U'~'; key++) {
      const char32_t glyph = glyph_of_key(key);
      if (glyph == 0) continue;
      const std::string typed = utf8_of(std::u32string{U'\\', key}), label = utf8_of({&glyph, 1});
      add(label, text_item, typed + "  " + glyph_line(glyph).value_or(""), typed);
    }
  }

  // Adds what a word at the end of a line may become.
  void add_words(std::string_view line) {
    std::size_t start = line.size();
    while (start > 0 && is_word_byte(line[start - 1]) && !line.substr(0, start).ends_with(system_mark)) start--;
    const bool is_system = line.substr(0, start).ends_with(system_mark);
    if (is_system) start -= system_mark.size();
    // Bytes that are no ASCII may be glyphs; the word begins behind them.
    while (!is_system && start < line.size() && (line[start] & 0x80) != 0) start++;
    place_ = {cursor_ - (line.size() - start), cursor_};
    if (is_system) return add_system_values();
    if (start > 0 && line[start - 1] == '.') return add_fields(place_.start - 1);
    add_names();
  }

  void add_system_values() {
    for (const std::string& name : interpreter_.system_names()) {
      const std::u32string wide = code_points_of(name);
      const Role role = role_of_word(std::string_view(name).substr(system_mark.size()));
      add(name, role == Role::subject ? module_item : item_kind(role), line_about(wide, 0));
    }
  }

  void add_names() {
    std::set<std::string> seen;
    // The innermost definition of a name counts; its scope is the smallest.
    std::vector<const NameDefinition*> visible;
    for (const NameDefinition& d : reading_.definitions)
      if (d.scope.start <= cursor_ && cursor_ <= d.scope.end) visible.push_back(&d);
    std::stable_sort(visible.begin(), visible.end(), [](const NameDefinition* a, const NameDefinition* b) {
      return a->scope.end - a->scope.start < b->scope.end - b->scope.start;
    });
    for (const NameDefinition* d : visible) {
      const NameToken& t = reading_.tokens[d->token];
      const std::string name(text_.piece(t));
      if (t.holds(place_) || !seen.insert(normalised_name(name)).second) continue;
      add(name, item_kind(t.role), name_note(text_, reading_, *d));
    }
  }

  // Adds the fields of what stands before a point.
  void add_fields(std::size_t point) {
    std::size_t token = 0;
    while (token < reading_.tokens.size() && reading_.tokens[token].end < point) token++;
    if (token == reading_.tokens.size() || reading_.tokens[token].end != point) return;
    const NameToken& object = reading_.tokens[token];
    if (object.kind == griddle_token_system) {
      for (const std::string& field : system_fields(interpreter_, text_.piece(object))) add(field, field_item, "");
      return;
    }
    std::optional<std::size_t> definition = reading_.definition_of(text_.text(), token);
    // While the point has nothing behind it, its statement is in error: the name is looked up by its letters.
    if (!definition && object.kind == griddle_token_name) definition = reading_.visible_definition(text_.text(), token);
    const std::vector<std::size_t> fields = definition ? reading_.fields_of(*definition) : std::vector<std::size_t>{};
    for (const std::size_t field : fields) add_field(text_, field);
    if (!fields.empty() || !fields_elsewhere_) return;
    for (const Meaning& field : fields_elsewhere_(token, definition)) add_field(field.document->text, field.definition);
  }

  void add_field(OpenText& text, std::size_t definition) {
    const SourceReading& reading = text.reading(interpreter_);
    const NameDefinition& d = reading.definitions[definition];
    const NameToken& t = reading.tokens[d.token];
    add(text.piece(t), t.role == Role::subject ? field_item : item_kind(t.role), name_note(text, reading, d));
  }

  Interpreter& interpreter_;
  OpenText& text_;
  const SourceReading& reading_;
  std::size_t cursor_;
  const FieldsElsewhere& fields_elsewhere_;
  Piece place_;  // that an item replaces
  Json items_ = Json::list({});
};

}  // namespace

Json proposals_at(Interpreter& interpreter, OpenText& text, std::size_t byte, const FieldsElsewhere& fields_elsewhere) {
  return Proposals(interpreter, text, byte, fields_elsewhere).items();
}

}  // namespace griddle::repl
