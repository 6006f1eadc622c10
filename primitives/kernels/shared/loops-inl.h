// The loops of elementwise kernels, written once; the operation and the lanes are passed in. Included once per target.
#if defined(GRIDDLE_KERNELS_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_LOOPS_INL_H_
#undef GRIDDLE_KERNELS_LOOPS_INL_H_
#else
#define GRIDDLE_KERNELS_LOOPS_INL_H_
#endif

#include <cstring>
#include <type_traits>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/shared/kernel.h"
#include "primitives/kernels/shared/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Tells whether all results of a source fit; one with marks of its own says so itself.
template <class D, class V, class Source>
HWY_INLINE bool all_fit(D d, V bad, [[maybe_unused]] const Source& source) {
  if constexpr (requires { source.none_bad(bad); })
    return source.none_bad(bad);
  else
    return none_marked(d, bad);
}

// Brings two vectors of marks together.
template <class V, class Source>
HWY_INLINE V worse_of(V a, V b, const Source&) {
  if constexpr (requires { Source::worse(a, b); })
    return Source::worse(a, b);
  else
    return hn::Or(a, b);
}

// Computes fewer results than a vector holds.
template <class Out, bool checked, class Source>
HWY_INLINE std::size_t part_of_vector(typename Out::Memory* out, const Source& source, std::size_t n) {
  const typename Out::D d;
  if (n == 0) return 0;
  auto bad = hn::Zero(d);
  const auto r = source.few(n, bad);
  if (checked && !all_fit(d, bad, source)) return 0;
  HWY_ALIGN typename Out::Memory part[hn::MaxLanes(d)];
  Out::store(r, part);
  copy_few(out, part, n * sizeof(part[0]));
  return n;
}

// Keeps compilers from storing this after what is stored next.
template <class T>
HWY_INLINE void stored_first(const T& place) {
  asm volatile("" : : "m"(place));
}

// Computes `n` results, as many as a vector holds or more, which may not fit, in the memory of an argument.
template <class Out, class Source>
HWY_NOINLINE std::size_t checked_in_place(typename Out::Memory* out, const Source source, std::size_t n) {
  using V = typename Out::V;
  const typename Out::D d;
  const std::size_t lanes = Out::count();
  // The last vector overlaps the one before; it is read before any result may overwrite its elements.
  V last_bad = hn::Zero(d);
  const V last = source.at(n - lanes, last_bad);
  std::size_t i = 0;
  for (; n - i > 4 * lanes; i += 4 * lanes) {
    V bad = hn::Zero(d);
    const V r0 = source.at(i, bad), r1 = source.at(i + lanes, bad);
    const V r2 = source.at(i + 2 * lanes, bad), r3 = source.at(i + 3 * lanes, bad);
    if (!all_fit(d, bad, source)) return i;
    Out::store(r0, out + i);
    Out::store(r1, out + i + lanes);
    Out::store(r2, out + i + 2 * lanes);
    Out::store(r3, out + i + 3 * lanes);
  }
  for (; n - i > lanes; i += lanes) {
    V bad = hn::Zero(d);
    const V r = source.at(i, bad);
    if (!all_fit(d, bad, source)) return i;
    Out::store(r, out + i);
  }
  if (!all_fit(d, last_bad, source)) return i;
  Out::store(last, out + n - lanes);
  return n;
}

template <class Out>
concept StoresVectors = requires {
  requires Out::stores_vectors;
};
// Tells whether results are written past the caches: they are new, and more than the caches keep beside the arguments.
template <class Out, class Source>
HWY_INLINE bool goes_past_caches(const typename Out::Memory* out, [[maybe_unused]] const Source& source, std::size_t n) {
  if (n < streamed_from_bytes / sizeof(*out)) [[likely]]
    return false;
  if constexpr (requires { source.reads(out); })
    if (source.reads(out)) return false;
  return reinterpret_cast<std::uintptr_t>(out) % sizeof(typename Out::V) == 0;
}

