/* The state of events without end: cadences, surfaces that are held, the one-step method. */
#include "base/snapshot.h"
#include "sim/sliding/surfaces.h"

void accumulation_snapshot(Accumulation *a, const ModeProgram *prog, Snapshot *p)
{
    uint32_t n = program_n_relations(prog);
    snapshot_expect(p, n);
    snapshot_array(p, a->cadences, 2 * (size_t)n);
    snapshot_value(p, a->window_start);
    snapshot_value(p, a->window_events);
    snapshot_value(p, a->narrow_events);
    snapshot_value(p, a->narrow_since);
    snapshot_value(p, a->tried);
    snapshot_value(p, a->stuck);
    snapshot_value(p, a->was_stuck);
}

/* An array in *at, which reading allocates; NULL stays NULL. */
static void optional_array(ModeProgram *prog, Snapshot *p, double **at)
{
    bool has = *at;
    snapshot_value(p, has);
    if (has && p->reading)
        *at = ARENA_ARRAY(prog->own, double, prog->n);
    if (has)
        snapshot_array(p, *at, prog->n);
}

static void snapshot_relations(ModeProgram *prog, Snapshot *p, SlidingSurface *h)
{
    uint32_t most = program_n_relations(prog);
    h->n_relations = snapshot_count(p, h->n_relations, most);
    if (p->reading)
        h->relations = ARENA_ARRAY(prog->own, uint32_t, h->n_relations + (size_t)1);
    for (uint32_t i = 0; i < h->n_relations; i++)
        h->relations[i] = snapshot_count(p, h->relations[i], most - 1);
}

static void snapshot_flips(ModeProgram *prog, Snapshot *p, SlidingSurface *h)
{
    h->n_flips = snapshot_count(p, h->n_flips, prog->run->n_common);
    if (p->reading)
        h->flips = ARENA_ARRAY(prog->own, Flip, h->n_flips + (size_t)1);
    for (uint32_t i = 0; i < h->n_flips; i++) {
        h->flips[i].var = snapshot_count(p, h->flips[i].var, prog->run->n_common - 1);
        snapshot_value(p, h->flips[i].low);
        snapshot_value(p, h->flips[i].high);
    }
}

static void snapshot_surface(ModeProgram *prog, Snapshot *p, SlidingSurface *h)
{
    snapshot_value(p, h->rest);
    h->relation = snapshot_count(p, h->relation, program_n_relations(prog) - 1);
    snapshot_relations(prog, p, h);
    snapshot_flips(prog, p, h);
    optional_array(prog, p, &h->direction);
    optional_array(prog, p, &h->normal);
    snapshot_value(p, h->degree);
    snapshot_value(p, h->middle);
    snapshot_value(p, h->layer);
    snapshot_value(p, h->passed);
    snapshot_value(p, h->side);
    snapshot_value(p, h->group);
    double *numbers[] = {&h->u, &h->free, &h->begin, &h->gap, &h->age, &h->pull};
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        snapshot_value(p, *numbers[i]);
}

static void snapshot_surfaces(ModeProgram *prog, Snapshot *p)
{
    Sliding *w = prog->sliding;
    if (!p->reading)
        filippov_restore_values(prog);
    w->n = snapshot_count(p, w->n, program_n_relations(prog));
    for (uint32_t j = 0; j < w->n; j++)
        snapshot_surface(prog, p, &w->at[j]);
    for (uint32_t k = 0; k < program_n_relations(prog); k++)
        optional_array(prog, p, &w->push[k]);
    if (!p->reading || p->bad)
        return;
    filippov_enable(prog, true);
    filippov_arrange(prog);
}

static void snapshot_fallback(ModeProgram *prog, Snapshot *p)
{
    FallbackSolver *f = &prog->fallback;
    bool at_work = f->replaced, made = f->solver, stiff = f->stiff;
    snapshot_expect(p, made);
    snapshot_value(p, stiff);
    if (p->reading && !p->bad && made && stiff && !f->stiff)
        fallback_become_implicit(prog);
    p->bad |= stiff != f->stiff;
    snapshot_value(p, f->steps);
    snapshot_value(p, f->rejected);
    snapshot_value(p, at_work);
    if (p->reading && at_work)
        fallback_enter(prog);
    if (made && !p->bad)
        solver_snapshot(f->solver, p);
    snapshot_value(p, f->max_step);
    snapshot_value(p, f->last_event);
    snapshot_value(p, f->until);
    snapshot_value(p, f->departs);
    snapshot_value(p, f->departing);
    snapshot_value(p, f->departure_steps);
}

void sliding_snapshot(ModeProgram *prog, Snapshot *p)
{
    bool exists = prog->sliding;
    snapshot_value(p, exists);
    if (exists && !prog->sliding)
        filippov_create(prog);
    if (exists)
        snapshot_surfaces(prog, p);
    snapshot_fallback(prog, p);
}
