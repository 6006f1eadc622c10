/* What the library and a device plug-in share: a table of C functions behind one exported symbol. No C++ type and no exception
 * crosses. Every function that can fail gives a griddle_status; the message of a failure stays readable until the next call.
 * Functions only enqueue work, in the order of calls, except where they say that they wait.
 *
 * Memory on the device is 256-byte aligned and may be read to the next multiple of 256 bytes after what was asked for. Packed
 * bits are whole words, least significant bit first; bits past the end are anything. */
#ifndef GRIDDLE_PLUGIN_ABI_H
#define GRIDDLE_PLUGIN_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRIDDLE_PLUGIN_VERSION 17u
#define GRIDDLE_PLUGIN_SYMBOL "griddle_device_plugin"

typedef enum { griddle_done, griddle_no_memory, griddle_failed, griddle_unsupported } griddle_status;

/* Storage forms of elements, in the order of griddle::ElementType. */
typedef enum {
  griddle_device_bit,
  griddle_device_i8,
  griddle_device_i16,
  griddle_device_i32,
  griddle_device_f64,
  griddle_device_c8,
  griddle_device_c16,
  griddle_device_c32
} griddle_device_type;

/* Functions of doubles, in the order of griddle::RealFunction: the operation, and the function that computes it. That is one of
 * C's mathematical library, or, where its name ends in `_of`, each plug-in's own. Both sides make their code from these lists. */
#define GRIDDLE_CIRCULAR_MONADS(F)    \
  F(sine, sin)                        \
  F(cosine, cos)                      \
  F(tangent, tan)                     \
  F(arc_sine, asin)                   \
  F(arc_cosine, acos)                 \
  F(arc_tangent, atan)                \
  F(hyperbolic_sine, sinh)            \
  F(hyperbolic_cosine, cosh)          \
  F(hyperbolic_tangent, tanh)         \
  F(inverse_hyperbolic_sine, asinh)   \
  F(inverse_hyperbolic_cosine, acosh) \
  F(inverse_hyperbolic_tangent, atanh)
#define GRIDDLE_REAL_MONADS(F)       \
  F(logarithm, log)                  \
  GRIDDLE_CIRCULAR_MONADS(F)         \
  F(cube_root, cbrt)                 \
  F(logarithm_2, log2)               \
  F(logarithm_10, log10)             \
  F(logarithm_plus_1, log1p)         \
  F(exponential_less_1, expm1)       \
  F(factorial, factorial_of)         \
  F(log_factorial, log_factorial_of) \
  F(error_function, erf)             \
  F(complementary_error_function, erfc)
#define GRIDDLE_REAL_DYADS(F) \
  F(angle, angle_of)          \
  F(distance, hypot)
#define GRIDDLE_OPERATION(name, function) griddle_##name,

/* --- a chain of elementwise functions: steps that work on one value for each place, the last step's value is the result */

typedef enum {
  /* take the operand · keep the value in a slot */
  griddle_load,
  griddle_keep,
  /* value ← value f operand, or operand f value where the step is swapped */
  griddle_add,
  griddle_subtract,
  griddle_multiply,
  griddle_divide,
  griddle_power,
  griddle_root,
  griddle_minimum,
  griddle_maximum,
  griddle_modulus,         /* by fmod */
  griddle_integer_modulus, /* both integers below 2^52 */
  GRIDDLE_REAL_DYADS(GRIDDLE_OPERATION) griddle_less,
  griddle_less_equal,
  griddle_equal,
  griddle_greater_equal,
  griddle_greater,
  griddle_not_equal,
  /* store the value in output `index` */
  griddle_store,
  /* value ← the fold of the values of its row, at each place of the row */
  griddle_row_sum,
  griddle_row_minimum,
  griddle_row_maximum,
  /* value ← f value */
  griddle_negate,
  griddle_sign,
  griddle_reciprocal,
  griddle_exponential,
  griddle_square_root,
  griddle_floor,
  griddle_ceiling,
  griddle_magnitude,
  griddle_complement,
  GRIDDLE_REAL_MONADS(GRIDDLE_OPERATION) griddle_operation_count
} griddle_operation;

