#include "runtime/api/griddle.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>

#include "tests/support/host.h"

using griddle::Failure;
using griddle::Interpreter;
using griddle::Options;
using griddle::testing::Recorder;

TEST_CASE("an interpreter that was told to stop stays stopped until it may go on") {
  Interpreter bqn;
  const char* endless = "{𝕩+1}•_while_(1˙)0";
  bqn.stop();
  CHECK(bqn.should_stop());
  for (int i = 0; i < 3; i++) CHECK(bqn.eval(endless).failure().cause == Failure::Cause::interrupt);
  bqn.clear_interrupt();
  CHECK(!bqn.eval(endless));
  bqn.resume();
  CHECK(!bqn.should_stop());
  CHECK(bqn.eval("1+1")->number() == 2);
  std::stop_source source;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  CHECK(bqn.eval(endless, source.get_token()).failure().cause == Failure::Cause::interrupt);
  other.join();
  CHECK(bqn.eval(endless, source.get_token()).failure().cause == Failure::Cause::interrupt);
  CHECK(bqn.eval("1+1")->number() == 2);
}

TEST_CASE("time that is up ends an evaluation, and a deadline ends all") {
  const char* endless = "{𝕊:{𝕩+1}•_while_(1˙)0}⎊5 0";
  Options options;
  options.time_limit = 0.05;
  Interpreter bqn(options);
  for (int i = 0; i < 2; i++) {
    CHECK(bqn.eval(endless).failure().cause == Failure::Cause::timeout);
    CHECK(bqn.eval("1+1")->number() == 2);
  }
  // •_maxTime_ within neither loses nor keeps the limit.
  CHECK(bqn.eval("{𝕊:{𝕩+1}•_while_(1˙)0}•_maxTime_ 0.01⎊5 0")->number() == 5);
  CHECK(bqn.eval("{𝕊:{𝕩+1}•_while_(1˙)0}•_maxTime_ 10 0").failure().cause == Failure::Cause::timeout);
  Interpreter late;
  CHECK(late.set_deadline(0.05));
  CHECK(late.eval(endless).failure().cause == Failure::Cause::timeout);
  CHECK(late.eval(endless).failure().cause == Failure::Cause::timeout);
  CHECK(late.set_deadline(0));
  CHECK(late.eval("1+1")->number() == 2);
}

TEST_CASE("steps are counted, the same number each time, and end what takes too many") {
  const auto left_after = [](const char* code) {
    Options options;
    options.step_limit = 100000;
    Interpreter bqn(options);
    CHECK(bqn.eval(code));
    return bqn.steps_left();
  };
  CHECK(left_after("{𝕩⋄@}¨↕1000") == left_after("{𝕩⋄@}¨↕1000"));
  CHECK(left_after("{𝕩⋄@}¨↕1000") <= 100000 - 1000);
  CHECK(left_after("{𝕊⍟(𝕩>0)𝕩-1}500") <= 100000 - 500);
  for (const char* code : {"{𝕩+1}•_while_(1˙)0", "{𝕊:{𝕩⋄@}¨↕1000}⍟1e6 0", "F←{𝕊⍟(𝕩<1)𝕩-1} ⋄ {𝕊:F 5}•_while_(1˙)0", "{1+𝕩}⍟1e9 0",
                           "{⟨𝕨⟩∾𝕩}⌜˜↕1000", "{𝕊:{𝕩+1}•_while_(1˙)0}⎊5 0"}) {
    CAPTURE(std::string(code));
    Options options;
    options.step_limit = 100000;
    Interpreter bqn(options);
    CHECK(bqn.eval(code).failure().cause == Failure::Cause::steps);
    CHECK(!bqn.eval("{𝕩}0"));
    bqn.set_steps(1000);
    CHECK(bqn.eval("{𝕩}0")->number() == 0);
  }
}

