/* The pipeline from a class to a loaded model. */
#ifndef COMPILE_H
#define COMPILE_H

#include "codegen/codegen.h"
#include "flatten/flat/flat.h"
#include "instance/instance.h"
#include "load/tier.h"
#include "structure/plan/plan.h"

typedef enum Phase {
    PHASE_INSTANCE,
    PHASE_FLATTEN,
    PHASE_DAE,
    PHASE_STRUCTURE,
    PHASE_CODEGEN,
    PHASE_LOAD,
    PHASE_COUNT,
} Phase;

/* The state of a compilation: the product of each phase so far, NULL for the others. */
typedef struct Compilation {
    Context *ctx;
    Library *library;
    const AstClass *model;
    const OuterMod *mods;
    uint32_t n_mods;
    LoadTier tier;
    bool tiered;     /* better code may follow */
    bool comments;   /* in the generated code */
    bool profiled;   /* functions report their calls (CodegenOptions) */
    bool units;      /* check units as well */
    bool initial;    /* report start values that are not fixed, but used as initial conditions */
    bool variations; /* the code has ModelCode.variations */
    /* patterns of components whose relations are evaluated literally; size n_no_events */
    const char *const *no_events;
    uint32_t n_no_events;
    bool misused; /* it failed because of the call, not because of the model */

    Instance *instance; /* lives in the library */
    Flat *flat;
    Dae *dae;
    Plan *plan; /* its Dae shares tables of `dae` */
    char *code;
    Loaded *loaded;
    Tier *code_tier;             /* of `loaded` */
    struct Programs *programs;   /* further ones, made on demand and freed by src/replan */
    double seconds[PHASE_COUNT]; /* time taken */
} Compilation;

/* Runs the phases up to and including `last`; those up to flattening are skipped if there is a flat
 * model. False after an error. */
bool compile_model(Compilation *c, Phase last);
/* Flattens c->instance into c->flat. If flattening shows that elements of arrays differ in
 * structure, c->instance is made again with that knowledge. This is the only place, besides
 * replan.h, where a phase makes an earlier product again. */
void compile_flatten(Compilation *c);
/* Makes the code of a compiled model once more, with variations. Runs and further programs of the
 * model must have ended. False after an error; then the model has no code. */
bool compile_variations(Compilation *c);
/* Plans again, for printing: values of switches keep their names in products. If such switches
 * change the structure, the plan stays as it runs, unless states are inlined. */
void compile_as_written(Compilation *c, bool inlined);
void compile_free(Compilation *c);
/* The product of a phase as text, in `arena`. */
char *compile_dump(const Compilation *c, Phase phase, Arena *arena);
/* By its name ("flatten"); PHASE_COUNT if there is none. */
Phase compile_phase(const char *name);

#endif
