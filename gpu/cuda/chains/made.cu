#include "gpu/cuda/chains/made.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "gpu/cuda/chains/compiler.h"
#include "gpu/cuda/device.h"

#if CUDART_VERSION >= 12080

namespace griddle::cuda {

namespace {

// Chains of fewer places gain too little to be looked up, and those of fewer steps, unless their values are packed.
constexpr std::uint64_t fewest_places = 1 << 16;
constexpr std::uint32_t fewest_steps = 3;
// What following one step at one place takes beyond computing it, and how long a chain has been followed in all when a kernel is
// begun to be made: some tenth of what making one takes, which is done beside the program (one H200, 2026-11-29).
constexpr double step_seconds = 1e-12, worth_making = 0.02;
// How many places take as long as one where values are packed.
constexpr double packed_at_once = 4;
// What several kernels take longer that go over elements one after the other, in such steps.
constexpr std::uint32_t steps_apart = 8;
// Shapes of chains that are known at once, and kernels that are kept in files.
constexpr std::size_t most_shapes = 4096, most_files = 2000;

// Whether chains get kernels: as it pays, none, or each at once.
enum class Making { worth, none, all };
Making wanted_making() {
  const char* const chains = secure_getenv("GRIDDLE_CHAINS");
  const std::string_view wanted = chains != nullptr ? chains : "";
  return wanted == "followed" ? Making::none : wanted == "made" ? Making::all : Making::worth;
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;
// Opens a file that only this user can have written: what is in it will run.
File own_file(const std::string& path, int flags, const char* mode) {
  const int opened = open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (opened < 0) return nullptr;
  struct stat is;
  const bool mine = fstat(opened, &is) == 0 && S_ISREG(is.st_mode) && is.st_uid == geteuid() && (is.st_mode & 022) == 0;
  File file(mine ? fdopen(opened, mode) : nullptr);
  if (!file) close(opened);
  return file;
}

}  // namespace

// What is known of one shape. Threads change it while they hold the lock.
struct MadeKernel {
  enum class State { sought, absent, begun, there, failed } state = State::sought;
  griddle_chain shape;
  ChainEnd end;
  double seconds = 0;  // of following it so far
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  std::string complaint;
};

class MadeKernels {
 public:
  explicit MadeKernels(int capability) : capability_(capability) {}
  ~MadeKernels() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    wakes_.notify_all();
    if (worker_.joinable()) worker_.join();
    for (const auto& [key, made] : known_)
      if (made->library != nullptr) cudaLibraryUnload(made->library);
  }
  MadeKernels(const MadeKernels&) = delete;
  MadeKernels& operator=(const MadeKernels&) = delete;

  void keep_in(const char* folder) { folder_ = folder != nullptr ? folder : ""; }

  griddle_status find(griddle_device& d, const griddle_chain& chain, ChainEnd end, std::uint64_t length, cudaKernel_t* kernel) {
    *kernel = nullptr;
    if (making_ == Making::none || (making_ != Making::all && (length < fewest_places || !gains(chain)))) return griddle_done;
    const griddle_chain shape = shape_of(chain);
    std::string key = key_of(shape, end);
    std::unique_lock lock(mutex_);
    const auto known = known_.find(key);
    if (known == known_.end()) {
      if (known_.size() >= most_shapes || stopped_) return griddle_done;
      std::shared_ptr<MadeKernel> made = std::make_shared<MadeKernel>();
      made->shape = shape;
      made->end = end;
      known_.emplace(key, made);
      if (making_ == Making::all) {
        lock.unlock();
        if (!read(*made, key)) make(*made, key);
        return found(d, *made, kernel);
      }
      hand_over(std::move(key), std::move(made));
      return griddle_done;
    }
    MadeKernel& made = *known->second;
    if (made.state == MadeKernel::State::there || making_ == Making::all) return found(d, made, kernel);
    const std::uint32_t steps = chain.step_count + (chain.row_length != 0 || chain.output_count != 0 ? steps_apart : 0);
    const double at_once = chain.values > griddle_values_i32 ? packed_at_once : 1;
    made.seconds += step_seconds * static_cast<double>(length) * steps / at_once;
    if (made.state == MadeKernel::State::absent && made.seconds >= worth_making) {
      made.state = MadeKernel::State::begun;
      hand_over(std::move(key), known->second);
    }
    return griddle_done;
  }

 private:
  // Tells whether doubles are made of an input's narrow numbers.
  static bool becomes_wider(const griddle_chain& chain, std::uint32_t input) {
    const std::uint8_t type = chain.input_types[input];
    return chain.values == griddle_values_f64 &&
           (type == griddle_device_bit || type == griddle_device_i8 || type == griddle_device_i16);
  }
  static bool gains(const griddle_chain& chain) {
    if (chain.values > griddle_values_i32 || chain.step_count >= fewest_steps || chain.row_length != 0 || chain.output_count != 0)
      return true;
    for (std::uint32_t s = 0; s < chain.step_count; s++)
      if (chain.steps[s].operation > griddle_complement) return true;
    for (std::uint32_t i = 0; i < chain.input_count; i++)
      if (chain.input_each[i] != 1 || chain.input_period[i] != 0 || chain.input_views[i].axis_count != 0 ||
          becomes_wider(chain, i))
        return true;
    return false;
  }
  griddle_status found(griddle_device& d, const MadeKernel& made, cudaKernel_t* kernel) const {
    *kernel = made.kernel;
    if (made.complaint.empty()) return griddle_done;
    d.message = made.complaint;
    return griddle_failed;
  }

