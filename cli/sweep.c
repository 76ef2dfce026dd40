/* simulate --sweep: the short form of a grid study, whose code runs it (study.h).
 *
 * Every combination of the swept values is a run with its own result file, NAME_1.csv, NAME_2.csv,
 * …; the last sweep varies fastest. NAME_sweep.csv has a row for each run: its number, the values,
 * its exit status, and the final values of the variables of the first run, without parameters. */
#include "sweep.h"
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 1000000 };

/* A factor with the values as given. */
static bool parse_values(Factor *f, const KairosSetting *s)
{
    *f = (Factor){.name = strdup(s->name), .low = -INFINITY, .high = INFINITY};
    const char *bad = factor_list(f, s->value);
    if (bad)
        fprintf(stderr,
                "kairos: --sweep %s: '%.*s' is neither a value nor a range first:step:last\n",
                s->name, (int)strcspn(bad, ","), bad);
    f->words = true;
    for (size_t i = 0; i < f->n; i++)
        f->values[i] = (double)i;
    return !bad;
}

/* "dir/name.csv" to "dir/name" and the ending. */
static char *with_ending(const char *output, const char *ending)
{
    const char *slash = strrchr(output, '/'), *dot = strrchr(output, '.');
    size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - output) : strlen(output);
    char *name = malloc(n + strlen(ending) + 1);
    memcpy(name, output, n);
    strcpy(name + n, ending);
    return name;
}

static KairosSetting *copy_settings(const KairosRun *run)
{
    KairosSetting *all = calloc(run->n_settings + 1, sizeof *all);
    for (unsigned i = 0; i < run->n_settings; i++)
        all[i] = (KairosSetting){strdup(run->settings[i].name), strdup(run->settings[i].value)};
    return all;
}

/* The grid; NULL after a message. */
static Study *new_study(const SimulateOptions *o, const KairosRun *run)
{
    Study *s = calloc(1, sizeof *s);
    s->sweep = true;
    s->path = strdup("--sweep");
    s->text = strdup("");
    s->table = with_ending(run->output, "_sweep.csv");
    s->journal = with_ending(run->output, "_sweep.journal");
    s->settings = copy_settings(run);
    s->n_settings = run->n_settings;
    s->factors = calloc(o->sweeps.n, sizeof *s->factors);
    bool ok = true;
    for (unsigned k = 0; k < o->sweeps.n && ok; k++)
        ok = parse_values(&s->factors[s->n_factors++], &o->sweeps.at[k]);
    ok = ok && design_prepare(s);
    if (ok && s->design.points > MOST_RUNS) {
        fprintf(stderr, "kairos: a sweep of %g runs is too large; at most %d are allowed\n",
                (double)s->design.points, MOST_RUNS);
        ok = false;
    }
    if (ok)
        return s;
    study_free(s);
    return NULL;
}

static void take_name(void *user, const char *name, double value)
{
    Study *s = user;
    (void)value;
    if (!(s->n_keeps & (s->n_keeps + 1))) /* 0, 1, 3, 7, … */
        s->keeps = realloc(s->keeps, 2 * (s->n_keeps + 1) * sizeof *s->keeps);
    s->keeps[s->n_keeps++] = strdup(name);
}

/* Names of the variables in the table; checks the options and the settings of the first run. */
static int find_names(KairosModel *m, Study *s, const KairosRun *base)
{
    KairosSetting settings[s->n_settings + s->n_factors + 1];
    char texts[s->n_factors + 1][32];
    KairosRun run = *base;
    run.n_settings = point_settings(s, 0, settings, texts);
    run.settings = settings;
    run.on_final = take_name;
    run.user = s;
    return kairos_name_finals(m, &run);
}

typedef struct Messages {
    TextList *list;
    bool json;
} Messages;

/* Messages of the runs, in their order. */
static void take_results(void *user, const Study *s, const Results *r)
{
    Messages *m = user;
    for (uint64_t i = 0; i < r->n; i++) {
        char head[64];
        snprintf(head, sizeof head, "run %llu of %llu:%s", (unsigned long long)i + 1,
                 (unsigned long long)s->design.points, m->json ? "" : "\n");
        if (r->status[i] == POINT_CRASHED)
            fprintf(stderr, "kairos: %s %s\n", strtok(head, "\n"), r->messages[i]);
        if (r->status[i] == POINT_CRASHED || !r->messages[i])
            continue;
        if (!m->json)
            add_text(m->list, head);
        add_text(m->list, r->messages[i]);
    }
}

static int no_preparation(void *user, RunHow *how)
{
    (void)user;
    (void)how;
    return KAIROS_OK;
}

int sweep_run(Kairos *k, KairosModel *m, const SimulateOptions *o, const KairosRun *base, Run *r)
{
    const Options *common = &o->run.common;
    if (o->plot || o->run.events || o->run.profile)
        return usage("--plot, --events and --profile are for one run, not for --sweep");
    Study *s = new_study(o, base);
    Messages messages = {&r->messages, common->json};
    int status = s ? find_names(m, s, base) : KAIROS_USE_ERROR;
    RunHow how = {.jobs = o->jobs,
                  .quiet = common->quiet || common->json,
                  .fresh = true,
                  .model = m,
                  .session = k,
                  .run = base,
                  .files = base->output,
                  .format = message_format(common),
                  .user = &messages,
                  .on_results = take_results};
    if (!status)
        status = mpi_wanted() ? mpi_run(s, &how, no_preparation, NULL) : study_run(s, &how);
    study_free(s);
    return status;
}
