/* Code generation: Plan → C text, one readable file.
 *
 * The text has no includes, no varargs and no statics except constant tables. It exports `const
 * ModelCode kairos_model`. The source equation is a comment above every assignment. Functions have
 * at most about 200 statements. All constants are folded here. */
#ifndef CODEGEN_CODEGEN_H
#define CODEGEN_CODEGEN_H

#include "structure/plan/plan.h"

typedef struct CodegenOptions {
    /* source equations above the assignments; off for speed of compiling in memory */
    bool comments;
    bool part;     /* of a model: tangents depend on all variables that other parts compute */
    bool profiled; /* functions report their calls (kr_enter) */
    bool bare;     /* a part without crossing functions and actions: another part has them */
    /* for a host without a plan and without KLU (src/fmu/source): Jacobians of blocks are dense,
     * and the text also exports `int kairos_instants(ModelData *m, double *t)`, which computes
     * start and interval of each sample, then each assumption of the plan, which is zero */
    bool alone;
    bool variations; /* also ModelCode.variations */
} CodegenOptions;

/* The text, allocated with malloc (memory_free); NULL after an error. */
char *codegen_model(const Plan *plan, const CodegenOptions *options, size_t *size);

#endif
