/* The profile of a run in the words of the model: for logs, tools and reports. */
#ifndef SIM_STATE_PROFILE_RECORD_H
#define SIM_STATE_PROFILE_RECORD_H

#include "base/memory.h"
#include "base/source.h"
#include "runtime/profile.h"

/* Parts of a run; calls of kind PROFILE_PART have these as items. */
typedef enum ProfilePart {
    PART_START,
    PART_SOLVER, /* steps and restarts */
    PART_DERIVATIVES,
    PART_JACOBIANS,
    PART_LOCATION, /* of state events in a step */
    PART_EVENTS,
    PART_RELATIONS,
    PART_RESULTS,  /* evaluation of all other variables */
    PART_PROGRAMS, /* making those of modes */
    PART_ROWS,     /* writing them */
    PROFILE_PARTS,
} ProfilePart;

typedef enum ProfileTable {
    TABLE_PARTS,
    TABLE_BLOCKS,
    TABLE_FUNCTIONS,
    TABLE_RELATIONS,
    TABLE_STATES, /* that limited steps */
    TABLE_MODES,
    PROFILE_TABLES,
} ProfileTable;

enum { PROFILE_COUNTS = 3 };

typedef struct ProfileRow {
    const char *name;
    Span span; /* file 0: it has no place */
    uint64_t counts[PROFILE_COUNTS];
    double seconds; /* with everything called */
    double own;     /* without blocks, functions and parts that were called */
} ProfileRow;

typedef struct ProfileRows {
    ProfileRow *at; /* by falling time; those with neither time nor counts are left out */
    uint32_t n;
} ProfileRows;

typedef struct ProfileRecord {
    double seconds; /* of the run, without compiling */
    ProfileRows tables[PROFILE_TABLES];
    /* The tree; its node 0 is the run. names[i] and spans[i] belong to node i. */
    const Profile *calls;
    const char **names;
    Span *spans;
} ProfileRecord;

/* profile_names.c: "blocks", and the names of the counts of its rows; NULL behind the last. */
extern const char *const profile_table_names[PROFILE_TABLES];
extern const char *const profile_count_names[PROFILE_TABLES][PROFILE_COUNTS];

#endif
