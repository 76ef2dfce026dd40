/* Diagnostics: messages to the user about the model and the call. Numerical failures and defects of
 * Kairos are reported in other ways. diag_render.c renders the messages, explain.c explains them.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/names.h"
#include "base/source.h"

typedef enum Severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR } Severity;

/* One row of base/diagnostics.def each. */
typedef enum DiagCode {
#define X(code, ...) DIAG_##code,
#include "base/diagnostics.def"
#undef X
    DIAG_COUNT
} DiagCode;

/* The contents of a note for programs, which need not read its text. */
typedef enum DiagFactKind {
    FACT_NONE,
    FACT_BLOCK,        /* a system of `count` equations */
    FACT_EQUATION,     /* `name` is its text, `value` its residual */
    FACT_VARIABLE,     /* `name` has `value`, and `start` before the iteration */
    FACT_UNDETERMINED, /* the equations leave `name` open */
} DiagFactKind;

typedef struct DiagFact {
    DiagFactKind kind;
    uint32_t count;
    const char *name;
    double value, start; /* NAN: not known */
} DiagFact;

typedef struct DiagNote {
    Span span; /* nowhere is allowed */
    const char *text;
    DiagFact fact;
    struct DiagNote *next;
} DiagNote;

typedef struct Diag {
    DiagCode code;
    Severity severity;
    Span span;
    const char *text;
    DiagNote *notes, *last;
} Diag;

typedef struct Context Context;

/* Records a diagnostic. The message says what is wrong and, if known, what to do, in the words of a
 * modeller, without a full stop at its end. The same message at the same place is kept once. */
void diag(Context *ctx, Span span, DiagCode code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for text that the specification forbids and other tools accept: an error, or with
 * --compatible a warning. True if it is accepted. */
bool diag_compatible(Context *ctx, Span span, DiagCode code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a note to the diagnostic recorded last. */
void diag_note(Context *ctx, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with its contents, which are copied. */
void diag_fact(Context *ctx, Span span, DiagFact fact, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A point in the list of diagnostics. diag_discard drops those that came after it, with their
 * counts: a try that failed leaves no message. */
typedef struct DiagMark {
    uint32_t n, n_errors, n_warnings;
} DiagMark;
DiagMark diag_mark(const Context *ctx);
void diag_discard(Context *ctx, DiagMark mark);

const char *diag_code_name(DiagCode code); /* "F012" */
const char *diag_code_title(DiagCode code);
const char *diag_code_section(DiagCode code); /* of the language specification; NULL for none */
Severity diag_code_severity(DiagCode code);

/* A repair: the text of the span is replaced by `text`. */
typedef struct DiagFix {
    Span span;
    const char *title, *text;
} DiagFix;
/* False if none is known. */
bool diag_fix(const Context *ctx, const Diag *d, Arena *arena, DiagFix *fix);
/* For the state with this path ("a.b[:].x", [:] behind arrays), in the declaration of `a`: a
 * modifier fixed=true. */
bool diag_fix_fixed(const char *text, Span declaration, const char *path, Arena *arena,
                    DiagFix *fix);

typedef enum DiagFormat { DIAG_TEXT, DIAG_JSON } DiagFormat;
/* All diagnostics recorded so far, sorted by place, as text; allocated in `arena`. Colour by ANSI
 * codes. */
char *diag_render(const Context *ctx, DiagFormat format, bool colour, Arena *arena);

#endif
