/* Kairos: a compiler and simulator for hybrid systems written in Modelica.
 *
 * This is the whole public interface. A session (Kairos) has the loaded text, the library paths
 * and the messages. A model (KairosModel) is compiled once and simulated as often as you like, with
 * other parameter values, solvers and output. It is compiled again only if a value changes the
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
 * General rules:
 * - One thread at a time uses a session and its models. Exception: several threads may call
 *   kairos_simulate_model at once, also for the same model. Different sessions are independent.
 * - Returned text belongs to the caller (kairos_free_text); text that is passed in is copied.
 * - The library prints nothing and never ends the process.
 * - If memory runs out, a function returns KAIROS_FAILED or NULL, and the session stays usable.
 *
 * Structs that the caller fills in (KairosCompile, KairosRun, KairosFmu, KairosFmuCheck,
 * KairosPlot, KairosCompare, KairosSpectrum) begin with their size. So a program works with later
 * versions of the library that have more members. A member of zero means the default. NULL instead
 * of a struct means all defaults. A size of 0 is an error; so is a set member that this library
 * does not know. KairosSetting, KairosInput, KairosSave, KairosRange and KairosNumber
 * are elements of arrays and never grow. The library fills in KairosRow, which may grow. */
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

/* The result of a call, and the exit status of the program `kairos`. */
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

/* A new session, or NULL if there is no memory. */
KAIROS_API Kairos *kairos_open(void);
/* Frees the session. Its models must have been freed before. NULL is allowed. */
KAIROS_API void kairos_close(Kairos *k);
/* Adds a folder in which packages are looked for, after those added before. */
KAIROS_API void kairos_add_library(Kairos *k, const char *folder);
/* Adds the libraries that the user keeps (kairos_add_source), after those added before. */
KAIROS_API void kairos_use_libraries(Kairos *k);
/* From now on, a call of external C or FORTRAN code is an error of the model, when it is compiled
 * and when it runs. Some functions are still called: mathematics, and tables, texts, random numbers
 * and LAPACK of libraries in the folders added so far. */
KAIROS_API void kairos_refuse_external(Kairos *k);
/* From now on Kairos also accepts text that the specification forbids but other tools accept. A
 * warning (I058) says what to write instead. */
KAIROS_API void kairos_accept_compatible(Kairos *k);
/* Reads and parses a Modelica file, or adds text under a name for messages. A folder means its
 * package.mo. A file within a package makes its library known. All syntax errors are among the
 * messages. KAIROS_OK, KAIROS_MODEL_ERROR, or KAIROS_USE_ERROR if the file cannot be read. */
KAIROS_API int kairos_load_file(Kairos *k, const char *path);
KAIROS_API int kairos_load_text(Kairos *k, const char *name, const char *text, size_t size);
/* kairos_load_file also reads systems of FMUs (SSP 1.0, NAME.ssp) as models. */
/* Reads an FMU and adds a block with its variables, named after its identifier; kairos_load_file
 * does the same for files NAME.fmu. kind: "me" for model exchange, "cs" for co-simulation, NULL for
 * model exchange if the FMU has it. Runs of the model call the binary of the FMU in this process.
 * KAIROS_OK, KAIROS_MODEL_ERROR if the FMU cannot be understood, or KAIROS_USE_ERROR. */
KAIROS_API int kairos_load_fmu(Kairos *k, const char *path, const char *kind);
/* The value of a structural parameter (FMI 3) in FMUs that are read from now on; FMUs without it
 * ignore it. Arrays get their sizes when an FMU is read. KAIROS_OK or KAIROS_FAILED. */
KAIROS_API int kairos_structure_fmus(Kairos *k, const char *name, const char *value);
/* The text of such a block for use in a model. name: of the class, NULL as above. NULL after an
 * error. */
KAIROS_API char *kairos_import_fmu(Kairos *k, const char *path, const char *name, const char *kind);
typedef struct KairosFmuCheck {
    size_t size;          /* sizeof(KairosFmuCheck) */
    double seconds;       /* limit of the trial of an interface; 0: 20 */
    unsigned memory;      /* limit in MB; 0: 4096 */
    int only_description; /* 1: no code of the FMU runs */
} KairosFmuCheck;

/* Checks an FMU: its description by the rules of the standard, and its binary in a trial, which
 * runs in a process of its own. Findings are messages. KAIROS_OK, KAIROS_MODEL_ERROR after an
 * error, or KAIROS_USE_ERROR. */
KAIROS_API int kairos_check_fmu(Kairos *k, const char *path, const KairosFmuCheck *how);
/* Asks the running action of this session to stop at the next safe point. May be called from a
 * signal handler or another thread. After an interrupted reading or compilation the session can
 * only be closed. After an interrupted run it stays usable. */
KAIROS_API void kairos_interrupt(Kairos *k);

/* ---- libraries of the user ---- */

