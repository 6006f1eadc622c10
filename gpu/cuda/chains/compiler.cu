#include "gpu/cuda/chains/compiler.h"

#include <cstdint>
#include <iterator>

#include <kernel_text.h>

#include "gpu/cuda/toolkit_library.h"

namespace griddle::cuda {

namespace {

// What the headers take from others, which no system need have.
constexpr const char* prelude = R"(
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
typedef unsigned long uintptr_t;
template <bool, class A, class> struct choice { using type = A; };
template <class A, class B> struct choice<false, A, B> { using type = B; };
template <bool which, class A, class B> using conditional_t = typename choice<which, A, B>::type;
}
#ifndef INFINITY
#define INFINITY __longlong_as_double(0x7FF0000000000000ll)
#endif
)";

// The functions of NVRTC, by its names; null where there is no such library.
struct Library {
  int (*version)(int*, int*) = nullptr;
  int (*create)(void** program, const char* source, const char* name, int headers, const char* const*,
                const char* const*) = nullptr;
  int (*compile)(void* program, int options, const char* const*) = nullptr;
  int (*code_size)(void* program, std::size_t*) = nullptr;
  int (*code)(void* program, char*) = nullptr;
  int (*log_size)(void* program, std::size_t*) = nullptr;
  int (*log)(void* program, char*) = nullptr;
  int (*destroy)(void** program) = nullptr;
};
Library library_of_the_system() {
  Library l;
  const bool complete = open_of_toolkit("libnvrtc", [&](void* opened) {
    return find(opened, "nvrtcVersion", l.version) && find(opened, "nvrtcCreateProgram", l.create) &&
           find(opened, "nvrtcCompileProgram", l.compile) && find(opened, "nvrtcGetCUBINSize", l.code_size) &&
           find(opened, "nvrtcGetCUBIN", l.code) && find(opened, "nvrtcGetProgramLogSize", l.log_size) &&
           find(opened, "nvrtcGetProgramLog", l.log) && find(opened, "nvrtcDestroyProgram", l.destroy);
  });
  return complete ? l : Library();
}
const Library& library() {
  static const Library found = library_of_the_system();
  return found;
}

}  // namespace

std::string compiler_version() {
  int major = 0, minor = 0;
  if (library().create == nullptr || library().version(&major, &minor) != 0) return {};
  // Texts differ where headers do.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : std::string(prelude) + kernel_text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return "NVRTC " + std::to_string(major) + '.' + std::to_string(minor) + ", text " + std::to_string(hash);
}

std::string compiled(const std::string& source, int capability, std::string& complaint) {
  const Library& l = library();
  void* program = nullptr;
  std::string code;
  const std::string text = prelude + std::string(kernel_text) + source;
  if (l.create == nullptr || l.create(&program, text.c_str(), "chain.cu", 0, nullptr, nullptr) != 0) return code;
  // Products are rounded before they are added, as the host's are.
  const std::string chip = "--gpu-architecture=sm_" + std::to_string(capability);
  const char* const options[] = {chip.c_str(), "--std=c++20", "--fmad=false", "--device-as-default-execution-space",
                                 "--disable-warnings"};
  const int failed = l.compile(program, std::size(options), options);
  std::size_t size = 0;
  if (failed == 0 && l.code_size(program, &size) == 0) {
    code.resize(size);
    if (l.code(program, code.data()) != 0) code.clear();
  } else if (l.log_size(program, &size) == 0) {
    complaint.resize(size);
    l.log(program, complaint.data());
  }
  l.destroy(&program);
  return code;
}

}  // namespace griddle::cuda
