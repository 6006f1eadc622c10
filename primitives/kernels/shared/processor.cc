// Tells Highway which instruction sets this processor has. It stands in for the compiled part of Highway, three functions in a
// shared library, which with the C++ library that it needs would double the time of every start.
#include "primitives/kernels/shared/processor.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "primitives/kernels/shared/targets.h"
//
#include "hwy/targets.h"

namespace hwy {
namespace {

// Replaces what the processor has while it is not 0: tests run each target in turn.
std::atomic<std::int64_t> targets_for_test{0};

// What any kernel is compiled for. Some units take AVX3_DL where others, this one among them, take AVX3.
std::int64_t compiled_targets() {
  std::int64_t targets = HWY_TARGETS;
#if defined(__x86_64__) && !defined(HWY_COMPILE_ONLY_STATIC)
  if ((targets & HWY_AVX3) != 0) targets |= HWY_AVX3_DL;
#endif
  return targets;
}

std::int64_t processor_targets() {
#ifdef __x86_64__
  __builtin_cpu_init();
  auto all = [](auto... has) { return (... && has); };
  std::int64_t targets = 0;
  if (!all(__builtin_cpu_supports("sse4.2"), __builtin_cpu_supports("popcnt"), __builtin_cpu_supports("pclmul"),
           __builtin_cpu_supports("aes"))) {
    return targets;
  }
  targets |= HWY_SSE4;
  if (!all(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("bmi"), __builtin_cpu_supports("bmi2"),
           __builtin_cpu_supports("fma"))) {
    return targets;
  }
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
  return targets;
#else
  return HWY_STATIC_TARGET;
#endif
}

// Leaves out what is better than a target, by its name, such as SSE4 or AVX2. Better ones have lower bits. None are left where
// there is none of this name.
std::int64_t targets_up_to(std::int64_t targets, std::string_view wanted) {
  for (std::int64_t rest = targets; rest != 0; rest &= rest - 1) {
    std::int64_t target = rest & -rest;
    if (TargetName(target) == wanted) return rest;
  }
  return 0;
}

}  // namespace

std::int64_t SupportedTargets() {
  if (std::int64_t targets = targets_for_test.load(std::memory_order_relaxed)) return targets;
  static const std::int64_t targets = [] {
    const std::int64_t runnable = processor_targets() & compiled_targets();
    return runnable != 0 ? runnable : HWY_STATIC_TARGET;
  }();
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

InstructionSets instruction_sets() {
  InstructionSets sets{};
  const std::int64_t compiled = hwy::compiled_targets();
  // Better ones have lower bits.
  for (std::size_t bit = 63; bit-- > 0;) {
    const std::int64_t target = std::int64_t{1} << bit;
    if ((compiled & target) == 0 || sets.count == sets.compiled.size()) continue;
    const char* name = hwy::TargetName(target);
    sets.compiled[sets.count++] = name;
    if ((hwy::SupportedTargets() & target) != 0) sets.chosen = name;
  }
  const std::int64_t runnable = hwy::processor_targets() & compiled;
  sets.is_runnable = (runnable & HWY_STATIC_TARGET) != 0;
  return sets;
}

bool limit_instruction_set(std::string_view name) {
  const std::int64_t targets = hwy::targets_up_to(hwy::processor_targets() & hwy::compiled_targets(), name);
  if (targets != 0) hwy::SetSupportedTargetsForTest(targets);
  return targets != 0;
}

}  // namespace griddle::kernels
