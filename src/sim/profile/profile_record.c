/* The record of a finished run: rows by time, and names of the calls. */
#include "sim/profile/rows.h"

#include "expr/function.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"

#include <stdlib.h>

static const char *const part_names[PROFILE_PARTS] = {
    [PART_START] = "initialization",        [PART_SOLVER] = "solver",
    [PART_DERIVATIVES] = "derivatives",     [PART_JACOBIANS] = "Jacobians",
    [PART_LOCATION] = "location of events", [PART_EVENTS] = "events",
    [PART_RELATIONS] = "relations",         [PART_RESULTS] = "results",
    [PART_PROGRAMS] = "programs of modes",  [PART_ROWS] = "output"};

typedef struct Making {
    Sim *s;
    ProfileRecord record;
    uint32_t *function_rows; /* per function of the graph: its row; NONE */
} Making;

/* Copies rows; names stay in RunProfile. */
static void take_rows(const Making *k, ProfileRows *to, const RunRows *from)
{
    to->at = ARENA_ARRAY(k->s->run.arena, ProfileRow, from->list.n + (size_t)1);
    to->n = from->list.n;
    if (to->n)
        memcpy(to->at, from->list.at, to->n * sizeof *to->at);
}

static void list_parts(Making *k)
{
    ProfileRows *to = &k->record.tables[TABLE_PARTS];
    to->n = PROFILE_PARTS;
    to->at = ARENA_ARRAY(k->s->run.arena, ProfileRow, to->n);
    for (uint32_t i = 0; i < to->n; i++)
        to->at[i].name = part_names[i];
}

static void list_functions(Making *k)
{
    const Profile *calls = k->s->run.calls;
    const Graph *g = program_graph(k->s->prog);
    ProfileRows *to = &k->record.tables[TABLE_FUNCTIONS];
    k->function_rows = ARENA_ARRAY(k->s->run.arena, uint32_t, g->functions.n + (size_t)1);
    memset(k->function_rows, 0xff, g->functions.n * sizeof *k->function_rows);
    to->at = ARENA_ARRAY(k->s->run.arena, ProfileRow, g->functions.n + (size_t)1);
    for (uint32_t i = 0; i < calls->n; i++) {
        const ProfileCall *c = &calls->at[i];
        if (c->kind != PROFILE_FUNCTION || k->function_rows[c->item] != NONE)
            continue;
        const Function *f = g->functions.at[c->item];
        k->function_rows[c->item] = to->n;
        to->at[to->n++] = (ProfileRow){.name = f->name, .span = f->span};
    }
}

static void list_relations(Making *k)
{
    Sim *s = k->s;
    ModeProgram *prog = s->prog;
    const double *seconds = s->run.profile->trigger_seconds;
    uint32_t n = program_n_relations(prog), n_clocks = s->schedule->n_clocks;
    ProfileRows *to = &k->record.tables[TABLE_RELATIONS];
    to->at = ARENA_ARRAY(s->run.arena, ProfileRow, n + (size_t)n_clocks + 1);
    for (uint32_t i = 0; i < n + n_clocks && seconds; i++) {
        const Clock *c = i < n ? NULL : &s->schedule->clocks[i - n];
        uint64_t fired = c ? c->fired : s->relations.fired[i];
        if (!fired)
            continue;
        arena_reset(s->run.scratch);
        const char *text = c ? arena_printf(s->run.scratch, "sample(%g, %g)", c->start, c->interval)
                             : describe_relation(prog, i);
        Span span = c ? program_sample(prog, s->schedule->samples[c->first])->span
                      : program_relation(prog, i)->span;
        to->at[to->n++] = (ProfileRow){.name = arena_copy(s->run.arena, text, strlen(text)),
                                       .span = span,
                                       .counts = {fired},
                                       .seconds = seconds[i],
                                       .own = seconds[i]};
    }
}

static ProfileRow *row_of_call(const Making *k, const ProfileCall *c)
{
    switch (c->kind) {
    case PROFILE_PART: return &k->record.tables[TABLE_PARTS].at[c->item];
    case PROFILE_BLOCK: return &k->record.tables[TABLE_BLOCKS].at[c->item];
    case PROFILE_FUNCTION: return &k->record.tables[TABLE_FUNCTIONS].at[k->function_rows[c->item]];
    default: return NULL;
    }
}

/* Whether a caller of c is the same item: its time contains that of c. */
static bool is_nested(const Profile *p, const ProfileCall *c)
{
    for (uint32_t i = c->parent; i; i = p->at[i].parent)
        if (p->at[i].kind == c->kind && p->at[i].item == c->item)
            return true;
    return false;
}

static void add_calls(Making *k)
{
    const Profile *p = k->s->run.calls;
    Arena *arena = k->s->run.arena;
    k->record.calls = p;
    k->record.seconds = p->at[0].seconds;
    k->record.names = ARENA_ARRAY(arena, const char *, p->n);
    k->record.spans = ARENA_ARRAY(arena, Span, p->n);
    k->record.names[0] = "run";
    for (uint32_t i = 1; i < p->n; i++) {
        const ProfileCall *c = &p->at[i];
        ProfileRow *row = row_of_call(k, c), *parent = row_of_call(k, &p->at[c->parent]);
        k->record.names[i] = row->name;
        k->record.spans[i] = row->span;
        if (c->kind != PROFILE_BLOCK) /* their runtimes count them */
            row->counts[0] += c->calls;
        row->own += c->seconds;
        if (parent)
            parent->own -= c->seconds;
        if (!is_nested(p, c))
            row->seconds += c->seconds;
    }
}

static int by_time(const void *a, const void *b)
{
    const ProfileRow *x = a, *y = b;
    if (x->own != y->own)
        return x->own > y->own ? -1 : 1;
    if (x->counts[0] != y->counts[0])
        return x->counts[0] > y->counts[0] ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void sort_rows(ProfileRows *rows)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < rows->n; i++)
        if (rows->at[i].counts[0] || rows->at[i].seconds > 0)
            rows->at[n++] = rows->at[i];
    rows->n = n;
    qsort(rows->at, n, sizeof *rows->at, by_time);
}

static void make_record(Making *k)
{
    const struct RunProfile *p = k->s->run.profile;
    profile_close(k->s->run.calls);
    list_parts(k);
    list_functions(k);
    list_relations(k);
    take_rows(k, &k->record.tables[TABLE_BLOCKS], &p->blocks);
    take_rows(k, &k->record.tables[TABLE_STATES], &p->states);
    take_rows(k, &k->record.tables[TABLE_MODES], &p->modes);
    add_calls(k);
    for (uint32_t i = 0; i < PROFILE_TABLES; i++)
        sort_rows(&k->record.tables[i]);
}

void profile_report(Sim *s)
{
    const SimText *text = s->run.text;
    if (!s->run.profile || !text)
        return;
    CONTEXT_HOLD(s->run.ctx);
    Making k = {.s = s};
    make_record(&k);
    if (text->profile)
        text->profile(text->user, &k.record);
    Text out = {0};
    if (text->profile_json) {
        profile_put_json(&out, s->run.ctx->sources, &k.record);
        text->profile_json(text->user, out.at);
        text_free(&out);
    }
    if (text->log && s->run.options->log & LOG_PROFILE) {
        profile_put_table(&out, s->run.ctx->sources, &k.record);
        text->log(text->user, out.at);
        text_free(&out);
    }
}
