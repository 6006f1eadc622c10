// The longer inline functions of griddle.hpp, which includes this.
#pragma once

namespace griddle {

namespace detail {

template <class T>
Any made(griddle_interpreter* p, const T& value) {
  using D = std::decay_t<T>;
  if constexpr (std::is_same_v<D, Any>)
    return value;
  else if constexpr (std::is_same_v<D, Result>)
    return value.value();
  else if constexpr (std::is_same_v<D, char32_t>)
    return Any::adopt(griddle_make_character(p, value));
  else if constexpr (std::is_arithmetic_v<D>)
    return Any::adopt(griddle_make_number(p, static_cast<double>(value)));
  else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return Any::adopt(griddle_make_text(p, text(value), nullptr));
  else if constexpr (std::is_same_v<D, std::vector<bool>>) {
    const std::unique_ptr<bool[]> copy(new bool[value.size()]);
    for (std::size_t i = 0; i < value.size(); i++) copy[i] = value[i];
    return Any::adopt(griddle_make_list(p, griddle_bool, copy.get(), value.size(), nullptr));
  } else if constexpr (Elements<typename D::value_type>)
    return Any::adopt(griddle_make_list(p, static_cast<griddle_type>(type_of<typename D::value_type>()), std::data(value),
                                        std::size(value), nullptr));
  else {
    std::vector<Any> elements;
    std::vector<griddle_value> handles;
    for (const auto& e : value) {
      elements.push_back(made(p, e));
      handles.push_back(elements.back().handle());
    }
    return Any::adopt(griddle_make_list(p, griddle_any, handles.data(), handles.size(), nullptr));
  }
}

// What a function is called with.
template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Arguments = std::tuple<std::decay_t<A>...>;
  using Return = R;
};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) noexcept> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const noexcept> : Signature<R (*)(A...)> {};

// Lends the library's value as an Any.
class LentAny {
 public:
  explicit LentAny(griddle_value v) : any_(Any::adopt(v)) {}
  ~LentAny() { [[maybe_unused]] const griddle_value stays = any_.leak(); }
  LentAny(const LentAny&) = delete;
  LentAny& operator=(const LentAny&) = delete;
  const Any& operator*() const { return any_; }

 private:
  Any any_;
};

inline griddle_value handed(Result&& r, griddle_failure** why) {
  if (r.ok()) return std::move(r).value().leak();
  const Failure& f = r.failure();
  if (f.origin)
    *why = griddle_share_failure(f.origin.get());
  else
    *why = f.value.has_value() ? griddle_make_failure_of(f.value.handle()) : griddle_make_failure(text(f.message));
  return {};
}

// Takes an argument as what the function wants; tells whether it is such.
template <class T>
std::optional<T> argument(const Any& any) {
  if constexpr (std::is_same_v<T, Any>)
    return any;
  else
    return any.as<T>();
}

template <class F, class... A>
griddle_value called(griddle_interpreter* p, F& f, griddle_failure** why, std::optional<A>... arguments) {
  if (!(arguments.has_value() && ...)) {
    *why = griddle_make_failure(griddle_string("The argument is not of the type that the function takes"));
    return {};
  }
  using R = typename Signature<F>::Return;
  if constexpr (std::is_void_v<R>) {
    f(*std::move(arguments)...);
    return griddle_make_number(p, 0);
  } else if constexpr (std::is_same_v<std::decay_t<R>, Result>) {
    return handed(f(*std::move(arguments)...), why);
  } else {
    return made(p, f(*std::move(arguments)...)).leak();
  }
}

}  // namespace detail

template <class T>
std::optional<T> Any::as() const {
  if constexpr (std::is_same_v<T, Any>)
    return *this;
  else if constexpr (std::is_same_v<T, std::string>)
    return text();
  else if constexpr (std::is_same_v<T, char32_t>)
    return is_character() ? std::optional(character()) : std::nullopt;
  else if constexpr (std::is_same_v<T, bool>) {
    const double d = number();
    return d == 0 || d == 1 ? std::optional(d == 1) : std::nullopt;
  } else if constexpr (std::is_floating_point_v<T>) {
    return is_number() ? std::optional(static_cast<T>(number())) : std::nullopt;
  } else if constexpr (std::is_integral_v<T>) {
    T i;
    return is_number() && copy_to(std::span<T>(&i, 1)) ? std::optional(i) : std::nullopt;
  } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
    const std::unique_ptr<bool[]> copy(new bool[length()]);
    if (!is_array() || !copy_to(std::span<bool>(copy.get(), length()))) return std::nullopt;
    return T(copy.get(), copy.get() + length());
  } else {
    static_assert(detail::IsVector<T>::value, "this is no type that a value can be");
    using E = typename T::value_type;
    if (!is_array()) return std::nullopt;
    if constexpr (detail::Elements<E>) {
      return copied<E>();
    } else {
      T result;
      for (std::size_t i = 0; i < length(); i++) {
        std::optional<E> e = (*this)[i].template as<E>();
        if (!e) return std::nullopt;
        result.push_back(*std::move(e));
      }
      return result;
    }
  }
}

