// •ReBQN: its options, and texts that it evaluates. The first line of the input makes the options, each other one is a text.
#include <algorithm>

#include "tests/fuzz/targets/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  const auto line = [&] {
    const std::string_view taken = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), taken.size() + 1));
    return taken;
  };
  griddle::Interpreter bqn(fuzz::limited());
  const griddle::Result evaluator = bqn.eval("v←1‿2 ⋄ w←\"ab\" ⋄ F←{𝕩+v} ⋄ •ReBQN{" + std::string(line()) + "\n}");
  fuzz::look_at(bqn, evaluator);
  if (!evaluator) return 0;
  while (!rest.empty()) {
    const griddle::Any text = bqn.text(line());
    fuzz::look_at(bqn, (*evaluator)(text));
  }
  return 0;
}
