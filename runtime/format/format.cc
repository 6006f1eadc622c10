// Display. Elements are spelled into one pool of text; what fits on one row stays there as a stretch of the pool, the rest
// becomes boxes that know where their parts go. The rows of the outermost box are then written from top to bottom, so that the
// work is in proportion to the text.
#include "runtime/format/format.h"

#include "runtime/format/box.h"
#include "runtime/format/number.h"
#include "runtime/format/operation.h"
#include "runtime/format/pieces.h"
#include "runtime/format/plain.h"
#include "runtime/format/shorten.h"
#include "runtime/primitive.h"
#include "runtime/text_width.h"
#include "runtime/value/namespace.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

bool only_characters(const Array& a) {
  if (a.type() != ElementType::boxed) return is_character(a.type());
  for (const Value& v : a.boxes())
    if (!v.is_character()) return false;
  return true;
}

class Formatter final : OperationWriter, Speller {
 public:
  explicit Formatter(Context& cx, const TextRoom& room = {}, const TextStyles& styles = {})
      : OperationWriter(cx, pool_),
        reads_(cx, nullptr),
        pool_(cx.heap),
        pending_(cx.heap),
        room_(room),
        limited_(!room.is_all()),
        style_(styles.all),
        columns_(styles.columns) {}
  HeapText text(const Value&);
  // Hands over all of it piece by piece.
  void text_in_pieces(const Value&, TextSink&);
  // Gives as much of the text as there is room for. Tells whether that is all.
  HeapText text_within(const Value&, bool& is_whole);

 private:
  // While one part is formatted, that is the room left for it. Of what does not fit, so much is formatted that it can be seen not
  // to fit: whoever writes the rows then cuts them.
  struct Within {
    Within(Formatter& formatter, std::size_t rows, std::size_t columns) {
      if (!formatter.limited_) return;
      room = &formatter.room_;
      before = *room;
      *room = {rows, columns, columns};
    }
    ~Within() {
      if (room != nullptr) *room = before;
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    TextRoom* room = nullptr;  // null where there is room for all
    TextRoom before;
  };
  static std::size_t less(std::size_t room, std::size_t taken) { return room > taken ? room - taken : 0; }

  // Gives how many elements of a list may be seen: each one takes a character at least, and a string may hold line breaks.
  std::size_t most_elements(const Array&) const;
  // Gives how many bytes there may be in a row.
  std::size_t most_bytes() const {
    constexpr std::size_t of_one = 4;
    return room_.alone < TextRoom::all / of_one - 1 ? (room_.alone + 1) * of_one : TextRoom::all;
  }

  Piece element(const Array& a, std::size_t index) override {
    return a.type() == ElementType::boxed ? format(a.boxes()[index]) : format_number(number_at(a, index));
  }
  const HeapText& pool() const override { return pool_; }
  void forget() override { pool_.clear(); }
  OwnSpeller speller() const;

  Piece format(const Value&);
  Piece format_large(const Array&);
  Piece format_array(const Array&);
  Piece format_empty(const Array&);
  Piece format_list(const Array&);
  Piece format_grid(const Array&);
  Piece format_part_of_grid(const Array&);
  Piece format_element(const Array&, std::size_t index, std::size_t column);
  Piece format_number(double);
  Piece format_operation(const Value&);
  Piece format_namespace(const Namespace&);
  void spell_numbers(Piece&, const Array&);
  // Fills the last piece of the pool up with blanks to the width of its style.
  void pad(Piece& piece) {
    piece.align = style_.align;
    if (style_.width > piece.width) [[unlikely]]
      widen(piece);
  }
  void widen(Piece&);
  // Makes a piece of everything from `start` on.
  Piece literal(std::size_t start, bool may_hold_brackets) const;

  void write_data(const Value&) override;
  void write_block(const char* kind) override { ((pool_ += '(') += kind) += " block)"; }
  void write_name(const char* name) override { pool_ += name; }

