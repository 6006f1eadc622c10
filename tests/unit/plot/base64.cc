#include "runtime/plot/base64.h"

#include <doctest/doctest.h>

using namespace griddle;

TEST_CASE("bytes become the text that RFC 4648 has for them") {
  Heap heap;
  const auto text = [&](std::string_view bytes) {
    HeapText out(heap);
    plot::append_base64(out, bytes);
    return std::string(out);
  };
  CHECK(text("").empty());
  CHECK(text("f") == "Zg==");
  CHECK(text("fo") == "Zm8=");
  CHECK(text("foo") == "Zm9v");
  CHECK(text("foobar") == "Zm9vYmFy");
  CHECK(text("\xFF\xFE\xFD") == "//79");
}
