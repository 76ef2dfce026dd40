/* Kairos: a compiler and simulator for hybrid systems written in Modelica.
 *
 * This is the whole public interface. A session (Kairos) holds the loaded text, the library paths
 * and the messages. A model (KairosModel) is compiled once and simulated as often as wanted, with
 * other parameter values, solvers and output; nothing is compiled again unless a value changes the
 * structure of the model.
 *
 *     #include <kairos.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         Kairos *k = kairos_open();
 *         if (!k)
 *             return KAIROS_FAILED;
 *         kairos_load_file(k, "BouncingBall.mo");
 *         KairosModel *ball = kairos_compile_model(k, NULL, NULL);
 *         KairosRun run = {.size = sizeof run, .output = "ball.csv"};
 *         int status = ball ? kairos_simulate_model(ball, &run) : kairos_compile_status(k);
 *         char *messages = kairos_render_messages(k, KAIROS_TEXT);
 *         fputs(messages ? messages : "out of memory\n", stderr);
 *         kairos_free_text(messages);
 *         kairos_free_model(ball);
 *         kairos_close(k);
 *         return status;
 *     }
 *
 *     cc ball.c $(pkg-config --cflags --libs kairos)
 *
 * Rules that hold throughout. A session and its models are used by one thread at a time, with one
 * exception: kairos_simulate_model may run in several threads at once, of the same model too.
 * Different sessions may be used in different threads at once. Text that a function returns belongs
 * to the caller (kairos_free_text); text that is passed in is copied. The library prints nothing
 * and never ends the process. If memory runs out, a function that returns a status returns
 * KAIROS_FAILED, one that returns text or a pointer returns NULL, and the session stays usable.
 *
 * Structs that the caller fills in (KairosCompile, KairosRun, KairosPlot, KairosCompare) begin with
 * their size, so that a program works with later versions of the library, in which they have more
 * members. A member of zero means the default. In place of a struct, NULL means all defaults. A
 * size of 0 is an error; so is a member that is set and that this library is too old to know.
 * KairosSetting and KairosChange are members of arrays and never grow. The library fills in
 * KairosRow, which may grow. */
#ifndef KAIROS_H
#define KAIROS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KAIROS_API __attribute__((visibility("default")))

typedef struct Kairos Kairos;
typedef struct KairosModel KairosModel;

/* What a call came to. These are also the exit statuses of the program `kairos`. */
enum {
    KAIROS_OK = 0,
    KAIROS_MODEL_ERROR = 1,   /* the model is in error */
    KAIROS_USE_ERROR = 2,     /* the call is in error: a file, an option, a name */
    KAIROS_FAILED = 3,        /* the simulation failed numerically; results up to then are saved */
    KAIROS_INTERRUPTED = 130, /* kairos_interrupt was called; results up to then are saved */
};

/* "0.2.0" */
KAIROS_API const char *kairos_version(void);

/* ---- sessions ---- */

/* A new session, or NULL when there is no memory. */
KAIROS_API Kairos *kairos_open(void);
/* Frees the session. Its models must have been freed before. NULL is allowed. */
KAIROS_API void kairos_close(Kairos *k);
/* Adds a folder in which packages are looked for, after those added before. */
KAIROS_API void kairos_add_library(Kairos *k, const char *folder);
/* Adds the libraries that the user keeps (kairos_add_source), after those added before. */
KAIROS_API void kairos_use_libraries(Kairos *k);
/* From now on models call no external C or FORTRAN code, neither when they are compiled nor when
 * they run: that is an error of the model. Mathematics, and the tables, texts, random numbers and
 * LAPACK of libraries in the folders added so far, are called still. */
KAIROS_API void kairos_refuse_external(Kairos *k);
/* Reads and parses a file of Modelica text (a folder stands for its package.mo; a file within a
 * package makes known the library it belongs to), or adds text under a name to call it by in
 * messages. Every syntax error found is among the messages. KAIROS_OK, KAIROS_MODEL_ERROR, or
 * KAIROS_USE_ERROR where the file cannot be read. */
