#include "runtime/system/patterns/regular_expression.h"

#include <algorithm>

#include "runtime/value/namespace.h"

#ifdef GRIDDLE_HAS_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 32
#include <pcre2.h>
#endif

namespace griddle {

RegexOptions regex_options(Context& cx, const Function& self, const Value& w) {
  RegexOptions options;
  if (w.is_absent()) return options;
  struct Switch {
    const char* name;
    bool RegexOptions::*member;
  };
  constexpr Switch switches[] = {{"caseless", &RegexOptions::ignores_case}, {"multiline", &RegexOptions::is_multiline},
                                 {"dotall", &RegexOptions::dot_takes_all},  {"extended", &RegexOptions::is_extended},
                                 {"ungreedy", &RegexOptions::is_ungreedy},  {"ascii", &RegexOptions::is_ascii},
                                 {"literal", &RegexOptions::is_literal}};
  const Namespace& given = namespace_argument(cx, self, w, "𝕨");
  for (const FieldTable::Field& f : given.table->fields) {
    const Value& v = given.environment->slots()[f.slot];
    if (f.name == "steps") {
      options.most_steps = natural_argument(cx, self, v, "The option steps");
      if (options.most_steps == 0) fail_in(cx, self, "The option steps must be above 0");
      continue;
    }
    const auto* const found = std::ranges::find_if(switches, [&](const Switch& s) { return f.name == s.name; });
    if (found == std::end(switches)) fail_in(cx, self, "There is no option with this name (" + f.spelling + ")");
    options.*found->member = boolean_argument(cx, self, v, ("The option " + f.name).c_str());
  }
  return options;
}

RegexText::RegexText(Context& cx, const Function& self, const Value& x, const char* which) : text_(x) {
  if (!is_string(x)) fail_in(cx, self, std::string(which) + " must be a string (got a " + kind_text(x) + ")");
  size_ = x.array().length;
  if (size_ == 0) {
    text_ = to_value(make_list(cx.heap, ElementType::c8, 0));
    return;
  }
  if (!is_character(x.array().type())) text_ = narrowed(cx.heap, text_);
  wide_ = widened(cx.heap, text_, ElementType::c32);
  data_ = wide_.array().as<char32_t>();
}

Value RegexText::piece(Heap& heap, std::size_t start, std::size_t length) const {
  return length == 0 ? to_value(make_list(heap, ElementType::c8, 0)) : slice(heap, text_, start, length);
}

HeapVector<char32_t> RegexText::escaped(Heap& heap) const {
  constexpr std::u32string_view signs = U"\\^$.[]|()?*+{}-# \t\n\v\f\r&~";
  HeapVector<char32_t> out(heap);
  for (const char32_t c : view()) {
    if (signs.find(c) != signs.npos) out.push_back(U'\\');
    out.push_back(c);
  }
  return out;
}

#ifdef GRIDDLE_HAS_PCRE2

namespace {

// As many steps as take some tenths of a second: a pattern that needs more of them mostly needs exponentially many.
constexpr std::uint64_t usual_steps = 10'000'000;
// A match of more steps begins again with more, after a look at whether it is wanted any more.
constexpr std::uint64_t first_steps = 100'000, more_steps = 10;
// What a match without machine code may need to come back to.
constexpr std::uint32_t most_kilobytes = 256 << 10;
constexpr std::size_t least_stack = std::size_t{32} << 10, most_stack = std::size_t{8} << 20;

// The library asks for its memory here, and passes on no exceptions.
void* allocate_for_pcre2(std::size_t bytes, void* heap) {
  try {
    return static_cast<Heap*>(heap)->allocate(std::max<std::size_t>(bytes, 1));
  } catch (const OutOfMemory&) {
    return nullptr;
  }
}
void free_for_pcre2(void* memory, void*) {
  if (memory != nullptr) Heap::free(memory);
}

template <class Pointer>
Pointer* there(Pointer* made, std::size_t bytes) {
  if (made == nullptr) throw OutOfMemory(bytes);
  return made;
}

std::uint32_t flags_of(const RegexOptions& options) {
  return PCRE2_NEVER_UTF | (options.is_ascii ? 0u : PCRE2_UCP) | (options.ignores_case ? PCRE2_CASELESS : 0u) |
         (options.is_multiline ? PCRE2_MULTILINE : 0u) | (options.dot_takes_all ? PCRE2_DOTALL : 0u) |
         (options.is_extended ? PCRE2_EXTENDED : 0u) | (options.is_ungreedy ? PCRE2_UNGREEDY : 0u);
}

std::string message_of(int code) {
  PCRE2_UCHAR32 message[256];
  const int length = pcre2_get_error_message_32(code, message, std::size(message));
  return std::string(message, message + std::max(length, 0));
}

// Fails with the message of the library, and the line of the pattern with a caret where it got stuck.
[[noreturn]] void fail_pattern(Context& cx, const Function& self, const RegexText& pattern, int code, std::size_t place) {
  if (code == PCRE2_ERROR_HEAP_FAILED) throw OutOfMemory(pattern.size());
  std::string message = message_of(code);
  if (!message.empty() && message[0] >= 'a' && message[0] <= 'z') message[0] = static_cast<char>(message[0] - 'a' + 'A');
  const std::u32string_view text = pattern.view();
  place = std::min(place, text.size());
  const std::size_t before = text.substr(0, place).rfind(U'\n');
  const std::size_t start = before == text.npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find(U'\n', place), text.size());
  message += " (character " + std::to_string(place + 1) + " of the pattern)\n  ";
  message += string_argument(cx, self, pattern.piece(cx.heap, start, end - start));
  message += "\n  " + std::string(place - start, ' ') + "^";
  fail_in(cx, self, message);
}

}  // namespace

