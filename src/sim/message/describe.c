/* Variables, values, relations and places in the words of the model. All texts live in the scratch
 * arena. */
#include "sim/message/message.h"

#include "structure/plan/description.h"

const char *describe_variable(ModeProgram *prog, VarId var)
{
    return program_var_name(prog, program_stands_for(prog, var), prog->run->scratch);
}

char *describe_place(RunContext *run, Span span)
{
    CONTEXT_HOLD(run->ctx);
    if (!span.file)
        return arena_copy(run->scratch, "", 0);
    Place place = source_place(run->ctx->sources, span);
    return arena_printf(run->scratch, "%s:%u", place.path, place.line);
}

static char *enumeration_text(ModeProgram *prog, VarId var, double value)
{
    const char *name = plan_literal_name(prog->plan, var, value);
    return name ? arena_printf(prog->run->scratch, "%s", name)
                : arena_printf(prog->run->scratch, "%.0f", value);
}

char *describe_value(ModeProgram *prog, VarId var, double value)
{
    switch ((DaeType)program_var(prog, var)->type) {
    case DAE_BOOL: return arena_printf(prog->run->scratch, "%s", value != 0 ? "true" : "false");
    case DAE_INT: return arena_printf(prog->run->scratch, "%.0f", value);
    case DAE_ENUM: return enumeration_text(prog, var, value);
    case DAE_STRING:
        return arena_printf(prog->run->scratch, "\"%s\"", runtime_text(prog->rt, value));
    case DAE_REAL: break;
    }
    return arena_printf(prog->run->scratch, "%.10g", value);
}

static char *append(RunContext *run, char *text, char *more)
{
    return text ? arena_printf(run->scratch, "%s + %s", text, more) : more;
}

char *describe_part(ModeProgram *prog, Term whole, ExprId part)
{
    char *element = plan_selection_name(prog->plan, whole, part, prog->run->scratch);
    return element ? element
                   : program_term_text(prog, (Term){part, whole.ops, whole.n}, prog->run->scratch);
}

static const char *turned(ExprOp op)
{
    return expr_op_text(op == OP_LT ? OP_GT : op == OP_LE ? OP_GE : op == OP_GT ? OP_LT : OP_LE);
}

char *describe_path(ModeProgram *prog, PathId component)
{
    return plan_component_name(prog->plan, component, prog->run->scratch);
}

/* "--input FILE" if the component has the rows of a file for inputs ('--input1 FILE'); otherwise
 * NULL. */
static char *describe_input(ModeProgram *prog, PathId component)
{
    static const char begin[] = "'--input";
    char *name = describe_path(prog, component), *file = strchr(name, ' ');
    if (strncmp(name, begin, sizeof begin - 1) || !file)
        return NULL;
    return arena_printf(prog->run->scratch, "--input%.*s", (int)strlen(file) - 1, file);
}

/* z = a - b is reported as "a > b". */
char *describe_relation(ModeProgram *prog, uint32_t relation)
{
    const DaeRelation *r = program_relation(prog, relation);
    const Graph *g = program_graph(prog);
    char *left = NULL, *right = NULL, *input = describe_input(prog, r->component);
    if (input)
        return arena_printf(prog->run->scratch, "time >= next row of %s", input);
    bool sum = expr_op(g, r->z.shape) == OP_ADD;
    for (uint32_t i = 0; i < (sum ? expr_n(g, r->z.shape) : 1); i++) {
        ExprId e = sum ? expr_arg(g, r->z.shape, i) : r->z.shape;
        bool number = expr_op(g, e) == OP_REAL && expr_real_value(g, e) < 0;
        if (number)
            right = append(prog->run, right,
                           arena_printf(prog->run->scratch, "%.15g", -expr_real_value(g, e)));
        else if (expr_op(g, e) == OP_NEG)
            right = append(prog->run, right, describe_part(prog, r->z, expr_arg(g, e, 0)));
        else
            left = append(prog->run, left, describe_part(prog, r->z, e));
    }
    if (!left)
        return arena_printf(prog->run->scratch, "%s %s 0", right, turned(r->op));
    return arena_printf(prog->run->scratch, "%s %s %s", left, expr_op_text(r->op),
                        right ? right : "0");
}

char *describe_component(ModeProgram *prog, PathId component, Span span)
{
    char *name = describe_path(prog, component), *place = describe_place(prog->run, span);
    if (describe_input(prog, component))
        return arena_printf(prog->run->scratch, "%s", "");
    return arena_printf(prog->run->scratch, "%s%s%s%s%s", *name ? " in " : "", name,
                        *place ? " (" : "", place, *place ? ")" : "");
}
