/* The flat model as Modelica text. Reading it gives the same text again. Names with dots and
 * brackets are quoted identifiers. Functions, records and enumerations come before the model under
 * their full names, quoted. */
#include "flatten/flat/flat_print.h"

#include "expr/eval/eval.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- names ---- */

static bool is_plain(const char *s)
{
    if (*s == '\'') {
        const char *end = s + 1;
        for (; *end && *end != '\''; end++)
            if (*end == '\\' && end[1])
                end++;
        return *end && !end[1];
    }
    if (!isalpha((unsigned char)*s) && *s != '_')
        return false;
    while (isalnum((unsigned char)*s) || *s == '_')
        s++;
    return !*s;
}

/* s as an identifier: as it is, or quoted. */
const char *flat_identifier(FlatPrinter *p, const char *s)
{
    if (is_plain(s))
        return s;
    Text t = {0};
    text_put_char(&t, '\'');
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\')
            text_put_char(&t, '\\');
        text_put_char(&t, *s);
    }
    text_put_char(&t, '\'');
    return text_keep(&t, p->arena);
}

static const char *var_name(FlatPrinter *p, uint32_t var)
{
    return flat_identifier(p, flat_var_name(p->f, var, p->arena));
}

/* ---- values of parameters ---- */

static EvalStatus parameter_value(void *user, uint32_t var, Value *out)
{
    enum { DEEPEST = 100 };
    FlatPrinter *p = user;
    const FlatVar *v = &p->f->vars.at[var];
    const Graph *g = p->f->g;
    bool fixed = !v->fixed || (expr_op(g, v->fixed) == OP_BOOL && expr_int_value(g, v->fixed));
    if (v->variability > VARIES_PARAMETER || !v->binding || !fixed || p->depth >= DEEPEST)
        return EVAL_UNKNOWN;
    EvalEnv env = {.g = p->f->g,
                   .arena = p->arena,
                   .var = parameter_value,
                   .user = p,
                   .time = NAN,
                   .silent = true};
    p->depth++;
    EvalStatus status = eval_expr(&env, v->binding, out);
    p->depth--;
    return status;
}

static bool is_literal(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    return op == OP_REAL || op == OP_INT || op == OP_BOOL || op == OP_STRING || op == OP_ENUM;
}

ExprId flat_constant(FlatPrinter *p, uint32_t var)
{
    const FlatVar *v = &p->f->vars.at[var];
    if (v->variability != VARIES_CONSTANT || !v->binding || type_rank(p->f->g->types, v->type))
        return EXPR_NONE;
    ExprId e = map_get(&p->literals, var);
    if (e != MAP_NONE)
        return e;
    Value value;
    e = is_literal(p->f->g, v->binding)              ? v->binding
        : parameter_value(p, var, &value) == EVAL_OK ? eval_literal(p->f->g, &value)
                                                     : EXPR_NONE;
    map_put(&p->literals, var, e);
    return e;
}

/* ---- leaves ---- */

static void scope(void *user, uint32_t iterator, bool enter)
{
    FlatPrinter *p = user;
    if (enter)
        map_put(&p->iterators, iterator, ++p->n_iterators);
    else
        p->n_iterators--;
}

/* i1, i2, … by their nesting. */
static const char *iterator_name(FlatPrinter *p, uint32_t index)
{
    const char *name = arena_printf(p->arena, "i%u", map_get(&p->iterators, index));
    while (flat_has_variable(p, name))
        name = arena_printf(p->arena, "%s_", name);
    return name;
}

/* A constant as its value, unless that is too long. */
static void print_variable(FlatPrinter *p, uint32_t var, char *buf, size_t size)
{
    ExprId literal = flat_constant(p, var);
    const char *text = literal ? flat_expr(p, literal) : NULL;
    if (!text || strlen(text) + sizeof "()" > size)
        snprintf(buf, size, "%s", var_name(p, var));
    else
        snprintf(buf, size, text[0] == '-' ? "(%s)" : "%s", text);
}

