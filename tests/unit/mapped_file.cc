#include "runtime/mapped_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "runtime/value/context.h"
#include "tests/support/host.h"

using namespace griddle;

namespace {

constexpr std::size_t size = 100'000, left = 5000;

// A file without name, full of a letter.
Descriptor full_file() {
  char name[] = "/tmp/griddle-mapped-XXXXXX";
  Descriptor file(mkstemp(name));
  unlink(name);
  REQUIRE(file.write_all(std::string(size, 'x')));
  return file;
}

}  // namespace

TEST_CASE("zeros stand for what a mapped file does not have any more, and the evaluation is to end") {
  struct sigaction before;
  sigaction(SIGBUS, nullptr, &before);
  REQUIRE(guard_mapped_files());
  Context cx, other;
  for (int again = 0; again < 3; again++) {
    const Descriptor file = full_file();
    const MappedFile mapped(cx, file, size), beside(other, file, size);
    REQUIRE(mapped.start != nullptr);
    CHECK(mapped.start[size - 1] == 'x');
    REQUIRE(ftruncate(file.number, left) == 0);
    CHECK(mapped.start[left - 1] == 'x');
    CHECK(!cx.interrupt_requested());
    CHECK(mapped.start[size - 1] == 0);
    CHECK(cx.interrupt_requested());
    cx.clear_interrupt(Context::file_cut);
    CHECK(mapped.start[0] == 'x');
    mapped.start[size - 1] = 'y';
    CHECK(mapped.start[size - 1] == 'y');
    CHECK(!cx.interrupt_requested());
  }
  CHECK(!other.interrupt_requested());
  const MappedFile none(cx, Descriptor(), size);
  CHECK(none.start == nullptr);
  sigaction(SIGBUS, &before, nullptr);
}

TEST_CASE("a program gets an error, which it may catch") {
  struct sigaction before;
  sigaction(SIGBUS, nullptr, &before);
  REQUIRE(guard_mapped_files());
  testing::Host run;
  char name[] = "/tmp/griddle-mapped-XXXXXX";
  Descriptor(mkstemp(name)).close();
  run.before = "p←\"" + std::string(name) + "\" ⋄ p•FChars 100000⥊\"x\" ⋄ b←•file.MapBytes p ⋄ ";
  CHECK(run("+´b-@") == "12000000");
  CHECK(run("p•FChars\"\" ⋄ +´b-@").starts_with("! A mapped file became shorter"));
  CHECK(run("p•FChars\"\" ⋄ {𝕊:+´b-@}⎊{𝕊:\"caught\"}@") == "\"caught\"");
  CHECK(run("p•FChars\"\" ⋄ 2↑b").starts_with("! A mapped file became shorter"));
  unlink(name);
  sigaction(SIGBUS, &before, nullptr);
}
