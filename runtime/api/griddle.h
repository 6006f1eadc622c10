/* Griddle for C, and for every language that can call C. griddle.hpp is the same for C++, and nothing but inline calls of this.
 *
 *   griddle_failure* why = NULL;
 *   griddle_interpreter* bqn = griddle_new(NULL, &why);
 *   griddle_value mean = griddle_eval(bqn, griddle_string("+´÷≠"), griddle_string(""), &why);
 *   double readings[] = {2, 3, 7};
 *   griddle_value list = griddle_make_list(bqn, griddle_f64, readings, 3, &why);
 *   griddle_value result = griddle_call(mean, list, &why);
 *   if (why) fprintf(stderr, "%s", griddle_failure_report(why).data);
 *   else     printf("%g\n", griddle_number_of(result));
 *
 * Values belong to whoever gets them: each value that a function gives is to be released once. Those handed to a function stay
 * the caller's. A value keeps what it needs of its interpreter alive.
 *
 * A function that can fail has a last parameter `failure`. Where it fails, it gives no value (or 0), and stores there what went
 * wrong, which the caller releases; else nothing. NULL says that nobody wants to know. None ends the process, prints, or throws.
 *
 * An interpreter, with its values and failures, is used by one thread at a time. Only griddle_interrupt, griddle_stop and
 * griddle_should_stop may be called from anywhere.
 *
 * Structs that grow with later versions begin with `size`, which their user sets to sizeof the struct: what an older or newer
 * library does not know of, it leaves alone. */
#ifndef GRIDDLE_H
#define GRIDDLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define GRIDDLE_API __attribute__((visibility("default")))
#else
#define GRIDDLE_API
#endif
#if defined(__GNUC__) && !defined(GRIDDLE_NO_NODISCARD)
#define GRIDDLE_OWNED __attribute__((warn_unused_result))
#else
#define GRIDDLE_OWNED
#endif

/* Grows where something is added, and never otherwise: what was compiled for a smaller number runs. */
#define GRIDDLE_ABI 5

