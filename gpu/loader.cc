#include "gpu/loader.h"

#include "gpu/settings.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace griddle {

namespace {

constexpr const char* plugin_name = "libgriddle_cuda.so";

// Where the plug-in may lie, seen from the executable or the shared library that holds this code.
constexpr const char* plugin_folders[] = {
    "",                 // anywhere, put beside it
    "gpu/cuda/",        // a build folder
    "griddle/",         // installed: the library lies in lib/
    "../lib/griddle/",  // installed: the executable lies in bin/
    "../lib64/griddle/",
#if defined(__x86_64__)
    "../lib/x86_64-linux-gnu/griddle/",
#elif defined(__aarch64__)
    "../lib/aarch64-linux-gnu/griddle/",
#endif
};

bool is_readable(const std::string& path) { return access(path.c_str(), R_OK) == 0; }

// Gives the folder, with its slash, of the file that holds this code.
std::string own_folder() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  Dl_info info;
  std::string file;
  if (dladdr(reinterpret_cast<const void*>(&plugin_path), &info) != 0 && info.dli_fname != nullptr) file = info.dli_fname;
  if (file.find(".so") == std::string::npos && length > 0) file.assign(path, static_cast<std::size_t>(length));
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? std::string() : file.substr(0, slash + 1);
}

// Looks for what the drivers of devices show of themselves; loading one to ask it would take longer than most programs.
bool driver_is_found() {
  constexpr const char* signs[] = {"/dev/nvidiactl", "/proc/driver/nvidia", "/dev/dxg", "/dev/nvhost-ctrl"};
  return std::any_of(std::begin(signs), std::end(signs), [](const char* sign) { return is_readable(sign); });
}

}  // namespace

OpenDevice::~OpenDevice() {
  if (device) plugin->close(device);
}

std::string installed_plugin() {
  const std::string folder = own_folder();
  if (folder.empty()) return folder;
  for (const char* place : plugin_folders)
    if (const std::string path = folder + place + plugin_name; is_readable(path)) return path;
  return {};
}

std::string plugin_path(const std::string& given) {
  if (!given.empty()) return is_readable(given) ? given : std::string();
  return driver_is_found() ? installed_plugin() : std::string();
}

std::shared_ptr<OpenDevice> open_device(const std::string& path) {
  // The library stays loaded: its runtime does not survive being unloaded.
  void* library = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto function = reinterpret_cast<griddle_plugin_function>(dlsym(library, GRIDDLE_PLUGIN_SYMBOL));
  const griddle_plugin* plugin = function ? function() : nullptr;
  if (plugin == nullptr || plugin->version != GRIDDLE_PLUGIN_VERSION || plugin->bytes != sizeof(griddle_plugin)) return nullptr;
  auto opened = std::make_shared<OpenDevice>();
  const auto start = std::chrono::steady_clock::now();
  opened->plugin = plugin;
  if (plugin->open(&opened->device, &opened->info) != griddle_done) return nullptr;
  opened->info.name[sizeof opened->info.name - 1] = 0;
  opened->open_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return opened;
}

std::string device_name(const std::string& plugin) {
  const std::shared_ptr<OpenDevice> device = open_device(plugin);
  return device ? device->info.name : std::string();
}

}  // namespace griddle
