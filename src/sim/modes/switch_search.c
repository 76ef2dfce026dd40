/* Switches with a memory, if the event iteration leads them into equations without a solution, or
 * makes a state jump.
 *
 * A diode by an automaton (0 = if pre(off) then i else v) reads its position from the left limit,
 * so the event iteration moves one diode after the other. When diodes commutate, the combination
 * in between may short a source. Its equations are singular, or consistent at this instant only.
 * The iteration is then started again from other positions: those nearest to the combination at
 * which it failed come first. The first one from which the iteration ends with equations that stay
 * solvable is taken.
 *
 * If a switch opens the circuit of a coil, the freewheeling diode still blocks, because its
 * position is that of before the event. The current then jumps to zero. The voltage that turns the
 * diode on exists only during that jump: its equations give it another position there. So the
 * positions that all switches have during the jump become left limits, and the iteration begins
 * again. This ends if no position contradicts a jump any more. If it does not end, only the first
 * switch that contradicts changes at a time, and then the nearest positions are searched. */
#include "sim/event/event.h"
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"

#include <math.h>

enum { MOST_SWITCHES = 24, MOST_TRIALS = 4096, FEW_TRIALS = 64, MORE_TURNS = 12 };

typedef struct SwitchTrial {
    EventIteration *iterate;
    bool jumping;  /* states may jump although switches contradict */
    bool changing; /* the event must have an effect */
} SwitchTrial;

/* Some of the switches with a memory. */
typedef struct Choice {
    uint32_t of[MOST_SWITCHES];
    uint32_t n;
} Choice;

static Choice choose_switches(const MemorySwitches *w)
{
    Choice c = {.n = 0};
    for (uint32_t i = 0; i < w->n && c.n < MOST_SWITCHES; i++)
        if (!w->commanded[i])
            c.of[c.n++] = i;
    return c;
}

/* ---- trials ---- */

/* Positions as they are now. */
static void note_positions(Sim *s)
{
    const MemorySwitches *w = switches_with_memory(s);
    for (uint32_t i = 0; i < w->n; i++)
        w->at[i] = s->prog->v[w->links[i]->pre] != 0;
}

/* Whether relations and discrete variables are as before the event: it would happen again. */
static bool nothing_changed(const Sim *s)
{
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        VarId v = program_relation(s->prog, s->event.triggers[i])->var;
        if (s->prog->v[v] != s->left[v])
            return false;
    }
    for (uint32_t i = 0; i < s->discrete.n; i++)
        if (s->prog->v[s->discrete.vars[i]] != s->left[s->discrete.vars[i]])
            return false;
    return true;
}

/* Goes back to the values and the program at the beginning. */
static void go_back(Sim *s, ModeProgram *begin)
{
    InlinedPrograms *inlined = s->modes ? &s->modes->inlined : NULL;
    if (inlined && inlined->in_use && inlined->instead_of == begin) {
        inlined->in_use = false;
        inlined->staged = inlined->was_staged;
    }
    program_use(s, begin);
    iteration_restore(s);
    modes_begin_instant(s);
}

/* Iterates from the positions `at`. */
static bool try_positions(Sim *s, ModeProgram *begin, const SwitchTrial *how)
{
    const MemorySwitches *w = s->switches;
    go_back(s, begin);
    for (uint32_t i = 0; i < w->n; i++)
        if (!w->commanded[i])
            s->prog->v[w->links[i]->pre] = s->prog->v[w->links[i]->base] = w->at[i];
    int status = 0;
    return how->iterate(s, &status) && !status && s->run.status != SIM_FAILED &&
           !s->event.momentary && !(how->changing && nothing_changed(s)) &&
           (how->jumping || !switches_contradict_jump(s));
}

/* ---- positions during a jump ---- */

void switches_forget_jump(Sim *s)
{
    if (s->modes)
        s->modes->jump.impulse =
            (Impulse){.from = s->modes->jump.impulse.from, .to = s->modes->jump.impulse.to};
}

bool switches_contradict_jump(const Sim *s)
{
    return s->modes && s->modes->jump.impulse.contradicts;
}

/* The positions during the jump become those of the next trial. True if any is new. */
static bool take_positions(Sim *s, bool one)
{
    const MemorySwitches *w = s->switches;
    const Impulse *p = &s->modes->jump.impulse;
    bool changed = false, any = false;
    for (uint32_t i = 0; i < w->n; i++) {
        bool takes = p->from[i] != p->to[i] && !w->commanded[i] && !(one && any);
        bool at = takes ? p->to[i] : p->from[i];
        any |= takes;
        changed |= at != w->at[i];
        w->at[i] = at;
    }
    return changed;
}