static void print_leaf(void *user, const Graph *g, ExprId leaf, char *buf, size_t size)
{
    FlatPrinter *p = user;
    uint32_t index = expr_index(g, leaf);
    switch (expr_op(g, leaf)) {
    case OP_VAR:
        if (index < p->f->vars.n)
            print_variable(p, index, buf, size);
        break;
    case OP_ITER: snprintf(buf, size, "%s", iterator_name(p, index)); break;
    case OP_LOCAL:
        if (p->function && index < p->function->n_vars)
            snprintf(buf, size, "%s", flat_identifier(p, p->function->vars[index].name));
        break;
    default: break;
    }
}

static const char *function_name(void *user, ExprId e)
{
    return flat_function_of_expr(user, e);
}

static const char *type_name(void *user, TypeId type)
{
    return flat_class_of_type(user, type);
}

const char *flat_expr(FlatPrinter *p, ExprId e)
{
    ExprStyle style = {print_leaf, function_name, type_name, scope, p, p->function != NULL};
    return expr_print_again(p->f->g, e, &style, p->arena);
}

void flat_put_string(FlatPrinter *p, const char *s)
{
    text_put_char(&p->t, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_put_char(&p->t, '\\');
        if (*s == '\n')
            text_put(&p->t, "\\n");
        else
            text_put_char(&p->t, *s);
    }
    text_put_char(&p->t, '"');
}

void flat_indent(FlatPrinter *p, unsigned depth)
{
    text_printf(&p->t, "%*s", (int)(2 * depth), "");
}

/* ---- types ---- */

void flat_put_dims(FlatPrinter *p, TypeId type)
{
    Types *types = p->f->g->types;
    uint32_t rank = type_rank(types, type);
    for (uint32_t i = 0; i < rank; i++) {
        int64_t n = type_dim(types, type, i);
        text_put(&p->t, i ? ", " : "[");
        if (n < 0)
            text_put_char(&p->t, ':');
        else
            text_printf(&p->t, "%lld", (long long)n);
    }
    text_put(&p->t, rank ? "]" : "");
}

/* ---- statements ---- */

static void print_branches(FlatPrinter *p, const Stmt *s, const char *word, unsigned depth)
{
    for (uint32_t i = 0; i < s->n_branches; i++) {
        const StmtBranch *b = &s->branches[i];
        flat_indent(p, depth);
        if (b->condition)
            text_printf(&p->t, "%s%s %s then\n", i ? "else" : "", word, flat_expr(p, b->condition));
        else
            text_put(&p->t, "else\n");
        flat_statements(p, b->body, b->n, depth + 1);
    }
    flat_indent(p, depth);
    text_printf(&p->t, "end %s;\n", word);
}

static void print_loop(FlatPrinter *p, const Stmt *s, unsigned depth)
{
    const char *range = s->kind == STMT_FOR ? flat_expr(p, s->rhs) : NULL;
    if (range)
        scope(p, expr_index(p->f->g, s->lhs), true);
    if (range)
        text_printf(&p->t, "for %s in %s loop\n", flat_expr(p, s->lhs), range);
    else
        text_printf(&p->t, "while %s loop\n", flat_expr(p, s->branches[0].condition));
    flat_statements(p, s->branches[0].body, s->branches[0].n, depth + 1);
    if (range)
        scope(p, expr_index(p->f->g, s->lhs), false);
    flat_indent(p, depth);
    text_put(&p->t, s->kind == STMT_FOR ? "end for;\n" : "end while;\n");
}

/* Several values at once are assigned through a function, because statements act one after the
 * other. */
static void print_assignment(FlatPrinter *p, const Stmt *s)
{
    const Graph *g = p->f->g;
    bool several = expr_op(g, s->rhs) == OP_TUPLE;
    text_printf(&p->t, "%s := %s%s;\n", flat_expr(p, s->lhs),
                several ? flat_class_of_values(p, s->rhs) : "", flat_expr(p, s->rhs));
}

