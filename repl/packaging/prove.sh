#!/bin/sh
# Tries the packages in a bare Debian, where nothing else is installed:  prove.sh VERSION FOLDER
# Takes Debian from where apt of this machine does; needs root and debootstrap.
set -eu
version=$1
folder=$2
suite=bookworm
here=$(basename -- "$0")

say() { printf '%s: %s\n' "$here" "$*" >&2; }
stop() { say "$@"; exit 1; }

[ "$(id -u)" = 0 ] || stop "only root can make a bare Debian"
command -v debootstrap >/dev/null || stop "debootstrap is not installed"
source=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(SITE)' 'Created-By: Packages' |
  awk -v suite="$suite" '$1 == suite && $2 == "main" { print $3; exit }')
[ -n "$source" ] || stop "apt of this machine knows no Debian $suite"
for scheme in http https; do
  proxy=$(apt-config shell proxy "Acquire::$scheme::Proxy" | sed "s/^proxy='\(.*\)'$/\1/")
  if [ -n "$proxy" ]; then export "${scheme}_proxy=$proxy"; fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
say "making a bare Debian $suite"
debootstrap --variant=minbase "$suite" "$work/bare" "$source" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; stop "that failed"; }

# Runs a command in the bare system, without anything of this environment, and compares what it prints.
expect() {
  wanted=$1
  shift
  got=$(chroot "$work/bare" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin "$@" 2>&1) || true
  [ "$got" = "$wanted" ] || stop "$* gave: $got"
  say "$*: $got"
}
code='+´↕10'
name=griddle-$version-linux-$(uname -m)
first="bqn $version (Griddle), commit"

mkdir "$work/bare/opt/anywhere"
tar -x -z -C "$work/bare/opt/anywhere" -f "$folder/$name.tar.gz"
expect 45 "/opt/anywhere/$name/bin/bqn" -p "$code"
ln -s "/opt/anywhere/$name/bin/bqn" "$work/bare/usr/local/bin/bqn"
expect 45 bqn -p "$code"
rm -r "$work/bare/opt/anywhere" "$work/bare/usr/local/bin/bqn"

package=$(cd "$folder" && echo griddle_"$version"-1_*.deb)
cp "$folder/$package" "$work/bare/tmp"
chroot "$work/bare" dpkg -i "/tmp/$package" >"$work/log" 2>&1 || { cat "$work/log" >&2; stop "dpkg -i failed"; }
expect 45 bqn -p "$code"
expect "$first" sh -c "bqn --version | head -n 1 | cut -d ' ' -f 1-4"
expect "install ok installed" dpkg-query -W -f '${Status}' griddle
expect "" dpkg --verify griddle
expect "" sh -c 'find /usr/lib -name "libgriddle*.so*" -exec ldd {} + | grep "not found"'
chroot "$work/bare" dpkg -r griddle >/dev/null
expect "" sh -c 'find / -xdev -path /proc -prune -o -name "*griddle*" -print | grep -v -e /tmp/ -e /var/lib/dpkg/'

# The Python package, for which apt installs Python and NumPy.
package=$(cd "$folder" && echo python3-griddle_"$version"-1_*.deb)
if [ -f "$folder/$package" ]; then
  cp "$folder/$package" "$work/bare/tmp"
  chroot "$work/bare" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "/tmp/$package" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; stop "apt-get install failed"; }
  expect "45 [9. 7.]" python3 -c "import griddle, numpy; print(griddle.eval('$code'), griddle.eval('⌽', numpy.array([7.0, 9.0])))"
fi
say "the packages work where nothing else is installed"
