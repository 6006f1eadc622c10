#include "runtime/format/plain.h"

#include <algorithm>

#include "runtime/format/box.h"
#include "runtime/format/shorten.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

constexpr std::size_t gap_between_columns = 2;

bool is_text(const Value& v) {
  return v.is_character() || (v.is_array() && v.array().is_list() && v.array().length > 0 && is_character(v.array().type()));
}

std::size_t width_of(std::string_view line) {
  std::size_t count = 0;
  for (const char c : line) count += !continues_utf8(c);
  return count;
}

// Calls f with each line of a text.
template <class F>
void each_line(std::string_view text, F f) {
  for (std::size_t start = 0, end; start <= text.size(); start = end + 1) {
    end = std::min(text.find('\n', start), text.size());
    f(text.substr(start, end - start));
  }
}

struct Cell {
  HeapText text;
  std::size_t width = 0, height = 0;
  std::size_t after_point = 0;  // of a number: what stands behind the whole part
  bool is_number = false;
};

// The text of an element, before it is put in its place.
Cell cell_of(Context& cx, const Value& v, const TextRoom& room, const TextStyle& style) {
  Cell cell{HeapText(cx.heap)};
  cell.is_number = v.is_number();
  if (v.is_number()) {
    char digits[max_styled_bytes];
    const NumberText number = write_number(digits, v.number(), style);
    cell.text.append(digits, number.end);
    cell.after_point = number.width - number.lead;
  } else if (v.is_character()) {
    append_utf8(cell.text, v.character());
  } else if (is_text(v)) {
    const Array& a = v.array();
    for (std::size_t i = 0; i < a.length; i++) append_utf8(cell.text, element(a, i).character());
  } else if (!v.is_array() || v.array().length > 0) {
    cell.text = text_within(cx, v, room, nullptr, {style, {}});
  }
  each_line(cell.text, [&](std::string_view line) {
    cell.width = std::max(cell.width, width_of(line));
    cell.height++;
  });
  return cell;
}

struct Column {
  TextStyle style;
  std::size_t width = 0, after_point = 0;
  bool numbers = true;
};

std::size_t blanks_before(const Cell& cell, const Column& column, std::size_t width) {
  const std::size_t room = column.width - width;
  switch (column.style.align) {
    case TextAlign::left: return 0;
    case TextAlign::right: return room;
    case TextAlign::center: return room / 2;
    case TextAlign::usual: break;
  }
  return cell.is_number && column.numbers ? room - (column.after_point - cell.after_point) : cell.is_number ? room : 0;
}

// Appends a row of cells, which is as high as its highest cell. Blanks at the ends of lines are dropped.
void append_row(HeapText& out, std::span<const Cell> cells, std::span<const Column> columns, Heap& heap) {
  std::size_t height = 1;
  for (const Cell& cell : cells) height = std::max(height, cell.height);
  HeapVector<std::size_t> starts(cells.size(), 0, heap);
  for (std::size_t line = 0; line < height; line++) {
    if (line > 0) out += '\n';
    const std::size_t begin = out.size();
    for (std::size_t c = 0; c < cells.size(); c++) {
      if (c > 0) out.append(gap_between_columns, ' ');
      std::string_view text;
      if (line < cells[c].height) {
        text = std::string_view(cells[c].text).substr(starts[c]);
        text = text.substr(0, text.find('\n'));
        starts[c] += text.size() + 1;
      }
      const std::size_t width = width_of(text), before = blanks_before(cells[c], columns[c], width);
      out.append(before, ' ').append(text).append(columns[c].width - before - width, ' ');
    }
    out.resize(std::max(begin, out.find_last_not_of(' ') + 1));
  }
}

}  // namespace

HeapText plain_text(Context& cx, const Value& v, const TextRoom& room, const TextStyles& styles, bool& is_whole) {
  HeapText out(cx.heap);
  if (!v.is_array() || is_text(v)) {
    Column column{styles.all, styles.all.width};
    const Cell cell = cell_of(cx, v, room, styles.all);
    column.width = std::max(column.width, cell.width);
    column.after_point = cell.after_point;
    append_row(out, {&cell, 1}, {&column, 1}, cx.heap);
    return shortened(cx, out, room, is_whole);
  }
  const Array& a = v.array();
  const RowAxes all(a), axes = all.within(room.rows, room.columns);
  HeapVector<Cell> cells(cx.heap);
  HeapVector<Column> columns(axes.columns(), Column{styles.all}, cx.heap);
  for (std::size_t c = 0; c < columns.size(); c++) {
    if (c < styles.columns.size()) columns[c].style = styles.columns[c];
    columns[c].width = columns[c].style.width;
  }
  for (std::size_t i = 0; i < axes.rows() * axes.columns(); i++) {
    cx.check_interrupt();
    const std::size_t c = i % axes.columns();
    Column& column = columns[c];
    Cell& cell = cells.emplace_back(cell_of(cx, element(a, axes.index(i / axes.columns(), c)), room, column.style));
    column.numbers &= cell.is_number;
    column.after_point = std::max(column.after_point, cell.after_point);
    column.width = std::max(column.width, cell.width);
  }
  // Numbers whose points are aligned may need more room than each by itself.
  for (std::size_t i = 0; i < cells.size(); i++) {
    Column& column = columns[i % columns.size()];
    if (column.numbers) column.width = std::max(column.width, cells[i].width - cells[i].after_point + column.after_point);
  }
  for (std::size_t row = 0; row < axes.rows(); row++) {
    out.append(axes.gap_before(row) + (row > 0), '\n');
    append_row(out, std::span(cells).subspan(row * columns.size(), columns.size()), columns, cx.heap);
  }
  HeapText shown = shortened(cx, out, room, is_whole);
  if (is_whole && axes.rows() * axes.columns() < all.rows() * all.columns()) {
    shown += "…";
    is_whole = false;
  }
  return shown;
}

}  // namespace griddle