/* Adds a source of packages for later calls. A folder or a checkout stays where it is; a zip is
 * unpacked. The store is in $KAIROS_DATA, otherwise in $XDG_DATA_HOME/kairos, otherwise in
 * ~/.local/share/kairos. All or nothing. *report says what was added. KAIROS_OK or
 * KAIROS_USE_ERROR. */
KAIROS_API int kairos_add_source(Kairos *k, const char *source, char **report);
/* Removes the source with library `name` (of `version`, NULL: any), or whose path is `name`.
 * Deletes its unpacked files and nothing else. */
KAIROS_API int kairos_remove_source(Kairos *k, const char *name, const char *version,
                                    char **report);
/* The place of a library as this session finds it; name NULL: the folder of the user's libraries.
 * NULL after an error. */
KAIROS_API char *kairos_find_library(Kairos *k, const char *name, const char *version);

/* ---- messages ---- */

typedef enum KairosFormat { KAIROS_TEXT, KAIROS_TEXT_COLOUR, KAIROS_JSON } KairosFormat;

/* All messages so far, sorted by place. As text: `file:line:column: error[F012]: …` with the source
 * line and a caret. As JSON: [{"severity", "code", "message", "file", "line", …, "notes"}]. If a
 * simple repair is known, "fix" has its "title", its place, and the "text" for this place. A note
 * on a failed run has one of these members: "equation" with its "residual", "variable" with its
 * "value" and "start", "undetermined", or "block" with the number of its equations. NULL if there
 * is no memory. */
KAIROS_API char *kairos_render_messages(Kairos *k, KairosFormat format);
/* The meaning of a code such as "R006": title, explanation, example and fix. code NULL: a list of
 * all codes. NULL after an error: unknown code, or no memory. */
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
    int check_units;    /* warn if units do not agree */
    /* values that change the structure (array sizes, conditions); others may be given here too */
    const KairosSetting *settings;
    unsigned n_settings;
    /* settings of later runs: those that are structural are used now, so that the first run need
     * not compile again */
    const KairosSetting *expected;
    unsigned n_expected;
    /* names with * and ?: relations in equations for Reals of these components are evaluated
     * literally, without events. A run lists them */
    const char *const *no_events;
    unsigned n_no_events;
    /* for kairos_dump_phase with "structure": names with * and ? of states whose integration is
     * written into the equations */
    const char *const *inlined;
    unsigned n_inlined;
    /* functions count their calls, for runs with a profile; otherwise the first such run compiles
     * the model again */
    int profile;
    int check_initial; /* warn if start values that are not fixed are initial conditions */
} KairosCompile;

/* Compiles the class `name`; NULL: the last non-partial model of the file loaded last. `how` may be
 * NULL. NULL after an error, which is among the messages. */
KAIROS_API KairosModel *kairos_compile_model(Kairos *k, const char *name, const KairosCompile *how);
/* The result of the last compilation or dump in this session: distinguishes an error of the model
 * from one of the call. */
KAIROS_API int kairos_compile_status(const Kairos *k);
KAIROS_API void kairos_free_model(KairosModel *m);
KAIROS_API const char *kairos_model_name(const KairosModel *m);

/* Compiles up to phase `phase` ("syntax", "instance", "flatten", "dae", "structure", "codegen") and
 * returns its product as text; NULL after an error. "structure" is the output of `kairos
 * equations`; "modes" describes switches that change the structure. */
KAIROS_API char *kairos_dump_phase(Kairos *k, const char *name, const char *phase,
                                   const KairosCompile *how);
/* The file as Modelica text; its ending (.dym, .om, .mo) gives its notation. NULL after an error.
 * Nothing is loaded. */
KAIROS_API char *kairos_translate_file(Kairos *k, const char *path);
/* Modelica text in the style of `kairos format`: the same tokens and comments, so the same tree.
 * `name` is for messages. Annotations keep their layout unless `annotations` is not 0. Nothing is
 * loaded. NULL after a syntax error. */
KAIROS_API char *kairos_format_text(Kairos *k, const char *name, const char *text, size_t size,
                                    int annotations);

/* The part of a class to draw: its diagram, or its icon. */
typedef enum KairosLayer { KAIROS_DIAGRAM, KAIROS_ICON } KairosLayer;

/* The picture of any class (NULL: the model that kairos_compile_model would take) as SVG.
 * Components are groups with the attributes data-component, data-class, data-path and data-line (of
 * the declaration), their connectors with data-connector, connections with data-connection ("a.p
 * b.n"). NULL after an error; messages about parts that could not be drawn gather in the session.
 */
KAIROS_API char *kairos_draw_diagram(Kairos *k, const char *name, KairosLayer layer);
/* The same at a time of a run, for DynamicSelect: variable i ("tank.level") has the value
 * values[i], a literal such as "1.5" or "true". The attribute data-variables of the picture lists
 * all names in dynamic parts, separated by semicolons. */
KAIROS_API char *kairos_draw_diagram_at(Kairos *k, const char *name, KairosLayer layer,
                                        const char *const *variables, const char *const *values,
                                        unsigned n);
