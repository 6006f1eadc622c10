// A host of programs that nobody trusts: runs each line of standard input as a program, with every limit set, on three stacks.
//
//   attack_host < PROGRAMS
//
// Each run is a process of its own with a fresh interpreter. A line comes out for each, with tabs between: the number of the
// program from 0 on, the stack, how the process ended ("well", "exit N", "signal N" or "killed"), the last step, how the
// evaluation ended, milliseconds that passed, milliseconds of processor time, KiB that the process had at its peak, bytes
// written, the steps, and the message. A step is told by its name, milliseconds of processor time, and KiB of the peak so far.
// attack_tests.py judges them.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>

#include "runtime/api/griddle.h"

namespace {

constexpr size_t mebibyte = 1 << 20;
constexpr size_t memory_limit = 256 * mebibyte;
constexpr size_t output_limit = mebibyte;
constexpr double time_limit = 1;
constexpr size_t large_stack = 8 * mebibyte;
constexpr size_t small_stack = 256 << 10;
constexpr size_t host_frames = 16 << 10;  // of a fiber's stack that the host itself needs
constexpr double patience = 20;           // seconds until a process is killed
constexpr size_t address_space = 6144 * mebibyte;

constexpr std::array<const char*, 3> stack_names = {"thread of 8 MB", "thread of 256 KB", "fiber of 256 KB"};

// What a process tells the one that started it, in memory that both have.
struct Told {
  const char* ending;
  struct Step {
    const char* name;
    double began;  // in processor time
    long peak;     // KiB when it was over
  };
  std::array<Step, 16> steps;
  size_t step_count;
  size_t written;
  char message[160];
};

Told* told = nullptr;
std::string program;
size_t stack_bytes = 0;

double processor_time() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

long peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// Says what comes now.
void begin(const char* name) {
  if (told->step_count > 0) told->steps[told->step_count - 1].peak = peak();
  told->steps[told->step_count] = {name, processor_time(), 0};
  told->step_count++;
}

void count_output(void*, griddle_text text) { told->written += text.bytes; }

const char* name_of(griddle_cause cause) {
  switch (cause) {
    case griddle_error: return "error";
    case griddle_interrupted: return "interrupted";
    case griddle_timed_out: return "time";
    case griddle_out_of_steps: return "steps";
    case griddle_exited: return "exit";
  }
  return "unknown";
}

// Adds to the message, as one line.
void note(griddle_text message) {
  size_t at = std::strlen(told->message);
  size_t length = std::min(message.bytes, sizeof told->message - 1 - at);
  for (size_t i = 0; i < length; i++) {
    char c = message.data[i];
    told->message[at + i] = c == '\n' || c == '\t' || c == '\r' || c == 0 ? ' ' : c;
  }
  told->message[at + length] = 0;
}

griddle_options limits(const griddle_console* console) {
  griddle_options options = griddle_default_options();
  options.capabilities = griddle_may_read_clock;  // what safe mode leaves
  options.console = console;
  options.memory_limit = memory_limit;
  options.output_limit = output_limit;
  options.time_limit = time_limit;
  options.stack_bytes = stack_bytes;
  options.seed = 1;
  options.has_seed = 1;
  return options;
}

// Tells whether an interpreter still computes; notes why it does not.
bool goes_on(griddle_interpreter* bqn) {
  griddle_failure* why = nullptr;
  griddle_value sum = griddle_eval(bqn, griddle_string("+´↕10"), griddle_string("again"), &why);
  bool right = griddle_number_of(sum) == 45;
  if (why) {
    note(griddle_string(" / again: "));
    note(griddle_failure_message(why));
  }
  griddle_release_failure(why);
  griddle_release(sum);
  return right;
}

// What a host does with a value: it shows it, and hands it on.
void use(griddle_value value) {
  begin("format");
  griddle_free(griddle_format(value));
  begin("source");
  griddle_free(griddle_source(value, nullptr));
  begin("serialise");
  griddle_free(griddle_serialise(value, nullptr));
  begin("match");
  griddle_match(value, value, nullptr);
  begin("release");
  griddle_release(value);
}

void attack() {
  griddle_console console{};
  console.size = sizeof console;
  console.write = console.write_error = count_output;
  griddle_options options = limits(&console);
  begin("make");
  griddle_interpreter* bqn = griddle_new(&options, nullptr);
  if (!bqn) return;
  begin("evaluate");
  griddle_failure* why = nullptr;
  griddle_value value = griddle_eval(bqn, griddle_text{program.data(), program.size()}, griddle_string("attack"), &why);
  if (why) {
    told->ending = name_of(griddle_failure_cause(why));
    begin("report");
    note(griddle_failure_message(why));
    griddle_failure_report(why);
    griddle_release_failure(why);
  } else {
    told->ending = "value";
    use(value);
  }
  // After any failure an interpreter goes on.
  begin("again");
  bool right = goes_on(bqn);
  begin("delete");
  griddle_delete(bqn);
  begin(right ? "done" : "stuck");
}

void* attack_on_thread(void*) {
  attack();
  return nullptr;
}

int run_on_thread(size_t bytes) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, bytes) != 0) return 3;
  if (pthread_create(&thread, &attributes, attack_on_thread, nullptr) != 0) return 3;
  return pthread_join(thread, nullptr) == 0 ? 0 : 3;
}

