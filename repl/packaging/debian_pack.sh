#!/bin/sh
# Packs what lies in FOLDER/usr for Debian:  debian_pack.sh FOLDER CONTROL VERSION DESTINATION [DEPENDS]
# CONTROL describes the package; DEPENDS is what it depends on beside the packages of the libraries that its programs need.
set -eu
umask 022
work=$1
control=$2
version=$3
destination=$4
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
architecture=$(dpkg --print-architecture)
cd "$work"
mkdir -p DEBIAN
chmod -R u+w,go-w,a+rX .
# shellcheck disable=SC2046  # no name here has blanks
depends=$("$here/depends.sh" $(find usr -type f \( -name '*.so*' -o -path 'usr/bin/*' \)))${5:+, $5}
sed -e "s/@version@/$version/" -e "s/@architecture@/$architecture/" -e "s/@depends@/$depends/" \
  -e "s/@size@/$(du -k -s usr | cut -f 1)/" "$here/$control" >DEBIAN/control
find usr -type f | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums
find . -exec touch -h -d "@${SOURCE_DATE_EPOCH:-0}" {} +
cd - >/dev/null
package=$destination/$(sed -n 's/^Package: //p' "$work/DEBIAN/control")_$version-1_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$work" "$package" >/dev/null
echo "packed $package, which depends on $depends" >&2