/* The same into a file that ends with .svg, .png or .pdf. KAIROS_OK, KAIROS_MODEL_ERROR or
 * KAIROS_USE_ERROR. */
KAIROS_API int kairos_save_diagram(Kairos *k, const char *name, KairosLayer layer,
                                   const char *output);

/* The same as kairos_dump_phase without text: checks everything up to structure. KAIROS_OK or
 * KAIROS_MODEL_ERROR. If there is no model (a package, a partial class), the same as
 * kairos_check_classes. */
KAIROS_API int kairos_check_model(Kairos *k, const char *name, const KairosCompile *how);
/* Checks the class `name` and every class in it; NULL: all classes of the file loaded last. Only
 * check_units and check_initial of `how` are used. Missing values of parameters, missing inner
 * components, and missing parts of partial classes are not errors: the use of the class supplies
 * them. */
KAIROS_API int kairos_check_classes(Kairos *k, const char *name, const KairosCompile *how);

/* ---- for tools: classes and models as JSON ---- */

/* Reads the class of that full name, from a library if necessary, so that later calls need not read
 * it. KAIROS_OK or KAIROS_MODEL_ERROR. */
KAIROS_API int kairos_load_class(Kairos *k, const char *name);
/* The files of libraries read so far: [{"name", "path"}]. NULL when memory runs out, as for all of
 * these. */
KAIROS_API char *kairos_list_loaded(Kairos *k);
/* The classes in the text loaded last, with those inside them: [{"name", "kind", "partial",
 * "model", "path", "line", "column", "end_line"}]; "model" says whether it can be simulated. */
KAIROS_API char *kairos_describe_file(Kairos *k);
/* The classes in class `name`, in order: [{"name", "full", "kind", "description", "partial",
 * "has_children", "icon", "path", "line"}]; "": of all libraries; NULL: of the text loaded last.
 * NULL if there is no such class. */
KAIROS_API char *kairos_list_classes(Kairos *k, const char *name);
/* The same rows for a top-level class and all classes in it. Reads them if necessary. */
KAIROS_API char *kairos_index_library(Kairos *k, const char *name);
/* {"name", "kind", "description", "documentation" (HTML), "extends", "components", "classes",
 * "text", …} of the class of that full name; NULL if there is none. */
KAIROS_API char *kairos_describe_class(Kairos *k, const char *name);
/* The possible completions at a line and column (from 1, in characters) of a text. The text may be
 * incomplete; it is loaded: {"from": {"line", "column"}, "items": [{"label", "kind", "detail",
 * "insert"}]} */
KAIROS_API char *kairos_complete_text(Kairos *k, const char *name, const char *text, size_t size,
                                      unsigned line, unsigned column);
/* The meaning of the name there: {"name", "kind", "type", "description", "value", "path", "line",
 * "column"}, or null. */
KAIROS_API char *kairos_find_symbol(Kairos *k, const char *name, const char *text, size_t size,
                                    unsigned line, unsigned column);
/* A question of an editor about a text that is being edited: "hover", "definition",
 * "type-definition", "signature", "symbols", "folds", "selection", "tokens", "hints", "links",
 * "lenses", "references", "highlights", "prepare-rename", "rename", "implementations",
 * "prepare-types", "supertypes", "subtypes", "prepare-calls", "callers", "calls"; "places" of the
 * parts of a class. Lines and characters count from 0, characters in units of UTF-16. */
typedef struct KairosQuestion {
    size_t size; /* sizeof(KairosQuestion) */
    const char *about;
    const char *path; /* absolute, if the text is that of a file */
    const char *text;
    size_t text_size;
    unsigned line, character;
    unsigned end_line, end_character; /* of a range: "tokens", "hints" */
    const char *name;                 /* "rename": the new name; "places": "Class.Name:element" */
    const char *const *files;         /* of the workspace, for names in other files */
    unsigned n_files;
} KairosQuestion;
/* The answer in the form of the Language Server Protocol 3.17, as JSON. A refusal is {"error": …}.
 * The text is loaded. NULL after an error. */
KAIROS_API char *kairos_ask_text(Kairos *k, const KairosQuestion *question);
/* Edits of a class by its tree, as graphical editors make them. */
typedef struct KairosEdit {
    size_t size;      /* sizeof(KairosEdit) */
    const char *path; /* absolute, if the text is that of a file */
    const char *text;
    size_t text_size;
    const char *class_name; /* full name */
    /* JSON: [{"op": "move", "components": ["R1"], "by": [10, 0]}, …]; docs/editing-diagrams.md
     * lists the operations */
    const char *operations;
} KairosEdit;
/* {"changes": [{"range", "newText"}], "names", "text"}: the changes of the text, with ranges as in
 * the Language Server Protocol; names of new components; the whole new text. A refusal is {"error":
 * …}. The text is loaded. NULL after an error. */
