#!/bin/sh
# Checks or times the back end on a machine with a device, from a finished build (tests/gpu/README.md):
#   tests/gpu/on_device.sh engine|irregular|agreement|made|example|large|language|unit|sanitize|sweep|times|intervals|samplers|topics [ARGUMENT …]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${GRIDDLE_BUILD_FOLDER:-$root/build/full}
step=$1
shift
export GRIDDLE_CUDA_PLUGIN="$build/gpu/cuda/libgriddle_cuda.so"
on_device() { env GRIDDLE_DEVICE=cuda GRIDDLE_OFFLOAD_FROM=0 "$@"; }
agreement=$root/tests/gpu/agreement.bqn
forms=$root/tests/gpu/forms.bqn

case $step in
  engine) "$build/tests/gpu/engine_tests" "$@" ;;
  irregular) "$build/tests/gpu/irregular_tests" "$@" ;;
  agreement)
    scratch=$(mktemp -d)
    for program in agreement forms narrow equal random; do
      env GRIDDLE_DEVICE=cpu "$build/bqn" "$root/tests/gpu/$program.bqn" "$@" >"$scratch/$program.host" 2>&1 &
    done
    for program in agreement forms narrow equal random; do
      on_device "$build/bqn" "$root/tests/gpu/$program.bqn" "$@" >"$scratch/$program.device" 2>&1
    done
    wait
    cat "$scratch"/*.host >"$scratch/host"
    cat "$scratch"/*.device >"$scratch/device"
    diff -a "$scratch/host" "$scratch/device" | cut -c1-300 | head -60
    echo "not computed on the device:"
    on_device "$build/bqn" "$root/tests/gpu/routes.bqn"
    for program in chain reals products; do on_device "$build/bqn" "$root/tests/gpu/$program.bqn"; done
    GRIDDLE_DEVICE='cuda!' GRIDDLE_OFFLOAD_FROM=0 "$build/bqn" "$root/tests/gpu/stays.bqn"
    echo "$(wc -l <"$scratch/host") lines, $(diff -a "$scratch/host" "$scratch/device" | grep -ac '^<') differ"
    rm -r "$scratch"
    ;;
  # The same by kernels that are made for each chain at once, which takes the compiler long: by many processes at a time.
  made)
    scratch=$(mktemp -d)
    export XDG_CACHE_HOME="$scratch"
    compare() { # NAME PROGRAM ARGUMENT …
      name=$1 program=$root/tests/gpu/$2.bqn
      shift 2
      env GRIDDLE_DEVICE=cpu "$build/bqn" "$program" "$@" >"$scratch/$name.host" 2>&1 || true
      GRIDDLE_CHAINS=made on_device "$build/bqn" "$program" "$@" >"$scratch/$name.made" 2>&1 || true
    }
    compare agreement agreement 4097 &
    compare narrow narrow 4097 &
    kinds='bit i8 i16 i32 f64 c8 c16 c32 few alike up down odd rest'
    for kind in $kinds; do compare "$kind" forms 1000 "$kind" & done
    compare reals reals &
    compare chain chain &
    wait
    for name in agreement narrow $kinds; do diff -a "$scratch/$name.host" "$scratch/$name.made" | cut -c1-300 | head -30; done
    cat "$scratch"/*.made | wc -l
    tail -qn 1 "$scratch/reals.made" "$scratch/chain.made"
    echo "$(find "$scratch/griddle/kernels" -type f | wc -l) kernels made"
    rm -r "$scratch"
    ;;
  # A host with kernels of its own.
  example)
    sed -n 's,^// output: ,,p' "$root/examples/embedding/device_array.cu" >"$build/wanted"
    "$build/examples/embedding/device_array" "$GRIDDLE_CUDA_PLUGIN" "$@" | diff - "$build/wanted" && echo "the example's output is right"
    ;;
  large)
    scratch=$(mktemp -d)
    env GRIDDLE_DEVICE=cpu "$build/bqn" "$root/tests/gpu/large.bqn" "$@" >"$scratch/host" 2>&1 &
    on_device "$build/bqn" "$root/tests/gpu/large.bqn" "$@" >"$scratch/device" 2>&1
    wait
    diff -a "$scratch/host" "$scratch/device" | cut -c1-300 | head -60
    echo "$(wc -l <"$scratch/host") lines, $(diff -a "$scratch/host" "$scratch/device" | grep -ac '^<') differ"
    rm -r "$scratch"
    ;;
  language)
    [ $# -gt 0 ] || set -- unit conformance spec session differential fuzz
    on_device GRIDDLE_TEST_PROCESSES=1 python3 "$root/tests/tools/run_tests.py" --build "$build" "$@"
    ;;
  unit)
    on_device "$build/tests/unit/unit_tests" --no-colors
    on_device "$build/tests/kernels/kernel_tests" --no-colors
    ;;
  # All at once: each takes a core, and the device little of its time.
  sanitize)
    scratch=$(mktemp -d)
    export XDG_CACHE_HOME="$scratch" # costs under a sanitizer are none to keep
    export GRIDDLE_DEVICE_MEMORY=apart # so that it is seen where an array ends
    sanitize() { # NAME TOOL COMMAND …
      name=$1-$2 tool=$2
      shift 2
      compute-sanitizer --tool "$tool" --error-exitcode 1 "$@" >"$scratch/$name" 2>&1 || touch "$scratch/fault"
      echo "$name: $(grep -a SUMMARY "$scratch/$name" | tail -n 1)"
    }
    for tool in memcheck racecheck; do
      sanitize engine $tool "$build/tests/gpu/engine_tests" 20481 &
      sanitize irregular $tool "$build/tests/gpu/irregular_tests" 993 &
    done
    export GRIDDLE_DEVICE=cuda GRIDDLE_OFFLOAD_FROM=0
    for tool in memcheck racecheck; do
      sanitize agreement $tool "$build/bqn" "$agreement" 33 4097 &
      sanitize narrow $tool "$build/bqn" "$root/tests/gpu/narrow.bqn" 33 4097 &
      sanitize equal $tool "$build/bqn" "$root/tests/gpu/equal.bqn" 33 4097 &
      for kind in bit i8 i16 i32 f64 c8 c16 c32 few alike up down odd rest; do
        sanitize "forms-$kind" $tool "$build/bqn" "$forms" 1000 $kind &
      done
      sanitize random $tool "$build/bqn" "$root/tests/gpu/random.bqn" 33 1000 &
      sanitize reals $tool "$build/bqn" "$root/tests/gpu/reals.bqn" &
      sanitize deal $tool "$build/bqn" -e '•Out •Fmt •Hash (•MakeRand 9).Deal 200000' &
    done
    # Long enough for places to be sorted.
    for tool in memcheck racecheck; do
      sanitize places $tool "$build/bqn" -e 'n←2⋆22 ⋄ p←(•MakeRand 9).Deal n ⋄ •Out •Fmt +´(↕n)⌾(p⊸⊏)0.5+↕n' &
    done
    # Long enough for persistent blocks.
    sanitize long memcheck "$build/bqn" -e 'x←1009|7919×↕2⋆21 ⋄ •Out •Fmt (+´+`x)‿(+´(x>500)/x)‿(≠´≠`x>9)' &
    wait
    export GRIDDLE_CHAINS=made
    for tool in memcheck racecheck; do
      sanitize made-agreement $tool "$build/bqn" "$agreement" 4097 &
      for kind in bit i8 f64; do sanitize "made-$kind" $tool "$build/bqn" "$forms" 1000 $kind & done
    done
    wait
    if [ -e "$scratch/fault" ]; then
      echo "not clean; see $scratch" && exit 1
    fi
    rm -r "$scratch"
    ;;
  sweep) "$build/tests/bench/gpu/sweep" "$@" ;;
  intervals) "$build/tests/bench/gpu/intervals" "$GRIDDLE_CUDA_PLUGIN" ;;
  samplers) "$build/tests/bench/gpu/samplers" "$@" ;;
  topics) env GRIDDLE_DEVICE=cuda "$build/bqn" "$root/tests/bench/gpu/topics.bqn" "$@" ;;
  times) "$build/tests/bench/gpu/engine" "$GRIDDLE_CUDA_PLUGIN" ;;
  *) echo "unknown step $step" >&2 && exit 2 ;;
esac