#ifdef __cplusplus
extern "C" {
#endif

typedef struct griddle_interpreter griddle_interpreter;
typedef struct griddle_failure griddle_failure;

/* A value of BQN. Where `interpreter` is NULL, there is none. `bits` mean something to the library alone. */
typedef struct griddle_value {
  griddle_interpreter* interpreter;
  uint64_t bits;
} griddle_value;

/* UTF-8 that lies somewhere else, and need not end with NUL. */
typedef struct griddle_text {
  const char* data;
  size_t bytes;
} griddle_text;

/* Bytes that belong to whoever gets them, until griddle_free. A NUL follows that does not count. */
typedef struct griddle_buffer {
  char* data;
  size_t bytes;
} griddle_buffer;

static inline griddle_text griddle_string(const char* text) {
  griddle_text t;
  t.data = text;
  t.bytes = strlen(text);
  return t;
}
GRIDDLE_API void griddle_free(griddle_buffer);

/* --- the library */

/* The GRIDDLE_ABI of the library that runs. */
GRIDDLE_API uint32_t griddle_abi(void);
/* Such as "0.3.0". */
GRIDDLE_API const char* griddle_version(void);
/* What it was built from: 12 digits of the commit, with "-modified" where the sources differed from it, or "unknown". */
GRIDDLE_API const char* griddle_commit(void);
/* The instruction sets that kernels are compiled for, by Highway's names with spaces between, from the simplest on. */
GRIDDLE_API const char* griddle_instruction_sets(void);
/* The one of them that is used. */
GRIDDLE_API const char* griddle_instruction_set(void);
/* Uses none that is better than the one of this name, as if the processor had no better one. To be called before anything else.
 * Gives 0 where the processor has no set of this name. */
GRIDDLE_API int griddle_limit_instruction_set(const char* name);
/* Says why the library cannot run on this processor; empty where it can. */
GRIDDLE_API const char* griddle_processor_problem(void);

/* --- options */

/* What programs may reach. */
typedef enum {
  griddle_may_read_files = 1,
  griddle_may_write_files = 2,
  griddle_may_run_programs = 4,
  griddle_may_call_foreign = 8,     /* •FFI: whatever C can do */
  griddle_may_see_environment = 16, /* variables, the working directory, and the paths of sources */
  griddle_may_read_clock = 32,      /* •UnixTime, •MonoTime, and what measures time */
  griddle_may_do_all = 63
} griddle_capability;

/* Where programs write to and read from. What is NULL does nothing. Every function gets `data` first. */
typedef struct griddle_console {
  size_t size;
  void* data;
  void (*write)(void* data, griddle_text);
  void (*write_error)(void* data, griddle_text);
  void (*flush)(void* data);
  /* Reads a line without its end into memory that stays until the next call. Gives 0 at the end. */
  int (*read_line)(void* data, griddle_text* line);
  /* Gives the next byte; -1 at the end, and where none is there yet and `wait` is 0. */
  int (*read_byte)(void* data, int wait);
  /* Hands over keys one by one, or lines again. */
  void (*set_raw)(void* data, int raw);
  /* Gives 1 and how large the terminal is that output goes to, or 0 where it goes to none. */
  int (*terminal_size)(void* data, size_t* rows, size_t* columns);
  /* Says which of griddle_pictures the terminal shows: asked once, before the first picture, with griddle_pictures_asked. */
  int32_t (*pictures)(void* data);
  size_t (*error_columns)(void* data); /* of the terminal that errors go to, where •_progress draws; 0: they go to none */
} griddle_console;

/* Files that the host makes up. Where it is given, •Import and what reads whole files ask it; all others that need one fail. */
typedef struct griddle_file_source {
  size_t size;
  void* data;
  /* Gives the contents of a file in memory that stays until the next call, or 0 where there is none. The path is absolute. */
  int (*read)(void* data, griddle_text path, griddle_text* contents);
} griddle_file_source;

typedef enum {
  griddle_device_none,      /* the processor alone */
  griddle_device_automatic, /* where the plug-in is installed and a device found, for arrays that gain by it */
  griddle_device_always,    /* whatever a device can do; for tests */
  griddle_device_only       /* the same, and computing on the host with what is on the device is an error */
} griddle_device_use;

typedef enum griddle_pictures {
  griddle_pictures_none,
  griddle_pictures_text,  /* characters */
  griddle_pictures_kitty, /* the protocol of kitty's images */
  griddle_pictures_sixel,
  griddle_pictures_asked, /* what the console says; characters where it says nothing */
  griddle_pictures_png    /* the bytes of a PNG file, for hosts that are no terminals */
} griddle_pictures;

/* All zero, but `size` and `capabilities`, is what griddle_default_options gives. */
typedef struct griddle_options {
  size_t size;
  uint32_t capabilities; /* of griddle_capability */
  const char* root;      /* files are read and written in this folder alone, and below; NULL: anywhere */
  const griddle_console* console;
  const griddle_file_source* files;
  const griddle_text* arguments; /* •args of what griddle_eval runs */
  size_t argument_count;
  size_t memory_limit; /* bytes; 0: what the machine has */
  size_t output_limit; /* bytes that a program writes to the console before it fails; 0: any number */
  uint64_t step_limit; /* calls of blocks, and rounds of loops, before all ends; 0: any number. Arithmetic on arrays is one. */
  uint64_t seed;       /* of •rand, where has_seed is not 0; else nobody can guess it */
  double time_limit;   /* seconds that each evaluation may take; 0: any number */
  size_t depth_limit;  /* calls of blocks within each other; 0: as many as there is room for */
  size_t stack_bytes;  /* that an evaluation may use below its caller's frame; 0: what the thread has */
  int32_t has_seed;
  int32_t device;            /* of griddle_device_use */
  const char* device_plugin; /* path of the plug-in; NULL: where it is installed */
  const char* device_cache;  /* file that remembers how fast devices are; NULL: none */
  size_t device_from;        /* elements from which on a device gets all it can do; 0: where it is faster */
  int32_t general_ways;      /* computes by general functions alone: slower, and the same; for tests */
  int32_t checked_ways;      /* compares every fast path with the general function; for tests */
  int32_t pictures;          /* of griddle_pictures: what griddle_picture gives */
  int32_t machine_code;      /* for blocks: 0 once they run often, 1 never, 2 before they run, for tests */
} griddle_options;

/* The options that NULL stands for: programs may do everything, and there is neither limit nor device. */
GRIDDLE_API griddle_options griddle_default_options(void);

/* Says which device there is: the path of the plug-in, and the name of the device that it found; both empty where there is none.
 * Opening one may take a second. The text stays until the next call of this. */
typedef struct griddle_found_device {
  size_t size;
  griddle_text plugin;
  griddle_text name;
} griddle_found_device;
GRIDDLE_API void griddle_find_device(const griddle_options*, griddle_found_device*);

/* --- interpreters */

/* Makes an interpreter; NULL options are the default ones. NULL where there is not even memory to begin with. */
GRIDDLE_API griddle_interpreter* griddle_new(const griddle_options*, griddle_failure** failure) GRIDDLE_OWNED;
/* Ends the sessions of an interpreter and gives up the handle. Values that the host holds stay valid. */
GRIDDLE_API void griddle_delete(griddle_interpreter*);

/* Runs a program and gives the value of its last statement, or its namespace. Messages call it `name`, which may be empty. */
GRIDDLE_API griddle_value griddle_eval(griddle_interpreter*, griddle_text source, griddle_text name, griddle_failure** failure);
/* Runs a line of a session: names stay for the lines after it, and may be defined anew. A line without a value gives no value,
 * and no failure. */
GRIDDLE_API griddle_value griddle_eval_in_session(griddle_interpreter*, griddle_text source, griddle_text name,
                                                  griddle_failure** failure);
/* Runs text as if it were in a file of the working directory, with these arguments. */
GRIDDLE_API griddle_value griddle_run(griddle_interpreter*, griddle_text source, griddle_text name, const griddle_text* arguments,
                                      size_t argument_count, griddle_failure** failure);
GRIDDLE_API griddle_value griddle_run_file(griddle_interpreter*, griddle_text path, const griddle_text* arguments,
                                           size_t argument_count, griddle_failure** failure);
/* Runs a line of a session, slowly, and tells how it is read, its instructions, and which fast paths served. */
GRIDDLE_API griddle_value griddle_explain(griddle_interpreter*, griddle_text source, griddle_buffer* text,
                                          griddle_failure** failure);
/* Gives a name of the session a value, whether it had one or not. Gives 0 where that is no name. */
GRIDDLE_API int griddle_define(griddle_interpreter*, griddle_text name, griddle_value, griddle_failure** failure);
/* Lists the names that lines of the session have defined; the system values that programs may use, with •. Lists of texts. */
GRIDDLE_API griddle_value griddle_session_names(griddle_interpreter*, griddle_failure** failure);
GRIDDLE_API griddle_value griddle_system_names(griddle_interpreter*, griddle_failure** failure);
/* With checked_ways: the fast paths, and how often each one could serve; a line each, with a tab between. */
GRIDDLE_API griddle_buffer griddle_taken_ways(griddle_interpreter*);

/* Ends the evaluation that runs, or the next one where none runs. From any thread, and from signal handlers. */
GRIDDLE_API void griddle_interrupt(griddle_interpreter*);
/* Takes back a request that has ended nothing yet. */
GRIDDLE_API void griddle_clear_interrupt(griddle_interpreter*);
/* Ends the evaluation that runs and all that come, until griddle_resume. From any thread, and from signal handlers. */
GRIDDLE_API void griddle_stop(griddle_interpreter*);
GRIDDLE_API void griddle_resume(griddle_interpreter*);
/* Tells functions of the host that take long whether what called them is to end. From any thread. */
GRIDDLE_API int griddle_should_stop(griddle_interpreter*);
/* All evaluations end when so many seconds from now have passed, as after griddle_stop; 0: takes that back. */
GRIDDLE_API int griddle_set_deadline(griddle_interpreter*, double seconds, griddle_failure** failure);
GRIDDLE_API void griddle_set_memory_limit(griddle_interpreter*, size_t bytes);
GRIDDLE_API size_t griddle_memory_in_use(const griddle_interpreter*);
/* Steps (calls of blocks) that are left of step_limit; gives evaluations so many from now on. */
GRIDDLE_API uint64_t griddle_steps_left(const griddle_interpreter*);
GRIDDLE_API void griddle_set_steps(griddle_interpreter*, uint64_t steps);

/* --- failures */

typedef enum {
  griddle_error,       /* of the program, or of how a function of this was called */
  griddle_interrupted, /* griddle_interrupt, griddle_stop */
  griddle_timed_out,   /* time_limit, griddle_set_deadline */
  griddle_out_of_steps,
  griddle_exited /* •Exit */
} griddle_cause;

/* Where an active call stands. */
typedef struct griddle_frame {
  size_t size;
  griddle_text name;        /* of the source, as griddle_eval got it, or a path */
  griddle_text line_text;   /* the line that the place begins in */
  size_t line;              /* from 1 on */
  size_t column;            /* characters before it in its line */
  size_t length;            /* characters */
  size_t start_byte, bytes; /* the place in the whole source */
} griddle_frame;

GRIDDLE_API griddle_cause griddle_failure_cause(const griddle_failure*);
/* The message as text, and the whole report that the executable would print. They stay as long as the failure. */
GRIDDLE_API griddle_text griddle_failure_message(const griddle_failure*);
GRIDDLE_API griddle_text griddle_failure_report(const griddle_failure*);
/* Of •Exit. */
GRIDDLE_API int griddle_failure_exit_code(const griddle_failure*);
/* The message as a value, where it is one. */
GRIDDLE_API griddle_value griddle_failure_value(const griddle_failure*);
/* The calls that were active, the innermost first. Give 0 beyond the last. */
GRIDDLE_API size_t griddle_failure_frames(const griddle_failure*);
GRIDDLE_API int griddle_failure_frame(const griddle_failure*, size_t index, griddle_frame*);
/* Makes a failure for a function of the host: with a message, or a value of any kind. NULL where there is no memory. */
GRIDDLE_API griddle_failure* griddle_make_failure(griddle_text message) GRIDDLE_OWNED;
GRIDDLE_API griddle_failure* griddle_make_failure_of(griddle_value message) GRIDDLE_OWNED;
/* Makes one more owner of a failure; each one releases it. */
GRIDDLE_API griddle_failure* griddle_share_failure(griddle_failure*);
GRIDDLE_API void griddle_release_failure(griddle_failure*);

/* --- values */

typedef enum {
  griddle_no_value,
  griddle_array,
  griddle_number,
  griddle_character,
  griddle_function,
  griddle_modifier1,
  griddle_modifier2,
  griddle_namespace
} griddle_kind;

/* The types of elements. Arrays hold the first nine; data comes and goes as any of them. */
typedef enum {
  griddle_bit, /* packed: the first one is the lowest bit of the first word of 64 */
  griddle_i8,
  griddle_i16,
  griddle_i32,
  griddle_f64,
  griddle_c8, /* code points */
  griddle_c16,
  griddle_c32,
  griddle_any,       /* griddle_value */
  griddle_bool = 16, /* a byte each, 0 or 1 */
  griddle_u8,
  griddle_u16,
  griddle_u32,
  griddle_i64,
  griddle_u64,
  griddle_f32
} griddle_type;

/* Makes one more owner of a value; the same, so that it can be written where a value is handed over. */
GRIDDLE_API griddle_value griddle_share(griddle_value);
GRIDDLE_API void griddle_release(griddle_value);
/* Copies data of another interpreter, whose values no other call takes. */
GRIDDLE_API griddle_value griddle_import(griddle_interpreter*, griddle_value, griddle_failure** failure);

GRIDDLE_API griddle_kind griddle_kind_of(griddle_value);
/* Tells whether it is a list of characters; an empty list is one. */
GRIDDLE_API int griddle_is_text(griddle_value);
/* NaN, or 0, for what is no number, or no character. */
GRIDDLE_API double griddle_number_of(griddle_value);
GRIDDLE_API uint32_t griddle_character_of(griddle_value);

/* An atom counts as an array of rank 0 that holds it. */
GRIDDLE_API size_t griddle_rank(griddle_value);
GRIDDLE_API size_t griddle_length(griddle_value); /* number of elements */
/* The lengths of all axes, in place: they stay as long as the value. */
GRIDDLE_API const size_t* griddle_shape(griddle_value);
/* How an array holds its elements; griddle_any for atoms. */
GRIDDLE_API griddle_type griddle_type_of(griddle_value);
/* The elements where the array holds them, as long as the value stays; NULL for what is no array or holds values. What is on a
 * device comes from there first. */
GRIDDLE_API const void* griddle_elements(griddle_value);
/* Copies all elements, griddle_length of them, into memory, as elements of another type. Gives 0 where one cannot be such. */
GRIDDLE_API int griddle_copy(griddle_value, griddle_type as, void* elements, griddle_failure** failure);
/* An element in index order; no value beyond the last. */
GRIDDLE_API griddle_value griddle_element(griddle_value, size_t index);
/* A field of a namespace by any spelling of its name, or no value; all names, as a list of texts. */
GRIDDLE_API griddle_value griddle_field(griddle_value, griddle_text name);
GRIDDLE_API griddle_value griddle_fields(griddle_value, griddle_failure** failure);
/* The characters of a list, in UTF-8. */
GRIDDLE_API griddle_buffer griddle_text_of(griddle_value, griddle_failure** failure);
/* What a session shows; where that does not work, "(not shown: …)". */
GRIDDLE_API griddle_buffer griddle_format(griddle_value);
/* Source text that makes the value anew. */
GRIDDLE_API griddle_buffer griddle_source(griddle_value, griddle_failure** failure);

/* Calls a value: functions run, anything else gives itself. */
GRIDDLE_API griddle_value griddle_call(griddle_value function, griddle_value x, griddle_failure** failure);
GRIDDLE_API griddle_value griddle_call2(griddle_value function, griddle_value w, griddle_value x, griddle_failure** failure);
/* Gives a modifier its operands; `g` is no value for a 1-modifier. */
GRIDDLE_API griddle_value griddle_derive(griddle_value modifier, griddle_value f, griddle_value g, griddle_failure** failure);
/* Tell whether two values match, as ≡ does; 0 also where that fails. */
GRIDDLE_API int griddle_match(griddle_value, griddle_value, griddle_failure** failure);

/* --- for those who show values, and keep sessions */

/* How much text is wanted: so many rows and columns, or so many characters where a value takes one row alone. 0: any number. */
typedef struct griddle_text_room {
  size_t size;
  size_t rows, columns, alone;
} griddle_text_room;
/* The upper left part of what griddle_format gives, with an ellipsis for the rest. Only what is shown is formatted, however large
 * the value is. Tells whether the text is whole, where somebody wants to know. */
GRIDDLE_API griddle_buffer griddle_format_within(griddle_value, const griddle_text_room*, int* is_whole);
/* How many digits griddle_format and griddle_format_within write of a number at most; 0: as many as tell it from all others.
 * Programs see nothing of that. */
GRIDDLE_API void griddle_set_precision(griddle_interpreter*, int32_t digits);
/* What a terminal shows of the value that •plot gave last, in the way that griddle_options names: an escape sequence, or lines of
 * text. Empty for any other value. */
GRIDDLE_API griddle_buffer griddle_picture(griddle_value);
/* Bytes of the elements of an array, and of all arrays in it, each one counted once; 0 for what is no array. */
GRIDDLE_API size_t griddle_bytes_of(griddle_value);
/* Tells whether the elements of an array are on a device, and not here. */
GRIDDLE_API int griddle_on_device(griddle_value);
/* The value that a name of the session has, by any spelling; no value where there is none. */
GRIDDLE_API griddle_value griddle_session_value(griddle_interpreter*, griddle_text name);

/* What a line of a session, or a file, defines. */
typedef struct griddle_entered {
  size_t size;
  int32_t ends_in_assignment; /* the last statement gives a name its value */
  griddle_value
      definitions; /* a list of texts, for whoever releases it: a name, the statement that defines it, the next name … */
} griddle_entered;
/* Runs a line of a session as griddle_eval_in_session does, and tells what it defines. */
GRIDDLE_API griddle_value griddle_enter(griddle_interpreter*, griddle_text source, griddle_text name, griddle_entered*,
                                        griddle_failure** failure);
/* Runs a file as griddle_run_file does, but as a line of the session, so that its names stay. */
GRIDDLE_API griddle_value griddle_enter_file(griddle_interpreter*, griddle_text path, const griddle_text* arguments,
                                             size_t argument_count, griddle_entered*, griddle_failure** failure);
/* The paths of files that •Import has run, as a list of texts; and has it run them anew when they are imported next. */
GRIDDLE_API griddle_value griddle_imported_files(griddle_interpreter*, griddle_failure** failure);
GRIDDLE_API void griddle_forget_imports(griddle_interpreter*);
/* The instructions that a line of the session would become; runs nothing. */
GRIDDLE_API griddle_buffer griddle_bytecode(griddle_interpreter*, griddle_text source, griddle_failure** failure);

/* The memory of an interpreter, in bytes: in use; the most that was since griddle_forget_peak; free, and kept for reuse; the
 * limit, or 0. */
typedef struct griddle_memory {
  size_t size;
  size_t in_use, peak, kept, limit;
} griddle_memory;
GRIDDLE_API void griddle_memory_of(const griddle_interpreter*, griddle_memory*);
GRIDDLE_API void griddle_forget_peak(griddle_interpreter*);

/* Runs a line of a session, slowly, and tells what happens: which blocks begin and end with which values, and what each call
 * gives. */
GRIDDLE_API griddle_value griddle_trace(griddle_interpreter*, griddle_text source, griddle_buffer* text,
                                        griddle_failure** failure);

/* What the memory in use holds, in bytes: elements by their type, as griddle_type names them; functions with their code;
 * namespaces and variables; the rest, which is what runs, and memory that was freed in pieces and waits for others. What lies on
 * the device is no part of the memory in use. Looks at every value, once. Gives 0 where there is no memory for that. */
typedef struct griddle_memory_kinds {
  size_t size;
  size_t bits, i8, i16, i32, f64, characters, boxes, functions, namespaces, rest, on_device;
} griddle_memory_kinds;
GRIDDLE_API int griddle_memory_kinds_of(griddle_interpreter*, griddle_memory_kinds*);

/* What griddle_format gives, piece by piece, in little memory however large the value is. `take` gets one piece after the other,
 * and gives 0 where it wants no more. */
GRIDDLE_API int griddle_format_pieces(griddle_value, int (*take)(void* data, griddle_text piece), void* data,
                                      griddle_failure** failure);

/* The same as griddle_explain, for a window of so many columns: where it has room for that, the tree is drawn below the source.
 * 0: as a list of its parts. */
GRIDDLE_API griddle_value griddle_explain_within(griddle_interpreter*, griddle_text source, size_t columns, griddle_buffer* text,
                                                 griddle_failure** failure);

/* Where time goes. The host takes a sample every so often: griddle_sample may be called in a signal handler, and does nothing but
 * on the thread that evaluates. griddle_end_profile gives the report, for samples that are so many seconds apart; no sample may
 * be taken meanwhile. A function of the host that is called by what a profile looks at cannot end it, and gets no report. */
GRIDDLE_API int griddle_start_profile(griddle_interpreter*, griddle_failure** failure);
GRIDDLE_API void griddle_sample(griddle_interpreter*);
GRIDDLE_API griddle_buffer griddle_end_profile(griddle_interpreter*, double seconds);

/* --- making values */

GRIDDLE_API griddle_value griddle_make_number(griddle_interpreter*, double);
/* No value for what is no code point: beyond 0x10FFFF, or a surrogate. */
GRIDDLE_API griddle_value griddle_make_character(griddle_interpreter*, uint32_t code_point);
/* Invalid UTF-8 becomes U+FFFD. */
GRIDDLE_API griddle_value griddle_make_text(griddle_interpreter*, griddle_text, griddle_failure** failure);
/* Copies elements into a list, or an array of some shape. Values of griddle_any stay the caller's. Fails for code points and
 * integers that BQN does not have: integers beyond ±2⋆53. */
GRIDDLE_API griddle_value griddle_make_list(griddle_interpreter*, griddle_type, const void* elements, size_t length,
                                            griddle_failure** failure);
GRIDDLE_API griddle_value griddle_make_array(griddle_interpreter*, griddle_type, const void* elements, const size_t* shape,
                                             size_t rank, griddle_failure** failure);
/* Makes an array of elements that stay where they are. Nobody changes them until `drop` is called, when the array is gone; after
 * a failure it is called at once. The type is one that arrays hold, other than griddle_any; bits are whole words. Elements that
 * are not aligned for their type are copied, and characters are looked at. */
GRIDDLE_API griddle_value griddle_borrow_array(griddle_interpreter*, griddle_type, const void* elements, const size_t* shape,
                                               size_t rank, void (*drop)(void* data), void* data, griddle_failure** failure);
/* Makes a namespace; all names are different. */
GRIDDLE_API griddle_value griddle_make_namespace(griddle_interpreter*, const griddle_text* names, const griddle_value* values,
                                                 size_t count, griddle_failure** failure);

/* A function of the host. `w` is NULL where there is one argument; arguments stay the library's. Gives a value that the library
 * releases, or stores a failure, which the program may catch. */
typedef griddle_value (*griddle_host_function)(void* data, griddle_interpreter*, const griddle_value* w, griddle_value x,
                                               griddle_failure** failure);
/* A modifier of the host; `g` is NULL for a 1-modifier. */
typedef griddle_value (*griddle_host_modifier)(void* data, griddle_interpreter*, griddle_value f, const griddle_value* g,
                                               const griddle_value* w, griddle_value x, griddle_failure** failure);
/* Make such values. `drop`, where it is not NULL, is called when the value is gone, and at once after a failure. */
GRIDDLE_API griddle_value griddle_make_function(griddle_interpreter*, griddle_text name, griddle_host_function, void* data,
                                                void (*drop)(void* data), griddle_failure** failure);
GRIDDLE_API griddle_value griddle_make_modifier(griddle_interpreter*, griddle_text name, int operands, griddle_host_modifier,
                                                void* data, void (*drop)(void* data), griddle_failure** failure);

/* --- exchange with others */

/* Bytes that hold any data, and any function that has source text, for another interpreter, process or day. */
GRIDDLE_API griddle_buffer griddle_serialise(griddle_value, griddle_failure** failure);
GRIDDLE_API griddle_value griddle_deserialise(griddle_interpreter*, const void* bytes, size_t size, griddle_failure** failure);

/* DLPack (dlpack.h): numbers, on the host or on a CUDA device. A tensor that is taken is the library's, also after a failure; one
 * that is given is released through its deleter.
 *
 * A tensor on the first CUDA device needs an interpreter with a device. All that is done on the device ends before it is taken,
 * and its elements stay there; they are copied where their type, or their place in memory (multiples of 256 bytes), does not
 * suit. What an array has on the device is given there, when it is computed: bits as bytes. To release it waits for all that is
 * done there. */
struct DLManagedTensor;
GRIDDLE_API griddle_value griddle_from_dlpack(griddle_interpreter*, struct DLManagedTensor*, griddle_failure** failure);
GRIDDLE_API struct DLManagedTensor* griddle_to_dlpack(griddle_value, griddle_failure** failure);

/* The Arrow C data interface: lists of numbers, booleans and texts, and namespaces for structs. What is taken is the library's,
 * also after a failure; what is given is released through its release function. */
struct ArrowSchema;
struct ArrowArray;
GRIDDLE_API griddle_value griddle_from_arrow(griddle_interpreter*, struct ArrowSchema*, struct ArrowArray*,
                                             griddle_failure** failure);
GRIDDLE_API int griddle_to_arrow(griddle_value, struct ArrowSchema*, struct ArrowArray*, griddle_failure** failure);

#ifdef __cplusplus
}
#endif
#include "griddle_analysis.h"
#endif
