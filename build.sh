#!/bin/sh
# Installs what is missing, configures and builds; ./bqn and ./test call it. Says everything on standard error, reads nothing.
#   build.sh quick     for the instruction set of this machine alone: what answers soonest, and what development builds
#   build.sh full      the product: all instruction sets, by a profile with g++, with the CUDA plug-in where there is nvcc
#   build.sh sanitize  for this machine, with AddressSanitizer and UndefinedBehaviorSanitizer
#   build.sh verify    for this machine, recounting every reference after each statement
#   build.sh web       for browsers: the folder build/web/page, which any server of files can hand out (docs/browser.md)
# Without a name it is the one that ./bqn runs, quick at first.
#   --tests            builds the tests as well
#   --python           builds the Python package as well
#   --use              makes ./bqn run this build from now on; the first one that is whole needs no asking
# Each lies in a folder of its own in build/. The link build/current names the one that ./bqn runs, build/bqn its executable; they
# change only when a build is whole.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
kind=$(readlink "$root/build/current" || echo quick)
targets=bqn
wants_tests=
wants_use=
wants_python=
while [ $# -gt 0 ]; do
  case $1 in
    quick | full | sanitize | verify | web) kind=$1 ;;
    --tests)
      wants_tests=yes
      targets='bqn tests/unit/unit_tests tests/kernels/kernel_tests tests/gpu/host_plugin.so tests/fuzz/attack_host tests/fuzz/abi_fuzz fuzz_targets tests/fuzz/libfailing_memory.so tests/fuzz/libdisturbed.so tests/fuzz/memory_host embedding_examples' ;;
    --python) wants_python=yes ;;
    --use) wants_use=yes ;;
    *) echo "build.sh: no such build: $1 (quick, full, sanitize, verify, web)" >&2; exit 2 ;;
  esac
  shift
done
directory=$root/build/$kind
if [ "$kind" = web ]; then
  targets=repl/web/page.stamp
  wants_tests='' wants_python=''
  # Debian keeps modules of node where only its own node looks.
  NODE_PATH=${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs
  export NODE_PATH
fi
# An extension of Python is tested as users have it.
if [ -n "$wants_tests" ] && { [ $kind = quick ] || [ $kind = full ]; }; then wants_python=yes; fi
if [ -n "$wants_python" ]; then targets="$targets python"; fi
exec </dev/null >&2

say() { printf 'griddle: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
# A Python for which extensions can be compiled; tests also need NumPy.
has_python() {
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy, os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then return 0; fi
  done
  return 1
}
have_module() { python3 -c "import $1" 2>/dev/null; }
compiles() { printf '#include <%s>\n' "$1" | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1; }

# Lists what is missing, by the names that Debian gives to the packages.
missing_packages() {
  if ! have "${CXX:-c++}"; then echo g++; fi
  if ! have meson; then echo meson; fi
  if ! have ninja; then echo ninja-build; fi
  if ! have pkg-config; then echo pkg-config; fi
  if ! { have pkg-config && pkg-config --exists libhwy; }; then echo libhwy-dev; fi
  if [ "$kind" = web ]; then
    if ! have em++; then echo emscripten; fi
    if ! have node; then echo nodejs; fi
    if ! have python3; then echo python3; fi
    return
  fi
  if ! { have pkg-config && pkg-config --exists libffi; }; then echo libffi-dev; fi
  if ! { have pkg-config && pkg-config --exists libpcre2-32; }; then echo libpcre2-dev; fi
  if ! { have pkg-config && pkg-config --exists zlib; }; then echo zlib1g-dev; fi
  # Makes machine code for one kind of processor.
  if [ "$(uname -sm)" = "Linux x86_64" ] && ! { have pkg-config && pkg-config --exists xbyak; }; then echo libxbyak-dev; fi
  if [ -n "$wants_python" ]; then
    if ! has_python; then echo python3-dev python3-numpy; fi
    if ! { have pkg-config && pkg-config --exists pybind11; }; then echo pybind11-dev; fi
  fi
  if [ -n "$wants_tests" ]; then
    if ! have python3; then echo python3; fi
    if ! have_module pyte && ! ls /usr/lib/python3/dist-packages/pyte >/dev/null 2>&1; then echo python3-pyte; fi
    if ! have make; then echo make; fi
    if [ "$(uname)" = Linux ] && ! have strace; then echo strace; fi
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
      dnf:zlib1g-dev) echo zlib-devel zlib-static ;;
      pacman:zlib1g-dev | brew:zlib1g-dev) echo zlib ;;
      dnf:libpcre2-dev) echo pcre2-devel pcre2-static ;;
      pacman:libpcre2-dev | brew:libpcre2-dev) echo pcre2 ;;
      pacman:libhwy-dev | brew:libhwy-dev) echo highway ;;
      dnf:libxbyak-dev) echo xbyak-devel ;;
      pacman:libxbyak-dev) echo xbyak ;;
      dnf:doctest-dev) echo doctest-devel ;;
      dnf:python3-dev) echo python3-devel ;;
      dnf:pybind11-dev) echo pybind11-devel ;;
      pacman:python3-dev) echo python ;;
      pacman:python3-numpy) echo python-numpy ;;
      pacman:pybind11-dev | brew:pybind11-dev) echo pybind11 ;;
      brew:python3-dev) echo python ;;
      brew:python3-numpy) echo numpy ;;
      pacman:doctest-dev | brew:doctest-dev) echo doctest ;;
      pacman:python3) echo python ;;
      pacman:python3-pyte) echo python-pyte ;;
      *) echo "$package" ;;
    esac
  done
}

