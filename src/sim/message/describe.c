/* Variables, values, relations and places in the words of the model. All texts live in the scratch
 * arena. */
#include "sim/message/message.h"

#include "structure/plan/description.h"

const char *describe_variable(Sim *s, VarId var)
{
    return program_var_name(s->prog, program_stands_for(s->prog, var), s->run.scratch);
}

char *describe_place(Sim *s, Span span)
{
    CONTEXT_HOLD(s->run.ctx);
    if (!span.file)
        return arena_copy(s->run.scratch, "", 0);
    Place place = source_place(s->run.ctx->sources, span);
    return arena_printf(s->run.scratch, "%s:%u", place.path, place.line);
}

static char *enumeration_text(Sim *s, VarId var, double value)
{
    const char *name = plan_literal_name(s->prog->plan, var, value);
    return name ? arena_printf(s->run.scratch, "%s", name)
                : arena_printf(s->run.scratch, "%.0f", value);
}

char *describe_value(Sim *s, VarId var, double value)
{
    ModeProgram *prog = s->prog;
    switch ((DaeType)program_var(prog, var)->type) {
    case DAE_BOOL: return arena_printf(s->run.scratch, "%s", value != 0 ? "true" : "false");
    case DAE_INT: return arena_printf(s->run.scratch, "%.0f", value);
    case DAE_ENUM: return enumeration_text(s, var, value);
    case DAE_STRING: return arena_printf(s->run.scratch, "\"%s\"", runtime_text(prog->rt, value));
    case DAE_REAL: break;
    }
    return arena_printf(s->run.scratch, "%.10g", value);
}

static char *append(Sim *s, char *text, char *more)
{
    return text ? arena_printf(s->run.scratch, "%s + %s", text, more) : more;
}

char *describe_part(Sim *s, Term whole, ExprId part)
{
    char *element = plan_selection_name(s->prog->plan, whole, part, s->run.scratch);
    return element ? element
                   : program_term_text(s->prog, (Term){part, whole.ops, whole.n}, s->run.scratch);
}

static const char *turned(ExprOp op)
{
    return expr_op_text(op == OP_LT ? OP_GT : op == OP_LE ? OP_GE : op == OP_GT ? OP_LT : OP_LE);
}

/* z = a - b is reported as "a > b". */
char *describe_relation(Sim *s, uint32_t relation)
{
    ModeProgram *prog = s->prog;
    const DaeRelation *r = program_relation(prog, relation);
    const Graph *g = program_graph(prog);
    char *left = NULL, *right = NULL;
    bool sum = expr_op(g, r->z.shape) == OP_ADD;
    for (uint32_t i = 0; i < (sum ? expr_n(g, r->z.shape) : 1); i++) {
        ExprId e = sum ? expr_arg(g, r->z.shape, i) : r->z.shape;
        bool number = expr_op(g, e) == OP_REAL && expr_real_value(g, e) < 0;
        if (number)
            right = append(s, right, arena_printf(s->run.scratch, "%.15g", -expr_real_value(g, e)));
        else if (expr_op(g, e) == OP_NEG)
            right = append(s, right, describe_part(s, r->z, expr_arg(g, e, 0)));
        else
            left = append(s, left, describe_part(s, r->z, e));
    }
    if (!left)
        return arena_printf(s->run.scratch, "%s %s 0", right, turned(r->op));
    return arena_printf(s->run.scratch, "%s %s %s", left, expr_op_text(r->op), right ? right : "0");
}

char *describe_path(Sim *s, PathId component)
{
    return plan_component_name(s->prog->plan, component, s->run.scratch);
}

char *describe_component(Sim *s, PathId component, Span span)
{
    char *name = describe_path(s, component), *place = describe_place(s, span);
    return arena_printf(s->run.scratch, "%s%s%s%s%s", *name ? " in " : "", name, *place ? " (" : "",
                        place, *place ? ")" : "");
}
