#include "runtime/plot/svg.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace griddle;
using namespace griddle::plot;

TEST_CASE("text is escaped, numbers are short, and gaps begin anew") {
  Heap heap;
  Svg svg(heap, 100, 50);
  svg.text(1.0 / 3, 20, Anchor::middle, "a<b>&\"\x01\n𝕩");
  const Point points[] = {{1, 2}, {3.14159, 4}, {NAN, NAN}, {5, 6}};
  svg.curve(points, 0);
  svg.bar(-0.001, 1e300, 2, 3, 1);
  const std::string text(svg.finish());
  CHECK(text.starts_with(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50\""));
  CHECK(text.find("<text x=\"0.33\" y=\"24.9\" fill=\"#333333\" text-anchor=\"middle\">a&lt;b&gt;&amp;&quot;  𝕩</text>") !=
        text.npos);
  CHECK(text.find("d=\"M1 2L3.14 4M5 6h0\"") != text.npos);
  CHECK(text.find("<rect x=\"0\" y=\"1000000000\"") != text.npos);
  CHECK(text.ends_with("</svg>\n"));
}

TEST_CASE("pixels stand in the text as a PNG file") {
  Heap heap;
  Svg svg(heap, 10, 10);
  svg.image(0, 0, 5, 5, Pixels(heap, 1, 1, black));
  CHECK(std::string(svg.finish()).find("href=\"data:image/png;base64,iVBORw0KGgo") != std::string::npos);
}
