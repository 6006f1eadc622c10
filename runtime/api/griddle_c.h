/* Griddle for C, and for languages that can call C. griddle.h says more about what things mean.
 *
 * Values are handles that belong to the caller: release each with griddle_release, before or after the interpreter is deleted.
 * A function that gives a value gives NULL where it fails; griddle_error then tells why, until the next call. */
#ifndef GRIDDLE_C_H
#define GRIDDLE_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GRIDDLE_C_API __attribute__((visibility("default")))
#else
#define GRIDDLE_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct griddle_interpreter griddle_interpreter;
typedef struct griddle_value griddle_value;

typedef enum {
  griddle_array,
  griddle_number,
  griddle_character,
  griddle_function,
  griddle_modifier1,
  griddle_modifier2,
  griddle_namespace
} griddle_kind;

/* The version of the library, such as 0.2.0, and the commit that it was built from: 12 digits, with "-modified" where the sources
 * differed from it, or "unknown". */
GRIDDLE_C_API const char* griddle_version(void);
GRIDDLE_C_API const char* griddle_commit(void);

/* NULL where there is no memory. */
GRIDDLE_C_API griddle_interpreter* griddle_new(void);
/* One that refuses programs files, other programs, foreign functions and the environment. */
GRIDDLE_C_API griddle_interpreter* griddle_new_safe(void);
GRIDDLE_C_API void griddle_delete(griddle_interpreter*);
/* Ends the running evaluation, or the next one where none runs. May be called from any thread and from signal handlers. */
GRIDDLE_C_API void griddle_interrupt(griddle_interpreter*);
/* Takes back a request that has ended nothing yet. */
GRIDDLE_C_API void griddle_clear_interrupt(griddle_interpreter*);
/* Copies data of another interpreter, whose values no call takes. Null where it is no data; see griddle_error. */
GRIDDLE_C_API griddle_value* griddle_import(griddle_interpreter*, const griddle_value*);
/* The report of the last failure, in UTF-8, ended by NUL. */
GRIDDLE_C_API const char* griddle_error(const griddle_interpreter*);

/* Texts are UTF-8 of a given length in bytes. */
GRIDDLE_C_API griddle_value* griddle_eval(griddle_interpreter*, const char* source, size_t length);
GRIDDLE_C_API griddle_value* griddle_call(griddle_interpreter*, const griddle_value* function, const griddle_value* x);
GRIDDLE_C_API griddle_value* griddle_call2(griddle_interpreter*, const griddle_value* function, const griddle_value* w,
                                           const griddle_value* x);

GRIDDLE_C_API griddle_value* griddle_make_number(griddle_interpreter*, double);
GRIDDLE_C_API griddle_value* griddle_make_text(griddle_interpreter*, const char* text, size_t length);
/* Arrays of doubles, or of values; the shape's product is the number of elements. */
GRIDDLE_C_API griddle_value* griddle_make_numbers(griddle_interpreter*, const double* elements, const size_t* shape, size_t rank);
GRIDDLE_C_API griddle_value* griddle_make_list(griddle_interpreter*, const griddle_value* const* elements, size_t length);
GRIDDLE_C_API griddle_value* griddle_share(const griddle_value*);
GRIDDLE_C_API void griddle_release(griddle_value*);

GRIDDLE_C_API griddle_kind griddle_kind_of(const griddle_value*);
GRIDDLE_C_API double griddle_to_number(const griddle_value*); /* NaN for what is no number */
GRIDDLE_C_API size_t griddle_rank(const griddle_value*);
GRIDDLE_C_API size_t griddle_length(const griddle_value*);             /* number of elements */
GRIDDLE_C_API void griddle_shape(const griddle_value*, size_t* shape); /* room for griddle_rank lengths */
/* Stores all elements, griddle_length of them. Gives 0 where one is no number. */
GRIDDLE_C_API int griddle_to_numbers(const griddle_value*, double* elements);
GRIDDLE_C_API griddle_value* griddle_element(const griddle_value*, size_t index);
/* Stores at most `room` bytes, never more than the text has, and gives the bytes of the whole text; (size_t)-1 for what is no
 * string. */
GRIDDLE_C_API size_t griddle_to_text(const griddle_value*, char* text, size_t room);
/* The same for the text that a session shows. */
GRIDDLE_C_API size_t griddle_format(const griddle_value*, char* text, size_t room);

#ifdef __cplusplus
}
#endif

#endif
