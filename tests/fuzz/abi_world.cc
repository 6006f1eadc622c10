#include "tests/fuzz/abi_world.h"

#include <algorithm>

namespace abi_fuzz {

namespace {

const std::vector<std::string> programs = {"",
                                           "1",
                                           "+´↕10",
                                           "⟨1,\"ab\",⟨⟩⟩",
                                           "↕5",
                                           "2‿3⥊↕6",
                                           "\"text\"",
                                           "'c'",
                                           "@",
                                           "+",
                                           "+´÷≠",
                                           "{𝕩+1}",
                                           "{𝕨‿𝕩}",
                                           "{𝕏 3}",
                                           "{⟨𝕩⟩}⍟20 1",
                                           "{a⇐1⋄F⇐+}",
                                           "⊑⟨¨⟩",
                                           "⊑⟨∘⟩",
                                           "{𝔽𝕩}",
                                           "!0",
                                           "⟨1,2⟩!0",
                                           "•Exit 3",
                                           "{𝕊𝕩}0",
                                           "{𝕊:1}•_while_(1˙)0",
                                           "↕1e9",
                                           "⌽\"abc\"",
                                           "1÷0",
                                           "0÷0",
                                           "⍉2‿2⥊\"abcd\"",
                                           "1+",
                                           "(",
                                           "\"",
                                           "a←3",
                                           "a",
                                           "F←{𝕩×2}",
                                           "F 3",
                                           "_m←{𝔽𝔽𝕩}",
                                           "n.x",
                                           "•args",
                                           "•Fmt ↕3",
                                           "•Repr {𝕩}",
                                           "•listsys",
                                           "•rand.Range 9",
                                           "(•MakeRand 3).Range 5",
                                           "h←⟨⟩•HashMap⟨⟩⋄{𝕩 h.Set 𝕩}¨↕100⋄h.Count@",
                                           "•BQN \"1+1\"",
                                           "(•ReBQN{repl⇐\"loose\"})\"a←1\"",
                                           "•FChars \"/made/up\"",
                                           "•Import \"/made/up\"",
                                           "•Out \"out\"",
                                           "•GetLine@",
                                           "•internal.Variation 1",
                                           "⟨⟩",
                                           "\"\"",
                                           "<5",
                                           "1‿2‿3=1‿2‿4",
                                           "(↕100)∊↕50",
                                           "∧9‿1‿5",
                                           "⊔2‿0‿2",
                                           "𝕩",
                                           "{𝕨⊣𝕩}",
                                           "⊢⌾(1⊸⊑)↕4",
                                           "{𝕩}⁼3",
                                           "2⋆↕60",
                                           "10⥊'a'",
                                           "1e308×10",
                                           "¯1⋆0.5",
                                           "•UnixTime@",
                                           "{!𝕩}⎊{•CurrentError@}0",
                                           "3‿¯1⥊↕4",
                                           "{b←𝕩⋄{b+↩1}}0",
                                           "@+↕300",
                                           "•ToUTF8 \"é\"",
                                           "•Decompose +´",
                                           "•Hash ↕3",
                                           "+˝2‿2⥊↕4",
                                           "≡⟨⟨1⟩⟩",
                                           "⍷\"mississippi\"",
                                           "\"ss\"⍷\"mississippi\"",
                                           "•SH⟨\"true\"⟩",
                                           "•FFI 1",
                                           "•file.Exists \"x\"",
                                           "•wdpath",
                                           "•path",
                                           "↕0‿3",
                                           "0‿3⥊0",
                                           "⥊⟜3¨↕4",
                                           "{𝕩∾𝕩}⍟12 \"ab\"",
                                           "5⥊⟨{𝕩}⟩"};
const std::vector<std::string> names = {"a", "b", "F", "G", "_m", "_c_", "some_name", "someName", "", "1a", "a b", "⋆", "_", "é"};

void ignore_text(void*, griddle_text) {}
int no_line(void*, griddle_text*) { return 0; }
int one_byte(void*, int) { return 'x'; }
int made_up(void* data, griddle_text path, griddle_text* contents) {
  if (path.bytes == 0 || static_cast<Random*>(data)->one_in(2)) return 0;
  *contents = text_of("⟨\"made\",⟨3⟩⟩");
  return 1;
}

void free_of(griddle_buffer buffer) {
  // All of it can be read, and what follows.
  if (buffer.data != nullptr) must(buffer.data[buffer.bytes] == 0, "a buffer without its end");
  griddle_free(buffer);
}

}  // namespace

World::~World() {
  for (const griddle_value& v : values_) griddle_release(v);
  while (!interpreters_.empty()) {
    interpreters_.back().held ? give_up_interpreter() : interpreters_.pop_back();
  }
  must(borrowed == dropped, "something was dropped too often, or never");
}

griddle_interpreter* World::any_interpreter() {
  std::vector<griddle_interpreter*> held;
  for (const Interpreter& i : interpreters_)
    if (i.held) held.push_back(i.bqn);
  return held.empty() || random.one_in(50) ? nullptr : random.of(held);
}

griddle_value World::any_value() { return values_.empty() || random.one_in(50) ? griddle_value{} : random.of(values_); }

std::string World::any_program() {
  std::string program = random.of(programs);
  while (random.one_in(3)) program += (random.one_in(2) ? "⋄" : " ") + random.of(programs);
  if (random.one_in(20) && !program.empty()) program[random.below(program.size())] = static_cast<char>(random.word());
  return program;
}
std::string World::any_name() { return random.of(names); }

std::vector<std::size_t> World::any_shape() {
  std::vector<std::size_t> shape;
  for (std::size_t axis = random.below(5); axis > 0; axis--) shape.push_back(random.below(5));
  return shape;
}

void World::look_at(griddle_failure* why) {
  if (why == nullptr) return;
  must(griddle_failure_message(why).data != nullptr && griddle_failure_report(why).data != nullptr,
       "a failure without a message");
  griddle_failure_cause(why);
  griddle_failure_exit_code(why);
  const std::size_t frames = griddle_failure_frames(why);
  griddle_frame frame;
  frame.size = sizeof frame;
  for (std::size_t i = 0; i < std::min<std::size_t>(frames, 5); i++)
    must(griddle_failure_frame(why, i, &frame) != 0, "a frame is missing");
  must(griddle_failure_frame(why, frames, &frame) == 0, "a frame too many");
  const griddle_value v = griddle_failure_value(why);
  if (v.interpreter != nullptr) values_.push_back(v);
  if (random.one_in(4)) griddle_release_failure(griddle_share_failure(why));
  griddle_release_failure(why);
}

bool World::take(griddle_value v, griddle_failure* const& why) {
  must(v.interpreter == nullptr || why == nullptr, "both a value and a failure");
  look_at(why);
  if (v.interpreter == nullptr) return false;
  values_.push_back(v);
  return true;
}

void World::make_interpreter() {
  if (interpreters_.size() > 4) return;
  griddle_options options = griddle_default_options();
  griddle_console console{};
  console.size = sizeof console;
  console.data = &random;
  if (random.one_in(2)) console.write = console.write_error = ignore_text;
  if (random.one_in(2)) console.read_line = no_line;
  if (random.one_in(2)) console.read_byte = one_byte;
  griddle_file_source files{sizeof files, &random, made_up};
  options.capabilities = random.below(2) * griddle_may_read_clock + random.below(2) * griddle_may_see_environment;
  if (random.one_in(2)) options.console = &console;
  if (random.one_in(2)) options.files = &files;
  options.memory_limit = (std::size_t{8} << random.below(5)) << 20;
  options.time_limit = 0.02;
  if (random.one_in(3)) options.output_limit = random.below(100);
  if (random.one_in(3)) options.step_limit = random.below(5000);
  if (random.one_in(3)) options.depth_limit = random.below(200);
  if (random.one_in(3)) options.stack_bytes = std::size_t{200} << 10;
  options.has_seed = 1;
  options.seed = random.word();
  const griddle_text arguments[] = {text_of("x"), text_of("")};
  options.arguments = arguments;
  options.argument_count = random.below(3);
  options.general_ways = random.one_in(10);
  calls.note("new");
  griddle_failure* why = nullptr;
  griddle_interpreter* bqn = griddle_new(&options, asked(why));
  look_at(why);
  if (bqn == nullptr) return;
  interpreters_.push_back({bqn, true});
  const std::lock_guard lock(target_.mutex);
  target_.bqn = bqn;
}

void World::give_up_interpreter() {
  if (interpreters_.empty()) return;
  const std::size_t k = random.below(interpreters_.size());
  if (!interpreters_[k].held) return;
  calls.note("delete");
  {
    const std::lock_guard lock(target_.mutex);
    if (target_.bqn == interpreters_[k].bqn) target_.bqn = nullptr;
  }
  griddle_delete(interpreters_[k].bqn);
  interpreters_.erase(interpreters_.begin() + static_cast<std::ptrdiff_t>(k));
}

void World::evaluate() {
  const std::string program = any_program(), called = any_name();
  griddle_failure* why = nullptr;
  griddle_interpreter* bqn = any_interpreter();
  calls.note("evaluate", program);
  switch (random.below(6)) {
    case 0: take(griddle_eval_in_session(bqn, text_of(program), text_of(called), asked(why)), why); break;
    case 1: take(griddle_run(bqn, text_of(program), text_of(called), nullptr, 0, asked(why)), why); break;
    case 2: take(griddle_run_file(bqn, text_of("/made/up"), nullptr, 0, asked(why)), why); break;
    case 3: {
      griddle_buffer text = {};
      take(griddle_explain(bqn, text_of(program), random.one_in(4) ? nullptr : &text, asked(why)), why);
      free_of(text);
      break;
    }
    default: take(griddle_eval(bqn, text_of(program), text_of(called), asked(why)), why);
  }
}

void World::name() {
  griddle_failure* why = nullptr;
  calls.note("define, or names");
  switch (random.below(4)) {
    case 0: take(griddle_session_names(any_interpreter(), asked(why)), why); break;
    case 1: take(griddle_system_names(any_interpreter(), asked(why)), why); break;
    default: griddle_define(any_interpreter(), text_of(any_name()), any_value(), asked(why)); look_at(why);
  }
}

void World::limit() {
  griddle_interpreter* bqn = any_interpreter();
  if (bqn == nullptr) return;
  calls.note("limit");
  griddle_failure* why = nullptr;
  switch (random.below(9)) {
    case 0: griddle_interrupt(bqn); break;
    case 1: griddle_clear_interrupt(bqn); break;
    case 2: griddle_stop(bqn); break;
    case 3: griddle_resume(bqn); break;
    case 4:
      griddle_set_deadline(bqn, random.one_in(2) ? 0 : static_cast<double>(random.below(100)) * 1e-4, asked(why));
      look_at(why);
      break;
    case 5: griddle_set_memory_limit(bqn, (std::size_t{8} << random.below(5)) << 20); break;
    case 6: griddle_set_steps(bqn, random.one_in(2) ? ~std::uint64_t{0} : random.below(3000)); break;
    case 7: griddle_taken_ways(bqn).bytes == 0 ? void() : wrong("ways that nobody asked for"); break;
    default:
      must(griddle_should_stop(bqn) <= 1 && griddle_memory_in_use(bqn) < (std::size_t{1} << 40), "senseless");
      griddle_steps_left(bqn);
  }
}

void World::read() {
  const griddle_value v = any_value();
  calls.note("read");
  const griddle_kind kind = griddle_kind_of(v);
  must((kind == griddle_no_value) == (v.interpreter == nullptr), "a value that is none");
  if (kind == griddle_no_value) return;
  griddle_is_text(v);
  griddle_number_of(v);
  griddle_character_of(v);
  std::size_t n = 1;
  for (std::size_t axis = 0; axis < griddle_rank(v); axis++) n *= griddle_shape(v)[axis];
  must(n == griddle_length(v), "a length that is no product");
  constexpr std::size_t bits[] = {1, 8, 16, 32, 64, 8, 16, 32};
  const griddle_type type = griddle_type_of(v);
  if (const auto* elements = static_cast<const unsigned char*>(griddle_elements(v)); elements != nullptr && type < griddle_any) {
    unsigned sum = 0;
    for (std::size_t i = 0; i < (n * bits[type] + 7) / 8; i++) sum += elements[i];
    must(sum <= 255 * 8 * n + 255, "senseless");
  }
  take(griddle_element(v, random.below(n + 2)), nullptr);
  griddle_failure* why = nullptr;
  take(griddle_field(v, text_of(any_name())), nullptr);
  take(griddle_fields(v, asked(why)), why);
}

void World::copy_out() {
  const griddle_value v = any_value();
  if (v.interpreter == nullptr) return;
  const griddle_type type = types[random.below(std::size(types))];
  calls.note("copy");
  // Exactly as much memory as is needed.
  constexpr std::size_t bits[] = {1, 8, 16, 32, 64, 8,  16, 32, 8 * sizeof(griddle_value), 0, 0, 0, 0, 0, 0,
                                  0, 8, 8,  16, 32, 64, 64, 32};
  const std::size_t n = griddle_length(v), bytes = type == griddle_bit ? (n + 63) / 64 * 8 : n * bits[type] / 8;
  std::vector<std::uint64_t> to(bytes / 8 + 1);
  griddle_failure* why = nullptr;
  const int copied = griddle_copy(v, type, to.data(), asked(why));
  look_at(why);
  if (copied != 0 && type == griddle_any)
    for (std::size_t i = 0; i < n; i++) griddle_release(reinterpret_cast<const griddle_value*>(to.data())[i]);
}

void World::show() {
  calls.note("show");
  griddle_failure* why = nullptr;
  switch (random.below(3)) {
    case 0: free_of(griddle_text_of(any_value(), asked(why))); break;
    case 1: free_of(griddle_format(any_value())); break;
    default: free_of(griddle_source(any_value(), asked(why)));
  }
  look_at(why);
}

void World::call() {
  griddle_failure* why = nullptr;
  calls.note("call");
  switch (random.below(5)) {
    case 0: take(griddle_call2(any_value(), any_value(), any_value(), asked(why)), why); break;
    case 1: take(griddle_derive(any_value(), any_value(), any_value(), asked(why)), why); break;
    case 2:
      griddle_match(any_value(), any_value(), asked(why));
      look_at(why);
      break;
    default: take(griddle_call(any_value(), any_value(), asked(why)), why);
  }
}

void World::serialise() {
  griddle_failure* why = nullptr;
  calls.note("serialise and back");
  const griddle_value v = any_value();
  const griddle_buffer bytes = griddle_serialise(v, asked(why));
  look_at(why);
  if (bytes.data != nullptr) serialised_.assign(1, std::string(bytes.data, bytes.bytes));
  griddle_free(bytes);
  if (serialised_.empty()) return;
  std::string changed = serialised_.front();
  if (random.one_in(2)) changed.resize(random.below(changed.size() + 1));
  while (!changed.empty() && random.one_in(2)) changed[random.below(changed.size())] = static_cast<char>(random.word());
  why = nullptr;
  take(griddle_deserialise(any_interpreter(), changed.data(), changed.size(), asked(why)), why);
}

void World::share() {
  const griddle_value v = any_value();
  calls.note("share");
  if (v.interpreter != nullptr) take(griddle_share(v), nullptr);
}

void World::release() {
  if (values_.empty() || depth_ > 0) return;
  const std::size_t k = random.below(values_.size());
  calls.note("release");
  const griddle_value v = values_[k];
  values_[k] = values_.back();
  values_.pop_back();
  griddle_release(v);
}

void World::import() {
  griddle_failure* why = nullptr;
  calls.note("import");
  take(griddle_import(any_interpreter(), any_value(), asked(why)), why);
}

void World::fail() {
  calls.note("make a failure");
  look_at(random.one_in(2) ? griddle_make_failure(text_of(any_program())) : griddle_make_failure_of(any_value()));
}

const std::vector<World::Act> World::acts = {
    &World::make_interpreter,
    &World::evaluate,
    &World::evaluate,
    &World::evaluate,
    &World::name,
    &World::limit,
    &World::read,
    &World::read,
    &World::copy_out,
    &World::show,
    &World::call,
    &World::call,
    &World::call,
    &World::call,
    &World::make_atom,
    &World::make_array,
    &World::make_array,
    &World::borrow,
    &World::make_namespace,
    &World::make_function,
    &World::make_function,
    &World::serialise,
    &World::tensor,
    &World::column,
    &World::share,
    &World::release,
    &World::import,
    &World::fail,
};

void World::step() {
  if (interpreters_.empty()) make_interpreter();
  // Seldom, and not among calls of the interpreter itself.
  if (depth_ == 0 && random.one_in(80)) return give_up_interpreter();
  // What a call has got may not be released before it is done.
  while (depth_ == 0 && values_.size() > 60) release();
  (this->*random.of(acts))();
}

}  // namespace abi_fuzz
