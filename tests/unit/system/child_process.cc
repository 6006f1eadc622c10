#include "runtime/system/child_process.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <cerrno>
#include <csignal>
#include <vector>

#include "runtime/files.h"

using griddle::ChildProcess;

namespace {

int start(ChildProcess& child, const std::vector<std::string>& words) {
  const griddle::Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  return child.start(words, nothing.number, nothing.number, nothing.number);
}

int status_of(const std::vector<std::string>& words) {
  ChildProcess child;
  REQUIRE(start(child, words) == 0);
  return child.wait();
}

}  // namespace

TEST_CASE("a child's status is what a shell would say") {
  CHECK(status_of({"true"}) == 0);
  CHECK(status_of({"sh", "-c", "exit 7"}) == 7);
  CHECK(status_of({"sh", "-c", "kill -9 $$"}) == 137);
}

TEST_CASE("a program that does not exist, or is none, is an error") {
  ChildProcess child;
  CHECK(start(child, {"/no/such/program"}) == ENOENT);
  CHECK(start(child, {"/dev/null"}) == EACCES);
  CHECK(start(child, {"true"}) == 0);
}

TEST_CASE("the status is known where the host ignores its children") {
  struct sigaction before, ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignore, &before);
  const int failed = status_of({"sh", "-c", "exit 7"});
  // The program itself waits for its own children.
  const int inner = status_of({"sh", "-c", "sh -c 'exit 3'; exit $?"});
  ChildProcess none, long_one;
  const int missing = start(none, {"/no/such/program"}), begun = start(long_one, {"sleep", "1000"});
  sigaction(SIGCHLD, &before, nullptr);
  CHECK(missing == ENOENT);
  CHECK(begun == 0);
  CHECK(failed == 7);
  CHECK(inner == 3);
}

TEST_CASE("a program that still runs is ended") {
  ChildProcess child;
  CHECK(start(child, {"sleep", "1000"}) == 0);
}