static void print_stmt(FlatPrinter *p, const Stmt *s, unsigned depth)
{
    if (s->kind == STMT_IF || s->kind == STMT_WHEN) {
        print_branches(p, s, s->kind == STMT_IF ? "if" : "when", depth);
        return;
    }
    flat_indent(p, depth);
    switch (s->kind) {
    case STMT_ASSIGN: print_assignment(p, s); break;
    case STMT_CALL: text_printf(&p->t, "%s;\n", flat_expr(p, s->rhs)); break;
    case STMT_FOR:
    case STMT_WHILE: print_loop(p, s, depth); break;
    case STMT_BREAK: text_put(&p->t, "break;\n"); break;
    case STMT_RETURN: text_put(&p->t, "return;\n"); break;
    case STMT_ASSERT:
        text_printf(&p->t, "assert(%s, %s%s);\n", flat_expr(p, s->lhs), flat_expr(p, s->rhs),
                    s->warning ? ", AssertionLevel.warning" : "");
        break;
    case STMT_TERMINATE: text_printf(&p->t, "terminate(%s);\n", flat_expr(p, s->rhs)); break;
    case STMT_REINIT:
        text_printf(&p->t, "reinit(%s, %s);\n", flat_expr(p, s->lhs), flat_expr(p, s->rhs));
        break;
    default: break;
    }
}

void flat_statements(FlatPrinter *p, const Stmt *stmts, uint32_t n, unsigned depth)
{
    for (uint32_t i = 0; i < n; i++)
        print_stmt(p, &stmts[i], depth);
}

/* ---- variables ---- */

static void put_attribute(FlatPrinter *p, const FlatVar *v, const char *name, ExprId e, unsigned *n)
{
    if (!e)
        return;
    const Types *types = p->f->g->types;
    bool each = type_rank(types, v->type) && !type_rank(types, expr_type(p->f->g, e));
    text_printf(&p->t, "%s%s%s = %s", (*n)++ ? ", " : "(", each ? "each " : "", name,
                flat_expr(p, e));
}

static Name trait_name(const FlatTraits *t, Trait trait)
{
    return trait == TRAIT_UNIT ? t->unit : trait == TRAIT_QUANTITY ? t->quantity : t->display_unit;
}

static bool same_trait(const FlatTraits *a, const FlatTraits *b, Trait trait)
{
    return trait == TRAIT_SELECT ? a->state_select == b->state_select
                                 : trait_name(a, trait) == trait_name(b, trait);
}

static bool has_trait(const FlatTraits *t, Trait trait)
{
    if (trait != TRAIT_SELECT)
        return trait_name(t, trait);
    return t->state_select != SELECT_DEFAULT && t->state_select >= SELECT_NEVER &&
           t->state_select <= SELECT_ALWAYS;
}

static void put_trait_value(FlatPrinter *p, const FlatTraits *t, Trait trait)
{
    static const char *const select[] = {
        [SELECT_NEVER] = "never", "avoid", "default", "prefer", "always"};
    if (trait == TRAIT_SELECT)
        text_printf(&p->t, "StateSelect.%s",
                    has_trait(t, trait) ? select[t->state_select] : "default");
    else
        flat_put_string(p, has_trait(t, trait) ? trait_name(t, trait) : "");
}

/* The values of all elements below dimension `level`, in braces; *element advances. */
static void put_trait_values(FlatPrinter *p, const FlatVar *v, Trait trait, uint32_t level,
                             uint32_t *element)
{
    const Types *types = p->f->g->types;
    if (level == type_rank(types, v->type)) {
        put_trait_value(p, &v->shared->each[(*element)++], trait);
        return;
    }
    for (int64_t i = 0; i < type_get(types, v->type)->dims[level]; i++) {
        text_put(&p->t, i ? ", " : "{");
        put_trait_values(p, v, trait, level + 1, element);
    }
    text_put(&p->t, "}");
}

