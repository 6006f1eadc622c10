#!/bin/sh
# Prints what a Debian package of some programs depends on:  depends.sh FILE…
# Programs name the libraries that they need and versions of their symbols; the lists that dpkg keeps of installed libraries say
# which package has each, and from which version on.
set -eu
export LC_ALL=C
# Lines `library` and `library version`.
needed=$(for file; do objdump -p "$file"; done | awk '
  /^ *NEEDED / { print $2 }
  /required from / { library = $3; sub(/:$/, "", library) }
  /^ *0x[0-9a-f]+ 0x[0-9a-f]+ [0-9]+ / { print library, $4 }' | sort -u)
architecture=$(dpkg --print-architecture)
# Lines `package least-version`; of a library that no package has, an error.
found=$(printf '%s\n' "$needed" | awk '
  FNR == NR { wanted[$0] = 1; next }
  /^[^ |*]/ { library = $1; package = $2; if (library in wanted) { print package, "0"; found[library] = 1 }; next }
  /^ / { split($1, symbol, "@"); if (symbol[1] == symbol[2] && (library " " symbol[1]) in wanted) print package, $2 }
  END {
    for (name in wanted)
      if (name !~ / / && !(name in found)) { print "depends.sh: no package has " name >"/dev/stderr"; exit 1 }
  }' - /var/lib/dpkg/info/*":$architecture.symbols")
printf '%s\n' "$found" | sort -k1,1 -k2,2V | awk '
    { least[$1] = $2 }
    END { for (package in least) print package (least[package] == "0" ? "" : " (>= " least[package] ")") }' |
  sort | awk '{ printf "%s%s", separator, $0; separator = ", " } END { print "" }'