/* What holds every value of every step of a chain, and its constants and fills. Chains of rows have doubles or 32 bits; the other
 * kinds take inputs, and store results, of no more bits than they have, and know no places. */
typedef enum {
  griddle_values_f64,
  griddle_values_i32,
  griddle_values_i16,
  griddle_values_u8,
  griddle_values_i8,
  griddle_values_bit
} griddle_values;

/* The operand may be the value itself. */
typedef enum {
  griddle_from_input,
  griddle_from_constant,
  griddle_from_slot,
  griddle_from_place,
  griddle_from_value
} griddle_device_source;

enum { griddle_most_steps = 64, griddle_most_inputs = 10, griddle_most_constants = 40, griddle_most_outputs = 6 };
/* Slots of any chain, and of one that folds rows or stores outputs, for which a kernel is made or none. */
enum { griddle_most_slots = 2, griddle_most_made_slots = 8 };

typedef struct {
  uint8_t operation; /* griddle_operation */
  uint8_t source;    /* griddle_device_source */
  uint8_t index;     /* which input, constant or slot */
  uint8_t swapped;
} griddle_step;

/* One axis of a box: where the places of the result along it are in the source. Place i is i, or, where there is a limit, first +
 * i, which wraps round where it reaches the limit, or is outside where the box `fills` and it is not from 0 to below the limit.
 */
typedef struct {
  uint64_t length;
  int64_t step; /* between neighbours in the source, in elements */
  int64_t first;
  uint64_t limit;
} griddle_axis;

enum { griddle_most_axes = 8, griddle_most_view_axes = 3 };

/* A box that is read and never made. The last axis steps by 1, 0 or -1. No length, limit or first place is beyond 2^30. With no
 * axes it is no view. */
typedef struct {
  uint32_t axis_count;
  int32_t fills;
  int64_t from;
  griddle_axis axes[griddle_most_view_axes];
} griddle_view;

typedef struct {
  uint32_t step_count;
  uint32_t input_count;
  /* Where steps fold rows, or columns are folded: how many places a row has; and whether the result has one element for each row,
   * of values that are the same all along it. Otherwise 0. */
  uint64_t row_length;
  uint8_t row_results;
  /* Where steps store outputs they are all that is stored, each of a type of its own. No such chain folds rows. */
  uint8_t output_count;
  uint8_t output_types[griddle_most_outputs];
  void* outputs[griddle_most_outputs];
  griddle_step steps[griddle_most_steps];
  const void* inputs[griddle_most_inputs];
  /* Place p takes element p÷each of an input, rounded down, modulo `period` unless that is 0. Where `shift` is not 0 (`each` then
   * is 1, `period` 0) it takes element p+shift of as many as there are places, and the input's fill where there is none. Where
   * its view has axes, they say instead which element it takes, or that it takes the fill. */
  uint64_t input_each[griddle_most_inputs];
  uint64_t input_period[griddle_most_inputs];
  int64_t input_shift[griddle_most_inputs];
  double input_fill[griddle_most_inputs];
  griddle_view input_views[griddle_most_inputs];
  uint8_t input_types[griddle_most_inputs];
  uint8_t result_type;
  uint8_t values; /* griddle_values */
  double constants[griddle_most_constants];
} griddle_chain;

typedef enum { griddle_fold_add, griddle_fold_minimum, griddle_fold_maximum, griddle_fold_multiply } griddle_fold;

/* How one scan with a boolean function acts on the bit before it: see cuda/scan.cuh. */
typedef struct {
  uint32_t fix_x, fix, flip_x, flip, start, first_flips;
} griddle_bit_map;

