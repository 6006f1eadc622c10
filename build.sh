#!/bin/sh
# Installs what is missing, configures and builds; ./bqn and ./test call it. Says everything on standard error, reads nothing.
#   build.sh [--directory NAME] [--tests] [meson setup options …]
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
directory=$root/build
targets=bqn
wants_tests=
while [ $# -gt 0 ]; do
  case $1 in
    --directory) directory=$root/$2; shift 2 ;;
    --tests) wants_tests=yes; targets='bqn tests/unit/unit_tests tests/kernels/kernel_tests tests/gpu/host_plugin.so examples/embed'; shift ;;
    *) break ;;
  esac
done
exec </dev/null >&2

say() { printf 'griddle: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
compiles() { printf '#include <%s>\n' "$1" | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1; }

# Lists what is missing, by the names that Debian gives to the packages.
missing_packages() {
  if ! have "${CXX:-c++}"; then echo g++; fi
  if ! have meson; then echo meson; fi
  if ! have ninja; then echo ninja-build; fi
  if ! have pkg-config; then echo pkg-config; fi
  if ! { have pkg-config && pkg-config --exists libhwy; }; then echo libhwy-dev; fi
  if ! { have pkg-config && pkg-config --exists libffi; }; then echo libffi-dev; fi
  if [ -n "$wants_tests" ]; then
    if ! have python3; then echo python3; fi
    if ! { have "${CXX:-c++}" && compiles doctest/doctest.h; }; then echo doctest-dev; fi
  fi
}

# Translates Debian's package names for another system's installer.
packages_for() {
  for package in $2; do
    case $1:$package in
      dnf:g++) echo gcc-c++ ;;
      pacman:g++ | brew:g++) echo gcc ;;
      dnf:pkg-config | pacman:pkg-config) echo pkgconf ;;
      pacman:ninja-build | brew:ninja-build) echo ninja ;;
      dnf:libhwy-dev) echo google-highway-devel ;;
      dnf:libffi-dev) echo libffi-devel ;;
      pacman:libffi-dev | brew:libffi-dev) echo libffi ;;
      pacman:libhwy-dev | brew:libhwy-dev) echo highway ;;
      dnf:doctest-dev) echo doctest-devel ;;
      pacman:doctest-dev | brew:doctest-dev) echo doctest ;;
      pacman:python3) echo python ;;
      *) echo "$package" ;;
    esac
  done
}

install_missing() {
  packages=$(missing_packages | tr '\n' ' ')
  if [ -z "$packages" ]; then return; fi
  if ! have apt-get; then
    say "needs a C++20 compiler (g++ 12 or clang 14, or later), meson, ninja, pkg-config, Highway, libffi${wants_tests:+, python3, doctest}."
    for installer in dnf:'sudo dnf install' pacman:'sudo pacman -S' brew:'brew install'; do
      if have "${installer%%:*}"; then
        say "install what is missing with: ${installer#*:} $(packages_for "${installer%%:*}" "$packages" | tr '\n' ' ')"
        exit 1
      fi
    done
    say "missing, by Debian's names: $packages"
    exit 1
  fi
  as_root=
  if [ "$(id -u)" != 0 ]; then
    if ! have sudo; then
      say "as root, run: apt-get install --no-install-recommends $packages"
      exit 1
    fi
    as_root=sudo
  fi
  say "installing $packages"
  $as_root apt-get -q update || say "package lists not updated; trying with those at hand"
  # shellcheck disable=SC2086  # several packages are several words
  if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $packages; then
    say "could not install: $packages"
    exit 1
  fi
}

# A build folder that was moved or copied still points to its old sources: start it anew.
configured() {
  [ -f "$directory/build.ninja" ] && grep -qF "\"source\": \"$root\"" "$directory/meson-info/meson-info.json" 2>/dev/null
}

# Plain builds with g++ go by a profile of the programs that lie in the tests.
wants_profile() {
  [ $# = 0 ] && [ -d "$root/tests/programs" ] && "${CXX:-c++}" --version | grep -q 'Free Software Foundation'
}

configure() {
  find "$directory" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf {} +
  say "configuring"
  if wants_profile "$@"; then
    : >"$unprofiled"
    set -- -Dprofile=take
  fi
  if ! meson setup "$@" "$directory" "$root"; then
    # A half-made build folder would be taken for a configured one.
    rm -f "$directory/build.ninja"
    exit 1
  fi
}

# Runs the programs on an executable that notes what they do. A profile serves later builds too: what changes is compiled without.
take_profile() {
  say "building an executable to take a profile with"
  find "$directory" -name '*.gcda' -exec rm -f {} +
  meson configure "$directory" -Dprofile=take
  ninja -C "$directory" bqn 9>&-
  say "taking a profile"
  profile=use
  for program in "$root"/tests/programs/*.bqn; do
    if ! GRIDDLE_DEVICE=cpu "$directory/bqn" "$program" >/dev/null 9>&-; then
      say "no profile: $program failed"
      profile=none
      break
    fi
  done
  meson configure "$directory" -Dprofile=$profile
  rm -f "$unprofiled"
}

mkdir -p "$directory"
# There until the profile of a new build folder is taken.
unprofiled=$directory/.unprofiled
if have flock; then
  exec 9>"$directory/.lock"
  if ! flock -n 9; then
    say "waiting for another build"
    flock 9
  fi
fi
install_missing
if ! configured; then configure "$@"; fi
if [ -f "$unprofiled" ]; then take_profile; fi
# The plug-in for a device is built where the configuration found a CUDA compiler.
plugin=gpu/cuda/libgriddle_cuda.so
if ninja -C "$directory" -t query $plugin >/dev/null 2>&1; then targets="$targets $plugin"; fi
# The stamp bears the time before the build, so that a source changed meanwhile counts as newer.
: >"$directory/.stamp.new"
# shellcheck disable=SC2086
if ! ninja -C "$directory" -n $targets | grep -q 'no work to do'; then
  say "building"
  # shellcheck disable=SC2086
  ninja -C "$directory" $targets 9>&-
fi
mv "$directory/.stamp.new" "$directory/.stamp"
