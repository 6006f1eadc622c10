// Display. Elements are spelled into one pool of text; what fits on one row stays there as a stretch of the pool, the rest
// becomes boxes that know where their parts go. The rows of the outermost box are then written from top to bottom, so that the
// work is in proportion to the text.
#include "runtime/format/format.h"

#include <exception>
#include <memory>
#include <vector>

#include "runtime/format/number.h"
#include "runtime/format/operation.h"
#include "runtime/primitive.h"
#include "runtime/value/namespace.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

constexpr std::string_view open_bracket = "⟨";
constexpr std::string_view close_bracket = "⟩";
constexpr std::ptrdiff_t deepest_brackets = 2;

struct Box;

// One formatted element: a stretch of the pool (one row), or a box.
struct Piece {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::unique_ptr<Box> box;
  // The greatest and the last number of brackets open after each character.
  std::ptrdiff_t peak = 0;
  std::ptrdiff_t balance = 0;
  bool is_number = false;
  unsigned lead = 0;
  unsigned exponent = 0;

  void bracket(std::ptrdiff_t step) {
    balance += step;
    if (balance > peak) peak = balance;
  }
  void append_brackets(const Piece& p) {
    if (balance + p.peak > peak) peak = balance + p.peak;
    balance += p.balance;
  }
};

void blanks(std::string& out, std::size_t count) { out.append(count, ' '); }

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) count += !continues_utf8(c);
  return count;
}

// Anything that takes several rows. Rows are asked for once each, from the top.
struct Box {
  virtual ~Box() = default;
  virtual void next_row(Context&, const std::string& pool, std::string& out) = 0;
};

// Writes the top row of a frame: its corner and what the rank needs beyond the left mark.
void top_row(std::string& out, unsigned rank, std::size_t width) {
  std::size_t used = 2;
  out += "┌";
  if (rank == 0) {
    out += "·";
  } else if (rank <= 5) {
    out += "─";
  } else {
    std::string digits = std::to_string(rank);
    out += digits;
    used = 1 + digits.size();
  }
  blanks(out, width - used);
}

void bottom_row(std::string& out, std::size_t width) {
  blanks(out, width - 1);
  out += "┘";
}

const char* left_mark(unsigned rank) {
  constexpr const char* marks[] = {"·", "·", "╵", "╎", "┆", "┊"};
  return marks[rank < 5 ? rank : 5];
}

// Steps through the rows of an array whose last axis runs across and the others down.
class RowAxes {
 public:
  explicit RowAxes(const Array& a) : shape_(a.shape()) {
    rows_ = 1;
    for (std::size_t axis = 0; axis + 1 < shape_.size(); axis++) rows_ *= shape_[axis];
  }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return shape_.empty() ? 1 : shape_.back(); }
  // Gives the number of blank rows above a row: one where a 2-cell begins, two where a 3-cell does ...
  std::size_t gap_before(std::size_t row) const {
    std::size_t gap = 0;
    if (row == 0) return 0;
    std::size_t cell = 1;
    for (std::size_t axis = shape_.size(); axis-- > 2;) {
      cell *= shape_[axis - 1];
      if (row % cell) break;
      gap++;
    }
    return gap;
  }

 private:
  std::span<const std::size_t> shape_;
  std::size_t rows_;
};

// A rank-2 array of rows without columns.
class HollowBox final : public Box {
 public:
  explicit HollowBox(std::size_t rows) : rows_(rows) {}
  static constexpr std::size_t width = 2;

  void next_row(Context&, const std::string&, std::string& out) override {
    std::size_t row = next_++;
    if (row == 0)
      out += "┌┐";
    else if (row == rows_ + 1)
      out += rows_ == 0 ? "└┘" : " ┘";
    else
      out += row == 1 ? "╵ " : "  ";
  }

 private:
  std::size_t rows_;
  std::size_t next_ = 0;
};

// Characters in rows, quoted at both ends.
class CharacterBox final : public Box {
 public:
  explicit CharacterBox(Piece& piece, const Array& a) : array_(a), axes_(a), quote_(a.rank() == 0 ? '\'' : '"') {
    piece.width = axes_.columns() + 4;
    piece.height = 2;
    for (std::size_t row = 0; row < axes_.rows(); row++) piece.height += 1 + axes_.gap_before(row);
  }

  void next_row(Context&, const std::string&, std::string& out) override {
    std::size_t columns = axes_.columns();
    if (!started_) {
      started_ = true;
      return top_row(out, array_.rank(), columns + 4);
    }
    if (row_ == axes_.rows()) return bottom_row(out, columns + 4);
    if (gap_) {
      gap_--;
      return blanks(out, columns + 4);
    }
    out += row_ == 0 ? left_mark(array_.rank()) : " ";
    if (row_ == 0)
      out += quote_;
    else
      out += axes_.gap_before(row_) ? "·" : " ";
    for (std::size_t i = row_ * columns; i < (row_ + 1) * columns; i++) append_visible(out, character(i));
    row_++;
    if (row_ == axes_.rows()) {
      out += quote_;
    } else {
      out += ' ';
      gap_ = axes_.gap_before(row_);
    }
    out += ' ';
  }

