// A host program: hands numbers to BQN, calls what it gives back, lends it a function, and outlives an error.
// output: mean: 4
// output: words: ⟨ "array" "languages" ⟩
// output: columns: ⟨ 4 6 ⟩
// output: 3 calls of the host
// output: Error: not today
#include <cstdio>
#include <string>
#include <vector>

#include "runtime/api/griddle.hpp"

int main() {
  griddle::Interpreter bqn;

  // A BQN function, called from here with numbers of ours.
  griddle::Result mean = bqn.eval("+´÷≠");
  griddle::Any readings = bqn.list({2, 3, 7});
  std::printf("mean: %g\n", mean(readings)->number());

  // A program with text in and any value out.
  griddle::Result split = bqn.eval("{gap←𝕩=' ' ⋄ (gap-˜(¬gap)×+`gap)⊔𝕩}");
  std::printf("words: %s\n", split(bqn.text("array languages"))->format().c_str());

  // Data under a name, for the texts of a session.
  bqn.define("table", bqn.list({bqn.list({1, 2}), bqn.list({3, 4})}));
  std::printf("columns: %s\n", bqn.eval_in_session("+´table")->format().c_str());

  // A function of ours, called from BQN.
  int calls = 0;
  griddle::Any count = bqn.function("Count", [&](const griddle::Any*, const griddle::Any& x) -> griddle::Result {
    calls++;
    return x;
  });
  griddle::Result three_times = bqn.eval("{𝕏¨↕3}");
  three_times(count);
  std::printf("%d calls of the host\n", calls);

  // An error is a value; the interpreter goes on.
  griddle::Result failed = bqn.eval("\"not today\" ! 0");
  if (!failed) std::printf("Error: %s\n", failed.failure().message.c_str());
  return 0;
}