KAIROS_API int kairos_load_file(Kairos *k, const char *path);
KAIROS_API int kairos_load_text(Kairos *k, const char *name, const char *text, size_t size);
/* Asks whatever runs in this session to stop at the next safe point. May be called from a signal
 * handler or another thread. After an interrupted reading or compilation the session can only be
 * closed; after an interrupted run all of it can be used. */
KAIROS_API void kairos_interrupt(Kairos *k);

/* ---- libraries of the user ---- */

/* Keeps a source of packages for later calls, in $KAIROS_DATA, else $XDG_DATA_HOME/kairos, else
 * ~/.local/share/kairos: a folder or a checkout, which stays where it is, or a zip, which is
 * unpacked there. All or nothing. *report says what was added. KAIROS_OK or KAIROS_USE_ERROR. */
KAIROS_API int kairos_add_source(Kairos *k, const char *source, char **report);
/* Forgets the source that holds library `name` (of `version`, NULL: any), or whose path is `name`;
 * deletes what was unpacked for it, and nothing else. */
KAIROS_API int kairos_remove_source(Kairos *k, const char *name, const char *version,
                                    char **report);
/* The place of a library as a lookup in this session finds it; with name NULL, where the user's
 * libraries are kept. NULL after an error. */
KAIROS_API char *kairos_find_library(Kairos *k, const char *name, const char *version);

/* ---- messages ---- */

typedef enum KairosFormat { KAIROS_TEXT, KAIROS_TEXT_COLOUR, KAIROS_JSON } KairosFormat;

/* All messages so far, sorted by place: `file:line:column: error[F012]: …` with the source line and
 * a caret, or a JSON array: [{"severity", "code", "message", "file", "line", …, "notes"}]. A note
 * on a failed run says what it is about: "equation" with its "residual", "variable" with its
 * "value" and "start", "undetermined", or "block" with the number of its equations. NULL when there
 * is no memory. */
KAIROS_API char *kairos_render_messages(Kairos *k, KairosFormat format);
/* What a code such as "R006" means: title, explanation, example and fix. NULL as code: a list of
 * all codes. NULL after an error: there is no such code, or no memory. */
KAIROS_API char *kairos_explain_code(Kairos *k, const char *code);
/* All libraries this session knows: name, version, kind, place, and what shadows them; lines of
 * text, or a JSON array. */
KAIROS_API char *kairos_list_libraries(Kairos *k, KairosFormat format);
KAIROS_API void kairos_clear_messages(Kairos *k);
KAIROS_API unsigned kairos_count_errors(const Kairos *k);
KAIROS_API void kairos_free_text(char *text);

/* ---- models ---- */

typedef struct KairosSetting { /* `--set name=value`: a parameter, or a start value as "x.start" */
    const char *name, *value;
} KairosSetting;

typedef struct KairosCompile {
    size_t size; /* sizeof(KairosCompile) */
    /* "tcc" (in memory), "cc", or "auto", the default: tcc at once and cc in the background for
     * long runs */
    const char *compiler;
    const char *emit_c; /* also write the generated C to this file */
    int check_units;    /* warn where units do not agree */
    /* values that shape the model (array sizes, conditions); others may be given here too */
    const KairosSetting *settings;
    unsigned n_settings;
    /* settings of the runs to come: what of them shapes the model is taken over now, so that the
     * first run need not compile again */
    const KairosSetting *expected;
    unsigned n_expected;
    const char *const
        *no_events; /* names with * and ?: relations of the components meant are taken literally,
                       without events, where they are in equations for Reals. A run tells of them */
    unsigned n_no_events;
    /* for kairos_dump_phase with "structure": names with * and ? of states whose integration is
     * written into the equations */
    const char *const *inlined;
    unsigned n_inlined;
} KairosCompile;