TEST_CASE("a failure says which limit ended the evaluation") {
  const char* endless = "{𝕩+1}•_while_(1˙)0";
  Options options;
  options.step_limit = 1000;
  CHECK(Interpreter(options).eval(endless).failure().message == "The step limit is reached");
  options.step_limit = 0;
  options.time_limit = 0.01;
  CHECK(Interpreter(options).eval(endless).failure().message == "The time limit is reached");
  Interpreter late;
  late.set_deadline(0.01);
  CHECK(late.eval(endless).failure().message == "The time limit is reached");
  late.set_deadline(0);
  late.interrupt();
  CHECK(late.eval(endless).failure().message == "Interrupted");
}

TEST_CASE("an interpreter goes on after it has run out of memory, whatever filled it") {
  Options options;
  options.memory_limit = std::size_t{64} << 20;
  Interpreter bqn(options);
  for (const char* code : {"1+{⟨𝕩,𝕩⟩}⍟50 1", "-⌾⥊{⟨𝕩,𝕩⟩}⍟50 1", "{𝕊:1e5⥊0}¨↕1e5", "(1e5⥊0)⊸∾¨↕1e5", "{⟨𝕩⟩}⍟1e7 1",
                           "{2‿2⥊⟨𝕩⟩}⍟40 1⊣+´{⟨𝕩,𝕩⟩}⍟50 1", "1e8⥊0.5"}) {
    CAPTURE(std::string(code));
    CHECK(!bqn.eval(code));
    CHECK(bqn.eval("+´↕10")->number() == 45);
    CHECK(bqn.eval("≠{⟨𝕩,\"ab\"⟩}¨↕1e5")->number() == 1e5);
    CHECK(bqn.eval("≠1e6⥊0.5")->number() == 1e6);
  }
}

TEST_CASE("depth and output are limited, and random numbers follow from a seed") {
  Recorder console;
  Options options;
  options.console = &console;
  options.depth_limit = 100;
  options.output_limit = 10;
  options.seed = 7;
  Interpreter bqn(options);
  CHECK(bqn.eval("{𝕊⍟(𝕩>0)𝕩-1}90"));
  CHECK(bqn.eval("{𝕩=0?0;1+𝕊𝕩-1}90")->number() == 90);
  CHECK(bqn.eval("{𝕩=0?0;1+𝕊𝕩-1}110").failure().message == "Stack overflow");
  CHECK(bqn.eval("•Out \"12345\""));
  CHECK(bqn.eval("•Out \"123456789\"").failure().message == "The program writes more than it may");
  CHECK(console.out == "12345\n");
  const auto drawn = [](const Options& o) { return Interpreter(o).eval("20•rand.Range 1e6")->format(); };
  CHECK(drawn(options) == drawn(options));
  CHECK(drawn(options) == Interpreter().eval("r←•MakeRand 7⋄20 r.Range 1e6")->format());
  options.seed = 8;
  CHECK(drawn(options) == drawn(options));
  CHECK(drawn(options) != Interpreter().eval("r←•MakeRand 7⋄20 r.Range 1e6")->format());
  CHECK(drawn({}) != drawn({}));
}

