/* Parameters and start values, from the model and the options. */
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/state/evaluate.h"

static bool is_parameter(const DaeVar *var)
{
    return var->kind == DAE_PARAMETER;
}

static bool can_be_set(const DaeVar *var)
{
    return is_parameter(var) || var->kind == DAE_INPUT;
}

static bool apply_sets(ModeProgram *prog)
{
    for (uint32_t i = 0; i < prog->run->options->n_sets; i++) {
        const SimSet *set = &prog->run->options->sets[i];
        double sign;
        if (set->var >= prog->code->n_vars || !can_be_set(program_var(prog, set->var))) {
            prog->run->status = SIM_BAD_SETTING;
            diag(prog->run->ctx, (Span){0, 0, 0}, DIAG_R009,
                 "only parameters, start values and inputs can be set");
            return false;
        }
        VarId var = resolve_alias(prog, set->var, &sign);
        prog->v[var] = sign * set->value;
        prog->set[var] = 1;
    }
    return true;
}

bool set_parameters(ModeProgram *prog)
{
    for (VarId i = 0; i < prog->code->n_vars; i++)
        if (is_parameter(program_var(prog, i)))
            prog->v[i] = program_var(prog, i)->value;
    if (!apply_sets(prog))
        return false;
    int status = evaluate_call(prog, prog->code->parameters);
    runtime_invalidate(prog->rt);
    return !status || fail_model(prog, status, "computing parameters");
}

static void set_guess(ModeProgram *prog, VarId i)
{
    const DaeVar *var = program_var(prog, i);
    switch ((DaeVarKind)var->kind) {
    case DAE_TIME: prog->v[i] = prog->run->options->start; break;
    case DAE_PARAMETER:
        if (!var->fixed && var->start != NONE && var->detail == NONE && !prog->set[i])
            prog->v[i] = start_value(prog, i);
        break;
    case DAE_CONTINUOUS:
    case DAE_DERIVATIVE:
    case DAE_DISCRETE:
    case DAE_FOLLOWING: prog->v[i] = start_value(prog, i); break;
    case DAE_INPUT:
        if (var->flat != NONE && !prog->set[i])
            prog->v[i] = start_value(prog, i);
        break;
    case DAE_RELATION:
    case DAE_SAMPLE:
    case DAE_TERMINAL: prog->v[i] = 0; break;
    case DAE_INITIAL:
    case DAE_LAMBDA: prog->v[i] = 1; break;
    case DAE_OUTSIDE:
    case DAE_HELD:
    case DAE_PRE: break;
    }
}

void set_guesses(Sim *s)
{
    for (VarId i = 0; i < s->prog->code->n_vars; i++)
        set_guess(s->prog, i);
    for (uint32_t i = 0; i < s->pres.n; i++)
        s->prog->v[s->pres.at[i].pre] = s->pres.at[i].sign * s->prog->v[s->pres.at[i].base];
}