/* Compiles the class `name`; NULL: the last non-partial model of the file loaded last. `how` may be
 * NULL. NULL after an error, which is among the messages. */
KAIROS_API KairosModel *kairos_compile_model(Kairos *k, const char *name, const KairosCompile *how);
/* What the last compilation or dump in this session came to: tells an error of the model from one
 * of the call. */
KAIROS_API int kairos_compile_status(const Kairos *k);
KAIROS_API void kairos_free_model(KairosModel *m);
KAIROS_API const char *kairos_model_name(const KairosModel *m);

/* Compiles as far as phase `phase` ("syntax", "instance", "flatten", "dae", "structure", "codegen")
 * and returns its product as text; NULL after an error. "structure" is what `kairos equations`
 * prints; "modes" tells of switches that change the structure. */
KAIROS_API char *kairos_dump_phase(Kairos *k, const char *name, const char *phase,
                                   const KairosCompile *how);
/* The file, in whichever notation it is written (.dym, .om, .mo), as Modelica text; NULL after an
 * error. Nothing is loaded. */
KAIROS_API char *kairos_translate_file(Kairos *k, const char *path);

/* What the annotations of a class draw: its diagram, or its icon. */
typedef enum KairosLayer { KAIROS_DIAGRAM, KAIROS_ICON } KairosLayer;

/* The picture of any class (NULL: the model that kairos_compile_model would take) as SVG.
 * Components are groups with the attributes data-component, data-class, data-path and data-line (of
 * the declaration), their connectors with data-connector, connections with data-connection ("a.p
 * b.n"). NULL after an error; messages about parts that could not be drawn gather in the session.
 */
KAIROS_API char *kairos_draw_diagram(Kairos *k, const char *name, KairosLayer layer);
/* The same into a file that ends with .svg, .png or .pdf. KAIROS_OK, KAIROS_MODEL_ERROR or
 * KAIROS_USE_ERROR. */
KAIROS_API int kairos_save_diagram(Kairos *k, const char *name, KairosLayer layer,
                                   const char *output);

/* The same as kairos_dump_phase without text: everything up to structure is checked. KAIROS_OK or
 * KAIROS_MODEL_ERROR. Where there is no model (a package, a partial class), as
 * kairos_check_classes. */
KAIROS_API int kairos_check_model(Kairos *k, const char *name, const KairosCompile *how);
/* Checks the class `name` and every class in it; NULL: all classes of the file loaded last. Of
 * `how` only check_units counts. What a class leaves to its use is no error: values of parameters,
 * inner components, and what is missing in partial classes. */
KAIROS_API int kairos_check_classes(Kairos *k, const char *name, const KairosCompile *how);

/* ---- for tools: classes and models as JSON ---- */

/* Reads the class of that full name, from a library where need be: later calls find it read.
 * KAIROS_OK or KAIROS_MODEL_ERROR. */
KAIROS_API int kairos_load_class(Kairos *k, const char *name);
/* The files of libraries read so far: [{"name", "path"}]. NULL when memory runs out, as for all of
 * these. */
KAIROS_API char *kairos_list_loaded(Kairos *k);
/* The classes in the text loaded last, with those inside them: [{"name", "kind", "partial",
 * "model", "path", "line", "column", "end_line"}]; "model" says whether it can be simulated. */
KAIROS_API char *kairos_describe_file(Kairos *k);
/* The classes in class `name`, in order: [{"name", "full", "kind", "description", "partial",
 * "has_children", "icon", "path", "line"}]; "": of all libraries; NULL: of the text loaded last.
 * NULL where there is no such class. */
KAIROS_API char *kairos_list_classes(Kairos *k, const char *name);
/* The same rows of a class at the top and of everything in it, which is read for that. */
KAIROS_API char *kairos_index_library(Kairos *k, const char *name);
/* {"name", "kind", "description", "documentation" (HTML), "extends", "components", "classes",
 * "text", …} of the class of that full name; NULL where there is none. */