// Computes results from place i on up to place `stop`, by four vectors. Marks of every second vector are set apart.
template <class Out, bool past_caches, class Source>
HWY_INLINE std::size_t store_until(std::size_t stop, typename Out::Memory* out, const Source& source, std::size_t i,
                                   typename Out::V& bad, typename Out::V& other_bad) {
  const std::size_t lanes = Out::count();
  do {
    // Processors like stores best in order, amid loads.
    for (std::size_t k = 0; k < 4; k++) {
      const auto r = source.at(i + k * lanes, k % 2 == 0 ? bad : other_bad);
      if constexpr (past_caches)
        hn::Stream(r, typename Out::D(), out + i + k * lanes);
      else
        Out::store(r, out + i + k * lanes);
      stored_first(out[i + k * lanes]);
    }
    i += 4 * lanes;
  } while (i != stop);
  return i;
}
// Computes `n` results past the caches, of which nothing is an argument, by four vectors. Gives the number of results that fit.
template <class Out, bool checked, class Source>
HWY_NOINLINE std::size_t streamed_vectors(typename Out::Memory* out, const Source source, std::size_t n) {
  using V = typename Out::V;
  const typename Out::D d;
  const std::size_t chunk = 64 * Out::count();
  std::size_t i = 0;
  while (i != n) {
    V bad = hn::Zero(d), other_bad = bad;
    const std::size_t start = i;
    i = store_until<Out, true>(n - i < chunk ? n : i + chunk, out, source, i, bad, other_bad);
    if (checked && !all_fit(d, worse_of(bad, other_bad, source), source)) {
      i = start;
      break;
    }
  }
  hwy::FlushStream();
  return i;
}

// Computes `n` results, as many as a vector holds or more. Where they are not stored in an argument, those that do not fit are
// noticed afterwards: to look takes as long as to store a vector.
template <class Out, bool checked, class Source>
HWY_INLINE std::size_t whole_vectors(typename Out::Memory* out, const Source& source, std::size_t n) {
  using V = typename Out::V;
  const typename Out::D d;
  const std::size_t lanes = Out::count();
  if constexpr (checked)
    if (source.reads(out)) [[unlikely]]
      return checked_in_place<Out>(out, source, n);
  V bad = hn::Zero(d), other_bad = bad;
  const std::size_t chunk = 64 * lanes, end = (n - 1) / (4 * lanes) * (4 * lanes);
  // The last vector overlaps the one before: it is read first where a result may overwrite its elements. In the cache, it tells
  // soon where results do not fit; elsewhere memory is read in order, as what fetches ahead likes it.
  V last = bad;
  bool first = !checked || n < 16 * chunk;
  if constexpr (!checked && requires { source.reads(out); }) first = source.reads(out);
  if (first) {
    last = source.at(n - lanes, bad);
    if (checked && !all_fit(d, bad, source)) return 0;
  }
  std::size_t i = 0;
  if constexpr (StoresVectors<Out>) {
    if (goes_past_caches<Out>(out, source, n)) [[unlikely]] {
      if constexpr (requires { source.template streamed<Out>(out, end); })
        i = source.template streamed<Out>(out, end);
      else
        i = streamed_vectors<Out, checked>(out, source, end);
      if (i != end) return i;
    }
  }
  if constexpr (checked) {
    while (i != end) {
      const std::size_t start = i;
      i = store_until<Out, false>(end - i < chunk ? end : i + chunk, out, source, i, bad, other_bad);
      if (!all_fit(d, worse_of(bad, other_bad, source), source)) return start;
    }
  } else if (i != end) {
    i = store_until<Out, false>(end, out, source, i, bad, other_bad);
  }
  std::size_t place = i;
  if ((n - 1) & (2 * lanes)) {
    const V r0 = source.at(place, bad), r1 = source.at(place + lanes, other_bad);
    Out::store(r0, out + place);
    Out::store(r1, out + place + lanes);
    place += 2 * lanes;
  }
  if ((n - 1) & lanes) Out::store(source.at(place, bad), out + place);
  if (!first) last = source.at(n - lanes, bad);
  if (checked && !all_fit(d, worse_of(bad, other_bad, source), source)) return i;
  Out::store(last, out + n - lanes);
  return n;
}