/* Elements chosen axis by axis: element i‿j… of the result is element from + Σ step × place of the source, or, where a place is
 * outside, the fill. */
typedef struct {
  uint32_t bits_wide;  /* 1, 8 … 64 */
  uint32_t axis_count; /* at least 1; no axis is empty */
  int32_t fills;
  int64_t from;
  uint64_t fill;
  griddle_axis axes[griddle_most_axes];
} griddle_box;

typedef struct {
  griddle_fold fold; /* no products */
  griddle_device_type in_type, out_type;
  uint64_t outer, length, cell, width, step;
} griddle_window_fold;

/* What random numbers are made of: spec/system/random.md. */
typedef enum {
  griddle_random_words, /* of 64 bits */
  griddle_random_fractions,
  griddle_random_exponentials,
  griddle_random_normals,
  griddle_random_below_16, /* integers below the limit from pieces of so many bits; limits up to 2^7 as i8 */
  griddle_random_below_32, /* limits up to 2^15 as i16, others as i32 */
  griddle_random_below_64, /* limits up to 2^31 as i32, others as doubles */
  griddle_random_gammas,
  griddle_random_aliases /* limits up to 2^7 as i8, up to 2^15 as i16, others as i32 */
} griddle_random_kind;
typedef struct {
  griddle_random_kind kind;
  uint64_t key, position, limit;
  uint32_t use; /* of blocks that words come from */
  /* Of gammas: doubles, their shapes, all finite and above 0; element i has number i modulo the length. Of aliases: their table,
   * of `limit` words of 64 bits (primitives/kernels/random/alias.h). */
  const void* table;
  uint64_t table_length;
} griddle_random;

/* Where a pattern is looked for: it begins at each of the places in turn, and its elements are beside that. Of the axes only
 * lengths and steps in the text count; none is empty. */
typedef struct {
  griddle_device_type type; /* of text and pattern; no bits */
  uint32_t axis_count;
  griddle_axis places[griddle_most_axes], pattern[griddle_most_axes];
} griddle_find;

/* Counts of 8 bits that are taken together. */
enum { griddle_count_group = 256 };

/* Intervals of elements, one behind the other. */
typedef struct {
  uint64_t count, total;                    /* of intervals, and of the elements in all of them; neither is 0 */
  griddle_device_type end_type, place_type; /* i32 or f64 */
  const void* ends;                         /* for each interval the elements in all intervals up to it */
  const void *from, *to;                    /* where each is read and written, unless null: then they are one behind the other */
} griddle_intervals;

/* Draws by products of weights: spec/system/random.md (DrawProduct). */
typedef enum {
  griddle_draw_pieces,
  griddle_draw_prefix_linear,
  griddle_draw_prefix_binary,
  griddle_draw_transposed,
  griddle_draw_butterfly,
  griddle_draw_warp
} griddle_draw_method;
typedef struct {
  griddle_draw_method method;
  int single; /* by weights of 24 bits */
  const double* tables[2];
  uint64_t rows[2], length; /* of the tables; the length is from 1 to below 2^31 */
  const int32_t* at[2];     /* a row of each table for each draw */
  uint64_t count, key, position;
} griddle_product_draws;

/* Types of numbers that other libraries have on the device. */
typedef enum {
  griddle_foreign_i8,
  griddle_foreign_i16,
  griddle_foreign_i32,
  griddle_foreign_i64,
  griddle_foreign_u8,
  griddle_foreign_u16,
  griddle_foreign_u32,
  griddle_foreign_u64,
  griddle_foreign_f32,
  griddle_foreign_f64
} griddle_foreign_type;

typedef struct griddle_device griddle_device;

typedef struct {
  char name[128];
  uint64_t memory_bytes;
  uint32_t multiprocessors;
  uint32_t capability; /* 90 for 9.0 */
  uint32_t driver;     /* version, as the driver counts */
} griddle_device_info;

