#!/bin/sh
# Packs the Python package of a finished build for Debian:  debian_python.sh BUILD VERSION FOLDER
set -eu
umask 022
build=$1
version=$2
folder=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packages=usr/lib/python3/dist-packages
python3 "$here/../../runtime/python/backend.py" tree "$build" "$work/$packages"
cd "$work"
documents=usr/share/doc/python3-griddle
mkdir -p $documents
cp "$here/copyright" $documents/copyright
rm "$packages"/griddle-*.dist-info/LICENSE "$packages"/griddle-*.dist-info/RECORD

# The extension is for one version of Python.
minor=$(ls "$packages"/griddle/_griddle.cpython-3*.so | sed 's/.*cpython-3\([0-9]*\)-.*/\1/')
cd - >/dev/null
"$here/debian_pack.sh" "$work" control_python.in "$version" "$folder" "python3 (>= 3.$minor~), python3 (<< 3.$((minor + 1))), python3-numpy"
