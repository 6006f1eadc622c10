#include "runtime/format/box.h"

#include <algorithm>

#include "runtime/format/pieces.h"
#include "runtime/text_width.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

// Most are none, or one.
void blanks(HeapText& out, std::size_t count) {
  if (count == 1)
    out.push_back(' ');
  else if (count != 0)
    out.append(count, ' ');
}

void top_row(HeapText& out, unsigned rank, std::size_t width) {
  append_frame_top(out, rank);
  blanks(out, width - frame_top_width(rank));
}

void bottom_row(HeapText& out, std::size_t width) {
  blanks(out, width - 1);
  out += "┘";
}

// A rank-2 array of rows without columns.
class HollowBox final : public Box {
 public:
  explicit HollowBox(std::size_t rows) : rows_(rows) {}
  static constexpr std::size_t width = 2;

  void next_row(Context&, const HeapText&, HeapText& out) override {
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
  CharacterBox(Piece& piece, const Array& a, const RowAxes& axes, TextSink* sink)
      : array_(a),
        axes_(axes),
        sink_(sink),
        quote_(a.rank() == 0 ? '\'' : '"'),
        width_(a.type() == ElementType::c8 ? axes_.columns() : 0) {
    if (a.type() != ElementType::c8)
      for (std::size_t row = 0; row < axes_.rows(); row++) width_ = std::max(width_, row_width(row));
    piece.width = width_ + 4;
    piece.height = 2;
    for (std::size_t row = 0; row < axes_.rows(); row++) piece.height += 1 + axes_.gap_before(row);
  }

  void next_row(Context&, const HeapText&, HeapText& out) override {
    std::size_t columns = axes_.columns();
    if (!started_) {
      started_ = true;
      append_frame_top(out, array_.rank());
      return fill(out, width_ + 4 - frame_top_width(array_.rank()));
    }
    if (row_ == axes_.rows()) {
      fill(out, width_ + 3);
      out += "┘";
      return;
    }
    if (gap_) {
      gap_--;
      return fill(out, width_ + 4);
    }
    out += row_ == 0 ? frame_left_mark(array_.rank()) : " ";
    if (row_ == 0)
      out += quote_;
    else
      out += axes_.gap_before(row_) ? "·" : " ";
    constexpr std::size_t step = 4096;
    for (std::size_t i = axes_.index(row_, 0), end = i + columns; i < end;) {
      for (const std::size_t pause = std::min(end, i + step); i < pause; i++) append_visible(out, character(i));
      if (sink_ != nullptr) sink_->flush(out);
    }
    const std::size_t missing = width_ - (array_.type() == ElementType::c8 ? columns : row_width(row_));
    row_++;
    if (row_ == axes_.rows()) {
      out += quote_;
    } else {
      out += ' ';
      gap_ = axes_.gap_before(row_);
    }
    fill(out, missing + 1);
  }

 private:
  void fill(HeapText& out, std::size_t count) const { sink_ != nullptr ? sink_->blanks(out, count) : blanks(out, count); }
  // Gives the columns of a row, which characters may have more or less of than one each.
  std::size_t row_width(std::size_t row) const {
    TextColumns columns;
    std::size_t sum = 0;
    for (std::size_t i = axes_.index(row, 0), end = i + axes_.columns(); i < end; i++) sum += columns.add(character(i));
    return sum;
  }
  char32_t character(std::size_t i) const {
    return array_.type() == ElementType::boxed ? array_.boxes()[i].character() : character_at(array_, i);
  }
  // Spells controls as the pictures that Unicode has for them.
  static void append_visible(HeapText& out, char32_t c) {
    constexpr char32_t picture_of_nul = 0x2400, picture_of_delete = 0x2421, delete_control = 0x7F;
    if (c < ' ')
      c += picture_of_nul;
    else if (c == delete_control)
      c = picture_of_delete;
    append_utf8(out, c);
  }

  const Array& array_;
  RowAxes axes_;
  TextSink* sink_;  // takes long rows in parts; may be null
  char quote_;
  std::size_t width_;  // of the widest row
  bool started_ = false;
  std::size_t row_ = 0;
  std::size_t gap_ = 0;
};

// Elements in rows and columns.
class GridBox final : public Box {
 public:
  GridBox(Piece& piece, unsigned rank, const RowAxes& axes, HeapVector<Piece> pieces, std::span<const std::size_t> widths,
          const HeapText& pool)
      : rank_(rank), axes_(axes), pieces_(std::move(pieces)), columns_(pieces_.get_allocator()) {
    std::size_t columns = axes_.columns();
    columns_.resize(columns);
    width_ = columns - 1 + 4;
    for (std::size_t c = 0; c < columns; c++) {
      for (std::size_t i = c; i < pieces_.size(); i += columns) columns_[c].add(pieces_[i], pool);
      columns_[c].settle(c < widths.size() ? widths[c] : 0);
      width_ += columns_[c].width();
    }
    piece.width = width_;
    piece.height = 2;
    for (std::size_t row = 0; row < axes_.rows(); row++) piece.height += row_height(row) + axes_.gap_before(row);
  }

