// Times what a host pays for going into Griddle and out again, beside others where they are given:
//   host_calls [--lua LIBRARY] [--peer LIBRARY] [ELEMENTS]
//
// LIBRARY are those of Lua 5.4 and of another BQN with the functions of bqnffi.h. All take turns, round by round; each figure is
// the least of the rounds, in nanoseconds. ELEMENTS, 1e8 if left out, is how many doubles go in and out.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "runtime/api/griddle.hpp"

namespace {

using griddle::Any;

constexpr int rounds = 9;
constexpr double three[] = {1, 2, 3};

Any value_of(griddle::Result result) {
  if (result) return std::move(result).value();
  std::fputs(result.failure().report.c_str(), stderr);
  std::exit(1);
}

// Contestants of one discipline.
struct Discipline {
  std::string name;
  struct Entry {
    const char* who;
    int calls;
    std::function<void()> call;
    double best = 1e300;
  };
  std::vector<Entry> entries;
  double divided_by = 1;

  void add(const char* who, int calls, std::function<void()> call) { entries.push_back({who, calls, std::move(call)}); }
  void run() {
    for (int round = 0; round < rounds; round++) {
      for (Entry& e : entries) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < e.calls; i++) e.call();
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        e.best = std::min(e.best, took.count() / e.calls);
      }
    }
    std::printf("%-32s", name.c_str());
    for (const Entry& e : entries) std::printf("  %s %.*f", e.who, e.best / divided_by < 10 ? 2 : 0, e.best / divided_by);
    std::printf("\n");
  }
};

enum Which { three_numbers, one_number, to_host, from_text, fresh, in_and_out, discipline_count };

class Library {
 public:
  explicit Library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)) {
    if (handle_ == nullptr) std::fprintf(stderr, "%s\n", dlerror()), std::exit(1);
  }
  template <class F>
  F* function(const char* name) const {
    void* found = dlsym(handle_, name);
    if (found == nullptr) std::fprintf(stderr, "%s\n", dlerror()), std::exit(1);
    return reinterpret_cast<F*>(found);
  }

 private:
  void* handle_;
};

// --- Lua

struct lua_State;

void add_lua(const char* path, std::vector<Discipline>& all) {
  const Library lua(path);
  const auto newstate = lua.function<lua_State*()>("luaL_newstate");
  const auto openlibs = lua.function<void(lua_State*)>("luaL_openlibs");
  const auto close = lua.function<void(lua_State*)>("lua_close");
  const auto load = lua.function<int(lua_State*, const char*)>("luaL_loadstring");
  const auto call = lua.function<int(lua_State*, int, int, int, std::intptr_t, void*)>("lua_pcallk");
  const auto push = lua.function<void(lua_State*, double)>("lua_pushnumber");
  const auto number = lua.function<double(lua_State*, int, int*)>("lua_tonumberx");
  const auto top = lua.function<void(lua_State*, int)>("lua_settop");
  const auto again = lua.function<void(lua_State*, int)>("lua_pushvalue");
  const auto table = lua.function<void(lua_State*, int, int)>("lua_createtable");
  const auto set = lua.function<void(lua_State*, int, long long)>("lua_rawseti");
  const auto closure = lua.function<void(lua_State*, int (*)(lua_State*), int)>("lua_pushcclosure");
  lua_State* const l = newstate();
  openlibs(l);
  const auto define = [=](const char* text) {
    if (load(l, text) != 0 || call(l, 0, 1, 0, 0, nullptr) != 0) std::exit(1);
  };
  define("return function(x) local s = 0 for i = 1, #x do s = s + x[i] end return s / #x end");  // 1
  define("return function(x) return x + 1 end");                                                 // 2
  define("return function(f) for i = 1, 1000 do f(1) end end");                                  // 3
  define("return function(f) for i = 1, 1000 do end end");                                       // 4
  static double (*static_number)(lua_State*, int, int*);
  static void (*static_push)(lua_State*, double);
  static_number = number;
  static_push = push;
  closure(
      l,
      [](lua_State* s) {
        static_push(s, static_number(s, 1, nullptr) + 1);
        return 1;
      },
      0);  // 5
  constexpr int names = 5;
  all[three_numbers].add("Lua", 200000, [=] {
    again(l, 1);
    table(l, 3, 0);
    for (int i = 0; i < 3; i++) push(l, three[i]), set(l, -2, i + 1);
    call(l, 1, 1, 0, 0, nullptr);
    number(l, -1, nullptr);
    top(l, names);
  });
  all[one_number].add("Lua", 200000, [=] {
    again(l, 2);
    push(l, 1);
    call(l, 1, 1, 0, 0, nullptr);
    number(l, -1, nullptr);
    top(l, names);
  });
  all[to_host].add("Lua", 300, [=] {
    again(l, 3);
    again(l, 5);
    call(l, 1, 0, 0, 0, nullptr);
    top(l, names);
  });
  all[from_text].add("Lua", 20000, [=] {
    load(l, "return 1+2");
    call(l, 0, 1, 0, 0, nullptr);
    top(l, names);
  });
  all[fresh].add("Lua", 300, [=] {
    lua_State* const other = newstate();
    openlibs(other);
    close(other);
  });
}