install_missing() {
  packages=$(missing_packages | tr '\n' ' ')
  if [ -z "$packages" ]; then return; fi
  if ! have apt-get; then
    say "needs a C++20 compiler (g++ 12 or clang 14, or later), meson, ninja, pkg-config, Highway, libffi, PCRE2, zlib${wants_tests:+, python3, pyte, make, doctest}${wants_python:+, pybind11, NumPy, headers of Python}."
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

# What a build for one machine alone depends on.
processor() { { uname -m; sed -n '/^\(flags\|Features\)/{p;q;}' /proc/cpuinfo; } 2>/dev/null | cksum; }

# A build folder that was moved or copied still points to its old sources, or was made for another processor: start it anew.
configured() {
  [ -f "$directory/build.ninja" ] && grep -qF "\"source\": \"$root\"" "$directory/meson-info/meson-info.json" 2>/dev/null &&
    { [ "$kind" = full ] || [ "$(processor)" = "$(cat "$directory/.processor" 2>/dev/null)" ]; }
}

# Only g++ takes a profile here, of the programs that lie in the tests.
takes_profile() {
  [ -d "$root/tests/programs" ] && "${CXX:-c++}" --version | grep -q 'Free Software Foundation'
}

configure() {
  rm -rf "$directory"
  mkdir -p "$directory"
  say "configuring"
  case $kind in
    quick) set -- -Dtargets=native -Dcuda=disabled ;;
    sanitize)
      # The checks left out would take most of the time. A report shows lines, for which -g1 is enough. Sanitizers make g++ suspect
      # that variables are not set.
      set -- -Dtargets=native -Dcuda=disabled --buildtype=debugoptimized -Doptimization=1 -Ddebug=false \
        -Db_sanitize=address,undefined -Db_lundef=false \
        '-Dcpp_args=-g1 -fno-sanitize=null,alignment,object-size,pointer-overflow -Wno-maybe-uninitialized' ;;
    verify) set -- -Dtargets=native -Dcuda=disabled --buildtype=debugoptimized -Dverify=true ;;
    web) set -- --cross-file "$root/repl/web/emscripten.ini" -Dcuda=disabled -Dpython=disabled -Db_staticpic=false ;;
    full)
      set --
      if takes_profile; then
        : >"$unprofiled"
        set -- -Dprofile=take
      fi ;;
  esac
  if ! meson setup "$@" "$directory" "$root" >"$directory/configuring" 2>&1; then
    cat "$directory/configuring"
    # A half-made build folder would be taken for a configured one.
    rm -f "$directory/build.ninja"
    exit 1
  fi
  processor >"$directory/.processor"
}

