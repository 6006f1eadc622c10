// The commit that this was built from. It stands in a file of its own, so that a commit compiles nothing else anew.
#pragma once

namespace griddle {

// 12 digits, with "-modified" where the sources differed from the commit; "unknown" where they lay in no repository.
extern const char* const built_from;

}  // namespace griddle