typedef struct {
  uint32_t version; /* GRIDDLE_PLUGIN_VERSION */
  uint32_t bytes;   /* of this table */

  /* Opens the first device. Where there is none, gives griddle_unsupported. */
  griddle_status (*open)(griddle_device**, griddle_device_info*);
  void (*close)(griddle_device*);
  const char* (*message)(griddle_device*);

  griddle_status (*allocate)(griddle_device*, size_t bytes, void** memory);
  /* Memory is used again only by work that is enqueued later. */
  void (*release)(griddle_device*, void*);
  void (*trim)(griddle_device*);
  griddle_status (*upload)(griddle_device*, void* to, const void* from, size_t bytes);
  griddle_status (*download)(griddle_device*, void* to, const void* from, size_t bytes); /* waits */
  griddle_status (*wait)(griddle_device*);
  griddle_status (*wait_for_all)(griddle_device*); /* also for what others do on the device */

  /* Names the folder where kernels that are made while programs run are kept from one program to the next. */
  void (*keep_kernels)(griddle_device*, const char* folder);

  /* Copies numbers of others, which need no alignment but that of their type, from the lengths and steps of a box: integers of 8
   * to 32 bits with a sign as they are, u8 as i16, u16 as i32, all else as doubles. Tells whether an integer is beyond 2⋆53.
   * Waits. */
  griddle_status (*import_numbers)(griddle_device*, griddle_foreign_type, const griddle_box*, const void* in, void* out,
                                   int* bad);

  /* Of so many places. Unsupported, and nothing done, where steps fold rows or store outputs and there is no kernel that does, or
   * not yet. `out` is null where they store outputs. */
  griddle_status (*map)(griddle_device*, const griddle_chain*, void* out, uint64_t length);
  /* Of a chain that folds no rows and stores nothing. Waits. */
  griddle_status (*fold)(griddle_device*, const griddle_chain*, griddle_fold, uint64_t length, double* result);

  /* Scans each of `rows` rows of `row_length` elements. Unsupported where no kernel goes from one type to the other. */
  griddle_status (*scan)(griddle_device*, griddle_fold, griddle_device_type in_type, griddle_device_type out_type, const void* in,
                         void* out, uint64_t rows, uint64_t row_length);
  griddle_status (*scan_bits)(griddle_device*, const griddle_bit_map*, const void* in, void* out, uint64_t length);
  /* Folds each of `rows` rows to a number of a type that holds it, no bit, or each of `row_length` columns to a double: of
   * numbers, bits too; unsupported where columns of bits do not lie in whole words. */
  griddle_status (*fold_rows)(griddle_device*, griddle_fold, griddle_device_type, const void* in, griddle_device_type out_type,
                              void* out, uint64_t rows, uint64_t row_length);
  griddle_status (*fold_columns)(griddle_device*, griddle_fold, griddle_device_type, const void* in, double* out, uint64_t rows,
                                 uint64_t row_length);

  /* Folds the columns of what a chain of rows of `row_length` leads to, of so many rows. Unsupported, and nothing done, where
   * there is no kernel for it, or not yet. */
  griddle_status (*fold_chain_columns)(griddle_device*, const griddle_chain*, griddle_fold, double* out, uint64_t rows);

  /* Folds windows: for each of `outer` blocks of `length` cells of `cell` elements, cell i of the result folds the `width` cells
   * i, i+step … of the block, so that a block has length − step × (width − 1) results, at least one. Numbers, no packed bits; the
   * type of results is no narrower and holds every sum. */
  griddle_status (*fold_windows)(griddle_device*, const griddle_window_fold*, const void* in, void* out);

  griddle_status (*count_bits)(griddle_device*, const void* mask, uint64_t length, uint64_t* count); /* waits */
  /* Keeps elements of `width` bytes (1, 2, 4 or 8) whose bit is set; puts the others to `rest` unless that is null. `out` may be
   * `in`. Where `in` is null, elements are their places (i32). */
  griddle_status (*select_if)(griddle_device*, uint32_t width, const void* in, const void* mask, void* out, void* rest,
                              uint64_t length);
  /* The same of packed bits, of which it keeps `count`. */
  griddle_status (*select_bits)(griddle_device*, const void* in, const void* mask, void* out, uint64_t count, uint64_t length);
  /* Finds runs of equal neighbours: their first elements (unless null), where they start (i32), and how many there are; waits. */
  griddle_status (*runs)(griddle_device*, uint32_t width, const void* in, void* firsts, int32_t* starts, uint64_t length,
                         uint64_t* count);
  /* Sums doubles over runs of equal keys of 4 or 8 bytes; waits. */
  griddle_status (*fold_runs)(griddle_device*, uint32_t width, const void* keys, const double* values, void* firsts, double* sums,
                              uint64_t length, uint64_t* count);
  /* Repeats element i of `width` bytes over interval i, or the number i (i32) where `in` is null. */
  griddle_status (*expand)(griddle_device*, const griddle_intervals*, uint32_t width, const void* in, void* out);
  /* Where counts have 8 bits and none is negative: how many outputs all groups up to each have, of griddle_count_group counts. */
  griddle_status (*sum_counts)(griddle_device*, const int8_t* counts, uint64_t count, double* ends);
  /* As expand, by such counts and these ends of their groups. */
  griddle_status (*expand_counts)(griddle_device*, const int8_t* counts, uint64_t count, const double* ends, uint32_t width,
                                  const void* in, void* out);
  /* Copies bits_wide (1, 8 … 64) elements of intervals. Where `in` is null, places to read are whole addresses, counted in
   * elements; with no places to read either, bits are set. */
  griddle_status (*move_intervals)(griddle_device*, const griddle_intervals*, uint32_t bits_wide, const void* in, void* out);
  /* Tells whether an end is before the one before, or a place is no natural number or leads beyond as many elements. Waits. */
  griddle_status (*check_intervals)(griddle_device*, const griddle_intervals*, uint64_t in_length, uint64_t out_length, int* bad);

  /* Copies bits_wide (1, 8 … 64) elements: out[to + i·to_step] ← in[from + i·from_step]. Packed bits need steps of 1 or -1. */
  griddle_status (*move)(griddle_device*, uint32_t bits_wide, const void* in, int64_t from, int64_t from_step, void* out,
                         int64_t to, uint64_t count);
  /* Fills by repeating the `period` elements of `in`. */
  griddle_status (*tile)(griddle_device*, uint32_t bits_wide, const void* in, uint64_t period, void* out, uint64_t count);
  /* out[i] ← in[index[i]] for cells of `cell` elements; negative indices count from the end. `bad` (waits, unless null) is set to
   * whether an index is no integer within bounds; the result is then senseless. */
  griddle_status (*gather)(griddle_device*, uint32_t bits_wide, const void* in, uint64_t cells, uint64_t cell,
                           griddle_device_type, const void* index, void* out, uint64_t count, int* bad);
  griddle_status (*box)(griddle_device*, const griddle_box*, const void* in, void* out);
  /* Puts in[i] to out[index[i]], of so many cells; the others have what `before` has, unless that is null. All indices are within
   * bounds. `repeated` (waits, unless null) is set to whether one occurs twice; which of its elements is there then is not said.
   */
  griddle_status (*scatter)(griddle_device*, uint32_t width, const void* before, const void* in, const int32_t* index, void* out,
                            uint64_t count, uint64_t cells, int* repeated);
  griddle_status (*random)(griddle_device*, const griddle_random*, void* out, uint64_t length);
  /* Draws a place in the rows for each pair of them. `fault` is set, and the result senseless, where there is a weight or a row
   * that is none, or products without a sum to draw by. Waits. */
  griddle_status (*draw_products)(griddle_device*, const griddle_product_draws*, int32_t* out, int* fault);
  /* Shuffles all integers below the limit (spec/system/random.md: Deal). May wait. */
  griddle_status (*deal)(griddle_device*, uint64_t key, uint64_t position, uint64_t limit, int32_t* out);

  /* Gives for each of `cells` cells of `cell_length` numbers or characters, no packed bits, a number that follows from its
   * elements: equal cells have the same, others hardly ever. */
  griddle_status (*digest)(griddle_device*, griddle_device_type, const void* in, uint64_t cells, uint64_t cell_length,
                           double* out);
  /* Tells whether some cell i of `in` differs from cell at[i] of `among`; where there is no such cell it does not. Waits. */
  griddle_status (*match_cells)(griddle_device*, griddle_device_type, const void* in, uint64_t cells, uint64_t cell_length,
                                const void* among, uint64_t among_cells, const int32_t* at, int* differ);
  /* Marks the places where the pattern begins, by a bit each. */
  griddle_status (*find)(griddle_device*, const griddle_find*, const void* text, const void* pattern, void* out);

  /* Sorts; where `order` is not null gives the places of the sorted elements instead (i32), ties in order. Up to 2^32 - 1. */
  griddle_status (*sort)(griddle_device*, griddle_device_type, const void* in, void* out, int32_t* order, uint64_t length,
                         int descending);
  /* For each of `count` cells of `sought`: the place where it goes into the sorted ones, before or after its equals (i32). The
   * first element where cells differ tells which of them is less; no element is no number. */
  griddle_status (*bins)(griddle_device*, griddle_device_type, const void* sorted, uint64_t cells, uint64_t cell_length,
                         const void* sought, int32_t* out, uint64_t count, int after_equals, int descending);
  /* Tells whether cells are in order. Waits. */
  griddle_status (*in_order)(griddle_device*, griddle_device_type, const void* in, uint64_t cells, uint64_t cell_length,
                             int descending, int* ordered);
  /* Elements of 4 or 8 bytes, equal where their bits are. Where `marks` is not null, marks by a bit each those that equal none
   * before them; otherwise gives all places in some order, and for each of these the first place of an element that equals the
   * one there. Up to 2^31 - 1. */
  griddle_status (*first_equals)(griddle_device*, uint32_t width, const void* in, void* marks, int32_t* places, int32_t* firsts,
                                 uint64_t length);

  /* Integers or characters from `low` on, of which there are so many `values`: keys of a table. What is below is ignored. */
  /* Puts the first place of each value into its place of the table; `length` where there is none. */
  griddle_status (*first_places)(griddle_device*, griddle_device_type, const void* in, uint64_t length, int64_t low,
                                 uint64_t values, int32_t* table);
  /* out[i] ← table[in[i] − low]; `absent` for elements outside, and for doubles that are no integers. */
  griddle_status (*look_up)(griddle_device*, griddle_device_type, const void* in, uint64_t count, int64_t low, uint64_t values,
                            const int32_t* table, int32_t absent, int32_t* out);
  griddle_status (*count_values)(griddle_device*, griddle_device_type, const void* in, uint64_t length, int64_t low,
                                 uint64_t values, int32_t* counts);
  /* Folds the numbers of each key; the fold's identity where there are none. Doubles are added in any order. */
  griddle_status (*fold_values)(griddle_device*, griddle_fold, griddle_device_type, const void* keys,
                                griddle_device_type number_type, const void* numbers, uint64_t length, int64_t low,
                                uint64_t values, double* out);

  /* out ← w times x, where w has so many rows and x so many columns, all of doubles, row by row; no length is 0. Unsupported
   * where the system has no library for it. */
  griddle_status (*multiply_matrices)(griddle_device*, const double* w, const double* x, double* out, uint64_t rows,
                                      uint64_t inner, uint64_t columns);
} griddle_plugin;

typedef const griddle_plugin* (*griddle_plugin_function)(void);

#ifdef __cplusplus
}
#endif

#endif
