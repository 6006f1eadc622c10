// A pool of interpreters on threads: calls a function of BQN with many values at once, and gives the results in order.
// spec/embedding/threads.md explains it.
// output: primes: ⟨ 168 303 430 550 669 783 900 1007 ⟩
// output: in each thousand: ⟨ 168 135 127 120 119 114 117 107 ⟩
// output: 4
// output: failed: Range: 𝕩 must consist of integers (got character)
// output: 10
// output: 4 calls ended without a value
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/api/griddle.hpp"

namespace {

// What a value is on its way from one interpreter to another, or why there is none.
struct Parcel {
  std::optional<std::string> bytes;
  std::string problem;
};

Parcel packed(const griddle::Result& result) {
  if (!result) return {std::nullopt, result.failure().message};
  return {result->serialise(), "The value cannot be serialised"};
}

class Pool {
 public:
  // Starts threads, each of which has an interpreter of its own and in it the function that the text makes.
  Pool(std::size_t threads, std::string function) {
    while (threads-- > 0) threads_.emplace_back([this, function](std::stop_token token) { work(token, function); });
  }
  // Ends the calls that run, and leaves undone those that wait.
  ~Pool() {
    for (std::jthread& thread : threads_) thread.request_stop();
    threads_.clear();
    for (Task& task : tasks_) task.result.set_value({std::nullopt, "not begun"});
  }

  std::future<Parcel> call(const griddle::Any& argument) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({argument.serialise().value_or(""), {}});
    some_.notify_one();
    return tasks_.back().result.get_future();
  }

  // Calls the function with each element of a list. The list belongs to `bqn`, and so do the results.
  std::vector<griddle::Result> map(griddle::Interpreter& bqn, const griddle::Any& list) {
    std::vector<std::future<Parcel>> parcels;
    for (const griddle::Any& argument : list.elements()) parcels.push_back(call(argument));
    std::vector<griddle::Result> results;
    for (std::future<Parcel>& each : parcels) {
      const Parcel parcel = each.get();
      results.push_back(parcel.bytes ? bqn.deserialise(*parcel.bytes) : griddle::Result::error(parcel.problem));
    }
    return results;
  }

 private:
  struct Task {
    std::string argument;
    std::promise<Parcel> result;
  };

  void work(std::stop_token token, const std::string& text) {
    griddle::Interpreter bqn;
    // Whoever stops the thread ends its evaluation, too.
    const std::stop_callback on_stop(token, [&] { bqn.stop(); });
    const griddle::Result function = bqn.eval(text);
    while (true) {
      std::unique_lock lock(mutex_);
      if (!some_.wait(lock, token, [&] { return !tasks_.empty(); }) || token.stop_requested()) return;
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      const griddle::Result argument = bqn.deserialise(task.argument);
      task.result.set_value(packed(argument ? function(*argument) : argument));
    }
  }

  std::mutex mutex_;
  std::condition_variable_any some_;
  std::deque<Task> tasks_;
  std::vector<std::jthread> threads_;
};

}  // namespace

int main() {
  griddle::Interpreter bqn;
  Pool pool(3, "{+´{∧´0<(2↓↕1+⌊√𝕩)|𝕩}¨2↓↕𝕩}");  // counts primes below 𝕩

  std::vector<griddle::Any> counts;
  for (const griddle::Result& result : pool.map(bqn, *bqn.eval("1000×1+↕8"))) counts.push_back(*result);
  std::printf("primes: %s\n", bqn.list(counts).format().c_str());
  std::printf("in each thousand: %s\n", bqn.eval("-⟜»")(bqn.list(counts))->format().c_str());

  // What fails is in its place, and takes nothing else with it.
  for (const griddle::Result& result : pool.map(bqn, *bqn.eval("⟨10, \"text\", 30⟩")))
    std::printf("%s\n", result ? result->format().c_str() : ("failed: " + result.failure().message).c_str());

  // A pool that goes ends calls that would run for ever, and those that wait for them.
  std::vector<std::future<Parcel>> endless;
  {
    Pool two(2, "{{𝕩+1}•_while_(1˙) 𝕩}");
    for (int i = 0; i < 4; i++) endless.push_back(two.call(bqn.number(i)));
  }
  int ended = 0;
  for (std::future<Parcel>& each : endless) ended += each.get().bytes ? 0 : 1;
  std::printf("%d calls ended without a value\n", ended);
}
