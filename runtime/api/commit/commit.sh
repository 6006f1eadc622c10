#!/bin/sh
# Prints the commit that a folder of sources is at, as runtime/api/commit/commit.h says; fails where the folder is no repository of its
# own, even if it lies inside of one.
set -eu
root=$1
[ -e "$root/.git" ]
commit=$(git -C "$root" rev-parse --short=12 HEAD)
changes=$(git --no-optional-locks -C "$root" status --porcelain --untracked-files=no)
echo "$commit${changes:+-modified}"
