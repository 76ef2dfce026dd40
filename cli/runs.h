/* Shared by the commands that run a model: simulate, report, and the analyses. */
#ifndef CLI_RUNS_H
#define CLI_RUNS_H

#include "progress.h"

#include <stdio.h>

typedef struct Run {
    Progress progress;
    FILE *events, *profile; /* NULL: not requested */
    TextList messages;      /* rendered, of runs in other processes */
} Run;

typedef int RunAction(Kairos *k, KairosModel *m, const RunOptions *o, Run *r);

extern const Option run_options[];
extern const Option json_options[]; /* --output of commands whose result is JSON */

/* Compiles the model, runs the action with it, and returns the exit status. `emit_c`: a file for
 * the C text, or NULL. */
int with_model(const RunOptions *o, const char *emit_c, RunAction *action);
/* A run by the options; its progress begins. */
KairosRun how_to_run(const RunOptions *o, const KairosModel *m, Run *r);
/* --output, or the name of the model with this ending. The caller frees it. */
char *result_name(const KairosModel *m, const RunOptions *o, const char *ending);
bool has_result(int status);
/* Prints the place of the result. */
void report_name(const KairosModel *m, const RunOptions *o, const char *output);
/* The end of an analysis: prints its JSON or, with --output, the place of the file. Frees the text,
 * which may be NULL. */
void finish_analysis(const KairosModel *m, const RunOptions *o, Run *r, char *json);
void put_log(void *user, const char *text);

#endif