KAIROS_API char *kairos_describe_class(Kairos *k, const char *name);
/* What can be written at line and column (from 1, in characters) of a text, which need not be
 * complete and is loaded:
 * {"from": {"line", "column"}, "items": [{"label", "kind", "detail", "insert"}]} */
KAIROS_API char *kairos_complete_text(Kairos *k, const char *name, const char *text, size_t size,
                                      unsigned line, unsigned column);
/* What the name there means: {"name", "kind", "type", "description", "value", "path", "line",
 * "column"}, or null. */
KAIROS_API char *kairos_find_symbol(Kairos *k, const char *name, const char *text, size_t size,
                                    unsigned line, unsigned column);
/* The sorted equations of a model: {"n", "states", "blocks", "equations", "unknowns", "incidence",
 * "capped"}; NULL after an error. Row i of the incidence is equations[i], which is solved for
 * unknowns[i]. */
KAIROS_API char *kairos_describe_equations(Kairos *k, const char *name, const KairosCompile *how);
/* {"class", "description", "experiment", "parameters", "starts", "variables"}: what can be set,
 * with values, units, limits and places, and the variables in the order of the values of a
 * KairosRow behind the time. */
KAIROS_API char *kairos_describe_model(const KairosModel *m);

/* ---- simulation ---- */

typedef void (*KairosTextFn)(void *user, const char *text);

typedef struct KairosRow {
    unsigned n;
    const char *const *names; /* time first, then the variables of the file */
    const double *values;
} KairosRow;

typedef struct KairosChange { /* once so many rows have been given, a parameter, state or discrete
                                 variable takes a value: an event. The run up to there is the same
                                 as without it */
    uint64_t rows;
    const char *name; /* NULL: an event without a change */
    double value;
    const double *time; /* other than NULL: at this time, whatever the number of rows */
} KairosChange;

typedef struct KairosInput { /* `--input`: how an input at the top level gets its values */
    const char *name;        /* NULL: `value` is a file */
    /* an expression of Modelica, for example "sin(time)"; or a file of comma-separated values,
     * whose first line names the columns, one of them `time`. Between its rows a Real is linear in
     * time, others keep the value of the row before; two rows of one time are a jump. Outside of
     * the file the first and the last values hold. */
    const char *value;
} KairosInput;

typedef struct KairosRun {
    size_t size; /* sizeof(KairosRun) */
    /* Times and accuracy. Unset: the model's experiment annotation, then 0, 1, 500 intervals, 1e-6.
     */
    const double *start_time, *stop_time;
    unsigned intervals;
    double tolerance;
    const char *solver; /* "auto", or one of kairos_list_solvers */
    double step;        /* of solvers with a fixed step */
    double event_epsilon;
    /* "auto", "single" (one plan for all modes), "modes" (a plan per mode), "inline", "mixed" */
    const char *structure;
    /* names with * and ? of states that are inlined; the solver integrates the others */
    const char *const *inlined;
    unsigned n_inlined;
    const char *accumulation; /* where events accumulate: "rest" (the default) or "stop" */
    const char *chattering;   /* where they chatter: "slide" (the default) or "stop" */
    /* how blocks with discrete unknowns are solved: "fixpoint", "limited", "search", or "auto":
     * each in turn */
    const char *mixed;
    /* parameters and start values; no compilation is needed for these */
    const KairosSetting *settings;
    unsigned n_settings;
    const KairosChange *changes; /* by rows */
    unsigned n_changes;

    /* FILE.csv or FILE.mat; NULL: no file. Appears under its name only when complete */
    const char *output;
    /* also write FILE.csv-metadata.json: title, units and descriptions, which kairos_plot_result
     * reads */
    int describe;
    /* extended regular expression: which variables go into the file; NULL: all */
    const char *variables;
    int hide_protected;

    const char *log;       /* "events,modes,init,blocks,stats": what to tell through on_log */
    KairosTextFn on_log;   /* lines for people */
    KairosTextFn on_event; /* one JSON object per event instant */
    void (*on_progress)(void *user, double time, uint64_t steps, uint64_t events);
    /* each row as it is computed; other than 0 ends the run */
    int (*on_row)(void *user, const KairosRow *row);
    void (*on_final)(
        void *user, const char *name,
        double value); /* time and each variable of the file that is no parameter, at the end */
    void *user;

    /* inputs at the top level of the model; others stay at their start values, with a warning */
    const KairosInput *inputs;
    unsigned n_inputs;
    /* other than 0: output points are start + k*output_step up to the stop time, instead of
     * `intervals` equal parts */
    double output_step;
    /* of inlined states, unless the solver is an inline one: "radau" (the default), "euler", "bdf2"
     */
    const char *inline_method;
} KairosRun;