  // Gives work to the thread, which begins with the first. The lock is held.
  void hand_over(std::string key, std::shared_ptr<MadeKernel> made) {
    wanted_.emplace_back(std::move(key), std::move(made));
    if (!worker_.joinable()) {
      // Signals are for the thread that evaluates.
      sigset_t all, before;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
      try {
        worker_ = std::thread([this] { work(); });
      } catch (const std::system_error&) {
        stopped_ = true;  // no thread is to be had
      }
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    wakes_.notify_one();
  }

  // Looks for kernels in files, and makes those that are worth it.
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wakes_.wait(lock, [this] { return ends_ || !wanted_.empty(); });
      if (ends_) return;
      const auto [key, made] = std::move(wanted_.front());
      wanted_.pop_front();
      const bool make_it = made->state == MadeKernel::State::begun;
      MadeKernel result;
      result.shape = made->shape;
      result.end = made->end;
      lock.unlock();
      if (make_it)
        make(result, key);
      else if (!read(result, key))
        result.state = MadeKernel::State::absent;
      lock.lock();
      made->library = result.library;
      made->kernel = result.kernel;
      made->state = result.state;
    }
  }

  // Begins each file: what it holds fits this shape, chip and compiler alone.
  std::string head_of(const std::string& key) {
    if (version_.empty()) version_ = compiler_version();
    return version_ + ", chip " + std::to_string(capability_) + '\n' + std::to_string(key.size()) + '\n' + key;
  }
  std::string path_of(const std::string& head) const {
    char name[20];
    std::snprintf(name, sizeof name, "/%016llx", static_cast<unsigned long long>(hash_of(head)));
    return folder_ + name;
  }

  bool load(MadeKernel& made, const std::string& code) {
    if (cudaLibraryLoadData(&made.library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaSuccess &&
        cudaLibraryGetKernel(&made.kernel, made.library, "made") == cudaSuccess) {
      made.state = MadeKernel::State::there;
      return true;
    }
    cudaGetLastError();
    made.state = MadeKernel::State::failed;
    return false;
  }
  bool read(MadeKernel& made, const std::string& key) {
    if (folder_.empty()) return false;
    const std::string head = head_of(key);
    const File file = own_file(path_of(head), O_RDONLY, "rb");
    if (!file) return false;
    std::string text;
    char piece[1 << 16];
    for (std::size_t n; (n = std::fread(piece, 1, sizeof piece, file.get())) > 0;) text.append(piece, n);
    return text.size() > head.size() && text.starts_with(head) && load(made, text.substr(head.size()));
  }
  void make(MadeKernel& made, const std::string& key) {
    const std::string head = head_of(key);
    made.state = MadeKernel::State::failed;
    if (version_.empty()) return;  // there is no compiler
    std::string complaint;
    const std::string code = compiled(ChainSource(made.shape, made.end).text(), capability_, complaint);
    if (code.empty() || !load(made, code)) {
      made.complaint = complaint.empty() ? "no kernel could be made" : complaint;
      return;
    }
    write(head, code);
  }
  // Keeps a kernel; a folder that cannot be written is no error.
  void write(const std::string& head, const std::string& code) {
    if (folder_.empty() || files_written_ >= most_files) return;
    mkdir(folder_.substr(0, folder_.rfind('/')).c_str(), 0700);
    mkdir(folder_.c_str(), 0700);
    const std::string path = path_of(head), fresh = path + '.' + std::to_string(getpid());
    bool whole = false;
    if (const File file = own_file(fresh, O_WRONLY | O_CREAT | O_TRUNC, "wb"); file)
      whole = std::fwrite(head.data(), 1, head.size(), file.get()) == head.size() &&
              std::fwrite(code.data(), 1, code.size(), file.get()) == code.size() && std::fflush(file.get()) == 0;
    if (!whole || std::rename(fresh.c_str(), path.c_str()) != 0) std::remove(fresh.c_str());
    files_written_++;
  }

  const int capability_;
  const Making making_ = wanted_making();
  std::string folder_, version_;
  std::size_t files_written_ = 0;
  std::mutex mutex_;
  std::condition_variable wakes_;
  std::unordered_map<std::string, std::shared_ptr<MadeKernel>> known_;
  std::deque<std::pair<std::string, std::shared_ptr<MadeKernel>>> wanted_;
  bool ends_ = false, stopped_ = false;
  std::thread worker_;
};

namespace {

MadeKernels& kernels_of(griddle_device& d) {
  if (d.made == nullptr) d.made = new MadeKernels(d.capability);
  return *d.made;
}

}  // namespace

griddle_status made_kernel(griddle_device& d, const griddle_chain& chain, ChainEnd end, std::uint64_t length,
                           cudaKernel_t* kernel) {
  try {
    return kernels_of(d).find(d, chain, end, length, kernel);
  } catch (const std::exception&) {
    *kernel = nullptr;  // no memory
    return griddle_done;
  }
}
void close_made(griddle_device& d) {
  delete d.made;
  d.made = nullptr;
}
void keep_kernels(griddle_device* d, const char* folder) {
  try {
    kernels_of(*d).keep_in(folder);
  } catch (const std::exception&) {
  }
}

}  // namespace griddle::cuda

#else

namespace griddle::cuda {

// Older runtimes cannot load kernels beside the program's own.
griddle_status made_kernel(griddle_device&, const griddle_chain&, ChainEnd, std::uint64_t, cudaKernel_t* kernel) {
  *kernel = nullptr;
  return griddle_done;
}
void close_made(griddle_device&) {}
void keep_kernels(griddle_device*, const char*) {}

}  // namespace griddle::cuda

#endif
