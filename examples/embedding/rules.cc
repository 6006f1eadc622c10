// The rules of a game: BQN text that may change while the game runs, held as functions and called for each event. The state
// is a namespace, which outlives the rules. With a number, such as 5000000, the program also tells how many events it handles in
// a second, on standard error. spec/embedding/rules.md explains it.
// arguments: 1000
// output: 50000 events: health 41, gold 4167, deaths 660, failed 0
// output: not loaded: Unclosed bracket
// output: not loaded: a rule is missing
// output: with later rules: health 100, gold 24605, deaths 703, failed 0
// output: a rule failed: The step limit is reached
// output: with an endless rule: health 100, gold 24605, deaths 703, failed 6
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "runtime/api/griddle.hpp"

namespace {

// Nobody outside changes a variable of a namespace: functions of the namespace do.
constexpr const char* world_text = R"(
health ⇐ 100 ⋄ gold ⇐ 0 ⋄ deaths ⇐ 0
Hurt ⇐ {𝕊 damage: health ↩ 100 ⌊ health - damage ⋄ {𝕊: deaths +↩ 1 ⋄ gold ↩ ⌊gold÷2 ⋄ health ↩ 100}⍟(health ≤ 0) @ ⋄ health}
Earn ⇐ {𝕊 coins: gold +↩ coins}
)";
constexpr const char* first_rules = R"({𝕊 world:
  Hit  ⇐ {armour 𝕊 strength: world.Hurt 0⌈strength-armour}
  Heal ⇐ {𝕊 strength: world.Hurt -strength}
  Loot ⇐ {chest 𝕊 level: world.Earn level × chest⊑1‿5‿25}
})";
constexpr const char* later_rules = R"({𝕊 world:
  Hit  ⇐ {armour 𝕊 strength: world.Hurt strength÷1+armour}
  Heal ⇐ {𝕊 strength: world.Hurt -2×strength}
  Loot ⇐ {chest 𝕊 level: world.Earn level × 2⋆chest}
})";

class Game {
 public:
  Game() : bqn_(options()), world_(*bqn_.eval(world_text, "world")) {}

  // Takes rules from a text and calls them from now on. Where something is wrong with the text, the rules stay as they were.
  bool load(const char* text) {
    bqn_.set_steps(steps_an_event);
    const griddle::Result rules = bqn_.eval(text, "rules")(world_);
    if (!rules) {
      std::printf("not loaded: %s\n", rules.failure().message.c_str());
      return false;
    }
    const griddle::Any hit = rules->field("Hit"), heal = rules->field("Heal"), loot = rules->field("Loot");
    if (!hit.is_function() || !heal.is_function() || !loot.is_function()) {
      std::puts("not loaded: a rule is missing");
      return false;
    }
    hit_ = hit, heal_ = heal, loot_ = loot;
    return true;
  }

  // Tells the rules of an event that some number decides.
  void happen(unsigned random) {
    const double amount = random / 8 % 30, other = random / 256 % 3;
    bqn_.set_steps(steps_an_event);
    const griddle::Result done = random % 8 < 3 ? hit_(other, amount) : random % 8 < 6 ? heal_(amount) : loot_(other, amount);
    if (!done && failed_events_++ == 0) std::printf("a rule failed: %s\n", done.failure().message.c_str());
  }

  void tell(const char* when) const {
    std::printf("%s: health %g, gold %g, deaths %g, failed %d\n", when, world_.field("health").number(),
                world_.field("gold").number(), world_.field("deaths").number(), failed_events_);
  }

 private:
  // A rule that never ends is a fault of one event, the same one on every machine.
  static constexpr std::uint64_t steps_an_event = 1000;
  static griddle::Options options() {
    griddle::Options options;
    options.safe = true;
    options.memory_limit = 64 << 20;
    options.step_limit = steps_an_event;
    return options;
  }
  griddle::Interpreter bqn_;
  griddle::Any world_, hit_, heal_, loot_;
  int failed_events_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  Game game;
  std::minstd_rand random(7);
  const auto play = [&](long events) {
    while (events-- > 0) game.happen(static_cast<unsigned>(random()));
  };
  game.load(first_rules);
  play(50000);
  game.tell("50000 events");

  game.load("{𝕊 world: Hit ⇐ {}");
  game.load("{𝕊 world: Hit ⇐ {world.Hurt 𝕩}}");
  game.load(later_rules);
  play(50000);
  game.tell("with later rules");

  // Attacked by its own rules, the game goes on.
  game.load("{𝕊 world: Hit ⇐ {𝕩+1}•_while_(1˙) ⋄ Heal ⇐ {world.Hurt -𝕩} ⋄ Loot ⇐ {world.Earn 𝕩}}");
  play(8);
  game.tell("with an endless rule");

  if (count > 1) {
    game.load(first_rules);
    const long events = std::atol(arguments[1]);
    const auto start = std::chrono::steady_clock::now();
    play(events);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "%.1f million events a second\n", static_cast<double>(events) / passed.count() / 1e6);
  }
}
