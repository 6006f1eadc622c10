#include "repl/console.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "tests/support/redirected.h"

using namespace griddle::repl;
using griddle::testing::Redirected;

TEST_CASE("lines are read one by one, whatever ends them, and the rest at once") {
  const Redirected input(STDIN_FILENO, "one\ntwo\n\nrest\nof it");
  StandardConsole console;
  std::string line;
  for (const char* wanted : {"one", "two", ""}) {
    REQUIRE(console.read_line(line));
    CHECK(line == wanted);
  }
  CHECK(console.has_input());
  CHECK(!console.input_is_terminal());
  CHECK(console.read_all(line));
  CHECK(line == "rest\nof it");
  CHECK(!console.read_line(line));
  CHECK(!console.interrupted());
}

TEST_CASE("output is written in order, at the latest when it is flushed") {
  const Redirected output(STDOUT_FILENO, "");
  {
    StandardConsole console;
    console.write("first ");
    console.write(std::string(100'000, 'x'));
    console.flush();
    CHECK(output.contents() == "first " + std::string(100'000, 'x'));
    console.write(" last");
  }
  CHECK(output.contents().ends_with("x last"));
}

TEST_CASE("input that cannot be read is no end of input, and the process does not end well") {
  const int usual = dup(STDIN_FILENO), folder = open("/", O_RDONLY);
  dup2(folder, STDIN_FILENO);
  {
    const Redirected output(STDERR_FILENO, "");
    StandardConsole console;
    std::string text;
    CHECK(!console.read_all(text));
    CHECK(!console.finish(""));
    CHECK(output.contents() == "bqn: The input could not be read (Is a directory)\n");
  }
  dup2(usual, STDIN_FILENO);
  close(usual);
  close(folder);
}

TEST_CASE("an interrupt ends reading at once, until it is forgotten") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const int usual = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  {
    StandardConsole console;
    std::string line;
    console.interrupt();
    CHECK(!console.read_line(line));
    CHECK(console.interrupted());
    console.interrupt();
    console.forget_interrupt();
    REQUIRE(write(ends[1], "x\n", 2) == 2);
    CHECK(console.read_line(line));
    CHECK(line == "x");
    CHECK(!console.drops_output());
  }
  dup2(usual, STDIN_FILENO);
  for (const int end : {usual, ends[0], ends[1]}) close(end);
}

TEST_CASE("a terminal that is none has a usual size, and input that waits is told") {
  const Redirected input(STDIN_FILENO, "x"), output(STDOUT_FILENO, "");
  StandardConsole console;
  CHECK(console.size().columns == 80);
  CHECK(console.size().rows == 24);
  CHECK(console.waits_for_input(0));
  // Only who edits is told of changes.
  console.note_change();
  CHECK(!console.take_changed());
}

namespace {

// Does something in a process of its own, and gives the signal that ends it; 0 where none does.
template <class Work>
int signal_that_ends(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("what waits is written before a signal ends the process") {
  const Redirected output(STDOUT_FILENO, "");
  for (const int number : {SIGTERM, SIGHUP}) {
    CHECK(signal_that_ends([&] {
            StandardConsole console;
            console.write("last words\n");
            console.end(number);
          }) == number);
  }
  CHECK(output.contents() == "last words\nlast words\n");
}

TEST_CASE("a signal that comes while output is written ends the process, whether or not somebody reads") {
  static StandardConsole* console = nullptr;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const int usual = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  CHECK(signal_that_ends([&] {
          console = new StandardConsole;
          struct sigaction action = {};
          action.sa_handler = [](int) { console->end(SIGTERM); };
          sigaction(SIGTERM, &action, nullptr);
          std::thread([parent = getpid()] {
            sigset_t all;
            sigfillset(&all);
            pthread_sigmask(SIG_BLOCK, &all, nullptr);
            poll(nullptr, 0, 50);
            kill(parent, SIGTERM);
          }).detach();
          console->write(std::string(1'000'000, 'x'));  // more than a pipe takes
        }) == SIGTERM);
  dup2(usual, STDOUT_FILENO);
  for (const int end : {usual, ends[0], ends[1]}) close(end);
}

TEST_CASE("output does not wait for the end of a long computation") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const int usual = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  CHECK(signal_that_ends([&] {
          auto* console = new StandardConsole;
          std::thread([console] { console->keep_writing(); }).detach();
          for (const std::string line : {"one\n", "two\n"}) {
            console->write(line);
            std::string got(line.size(), ' ');
            if (read(ends[0], got.data(), got.size()) != static_cast<ssize_t>(line.size()) || got != line) return;
          }
          raise(SIGUSR1);  // all is well
        }) == SIGUSR1);
  dup2(usual, STDOUT_FILENO);
  for (const int end : {usual, ends[0], ends[1]}) close(end);
}