KAIROS_API char *kairos_edit_class(Kairos *k, const KairosEdit *edit);
/* A component of a class for a dialog: {"component", "class", "description", "inherited",
 * "condition", "parameters": [{"name", "kind", "value", "default", "from", "unit", "tab", "group",
 * "enabled", "choices", …}]}. NULL if there is none. */
KAIROS_API char *kairos_describe_component(Kairos *k, const char *class_name,
                                           const char *component);
/* The classes that may replace a replaceable element of a component: {"constraint", "classes":
 * [{"value", "title"}]}. They inherit from its constraining type, and are in the given texts or in
 * libraries that were used so far. NULL if there is no such element. */
KAIROS_API char *kairos_list_replacements(Kairos *k, const char *class_name, const char *component,
                                          const char *element);
/* From now on, lookups find this text in the place of the file on the disk. KAIROS_OK or
 * KAIROS_FAILED. */
KAIROS_API int kairos_overlay_file(Kairos *k, const char *path, const char *text, size_t size);
/* Reads and parses a file for later lookups, also again after a change; its class is not loaded.
 * A process can do this before it forks others. Returns the bytes that were read. */
KAIROS_API size_t kairos_read_ahead(Kairos *k, const char *path);
/* The sorted equations of a model: {"n", "states", "blocks", "equations", "unknowns", "incidence",
 * "capped"}; NULL after an error. Row i of the incidence is equations[i], which is solved for
 * unknowns[i]. */
KAIROS_API char *kairos_describe_equations(Kairos *k, const char *name, const KairosCompile *how);
/* {"class", "description", "experiment", "parameters", "starts", "variables", "visuals"}: what can
 * be set, with values, units, limits and places, the variables in the order of the values of a
 * KairosRow after the time, and the components that are drawn in animations. A variable with an
 * "alias" has the values of that element of "variables", times "sign". */
KAIROS_API char *kairos_describe_model(const KairosModel *m);
/* The points of a surface at a time: {"name", "nu", "nv", "x", "y", "z", "c"}, each list row by
 * row; "c" has three numbers for each point, or none. `values` are those of the variables in the
 * list "reads" of the element of "visuals", which has indices of "variables"; NAN if unknown. The
 * call may be made while the model runs, from its callbacks. NULL if the points are undefined. */
KAIROS_API char *kairos_describe_surface(const KairosModel *m, const char *name, double time,
                                         const double *values, unsigned n);

/* ---- simulation ---- */

typedef void (*KairosTextFn)(void *user, const char *text);

typedef struct KairosRow {
    unsigned n;
    const char *const *names; /* time first, then the variables of the file */
    const double *values;
} KairosRow;

typedef struct KairosInput { /* `--input`: how an input at the top level gets its values */
    const char *name;        /* NULL: `value` is a file */
    /* an expression of Modelica, for example "sin(time)"; or a file of comma-separated values,
     * whose first line names the columns, one of them `time`. Between its rows a Real is linear in
     * time, others keep the value of the row before; two rows of one time are a jump. Before the
     * first and after the last row, the values stay constant. */
    const char *value;
} KairosInput;

typedef struct KairosSave { /* `--save-state`: the state at this time goes to a file */
    const char *path;
    double time;
} KairosSave;

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
    const char *accumulation; /* if events accumulate: "rest" (the default) or "stop" */
    const char *chattering;   /* if they chatter: "slide" (the default) or "stop" */
    /* how blocks with discrete unknowns are solved: "fixpoint", "limited", "search", or "auto":
     * each in turn */
    const char *mixed;
    /* parameters and start values; no compilation is needed for these */
    const KairosSetting *settings;
    unsigned n_settings;
    const void *unused; /* values during a run are set in an instance */
    unsigned n_unused;

    /* FILE.csv or FILE.mat; NULL: no file. Appears under its name only when complete */
    const char *output;
    /* also write FILE.csv-metadata.json: title, units and descriptions, which kairos_plot_result
     * reads */
    int describe;
    /* extended regular expression: which variables go into the file; NULL: all */
    const char *variables;
    int hide_protected;

    const char *log; /* "events,modes,init,blocks,stats,profile": what to report through on_log */
    KairosTextFn on_log;   /* lines for people */
    KairosTextFn on_event; /* one JSON object per event instant */
    /* now and then, and at the end */
    void (*on_progress)(void *user, double time, uint64_t steps, uint64_t events);
    /* each row as it is computed; other than 0 ends the run */
    int (*on_row)(void *user, const KairosRow *row);
    /* time and each variable of the file that is not a parameter, at the end */
    void (*on_final)(void *user, const char *name, double value);
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
    /* States that the run saves on its way, by rising time. The solver restarts at these times. The
     * files have the bytes of kairos_save_state. */
    const KairosSave *saves;
    size_t n_saves;
    /* A file with a state from which the run continues instead of initializing the model. Its rows
     * begin there, unless the file is a checkpoint. */
    const char *resume;
    /* A file to which the run saves its state again and again, and beside it FILE.rows with the
     * rows so far. The run is divided into 100 parts, and the solver restarts after each. A state
     * is written there if checkpoint_seconds have passed since the last one. Both files are removed
     * at the end of the run. */
    const char *checkpoint;
    double checkpoint_seconds;
    /* Where rows are: "grid" (the output points; the default), "steps" (also the end of each step
     * of the solver), or "dense" (also as many points as straight lines need to follow the
     * states), or "auto" (the same, but at most 20 for each output interval and 6 for each event).
     * An event has two rows in any case. If this is NULL, a warning says if events are denser than
     * the output points. */
    const char *output_points;
    /* other than 0: rows are left out of the file if straight lines between the others replace them
     * within this share of the range of each variable so far */
    double result_tolerance;
    /* where the time of the run goes, as one JSON object at its end (docs/performance.md) */
    KairosTextFn on_profile;
    /* gets the messages of this run as JSON at its end, instead of the session */
    KairosTextFn on_messages;
    double seconds; /* a run that takes longer fails (R027); 0: no limit */
} KairosRun;

