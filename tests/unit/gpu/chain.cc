#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("functions that a program uses at several places of one chain run with it") {
  OnDevice device;
  for (const char* program :
       {"x←0.5+1009|7919×↕500 ⋄ {𝕩×1.01-0.02×1+𝕩+0.5×𝕩-0.25×𝕩} 1+x×3", "x←0.5+1009|7919×↕500 ⋄ {𝕩×𝕩-1}⍟3 x-2×x",
        "x←0.5+1009|7919×↕500 ⋄ a←1+2×x ⋄ b←3-x×x ⋄ (a×b)+(a-b)×a÷b", "x←1009|7919×↕500 ⋄ {(𝕩-7)×9|𝕩+𝕩×2}⍟2 x+1",
        "x←0.5+↕500 ⋄ a←x×x-1 ⋄ (a-⌊a)÷1+a×a", "x←0.5+↕500 ⋄ a←x×x-1 ⋄ +´(a-⌊a)÷1+a×a",
        "x←0.5+↕500 ⋄ a←x×x-1 ⋄ b←a×a-1 ⋄ c←b×b-1 ⋄ d←c×c-1 ⋄ (a+b×c)-d×(a-c)÷b+d"})
    device.agree_there(program);
}

TEST_CASE("what programs want of a chain besides is run once") {
  OnDevice device;
  for (const char* program :
       {"x←0.5+↕500 ⋄ a←x×1+x-2 ⋄ b←a×2 ⋄ c←a-3 ⋄ ⟨b,c,a⟩", "x←0.5+↕500 ⋄ a←x×1+x-2 ⋄ b←a×2 ⋄ s←+´b ⋄ ⟨s,b-a⟩",
        "x←0.5+↕500 ⋄ {a←𝕩×1+𝕩-2 ⋄ ⟨a×2,a-3⟩}x", "x←0.5+↕500 ⋄ near←4≥x+x×x ⋄ ⟨near×x-1,near×x+2×x,3+near⟩"})
    device.agree_there(program);
}

TEST_CASE("chains that grow by what they share end in time") {
  OnDevice device;
  device.agree_there("x←1+(↕500)÷1000 ⋄ {𝕩×2-𝕩}⍟40 x");
  device.agree_there("x←7|↕500 ⋄ {7|𝕩×1+𝕩+2}⍟40 x");
}

TEST_CASE("chains of functions in a row are cut where steps, inputs or constants are too many") {
  OnDevice device;
  for (const char* program :
       {"x←0.5+7|↕500 ⋄ {0.5+0.99×𝕩}⍟22 x", "x←0.5+7|↕500 ⋄ {0.5+0.99×𝕩}⍟60 x", "x←7|↕500 ⋄ {¬𝕩=3}⍟50 x",
        "x←0.5+7|↕500 ⋄ l←{(⌽𝕩⌽↕500)⊏x}¨↕9 ⋄ -´l", "x←0.5+7|↕500 ⋄ l←{(⌽𝕩⌽↕500)⊏x}¨↕14 ⋄ -´l",
        "x←0.5+7|↕500 ⋄ l←{(⌽𝕩⌽↕500)⊏x}¨↕14 ⋄ {𝕩×1.5-𝕩}{𝕨-2×𝕩}´l", "x←0.5+7|↕500 ⋄ l←⟨x⟩ ⋄ {l∾↩<r←0.5+𝕩 ⋄ r}⍟30 x ⋄ l"})
    device.agree_there(program);
}

// The plug-in of the host has no kernel for outputs whose length 5 divides.
TEST_CASE("what others hold of a chain is stored by the kernel that computes it") {
  OnDevice device;
  for (const char* n : {"503", "500"})
    for (const char* program :
         {"a←x×1+x-2 ⋄ b←a×2 ⋄ ⟨b-a,a,b⟩", "a←x×1+x-2 ⋄ b←a×3 ⋄ c←b-a ⋄ d←c×a+b ⋄ ⟨d,+´c,a,b⟩", "a←x>3 ⋄ b←a×x ⋄ ⟨b÷1+a,a,b⟩",
          "Step←{p‿q‿n: u←p×p ⋄ v←q×q ⋄ near←4≥u+v ⋄ ⟨near×x+u-v,near×x+2×p×q,n+near⟩} ⋄ Step⍟15⟨0×x,0×x,0×x⟩",
          "Step←{p‿q: ⟨p+0.01×q,q-0.01×p⟩} ⋄ Step⍟40⟨x,x-1⟩", "i←↕≠x ⋄ a←i×2+i ⋄ b←a-i ⋄ c←b×x ⋄ ⟨c+a,c,b,a⟩",
          "a←x×x-1 ⋄ b←x×x-1 ⋄ c←a+b×a-b ⋄ ⟨c×c-a,c,b,a⟩"})
      device.agree_there("x←0.5+7|↕" + std::string(n) + " ⋄ " + program);
}
