#include "runtime/source/drawn_tree.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/text_width.h"

namespace griddle {

namespace {

// A row of the drawing: the branches that meet there, of which one goes on, and what is said of them.
struct Row {
  std::vector<std::size_t> meet;  // columns, in order
  std::size_t main = 0;           // the branch that goes on, unless this is the last row of its tree
  bool goes_on = true;
  std::string text;
};

// Where a branch begins and ends: rows of the drawing, of which -1 is the source.
struct Branch {
  std::size_t column;
  std::ptrdiff_t first, last;
};

struct RoleMark {
  Role role;
  const char *letter, *meaning;
};
constexpr RoleMark role_marks[] = {{Role::subject, "s", "s subject"},
                                   {Role::function, "F", "F function"},
                                   {Role::modifier1, "m", "m 1-modifier"},
                                   {Role::modifier2, "c", "c 2-modifier"}};

class Drawing {
 public:
  Drawing(std::string_view source, std::span<const ExplainedNode> nodes) : source_(source), nodes_(nodes) {
    for (std::size_t i = 0; i < nodes.size(); i = end_of(i)) {
      const std::size_t column = visit(i);
      if (rows_.empty() || rows_.back().main != column || !rows_.back().goes_on) join({column}, column, said_of(i));
      rows_.back().goes_on = false;
    }
  }

  std::string text(std::size_t columns) const {
    const std::size_t left = columns_of(source_) + 2;
    std::size_t widest = left;
    std::string out(source_);
    out += '\n' + role_row(left) + '\n';
    for (std::size_t r = 0; r < rows_.size(); r++) {
      std::string row = branches(r, left) + rows_[r].text;
      widest = std::max(widest, columns_of(row));
      row.erase(row.find_last_not_of(' ') + 1);
      out += row + '\n';
    }
    if (widest > columns) return "";
    return out + names() + blocks();
  }

 private:
  // Gives the number of the first node behind one and all that lies in it.
  std::size_t end_of(std::size_t i) const {
    const unsigned depth = nodes_[i].line->depth;
    for (i++; i < nodes_.size() && nodes_[i].line->depth > depth; i++) {
    }
    return i;
  }
  std::vector<std::size_t> parts_of(std::size_t i) const {
    std::vector<std::size_t> parts;
    for (std::size_t part = i + 1, end = end_of(i); part < end; part = end_of(part)) parts.push_back(part);
    return parts;
  }
  std::size_t column_at(std::size_t byte) const { return columns_of(source_.substr(0, byte)); }
  std::size_t column_of(std::size_t i) const { return column_at(nodes_[i].line->glyph); }
  bool is(std::size_t i, NodeKind kind) const { return nodes_[i].line->kind == kind; }

  // Gives what stands behind a row: what the node is, its role, and what it gave.
  std::string said_of(std::size_t i) const {
    const std::string& line = nodes_[i].line->text;
    const std::size_t meaning = line.rfind("  ");
    return line.substr(meaning == line.npos ? 0 : meaning + 2) + nodes_[i].gave;
  }

  void join(std::vector<std::size_t> meet, std::size_t main, std::string text) {
    std::sort(meet.begin(), meet.end());
    meet.erase(std::unique(meet.begin(), meet.end()), meet.end());
    for (const std::size_t column : meet) {
      const auto begun =
          std::find_if(branches_.begin(), branches_.end(), [&](const Branch& b) { return b.column == column && b.last < 0; });
      const auto here = static_cast<std::ptrdiff_t>(rows_.size());
      if (begun != branches_.end())
        begun->last = here;
      else
        branches_.push_back({column, -1, here});
    }
    branches_.push_back({main, static_cast<std::ptrdiff_t>(rows_.size()), -1});
    rows_.push_back({std::move(meet), main, true, std::move(text)});
  }

  // Draws a node, the parts at the right first, as they are computed. Gives the column of its branch.
  std::size_t visit(std::size_t i) {
    const std::size_t main = column_of(i);
    if (!is(i, NodeKind::call) && !is(i, NodeKind::list) && !is(i, NodeKind::merge) && !is(i, NodeKind::assign) &&
        !is(i, NodeKind::alias) && !is(i, NodeKind::field)) {
      visit_operands(i, main);
      return main;
    }
    std::vector<std::size_t> parts = parts_of(i), meet = {main};
    std::reverse(parts.begin(), parts.end());
    for (const std::size_t part : parts) {
      const bool is_target = is(i, NodeKind::assign) && part == i + 1;
      if (!is_target) meet.push_back(visit(part));
    }
    join(std::move(meet), main, said_of(i));
    return main;
  }
  // Draws what is computed within a function: operands that are calls. Their branches lead to that of the function.
  void visit_operands(std::size_t i, std::size_t main) {
    if (is(i, NodeKind::block)) return;
    std::vector<std::size_t> parts = parts_of(i);
    std::reverse(parts.begin(), parts.end());
    for (const std::size_t part : parts) {
      if (nodes_[part].line->role != Role::subject)
        visit_operands(part, main);
      else if (end_of(part) > part + 1)
        join({visit(part), main}, main, "");
    }
  }

