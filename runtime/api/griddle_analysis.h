/* For editors: what a source text holds. griddle.h includes this. */
#ifndef GRIDDLE_ANALYSIS_H
#define GRIDDLE_ANALYSIS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  griddle_token_comment,
  griddle_token_number,
  griddle_token_text, /* a character or a string */
  griddle_token_name,
  griddle_token_field,   /* a name behind a point */
  griddle_token_special, /* such as 𝕩 */
  griddle_token_system,
  griddle_token_primitive,
  griddle_token_nothing,
  griddle_token_bracket,
  griddle_token_separator,
  griddle_token_arrow,
  griddle_token_strand,
  griddle_token_dot,
  griddle_token_unknown /* what is no token */
} griddle_token_kind;

typedef enum { griddle_role_subject, griddle_role_function, griddle_role_modifier1, griddle_role_modifier2 } griddle_role;

/* What a name does where it stands; none where that is not known, because of an error. */
typedef enum {
  griddle_use_none,
  griddle_use_definition,
  griddle_use_change, /* ↩ */
  griddle_use_value,
  griddle_use_export
} griddle_name_use;

/* Reads a source text, runs nothing, and gives a namespace of three namespaces, whose fields are lists of equal lengths. What
 * surrounds errors is read all the same. Places are bytes of the text, with the one behind the last.
 *
 * `tokens` has start, end, kind (griddle_token_kind), role (griddle_role), use (griddle_name_use), and definition: a place in
 * `definitions`, or their number for none.
 *
 * `definitions` has token (a place in `tokens`), exported, changed, and pairs of places: scopestart and scopeend of the body that
 * the name belongs to, statementstart and statementend, and blockstart and blockend of the block in braces that is its value,
 * which are equal where there is none.
 *
 * `problems` has message, hint (a text, empty where there is none), start, end, and relatedstart and relatedend of another place
 * that the error is about, such as the bracket that is open, or equal. */
GRIDDLE_API griddle_value griddle_analyse(griddle_interpreter*, griddle_text source, griddle_failure** failure);

#ifdef __cplusplus
}
#endif

#endif
