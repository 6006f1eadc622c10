// Display. Elements are spelled into one pool of text; what fits on one row stays there as a stretch of the pool, the rest
// becomes boxes that know where their parts go. The rows of the outermost box are then written from top to bottom, so that the
// work is in proportion to the text.
#include "runtime/format/format.h"

#include "runtime/format/box.h"
#include "runtime/format/number.h"
#include "runtime/format/operation.h"
#include "runtime/primitive.h"
#include "runtime/text_width.h"
#include "runtime/value/namespace.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

constexpr std::string_view open_bracket = "⟨";
constexpr std::string_view close_bracket = "⟩";
constexpr std::ptrdiff_t deepest_brackets = 2;

bool only_characters(const Array& a) {
  if (a.type() != ElementType::boxed) return is_character(a.type());
  for (const Value& v : a.boxes())
    if (!v.is_character()) return false;
  return true;
}

class Formatter final : OperationWriter {
 public:
  explicit Formatter(Context& cx, std::size_t most_bytes = ~std::size_t{0})
      : OperationWriter(cx, pool_), pool_(cx.heap), pending_(cx.heap), most_bytes_(most_bytes) {}
  HeapText text(const Value&);
  // Gives the start of what the text would begin with, where it is long.
  std::string brief_text(const Value&);

 private:
  struct Enough {};
  void stop_if_enough() const {
    if (pool_.size() > most_bytes_) [[unlikely]]
      throw Enough();
  }

  Piece format(const Value&);
  Piece format_array(const Array&);
  Piece format_empty(const Array&);
  Piece format_list(const Array&);
  Piece format_grid(const Array&);
  Piece format_number(double);
  Piece format_operation(const Value&);
  Piece format_namespace(const Namespace&);
  void spell_numbers(Piece&, const Array&);
  // Makes a piece of everything from `start` on.
  Piece literal(std::size_t start, bool may_hold_brackets) const;

  void write_data(const Value&) override;
  void write_block(const char* kind) override { ((pool_ += '(') += kind) += " block)"; }
  void write_name(const char* name) override { pool_ += name; }

  HeapText pool_;
  HeapVector<Piece> pending_;
  std::size_t pieces_ = 0;  // made so far
  std::size_t most_bytes_;  // after which nobody wants more
};

HeapText Formatter::text(const Value& v) {
  Piece piece = format(v);
  if (!piece.box) return std::move(pool_);
  // Deep values have as many rows as columns: soon more than any memory holds.
  const std::size_t bytes = piece.height * (piece.width + 1);
  cx_.heap.check_limit(bytes);
  HeapText out(cx_.heap);
  out.reserve(bytes);
  for (std::size_t row = 0; row < piece.height; row++) {
    if (row) out += '\n';
    piece.box->next_row(cx_, pool_, out);
  }
  return out;
}

std::string Formatter::brief_text(const Value& v) {
  try {
    HeapText whole = text(v);
    if (whole.size() <= most_bytes_) return std::string(whole);
    pool_ = std::move(whole);
  } catch (const Enough&) {
    // The pool has what was spelled so far.
  }
  std::size_t end = std::min(most_bytes_, pool_.size());
  while (end > 0 && continues_utf8(pool_[end])) end--;
  return std::string(pool_, 0, end) + "…";
}

Piece Formatter::literal(std::size_t start, bool may_hold_brackets) const {
  Piece piece;
  piece.offset = start;
  piece.bytes = pool_.size() - start;
  std::string_view text = std::string_view(pool_).substr(start);
  piece.width = columns_of(text);
  if (!may_hold_brackets) return piece;
  for (std::size_t i = text.find('\xE2'); i != text.npos; i = text.find('\xE2', i + 1)) {
    if (text.substr(i, 3) == open_bracket) piece.bracket(1);
    if (text.substr(i, 3) == close_bracket) piece.bracket(-1);
  }
  return piece;
}

Piece Formatter::format(const Value& v) {
  growing_.takes(pool_.size() + sizeof(Piece) * ++pieces_);
  stop_if_enough();
  if (v.is_number()) return format_number(v.number());
  if (v.is_array()) return format_array(v.array());
  if (v.is_operation()) return format_operation(v);
  if (v.is_namespace()) return format_namespace(v.name_space());
  std::size_t start = pool_.size();
  append_character_literal(pool_, v.character());
  return literal(start, true);
}

Piece Formatter::format_number(double number) {
  Piece piece;
  char buffer[max_number_bytes];
  NumberText text = write_number(buffer, number);
  piece.offset = pool_.size();
  piece.bytes = text.end - buffer;
  piece.width = text.width;
  piece.is_number = true;
  piece.lead = text.lead;
  piece.exponent = text.exponent;
  pool_.append(buffer, piece.bytes);
  stop_if_enough();
  return piece;
}

