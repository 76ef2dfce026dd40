/* Shared by analyses of a model: a run whose code has variations, and what they look up. */
#ifndef API_ANALYSIS_H
#define API_ANALYSIS_H

#include "api/model_fit.h"
#include "api/session.h"
#include "api/settings.h"
#include "replan/replan.h"
#include "sim/variation.h"

typedef struct Analysis {
    KairosModel *m;
    const KairosRun *given;
    KairosRun copy;
    const KairosRun *how; /* the copy */
    void *user;           /* of the body */
    void (*body)(struct Analysis *a);
    Context *ctx; /* for its messages */
    Arena *arena; /* until the analysis ends */
    SimOptions options;
    Settings settings;
    ReplanFor replan_for;
    Replan replan;
    SimText text;
    SimStats stats;
    Sim *sim; /* that analysis_open made last; closed at the end */
    ModelFit fit;
    int status;
} Analysis;

/* Calls the body with a context and resolved options, while the model cannot be compiled again. The
 * body leaves its status in a->status. */
int analysis_run(KairosModel *m, const KairosRun *run, void (*body)(Analysis *a), void *user);
/* The same for a model that was made for this text, which drives its inputs (model_copy). */
int analysis_run_driven(KairosModel *m, const KairosRun *run, const char *driven,
                        void (*body)(Analysis *a), void *user);
/* A run by a->options that is not started; the one before is closed. False after a message. */
bool analysis_open(Analysis *a, const ResultSink *sink);
/* The status of a run that cannot continue. */
int analysis_status(const Analysis *a);
/* Why derivatives are unknown. */
const char *analysis_flaw(VariationFlaw flaw);
/* The name of a variable, in a->arena. */
const char *analysis_name(const Analysis *a, VarId var);
/* The same for a state: the declared name of a derivative, if it has one. */
const char *analysis_state_name(const Analysis *a, VarId var);

#endif
