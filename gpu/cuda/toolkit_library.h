// Libraries of the CUDA Toolkit that are opened when something first needs them, so that the plug-in is built and loaded without.
#pragma once

#include <dlfcn.h>

#include <string>

namespace griddle::cuda {

template <class F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

// Opens a library of one of the versions there are, and hands it to `take`, which tells whether all is found there; false where
// there is none. Where the loader of the system does not look by itself, toolkits lie in the last folder.
template <class Take>
bool open_of_toolkit(const std::string& name, Take take) {
  for (const char* folder : {"", "/usr/local/cuda/lib64/"})
    for (const char* version : {".so.13", ".so.12"})
      if (void* const opened = dlopen((folder + name + version).c_str(), RTLD_NOW | RTLD_LOCAL);
          opened != nullptr && take(opened))
        return true;
  return false;
}

}  // namespace griddle::cuda