/* Runs the model. Returns any of the statuses above.
 *
 * Several threads may run one model at once, each with its own settings and files; its code is
 * compiled once. Call-backs are called in the thread of their run. A structural setting compiles
 * the model again, after all other runs have ended. The session collects the messages of all runs:
 * read them when the runs have ended. External functions are called by one thread at a time. */
KAIROS_API int kairos_simulate_model(KairosModel *m, const KairosRun *run);
/* Checks options and settings of a run without running it, and calls its on_final with NaN for each
 * name that the run would give to it. A structural setting compiles the model again. */
KAIROS_API int kairos_name_finals(KairosModel *m, const KairosRun *run);
/* Start and stop time of the model's experiment annotation, or 0 and 1. */
KAIROS_API void kairos_model_times(const KairosModel *m, double *start, double *stop);
/* Runs the model like kairos_simulate_model, but without result files, and writes a report: one
 * HTML page. It has the description, diagram, plots, events and modes, initial values, statistics,
 * sorted equations and their source. The page is also written if the run fails. */
KAIROS_API int kairos_report_model(KairosModel *m, const KairosRun *run, const char *output);
/* Names of the solvers, NULL at the end. */
KAIROS_API const char *const *kairos_list_solvers(void);

/* ---- results in memory ---- */

/* The rows of a run, or of each run of a batch. */
typedef struct KairosRows KairosRows;

typedef struct KairosBatch {
    size_t size; /* sizeof(KairosBatch) */
    /* the options of all runs, without files; on_log gets lines of all runs. NULL: all defaults */
    const KairosRun *run;
    size_t n; /* number of runs */
    /* parameters and start values that differ between runs; run i has the values from
     * values[i*n_names] */
    const char *const *names;
    unsigned n_names;
    const double *values;
    unsigned jobs; /* runs at the same time; 0: one for each core */
    int events;    /* also keep the events of each run */
    /* called when a run has ended, by one thread at a time; other than 0 begins no further run */
    int (*on_done)(void *user, size_t run, int status);
    void *user;
} KairosBatch;

/* Runs a model n times, without files. rows[i] and status[i] are the result of run i; the caller
 * frees all rows (kairos_free_rows). The rows of a run that failed end there; those of a run that
 * did not begin are NULL. The messages of a run belong to its rows. KAIROS_OK if all runs ended
 * well, otherwise the first status that is not. */
KAIROS_API int kairos_simulate_batch(KairosModel *m, const KairosBatch *batch, KairosRows **rows,
                                     int *status);
KAIROS_API void kairos_free_rows(KairosRows *r); /* NULL is allowed */
/* Row after row, `columns` numbers each: the time, then the variables. The values belong to the
 * rows and may be changed. */
KAIROS_API double *kairos_rows_values(KairosRows *r, size_t *rows, unsigned *columns);
/* The name of a column, from 0; NULL if there is none. */
KAIROS_API const char *kairos_rows_name(const KairosRows *r, unsigned column);
/* Events as a JSON array of the objects that on_event gets, and messages as
 * kairos_render_messages. They belong to the rows. */
KAIROS_API const char *kairos_rows_events(const KairosRows *r);
KAIROS_API const char *kairos_rows_messages(const KairosRows *r);

/* ---- analyses ---- */

typedef struct KairosLinearize {
    size_t size; /* sizeof(KairosLinearize) */
    /* points: times, "end", or "steady" for an equilibrium; none: the initial point */
    const char *const *at;
    unsigned n_at;
    const char *output; /* FILE.json */
    /* of the last point: matrices A, B, C, D in MAT version 4; the same as text for MATLAB and
     * Octave (.m) or Python (.py); Bode and pole plots (.svg, .png, .pdf or .html) */
    const char *mat, *script, *bode, *poles;
    double period; /* over which a model is linearized; 0: that of its samples, at "steady" that of
                    * its drive; if there is none, the model is continuous */
    int average;   /* outputs are means over the period */
    /* of the Padé approximations that replace delays, from 1 to 10; 0: 4 */
    size_t pade_order;
} KairosLinearize;