Piece Formatter::format_array(const Array& a) {
  cx_.check_stack();
  const std::size_t wanted = std::min(a.length, most_bytes_);
  growing_.wants(least_text_bytes(a.type(), wanted));
  if (a.length == 0) return format_empty(a);
  if (!only_characters(a)) return a.is_list() ? format_list(a) : format_grid(a);
  if (a.is_list()) {
    std::size_t start = pool_.size();
    append_string_literal(pool_, a, wanted);
    if (wanted < a.length) throw Enough();
    return literal(start, a.type() != ElementType::c8);
  }
  return character_box(cx_.heap, a);
}

Piece Formatter::format_empty(const Array& a) {
  std::size_t start = pool_.size();
  if (a.is_list()) {
    pool_ += open_bracket;
    pool_ += close_bracket;
  } else if (a.rank() == 2 && a.shape()[1] == 0) {
    return hollow_box(cx_.heap, a.shape()[0]);
  } else {
    pool_ += "↕";
    append_shape(pool_, a.shape());
  }
  return literal(start, true);
}

// Spells a list on one row, and makes a box of the elements where that does not do.
Piece Formatter::format_list(const Array& a) {
  Piece piece;
  piece.offset = pool_.size();
  pool_ += open_bracket;
  piece.bracket(1);
  std::size_t first = pending_.size();
  bool one_row = true;
  if (is_number(a.type())) {
    spell_numbers(piece, a);
  } else {
    for (std::size_t i = 0; i < a.length; i++) {
      pool_ += ' ';
      Piece p = format(a.boxes()[i]);
      one_row &= !p.box;
      piece.width += p.width + 1;
      piece.append_brackets(p);
      pending_.push_back(std::move(p));
    }
  }
  pool_ += ' ';
  pool_ += close_bracket;
  piece.bracket(-1);
  piece.bytes = pool_.size() - piece.offset;
  piece.width += 3;
  if (!one_row || piece.peak > deepest_brackets) {
    HeapVector<Piece> pieces(std::make_move_iterator(pending_.begin() + first), std::make_move_iterator(pending_.end()),
                             cx_.heap);
    piece = grid_box(cx_.heap, a, std::move(pieces), pool_);
  }
  pending_.resize(first);
  return piece;
}

void Formatter::spell_numbers(Piece& piece, const Array& a) {
  constexpr std::size_t usual_bytes = 5;
  pool_.reserve(pool_.size() + std::min(a.length, most_bytes_) * usual_bytes);
  char buffer[max_number_bytes + 1] = " ";
  for (std::size_t i = 0; i < a.length; i++) {
    NumberText text = write_number(buffer + 1, number_at(a, i));
    pool_.append(buffer, text.end);
    growing_.takes(pool_);
    stop_if_enough();
    piece.width += text.width + 1;
  }
}

Piece Formatter::format_grid(const Array& a) {
  HeapVector<Piece> pieces(cx_.heap);
  pieces.reserve(std::min(a.length, most_bytes_));
  for (std::size_t i = 0; i < a.length; i++)
    pieces.push_back(a.type() == ElementType::boxed ? format(a.boxes()[i]) : format_number(number_at(a, i)));
  return grid_box(cx_.heap, a, std::move(pieces), pool_);
}

Piece Formatter::format_operation(const Value& v) {
  std::size_t start = pool_.size();
  write(v);
  return literal(start, true);
}

Piece Formatter::format_namespace(const Namespace& n) {
  std::size_t start = pool_.size();
  pool_ += '{';
  bool first = true;
  for (const FieldTable::Field& field : n.table->fields) {
    if (!first) pool_ += "‿";
    first = false;
    pool_ += field.name;
  }
  pool_ += "⇐}";
  return literal(start, false);
}

void Formatter::write_data(const Value& v) {
  std::size_t start = pool_.size();
  if (!format(v).box) return;
  pool_.resize(start);
  pool_ += "*array*";
}

}  // namespace

std::string brief_text(Context& cx, const Value& v) {
  constexpr std::size_t most_bytes = 4096;
  return Formatter(cx, most_bytes).brief_text(v);
}

HeapText display_text(Context& cx, const Value& v) {
  if (v.is_number()) {
    char buffer[max_number_bytes];
    return HeapText(buffer, write_number(buffer, v.number()).end, cx.heap);
  }
  return Formatter(cx).text(v);
}

}  // namespace griddle