  const ComputingHere reads_;
  HeapText pool_;
  HeapVector<Piece> pending_;
  std::size_t pieces_ = 0;  // made so far
  TextRoom room_;
  const bool limited_;
  TextStyle style_;
  std::span<const TextStyle> columns_;  // styles of the columns of the outermost array
  bool leaves_out_ = false;             // something for which there was no room was not formatted
  TextSink* sink_ = nullptr;            // of text that is handed over in pieces
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

// Makes one like this, for the parts of a large array.
OwnSpeller Formatter::speller() const {
  void* const memory = cx_.heap.allocate(sizeof(Formatter));
  auto* made = new (memory) Formatter(cx_, {}, {style_});
  made->sink_ = sink_;
  return OwnSpeller(made);
}

void Formatter::text_in_pieces(const Value& v, TextSink& sink) {
  sink_ = &sink;
  const Piece piece = format(v);
  if (!piece.box) sink.text.append(pool_, piece.offset, piece.bytes);
  for (std::size_t row = 0; piece.box && row < piece.height; row++) {
    if (row > 0) sink.text += '\n';
    piece.box->next_row(cx_, pool_, sink.text);
    sink.flush(sink.text);
  }
  sink.hand_over();
}

HeapText Formatter::text_within(const Value& v, bool& is_whole) {
  const TextRoom room = room_;
  // Rows that a list stands on alone may be longer than those of a box.
  if (v.is_array() && !v.array().is_list()) room_.alone = room_.columns;
  Piece piece = format(v);
  HeapText out(cx_.heap);
  if (!piece.box) {
    out = shortened(cx_, std::string_view(pool_).substr(piece.offset, piece.bytes), {room.rows, room.alone}, is_whole);
  } else {
    HeapText rows(cx_.heap);
    for (std::size_t row = 0; row < piece.height && row <= room.rows; row++) {
      if (row) rows += '\n';
      piece.box->next_row(cx_, pool_, rows);
    }
    out = shortened(cx_, rows, room, is_whole);
  }
  // Where rows were cut off, or ends of rows, that is marked already; but what was left out may have had none of them for itself.
  if (leaves_out_ && is_whole) out += "…";
  is_whole &= !leaves_out_;
  return out;
}

std::size_t Formatter::most_elements(const Array& a) const {
  if (room_.alone >= a.length) return a.length;
  if (!is_character(a.type())) return room_.alone + 1;
  // Only a string that is too long is looked through.
  bool breaks = false;
  for (std::size_t i = 0; i < a.length && !breaks; i++) breaks = character_at(a, i) == '\n';
  const std::size_t rows = breaks ? room_.rows : 1;
  return rows < TextRoom::all / (room_.alone + 1) ? rows * (room_.alone + 1) : TextRoom::all;
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
  if (limited_ && (room_.rows == 0 || room_.alone == 0)) [[unlikely]] {
    // Stands beyond what is shown, so that one sees that there is more.
    const std::size_t start = pool_.size();
    pool_ += "…";
    return literal(start, false);
  }
  if (v.is_number()) return format_number(v.number());
  if (v.is_array()) return format_array(v.array());
  if (v.is_operation()) return format_operation(v);
  if (v.is_namespace()) return format_namespace(v.name_space());
  std::size_t start = pool_.size();
  append_character_literal(pool_, v.character());
  Piece piece = literal(start, true);
  pad(piece);
  return piece;
}

void Formatter::widen(Piece& piece) {
  const std::size_t missing = style_.width - piece.width;
  const std::size_t before = style_.align == TextAlign::right || (style_.align == TextAlign::usual && piece.is_number) ? missing
                             : style_.align == TextAlign::center ? missing / 2
                                                                 : 0;
  pool_.insert(piece.offset, before, ' ');
  pool_.append(missing - before, ' ');
  piece.bytes += missing;
  piece.width += missing;
  piece.lead += static_cast<unsigned>(before);
}

Piece Formatter::format_number(double number) {
  Piece piece;
  char buffer[max_styled_bytes];
  const NumberText text = style_.spells_numbers_as_usual() ? write_number(buffer, number) : write_number(buffer, number, style_);
  piece.offset = pool_.size();
  piece.bytes = text.end - buffer;
  piece.width = text.width;
  piece.is_number = true;
  piece.lead = text.lead;
  piece.exponent = text.exponent;
  pool_.append(buffer, piece.bytes);
  pad(piece);
  return piece;
}

Piece Formatter::format_array(const Array& a) {
  cx_.check_stack();
  if (sink_ != nullptr && is_large(a)) return format_large(a);
  const std::size_t wanted = std::min(a.length, most_elements(a));
  growing_.wants(least_text_bytes(a.type(), wanted));
  if (a.length == 0) return format_empty(a);
  if (!only_characters(a)) return a.is_list() ? format_list(a) : format_grid(a);
  if (a.is_list()) {
    std::size_t start = pool_.size();
    append_string_literal(pool_, a, wanted);
    leaves_out_ |= wanted < a.length;
    Piece piece = literal(start, a.type() != ElementType::c8);
    pad(piece);
    return piece;
  }
  const RowAxes axes(a);
  return character_box(cx_.heap, a, axes.within(room_.rows, room_.columns));
}

Piece Formatter::format_large(const Array& a) {
  if (!only_characters(a)) return a.is_list() ? large_list(cx_, *sink_, a, speller()) : large_grid(cx_, *sink_, a, speller());
  return a.is_list() ? large_string(cx_, *sink_, a) : character_box(cx_.heap, a, RowAxes(a), sink_);
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
  if (is_number(a.type()) && columns_.empty() && style_.spells_numbers_as_usual() && style_.width == 0) {
    spell_numbers(piece, a);
  } else {
    for (std::size_t i = 0; i < a.length && piece.width <= room_.alone; i++) {
      pool_ += ' ';
      // What takes one row stands on the row of its list, anything else in a box.
      const Within within(*this, std::max<std::size_t>(less(room_.rows, grid_top), 1),
                          less(room_.alone, piece.width + grid_left));
      Piece p = format_element(a, i, i);
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
    const std::size_t count = pieces.size();
    piece = grid_box(cx_.heap, a.rank(), RowAxes(a).within(1, count), std::move(pieces), {}, pool_);
  }
  pending_.resize(first);
  return piece;
}

void Formatter::spell_numbers(Piece& piece, const Array& a) {
  constexpr std::size_t usual_bytes = 5;
  pool_.reserve(pool_.size() + std::min(a.length, room_.alone) * usual_bytes);
  char buffer[max_number_bytes + 1] = " ";
  for (std::size_t i = 0; i < a.length && piece.width <= room_.alone; i++) {
    NumberText text = write_number(buffer + 1, number_at(a, i));
    pool_.append(buffer, text.end);
    growing_.takes(pool_);
    piece.width += text.width + 1;
  }
}

Piece Formatter::format_element(const Array& a, std::size_t index, std::size_t column) {
  if (!columns_.empty()) {
    const TextStyle before = style_;
    const std::span<const TextStyle> columns = std::exchange(columns_, {});
    if (column < columns.size()) style_ = columns[column];
    Piece piece = format_element(a, index, column);
    style_ = before;
    columns_ = columns;
    return piece;
  }
  return a.type() == ElementType::boxed ? format(a.boxes()[index]) : format_number(number_at(a, index));
}

Piece Formatter::format_grid(const Array& a) {
  if (limited_) return format_part_of_grid(a);
  HeapVector<Piece> pieces(cx_.heap);
  pieces.reserve(a.length);
  const std::size_t columns = RowAxes(a).columns();
  for (std::size_t i = 0; i < a.length; i++) pieces.push_back(format_element(a, i, i % columns));
  return grid_box(cx_.heap, a.rank(), RowAxes(a), std::move(pieces), {}, pool_);
}

// Goes down each column until the rows are full, and from one column to the next until these are. So what is formatted takes
// about the room there is, whatever elements hold.
Piece Formatter::format_part_of_grid(const Array& a) {
  const RowAxes axes(a);
  const std::size_t most_rows = less(room_.rows, grid_top), most_columns = room_.columns;
  HeapVector<std::size_t> heights(cx_.heap), widths(cx_.heap);
  HeapVector<HeapVector<Piece>> columns(cx_.heap);
  std::size_t rows = axes.rows(), across = grid_left;  // where the next column begins, behind a blank
  for (std::size_t c = 0; c < axes.columns() && (c == 0 || across - 1 <= most_columns); c++) {
    HeapVector<Piece>& column = columns.emplace_back(cx_.heap);
    std::size_t width = 0, down = 0;
    for (std::size_t row = 0; row < rows; row++) {
      down += axes.gap_before(row);
      // One row more shows that there are more.
      if (down > most_rows) rows = row;
      if (row == rows) break;
      const Within within(*this, less(most_rows, down), less(most_columns, across));
      Piece p = format_element(a, axes.index(row, c), c);
      if (row == heights.size()) heights.push_back(1);
      heights[row] = std::max(heights[row], p.height);
      width = std::max(width, p.width);
      down += heights[row];
      column.push_back(std::move(p));
    }
    widths.push_back(width);
    across += width + 1;
  }
  leaves_out_ |= rows < axes.rows() || columns.size() < axes.columns();
  HeapVector<Piece> pieces(cx_.heap);
  for (std::size_t row = 0; row < rows; row++)
    for (HeapVector<Piece>& column : columns) pieces.push_back(std::move(column[row]));
  return grid_box(cx_.heap, a.rank(), axes.within(rows, columns.size()), std::move(pieces), widths, pool_);
}

Piece Formatter::format_operation(const Value& v) {
  std::size_t start = pool_.size();
  most_bytes_ = most_bytes();
  write(v);
  return literal(start, true);
}

Piece Formatter::format_namespace(const Namespace& n) {
  std::size_t start = pool_.size();
  pool_ += '{';
  bool first = true;
  for (const FieldTable::Field& field : n.table->fields) {
    if (pool_.size() - start > most_bytes()) break;
    if (!first) pool_ += "‿";
    first = false;
    pool_ += field.name;
  }
  pool_ += "⇐}";
  return literal(start, false);
}

void Formatter::write_data(const Value& v) {
  std::size_t start = pool_.size();
  TextSink* const sink = std::exchange(sink_, nullptr);  // an operation is written as a whole
  const Piece piece = format(v);
  sink_ = sink;
  if (!piece.box) return;
  pool_.resize(start);
  pool_ += "*array*";
}

}  // namespace

std::string brief_text(Context& cx, const Value& v) {
  constexpr TextRoom room = {.rows = 24, .columns = 160, .alone = 4096};
  return std::string(text_within(cx, v, room));
}

HeapText text_within(Context& cx, const Value& v, const TextRoom& room, bool* is_whole, const TextStyles& styles) {
  bool whole = true;
  HeapText text = styles.plain    ? plain_text(cx, v, room, styles, whole)
                  : room.is_all() ? Formatter(cx, room, styles).text(v)
                                  : Formatter(cx, room, styles).text_within(v, whole);
  if (is_whole != nullptr) *is_whole = whole;
  return text;
}

void text_in_pieces(Context& cx, const Value& v, const TextStyle& style, TextTaker take, void* data) {
  TextSink sink(cx, take, data);
  try {
    Formatter(cx, {}, {style}).text_in_pieces(v, sink);
  } catch (const EnoughText&) {
  }
}

HeapText display_text(Context& cx, const Value& v) {
  if (v.is_number()) {
    char buffer[max_number_bytes];
    return HeapText(buffer, write_number(buffer, v.number()).end, cx.heap);
  }
  return Formatter(cx).text(v);
}

}  // namespace griddle