/* Until a trial succeeds. */
static bool follow_jump(Sim *s, ModeProgram *begin, const SwitchTrial *how, bool one)
{
    const uint32_t most = (one ? 2 : 1) * s->switches->n + MORE_TURNS;
    for (uint32_t turn = 0; turn < most; turn++) {
        if (s->run.status == SIM_FAILED || !take_positions(s, one))
            return false;
        if (try_positions(s, begin, how))
            return true;
        if (!switches_contradict_jump(s))
            return false;
    }
    return false;
}

/* ---- nearest positions ---- */

/* The next larger number with the same number of bits; 0 after the last below 2^n. */
static uint32_t next_choice(uint32_t bits, uint32_t n)
{
    uint32_t low = bits & -bits, up = bits + low;
    uint32_t next = up | (((bits ^ up) >> 2) / low);
    return next < 1U << n ? next : 0;
}

/* Changes of 1, 2, … switches from their positions, until a trial succeeds. If switches contradict
 * the jump of a trial, the positions during it come next. */
static bool search_nearest(Sim *s, ModeProgram *begin, const SwitchTrial *how, uint32_t most)
{
    const MemorySwitches *w = s->switches;
    const Choice c = choose_switches(w);
    uint32_t trials = 0;
    memcpy(w->from, w->at, w->n * sizeof *w->at);
    for (uint32_t flips = 1; flips <= c.n; flips++)
        for (uint32_t k = (1U << flips) - 1; k && trials++ < most; k = next_choice(k, c.n)) {
            memcpy(w->at, w->from, w->n * sizeof *w->at);
            for (uint32_t i = 0; i < c.n; i++)
                w->at[c.of[i]] ^= k >> i & 1U;
            if (try_positions(s, begin, how) ||
                (switches_contradict_jump(s) && follow_jump(s, begin, how, false)))
                return true;
        }
    memcpy(w->at, w->from, w->n * sizeof *w->at);
    return false;
}

/* First without jumps that contradict, because such positions are nearer. */
bool switches_search(Sim *s, ModeProgram *begin, EventIterations ways)
{
    if (s->run.status == SIM_FAILED)
        return false;
    note_positions(s);
    for (uint32_t i = 0; i < 2 * ways.n; i++) {
        const SwitchTrial how = {ways.at[i % ways.n], i >= ways.n, true};
        if (!search_nearest(s, begin, &how, MOST_TRIALS))
            continue;
        s->run.stats->switch_searches++;
        if (switches_contradict_jump(s))
            switches_warn(s);
        return true;
    }
    return false;
}

static bool correct_jump(Sim *s, ModeProgram *begin, EventIterations ways)
{
    for (uint32_t i = 0; i < 2 * ways.n; i++) {
        const SwitchTrial how = {.iterate = ways.at[i % ways.n]};
        go_back(s, begin);
        note_positions(s);
        if (try_positions(s, begin, &how) ||
            (switches_contradict_jump(s) && follow_jump(s, begin, &how, i >= ways.n)))
            return true;
    }
    go_back(s, begin);
    note_positions(s);
    for (uint32_t i = 0; i < ways.n; i++)
        if (search_nearest(s, begin, &(SwitchTrial){.iterate = ways.at[i]}, FEW_TRIALS))
            return true;
    go_back(s, begin);
    return false;
}

bool switches_correct_jump(Sim *s, ModeProgram *begin, EventIterations ways)
{
    if (!correct_jump(s, begin, ways))
        return false;
    s->run.stats->switch_searches++;
    return true;
}

void switches_warn(Sim *s)
{
    const MemorySwitches *w = s->switches;
    const ModeProgram *all = s->modes->inlined.all;
    const double *from = s->modes->jump.from;
    VarId worst = NONE;
    double most = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        VarId x = s->modes->jump.means[i];
        if (x >= s->run.n_common)
            continue;
        double moved =
            fabs(s->prog->v[x] - from[x]) / (program_var(all, x)->nominal + fabs(from[x]));
        worst = moved > most ? x : worst;
        most = fmax(most, moved);
    }
    for (uint32_t i = 0; i < w->n && worst != NONE; i++)
        if (!w->commanded[i] && s->modes->jump.impulse.from[i] != s->modes->jump.impulse.to[i]) {
            warn_contradicted_jump(s->prog, worst, from[worst], w->links[i]->base);
            return;
        }
}