/* The linear model x' = A x + B u, y = C x + D u around points of a run, by exact derivatives. With
 * a period it is x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u(k), where inputs are constant over a
 * period, and x(k) is the state just before period k begins.
 * Inputs and outputs are those of type Real at the top level. *json, if json is not NULL, belongs
 * to the caller: {"time", "states", "inputs", "outputs", "A", "B", "C", "D", "poles": [{"re", "im",
 * "frequency" (Hz), "damping"}], "zeros", "period"}; for several points a list of these. NULL after
 * an error. The first analysis of a model compiles its derivatives; free its instances before. */
KAIROS_API int kairos_linearize_model(KairosModel *m, const KairosRun *run,
                                      const KairosLinearize *how, char **json);

typedef struct KairosSteady {
    size_t size;        /* sizeof(KairosSteady) */
    double period;      /* 0: it is found; a guess if nothing drives the model */
    const char *output; /* FILE.json */
    const char *orbit;  /* one period: FILE.csv or FILE.mat */
} KairosSteady;

/* An equilibrium, or a periodic steady state by shooting. *json, if json is not NULL, belongs to
 * the caller: {"kind": "equilibrium" or "periodic", "period", "values": {name: value at the start
 * of a period}, "multipliers": [{"re", "im"}], "stable", "periods_used", "time", "converged",
 * "multiple", "poles", "figures": {name: {"mean", "rms", "min", "max"}}}. Variables that drift have
 * no value; angles have theirs modulo a turn. After KAIROS_FAILED it is NULL, or "converged" is
 * false and it has what was reached. */
KAIROS_API int kairos_steady(KairosModel *m, const KairosRun *run, const KairosSteady *how,
                             char **json);

typedef struct KairosSensitivities {
    size_t size; /* sizeof(KairosSensitivities) */
    /* variables, and derivatives as "der(x)"; an array stands for its elements, in order */
    const char *const *of;
    unsigned n_of;
    const char *const *to; /* parameters, and start values as "x.start"; arrays as above */
    unsigned n_to;
    const char *output; /* FILE.json */
    /* rows at these rising times instead of those of the run */
    const double *times;
    size_t n_times;
    /* Values of the variables at a time, and their derivatives: that of variable i with respect to
     * parameter j is d[i*n_to + j], NaN if unknown. */
    void (*on_row)(void *user, double time, const double *values, const double *d);
    void *user; /* of on_row */
} KairosSensitivities;

/* Derivatives of trajectories, and of scalars of them, with respect to parameters. The variational
 * equations are integrated beside the run, with exact conditions at events. *json, if json is not
 * NULL, belongs to the caller: {"time": […], "values": {"x": […]}, "d": {"x": {"p": […]}},
 * "scalars": {"end(x)": {"value", "p": …}, …}, "events": [{"time", "p": …}], "flaw"}. Scalars are
 * end, mean, rms, min and max of each variable, and time(k) of event k. "flaw" says from which time
 * on derivatives do not exist, and why; null if there is none. Several threads may call it for one
 * model, which compiles its derivatives once. */
KAIROS_API int kairos_sensitivities(KairosModel *m, const KairosRun *run,
                                    const KairosSensitivities *how, char **json);

typedef struct KairosRange { /* bounds of a parameter; infinite: none */
    const char *name;
    double low, high;
} KairosRange;

typedef struct KairosNumber { /* of a column of data */
    const char *name;
    double value;
} KairosNumber;

typedef struct KairosFit {
    size_t size;             /* sizeof(KairosFit) */
    const char *const *data; /* FILE.csv: one experiment each */
    unsigned n_data;
    const char *const *parameters; /* to fit; start values as "x.start"; arrays are all elements */
    unsigned n_parameters;
    const KairosRange *bounds; /* of others: min and max of the model */
    unsigned n_bounds;
    /* how measured columns are weighted: "units" (the default: alike if they have the same unit,
     * otherwise by the spread of the values of each unit), "equal", or "noise" (by the residuals of
     * each column) */
    const char *weighting;
    const KairosNumber *weights; /* instead: factors of the squares; 1 if not named */
    unsigned n_weights;
    const KairosNumber *noise; /* or: standard deviations of all columns */
    unsigned n_noise;
    int global;         /* first search the whole box of the bounds */
    unsigned most;      /* runs with derivatives; 0: 200 */
    double confidence;  /* of the intervals; 0: 0.95 */
    unsigned jobs;      /* experiments at the same time; 0: one for each core */
    const char *output; /* FILE.json */
    const char *report; /* FILE.html: data, fit and parameters */
    /* after each run of all experiments: how many so far, the residual, the parameters */
    void (*on_step)(void *user, unsigned runs, double residual, const double *parameters);
    void *user; /* of on_step */
} KairosFit;