inline Result Any::operator()(const Any& x) const {
  griddle_failure* why = nullptr;
  Any value = adopt(griddle_call(v_, x.v_, &why));
  return Result(std::move(value), why);
}
inline Result Any::operator()(const Any& w, const Any& x) const {
  griddle_failure* why = nullptr;
  Any value = adopt(griddle_call2(v_, w.v_, x.v_, &why));
  return Result(std::move(value), why);
}
template <class T>
Any Any::made(const T& value) const {
  return detail::made(v_.interpreter, value);
}
template <class X>
requires(!std::is_convertible_v<const X&, const Any&>) Result Any::operator()(const X& x) const { return (*this)(made(x)); }
template <class W, class X>
requires(!(std::is_convertible_v<const W&, const Any&> &&
           std::is_convertible_v<const X&, const Any&>)) Result Any::operator()(const W& w, const X& x) const {
  return (*this)(made(w), made(x));
}
inline Result Any::derive(const Any& f) const { return derive(f, Any()); }
inline Result Any::derive(const Any& f, const Any& g) const {
  griddle_failure* why = nullptr;
  Any value = adopt(griddle_derive(v_, f.v_, g.v_, &why));
  return Result(std::move(value), why);
}
inline Result Any::source() const {
  griddle_failure* why = nullptr;
  const griddle_buffer b = griddle_source(v_, &why);
  if (why != nullptr) return Result(Any(), why);
  const Any text = adopt(griddle_make_text(v_.interpreter, {b.data, b.bytes}, &why));
  griddle_free(b);
  return Result(text, why);
}

template <class T>
Any Interpreter::make(const T& value) {
  return detail::made(p_, value);
}

template <class F>
Any Interpreter::function(std::string_view name, F f) {
  using Arguments = typename detail::Signature<F>::Arguments;
  constexpr std::size_t count = std::tuple_size_v<Arguments>;
  static_assert(count == 1 || count == 2, "a function has one or two arguments");
  auto* held = new F(std::move(f));
  return Any::adopt(griddle_make_function(
      p_, detail::text(name),
      [](void* data, griddle_interpreter* p, const griddle_value* w, griddle_value x, griddle_failure** why) -> griddle_value {
        F& function = *static_cast<F*>(data);
        const detail::LentAny right(x);
        if constexpr (count == 1) {
          if (w != nullptr) {
            *why = griddle_make_failure(griddle_string("The function takes no left argument"));
            return {};
          }
          return detail::called<F, std::tuple_element_t<0, Arguments>>(
              p, function, why, detail::argument<std::tuple_element_t<0, Arguments>>(*right));
        } else if constexpr (std::is_same_v<std::tuple_element_t<0, Arguments>, const Any*>) {
          const detail::LentAny left(w != nullptr ? *w : griddle_value{});
          return detail::handed(function(w != nullptr ? &*left : nullptr, *right), why);
        } else {
          if (w == nullptr) {
            *why = griddle_make_failure(griddle_string("The function needs a left argument"));
            return {};
          }
          const detail::LentAny left(*w);
          return detail::called<F, std::tuple_element_t<0, Arguments>, std::tuple_element_t<1, Arguments>>(
              p, function, why, detail::argument<std::tuple_element_t<0, Arguments>>(*left),
              detail::argument<std::tuple_element_t<1, Arguments>>(*right));
        }
      },
      held, [](void* data) { delete static_cast<F*>(data); }, nullptr));
}

template <class F>
Any Interpreter::modifier(std::string_view name, int operands, F f) {
  auto* held = new F(std::move(f));
  return Any::adopt(griddle_make_modifier(
      p_, detail::text(name), operands,
      [](void* data, griddle_interpreter*, griddle_value operand, const griddle_value* g, const griddle_value* w, griddle_value x,
         griddle_failure** why) -> griddle_value {
        const detail::LentAny first(operand), second(g != nullptr ? *g : griddle_value{}),
            left(w != nullptr ? *w : griddle_value{}), right(x);
        return detail::handed(
            (*static_cast<F*>(data))(*first, g != nullptr ? &*second : nullptr, w != nullptr ? &*left : nullptr, *right), why);
      },
      held, [](void* data) { delete static_cast<F*>(data); }, nullptr));
}

