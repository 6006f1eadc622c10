// Bins: how many of some sorted elements come before or are equal to each of others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// So many elements that are the greatest of their type must follow those that are looked up among, unless these keep within.
inline constexpr std::size_t bins_margin = 8;

// Looks up among n > 0 ascending integers, of which it keeps but the address, through a table whose form suits them and how many
// elements are to be looked up.
class IntegerBins {
 public:
  // Where there are `halved_for_each` of w or more for each, w is halved for it, if it is near.
  IntegerBins(const std::int32_t* w, std::size_t n, std::size_t count, std::size_t halved_for_each);
  // Tells how many places the table needs.
  std::size_t places() const { return places_; }
  // Tells whether it reads nothing behind the elements, which need no margin then.
  bool keeps_within() const { return form_ == Form::halves; }
  // Goes on with a copy of the elements: before the table is filled.
  void move_to(const std::int32_t* w) { w_ = w; }
  // Fills the table, once, before anything is looked up.
  void fill(std::uint32_t* table);
  // Writes for each x how many of w are at most x.
  void count_at_most(const std::int32_t* x, std::size_t count, std::uint32_t* out) const;

 private:
  // Few of w stand in registers; few lookups halve w; each value of the range of w has its count; or each page of 2⋆page_bits_
  // values where some of w lie; or values are spread over buckets, in which a search goes on.
  enum class Form { registers, halves, values, pages, buckets };
  std::size_t buckets() const;  // a power of two
  std::size_t places_of_pages(std::size_t pages) const;
  void fill_pages();

  const std::int32_t* w_;
  std::size_t n_;
  Form form_;
  std::size_t places_;
  std::int32_t base_ = 0;  // counted from; below every w, or the least integer there is
  unsigned page_bits_ = 0;
  std::size_t fullest_ = 0;
  std::uint32_t* table_ = nullptr;
};

// The same for doubles, none of them a NaN; the result for a NaN is n.
class DoubleBins {
 public:
  DoubleBins(const double* w, std::size_t n, std::size_t count, std::size_t halved_for_each);
  std::size_t places() const { return places_; }
  bool keeps_within() const { return places_ == 0; }
  void move_to(const double* w) { w_ = w; }
  void fill(std::uint32_t* table);
  void count_at_most(const double* x, std::size_t count, std::uint32_t* out) const;

 private:
  std::size_t buckets() const;
  const double* w_;
  std::size_t n_;
  std::size_t places_;
  std::size_t fullest_ = 0;
  std::uint32_t* table_ = nullptr;
};

}  // namespace griddle::kernels
