// A spreadsheet: cells hold BQN formulas that name other cells, and a change computes anew what depends on it. In a formula,
// b2 is the value of that cell, and b1_b3 the list of those from b1 down to b3. spec/embedding/formulas.md explains it.
// output: a1: 3
// output: a2: 0.5
// output: b1: 10
// output: b2: 100
// output: c1: 30
// output: c2: 50
// output: c3: 80
// output: d3: "80 in all"
// output: --- another price
// output: a1: 4
// output: c1: 40
// output: c3: 90
// output: d3: "90 in all"
// output: --- a text for a number
// output: a2: "half"
// output: c2: error in column 3: Multiply: Expected numbers (got character and 100)
// output: c3: error: needs c2
// output: d3: error: needs c3
// output: --- a circle, until it is mended
// output: c2: error: depends on itself
// output: c3: error: needs c2
// output: a2: error: needs c3
// output: d3: error: needs c3
// output: a2: 2
// output: c2: 200
// output: c3: 240
// output: d3: "240 in all"
// output: --- no BQN, an empty cell, a formula without end
// output: e1: error in column 2: Expected an argument right of the function
// output: e2: error: f9 is empty
// output: e3: error in column 1: The step limit is reached
#include <algorithm>
#include <cstdio>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/api/griddle.hpp"

class Sheet {
 public:
  // Gives a cell a formula, computes it and all that depends on it, and prints what was computed in that order.
  void set(const std::string& name, const std::string& formula) {
    Cell& cell = cells_[name];
    cell.names = names_in(formula);
    std::string header;
    for (const std::string& used : cell.names) header += (header.empty() ? "" : ",") + used;
    bqn_.set_steps(steps_a_cell);
    cell.function = bqn_.eval("{𝕊⟨" + header + "⟩:\n" + formula + "\n}", name);
    outdate(name);
    compute(name);
    for (auto& [other, its] : cells_)
      if (its.state == State::outdated) compute(other);
  }

 private:
  enum class State { outdated, computing, done };
  struct Cell {
    std::vector<std::string> names;             // of cells and ranges, as the formula spells them
    griddle::Result function = griddle::Any();  // from the list of their values to that of the cell
    griddle::Result value = griddle::Any();
    State state = State::done;
  };

  // A formula without end is a fault of its cell, the same one on every machine. Seconds end what takes long otherwise.
  static constexpr std::uint64_t steps_a_cell = 100000;
  static griddle::Options limits() {
    griddle::Options options;
    options.safe = true;
    options.memory_limit = 64 << 20;
    options.time_limit = 10;
    return options;
  }

  // Finds the names of cells and ranges in a formula, each once. Strings, numbers and comments hold none.
  static std::vector<std::string> names_in(const std::string& formula) {
    static const std::regex token(R"("[^"]*"|'[^']*'|#.*|\d[\w.]*|[A-Za-z_]\w*)"), cell(R"([a-z]\d{1,4}(_[a-z]\d{1,4})?)");
    std::vector<std::string> names;
    for (std::sregex_iterator at(formula.begin(), formula.end(), token), end; at != end; ++at)
      if (std::regex_match(at->str(), cell) && std::find(names.begin(), names.end(), at->str()) == names.end())
        names.push_back(at->str());
    return names;
  }

  // Lists the cells that a name stands for: one, or those of a column between two.
  static std::vector<std::string> cells_of(const std::string& name) {
    const std::size_t gap = name.find('_');
    if (gap == std::string::npos) return {name};
    std::vector<std::string> cells;
    for (int row = std::stoi(name.substr(1, gap)), last = std::stoi(name.substr(gap + 2)); row <= last; row++)
      cells.push_back(name[0] + std::to_string(row));
    return cells;
  }

  // Marks a cell, and all that depend on it.
  void outdate(const std::string& name) {
    if (std::exchange(cells_[name].state, State::outdated) == State::outdated) return;
    for (const auto& [other, cell] : cells_)
      for (const std::string& used : cell.names)
        for (const std::string& one : cells_of(used))
          if (one == name) outdate(other);
  }

  // Computes the cells that a cell needs, then the cell.
  void compute(const std::string& name) {
    Cell& cell = cells_[name];
    cell.state = State::computing;
    std::vector<griddle::Any> values;
    std::string problem;
    for (const std::string& used : cell.names) {
      std::vector<griddle::Any> column;
      for (const std::string& one : cells_of(used)) {
        const auto found = cells_.find(one);
        if (found != cells_.end() && found->second.state == State::outdated) compute(one);
        if (found == cells_.end())
          problem = one + " is empty";
        else if (found->second.state == State::computing)
          problem = "depends on itself";
        else if (!found->second.value)
          problem = "needs " + one;
        else
          column.push_back(*found->second.value);
      }
      if (problem.empty()) values.push_back(used.find('_') == std::string::npos ? column[0] : bqn_.make(column));
    }
    bqn_.set_steps(steps_a_cell);
    cell.value = problem.empty() ? cell.function(bqn_.make(values)) : griddle::Result::error(problem);
    cell.state = State::done;
    std::printf("%s: %s\n", name.c_str(), shown(cell.value).c_str());
  }

  static std::string shown(const griddle::Result& value) {
    if (value) return value->format();
    const griddle::Failure& why = value.failure();
    const std::string place = why.frames.empty() ? "" : " in column " + std::to_string(why.frames[0].column + 1);
    return "error" + place + ": " + why.message;
  }

  griddle::Interpreter bqn_{limits()};
  std::map<std::string, Cell> cells_;
};

int main() {
  Sheet sheet;
  const std::pair<const char*, const char*> formulas[] = {
      {"a1", "3"},     {"a2", "1÷2"},   {"b1", "10"},      {"b2", "100"},
      {"c1", "a1×b1"}, {"c2", "a2×b2"}, {"c3", "+´c1_c2"}, {"d3", "(•Fmt c3)∾\" in all\""}};
  for (const auto& [cell, formula] : formulas) sheet.set(cell, formula);
  std::puts("--- another price");
  sheet.set("a1", "4");
  std::puts("--- a text for a number");
  sheet.set("a2", "\"half\"");
  std::puts("--- a circle, until it is mended");
  sheet.set("a2", "c3-1");
  sheet.set("a2", "2");
  std::puts("--- no BQN, an empty cell, a formula without end");
  sheet.set("e1", "1+");
  sheet.set("e2", "1+f9");
  sheet.set("e3", "{𝕩+1}•_while_(1˙) 0");
}
