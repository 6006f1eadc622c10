#include <doctest/doctest.h>

#include "repl/arguments.h"
#include "repl/session.h"
#include "repl/version.h"

using griddle::repl::Action;
using griddle::repl::CommandLine;
using griddle::repl::is_unfinished;
using griddle::repl::version_text;

namespace {

CommandLine parse(std::vector<const char*> words) {
  words.insert(words.begin(), "bqn");
  return griddle::repl::parse_command_line(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("code options are kept in order, and a file takes the rest") {
  CommandLine line = parse({"-p", "1", "-e", "2", "file.bqn", "-p", "x"});
  REQUIRE(line.actions.size() == 3);
  CHECK(line.actions[0].kind == Action::Kind::print);
  CHECK(line.actions[1].text == "2");
  CHECK(line.actions[2].kind == Action::Kind::file);
  CHECK(line.program_arguments == std::vector<std::string>{"-p", "x"});
  CHECK(!line.session);
}

TEST_CASE("without actions there is a session") {
  CHECK(parse({}).session);
  CHECK(parse({"-s"}).silent);
  CHECK(parse({"-rp", "1"}).session);
  CHECK(!parse({"--help"}).session);
  CHECK(parse({"-h"}).help);
  CHECK(parse({"-v"}).version);
  CHECK(!parse({"-v"}).session);
}

TEST_CASE("a wrong command line says what is wrong") {
  CHECK(parse({"--what"}).problem == "Unknown option: --what");
  CHECK(parse({"-p"}).problem == "-p needs an argument");
  CHECK(parse({"-pe", "1"}).problem == "-p must end the option: -pe");
  CHECK(parse({"-M", "lots"}).problem == "-M needs a number of megabytes: lots");
}

TEST_CASE("the version names commit, instruction sets and device") {
  griddle::BuildInfo build{"1.2.3", "0123456789ab", false, {"SSE4", "AVX2"}, "AVX2"};
  griddle::DeviceInfo device;
  CHECK(version_text(build, device) ==
        "bqn 1.2.3 (Griddle), commit 0123456789ab\ninstruction sets: SSE4 AVX2; this processor runs AVX2\n"
        "device: plug-in not installed\n");
  build.modified = true;
  device = {griddle::DeviceInfo::State::found, "/usr/lib/griddle/libgriddle_cuda.so", "NVIDIA H200"};
  const std::string text = version_text(build, device);
  CHECK(text.starts_with("bqn 1.2.3 (Griddle), commit 0123456789ab, modified\n"));
  CHECK(text.ends_with("\ndevice: NVIDIA H200 through libgriddle_cuda.so\n"));
  device.state = griddle::DeviceInfo::State::none_found;
  CHECK(version_text(build, device).ends_with("\ndevice: none found\n"));
}

TEST_CASE("open lists, blocks and strings ask for another line") {
  CHECK(is_unfinished("{"));
  CHECK(is_unfinished("⟨1,"));
  CHECK(is_unfinished("a←\"text"));
  CHECK(!is_unfinished("⟨1,2⟩"));
  CHECK(!is_unfinished("\"a\"\"b\""));
  CHECK(!is_unfinished("'{' # {"));
  CHECK(!is_unfinished("'⟨'∾'\"'"));
  CHECK(is_unfinished("# }\n{"));
  CHECK(!is_unfinished("(1+"));
}
