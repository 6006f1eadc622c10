// Random programs: lines that go for the corners of the interface, random tokens, and others cut and joined.
#include <cstring>

#include "tests/fuzz/abi_world.h"

namespace abi_fuzz {

namespace {

const char* const lines[] = {"↕10",
                             "2‿3⥊↕6",
                             "\"text\"",
                             "'c'",
                             "@",
                             "⟨⟩",
                             "\"\"",
                             "⟨1,\"ab\",⟨'c',π⟩⟩",
                             "+",
                             "+´",
                             "⌽∘⍉",
                             "{𝕩+1}",
                             "{𝕨𝔽𝕩}",
                             "{𝔽𝔾𝕩}",
                             "{𝕊𝕩}",
                             "{a⇐5 ⋄ b⇐\"text\" ⋄ F⇐{𝕩×a}}",
                             "{x⇐↕5,y⇐5⥊0‿1‿1}",
                             "{inner⇐{b⇐↕2},c⇐0‿1}",
                             "{self⇐@ ⋄ Set⇐{self↩𝕩}}",
                             "n←{a⇐0 ⋄ Set⇐{a↩𝕩}} ⋄ n.Set n ⋄ n",
                             "a←⟨⟩ ⋄ F←{a↩⟨F,a⟩ ⋄ 𝕩} ⋄ F 3 ⋄ F",
                             "{⟨𝕩⟩}⍟3000 1",
                             "{a⇐𝕩}⍟3000 ↕3",
                             "{⟨𝕩,1⟩}⍟100 ⟨⟩",
                             "{𝕩∾𝕩}⍟12 \"ab\"",
                             "↕1e9",
                             "⥊⟜0 1e12",
                             "!\"message\"",
                             "!⟨1,\"a\"⟩",
                             "!{𝕩}",
                             "1÷0",
                             "0÷0",
                             "÷⟜0 ¯1‿0‿1",
                             "1e300×1e300",
                             "¯0",
                             "{𝕊 𝕩+1}0",
                             "{𝕊⎊0 𝕩+1}0",
                             "1{𝕩}•_while_{𝕩+1}0",
                             "{𝕩⋄!5}⎊{•CurrentError@}0",
                             "•Out\"line\"",
                             "•Show ⟨1,\"a\"⟩",
                             "•Fmt 3‿3⥊↕9",
                             "•Repr ⟨1,'a',\"b\",+⟩",
                             "•BQN\"1+1\"",
                             "•BQN¨\"1\"‿\"2+\"",
                             "(•ReBQN{repl⇐\"strict\"})¨\"a←1\"‿\"a\"",
                             "•GetLine@",
                             "•Exit 3",
                             "•Import \"x.bqn\"",
                             "•FChars \"x\"",
                             "•FLines \"y\"",
                             "•FBytes \"z\"",
                             "•file.List \".\"",
                             "•args",
                             "•path",
                             "•state",
                             "•wdpath",
                             "•Hash 1‿2",
                             "•rand.Range 10",
                             "(•MakeRand 5).Deal 9",
                             "•HashMap˜ ↕5",
                             "\"k\"‿\"l\" •HashMap 1‿2",
                             "•math.Sin ↕5",
                             "•listsys",
                             "•Source {𝕩}",
                             "•Decompose +´",
                             "•Cmp´ ⟨1,2⟩",
                             "•ns.Keys {a⇐1}",
                             "•MonoTime@",
                             "•internal.Info ↕5",
                             "•_timed 5",
                             "•SH ⟨\"true\"⟩",
                             "(↕5)⌾(2⊸↑)↕9",
                             "10⌾⊑↕3",
                             "⌽⌾(1⊸↓)\"abcd\"",
                             "+`⁼ ↕5",
                             "⍉⁼ 2‿3⥊↕6",
                             "⊏⟜(↕9)⌾(0⊸⊑)3‿4",
                             "⟨⟩≡↕0",
                             "(↕0)≡\"\"",
                             "≡⟜⍉ 3‿3⥊0",
                             "⊔ 3‿1‿¯1‿0‿3",
                             "/ 3‿0‿2",
                             "⍷ \"mississippi\"",
                             "⊐˜ \"mississippi\"",
                             "∊⟜\"is\" \"mississippi\"",
                             "⍋ 3‿1‿2",
                             "∧ \"hello\"",
                             "⥊⌜⟜⥊ ↕3",
                             "3‿0⥊0",
                             "0‿3⥊\"\"",
                             "2‿0‿3⥊⟨⟩",
                             "¯3↑↕2",
                             "5↑\"ab\"",
                             "5↑⟨\"ab\"⟩",
                             "1‿1‿1‿1‿1⥊7",
                             "⋈⍟5 1",
                             "<⍟4 \"x\"",
                             "100⥊0‿1",
                             "1000⥊0‿1‿1",
                             "1e6×↕9",
                             "2⋆↕60",
                             "¯1⋆0.5",
                             "@+↕300",
                             "@+0x1F600",
                             "@+1114111",
                             "@+55296",
                             "\"ñ𝕩😀\"",
                             "\"a\"‿\"\"‿\"ñ𝕩\"",
                             "⟨1,2,\"x\"⟩",
                             "¯2⋆⁼9",
                             "2⋆53",
                             "9007199254740993",
                             "1e¯320",
                             "∞",
                             "¯∞",
                             "∞-∞",
                             "NaN←0÷0 ⋄ NaN≡NaN",
                             "(0÷0)‿1‿∞",
                             "⌊´⟨⟩",
                             "+´⟨⟩",
                             "×´\"\"",
                             "∾⟨⟩",
                             "F←{𝕨-𝕩} ⋄ 5 F 3",
                             "_m←{𝔽𝔽𝕩} ⋄ ⌽_m ↕3",
                             "_c_←{𝔽𝔾𝕩} ⋄ +_c_× 3",
                             "{𝕨?𝕩;0}",
                             "{0:1;𝕩×𝕊𝕩-1}10",
                             "{𝕊a‿b:a+b}3‿4",
                             "a‿b←1‿2 ⋄ b‿a",
                             "⟨a,b⟩⇐{a⇐1⋄b⇐2}",
                             "f←⊢ ⋄ F",
                             "a←1 ⋄ a←2",
                             "a↩2",
                             "a.b",
                             "(",
                             ")",
                             "⟨",
                             "{",
                             "\"",
                             "'",
                             "",
                             "#",
                             "# comment",
                             "⋄⋄",
                             "1‿",
                             "𝕩",
                             "𝕊",
                             "𝕨𝕩"};

const char* const session_lines[] = {"a←↕5",
                                     "a+↩1",
                                     "a",
                                     "b←⟨a,a⟩ ⋄ a↩0",
                                     "F←{𝕩⊣a}",
                                     "F 3",
                                     "F↩{F}",
                                     "H1 5",
                                     "3 H1 a",
                                     "H1¨↕3",
                                     "H1⌜˜↕2",
                                     "⊢_m1 5",
                                     "+_c1_⊢ 3",
                                     "3 +_m1 4",
                                     "a←H1 5 ⋄ b←H1 a ⋄ a‿b",
                                     "H1⎊0 5",
                                     "{H1 𝕩}⎊{•CurrentError@}5",
                                     "H1↩⊢",
                                     "_m1↩{𝔽𝕩}",
                                     "H1 H1 H1 7",
                                     "{H1⍟3 𝕩}4",
                                     "H1´↕4",
                                     "H1`↕4",
                                     "H1⌾⊑↕3",
                                     "H1⁼3",
                                     "v1",
                                     "v1≡v1",
                                     "+´v1",
                                     "⌽v1",
                                     "v1∾v1",
                                     "v1⌾(⊑)v1",
                                     "v1+1",
                                     "•Fmt v1",
                                     "•Repr v1",
                                     "⟨v1,a⟩",
                                     "n←{r⇐@⋄h⇐⟨H1⟩⋄Set⇐{r↩𝕩}} ⋄ n.Set n",
                                     "c←H1 ⋄ c",
                                     "x←1 ⋄ y←H1 2 ⋄ z←3 ⋄ w←H1 4 ⋄ x‿y‿z‿w",
                                     "H1 ⋄ H1",
                                     "•Out H1 \"abc\"",
                                     "⟨H1 1,H1 2,H1 3⟩",
                                     "G←H1∘⊢ ⋄ G 5",
                                     "_M←{𝔽} ⋄ H1 _M",
                                     "{𝕊 H1 𝕩-1}⍟(0⊸<)3",
                                     "↕5",
                                     "⇐",
                                     "q⇐5"};

const char* const tokens[] = {
    "+",  "-", "×", "÷", "⋆", "√",  "⌊",   "⌈",  "|",  "¬",   "∧",    "∨",  "<",   ">",    "≠",      "=",    "≤",
    "≥",  "≡", "≢", "⊣", "⊢", "⥊",  "∾",   "≍",  "⋈",  "↑",   "↓",    "↕",  "«",   "»",    "⌽",      "⍉",    "/",
    "⍋",  "⍒", "⊏", "⊑", "⊐", "⊒",  "∊",   "⍷",  "⊔",  "!",   "˙",    "˜",  "˘",   "¨",    "⌜",      "⁼",    "´",
    "˝",  "`", "∘", "○", "⊸", "⟜",  "⌾",   "⊘",  "◶",  "⎊",   "⎉",    "⚇",  "⍟",   "𝕨",    "𝕩",      "𝕗",    "𝕘",
    "𝕤",  "𝕎", "𝕏", "𝔽", "𝔾", "𝕊",  "←",   "⇐",  "↩",  "(",   ")",    "{",  "}",   "⟨",    "⟩",      "[",    "]",
    "‿",  "·", "⋄", ",", ";", ":",  "?",   "0",  "1",  "2",   "5",    "¯1", "1.5", "∞",    "\"ab\"", "'c'",  "\"\"",
    "⟨⟩", "@", "a", "b", "F", "↕3", "{𝕩}", "v1", "H1", "_m1", "_c1_", " ",  "\n",  "•Fmt", "•Repr",  "\xFF", "\xF0\x9D"};

std::string of_tokens(Random& random) {
  std::string program;
  for (size_t n = 1 + random.below(random.chance(80) ? 10 : 40); n > 0; n--) program += random.among(tokens);
  return program;
}

std::string changed(Random& random, std::string program, const std::vector<std::string>& seeds) {
  for (size_t n = 1 + random.below(3); n > 0 && !program.empty(); n--) {
    const size_t at = random.below(program.size()), length = 1 + random.below(6);
    switch (random.below(5)) {
      case 0: program.resize(at); break;
      case 1: program.erase(at, length); break;
      case 2: program.insert(at, program.substr(at, length)); break;
      case 3: program.insert(at, random.among(tokens)); break;
      default: program.insert(at, random.among(seeds).substr(0, 20));
    }
  }
  return program;
}

}  // namespace

const std::vector<std::string>& known_lines() {
  static const std::vector<std::string> known(std::begin(lines), std::end(lines));
  return known;
}

std::string random_program(Random& random, const std::vector<std::string>& seeds) {
  switch (random.below(8)) {
    case 0: return of_tokens(random);
    case 1:
    case 2: return changed(random, random.among(seeds), seeds);
    case 3: return random.among(known_lines()) + "\n" + random.among(seeds);
    case 4: return random.among(seeds);
    default: return random.among(known_lines());
  }
}

std::string random_session_line(Random& random, const std::vector<std::string>& seeds) {
  if (random.chance(30)) return random_program(random, seeds);
  std::string line = random.among(session_lines);
  if (random.chance(20)) line += std::string("\n") + random.among(session_lines);
  return random.chance(15) ? changed(random, line, seeds) : line;
}

}  // namespace abi_fuzz
