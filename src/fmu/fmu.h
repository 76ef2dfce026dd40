/* Export as an FMU (FMI 2.0.4 and 3.0.2).
 *
 * In: the flat model as the user wrote it (for names), and the plan of its flat text, which the
 * binary of the FMU reads too. Out: a file. Who calls: src/api/fmu.c.
 *
 * Files of this room: variables.c chooses the variables and their attributes, dependencies.c finds
 * which unknowns depend on which knowns, clocks.c the clocks of FMI 3, description.c writes
 * modelDescription.xml through xml.c, terminals.c terminalsAndIcons.xml, sources.c the C sources,
 * embedded_files.c collects foreign code and files, archive.c packs the file. The binary is the
 * engine (interface/), the same for all models. */
#ifndef FMU_FMU_H
#define FMU_FMU_H

#include "structure/plan/plan.h"

typedef struct FmuOptions {
    unsigned version; /* 2 or 3 */
    bool exchange, co_simulation;
    bool source;            /* with C sources for model exchange */
    bool changes_states;    /* a run of the model has done so */
    bool searches_switches; /* the same: it needed more than the event iteration */
    const char *output;     /* path of the file */
} FmuOptions;

typedef enum Causality {
    CAUSE_PARAMETER,
    CAUSE_CALCULATED, /* calculatedParameter */
    CAUSE_INPUT,
    CAUSE_OUTPUT,
    CAUSE_LOCAL,
    CAUSE_INDEPENDENT
} Causality;
typedef enum Varies {
    VARY_CONSTANT,
    VARY_FIXED,
    VARY_TUNABLE,
    VARY_DISCRETE,
    VARY_CONTINUOUS
} Varies;
typedef enum Initial { INITIAL_NONE, INITIAL_EXACT, INITIAL_APPROX, INITIAL_CALCULATED } Initial;

typedef struct FmuVariable {
    const char *name;
    /* the value reference; an array (FMI 3) has the variables var … var + n - 1, by rows */
    VarId var;
    uint32_t n;          /* 1 for a scalar */
    const int64_t *dims; /* of an array, size rank */
    uint32_t rank;
    uint8_t type; /* DaeType */
    uint8_t causality, varies, initial;
    double start;         /* if `initial` is exact or approx, or an input */
    const double *starts; /* of an array, size n */
    double nominal, min, max;
    const char *unit, *display_unit, *quantity, *description; /* NULL if not given */
    TypeId enumeration;                                       /* of DAE_ENUM: its type */
    uint32_t derivative_of;       /* place of the variable whose derivative it is; NONE */
    bool is_state, is_derivative; /* is_derivative: of a state */
    bool is_flow;                 /* of a connector */
} FmuVariable;

/* A clock of the model that ticks by itself (FMI 3): at start + k*interval after the start time. */
typedef struct FmuClock {
    const char *name;
    double start, interval;
} FmuClock;

typedef struct FmuModel {
    Context *ctx;
    const Plan *plan;
    const Flat *declared; /* the model as it was before it became text */
    const FmuOptions *options;
    Arena *arena;
    const char *identifier, *token;
    VEC(FmuVariable) variables;
    uint32_t *place; /* per VarId: place in `variables` of it or its array; NONE */
    uint32_t n_indicators;
    VEC(FmuClock) clocks;      /* of FMI 3; value references follow those of event indicators */
    VEC(const char *) sources; /* names of the files to compile; in the arena */
} FmuModel;

/* ---- variables.c ---- */
/* Variables, in the order of declaration, each followed by its derivative. */
void fmu_collect(FmuModel *m);
/* The number of event indicators: relations that are not scheduled. */
uint32_t fmu_indicators(const Plan *plan);
/* The derivative of a state, under the name der(x). */
VarId fmu_state_derivative(const Plan *plan, uint32_t state);

/* The sizes of arrays, which the binary reads: a line "value reference, size" for each. */
const char *fmu_list_arrays(const FmuModel *m);

/* ---- clocks.c ---- */
void fmu_collect_clocks(FmuModel *m);
/* A line "start, interval" for each, which the binary reads. */
const char *fmu_list_clocks(const FmuModel *m);

/* ---- description.c ---- */
/* The text of modelDescription.xml, of size *n, in the arena; NULL after a message. */
const char *fmu_describe(FmuModel *m, size_t *n);

typedef struct FmuFile {
    const char *name; /* in the archive */
    const char *data;
    size_t n;
} FmuFile;
typedef struct FmuContents {
    Arena *arena;
    VEC(FmuFile) files;
    const char *objects; /* folder of the external code that was embedded; NULL if there is none */
    bool has_icon, has_diagram; /* pictures are among the files */
    double icon[4];             /* extent of the icon: left, bottom, right, top */
} FmuContents;

/* ---- embedded_files.c ---- */
/* Compiles the external functions of the model. From now on its text names their objects. False
 * after a message. */
bool fmu_embed_code(Context *ctx, Flat *declared, FmuContents *contents);
/* Undoes this. */
void fmu_release_code(Flat *declared);
/* Files of libraries that the text names. */
void fmu_embed_files(const Graph *g, const char *text, FmuContents *contents);

/* The terms of a library from which the model has classes: files beside its package, whose file is
 * `path`. */
void fmu_embed_licences(FmuContents *contents, const char *package, const char *path);

/* ---- terminals.c ---- */
/* Adds the description of terminals and icon, if there are any. False after a message. */
bool fmu_add_terminals(const FmuModel *m, FmuContents *contents);

/* ---- sources.c ---- */
/* Adds the C sources: the code of the model with its tables, and the files of src/fmu/source,
 * fmu/interface and runtime. Fills in m->sources. False after a message. */
bool fmu_add_sources(FmuModel *m, FmuContents *contents);

/* ---- archive.c ---- */
/* Writes the archive with these files, the binary and the licences. False after a message. */
bool fmu_pack(Context *ctx, const FmuOptions *o, const char *identifier, const FmuFile *files,
              uint32_t n);

/* ---- export.c ---- */
/* Writes the FMU of the flat text with these contents besides; false after a message. */
bool fmu_export(Context *ctx, const Flat *declared, const Plan *plan, const char *text,
                FmuContents *contents, const FmuOptions *o);
/* Marks parameters whose values shape the text as final: they cannot be set in an FMU. */
void fmu_fix_structure(Flat *f);

#endif