int run_on_fiber(size_t bytes) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // Whoever goes beyond the end meets a page that nobody may touch.
  if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) return 3;
  stack_bytes = bytes - host_frames;
  static ucontext_t host, fiber;
  getcontext(&fiber);
  fiber.uc_stack.ss_sp = static_cast<char*>(memory) + page;
  fiber.uc_stack.ss_size = bytes;
  fiber.uc_link = &host;
  makecontext(&fiber, attack, 0);
  return swapcontext(&host, &fiber) == 0 ? 0 : 3;
}

int run_on(size_t stack) {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__
  const rlimit space = {address_space, address_space};
  setrlimit(RLIMIT_AS, &space);
#endif
  return stack == 0 ? run_on_thread(large_stack) : stack == 1 ? run_on_thread(small_stack) : run_on_fiber(small_stack);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Waits for a process that was started at some time; gives how it ended.
std::string wait_for(pid_t process, double began, rusage& usage) {
  int status = 0;
  bool killed = false;
  while (wait4(process, &status, killed ? 0 : WNOHANG, &usage) == 0) {
    if (now() - began > patience) {
      kill(process, SIGKILL);
      killed = true;
      continue;
    }
    usleep(1000);
  }
  if (killed) return "killed";
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  int code = WEXITSTATUS(status);
  return code == 0 ? "well" : "exit " + std::to_string(code);
}

void try_on(size_t number, size_t stack) {
  *told = Told{};
  told->ending = "none";
  double began = now();
  std::fflush(stdout);
  pid_t process = fork();
  if (process < 0) std::exit(3);
  if (process == 0) _exit(run_on(stack));
  rusage usage{};
  std::string end = wait_for(process, began, usage);
  double passed = now() - began;
  auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  double all = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  size_t count = told->step_count;
  std::printf("%zu\t%s\t%s\t%s\t%s\t%.0f\t%.0f\t%ld\t%zu\t", number, stack_names[stack], end.c_str(),
              count ? told->steps[count - 1].name : "start", told->ending, passed * 1e3, all * 1e3, usage.ru_maxrss,
              told->written);
  for (size_t i = 0; i < count; i++) {
    const Told::Step& step = told->steps[i];
    bool last = i + 1 == count;
    double over = last ? std::max(all, step.began) : told->steps[i + 1].began;
    std::printf("%s %.0f %ld%s", step.name, (over - step.began) * 1e3, last ? usage.ru_maxrss : step.peak, last ? "" : ", ");
  }
  std::printf("\t%s\n", told->message);
}

}  // namespace

int main() {
  void* shared = mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 3;
  told = static_cast<Told*>(shared);
  for (size_t number = 0; std::getline(std::cin, program); number++)
    for (size_t stack = 0; stack < stack_names.size(); stack++) try_on(number, stack);
}
