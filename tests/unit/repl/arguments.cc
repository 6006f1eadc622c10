#include "repl/arguments.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using griddle::repl::Action;
using griddle::repl::CommandLine;

namespace {

CommandLine parse(std::vector<const char*> words) {
  words.insert(words.begin(), "bqn");
  return griddle::repl::parse_command_line(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("code options are kept in order, and a file takes the rest") {
  CommandLine line = parse({"-p", "1", "-e", "2", "-f", "file.bqn", "-p", "x"});
  REQUIRE(line.actions.size() == 3);
  CHECK(line.actions[0].kind == Action::Kind::print);
  CHECK(line.actions[1].text == "2");
  CHECK(line.actions[2].kind == Action::Kind::file);
  CHECK(line.program_arguments == std::vector<std::string>{"-p", "x"});
  CHECK(!line.session);
}

TEST_CASE("an editor's server runs no programs") {
  CHECK(parse({"--lsp"}).serves_editor);
  CHECK(!parse({"--lsp"}).session);
  CHECK(parse({"--lsp", "-M", "5"}).problem.empty());
  CHECK(parse({"--lsp", "-e", "1"}).problem == "--lsp runs no programs");
  CHECK(parse({"a.bqn", "--lsp"}).problem.empty());
  CHECK(!parse({"a.bqn", "--lsp"}).serves_editor);
}

TEST_CASE("code takes words that are no options, and all that follow, as its arguments") {
  CommandLine line = parse({"-e", "1", "-p", "2", "a", "-p", "x"});
  CHECK(line.actions.size() == 2);
  CHECK(line.program_arguments == std::vector<std::string>{"a", "-p", "x"});
  CHECK(parse({"-e", "1"}).program_arguments.empty());
  CHECK(parse({"--explain", "1", "a"}).program_arguments == std::vector<std::string>{"a"});
  CHECK(parse({"-e", "1", "-"}).actions.back().kind == Action::Kind::input);
}

TEST_CASE("-- ends the options") {
  CommandLine line = parse({"-e", "1", "--", "-p", "--"});
  CHECK(line.actions.size() == 1);
  CHECK(line.program_arguments == std::vector<std::string>{"-p", "--"});
  line = parse({"--", "-odd.bqn", "-x"});
  REQUIRE(line.actions.size() == 1);
  CHECK(line.actions[0].kind == Action::Kind::file);
  CHECK(line.actions[0].text == "-odd.bqn");
  CHECK(line.program_arguments == std::vector<std::string>{"-x"});
  CHECK(parse({"--"}).session);
  CHECK(parse({"-r", "--"}).session);
  // What follows a program is the program's.
  CHECK(parse({"a.bqn", "--", "b"}).program_arguments == std::vector<std::string>{"--", "b"});
}

TEST_CASE("without actions there is a session") {
  CHECK(parse({}).session);
  CHECK(parse({"-s"}).silent);
  CHECK(parse({"-rp", "1"}).session);
  CHECK(!parse({"--help"}).session);
  CHECK(parse({"-h"}).help);
  CHECK(parse({"--help"}).topic == "");
  CHECK(parse({"--help", "blocks", "undo", "headers"}).topic == "blocks undo headers");
  CHECK(!parse({"--help", "blocks"}).session);
  CHECK(parse({"--help", "blocks"}).actions.empty());
  CHECK(parse({"-h", "-"}).topic == "-");
  CHECK(parse({"--help", "--version"}).version);
  CHECK(parse({"-v"}).version);
  CHECK(!parse({"-v"}).session);
}

TEST_CASE("what programs may do is named, or all") {
  CHECK(parse({"-p", "1"}).capabilities == griddle_may_do_all);
  CHECK(parse({"--safe"}).capabilities == griddle_may_read_clock);
  CHECK(parse({"--allow", ""}).capabilities == 0);
  CHECK(parse({"--allow", "read-files,read-clock"}).capabilities == (griddle_may_read_files | griddle_may_read_clock));
  CHECK(parse({"--safe", "--allow", "write-files"}).capabilities == (griddle_may_write_files | griddle_may_read_clock));
  CHECK(parse({"--allow", "run-programs", "--allow", "call-foreign,see-environment"}).capabilities ==
        (griddle_may_run_programs | griddle_may_call_foreign | griddle_may_see_environment));
  CHECK(parse({"--root", "/srv", "a.bqn", "--root"}).root == "/srv");
  // What follows a program is the program's.
  CHECK(parse({"a.bqn", "--safe"}).capabilities == griddle_may_do_all);
}

TEST_CASE("a wrong command line says what is wrong") {
  CHECK(parse({"--allow"}).problem == "--allow needs an argument");
  CHECK(parse({"--allow", "read-files,everything"}).problem == "--allow knows no everything");
  CHECK(parse({"--allow", "read-files,,read-clock"}).problem == "--allow knows no ");
  CHECK(parse({"--root", ""}).problem == "--root needs a folder");
  CHECK(parse({"--what"}).problem == "Unknown option: --what");
  CHECK(parse({"-p"}).problem == "-p needs an argument");
  CHECK(parse({"-pe", "1"}).problem == "-p must end the option: -pe");
  CHECK(parse({"-M", "lots"}).problem == "-M needs a number of megabytes: lots");
}