static void put_trait(FlatPrinter *p, const FlatVar *v, const char *name, Trait trait, unsigned *n)
{
    int64_t count = v->shared->each ? type_count(p->f->g->types, v->type) : 0;
    bool given = has_trait(&v->shared->traits, trait), alike = true;
    for (int64_t i = 0; i < count; i++) {
        given |= has_trait(&v->shared->each[i], trait);
        alike &= same_trait(&v->shared->each[i], &v->shared->traits, trait);
    }
    if (!given)
        return;
    bool each = alike && type_rank(p->f->g->types, v->type);
    text_printf(&p->t, "%s%s%s = ", (*n)++ ? ", " : "(", each ? "each " : "", name);
    uint32_t element = 0;
    if (alike)
        put_trait_value(p, &v->shared->traits, trait);
    else
        put_trait_values(p, v, trait, 0, &element);
}

static void put_attributes(FlatPrinter *p, const FlatVar *v)
{
    unsigned n = 0;
    put_trait(p, v, "quantity", TRAIT_QUANTITY, &n);
    put_trait(p, v, "unit", TRAIT_UNIT, &n);
    put_trait(p, v, "displayUnit", TRAIT_DISPLAY_UNIT, &n);
    put_attribute(p, v, "min", v->min, &n);
    put_attribute(p, v, "max", v->max, &n);
    put_attribute(p, v, "start", v->start, &n);
    put_attribute(p, v, "fixed", v->fixed, &n);
    put_attribute(p, v, "nominal", v->nominal, &n);
    put_trait(p, v, "stateSelect", TRAIT_SELECT, &n);
    text_put(&p->t, n ? ")" : "");
}

static void print_var(FlatPrinter *p, uint32_t i)
{
    const FlatVar *v = &p->f->vars.at[i];
    static const char *const causality[] = {"", "input ", "output "};
    TypeId element = type_element(p->f->g->types, v->type);
    flat_indent(p, 1);
    text_put(&p->t, v->is_final ? "final " : "");
    text_put(&p->t, v->variability == VARIES_CONSTANT                        ? "constant "
                    : v->variability == VARIES_PARAMETER                     ? "parameter "
                    : v->variability == VARIES_DISCRETE && element == T_REAL ? "discrete "
                                                                             : "");
    text_put(&p->t, causality[v->causality]);
    text_put(&p->t, v->nondiscrete ? "nondiscrete " : "");
    text_put(&p->t, flat_class_of_type(p, element));
    flat_put_dims(p, v->type);
    text_printf(&p->t, " %s", var_name(p, i));
    put_attributes(p, v);
    ExprId binding = flat_constant(p, i) ? flat_constant(p, i) : v->binding;
    if (binding)
        text_printf(&p->t, " = %s", flat_expr(p, binding));
    if (v->shared->description) {
        text_put_char(&p->t, ' ');
        flat_put_string(p, v->shared->description);
    }
    text_put(&p->t, ";\n");
}

/* ---- equations ---- */

static void print_eq(FlatPrinter *p, const FlatEq *eq, unsigned depth);

static void print_eq_branches(FlatPrinter *p, const FlatEq *eq, const char *word, unsigned depth)
{
    for (uint32_t i = 0; i < eq->n_branches; i++) {
        const FlatBranch *b = &eq->branches[i];
        flat_indent(p, depth);
        if (b->condition)
            text_printf(&p->t, "%s%s %s then\n", i ? "else" : "", word, flat_expr(p, b->condition));
        else
            text_put(&p->t, "else\n");
        for (uint32_t k = 0; k < b->n; k++)
            print_eq(p, &b->body[k], depth + 1);
    }
    flat_indent(p, depth);
    text_printf(&p->t, "end %s;\n", word);
}

/* The second result of a call, and those after it, are taken by a list of results. */
static void print_equality(FlatPrinter *p, const FlatEq *eq)
{
    const Graph *g = p->f->g;
    uint32_t skipped = expr_op(g, eq->rhs) == OP_OUT ? expr_index(g, eq->rhs) : 0;
    if (skipped) {
        text_put(&p->t, "(");
        for (uint32_t i = 0; i < skipped; i++)
            text_put(&p->t, ", ");
        text_printf(&p->t, "%s) = %s;\n", flat_expr(p, eq->lhs),
                    flat_expr(p, expr_arg(g, eq->rhs, 0)));
        return;
    }
    text_printf(&p->t, "%s = %s;\n", flat_expr(p, eq->lhs), flat_expr(p, eq->rhs));
}

