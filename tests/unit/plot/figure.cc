#include "runtime/plot/figure.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "runtime/plot/cells.h"
#include "runtime/value/utf8.h"

using namespace griddle;
using namespace griddle::plot;

namespace {

Numbers numbers_in(const std::vector<double>& v) { return {nullptr, v.data(), 0, 1, v.size()}; }
Numbers places(std::size_t n) { return {nullptr, nullptr, 0, 1, n}; }

std::string drawn(const Figure& figure, std::size_t columns, std::size_t rows) {
  Context cx;
  Cells cells(cx.heap, columns, rows);
  draw(cx, figure, cells);
  std::string text;
  const auto& characters = cells.finish();
  for (std::size_t row = 0; row < rows; row++) {
    std::string line;
    for (std::size_t i = row * columns; i < (row + 1) * columns; i++) append_utf8(line, characters[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a line stands between axes, under its title and names") {
  const std::vector<double> y = {0, 1, 2, 3};
  Figure figure;
  figure.title = "Rising";
  figure.x_label = "time";
  figure.y_label = "m";
  figure.series.push_back({"a", places(4), numbers_in(y)});
  CHECK(drawn(figure, 20, 9) ==
        "       Rising\n"
        "m              ⠶ a\n"
        " │            ⢀⡠⠤⠒\n"
        "2┤        ⣀⠤⠔⠊⠁\n"
        " │   ⢀⡠⠔⠒⠉\n"
        "0┤⠤⠒⠊⠁\n"
        " └┬────┬────┬────┬\n"
        "  0    1    2    3\n"
        "        time\n");
}

TEST_CASE("bars stand on 0 and carry their names") {
  const std::vector<double> y = {2, 4};
  Figure figure;
  figure.kind = Figure::Kind::bar;
  figure.labels = {"one", "two"};
  figure.series.push_back({"", places(2), numbers_in(y)});
  const std::string text = drawn(figure, 20, 7);
  CHECK(text.find("one") != text.npos);
  CHECK(text.find("two") != text.npos);
  CHECK(text.find("0┤ ██████") != text.npos);
}

TEST_CASE("no data, gaps alone, and a picture too small are drawn all the same") {
  const std::vector<double> gaps = {NAN, INFINITY};
  for (const Figure::Kind kind : {Figure::Kind::line, Figure::Kind::scatter, Figure::Kind::bar, Figure::Kind::heat}) {
    Figure figure;
    figure.kind = kind;
    CHECK(!drawn(figure, 30, 8).empty());
    figure.series.push_back({"name", places(2), numbers_in(gaps)});
    figure.cells = numbers_in(gaps);
    figure.rows = 1;
    figure.columns = 2;
    figure.title = "A title that is longer than the picture is wide";
    CHECK(!drawn(figure, 16, 5).empty());
    CHECK(!drawn(figure, 1, 1).empty());
  }
}
