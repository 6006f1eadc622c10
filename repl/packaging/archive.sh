#!/bin/sh
# Packs an installed tree as an archive that runs from any folder:  archive.sh TREE VERSION FOLDER
set -eu
umask 022
tree=$1
version=$2
folder=$3
here=$(dirname -- "$0")
name=griddle-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$tree" "$work/$name"
cp "$here/../../LICENSE" "$here/../../CHANGELOG.md" "$work/$name"
glibc=$(objdump -p "$tree/bin/bqn" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1)
sed "s/@glibc@/${glibc#GLIBC_}/" "$here/README.archive" >"$work/$name/README"
tar -c -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+w,go-w,a+rX --mtime="@${SOURCE_DATE_EPOCH:-0}" "$name" |
  gzip -9n >"$folder/$name.tar.gz"
echo "packed $folder/$name.tar.gz" >&2
