#!/bin/sh
# Makes C++ of the pages of spec/ that )help shows:  pages.sh SPEC-FOLDER OUTPUT DEPENDENCIES
# The pages are those that the index, spec/README.md, names, but for what is about embedding and Python. What is read is written to
# DEPENDENCIES, as make has it.
set -eu
spec=$1 output=$2 dependencies=$3
pages=$(sed -n 's/^| \[[^]]*\](\([^)]*\.md\)) |.*/\1/p' "$spec/README.md" | grep -v -e '^embedding' -e '^python')
[ -n "$pages" ] || { echo "pages.sh: $spec/README.md names no pages" >&2; exit 1; }
{
  echo '#include "repl/help/pages.h"'
  echo 'namespace griddle::repl {'
  echo 'namespace {'
  echo 'constexpr Page pages[] = {'
  for page in README.md $pages; do
    # The line break behind the bracket is not part of the page.
    printf '{"%s", std::string_view(R"~page~(\n' "$page"
    cat "$spec/$page"
    printf ')~page~").substr(1)},\n'
  done
  echo '};'
  echo '}  // namespace'
  echo 'std::span<const Page> spec_pages() { return pages; }'
  echo '}  // namespace griddle::repl'
} > "$output"
{
  printf '%s:' "$output"
  for page in README.md $pages; do printf ' %s' "$spec/$page"; done
  echo
} > "$dependencies"