TEST_CASE("capabilities are given one by one, and files within a folder") {
  const std::string folder = "/tmp/griddle-api-" + std::to_string(::getpid());
  std::filesystem::create_directories(folder + "/in/below");
  std::ofstream(folder + "/out.txt") << "secret";
  std::ofstream(folder + "/in/a.txt") << "text";
  std::filesystem::create_symlink("../out.txt", folder + "/in/link");
  std::filesystem::create_symlink("../new.txt", folder + "/in/dangling");
  {
    Options options;
    options.capabilities = griddle_may_read_files;
    options.root = folder + "/in";
    Interpreter bqn(options);
    CHECK(bqn.eval("•FChars \"a.txt\"")->text() == "text");
    CHECK(bqn.eval("•FChars \"below/../a.txt\"")->text() == "text");
    for (const char* code :
         {"•FChars \"../out.txt\"", "•FChars \"link\"", "•FChars \"/etc/passwd\"", "\"b.txt\"•FChars \"x\"", "•wdpath", "•path",
          "•state", "•file.At \"x\"", "•UnixTime@", "•MonoTime@", "•SH⟨\"true\"⟩", "•file.Remove \"a.txt\"", "•file.List \"..\"",
          "•Import \"../x.bqn\"", "\"r\"•file.Open \"../out.txt\"", "•file.MapBytes \"link\"", "\"w\"•file.Open \"a.txt\""}) {
      CAPTURE(std::string(code));
      CHECK(!bqn.eval(code));
    }
    CHECK(bqn.eval("•file.path")->character() == 0);
    options.capabilities |= griddle_may_write_files;
    Interpreter writer(options);
    CHECK(writer.eval("\"b.txt\"•FChars \"x\""));
    CHECK(writer.eval("\"below/c.txt\"•FChars \"x\""));
    CHECK(!writer.eval("\"../b.txt\"•FChars \"x\""));
    CHECK(!writer.eval("\"dangling\"•FChars \"x\""));
    CHECK(!writer.eval("\"link\"•FChars \"x\""));
    CHECK(!writer.eval("\"../moved\"•file.Rename \"b.txt\""));
    CHECK(!std::filesystem::exists(folder + "/new.txt"));
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("files may be what the host makes up") {
  struct Made : griddle::FileSource {
    std::optional<std::string> read(std::string_view path) override {
      if (path.ends_with("/lib.bqn")) return "⟨•Import \"other.bqn\",•name⟩";
      if (path.ends_with("/other.bqn")) return "n⇐5";
      return std::nullopt;
    }
  } made;
  Options options;
  options.files = &made;
  options.capabilities = griddle_may_read_files;
  Interpreter bqn(options);
  CHECK(bqn.eval("l←•Import \"lib.bqn\" ⋄ (⊑l).n")->number() == 5);
  CHECK(bqn.eval("1⊑•Import \"/anywhere/lib.bqn\"")->text() == "lib.bqn");
  CHECK(bqn.eval("•FChars \"/x/other.bqn\"")->text() == "n⇐5");
  CHECK(!bqn.eval("•FChars \"/etc/passwd\""));
  CHECK(!bqn.eval("•Import \"none.bqn\""));
  for (const char* code : {"•file.List \"/\"", "•file.Exists \"/etc/passwd\"", "•file.Open \"/etc/passwd\"",
                           "•file.MapBytes \"/etc/passwd\"", "•file.RealPath \"/\"", "•file.Size \"/etc/passwd\""}) {
    CAPTURE(std::string(code));
    CHECK(bqn.eval(code).failure().message.find("only files to read in whole") != std::string::npos);
  }
}

namespace {

// Runs something on a stack of its own, as a fiber has it.
struct Fiber {
  explicit Fiber(std::size_t bytes) : size(bytes) {
    stack = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    mprotect(stack, 4096, PROT_NONE);
  }
  ~Fiber() { munmap(stack, size); }
  void run(std::function<void()> f) {
    work = std::move(f);
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = size;
    inside.uc_link = &outside;
    static thread_local Fiber* current;
    current = this;
    makecontext(
        &inside, [] { current->work(); }, 0);
    swapcontext(&outside, &inside);
  }
  std::size_t size;
  void* stack;
  std::function<void()> work;
  ucontext_t inside, outside;
};

}  // namespace

TEST_CASE("fibers evaluate, and deep recursion ends on their stacks" * doctest::skip(griddle::testing::is_sanitized)) {
  for (const std::size_t stack_bytes : {std::size_t{0}, std::size_t{200} << 10}) {
    Options options;
    options.stack_bytes = stack_bytes;
    Interpreter bqn(options);
    CHECK(bqn.eval("1+1")->number() == 2);
    Fiber fiber(std::size_t{256} << 10);
    std::string message;
    double sum = 0;
    fiber.run([&] {
      sum = bqn.eval("+´{𝕩+1}¨↕100")->number();
      message = bqn.eval("{𝕊¨𝕩}⟨1⟩").failure().message;
    });
    CHECK(sum == 5050);
    CHECK(message == "Stack overflow");
    CHECK(bqn.eval("1+1")->number() == 2);
  }
}