  // Writes the letter of each word's role below it, and what the letters mean.
  std::string role_row(std::size_t left) const {
    std::vector<std::string> cells(left, " ");
    std::string meanings;
    for (const RoleMark& mark : role_marks) {
      bool any = false;
      for (std::size_t i = 0; i < nodes_.size(); i++) {
        const bool is_word = end_of(i) == i + 1 || is(i, NodeKind::block);
        if (!is_word || nodes_[i].line->role != mark.role || is_in_block(i)) continue;
        cells[column_at(nodes_[i].line->span.start)] = mark.letter;
        any = true;
      }
      if (any) meanings += (meanings.empty() ? "" : ", ") + std::string(mark.meaning);
    }
    std::string row;
    for (const std::string& cell : cells) row += cell;
    return row + meanings;
  }
  bool is_in_block(std::size_t i) const { return block_around(i).has_value(); }
  std::optional<std::size_t> block_around(std::size_t i) const {
    for (std::size_t b = 0; b < i; b++)
      if (is(b, NodeKind::block) && end_of(b) > i) return b;
    return std::nullopt;
  }

  std::string branches(std::size_t r, std::size_t left) const {
    const Row& row = rows_[r];
    std::string out;
    for (std::size_t c = 0; c < left; c++) {
      const bool meets = std::binary_search(row.meet.begin(), row.meet.end(), c);
      const bool passes = std::any_of(branches_.begin(), branches_.end(), [&](const Branch& b) {
        const auto here = static_cast<std::ptrdiff_t>(r);
        return b.column == c && b.first < here && b.last > here;
      });
      const bool within = c > row.meet.front() && c < row.meet.back();
      if (!meets) {
        out += passes ? (within ? "┼" : "│") : within ? "─" : " ";
        continue;
      }
      // To the left, to the right, and down.
      constexpr const char* signs[] = {"╵", "│", "└", "├", "┘", "┤", "┴", "┼"};
      const bool down = c == row.main && row.goes_on, to_left = c > row.meet.front(), to_right = c < row.meet.back();
      out += signs[(to_left ? 4 : 0) + (to_right ? 2 : 0) + (down ? 1 : 0)];
    }
    return out;
  }

  // What names stand for, each once.
  std::string names() const {
    std::string out;
    std::vector<std::string> told;
    for (std::size_t i = 0; i < nodes_.size(); i++) {
      if (!is(i, NodeKind::variable) || nodes_[i].gave.empty() || is_in_block(i)) continue;
      const Span span = nodes_[i].line->span;
      std::string line = std::string(source_.substr(span.start, span.end - span.start)) + nodes_[i].gave;
      if (std::find(told.begin(), told.end(), line) != told.end()) continue;
      out += line + '\n';
      told.push_back(std::move(line));
    }
    return out;
  }
  // What is within blocks, which may run many times, as a list of its parts.
  std::string blocks() const {
    std::string out;
    for (std::size_t i = 0; i < nodes_.size(); i++)
      if ((is(i, NodeKind::block) && end_of(i) > i + 1 && !is_in_block(i)) || is_in_block(i))
        out += nodes_[i].line->text + nodes_[i].gave + '\n';
    return out;
  }

  std::string_view source_;
  std::span<const ExplainedNode> nodes_;
  std::vector<Row> rows_;
  std::vector<Branch> branches_;
};

}  // namespace

std::string drawn_tree(std::string_view source, std::span<const ExplainedNode> nodes, std::size_t columns) {
  constexpr std::size_t most_nodes = 300;  // a drawing of more is none that people read
  if (nodes.empty() || nodes.size() > most_nodes || source.find_first_of("\n\r\t") != source.npos) return "";
  if (columns_of(source) >= columns) return "";
  return Drawing(source, nodes).text(columns);
}

}  // namespace griddle