/* Runs the model. Any of the statuses above. Several threads may run one model at once, each with
 * its own settings and files; its code is compiled once for all of them. Call-backs are called in
 * the thread of their run. A setting that shapes the model compiles it anew, which waits until no
 * other run is at work. Messages of all runs gather in the session: read them when the runs have
 * ended. External functions are called by one thread at a time. */
KAIROS_API int kairos_simulate_model(KairosModel *m, const KairosRun *run);
/* Start and stop time of the model's experiment annotation, or 0 and 1. */
KAIROS_API void kairos_model_times(const KairosModel *m, double *start, double *stop);
/* Runs the model as kairos_simulate_model does, but for the files of the run, and writes a report
 * on it: one page of HTML with description, diagram, plots, events and modes, initial values,
 * statistics, sorted equations and their source. It is written too where the run failed. */
KAIROS_API int kairos_report_model(KairosModel *m, const KairosRun *run, const char *output);
/* Names of the solvers, NULL at the end. */
KAIROS_API const char *const *kairos_list_solvers(void);

/* ---- results ---- */

typedef struct KairosPlot {
    size_t size;                  /* sizeof(KairosPlot) */
    const char *const *variables; /* names; none: a good choice is made */
    unsigned n_variables;
    /* FILE.svg, FILE.png, FILE.pdf, or FILE.html: interactive, in one file */
    const char *output;
    /* NULL: name of the model, where the result tells, or of the result */
    const char *title;
    const char *const *others; /* further results, drawn over the first */
    unsigned n_others;
    const char *x;                   /* variable along the horizontal axis; NULL: time */
    const char *colour;              /* discrete variable that colours the curves, or NULL */
    const double *x_range, *y_range; /* two numbers each, or NULL */
    int log_x, log_y;
    int events;   /* marks where events are */
    int separate; /* a pane for each variable */
} KairosPlot;

/* Draws variables of a result file (.csv, .mat). KAIROS_OK or KAIROS_USE_ERROR. */
KAIROS_API int kairos_plot_result(Kairos *k, const char *result, const KairosPlot *plot);
/* The same as text for a terminal of `columns` by `rows` characters, with ANSI colours or without;
 * NULL after an error. */
KAIROS_API char *kairos_plot_text(Kairos *k, const char *result, const KairosPlot *plot,
                                  unsigned columns, unsigned rows, int colour);

typedef struct KairosCompare {
    size_t size;                  /* sizeof(KairosCompare) */
    double tolerance;             /* half height of the tube as a share of the range; 0.002 */
    double time_tolerance;        /* half width of the tube as a share of the time; 0.002 */
    const char *const *variables; /* none: all of the reference */
    unsigned n_variables;
} KairosCompare;

/* Compares a result with a reference by a tube around the reference. *report says for each variable
 * whether and where they part. KAIROS_OK: alike; KAIROS_MODEL_ERROR: they part; KAIROS_USE_ERROR: a
 * file cannot be read. */
KAIROS_API int kairos_compare_results(Kairos *k, const char *result, const char *reference,
                                      const KairosCompare *how, char **report);

#ifdef __cplusplus
}
#endif
#endif