// Computes fewer results than a vector holds, apart, so that longer loops need no room for parts of vectors. The source is made
// here: passed by its value it would lie in memory, from where it cannot be read at once.
template <class Out, bool checked, class Source, class... Arguments>
HWY_NOINLINE std::size_t few_results(typename Out::Memory* out, std::size_t n, Arguments... of_source) {
  // Says it to the compiler, which does not see the caller.
  if (n >= hn::MaxLanes(typename Out::D())) __builtin_unreachable();
  return part_of_vector<Out, checked>(out, Source{of_source...}, n);
}

// Computes `n` results and stores them through Out, from a Source{of_source...}. That has at(i, bad): the results for the vector
// of elements from i on; few(n, bad): the results for its n elements, fewer than a vector; and, if checked, reads(out): whether
// `out` is an argument. The former set in `bad` the highest bit of the lanes whose result does not fit.
template <class Out, bool checked, class Source, class... Arguments>
HWY_INLINE std::size_t each_vector(typename Out::Memory* out, std::size_t n, Arguments... of_source) {
  if (n < Out::count()) return few_results<Out, checked, Source>(out, n, of_source...);
  return whole_vectors<Out, checked>(out, Source{of_source...}, n);
}

// An operation has `checked`, apply(d, a, b) and, if checked, bad(d, a, b, result): the lanes whose result does not fit, as a
// mask or marked by their highest bits.
template <class Op, class V>
HWY_INLINE V dyad_result(V a, V b, [[maybe_unused]] V& bad) {
  const hn::DFromV<V> d;
  if constexpr (Op::checked) {
    const V kept_a = in_register(a), kept_b = in_register(b), r = Op::apply(d, kept_a, kept_b);
    bad = hn::Or(bad, marked(d, Op::bad(d, kept_a, kept_b, r)));
    return r;
  } else {
    return Op::apply(d, a, b);
  }
}

// Operands in a form that is known only when the loop runs, as Left and Right (Lanes) load them.
template <class Left, class Right, class Op>
struct AnyFormSource {
  using V = typename Left::V;
  const typename Left::Memory* w;
  const typename Right::Memory* x;
  V one;
  Form form;

  HWY_INLINE V at(std::size_t i, V& bad) const {
    // Compilers would make a loop for each form of one that looks at it.
    Form known = form;
    asm("" : "+r"(known));
    const V a = known == scalar_array ? one : Left::load(w + i);
    return dyad_result<Op>(a, known == array_scalar ? one : Right::load(x + i), bad);
  }
};
// Computes results past the caches. A loop that waits for memory is compiled once for all forms. The source is made here: passed
// by its value it would lie in memory, for which every call would make room.
template <class Out, class Left, class Right, class Op>
HWY_NOINLINE std::size_t streamed_dyad(typename Out::Memory* out, const typename Left::Memory* w, const typename Right::Memory* x,
                                       std::size_t n, Form form) {
  const auto one = form == array_array ? hn::Zero(typename Left::D()) : form == scalar_array ? Left::splat(*w) : Right::splat(*x);
  return streamed_vectors<Out, Op::checked>(out, AnyFormSource<Left, Right, Op>{w, x, one, form}, n);
}

template <class In, class Op, Form form>
struct DyadSource {
  using Memory = typename In::Memory;
  using V = typename In::V;
  const Memory* w;
  const Memory* x;
  V one;

  HWY_INLINE bool reads(const void* out) const {
    return (form != scalar_array && out == w) || (form != array_scalar && out == x);
  }
  HWY_INLINE V at(std::size_t i, V& bad) const {
    if constexpr (form == scalar_array)
      return dyad_result<Op>(one, In::load(x + i), bad);
    else if constexpr (form == array_scalar)
      return dyad_result<Op>(In::load(w + i), one, bad);
    else
      return dyad_result<Op>(In::load(w + i), In::load(x + i), bad);
  }
  HWY_INLINE V few(std::size_t n, V& bad) const {
    const V a = form == scalar_array ? one : load_few<In>(w, n);
    return dyad_result<Op>(a, form == array_scalar ? one : load_few<In>(x, n), bad);
  }
  template <class Out>
  HWY_INLINE std::size_t streamed(typename Out::Memory* out, std::size_t n) const {
    return streamed_dyad<Out, In, In, Op>(out, w, x, n, form);
  }
};

