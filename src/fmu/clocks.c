/* Clocks of the model as variables of FMI 3: one for each clocked partition with a constant
 * interval. The engine ticks by itself, so they are local triggered clocks, which an importer reads
 * in event mode. Clocked variables keep their values between ticks, and can always be read. */
#include "fmu/fmu.h"

#include "base/text.h"

#include <math.h>

static double value_of(FlatRatio r)
{
    return (double)r.num / (double)r.den;
}

/* Of the base clock, in seconds; NAN if it is not a number. */
static double base_interval(const Graph *g, const FlatClock *c)
{
    if (c->kind == FLAT_CLOCK_RATIONAL)
        return value_of(c->period);
    ExprId interval = c->kind == FLAT_CLOCK_INTERVAL ? expr_arg(g, c->base_clock, 0) : EXPR_NONE;
    bool number = interval != EXPR_NONE &&
                  (expr_op(g, interval) == OP_REAL || expr_op(g, interval) == OP_INT);
    return number ? expr_real_value(g, interval) : NAN;
}

/* The variable that an equation makes equal to the clock of the partition; otherwise a number. */
static const char *clock_name(const FmuModel *m, uint32_t partition)
{
    const Flat *f = m->declared;
    for (uint32_t i = 0; i < f->eqs.n; i++) {
        const FlatEq *eq = &f->eqs.at[i];
        bool named = eq->kind == FLAT_EQUAL && eq->partition == partition &&
                     expr_op(f->g, eq->lhs) == OP_VAR && expr_type(f->g, eq->lhs) == T_CLOCK;
        if (named)
            return flat_var_name(f, expr_index(f->g, eq->lhs), m->arena);
    }
    return arena_printf(m->arena, "'clock %u'", partition);
}

void fmu_collect_clocks(FmuModel *m)
{
    const Flat *f = m->declared;
    for (uint32_t i = 0; m->options->version == 3 && i < f->clocks.n; i++) {
        const FlatClock *c = &f->clocks.at[i];
        double base = base_interval(f->g, c);
        FmuClock clock = {clock_name(m, i + 1), base * value_of(c->shift),
                          base * value_of(c->factor)};
        if (clock.interval > 0 && isfinite(clock.interval))
            vec_push(&m->clocks, clock);
    }
}

const char *fmu_list_clocks(const FmuModel *m)
{
    Text t = {0};
    text_put(&t, "\n");
    for (uint32_t i = 0; i < m->clocks.n; i++)
        text_printf(&t, "%.17g %.17g\n", m->clocks.at[i].start, m->clocks.at[i].interval);
    return text_keep(&t, m->arena);
}
