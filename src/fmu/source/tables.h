/* The tables of one model in the sources of an FMU. src/fmu/sources.c writes them as C text, beside
 * the model's code. A variable is a VarId of the exporter. */
#ifndef FMU_SOURCE_TABLES_H
#define FMU_SOURCE_TABLES_H

#include "runtime/model.h"

#define SOURCE_NONE 0xffffffffu

typedef enum SourceKind {
    SOURCE_TIME,
    SOURCE_PARAMETER,
    SOURCE_CONTINUOUS,
    SOURCE_DISCRETE,
    SOURCE_INPUT,
    SOURCE_PRE,
    SOURCE_RELATION, /* and samples, terminal(): 0 at the start */
    SOURCE_INITIAL,  /* initial(), and the parameter of homotopy: 1 at the start */
} SourceKind;

enum {                     /* SourceVariable.flags */
       SOURCE_GIVEN = 1,   /* a parameter that has a value of its own and may be set */
       SOURCE_GUESSED = 2, /* a parameter that the initialization computes from its start value */
};

typedef struct SourceVariable {
    double value; /* of a parameter */
    double nominal, min, max;
    uint32_t start; /* the parameter with its start value, or SOURCE_NONE */
    uint32_t alias; /* the variable that has its value, times `sign`; or SOURCE_NONE */
    uint32_t base;  /* of a left limit: its variable */
    int8_t sign;
    uint8_t kind;  /* SourceKind */
    uint8_t type;  /* FmuType */
    uint8_t least; /* the smallest value of the type: 1 for enumerations */
    uint8_t flags;
} SourceVariable;

typedef struct SourceState {
    uint32_t var, der;
    uint32_t shown; /* der(x) as a variable of the FMU */
} SourceState;

typedef struct SourceRelation {
    double scale;
    uint8_t op; /* 0 <, 1 <=, 2 >, 3 >= */
    uint8_t scheduled;
} SourceRelation;

typedef struct SourceSample {
    uint32_t var;
    uint8_t from_start; /* its first instant counts from the start time */
} SourceSample;

typedef struct SourceArray {
    uint32_t first, n;
} SourceArray;

typedef enum SourceActionKind { SOURCE_REINIT, SOURCE_ASSERT, SOURCE_TERMINATE } SourceActionKind;

typedef struct SourceAction {
    uint8_t kind; /* SourceActionKind */
    uint8_t warning, initial, at_edge;
    uint32_t target; /* of reinit */
    const char *message;
} SourceAction;

typedef struct SourceTables {
    const char *token;
    double start, tolerance; /* of the experiment */
    uint32_t n_variables, n_states, n_relations, n_samples, n_actions, n_assumptions;
    const SourceVariable *variables;
    const SourceState *states;
    const SourceRelation *relations;
    const SourceSample *samples;
    const SourceAction *actions;
    const SourceArray *arrays; /* ends with n = 0 */
    const double *clocks;      /* of FMI 3: first tick after the start, interval; ends with 0, 0 */
    uint32_t initial, lambda;  /* variables, or SOURCE_NONE */
    /* start and interval of each sample, then the assumptions, which must be zero */
    int (*instants)(ModelData *m, double *t);
} SourceTables;

extern const SourceTables source_tables;
extern const ModelCode kairos_model;

#endif