Ref<RegularExpression> RegularExpression::compile(Context& cx, const Function& self, const Value& pattern,
                                                  const RegexOptions& options) {
  const RegexText text(cx, self, pattern, "The pattern");
  // The library's own way for literal text has no cases but those of ASCII.
  HeapVector<char32_t> literal(cx.heap);
  if (options.is_literal) literal = text.escaped(cx.heap);
  const std::u32string_view read = options.is_literal ? std::u32string_view(literal.data(), literal.size()) : text.view();
  Ref<RegularExpression> made = make_native<RegularExpression>(cx.heap, cx.heap);
  made->memory_ = there(pcre2_general_context_create_32(allocate_for_pcre2, free_for_pcre2, &cx.heap), text.size());
  pcre2_compile_context_32* const compiling = there(pcre2_compile_context_create_32(made->memory_), text.size());
  int code = 0;
  std::size_t place = 0;
  made->code_ =
      pcre2_compile_32(reinterpret_cast<PCRE2_SPTR32>(read.data()), read.size(), flags_of(options), &code, &place, compiling);
  pcre2_compile_context_free_32(compiling);
  if (made->code_ == nullptr) fail_pattern(cx, self, text, code, place);
  made->matching_ = there(pcre2_match_context_create_32(made->memory_), text.size());
  pcre2_set_heap_limit_32(made->matching_, most_kilobytes);
  // Where the system allows no new machine code, matching goes without. That of the library compares cases of what a group
  // matched before, as \1 does, in ASCII alone.
  std::uint32_t references = 0;
  pcre2_pattern_info_32(made->code_, PCRE2_INFO_BACKREFMAX, &references);
  if (references == 0 || options.is_ascii) pcre2_jit_compile_32(made->code_, PCRE2_JIT_COMPLETE);
  made->most_steps_ = options.most_steps == 0 ? usual_steps : std::min<std::uint64_t>(options.most_steps, ~std::uint32_t{0});
  std::uint32_t groups = 0;
  pcre2_pattern_info_32(made->code_, PCRE2_INFO_CAPTURECOUNT, &groups);
  made->group_count_ = groups + std::size_t{1};
  made->find_names();
  return made;
}

RegularExpression::~RegularExpression() {
  pcre2_jit_stack_free_32(stack_);
  pcre2_match_context_free_32(matching_);
  pcre2_code_free_32(code_);
  pcre2_general_context_free_32(memory_);
}

