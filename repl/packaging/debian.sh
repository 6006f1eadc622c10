#!/bin/sh
# Packs an installed tree for Debian:  debian.sh TREE VERSION FOLDER
set -eu
umask 022
tree=$1
version=$2
folder=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/DEBIAN"
cp -R "$tree" "$work/usr"
cd "$work"

# What Debian has elsewhere, or compressed.
if [ -d usr/share/zsh/site-functions ]; then mv usr/share/zsh/site-functions usr/share/zsh/vendor-completions; fi
gzip -9n usr/share/man/man1/bqn.1
documents=usr/share/doc/griddle
rm -f $documents/LICENSE
awk -v date="$(date -R -u -d "@${SOURCE_DATE_EPOCH:-0}")" '
  function sign() { if (open) print "\n -- Griddle maintainers <griddle@localhost>  " date "\n" }
  /^## / { sign(); open = 1; print "griddle (" $2 "-1) unstable; urgency=medium\n"; next }
  !open || /^$/ { next }
  /^- / { print "  * " substr($0, 3); next }
  /^ / { print "  " $0; next }
  { print "  [ " $0 " ]" }
  END { sign() }' "$documents/CHANGELOG.md" | gzip -9n >$documents/changelog.Debian.gz
rm $documents/CHANGELOG.md

echo 'activate-noawait ldconfig' >DEBIAN/triggers
cd - >/dev/null
"$here/debian_pack.sh" "$work" control.in "$version" "$folder"
