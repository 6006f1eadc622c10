#include "runtime/format/pieces.h"

#include <algorithm>
#include <utility>

#include "runtime/text_width.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

constexpr std::size_t most_small = 4096;  // elements of what is spelled as a whole

// Counts elements, also those of elements, until there are too many.
bool counts_up(const Array& a, std::size_t& left) {
  if (a.length > left) return true;
  left -= a.length;
  if (a.type() != ElementType::boxed) return false;
  for (const Value& v : a.boxes())
    if (v.is_array() && counts_up(v.array(), left)) return true;
  return false;
}

// A list on one row.
class LargeRow final : public Box {
 public:
  LargeRow(Context&, TextSink& sink, const Array& a, OwnSpeller speller) : sink_(sink), array_(a), speller_(std::move(speller)) {}

  void next_row(Context& cx, const HeapText&, HeapText& out) override {
    out += open_bracket;
    for (std::size_t i = 0; i < array_.length; i++) {
      cx.check_interrupt();
      out += ' ';
      const Piece p = speller_->element(array_, i);
      if (p.box)
        p.box->next_row(cx, speller_->pool(), out);
      else
        out.append(speller_->pool(), p.offset, p.bytes);
      speller_->forget();
      sink_.flush(out);
    }
    (out += ' ') += close_bracket;
  }

 private:
  TextSink& sink_;
  const Array& array_;
  OwnSpeller speller_;
};

class LargeString final : public Box {
 public:
  LargeString(Context&, TextSink& sink, const Array& a) : sink_(sink), array_(a) {}

  void next_row(Context& cx, const HeapText&, HeapText& out) override {
    constexpr std::size_t step = 4096;
    out += '"';
    for (std::size_t i = 0; i < array_.length; i++) {
      const char32_t c = character_at(array_, i);
      if (c == '"') out += '"';
      append_utf8(out, c);
      if (i % step != 0) continue;
      cx.check_interrupt();
      sink_.flush(out);
    }
    out += '"';
  }

 private:
  TextSink& sink_;
  const Array& array_;
};

// Elements in rows and columns. Of the rows of text that a row of elements takes, the elements are kept meanwhile where they are
// not many; else they are spelled for each of them.
class LargeGrid final : public Box {
 public:
  LargeGrid(Context& cx, Piece& piece, TextSink& sink, const Array& a, OwnSpeller speller)
      : sink_(sink), array_(a), axes_(a), speller_(std::move(speller)), columns_(cx.heap), pieces_(cx.heap), heights_(cx.heap) {
    width_ = axes_.columns() - 1 + 4;
    // Of columns beyond number, some at a time are measured, whenever they are written.
    heights_.resize(is_measured_once() ? 0 : axes_.rows(), 1);
    piece.height = 2;
    for (std::size_t c = 0; c < axes_.columns(); c += most_columns) {
      const std::size_t height = measure(cx, c);
      if (is_measured_once()) piece.height += height;
      for (const GridColumn& column : columns_) width_ += column.width();
    }
    for (const std::size_t height : heights_) piece.height += height;
    for (std::size_t row = 0; row < axes_.rows(); row++) piece.height += axes_.gap_before(row);
    piece.width = width_;
  }

  void next_row(Context& cx, const HeapText&, HeapText& out) override {
    cx.check_stack();
    if (!started_) {
      started_ = true;
      load(cx);
      append_frame_top(out, array_.rank());
      return sink_.blanks(out, width_ - frame_top_width(array_.rank()));
    }
    if (row_ == axes_.rows()) {
      sink_.blanks(out, width_ - 1);
      out += "┘";
      return;
    }
    if (gap_ > 0) {
      gap_--;
      return sink_.blanks(out, width_);
    }
    out += row_ == 0 && inner_ == 0 ? frame_left_mark(array_.rank()) : " ";
    out += ' ';
    for (std::size_t c = 0; c < axes_.columns(); c++) {
      if (c > 0) out += ' ';
      cell(cx, c, out);
      sink_.flush(out);
    }
    out += "  ";
    if (++inner_ < height_) return;
    inner_ = 0;
    row_++;
    if (row_ == axes_.rows()) return;
    gap_ = axes_.gap_before(row_);
    load(cx);
  }

 private:
  static constexpr std::size_t most_columns = 100'000, most_pieces = 10'000, most_pool = std::size_t{512} << 10;
  bool is_measured_once() const { return axes_.columns() <= most_columns; }

  // Measures columns from one on. Gives the heights of all rows together; notes them, where columns come in several parts.
  std::size_t measure(Context& cx, std::size_t first) {
    first_column_ = first;
    columns_.clear();
    columns_.resize(std::min(most_columns, axes_.columns() - first));
    std::size_t all = 0;
    for (std::size_t row = 0; row < axes_.rows(); row++) {
      std::size_t height = 1;
      for (std::size_t c = 0; c < columns_.size(); c++) {
        cx.check_interrupt();
        const Piece p = speller_->element(array_, axes_.index(row, first + c));
        columns_[c].add(p, speller_->pool());
        height = std::max(height, p.height);
        speller_->forget();
      }
      all += height;
      if (!heights_.empty()) heights_[row] = std::max(heights_[row], height);
    }
    for (GridColumn& column : columns_) column.settle();
    return all;
  }