template <class In, class Op, Form form>
HWY_INLINE DyadSource<In, Op, form> dyad_source(const void* w_bytes, const void* x_bytes) {
  using Memory = typename In::Memory;
  const Memory* w = static_cast<const Memory*>(w_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  return {w, x, form == array_array ? hn::Zero(typename In::D()) : In::splat(form == scalar_array ? *w : *x)};
}
// Stands apart, so that longer loops need no room for parts of vectors.
template <class In, class Out, class Op, Form form>
HWY_NOINLINE std::size_t short_dyad_loop(void* out, const void* w, const void* x, std::size_t n) {
  if (n == 0) return 0;
  // Says it to the compiler, which does not see the caller.
  if (n >= hn::MaxLanes(typename Out::D())) __builtin_unreachable();
  return part_of_vector<Out, Op::checked>(static_cast<typename Out::Memory*>(out), dyad_source<In, Op, form>(w, x), n);
}
// Tells whether these arguments are a few elements in words.
template <class In, class Out, Form form>
HWY_INLINE bool are_few(const void* out, const void* w, const void* x, std::size_t n) {
  return n - 1 < FewLanes<Out>::count() && in_words(out, form == scalar_array ? x : w, form == array_array ? x : nullptr);
}
template <class In, class Out, class Op, Form form>
HWY_INLINE std::size_t few_dyad(void* out, const void* w_bytes, const void* x_bytes, std::size_t n) {
  using From = FewLanes<In>;
  using To = FewLanes<Out>;
  const auto* const w = static_cast<const typename In::Memory*>(w_bytes);
  const auto* const x = static_cast<const typename In::Memory*>(x_bytes);
  const auto a = form == scalar_array ? From::splat(*w) : load_words<From>(w, n);
  const auto b = form == array_scalar ? From::splat(*x) : load_words<From>(x, n);
  const typename To::D d;
  auto bad = hn::Zero(d);
  const auto r = dyad_result<Op>(a, b, bad);
  if (Op::checked && !none_of_first_marked(d, bad, n)) return 0;
  store_words<To>(r, static_cast<typename Out::Memory*>(out), n);
  return n;
}
// Has `longer`, which computes the same, do what is more.
template <class L, class Op, Form form, Dyad longer>
std::size_t few_or(void* out, const void* w, const void* x, std::size_t n) {
  return are_few<L, L, form>(out, w, x, n) ? few_dyad<L, L, Op, form>(out, w, x, n) : longer(out, w, x, n);
}
// Reads through In and writes through Out, which compute in the same type.
template <class In, class Out, class Op, Form form>
std::size_t dyad_loop(void* out, const void* w, const void* x, std::size_t n) {
  static_assert(std::is_same_v<typename In::D, typename Out::D>);
  if (are_few<In, Out, form>(out, w, x, n)) return few_dyad<In, Out, Op, form>(out, w, x, n);
  if (n < Out::count()) return short_dyad_loop<In, Out, Op, form>(out, w, x, n);
  return whole_vectors<Out, Op::checked>(static_cast<typename Out::Memory*>(out), dyad_source<In, Op, form>(w, x), n);
}

// Takes the operands of a kernel the other way round.
template <Dyad kernel>
std::size_t swapped(void* out, const void* w, const void* x, std::size_t n) {
  return kernel(out, x, w, n);
}

// Does so for each element at w with all at x.
template <class In, class Out, class Op>
bool table_loop(void* out, const void* w_bytes, std::size_t rows, const void* x_bytes, std::size_t n) {
  using V = typename In::V;
  const typename Out::D d;
  const std::size_t lanes = Out::count();
  constexpr std::size_t looked_at = 16;
  const auto* const w = static_cast<const typename In::Memory*>(w_bytes);
  const auto* const x = static_cast<const typename In::Memory*>(x_bytes);
  auto* to = static_cast<typename Out::Memory*>(out);
  V bad = hn::Zero(d);
  std::size_t i = 0;
  if (n < lanes) {
    const V row = load_few<In>(x, n);
    // A row may run on over the place of the next, which is not there yet.
    for (; (rows - i) * n >= lanes; i++, to += n) {
      Out::store(dyad_result<Op>(In::splat(w[i]), row, bad), to);
      if (Op::checked && i % looked_at == 0 && !none_marked(d, bad)) return false;
    }
    HWY_ALIGN typename Out::Memory part[hn::MaxLanes(d)];
    for (; i < rows; i++, to += n) {
      Out::store(dyad_result<Op>(In::splat(w[i]), row, bad), part);
      copy_few(to, part, n * sizeof(part[0]));
    }
  } else {
    for (; i < rows; i++, to += n) {
      const V one = In::splat(w[i]);
      const auto store = [&](std::size_t place)
                             HWY_ATTR { Out::store(dyad_result<Op>(one, In::load(x + place), bad), to + place); };
      for (std::size_t k = 0; k + lanes <= n; k += lanes) store(k);
      if (n % lanes != 0) store(n - lanes);
      if (Op::checked && i % looked_at == 0 && !none_marked(d, bad)) return false;
    }
  }
  return !Op::checked || none_marked(d, bad);
}

// An operation has `checked`, apply(d, a) and, if checked, bad(d, a, result).
template <class In, class Op>
struct MonadSource {
  using V = typename In::V;
  const typename In::Memory* x;

  HWY_INLINE V result(V a, V& bad) const {
    const typename In::D d;
    const V r = Op::apply(d, a);
    if constexpr (Op::checked) bad = hn::Or(bad, marked(d, Op::bad(d, a, r)));
    return r;
  }
  HWY_INLINE bool reads(const void* out) const { return out == x; }
  HWY_INLINE V at(std::size_t i, V& bad) const { return result(In::load(x + i), bad); }
  HWY_INLINE V few(std::size_t n, V& bad) const { return result(load_few<In>(x, n), bad); }
};

template <class In, class Out, class Op>
HWY_NOINLINE std::size_t short_monad_loop(void* out, const void* x, std::size_t n) {
  if (n >= hn::MaxLanes(typename Out::D())) __builtin_unreachable();
  const MonadSource<In, Op> source = {static_cast<const typename In::Memory*>(x)};
  return part_of_vector<Out, Op::checked>(static_cast<typename Out::Memory*>(out), source, n);
}
template <class In, class Out, class Op>
std::size_t monad_loop(void* out, const void* x, std::size_t n) {
  static_assert(std::is_same_v<typename In::D, typename Out::D>);
  if (n < Out::count()) return short_monad_loop<In, Out, Op>(out, x, n);
  const MonadSource<In, Op> source = {static_cast<const typename In::Memory*>(x)};
  return whole_vectors<Out, Op::checked>(static_cast<typename Out::Memory*>(out), source, n);
}

// The same for results that own the words they lie in.
template <class In, class Out, class Op>
std::size_t monad_in_words(void* out, const void* x_bytes, std::size_t n) {
  if (n - 1 >= FewLanes<Out>::count() || !in_words(out, x_bytes)) return monad_loop<In, Out, Op>(out, x_bytes, n);
  using To = FewLanes<Out>;
  const typename To::D d;
  const auto a = load_words<FewLanes<In>>(static_cast<const typename In::Memory*>(x_bytes), n);
  const auto r = Op::apply(d, a);
  if constexpr (Op::checked)
    if (!none_of_first_marked(d, marked(d, Op::bad(d, a, r)), n)) return 0;
  store_words<To>(r, static_cast<typename Out::Memory*>(out), n);
  return n;
}

struct Keep {
  static constexpr bool checked = false;
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return a;
  }
};

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