inline griddle_options Interpreter::options_of(const Options& o, griddle_console& console, griddle_file_source& files,
                                               std::vector<griddle_text>& arguments) {
  griddle_options c = griddle_default_options();
  if (o.console != nullptr) {
    console = {};
    console.size = sizeof console;
    console.data = o.console;
    console.write = [](void* d, griddle_text t) { static_cast<Console*>(d)->write(detail::view(t)); };
    console.write_error = [](void* d, griddle_text t) { static_cast<Console*>(d)->write_error(detail::view(t)); };
    console.flush = [](void* d) { static_cast<Console*>(d)->flush(); };
    console.read_line = [](void* d, griddle_text* line) -> int {
      auto& own = *static_cast<Console*>(d);
      if (!own.read_line(own.line_)) return 0;
      *line = detail::text(own.line_);
      return 1;
    };
    console.read_byte = [](void* d, int wait) { return static_cast<Console*>(d)->read_byte(wait != 0); };
    console.set_raw = [](void* d, int raw) { static_cast<Console*>(d)->set_raw(raw != 0); };
    console.terminal_size = [](void* d, std::size_t* rows, std::size_t* columns) -> int {
      return static_cast<Console*>(d)->terminal_size(*rows, *columns);
    };
    console.error_columns = [](void* d) { return static_cast<Console*>(d)->error_columns(); };
    console.pictures = [](void* d) { return static_cast<std::int32_t>(static_cast<Console*>(d)->pictures()); };
    c.console = &console;
  }
  if (o.files != nullptr) {
    files = {};
    files.size = sizeof files;
    files.data = o.files;
    files.read = [](void* d, griddle_text path, griddle_text* contents) -> int {
      auto& own = *static_cast<FileSource*>(d);
      std::optional<std::string> text = own.read(detail::view(path));
      if (!text) return 0;
      own.contents_ = *std::move(text);
      *contents = detail::text(own.contents_);
      return 1;
    };
    c.files = &files;
  }
  arguments = texts_of(o.arguments);
  c.arguments = arguments.data();
  c.argument_count = arguments.size();
  c.capabilities = o.safe ? o.capabilities & griddle_may_read_clock : o.capabilities;
  c.root = o.root.empty() ? nullptr : o.root.c_str();
  c.memory_limit = o.memory_limit;
  c.output_limit = o.output_limit;
  c.step_limit = o.step_limit;
  c.depth_limit = o.depth_limit;
  c.stack_bytes = o.stack_bytes;
  c.time_limit = o.time_limit;
  c.has_seed = o.seed.has_value();
  c.seed = o.seed.value_or(0);
  c.device = static_cast<std::int32_t>(o.device);
  c.device_plugin = o.device_plugin.empty() ? nullptr : o.device_plugin.c_str();
  c.device_cache = o.device_cache.empty() ? nullptr : o.device_cache.c_str();
  c.device_from = o.device_from;
  c.general_ways = o.general_ways;
  c.checked_ways = o.checked_ways;
  c.pictures = static_cast<std::int32_t>(o.pictures);
  c.machine_code = static_cast<std::int32_t>(o.machine_code);
  return c;
}

inline void Interpreter::begin(const Options& options) {
  griddle_console console = {};
  griddle_file_source files = {};
  std::vector<griddle_text> arguments;
  const griddle_options c = options_of(options, console, files, arguments);
  p_ = griddle_new(&c, nullptr);
}

// Gives the version of the library, such as 0.3.0.
inline const char* version() noexcept { return griddle_version(); }

// What the library was built from, and which of its kernels run here.
struct BuildInfo {
  std::string version;
  std::string commit;                         // the first 12 digits; "unknown" where the sources lay in no repository
  bool modified = false;                      // the sources differed from the commit
  std::vector<std::string> instruction_sets;  // that kernels are compiled for, by Highway's names, from the simplest on
  std::string instruction_set;                // the best of them that is used
};
inline BuildInfo build_info() {
  constexpr std::string_view mark = "-modified";
  BuildInfo info;
  info.version = griddle_version();
  info.commit = griddle_commit();
  info.modified = info.commit.ends_with(mark);
  if (info.modified) info.commit.resize(info.commit.size() - mark.size());
  const std::string_view names = griddle_instruction_sets();
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(' ', at), names.size());
    info.instruction_sets.emplace_back(names.substr(at, end - at));
    at = end + 1;
  }
  info.instruction_set = griddle_instruction_set();
  return info;
}
// Says why this library cannot run on this processor; empty where it can.
inline std::string processor_problem() { return griddle_processor_problem(); }

// The device that large arrays may be computed on.
struct DeviceInfo {
  enum class State : std::uint8_t { no_plugin, not_wanted, none_found, found };
  State state = State::no_plugin;
  std::string plugin;  // path of the plug-in, where one is installed
  std::string name;    // of the device that was found
};
// Looks for a device and opens it, which may take a second; programs do so by themselves.
inline DeviceInfo find_device(const Options& options) {
  griddle_console console = {};
  griddle_file_source files = {};
  std::vector<griddle_text> arguments;
  const griddle_options c = Interpreter::options_of(options, console, files, arguments);
  griddle_found_device device;
  device.size = sizeof device;
  griddle_find_device(&c, &device);
  DeviceInfo info;
  info.plugin = detail::view(device.plugin);
  info.name = detail::view(device.name);
  info.state = info.plugin.empty()                 ? DeviceInfo::State::no_plugin
               : options.device == DeviceUse::none ? DeviceInfo::State::not_wanted
               : info.name.empty()                 ? DeviceInfo::State::none_found
                                                   : DeviceInfo::State::found;
  return info;
}

}  // namespace griddle
