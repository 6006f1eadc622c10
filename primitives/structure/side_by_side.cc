#include "primitives/structure/side_by_side.h"

#include <algorithm>
#include <cstring>

#include "primitives/common/plain.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/pieces.h"

namespace griddle::primitives {

void copy_value(Array& to, std::size_t at, const Value& v) {
  if (v.is_array())
    copy_run(to, at, v.array(), 0, v.array().length);
  else
    fill_run(to, at, 1, v);
}

void Common::add(const Value& v) {
  ElementType t = type_of(v);
  FillKind kind = v.is_array()      ? v.array().fill_kind()
                  : is_number(t)    ? FillKind::zero
                  : is_character(t) ? FillKind::space
                                    : FillKind::none;
  if (first_ != nullptr) {
    // Empty arrays hold nothing that would need their type.
    if (length_of(v)) {
      type_ = typed_ ? common_type(type_, t) : t;
      typed_ = true;
    } else if (passes_over_nothing_ && (kind == FillKind::none || kind == FillKind::zero)) {
      return;
    }
    if (kind == kind_ && kind != FillKind::nested && kind != FillKind::of_first) return;
    if (kind_ == FillKind::none) return;
    fill_ = common_fill(heap_, *first_, v);
    if (fill_.is_absent()) kind_ = FillKind::none;
    return;
  }
  first_ = &v;
  kind_ = kind;
  type_ = t;
  typed_ = length_of(v) != 0;
}

namespace {

[[gnu::always_inline]] inline bool finish_survey(std::span<const Value> lists, FlatLists found, FlatLists& all) {
  // Empty lists hold nothing that would need their type.
  if (!found.of_one_type && found.total != 0) {
    found.type = ElementType::bit;
    for (const Value& v : lists)
      if (v.array().length != 0) found.type = std::max(found.type, v.array().type());
  }
  all = found;
  return found.total <= max_length;
}

// Surveys lists piece by piece.
[[gnu::noinline]] bool survey_many(std::span<const Value> lists, FlatLists& all) {
  FlatLists found;
  for (std::size_t i = 0, end; i < lists.size(); i = end) {
    end = std::min(lists.size(), i + kernels::long_piece);
    FlatLists some;
    if (!survey_flat_lists(lists.subspan(i, end - i), some)) return false;
    if (i == 0) {
      found = some;
      continue;
    }
    if (is_number(some.type) != is_number(found.type)) return false;
    found.of_one_type &= some.of_one_type && some.type == found.type;
    found.of_equal_length &= some.of_equal_length && some.first == found.first;
    found.total += some.total;
    checkpoint();
  }
  return finish_survey(lists, found, all);
}

}  // namespace

bool survey_flat_lists(std::span<const Value> lists, FlatLists& all) {
  if (lists.size() > kernels::long_piece) [[unlikely]]
    return survey_many(lists, all);
  FlatLists found;          // in registers
  std::uint32_t usual = 0;  // how the first list is described
  for (const Value& v : lists) {
    if (!v.is_array()) return false;
    const Array& a = v.array();
    if (a.data.elsewhere()) return false;
    const std::uint32_t described = PlainList::described(a);
    if (described != usual) {
      if (!is_plain_list(a) || (usual != 0 && is_number(a.type()) != is_number(found.type))) return false;
      if (usual == 0)
        usual = described, found.first = a.length, found.type = a.type();
      else
        found.of_one_type = false;
    }
    found.of_equal_length &= a.length == found.first;
    found.total += a.length;
  }
  return finish_survey(lists, found, all);
}

namespace {

// Copies lists of equally many bytes, each by its first and its last few.
template <std::size_t few>
void copy_by_ends(std::uint8_t* to, std::span<const Value> lists, std::size_t bytes) {
  for (const Value& v : lists) {
    const std::uint8_t* from = v.array().data.here();
    unsigned char first[few], last[few];
    std::memcpy(first, from, few);
    std::memcpy(last, from + bytes - few, few);
    std::memcpy(to, first, few);
    std::memcpy(to + bytes - few, last, few);
    to += bytes;
  }
}

// Copies lists of elements of 2⋆shift bytes one after the other, as part of `whole` bytes.
[[gnu::always_inline]] inline void copy_lists(std::uint8_t* to, std::span<const Value> lists, const FlatLists& all,
                                              unsigned shift, std::size_t whole) {
  constexpr std::size_t most_by_ends = 64;
  if (const std::size_t bytes = all.first << shift; all.of_equal_length && bytes != 0 && bytes <= most_by_ends) {
    switch (std::bit_floor(bytes)) {
      case 1: return copy_by_ends<1>(to, lists, bytes);
      case 2: return copy_by_ends<2>(to, lists, bytes);
      case 4: return copy_by_ends<4>(to, lists, bytes);
      case 8: return copy_by_ends<8>(to, lists, bytes);
      case 16: return copy_by_ends<16>(to, lists, bytes);
      default: return copy_by_ends<32>(to, lists, bytes);
    }
  }
  for (const Value& v : lists) {
    const std::size_t bytes = v.array().length << shift;
    copy_piece(to, v.array().data.here(), bytes, whole);
    to += bytes;
  }
}

// Copies lists of so many bytes piece by piece.
constexpr std::size_t many_bytes = std::size_t{8} << 20;
[[gnu::noinline]] void copy_many_lists(std::uint8_t* to, std::span<const Value> lists, const FlatLists& all, unsigned shift,
                                       std::size_t whole) {
  const std::size_t some = std::max<std::size_t>(1, lists.size() / (whole / many_bytes));
  for (std::size_t i = 0; i < lists.size(); i += some) {
    const std::span<const Value> these = lists.subspan(i, std::min(some, lists.size() - i));
    copy_lists(to, these, all, shift, whole);
    if (all.of_equal_length)
      to += these.size() * all.first << shift;
    else
      for (const Value& v : these) to += v.array().length << shift;
    checkpoint();
  }
}

void lay_out_bits(std::uint64_t* to, std::span<const Value> lists) {
  constexpr std::size_t few_words = 128;  // bits; longer lists are worth a call
  kernels::BitWriter writer(to);
  std::size_t at = 0;
  kernels::ElementsDone done;
  for (const Value& v : lists) {
    const Array& a = v.array();
    const auto* const bits = a.as<std::uint64_t>();
    done.add(a.length);
    if (a.length - 1 < 64) {
      writer.append_before_more(bits[0] & kernels::low_bits(a.length), a.length);
    } else if (a.length <= few_words) {
      writer.append_copy(bits, 0, a.length);
    } else {
      writer.finish();
      kernels::copy_bits(to, at, bits, 0, a.length);
      writer = kernels::BitWriter(to, at + a.length);
    }
    at += a.length;
  }
  writer.finish();
}

}  // namespace

void lay_out(Array& to, std::span<const Value> lists, const FlatLists& all) {
  if (all.of_one_type && all.type == ElementType::bit) return lay_out_bits(to.as<std::uint64_t>(), lists);
  if (all.of_one_type) {
    const unsigned shift = log2_bits_of(all.type) - 3;
    const std::size_t whole = to.length << shift;
    if (whole >= many_bytes) [[unlikely]]
      return copy_many_lists(to.data.here(), lists, all, shift, whole);
    return copy_lists(to.data.here(), lists, all, shift, whole);
  }
  std::size_t at = 0;
  kernels::ElementsDone done;
  for (const Value& v : lists) {
    const Array& a = v.array();
    done.add(a.length);
    if (a.length != 0) copy_elements(to, at, a, 0, a.length);
    at += a.length;
  }
}

bool lay_out_alike(Array& to, std::span<const Value> lists, const FlatLists& like) {
  constexpr std::size_t some = 4096;  // whole words of bits
  const unsigned log2_bits = log2_bits_of(like.type);
  for (std::size_t i = 0; i < lists.size(); i += some) {
    const std::span<const Value> these = lists.subspan(i, std::min(some, lists.size() - i));
    FlatLists found;
    if (!survey_flat_lists(these, found) || !found.of_one_type || !found.of_equal_length || found.type != like.type ||
        found.first != like.first)
      return false;
    std::uint8_t* const at = to.data.here() + (i * like.first << log2_bits) / 8;
    if (like.type == ElementType::bit)
      lay_out_bits(reinterpret_cast<std::uint64_t*>(at), these);
    else
      copy_lists(at, these, like, log2_bits - 3, to.length << (log2_bits - 3));
    checkpoint();
  }
  return true;
}

Value put_plainly(Context& cx, const Array& w, const Array& x, const Shape& shape) {
  Ref<Array> out = make_array(cx.heap, w.type(), shape);
  copy_elements_of(out.get(), 0, AnyArray{&w}, 0, w.length, out->length);
  copy_elements_of(out.get(), w.length, AnyArray{&x}, 0, x.length, out->length);
  return to_value(std::move(out));
}

Value put_together(Context& cx, const Value& w, const Value& x, const Shape& shape) {
  if (w.is_array() && x.is_array() && are_plain_alike(w.array(), x.array())) return put_plainly(cx, w.array(), x.array(), shape);
  Common common(cx.heap);
  common.add(w);
  common.add(x);
  Ref<Array> out = make_array(cx.heap, common.type(), shape);
  copy_value(*out, 0, w);
  copy_value(*out, length_of(w), x);
  // Numbers are filled with 0 even where nothing is known: as in lists that begin as ⟨⟩.
  const auto fits = [](const Value& v) {
    return is_number(type_of(v)) && (v.is_atom() || v.array().fill_kind() <= FillKind::zero);
  };
  const bool numbers = out->length != 0 && fits(w) && fits(x);
  return with_fill(cx.heap, to_value(std::move(out)), numbers ? Value(0.0) : common.fill());
}

}  // namespace griddle::primitives
