// A program runs under limits, with all fast paths compared with the general functions; then as a host would run it.
#include "tests/fuzz/targets/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source = fuzz::text_of(data, size);
  griddle::Options options = fuzz::limited();
  {
    griddle::Interpreter bqn(options);
    fuzz::look_at(bqn, bqn.eval(source, "input"));
    bqn.set_steps(1000);
    fuzz::require(bqn.eval("1+1").ok(), "an interpreter goes on after a program");
  }
  options.checked_ways = true;
  griddle::Interpreter checked(options);
  const griddle::Result result = checked.eval(source, "input");
  // A program may fail with these words by itself.
  constexpr std::string_view differs = "the general way gives";
  if (!result && source.find(differs) == std::string_view::npos)
    fuzz::require(result.failure().message.find(differs) == std::string::npos, result.failure().message.c_str());
  return 0;
}
