#!/bin/sh
# Packs the Python package of a finished build for Debian:  debian_python.sh BUILD VERSION FOLDER
set -eu
umask 022
build=$1
version=$2
folder=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/DEBIAN"
packages=usr/lib/python3/dist-packages
python3 "$here/../../runtime/python/backend.py" tree "$build" "$work/$packages"
cd "$work"
documents=usr/share/doc/python3-griddle
mkdir -p $documents
cp "$here/copyright" $documents/copyright
rm "$packages"/griddle-*.dist-info/LICENSE "$packages"/griddle-*.dist-info/RECORD

# The extension is for one version of Python.
minor=$(ls "$packages"/griddle/_griddle.cpython-3*.so | sed 's/.*cpython-3\([0-9]*\)-.*/\1/')
chmod -R u+w,go-w,a+rX .
# shellcheck disable=SC2046  # no name here has blanks
depends="$("$here/depends.sh" $(find usr/lib -name '*.so' -type f)), python3 (>= 3.$minor~), python3 (<< 3.$((minor + 1))), python3-numpy"
sed -e "s/@version@/$version/" -e "s/@architecture@/$architecture/" -e "s/@depends@/$depends/" \
  -e "s/@size@/$(du -k -s usr | cut -f 1)/" "$here/control_python.in" >DEBIAN/control
find usr -type f | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums
find . -exec touch -h -d "@${SOURCE_DATE_EPOCH:-0}" {} +
cd - >/dev/null
package=$folder/python3-griddle_$version-1_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$work" "$package" >/dev/null
echo "packed $package, which depends on $depends" >&2