/* Fits parameters to measured values by least squares within bounds, with exact derivatives. Each
 * file is an experiment from its first to its last time. Its first column is the time. The others
 * are named after variables (measured), inputs of the top level (they drive them), or parameters
 * and start values (one value). Empty cells are missing. A header may have a unit: "h [mm]". *json,
 * if json is not NULL, belongs to the caller: {"parameters": {name: {"value", "sigma", "low",
 * "high"}}, "residual", "covariance", "experiments", "status", …}, see docs/fitting.md; NULL if
 * there is no result. KAIROS_FAILED: the search did not converge; the best result so far is there
 * all the same. */
KAIROS_API int kairos_fit_model(KairosModel *m, const KairosRun *run, const KairosFit *how,
                                char **json);

typedef struct KairosOptimize {
    size_t size; /* sizeof(KairosOptimize) */
    /* an expression over a run, as in studies: "max(x) - 2*end(y)", "time(h <= 0)" */
    const char *minimize;
    const KairosRange *over; /* parameters and start values, with finite bounds */
    unsigned n_over;
    /* relations between such expressions: "max(v) <= 3", "end(x) == 1" */
    const char *const *constraints;
    unsigned n_constraints;
    int global;         /* first search the whole box of the bounds */
    unsigned most;      /* runs of a search; 0: 200 for each parameter, and 200 */
    const char *output; /* FILE.json */
    const char *report; /* FILE.html: parameters, constraints, the best run */
} KairosOptimize;

/* Finds the values of parameters for which an expression over a run is least, by methods of NLopt;
 * with exact derivatives if they exist. *json, if json is not NULL, belongs to the caller:
 * {"parameters": {name: value}, "objective", "status", "constraints", …}, see docs/fitting.md; NULL
 * if there is no result. KAIROS_FAILED: the search did not converge, or nothing satisfies the
 * constraints; the best result so far is there all the same. */
KAIROS_API int kairos_optimize_model(KairosModel *m, const KairosRun *run,
                                     const KairosOptimize *how, char **json);

struct KairosSpectrum;

typedef struct KairosReport { /* analyses in a report; NULL: not this one */
    size_t size;              /* sizeof(KairosReport) */
    const KairosLinearize *linearize;
    const KairosSteady *steady;
    const KairosSensitivities *sensitivities;
    const struct KairosSpectrum *spectrum; /* of the run of the report */
    const KairosFit *fit;
    const KairosOptimize *optimize;
} KairosReport;

/* As kairos_report_model, with a section for each analysis. Files that the structs of the analyses
 * name are not written. If an analysis fails, its section and the messages of the page say so, and
 * the function returns its status. */
KAIROS_API int kairos_report_analyses(KairosModel *m, const KairosRun *run,
                                      const KairosReport *what, const char *output);

/* ---- instances: a model in time, step by step ---- */

/* The caller advances a model in time. Between steps it can set and read values, and save and
 * restore the complete state. An advance can stop at events. The order of calls is
 *
 *     create → set values → initialize → advance, read, set values, advance … → free
 *
 * An instance is used by one thread at a time; different instances of one model may be used in
 * different threads at once. They are freed before the model. While a model has instances, no run
 * of it can have settings that change its structure. Functions return KAIROS_OK, or one of two
 * errors. KAIROS_USE_ERROR: the call is wrong and changes nothing. KAIROS_FAILED: the model fails,
 * and the instance can only be reset, restored or freed, as after KAIROS_INTERRUPTED. Messages
 * gather in the session. */
typedef struct KairosInstance KairosInstance;

/* Uses the times, tolerance, solver, settings, inputs, log, on_event, on_progress and on_row of
 * `run`; ignores files. Rows are those of a run: at the start, at start + k*output_step unless this
 * is 0, before and after each event, and at the end of each advance. Clones have none.
 * kairos_set_values sets the inputs that `run` does not drive. The stop time limits the advance
 * only if it is given. NULL after an error. */
KAIROS_API KairosInstance *kairos_create_instance(KairosModel *m, const KairosRun *run);
KAIROS_API void kairos_free_instance(KairosInstance *i); /* NULL is allowed */
/* The number of a variable of the model, "time" included; -1 if no variable has this name. */
KAIROS_API int kairos_find_variable(KairosInstance *i, const char *name);
/* Before the initialization: values of parameters and inputs, and start values of other variables.
 * After it: the values take effect in an event at the present time, at the next advance. Inputs,
 * states, discrete variables, and parameters that do not change the structure can be set. */
KAIROS_API int kairos_set_values(KairosInstance *i, const int *variables, unsigned n,
                                 const double *values);
KAIROS_API int kairos_initialize_instance(KairosInstance *i);
/* Goes to `time`, events there included. With `stop_at_event`, it ends just after the first event
 * on the way. Values that were set take effect first. If the model calls terminate(), time does not
 * advance further. */