 private:
  char32_t character(std::size_t i) const {
    return array_.type() == ElementType::boxed ? array_.boxes()[i].character() : character_at(array_, i);
  }
  // Spells controls as the pictures that Unicode has for them.
  static void append_visible(std::string& out, char32_t c) {
    constexpr char32_t picture_of_nul = 0x2400, picture_of_delete = 0x2421, delete_control = 0x7F;
    if (c < ' ')
      c += picture_of_nul;
    else if (c == delete_control)
      c = picture_of_delete;
    append_utf8(out, c);
  }

  const Array& array_;
  RowAxes axes_;
  char quote_;
  bool started_ = false;
  std::size_t row_ = 0;
  std::size_t gap_ = 0;
};

// Elements in rows and columns.
class GridBox final : public Box {
 public:
  GridBox(Piece& piece, const Array& a, std::vector<Piece> pieces, const std::string& pool)
      : rank_(a.rank()), axes_(a), pieces_(std::move(pieces)) {
    std::size_t columns = axes_.columns();
    columns_.resize(columns);
    width_ = columns - 1 + 4;
    for (std::size_t c = 0; c < columns; c++) {
      columns_[c] = measure_column(c, pool);
      width_ += columns_[c].width;
    }
    piece.width = width_;
    piece.height = 2;
    for (std::size_t row = 0; row < axes_.rows(); row++) piece.height += row_height(row) + axes_.gap_before(row);
  }

  void next_row(Context& cx, const std::string& pool, std::string& out) override {
    cx.check_stack();
    if (!started_) {
      started_ = true;
      height_ = row_height(0);
      return top_row(out, rank_, width_);
    }
    if (row_ == axes_.rows()) {
      cx.check_interrupt();
      return bottom_row(out, width_);
    }
    if (gap_) {
      gap_--;
      return blanks(out, width_);
    }
    out += row_ == 0 && inner_ == 0 ? left_mark(rank_) : " ";
    out += ' ';
    for (std::size_t c = 0; c < columns_.size(); c++) {
      if (c) out += ' ';
      cell(cx, pool, out, pieces_[row_ * columns_.size() + c], columns_[c]);
    }
    out += "  ";
    if (++inner_ < height_) return;
    inner_ = 0;
    row_++;
    if (row_ < axes_.rows()) {
      gap_ = axes_.gap_before(row_);
      height_ = row_height(row_);
    }
  }

 private:
  enum class Align : std::uint8_t { left, right, point };
  struct Column {
    std::size_t width = 0;
    std::size_t lead = 0;  // widest lead, where points are aligned
    Align align = Align::left;
  };

  Column measure_column(std::size_t c, const std::string& pool) const {
    Column column;
    std::size_t lead = 0, tail = 0;
    bool numbers = true, same_exponent = true;
    const Piece& first = pieces_[c];
    for (std::size_t i = c; i < pieces_.size(); i += columns_.size()) {
      const Piece& p = pieces_[i];
      column.width = std::max(column.width, p.width);
      numbers &= p.is_number;
      if (!numbers) continue;
      lead = std::max<std::size_t>(lead, p.lead);
      tail = std::max(tail, p.width - p.lead);
      same_exponent = same_exponent && exponent_of(p, pool) == exponent_of(first, pool);
    }
    if (!numbers) return column;
    column.align = same_exponent ? Align::point : Align::right;
    if (same_exponent) {
      column.lead = lead;
      column.width = lead + tail;
    }
    return column;
  }
  static std::string_view exponent_of(const Piece& p, const std::string& pool) {
    return std::string_view(pool).substr(p.offset + p.bytes - p.exponent, p.exponent);
  }

  std::size_t row_height(std::size_t row) const {
    std::size_t height = 1;
    for (std::size_t i = row * columns_.size(); i < (row + 1) * columns_.size(); i++)
      height = std::max(height, pieces_[i].height);
    return height;
  }

  void cell(Context& cx, const std::string& pool, std::string& out, const Piece& p, const Column& column) const {
    if (inner_ >= p.height) return blanks(out, column.width);
    std::size_t before = column.align == Align::point   ? column.lead - p.lead
                         : column.align == Align::right ? column.width - p.width
                                                        : 0;
    blanks(out, before);
    if (p.box)
      p.box->next_row(cx, pool, out);
    else
      out.append(pool, p.offset, p.bytes);
    blanks(out, column.width - before - p.width);
  }