  void next_row(Context& cx, const HeapText& pool, HeapText& out) override {
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
    out += row_ == 0 && inner_ == 0 ? frame_left_mark(rank_) : " ";
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
  std::size_t row_height(std::size_t row) const {
    std::size_t height = 1;
    for (std::size_t i = row * columns_.size(); i < (row + 1) * columns_.size(); i++)
      height = std::max(height, pieces_[i].height);
    return height;
  }

  void cell(Context& cx, const HeapText& pool, HeapText& out, const Piece& p, const GridColumn& column) const {
    if (inner_ >= p.height) return blanks(out, column.width());
    const std::size_t before = column.before(p);
    blanks(out, before);
    if (p.box)
      p.box->next_row(cx, pool, out);
    else
      out.append(pool, p.offset, p.bytes);
    blanks(out, column.width() - before - p.width);
  }

  unsigned rank_;
  RowAxes axes_;
  HeapVector<Piece> pieces_;
  HeapVector<GridColumn> columns_;
  std::size_t width_;
  bool started_ = false;
  std::size_t row_ = 0;
  std::size_t inner_ = 0;
  std::size_t height_ = 0;
  std::size_t gap_ = 0;
};

}  // namespace

void append_frame_top(HeapText& out, unsigned rank) {
  out += "┌";
  if (rank == 0)
    out += "·";
  else if (rank <= 5)
    out += "─";
  else
    out += std::to_string(rank);
}
std::size_t frame_top_width(unsigned rank) { return rank <= 5 ? 2 : 1 + std::to_string(rank).size(); }
const char* frame_left_mark(unsigned rank) {
  constexpr const char* marks[] = {"·", "·", "╵", "╎", "┆", "┊"};
  return marks[rank < 5 ? rank : 5];
}

void GridColumn::add(const Piece& p, const HeapText& pool) {
  width_ = std::max(width_, p.width);
  if (!any_) {
    any_ = true;
    style_ = p.align;
    exponent_bytes_ = static_cast<std::uint8_t>(std::min<std::size_t>(p.exponent, sizeof exponent_));
    std::copy_n(pool.data() + p.offset + p.bytes - p.exponent, exponent_bytes_, exponent_);
  }
  numbers_ &= p.is_number;
  if (!numbers_) return;
  lead_ = std::max<std::size_t>(lead_, p.lead);
  tail_ = std::max(tail_, p.width - p.lead);
  same_exponent_ = same_exponent_ && p.exponent == exponent_bytes_ &&
                   std::equal(exponent_, exponent_ + exponent_bytes_, pool.data() + p.offset + p.bytes - p.exponent);
}

void GridColumn::settle(std::size_t least_width) {
  switch (style_) {
    case TextAlign::left: align_ = Align::left; break;
    case TextAlign::right: align_ = Align::right; break;
    case TextAlign::center: align_ = Align::center; break;
    case TextAlign::usual: align_ = !numbers_ ? Align::left : same_exponent_ ? Align::point : Align::right;
  }
  if (align_ == Align::point) width_ = lead_ + tail_;
  width_ = std::max(width_, least_width);
}

RowAxes RowAxes::within(std::size_t rows, std::size_t columns) const {
  RowAxes part = *this;
  part.rows_ = std::min(rows_, rows);
  part.columns_ = std::min(columns_, columns);
  return part;
}

std::size_t RowAxes::gap_before(std::size_t row) const {
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

void DropBox::operator()(Box* box) const noexcept {
  void* const memory = dynamic_cast<void*>(box);
  box->~Box();
  Heap::free(memory);
}

Piece hollow_box(Heap& heap, std::size_t rows) {
  Piece piece;
  piece.width = HollowBox::width;
  piece.height = rows + 2;
  piece.box = make_box<HollowBox>(heap, rows);
  return piece;
}

Piece character_box(Heap& heap, const Array& a, const RowAxes& axes, TextSink* sink) {
  Piece piece;
  piece.box = make_box<CharacterBox>(heap, piece, a, axes, sink);
  return piece;
}

Piece grid_box(Heap& heap, unsigned rank, const RowAxes& axes, HeapVector<Piece> pieces, std::span<const std::size_t> widths,
               const HeapText& pool) {
  Piece piece;
  piece.box = make_box<GridBox>(heap, piece, rank, axes, std::move(pieces), widths, pool);
  return piece;
}

}  // namespace griddle
