/* A study: a model, factors with a design, and what to keep of each run.
 *
 * spec.c reads the file; design.c computes the values of a point from its number and the seed;
 * keep.c has the values that are kept of a run; journal.c makes finished points safe; workers.c
 * runs points in processes of this machine; mpi.c hands out points to those of other machines;
 * merge.c writes the results; run.c is the order of these; summary.c describes them; slurm.c
 * submits a study; memory.c ends it if there is no memory. Only kairos.h of the library is used,
 * and kept/kept.h. Messages go to standard error. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "kairos.h"
#include "kept/kept.h"
#include "memory.h"
#include "yaml.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum FactorKind {
    FACTOR_UNIFORM,
    FACTOR_NORMAL,
    FACTOR_TRUNCATED,
    FACTOR_LOG_NORMAL,
    FACTOR_TRIANGULAR,
    FACTOR_CHOICE,
    FACTOR_VALUES,
    FACTOR_RANGE,
    FACTOR_LOG_RANGE
} FactorKind;

typedef struct Factor {
    char *name;
    FactorKind kind;
    unsigned line;
    double p[4];    /* parameters of the distribution */
    double *values; /* of choices and values: numbers, or positions in `texts`; size n */
    char **texts;
    bool words;       /* some values are not numbers */
    double *ends;     /* of choices: cumulative weights */
    size_t n;         /* values, or points of a range; 0: continuous */
    double low, high; /* bounds of the model's parameter; infinite if there are none */
} Factor;

typedef enum DesignKind {
    DESIGN_GRID,
    DESIGN_LIST,
    DESIGN_RANDOM,
    DESIGN_LATIN,
    DESIGN_SOBOL,
    DESIGN_MORRIS,
    DESIGN_SALTELLI
} DesignKind;

typedef struct Design {
    DesignKind kind;
    uint64_t points; /* all points of the study */
    uint64_t base;   /* as given: points of a sequence, trajectories */
    uint64_t seed;
    unsigned levels;
    bool scramble;
    char *file;          /* of a list */
    double *table;       /* of a list: row by row */
    uint32_t **strata;   /* of a Latin hypercube: per factor */
    double *correlation; /* Cholesky factor, by rows; NULL: independent */
} Design;

typedef struct Study {
    char *path, *text; /* the file, and its bytes */
    size_t size;
    uint64_t hash; /* of everything that results depend on */
    Yaml *tree;
    char *model, *class_name;
    char **libraries;
    unsigned n_libraries;
    KairosSetting *settings;
    unsigned n_settings;
    Factor *factors;
    unsigned n_factors;
    Design design;
    char **keeps; /* names of kept values, and their expressions */
    KeptExpr **kept_exprs;
    unsigned n_keeps;
    char **trajectories; /* variables whose rows are kept */
    unsigned n_trajectories;
    /* options of the runs */
    double start, stop, tolerance, step, seconds;
    bool has_start, has_stop;
    unsigned intervals;
    char *solver;
    bool stop_at_failure;
    /* Of simulate --sweep: result files, and the variables at the end as kept values, without
     * expressions. Options of the runs are in RunHow. A sweep always begins anew. */
    bool sweep;
    char *output, *table;             /* OUTPUT.h5, .csv */
    char *times, *failures, *journal; /* OUTPUT.times.csv, .failures.csv, .journal */
    bool h5;
} Study;

/* ---- spec.c ---- */
/* NULL after a message. */
Study *study_read(const char *path);
void study_free(Study *s);
/* Adds the values of a list such as 1,2,0:0.5:3 to a factor. The first wrong part, or NULL. */
const char *factor_list(Factor *f, const char *text);
void factor_free(Factor *f); /* what it points to */
/* The nearest of n words to a misspelt one; NULL if none is near. */
const char *study_nearest(const char *word, const char *const *words, size_t n);
uint64_t study_hash(uint64_t hash, const void *bytes, size_t n);

/* ---- design.c ---- */
/* Number of points, tables and correlations; false after a message. */
bool design_prepare(Study *s);
/* Whether every point is within the bounds of its parameter; false after a message. */
bool design_check_bounds(const Study *s);
/* The values of all factors at a point, from 0; `unit`: their places in (0, 1), or NULL. */
void design_point(const Study *s, uint64_t point, double *values, double *unit);
void design_free(Study *s);
/* The value of a factor below which the share u of its distribution lies; of a number of values:
 * their distribution. */
double factor_quantile(const Factor *f, double u);
/* The value of factor f of a point as text of a setting. */
const char *factor_text(const Factor *f, double value, char buffer[32]);

/* The settings of a run: those of the study, then the factors, whose values are in `texts`. Their
 * number. */
unsigned point_settings(const Study *s, uint64_t point, KairosSetting *settings, char (*texts)[32]);

/* ---- keep.c ---- */
/* Reads the expression `text` under a name; false after a message. */
bool keep_parse(Study *s, const char *name, const char *text, unsigned line);
const char *keep_name(const Study *s, unsigned i);
/* Whether the names in all expressions are among these; false after a message. */
bool keep_check(const Study *s, const char *const *names, size_t n);
bool keep_needs_rows(const Study *s);   /* something is reduced over time */
bool keep_needs_events(const Study *s); /* something counts events */
void keep_free(Study *s);

/* ---- journal.c ---- */
typedef enum PointStatus { POINT_OPEN, POINT_OK, POINT_FAILED, POINT_CRASHED } PointStatus;

