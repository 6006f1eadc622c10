#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

// The plug-in of the host has no kernel for rows whose length 5 divides.
TEST_CASE("folds of rows are computed with what follows them") {
  OnDevice device;
  for (const char* table : {"x←0.25×20‿24⥊1009|7919×↕480", "x←0.25×20‿25⥊1009|7919×↕500", "x←20‿24⥊1009|7919×↕480",
                            "x←20‿25⥊(1009|7919×↕500)-500", "x←4‿5‿24⥊1009|7919×↕480", "x←20‿24⥊500<1009|7919×↕480"})
    for (const char* program : {"{(𝕩-⌊´𝕩)÷1+(⌈´𝕩)-⌊´𝕩}⎉1 x", "{e÷1+⌈´e←𝕩-⌊´𝕩}⎉1 x", "{(e+1)÷2+⌈´e←(|𝕩-⌊´𝕩)×2}⎉1 x", "+´⎉1 2×x",
                                "⌈´⎉1 x-3", "(+´÷≠)⎉1 x", "{(⌈´𝕩)-⌊´𝕩}⎉1 x", "{𝕩=⌈´𝕩}⎉1 x", "{⌈´|𝕩-(+´𝕩)÷≠𝕩}⎉1 x", "1+2×⌊´⎉1 x×x",
                                "{𝕩×+´(𝕩-⌊´𝕩)>3}⎉1 x", "{(⌈´𝕩)+(⌊´𝕩)×𝕩-⌈´𝕩}⎉1 x"})
      device.agree_there((std::string(table) + " ⋄ " + program).c_str());
}

TEST_CASE("folds of rows that a program keeps are computed once") {
  OnDevice device;
  for (const char* program :
       {"x←0.25×20‿24⥊1009|7919×↕480 ⋄ m←⌈´˘x ⋄ ⟨m,m-x,m⊏˜⍒m⟩", "x←20‿24⥊1009|7919×↕480 ⋄ s←+´˘x ⋄ ⟨x÷s,s×2,+´s,∧s⟩",
        "x←20‿24⥊1009|7919×↕480 ⋄ s←2×+´˘x ⋄ ⟨x+s,x-s,s⟩", "x←24‿24⥊1009|7919×↕576 ⋄ s←+´˘x ⋄ x+˘s",
        "x←24‿24⥊1009|7919×↕576 ⋄ +´˘x÷+´˘x", "x←6‿4‿6⥊1009|7919×↕144 ⋄ +´⎉1 +´⎉1 x", "x←6‿4‿6⥊1009|7919×↕144 ⋄ x×⌈´⎉1 +´⎉1 x",
        "{𝕊 i: +´˘i+12‿24⥊1009|7919×↕288}¨↕12", "x←20‿24⥊1009|7919×↕480 ⋄ (⌽+´˘x)+⌈´˘x", "x←20‿24⥊1009|7919×↕480 ⋄ (+´˘x)+↕20",
        "x←20‿24⥊1009|7919×↕480 ⋄ x×(+´˘x)-↕20", "x←20‿24⥊1009|7919×↕480 ⋄ (1⌽˘x)×+´˘x", "x←3‿9000⥊1009|7919×↕27000 ⋄ x-⌈´˘x"})
    device.agree_there(program);
}

TEST_CASE("what a chain computes twice it computes once") {
  OnDevice device;
  for (const char* program : {"x←0.25×20‿24⥊1009|7919×↕480 ⋄ {(2×𝕩-⌊´𝕩)÷1+⌈´2×𝕩-⌊´𝕩}˘x", "x←0.5+↕500 ⋄ ((x×x-1)+3)×(x×x-1)-4",
                              "x←0.5+↕500 ⋄ a←x×x-1 ⋄ b←x×x-1 ⋄ ⟨a+b×a-b,a,b⟩", "x←0.5+↕500 ⋄ ((x×x-1)×x×x-1)-(x×x-1)÷x+x"})
    device.agree_there(program);
}

TEST_CASE("folds of columns are computed with what leads to them") {
  OnDevice device;
  for (const char* table : {"x←0.25×20‿24⥊1009|7919×↕480", "x←20‿25⥊(1009|7919×↕500)-500", "x←4‿5‿24⥊1009|7919×↕480"})
    for (const char* program :
         {"+˝2×x", "⌈˝(x-3)×x", "⌊˝x×≠x", "+˝3<x", "+˝x×x-⌊´⥊x", "+˝x÷1+⌈´⎉1 x", "y←x×x ⋄ ⟨+˝y,y⟩", "+˝x×(≠x)↑↕20", "+˝x+1⌽x"})
      device.agree_there(std::string(table) + " ⋄ " + program);
}
