// Tells Highway which instruction sets this processor has. It stands in for the compiled part of Highway, three functions in a
// shared library, which with the C++ library that it needs would double the time of every start.
#include "primitives/kernels/processor.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "primitives/kernels/targets.h"
//
#include "hwy/targets.h"

namespace hwy {
namespace {

// Replaces what the processor has while it is not 0: tests run each target in turn.
std::atomic<std::int64_t> targets_for_test{0};

std::int64_t processor_targets() {
  std::int64_t targets = HWY_STATIC_TARGET | HWY_SCALAR | HWY_EMU128;
#if HWY_ARCH_X86
  __builtin_cpu_init();
  auto all = [](auto... has) { return (... && has); };
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  if (!all(__builtin_cpu_supports("sse4.2"), __builtin_cpu_supports("pclmul"), __builtin_cpu_supports("aes"))) return targets;
  targets |= HWY_SSE4;
  if (!all(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("bmi2"), __builtin_cpu_supports("fma"))) return targets;
  targets |= HWY_AVX2;
  if (!all(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512vl"), __builtin_cpu_supports("avx512dq"),
           __builtin_cpu_supports("avx512bw"))) {
    return targets;
  }
  targets |= HWY_AVX3;
  if (all(__builtin_cpu_supports("avx512vbmi"), __builtin_cpu_supports("avx512vbmi2"), __builtin_cpu_supports("avx512vnni"),
          __builtin_cpu_supports("avx512bitalg"), __builtin_cpu_supports("avx512vpopcntdq"), __builtin_cpu_supports("vpclmulqdq"),
          __builtin_cpu_supports("gfni"))) {
    targets |= HWY_AVX3_DL;
  }
#endif
  return targets;
}

// Leaves out what is better than the target that GRIDDLE_TARGET names, such as SSE4 or AVX2. Better ones have lower bits.
std::int64_t wanted_targets(std::int64_t targets) {
  const char* wanted = std::getenv("GRIDDLE_TARGET");
  if (!wanted) return targets;
  for (std::int64_t rest = targets; rest != 0; rest &= rest - 1) {
    std::int64_t target = rest & -rest;
    if (std::string_view(TargetName(target)) == wanted) return rest;
  }
  return targets;
}

}  // namespace

std::int64_t SupportedTargets() {
  if (std::int64_t targets = targets_for_test.load(std::memory_order_relaxed)) return targets;
  static const std::int64_t targets = wanted_targets(processor_targets());
  return targets;
}

void SetSupportedTargetsForTest(std::int64_t targets) {
  targets_for_test = targets;
  GetChosenTarget().DeInit();
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy

namespace griddle::kernels {

namespace {

// What any kernel is compiled for. Some units take AVX3_DL where others, this one among them, take AVX3.
std::int64_t compiled_targets() {
  std::int64_t targets = HWY_TARGETS;
#if HWY_ARCH_X86 && !defined(HWY_COMPILE_ONLY_STATIC)
  if ((targets & HWY_AVX3) != 0) targets |= HWY_AVX3_DL;
#endif
  // What stands in for vectors is of interest only where there are none.
  const std::int64_t vectors = targets & ~std::int64_t{HWY_SCALAR | HWY_EMU128};
  return vectors != 0 ? vectors : targets;
}

}  // namespace

InstructionSets instruction_sets() {
  InstructionSets sets{};
  const std::int64_t compiled = compiled_targets();
  // Better ones have lower bits.
  for (std::size_t bit = 63; bit-- > 0;) {
    const std::int64_t target = std::int64_t{1} << bit;
    if ((compiled & target) == 0 || sets.count == sets.compiled.size()) continue;
    const char* name = hwy::TargetName(target);
    sets.compiled[sets.count++] = name;
    if ((hwy::SupportedTargets() & target) != 0) sets.chosen = name;
  }
  if (sets.chosen == nullptr) sets.chosen = hwy::TargetName(HWY_STATIC_TARGET);
  return sets;
}

}  // namespace griddle::kernels