  unsigned rank_;
  RowAxes axes_;
  std::vector<Piece> pieces_;
  std::vector<Column> columns_;
  std::size_t width_;
  bool started_ = false;
  std::size_t row_ = 0;
  std::size_t inner_ = 0;
  std::size_t height_ = 0;
  std::size_t gap_ = 0;
};

bool only_characters(const Array& a) {
  if (a.type() != ElementType::boxed) return is_character(a.type());
  for (const Value& v : a.boxes())
    if (!v.is_character()) return false;
  return true;
}

class Formatter final : OperationWriter {
 public:
  explicit Formatter(Context& cx) : OperationWriter(cx, pool_) {}
  std::string text(const Value&);

 private:
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
  void write_block(const char* kind) override { pool_ = pool_ + "(" + kind + " block)"; }
  void write_name(const char* name) override { pool_ += name; }

  std::string pool_;
  std::vector<Piece> pending_;
};

std::string Formatter::text(const Value& v) {
  Piece piece = format(v);
  if (!piece.box) return std::move(pool_);
  // Deep values have as many rows as columns: soon more than any memory holds.
  const std::size_t bytes = piece.height * (piece.width + 1);
  cx_.heap.check_limit(bytes);
  std::string out;
  try {
    out.reserve(bytes);
  } catch (const std::exception&) {
    throw OutOfMemory(bytes);
  }
  for (std::size_t row = 0; row < piece.height; row++) {
    if (row) out += '\n';
    piece.box->next_row(cx_, pool_, out);
  }
  return out;
}

Piece Formatter::literal(std::size_t start, bool may_hold_brackets) const {
  Piece piece;
  piece.offset = start;
  piece.bytes = pool_.size() - start;
  std::string_view text = std::string_view(pool_).substr(start);
  piece.width = characters_in(text);
  if (!may_hold_brackets) return piece;
  for (std::size_t i = text.find('\xE2'); i != text.npos; i = text.find('\xE2', i + 1)) {
    if (text.substr(i, 3) == open_bracket) piece.bracket(1);
    if (text.substr(i, 3) == close_bracket) piece.bracket(-1);
  }
  return piece;
}

Piece Formatter::format(const Value& v) {
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
  return piece;
}

Piece Formatter::format_array(const Array& a) {
  cx_.check_stack();
  if (a.length == 0) return format_empty(a);
  if (!only_characters(a)) return a.is_list() ? format_list(a) : format_grid(a);
  if (a.is_list()) {
    std::size_t start = pool_.size();
    append_string_literal(pool_, a);
    return literal(start, a.type() != ElementType::c8);
  }
  Piece piece;
  piece.box = std::make_unique<CharacterBox>(piece, a);
  return piece;
}

Piece Formatter::format_empty(const Array& a) {
  std::size_t start = pool_.size();
  if (a.is_list()) {
    pool_ += open_bracket;
    pool_ += close_bracket;
  } else if (a.rank() == 2 && a.shape()[1] == 0) {
    Piece piece;
    piece.width = HollowBox::width;
    piece.height = a.shape()[0] + 2;
    piece.box = std::make_unique<HollowBox>(a.shape()[0]);
    return piece;
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
    std::vector<Piece> pieces(std::make_move_iterator(pending_.begin() + first), std::make_move_iterator(pending_.end()));
    piece = {};
    piece.box = std::make_unique<GridBox>(piece, a, std::move(pieces), pool_);
  }
  pending_.resize(first);
  return piece;
}

void Formatter::spell_numbers(Piece& piece, const Array& a) {
  constexpr std::size_t usual_bytes = 5;
  pool_.reserve(pool_.size() + a.length * usual_bytes);
  char buffer[max_number_bytes + 1] = " ";
  for (std::size_t i = 0; i < a.length; i++) {
    NumberText text = write_number(buffer + 1, number_at(a, i));
    pool_.append(buffer, text.end);
    piece.width += text.width + 1;
  }
}

Piece Formatter::format_grid(const Array& a) {
  std::vector<Piece> pieces;
  pieces.reserve(a.length);
  for (std::size_t i = 0; i < a.length; i++)
    pieces.push_back(a.type() == ElementType::boxed ? format(a.boxes()[i]) : format_number(number_at(a, i)));
  Piece piece;
  piece.box = std::make_unique<GridBox>(piece, a, std::move(pieces), pool_);
  return piece;
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

std::string display_text(Context& cx, const Value& v) {
  if (v.is_number()) {
    char buffer[max_number_bytes];
    return std::string(buffer, write_number(buffer, v.number()).end);
  }
  return Formatter(cx).text(v);
}

}  // namespace griddle
