#include "repl/report.h"

#include <doctest/doctest.h>

using griddle::repl::coloured_report;

TEST_CASE("a report is coloured by what its lines are") {
  CHECK(coloured_report("Error: bad\na.bqn:1:\n  x+y\n \t^ ^\nat 1:\n   ^\nHint: none\n", 1) ==
        "\x1b[1;31mError:\x1b[0m bad\n\x1b[34ma.bqn:1:\x1b[0m\n  x+y\n \t\x1b[31m^ ^\x1b[0m\n\x1b[34mat 1:\x1b[0m\n   "
        "\x1b[31m^\x1b[0m\n"
        "\x1b[32mHint: \x1b[0mnone\n");
}

TEST_CASE("a message of several lines stays as it is") {
  CHECK(coloured_report("Error: bad\n^\nmore:\n^\n", 3) == "\x1b[1;31mError:\x1b[0m bad\n^\nmore:\n\x1b[31m^\x1b[0m\n");
  CHECK(coloured_report("", 1) == "");
  CHECK(coloured_report("Out of memory", 1) == "Out of memory");
}