KAIROS_API int kairos_advance_instance(KairosInstance *i, double time, int stop_at_event);
KAIROS_API double kairos_instance_time(const KairosInstance *i);
KAIROS_API int kairos_instance_terminated(const KairosInstance *i);
/* Number of event instants so far, and the last of them as a JSON object as on_event gets it; NULL
 * before the first. Valid until the next call. */
KAIROS_API uint64_t kairos_count_events(const KairosInstance *i);
KAIROS_API const char *kairos_last_event(const KairosInstance *i);
/* Values at the present time, at an event those after it. Booleans are 0 or 1. */
KAIROS_API int kairos_get_values(KairosInstance *i, const int *variables, unsigned n,
                                 double *values);
/* The complete state at the present time, in bytes that belong to the caller (free with
 * kairos_free_state). They are valid in other processes of this version. The solver restarts at
 * this point, as after an event. So this instance and every instance that restores the state
 * continue with the same bits. NULL after an error. */
KAIROS_API void *kairos_save_state(KairosInstance *i, size_t *size);
KAIROS_API void kairos_free_state(void *state);
/* Continues from a state that an instance of the same model with the same options saved. External
 * objects are constructed again. After an error, the instance is as after a failure. */
KAIROS_API int kairos_restore_state(KairosInstance *i, const void *state, size_t size);
/* Another instance in the same state. NULL after an error. */
KAIROS_API KairosInstance *kairos_clone_instance(KairosInstance *i);
/* Back to before the initialization. Values that were set before it stay. */
KAIROS_API int kairos_reset_instance(KairosInstance *i);
/* Writes a result file (.csv or .mat) of n > 0 rows of the model, one after the other, each as
 * on_row gets it without a choice of variables. */
KAIROS_API int kairos_write_rows(KairosModel *m, const double *rows, size_t n, const char *path);

/* ---- FMUs ---- */

typedef struct KairosFmu {
    size_t size;        /* sizeof(KairosFmu) */
    const char *output; /* the file; NULL: the last part of the class's name, and ".fmu" */
    unsigned version;   /* of FMI: 2, the default, or 3 */
    const char *kind;   /* "cs" (co-simulation, the default), "me" (model exchange) or "both" */
    const KairosCompile *compile; /* settings that shape the model; NULL: none */
    /* also put C sources for model exchange into the FMU; `kind` is then "me" or "both", which is
     * the default */
    int source;
} KairosFmu;

/* Writes the class `name` (as for kairos_compile_model) as an FMU, which contains the model and
 * everything that it needs to run. KAIROS_OK, KAIROS_MODEL_ERROR or KAIROS_USE_ERROR. */
KAIROS_API int kairos_export_fmu(Kairos *k, const char *name, const KairosFmu *how);

/* ---- results ---- */

typedef struct KairosPlot {
    size_t size;                  /* sizeof(KairosPlot) */
    const char *const *variables; /* names; none: a good choice is made */
    unsigned n_variables;
    /* FILE.svg, FILE.png, FILE.pdf, or FILE.html: interactive, in one file */
    const char *output;
    /* NULL: the name of the model, if the result has it, or of the result */
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
 * whether and where it leaves the tube. KAIROS_OK: none does; KAIROS_MODEL_ERROR: one does;
 * KAIROS_USE_ERROR: a file cannot be read. */
KAIROS_API int kairos_compare_results(Kairos *k, const char *result, const char *reference,
                                      const KairosCompare *how, char **report);

typedef struct KairosSpectrum {
    size_t size;                  /* sizeof(KairosSpectrum) */
    const char *const *variables; /* at least one */
    unsigned n_variables;
    const double *from, *to; /* times; NULL: the ends of the result */
    /* of the fundamental; 0: the frequency with which the first variable repeats */
    double frequency;
    unsigned harmonics;  /* number of harmonics, or of lines with a window; 0: 50 */
    int window;          /* a Hann window over the whole interval, also if there is a period */
    const char *plot;    /* FILE.svg, FILE.png, FILE.pdf or FILE.html; NULL: no picture */
    KairosFormat format; /* of the report */
} KairosSpectrum;

/* The spectrum of variables of a result over the last whole number of periods in the interval. If
 * they do not repeat, with a Hann window. Jumps at events are exact. *report has, for each
 * variable, mean, RMS, total harmonic distortion (of all harmonics) and the harmonics with
 * amplitude and phase (in degrees, of a cosine at time 0). As KAIROS_JSON: {"from", "to",
 * "fundamental", "periods", "window", "variables": {name: {"mean", "rms", "thd", "harmonics":
 * [{"order", "frequency", "amplitude", "phase"}]}}}; with a window "lines" instead of "harmonics".
 * KAIROS_OK or KAIROS_USE_ERROR. */
KAIROS_API int kairos_compute_spectrum(Kairos *k, const char *result, const KairosSpectrum *how,
                                       char **report);

#ifdef __cplusplus
}
#endif
#endif
