#include <doctest/doctest.h>

#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("Headers say the kind of a block, its arguments and when a body is taken") {
  check_parsed({
      {"{F:3}", "f{F: 3}"},
      {"{𝕊:3}", "f{3}"},
      {"{_m:3}", "m{_m: 3}"},
      {"{_c_:3}", "c{_c_: 3}"},
      {"{x:3}", "{3}"},
      {"{F x:x}", "f{1 x=x F: x}"},
      {"{w F x:w}", "f{2 w=w x=x F: w}"},
      {"{𝕨F x:x}", "f{12 x=x F: x}"},
      {"{3:4;𝕩}", "f{1 x=3: 4;𝕩}"},
      {"{⟨a,'k',[q,·]⟩:a}", "f{1 x=[a 'k' >[q ·]]: a}"},
      {"{1‿2:3}", "f{1 x=#1,2: 3}"},
      {"{[1,2]:3}", "f{1 x=>[1 2]: 3}"},
      {"{·:3}", "f{1: 3}"},
      {"{𝕩:3}", "f{1: 3}"},
      {"{f _m:f}", "m{f=f _m: f}"},
      {"{F _m x:F x}", "md{1 f=f x=x _m: (f x)}"},
      {"{w F _c_ g x:g}", "cd{2 w=w f=f g=g x=x _c_: g}"},
      {"{\n 𝕊 𝕩 \n:\n𝕩\n}", "f{1: 𝕩}"},
      {"{𝕊⁼𝕩:𝕩;𝕩}", "f{u: 𝕩;𝕩}"},
      {"{𝕊⁼:𝕩;𝕩}", "f{u*: 𝕩;𝕩}"},
      {"{𝕨𝕊⁼𝕩:𝕩;𝕩}", "f{uw*: 𝕩;𝕩}"},
      {"{w𝕊⁼𝕩:𝕩;𝕩}", "f{uw w=w: 𝕩;𝕩}"},
      {"{𝕨𝕊˜⁼𝕩:𝕩;𝕩}", "f{us: 𝕩;𝕩}"},
      {"{𝕊𝕩:𝕨-𝕩}", "f{1: (- 𝕩)}"},
  });
  check_parsed({
      {"{𝕊:𝕗}", "! The block holds special names that do not fit its kind @ 𝕗"},
      {"{𝕊:1;_m:2}", "! Expected headers of one kind in a block @ _m:"},
      {"{𝕨:1}", "! Special name at the wrong place in a header @ 𝕨"},
      {"{-:3}", "! A primitive may not stand in a header @ -"},
      {"{_m x:3}", "! Expected the operand left of the modifier in a header @ _m"},
      {"{w F:3}", "! Expected a right argument in a header with a left one @ F"},
      {"{𝕊˜⁼𝕩:3}", "! Expected a left argument in a header with ˜⁼ @ 𝕊"},
      {"{𝕩;𝕩:3}", "! A body without header or condition must come last @ 𝕩:3"},
      {"{x:1;2}", "! Body that is never reached @ 2"},
      {"{𝕊𝕩:𝕨}", "! Expected a value at the end (found Nothing) @ 𝕨"},
      {"{𝕊𝕩:𝕎𝕩}", "! 𝕎 may not be called in a body for one argument @ 𝕎"},
      {"{3:𝕨↩4}", "! 𝕨 may not be changed in a body for one argument @ 𝕨"},
      {"{o _m:𝕩}", "! Expected arguments in every header of a modifier that has some @ {o _m:𝕩}"},
      {"{a:b:1}", "! A body may have only one header @ :"},
  });
}