typedef struct Record {
    uint64_t point;
    PointStatus status;
    int exit; /* KAIROS_OK or another status of the run */
    double seconds;
    const double *values; /* size n_keeps */
    const char *message;  /* "" if there is none */
    const double *rows;   /* of trajectories: time and the variables, row by row */
    uint64_t n_rows;
} Record;

typedef struct Journal Journal;
/* A new file in the folder of the study's journals; NULL after a message. */
Journal *journal_open(const Study *s);
bool journal_write(Journal *j, const Study *s, const Record *r); /* false: the disk is full, … */
void journal_close(Journal *j);
typedef void JournalFn(void *user, const Record *r, const char *host);
/* Calls fn with each complete record of all journals; the last of a point counts. */
void journal_read(const Study *s, JournalFn *fn, void *user);
/* Prepares the folder: new, or of the same study. `fresh` discards finished points. Returns a lock,
 * which lasts as long as the process and which several parts can share; -1 after a message. */
int journal_begin(const Study *s, bool fresh, bool shared);
void journal_unlock(int lock);
/* Takes the lock again; false if another part has it, or if the folder is gone. */
bool journal_lock_alone(int lock);
void journal_remove(const Study *s); /* the folder with everything in it */
const char *point_status_name(PointStatus s);

/* ---- workers.c ---- */
typedef struct Shared Shared; /* memory of a group of workers */
typedef struct Team Team;
typedef struct Results Results; /* see merge.c */
typedef struct RunHow {
    unsigned jobs;
    bool quiet, progress;
    bool fresh;             /* discard finished points */
    uint64_t part, n_parts; /* only points of this part, from 1; 0: all */
    KairosModel *model;
    Kairos *session;
    /* of a sweep */
    const KairosRun *run; /* its options */
    const char *files;    /* run 3 of 10 of r.csv writes r_03.csv */
    KairosFormat format;  /* of messages */
    void *user;           /* of on_results: gets everything before it is freed */
    void (*on_results)(void *user, const Study *s, const Results *r);
} RunHow;
/* Starts workers, which take points from ranges. `done`: one byte per point, other than 0 if it is
 * finished. `order`: places to points, long runs first; NULL: as they are numbered. */
Team *team_start(const Study *s, const RunHow *how, const uint8_t *done, const uint64_t *order);
/* Adds places [begin, end). All ranges before must have been taken (team_idle). */
void team_give(Team *t, uint64_t begin, uint64_t end);
bool team_idle(const Team *t); /* all points given so far were taken */
void team_finish_giving(Team *t);
/* Looks after the workers; false when all have ended. */
bool team_tend(Team *t, int milliseconds);
uint64_t team_count(const Team *t); /* finished points */
bool team_failed(const Team *t);    /* a journal could not be written, or the study stops */
void team_interrupt(Team *t);       /* runs save their results and end; to be repeated */
void team_free(Team *t);            /* kills workers that are at work */

/* ---- merge.c ---- */
/* A cell of a table: text in quotes if it needs them; a number by the fewest digits that read back
 * exactly, nothing for NaN. */
void table_text(FILE *f, const char *text);
void table_real(FILE *f, double x);
struct Results {
    uint64_t n;
    double *values;  /* size n * n_keeps */
    uint8_t *status; /* PointStatus */
    uint8_t *exits;  /* KAIROS_OK or another status of the run */
    float *seconds;
    char **messages; /* NULL: none */
    uint32_t *hosts;
    char **host_names;
    uint32_t n_hosts;
    uint64_t *n_rows;  /* of trajectories; NULL if there are none */
    uint64_t count[4]; /* by status */
};
/* Reads all journals; finished points. */
Results *results_read(const Study *s);
void results_free(Results *r);
/* Points in the order of their times in an earlier run of the study, the longest first; NULL if
 * these are not known. To be freed. */
uint64_t *results_order(const Study *s);
/* The same from the table of a complete study, without messages; NULL after a message. */
Results *results_load(const Study *s);
/* Writes the files of a complete study; false after a message. */
bool merge_results(const Study *s, const Results *r);

/* ---- hdf5.c ---- */
/* False after a message if the library is missing. */
bool hdf5_load(void);
bool hdf5_write(const Study *s, const Results *r, const char *path);

/* ---- run.c ---- */
/* Runs or continues a study, or a part of it, on this machine. The exit status. */
int study_run(const Study *s, const RunHow *how);
/* Merges the journals if all points are finished. The exit status. */
int study_finish(const Study *s, const RunHow *how);

/* ---- mpi.c ---- */
/* Whether this process was started by mpirun or srun with several tasks. */
bool mpi_wanted(void);
/* Compiles the model into `how`. The exit status, after messages. */
typedef int PrepareFn(void *user, RunHow *how);
/* Runs the study with all processes. One process of each machine prepares the model. The exit
 * status. */
int mpi_run(const Study *s, RunHow *how, PrepareFn *prepare, void *user);

/* ---- summary.c ---- */
int summary_print(const Study *s, const char *plot);

/* ---- slurm.c ---- */
typedef struct SlurmHow {
    unsigned nodes, tasks;
    unsigned array; /* jobs of one node, each with a part of the points; 0: one job */
    const char *time, *partition;
    const char *const *libraries; /* --library of the job */
    unsigned n_libraries;
    bool fresh;            /* discard finished points, now and not when the job begins again */
    bool dry_run, at_once; /* at_once: do not wait for the job */
} SlurmHow;
int slurm_submit(const Study *s, const SlurmHow *how);

#endif