# How long a step of ninja takes, compared to others.
weigh() {
  case $1 in
    *cuda*) weight=20 ;;
    *libkernels*) weight=8 ;;
    *"Compiling C++"*) weight=4 ;;
    *) weight=1 ;;
  esac
}

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# Shows the lines of ninja, with the time that has passed and what the rest will take. Its argument is what all steps weigh.
show_progress() {
  began=$(date +%s)
  done_weight=0
  while IFS= read -r line; do
    case $line in
      \[*/*\]\ *)
        weigh "$line"
        done_weight=$((done_weight + weight))
        passed=$(($(date +%s) - began))
        left=
        if [ "$passed" -ge 5 ] && [ "$1" -gt "$done_weight" ]; then
          left=", about $(clock $((passed * ($1 - done_weight) / done_weight))) left"
        fi
        what=${line% with a custom command}
        what=${what##*[ /]}
        printf '%s] %s%s  %s\n' "${line%%]*}" "$(clock $passed)" "$left" "${what#meson-generated_.._}" ;;
      ninja:*) ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

# Brings targets up to date.
compile() {
  message=$1
  shift
  steps=$(ninja -C "$directory" -n "$@" | grep '^\[') || return 0
  say "$message"
  total=0
  while IFS= read -r line; do
    weigh "$line"
    total=$((total + weight))
  done <<STEPS
$steps
STEPS
  # A pipe has the status of its last command: that of ninja goes through a file.
  { if ninja -C "$directory" "$@" 2>&1 9>&-; then : >"$directory/.succeeded"; fi; } | show_progress "$total"
  if ! rm "$directory/.succeeded" 2>/dev/null; then
    say "the build in $directory failed"
    exit 1
  fi
}

# Runs the programs on an executable that notes what they do. A profile serves later builds too: what changes is compiled without.
take_profile() {
  find "$directory" -name '*.gcda' -exec rm -f {} +
  meson configure "$directory" -Dprofile=take
  compile "building an executable to take a profile with" bqn
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

# Once there was one build, in the folder that holds several now.
if [ -f "$root/build/build.ninja" ]; then rm -rf "$root/build"; fi
mkdir -p "$root/build" "$directory"
# There until the profile of a new build folder is taken.
unprofiled=$directory/.unprofiled
if have flock; then
  exec 9>"$root/build/.lock"
  if ! flock -n 9; then
    say "waiting for another build"
    flock 9
  fi
fi
install_missing
if ! configured; then configure; fi
if [ -f "$unprofiled" ]; then take_profile; fi
# What is installed later is looked for once more.
if [ -n "$wants_python" ] && ! ninja -C "$directory" -t query python >/dev/null 2>&1; then
  meson configure "$directory" -Dpython=enabled
fi
# The plug-in for a device is built where the configuration found a CUDA compiler.
plugin=gpu/cuda/libgriddle_cuda.so
if ninja -C "$directory" -t query $plugin >/dev/null 2>&1; then targets="$targets $plugin"; fi
# The stamp bears the time before the build, so that a source changed meanwhile counts as newer.
: >"$directory/.stamp.new"
# shellcheck disable=SC2086
compile "building" $targets
mv "$directory/.stamp.new" "$directory/.stamp"
case $kind in
  quick | full)
    if [ -n "$wants_use" ] || [ ! -e "$root/build/current/.stamp" ]; then
      ln -sfn $kind "$root/build/current"
      ln -sf current/bqn "$root/build/bqn"
      if [ $kind = quick ]; then
        say "built for this machine alone; for programs of many small steps and for GPUs, ./bqn --build full builds the rest (some minutes)"
      fi
    fi ;;
esac
if [ "$kind" = web ]; then
  say "the page lies in $directory/page: any server of files can hand it out, such as: python3 -m http.server -d $directory/page"
fi