  // Spells the elements of the next row, and keeps them where they are not many.
  void load(Context& cx) {
    pieces_.clear();
    speller_->forget();
    height_ = 1;
    bool keeps = axes_.columns() <= most_pieces;
    for (std::size_t c = 0; c < axes_.columns(); c++) {
      cx.check_interrupt();
      Piece p = speller_->element(array_, axes_.index(row_, c));
      height_ = std::max(height_, p.height);
      if (keeps && speller_->pool().size() > most_pool) {
        keeps = false;
        pieces_.clear();
      }
      if (keeps)
        pieces_.push_back(std::move(p));
      else
        speller_->forget();
    }
  }

  void cell(Context& cx, std::size_t c, HeapText& out) {
    if (c < first_column_ || c - first_column_ >= columns_.size()) measure(cx, c / most_columns * most_columns);
    const GridColumn& column = columns_[c - first_column_];
    if (!pieces_.empty()) return write(cx, pieces_[c], column, out);
    cx.check_interrupt();
    const Piece p = speller_->element(array_, axes_.index(row_, c));
    if (p.box && inner_ < p.height) {
      HeapText skipped(cx.heap);
      for (std::size_t row = 0; row < inner_; row++) {
        p.box->next_row(cx, speller_->pool(), skipped);
        skipped.clear();
      }
    }
    write(cx, p, column, out);
    speller_->forget();
  }
  void write(Context& cx, const Piece& p, const GridColumn& column, HeapText& out) {
    if (inner_ >= p.height) return sink_.blanks(out, column.width());
    const std::size_t before = column.before(p);
    sink_.blanks(out, before);
    if (p.box)
      p.box->next_row(cx, speller_->pool(), out);
    else
      out.append(speller_->pool(), p.offset, p.bytes);
    sink_.blanks(out, column.width() - before - p.width);
  }

  TextSink& sink_;
  const Array& array_;
  RowAxes axes_;
  OwnSpeller speller_;
  HeapVector<GridColumn> columns_;  // from first_column_ on
  std::size_t first_column_ = 0;
  HeapVector<Piece> pieces_;  // of the row; none where they are too many
  HeapVector<std::size_t> heights_;
  std::size_t width_;
  bool started_ = false;
  std::size_t row_ = 0, inner_ = 0, height_ = 0, gap_ = 0;
};

}  // namespace

void TextSink::hand_over() {
  cx_.check_interrupt();
  if (text.empty()) return;
  if (!take_(data_, text)) throw EnoughText();
  text.clear();
}

void TextSink::blanks(HeapText& out, std::size_t count) {
  for (; count > much; count -= much) {
    out.append(much, ' ');
    flush(out);
  }
  out.append(count, ' ');
}

void DropSpeller::operator()(Speller* speller) const noexcept {
  void* const memory = dynamic_cast<void*>(speller);
  speller->~Speller();
  Heap::free(memory);
}

bool is_large(const Array& a) {
  std::size_t left = most_small;
  return counts_up(a, left);
}
bool is_large(const Value& v) { return v.is_array() && is_large(v.array()); }

Piece large_list(Context& cx, TextSink& sink, const Array& a, OwnSpeller speller) {
  Piece piece;
  piece.bracket(1);
  bool one_row = true;
  for (std::size_t i = 0; i < a.length && one_row; i++) {
    cx.check_interrupt();
    const Piece p = speller->element(a, i);
    one_row = !p.box || p.is_row;
    piece.width += p.width + 1;
    piece.append_brackets(p);
    speller->forget();
  }
  piece.bracket(-1);
  piece.width += 3;
  if (!one_row || piece.peak > deepest_brackets) return large_grid(cx, sink, a, std::move(speller));
  piece.is_row = true;
  piece.box = make_box<LargeRow>(cx.heap, cx, sink, a, std::move(speller));
  return piece;
}

Piece large_string(Context& cx, TextSink& sink, const Array& a) {
  Piece piece;
  TextColumns columns;
  piece.width = 2;
  for (std::size_t i = 0; i < a.length; i++) {
    const char32_t c = character_at(a, i);
    piece.width += columns.add(c) + (c == '"');
    if (c == U'⟨') piece.bracket(1);
    if (c == U'⟩') piece.bracket(-1);
  }
  piece.is_row = true;
  piece.box = make_box<LargeString>(cx.heap, cx, sink, a);
  return piece;
}

Piece large_grid(Context& cx, TextSink& sink, const Array& a, OwnSpeller speller) {
  Piece piece;
  piece.box = make_box<LargeGrid>(cx.heap, cx, piece, sink, a, std::move(speller));
  return piece;
}

}  // namespace griddle