/* ---- conditions on parameters ---- */

/* 1 or 0 if the condition depends only on parameters with values, as the reader of the text decides
 * it; otherwise -1. */
static int decided(FlatPrinter *p, ExprId condition)
{
    EvalEnv env = {.g = p->f->g,
                   .arena = p->arena,
                   .var = parameter_value,
                   .user = p,
                   .time = NAN,
                   .silent = true};
    double value;
    if (!condition)
        return 1;
    if (flat_variability(p->f, condition) > VARIES_PARAMETER)
        return -1;
    return eval_number(&env, condition, &value) == EVAL_OK ? value != 0 : -1;
}

FlatEq flat_reduced(FlatPrinter *p, const FlatEq *eq)
{
    FlatEq rest = *eq;
    rest.branches = ARENA_ARRAY(p->arena, FlatBranch, eq->n_branches + 1);
    rest.n_branches = 0;
    for (uint32_t i = 0; i < eq->n_branches; i++) {
        int known = decided(p, eq->branches[i].condition);
        if (known == 0)
            continue;
        FlatBranch *b = &rest.branches[rest.n_branches++];
        *b = eq->branches[i];
        b->condition = known == 1 ? EXPR_NONE : b->condition;
        if (known == 1)
            break;
    }
    return rest;
}

static void print_if(FlatPrinter *p, const FlatEq *eq, unsigned depth)
{
    FlatEq rest = flat_reduced(p, eq);
    if (rest.n_branches && rest.branches[0].condition)
        print_eq_branches(p, &rest, "if", depth);
    for (uint32_t i = 0; rest.n_branches && !rest.branches[0].condition && i < rest.branches[0].n;
         i++)
        print_eq(p, &rest.branches[0].body[i], depth);
}

static void print_eq(FlatPrinter *p, const FlatEq *eq, unsigned depth)
{
    if (eq->kind == FLAT_IF) {
        print_if(p, eq, depth);
        return;
    }
    if (eq->kind == FLAT_WHEN) {
        print_eq_branches(p, eq, "when", depth);
        return;
    }
    if (eq->kind == FLAT_ALGORITHM) {
        flat_statements(p, eq->stmts, eq->n_stmts, depth);
        return;
    }
    flat_indent(p, depth);
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL: print_equality(p, eq); break;
    case FLAT_REINIT:
        text_printf(&p->t, "reinit(%s, %s);\n", flat_expr(p, eq->lhs), flat_expr(p, eq->rhs));
        break;
    case FLAT_ASSERT:
        text_printf(&p->t, "assert(%s, %s%s);\n", flat_expr(p, eq->lhs), flat_expr(p, eq->rhs),
                    eq->warning ? ", AssertionLevel.warning" : "");
        break;
    case FLAT_TERMINATE: text_printf(&p->t, "terminate(%s);\n", flat_expr(p, eq->rhs)); break;
    default: text_printf(&p->t, "%s;\n", flat_expr(p, eq->rhs)); break;
    }
}

/* The equations of a partition with an assumed clock: one of them names it, the others follow. */
static bool says_clock(FlatPrinter *p, const FlatEq *eq, bool *said)
{
    const Graph *g = p->f->g;
    if (!eq->partition || eq->initial || eq->kind != FLAT_EQUAL || expr_op(g, eq->lhs) != OP_VAR)
        return false;
    bool says = p->f->clocks.at[eq->partition - 1].assumed && !said[eq->partition];
    said[eq->partition] |= says;
    return says;
}

static void print_clocked(FlatPrinter *p, const FlatEq *eq)
{
    flat_indent(p, 1);
    text_printf(&p->t, "when %s then\n",
                flat_expr(p, p->f->clocks.at[eq->partition - 1].base_clock));
    print_eq(p, eq, 2);
    flat_indent(p, 1);
    text_put(&p->t, "end when;\n");
}