// --- another BQN

using Bqnv = std::uint64_t;

void add_peer(const char* path, std::vector<Discipline>& all, const std::vector<double>& data, std::vector<double>& out) {
  const Library peer(path);
  peer.function<void()>("bqn_init")();
  const auto evaluate = peer.function<Bqnv(const char*)>("bqn_evalCStr");
  const auto call = peer.function<Bqnv(Bqnv, Bqnv)>("bqn_call1");
  const auto make = peer.function<Bqnv(double)>("bqn_makeF64");
  const auto list = peer.function<Bqnv(std::size_t, const double*)>("bqn_makeF64Vec");
  const auto number = peer.function<double(Bqnv)>("bqn_toF64");
  const auto release = peer.function<void(Bqnv)>("bqn_free");
  const auto read = peer.function<void(Bqnv, double*)>("bqn_readF64Arr");
  const auto bound = peer.function<Bqnv(Bqnv(*)(Bqnv, Bqnv), Bqnv)>("bqn_makeBoundFn1");
  const Bqnv mean = evaluate("+´÷≠"), next = evaluate("{𝕩+1}"), calling = evaluate("{f←𝕩⋄{𝕊:F 1}¨↕1000}");
  static double (*static_number)(Bqnv);
  static Bqnv (*static_make)(double);
  static_number = number;
  static_make = make;
  const Bqnv host = bound([](Bqnv, Bqnv x) { return static_make(static_number(x) + 1); }, make(0));
  all[three_numbers].add("peer", 200000, [=] {
    const Bqnv x = list(3, three);
    number(call(mean, x));
    release(x);
  });
  all[one_number].add("peer", 200000, [=] {
    const Bqnv x = make(1);
    number(call(next, x));
    release(x);
  });
  all[to_host].add("peer", 300, [=] { release(call(calling, host)); });
  all[from_text].add("peer", 20000, [=] { number(evaluate("1+2")); });
  all[in_and_out].add("peer", 1, [=, &data, &out] {
    const Bqnv x = list(data.size(), data.data());
    read(x, out.data());
    release(x);
  });
}

}  // namespace

int main(int count, char** words) {
  const char *lua = nullptr, *peer = nullptr;
  double elements = 1e8;
  for (int i = 1; i < count; i++) {
    if (std::strcmp(words[i], "--lua") == 0 && i + 1 < count)
      lua = words[++i];
    else if (std::strcmp(words[i], "--peer") == 0 && i + 1 < count)
      peer = words[++i];
    else
      elements = std::atof(words[i]);
  }
  const auto n = static_cast<std::size_t>(elements);
  std::vector<double> data, out;

  std::vector<Discipline> all(discipline_count);
  all[three_numbers].name = "held function, three numbers";
  all[one_number].name = "held function, one number";
  all[to_host].name = "script to host";
  all[to_host].divided_by = 1000;
  all[from_text].name = "1+2 from text";
  all[fresh].name = "new interpreter";
  all[in_and_out].name = "doubles in and out, in all";

  griddle::Interpreter bqn;
  const Any mean = value_of(bqn.eval("+´÷≠")), next = value_of(bqn.eval("{𝕩+1}"));
  const Any host = bqn.function("Next", [](double x) { return x + 1; });
  const Any calling = value_of(bqn.eval("{f←𝕩⋄{𝕊:F 1}¨↕1000}"));
  all[three_numbers].add("Griddle", 200000, [&] { static_cast<void>(mean(bqn.list(std::span<const double>(three)))->number()); });
  all[one_number].add("Griddle", 200000, [&] { static_cast<void>(next(1.0)->number()); });
  all[to_host].add("Griddle", 300, [&] { calling(host); });
  all[from_text].add("Griddle", 20000, [&] { bqn.eval("1+2"); });
  all[fresh].add("Griddle", 300, [] { griddle::Interpreter other; });
  all[in_and_out].add("Griddle", 1, [&] {
    const Any list = bqn.borrow(std::span<const double>(data), {&n, 1}, [] {});
    if (list.view<double>().data() != data.data()) std::abort();
  });
  all[in_and_out].add("Griddle by copies", 1, [&] { bqn.list(std::span<const double>(data)).copy_to(std::span<double>(out)); });
  if (lua != nullptr) add_lua(lua, all);
  if (peer != nullptr) add_peer(peer, all, data, out);
  // Some libraries want to lie near their own memory: this comes after them.
  data.assign(n, 1.5);
  out.assign(n, 0);
  for (Discipline& d : all) d.run();
}