void RegularExpression::find_names() {
  std::uint32_t count = 0, size = 0;
  PCRE2_SPTR32 entry = nullptr;
  pcre2_pattern_info_32(code_, PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info_32(code_, PCRE2_INFO_NAMEENTRYSIZE, &size);
  pcre2_pattern_info_32(code_, PCRE2_INFO_NAMETABLE, &entry);
  // Names are ASCII, as the mode for UTF is off.
  for (std::uint32_t i = 0; i < count; i++, entry += size) {
    std::string name;
    for (PCRE2_SPTR32 c = entry + 1; *c != 0; c++) name += static_cast<char>(*c);
    names_.push_back({std::move(name), entry[0]});
  }
}

RegexSearch::RegexSearch(Context& cx, const Function& self, RegularExpression& expression, const RegexText& text)
    : cx_(cx),
      self_(self),
      expression_(expression),
      text_(text),
      data_(there(pcre2_match_data_create_from_pattern_32(expression.code_, expression.memory_), text.size())),
      steps_(std::min(first_steps, expression.most_steps_)) {}

RegexSearch::~RegexSearch() { pcre2_match_data_free_32(data_); }

int RegexSearch::attempt(std::uint32_t options) {
  for (;;) {
    pcre2_set_match_limit_32(expression_.matching_, static_cast<std::uint32_t>(steps_));
    const int code = pcre2_match_32(expression_.code_, reinterpret_cast<PCRE2_SPTR32>(text_.data()), text_.size(), from_, options,
                                    data_, expression_.matching_);
    cx_.check_interrupt();
    if (code == PCRE2_ERROR_JIT_STACKLIMIT) {
      if (expression_.stack_ == nullptr) {
        expression_.stack_ = there(pcre2_jit_stack_create_32(least_stack, most_stack, expression_.memory_), least_stack);
        pcre2_jit_stack_assign_32(expression_.matching_, nullptr, expression_.stack_);
      } else {
        options |= PCRE2_NO_JIT;  // which keeps what it comes back to in the heap
      }
      continue;
    }
    if (code != PCRE2_ERROR_MATCHLIMIT || steps_ >= expression_.most_steps_) return code;
    steps_ = std::min(steps_ * more_steps, expression_.most_steps_);
  }
}

bool RegexSearch::next() {
  if (from_ > text_.size()) return false;
  const int code = attempt(was_empty_ ? PCRE2_NOTEMPTY_ATSTART : 0);
  if (code == PCRE2_ERROR_NOMATCH) return false;
  if (code == PCRE2_ERROR_NOMEMORY) throw OutOfMemory(text_.size());
  if (code == PCRE2_ERROR_MATCHLIMIT)
    fail_in(cx_, self_, "The match takes more than " + std::to_string(expression_.most_steps_) + " steps: see the option steps");
  if (code == PCRE2_ERROR_HEAPLIMIT)
    fail_in(cx_, self_, "The match needs more than " + std::to_string(most_kilobytes >> 10) + " megabytes");
  if (code < 0) fail_in(cx_, self_, "The match failed: " + message_of(code));
  const Place whole = group(0);
  from_ = whole.start + whole.length;
  was_empty_ = whole.length == 0;
  return true;
}

RegexSearch::Place RegexSearch::group(std::size_t number) const {
  const std::size_t* const ends = pcre2_get_ovector_pointer_32(data_) + 2 * number;
  if (ends[0] == PCRE2_UNSET) return {0, 0, false};
  return {ends[0], ends[1] - ends[0], true};
}

#else

Ref<RegularExpression> RegularExpression::compile(Context& cx, const Function& self, const Value&, const RegexOptions&) {
  fail_in(cx, self, "This build has no regular expressions: PCRE2, as Debian's libpcre2-dev, was not there when it was made");
}
RegularExpression::~RegularExpression() = default;
// Nothing below is reached: there are no expressions.
RegexSearch::RegexSearch(Context& cx, const Function& self, RegularExpression& expression, const RegexText& text)
    : cx_(cx), self_(self), expression_(expression), text_(text), steps_(0) {}
RegexSearch::~RegexSearch() = default;
bool RegexSearch::next() { return false; }
RegexSearch::Place RegexSearch::group(std::size_t) const { return {0, 0, false}; }

#endif

}  // namespace griddle