/* Equations or algorithm sections: algorithms are read after equations, in any order of the text.
 */
static void print_sections(FlatPrinter *p, bool algorithms)
{
    const char *section = "";
    bool *said = ARENA_ARRAY(p->arena, bool, p->f->clocks.n + 1);
    for (uint32_t i = 0; i < p->f->eqs.n; i++) {
        const FlatEq *eq = &p->f->eqs.at[i];
        if ((eq->kind == FLAT_ALGORITHM) != algorithms)
            continue;
        const char *want = eq->kind == FLAT_ALGORITHM
                               ? (eq->initial ? "initial algorithm" : "algorithm")
                           : eq->initial ? "initial equation"
                                         : "equation";
        if (strcmp(section, want) || eq->kind == FLAT_ALGORITHM)
            text_printf(&p->t, "%s\n", want);
        section = want;
        if (says_clock(p, eq, said))
            print_clocked(p, eq);
        else
            print_eq(p, eq, 1);
    }
}

static void print_experiment(FlatPrinter *p)
{
    const Experiment *x = &p->f->experiment;
    const struct {
        const char *name;
        double value;
    } all[] = {{"StartTime", x->start},
               {"StopTime", x->stop},
               {"Tolerance", x->tolerance},
               {"Interval", x->interval}};
    unsigned n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(all[i].value == all[i].value))
            continue;
        text_printf(&p->t, "%s%s = ", n++ ? ", " : "  annotation(experiment(", all[i].name);
        text_put_real(&p->t, all[i].value);
    }
    text_put(&p->t, n ? "));\n" : "");
}

static void put_ratio(FlatPrinter *p, const char *what, FlatRatio r)
{
    text_printf(&p->t, ", %s %lld", what, (long long)r.num);
    if (r.den != 1)
        text_printf(&p->t, "/%lld", (long long)r.den);
}

/* The clocks of the partitions, for the reader. */
static void print_clocks(FlatPrinter *p)
{
    for (uint32_t i = 0; i < p->f->clocks.n; i++) {
        const FlatClock *c = &p->f->clocks.at[i];
        text_printf(&p->t, "  // partition %u.%u: %s", c->base, i + 1,
                    c->base_clock ? flat_expr(p, c->base_clock) : "?");
        put_ratio(p, "factor", c->factor);
        put_ratio(p, "shift", c->shift);
        text_printf(&p->t, c->solver ? ", solver %s\n" : "\n", c->solver);
    }
}

void flat_each_function(const Flat *f, void (*visit)(void *user, const Function *f), void *user)
{
    FlatPrinter p = {.f = f, .arena = arena_new()};
    flat_classes_collect(&p);
    for (uint32_t i = 0; i < p.used.n; i++)
        if (p.used.at[i].function)
            visit(user, p.used.at[i].function);
    flat_classes_free(&p);
    arena_free(p.arena);
}

char *flat_print(const Flat *f, Arena *arena)
{
    FlatPrinter p = {.f = f, .arena = arena_new()};
    const char *name = flat_identifier(&p, f->name);
    flat_classes_collect(&p);
    flat_classes_print(&p);
    text_printf(&p.t, "model %s", name);
    if (f->description) {
        text_put_char(&p.t, ' ');
        flat_put_string(&p, f->description);
    }
    text_put_char(&p.t, '\n');
    bool is_protected = false;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        if (f->vars.at[i].is_protected != is_protected)
            text_put(&p.t, is_protected ? "public\n" : "protected\n");
        is_protected = f->vars.at[i].is_protected;
        print_var(&p, i);
    }
    print_sections(&p, false);
    print_sections(&p, true);
    print_clocks(&p);
    print_experiment(&p);
    text_printf(&p.t, "end %s;\n", name);
    flat_classes_free(&p);
    arena_free(p.arena);
    return text_keep(&p.t, arena);
}
