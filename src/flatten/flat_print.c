/* The flat model as Modelica text. Names with dots and brackets are quoted identifiers, so that Kairos reads the
 * text again. Functions, records and enumerations stand before the model in packages of their names; those of the
 * model's own class stand inside it. */
#include "flatten/flat.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Printer {
    const Flat *f;
    Text t;
    Arena *arena;             /* scratch */
    const Function *function; /* being printed; NULL in the model */
} Printer;

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
    return !strpbrk(s, ".[],' ");
}

/* s as an identifier: as it is, or quoted. */
static const char *identifier(Printer *p, const char *s)
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

static const char *var_name(Printer *p, uint32_t var)
{
    return identifier(p, flat_var_name(p->f, var, p->arena));
}

static void print_leaf(void *user, const Graph *g, ExprId leaf, char *buf, size_t size)
{
    Printer *p = user;
    uint32_t index = expr_index(g, leaf);
    switch (expr_op(g, leaf)) {
    case OP_VAR:
        if (index < p->f->vars.n)
            snprintf(buf, size, "%s", var_name(p, index));
        break;
    case OP_LOCAL:
        if (p->function && index < p->function->n_vars)
            snprintf(buf, size, "%s", p->function->vars[index].name);
        break;
    default: break;
    }
}

static const char *expr(Printer *p, ExprId e)
{
    return expr_print(p->f->g, e, print_leaf, p, p->arena);
}

static void put_string(Printer *p, const char *s)
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

static void indent(Printer *p, unsigned depth)
{
    text_printf(&p->t, "%*s", (int)(2 * depth), "");
}

/* ---- types ---- */

static void put_type(Printer *p, TypeId type)
{
    Types *types = p->f->g->types;
    uint32_t rank = type_rank(types, type);
    text_put(&p->t, type_print(types, type_element(types, type), p->arena));
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

static void print_stmts(Printer *p, const Stmt *stmts, uint32_t n, unsigned depth);

static void print_branches(Printer *p, const Stmt *s, const char *word, unsigned depth)
{
    for (uint32_t i = 0; i < s->n_branches; i++) {
        const StmtBranch *b = &s->branches[i];
        indent(p, depth);
        if (b->condition)
            text_printf(&p->t, "%s%s %s then\n", i ? "else" : "", word, expr(p, b->condition));
        else
            text_put(&p->t, "else\n");
        print_stmts(p, b->body, b->n, depth + 1);
    }
    indent(p, depth);
    text_printf(&p->t, "end %s;\n", word);
}

static void print_loop(Printer *p, const Stmt *s, unsigned depth)
{
    if (s->kind == STMT_FOR)
        text_printf(&p->t, "for %s in %s loop\n", expr(p, s->lhs), expr(p, s->rhs));
    else
        text_printf(&p->t, "while %s loop\n", expr(p, s->branches[0].condition));
    print_stmts(p, s->branches[0].body, s->branches[0].n, depth + 1);
    indent(p, depth);
    text_put(&p->t, s->kind == STMT_FOR ? "end for;\n" : "end while;\n");
}

static void print_stmt(Printer *p, const Stmt *s, unsigned depth)
{
    if (s->kind == STMT_IF || s->kind == STMT_WHEN) {
        print_branches(p, s, s->kind == STMT_IF ? "if" : "when", depth);
        return;
    }
    indent(p, depth);
    switch (s->kind) {
    case STMT_ASSIGN: text_printf(&p->t, "%s := %s;\n", expr(p, s->lhs), expr(p, s->rhs)); break;
    case STMT_CALL: text_printf(&p->t, "%s;\n", expr(p, s->rhs)); break;
    case STMT_FOR:
    case STMT_WHILE: print_loop(p, s, depth); break;
    case STMT_BREAK: text_put(&p->t, "break;\n"); break;
    case STMT_RETURN: text_put(&p->t, "return;\n"); break;
    case STMT_ASSERT:
        text_printf(&p->t, "assert(%s, %s%s);\n", expr(p, s->lhs), expr(p, s->rhs),
                    s->warning ? ", AssertionLevel.warning" : "");
        break;
    case STMT_TERMINATE: text_printf(&p->t, "terminate(%s);\n", expr(p, s->rhs)); break;
    case STMT_REINIT: text_printf(&p->t, "reinit(%s, %s);\n", expr(p, s->lhs), expr(p, s->rhs)); break;
    default: break;
    }
}

static void print_stmts(Printer *p, const Stmt *stmts, uint32_t n, unsigned depth)
{
    for (uint32_t i = 0; i < n; i++)
        print_stmt(p, &stmts[i], depth);
}

/* ---- classes around the model ---- */

/* A function, record or enumeration that the model uses. */
typedef struct Used {
    Name name;
    const Function *function;
    TypeId type;
} Used;

typedef struct UsedList {
    VEC(Used) all;
    Map types, functions, nodes;
} UsedList;

static void use_stmts(Printer *p, UsedList *u, const Stmt *s, uint32_t n);
static void use_expr(Printer *p, UsedList *u, ExprId e);

static void use_type(Printer *p, UsedList *u, TypeId type)
{
    Types *types = p->f->g->types;
    type = type_element(types, type);
    const Type *t = type_get(types, type);
    if ((t->kind != TYPE_ENUM && t->kind != TYPE_RECORD && t->kind != TYPE_EXTERNAL) ||
        map_get(&u->types, type) != MAP_NONE || !t->name)
        return;
    map_put(&u->types, type, 1);
    if (strcmp(t->name, "StateSelect") && strcmp(t->name, "AssertionLevel"))
        vec_push(&u->all, ((Used){t->name, NULL, type}));
    for (uint32_t i = 0; t->kind == TYPE_RECORD && i < t->n; i++)
        use_type(p, u, t->fields[i].type);
}

static void use_function(Printer *p, UsedList *u, const Function *f)
{
    if (map_get(&u->functions, f->id) != MAP_NONE)
        return;
    map_put(&u->functions, f->id, 1);
    vec_push(&u->all, ((Used){f->name, f, T_NONE}));
    if (f->destructor)
        use_function(p, u, f->destructor);
    if (f->partial_of)
        use_function(p, u, f->partial_of);
    for (uint32_t i = 0; i < f->n_vars; i++) {
        use_type(p, u, f->vars[i].type);
        use_expr(p, u, f->vars[i].binding);
    }
    use_stmts(p, u, f->body, f->n_body);
}

static void use_expr(Printer *p, UsedList *u, ExprId e)
{
    const Graph *g = p->f->g;
    VEC(ExprId) stack = {0};
    vec_push(&stack, e);
    while (stack.n) {
        ExprId x = vec_pop(&stack);
        if (x == EXPR_NONE || map_get(&u->nodes, x) != MAP_NONE)
            continue;
        map_put(&u->nodes, x, 1);
        ExprOp op = expr_op(g, x);
        if (op == OP_ENUM || op == OP_RECORD || op == OP_TO_ENUM)
            use_type(p, u, expr_type(g, x));
        if (op == OP_CALL || op == OP_FUNCTION)
            use_function(p, u, g->functions.at[expr_index(g, x)]);
        for (uint32_t i = 0; i < expr_n(g, x); i++)
            vec_push(&stack, expr_arg(g, x, i));
    }
    vec_free(&stack);
}

static void use_stmts(Printer *p, UsedList *u, const Stmt *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        use_expr(p, u, s[i].lhs);
        use_expr(p, u, s[i].rhs);
        for (uint32_t k = 0; k < s[i].n_branches; k++) {
            use_expr(p, u, s[i].branches[k].condition);
            use_stmts(p, u, s[i].branches[k].body, s[i].branches[k].n);
        }
    }
}

static void use_eqs(Printer *p, UsedList *u, const FlatEq *eqs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        use_expr(p, u, eqs[i].lhs);
        use_expr(p, u, eqs[i].rhs);
        for (uint32_t k = 0; k < eqs[i].n_branches; k++) {
            use_expr(p, u, eqs[i].branches[k].condition);
            use_eqs(p, u, eqs[i].branches[k].body, eqs[i].branches[k].n);
        }
        use_stmts(p, u, eqs[i].stmts, eqs[i].n_stmts);
    }
}

static int compare_used(const void *a, const void *b)
{
    return strcmp(((const Used *)a)->name, ((const Used *)b)->name);
}

static UsedList used_by(Printer *p)
{
    UsedList u = {0};
    for (uint32_t i = 0; i < p->f->vars.n; i++) {
        const FlatVar *v = &p->f->vars.at[i];
        const ExprId e[] = {v->binding, v->start, v->min, v->max, v->nominal, v->fixed};
        use_type(p, &u, v->type);
        for (size_t k = 0; k < sizeof e / sizeof *e; k++)
            use_expr(p, &u, e[k]);
    }
    use_eqs(p, &u, p->f->eqs.at, p->f->eqs.n);
    if (u.all.n)
        qsort(u.all.at, u.all.n, sizeof(Used), compare_used);
    return u;
}

/* Length of the first part of a class name. */
static size_t part_length(const char *s)
{
    size_t n = 0;
    for (bool quoted = false; s[n] && (quoted || s[n] != '.'); n++)
        if (s[n] == '\'')
            quoted = !quoted;
    return n;
}

static const char *last_part(const char *s)
{
    for (size_t n = part_length(s); s[n]; n = part_length(s))
        s += n + 1;
    return s;
}

static void print_type(Printer *p, TypeId type, const char *name, unsigned depth)
{
    const Type *t = type_get(p->f->g->types, type);
    indent(p, depth);
    if (t->kind == TYPE_ENUM) {
        text_printf(&p->t, "type %s = enumeration(", name);
        for (uint32_t i = 0; i < t->n; i++)
            text_printf(&p->t, "%s%s", i ? ", " : "", t->fields[i].name);
        text_put(&p->t, ");\n");
        return;
    }
    text_printf(&p->t, "record %s\n", name);
    for (uint32_t i = 0; i < t->n; i++) {
        indent(p, depth + 1);
        put_type(p, t->fields[i].type);
        text_printf(&p->t, " %s;\n", t->fields[i].name);
    }
    indent(p, depth);
    text_printf(&p->t, "end %s;\n", name);
}

static void print_fn_var(Printer *p, const FnVar *v, unsigned depth)
{
    static const char *const prefix[] = {"input ", "output ", "protected "};
    indent(p, depth);
    text_put(&p->t, prefix[v->kind]);
    Types *types = p->f->g->types;
    text_put(&p->t, type_print(types, type_element(types, v->type), p->arena));
    text_printf(&p->t, " %s", v->name);
    uint32_t rank = type_rank(types, v->type);
    for (uint32_t i = 0; i < rank; i++)
        text_printf(&p->t, "%s%s", i ? ", " : "[", v->dims && v->dims[i] ? expr(p, v->dims[i]) : ":");
    text_put(&p->t, rank ? "]" : "");
    if (v->binding)
        text_printf(&p->t, " = %s", expr(p, v->binding));
    text_put(&p->t, ";\n");
}

static void put_strings(Printer *p, const char *name, const char *const *texts, uint32_t n, unsigned *count)
{
    if (!n)
        return;
    text_printf(&p->t, "%s%s = {", (*count)++ ? ", " : " annotation(", name);
    for (uint32_t i = 0; i < n; i++) {
        text_put(&p->t, i ? ", " : "");
        put_string(p, texts[i]);
    }
    text_put(&p->t, "}");
}

static void put_folder(Printer *p, const char *name, const char *folder, unsigned *count)
{
    if (!folder)
        return;
    text_printf(&p->t, "%s%s = ", (*count)++ ? ", " : " annotation(", name);
    put_string(p, folder);
}

/* The annotations that say where the code of an external function is. */
static void put_code(Printer *p, const FnExternal *x)
{
    unsigned n = 0;
    put_strings(p, "Include", x->includes, x->n_includes, &n);
    put_strings(p, "Library", x->libraries, x->n_libraries, &n);
    if (n) {
        put_folder(p, "IncludeDirectory", x->include_folder, &n);
        put_folder(p, "LibraryDirectory", x->library_folder, &n);
        put_folder(p, "SourceDirectory", x->source_folder, &n);
        text_put(&p->t, ")");
    }
}

static void print_external(Printer *p, const FnExternal *x, unsigned depth)
{
    indent(p, depth);
    text_printf(&p->t, "external \"%s\" ", x->language);
    if (x->result != UINT32_MAX)
        text_printf(&p->t, "%s = ", p->function->vars[p->function->n_in + x->result].name);
    text_printf(&p->t, "%s(", x->symbol);
    for (uint32_t i = 0; i < x->n_args; i++)
        text_printf(&p->t, "%s%s", i ? ", " : "", expr(p, x->args[i]));
    text_put(&p->t, ")");
    if (strcmp(x->language, "builtin"))
        put_code(p, x);
    text_put(&p->t, ";\n");
}

static void print_function(Printer *p, const Function *f, const char *name, unsigned depth)
{
    p->function = f;
    indent(p, depth);
    if (f->partial_of) {
        text_printf(&p->t, "function %s = der(%s", name, f->partial_of->name);
        for (uint32_t i = 0; i < f->n_partial; i++)
            text_printf(&p->t, ", %s", f->vars[f->partial_inputs[i]].name);
        text_put(&p->t, ");\n");
        return;
    }
    text_printf(&p->t, "%sfunction %s\n", f->impure ? "impure " : "", name);
    for (uint32_t i = 0; i < f->n_vars; i++)
        print_fn_var(p, &f->vars[i], depth + 1);
    if (f->external) {
        print_external(p, f->external, depth);
    } else {
        indent(p, depth);
        text_put(&p->t, "algorithm\n");
        print_stmts(p, f->body, f->n_body, depth + 1);
    }
    indent(p, depth);
    text_printf(&p->t, "end %s;\n", name);
    p->function = NULL;
}

static bool is_object(const Printer *p, TypeId type)
{
    return type_get(p->f->g->types, type)->kind == TYPE_EXTERNAL;
}

static void print_used(Printer *p, const UsedList *u, uint32_t from, uint32_t to, size_t skip, unsigned depth);

/* A class of external objects, number `from`, with the functions that follow it. Returns the number after these. */
static uint32_t print_object(Printer *p, const UsedList *u, uint32_t from, uint32_t to, size_t skip,
                             unsigned depth)
{
    const char *name = u->all.at[from].name + skip;
    size_t n = strlen(name);
    uint32_t end = from + 1;
    while (end < to && !strncmp(u->all.at[end].name + skip, name, n) && u->all.at[end].name[skip + n] == '.')
        end++;
    indent(p, depth);
    text_printf(&p->t, "class %s\n", name);
    indent(p, depth + 1);
    text_put(&p->t, "extends ExternalObject;\n");
    print_used(p, u, from + 1, end, skip + n + 1, depth + 1);
    indent(p, depth);
    text_printf(&p->t, "end %s;\n", name);
    return end;
}

/* Prints the classes [from, to), of which the first `skip` characters of the names are common packages. */
static void print_used(Printer *p, const UsedList *u, uint32_t from, uint32_t to, size_t skip, unsigned depth)
{
    while (from < to) {
        const char *name = u->all.at[from].name + skip;
        size_t n = part_length(name);
        if (!name[n] && !u->all.at[from].function && is_object(p, u->all.at[from].type)) {
            from = print_object(p, u, from, to, skip, depth);
            continue;
        }
        if (!name[n]) {
            if (u->all.at[from].function)
                print_function(p, u->all.at[from].function, last_part(name), depth);
            else
                print_type(p, u->all.at[from].type, last_part(name), depth);
            from++;
            continue;
        }
        uint32_t end = from;
        while (end < to && !strncmp(u->all.at[end].name + skip, name, n + 1))
            end++;
        const char *package = arena_copy(p->arena, name, n);
        indent(p, depth);
        text_printf(&p->t, "package %s\n", package);
        print_used(p, u, from, end, skip + n + 1, depth + 1);
        indent(p, depth);
        text_printf(&p->t, "end %s;\n", package);
        from = end;
    }
}

/* ---- variables ---- */

static void put_attribute(Printer *p, const FlatVar *v, const char *name, ExprId e, unsigned *n)
{
    if (!e)
        return;
    const Types *types = p->f->g->types;
    bool each = type_rank(types, v->type) && !type_rank(types, expr_type(p->f->g, e));
    text_printf(&p->t, "%s%s%s = %s", (*n)++ ? ", " : "(", each ? "each " : "", name, expr(p, e));
}

static void put_text(Printer *p, const FlatVar *v, const char *name, Name s, unsigned *n)
{
    if (!s)
        return;
    bool each = type_rank(p->f->g->types, v->type);
    text_printf(&p->t, "%s%s%s = ", (*n)++ ? ", " : "(", each ? "each " : "", name);
    put_string(p, s);
}

static void put_attributes(Printer *p, const FlatVar *v)
{
    static const char *const select[] = {"", "never", "avoid", "default", "prefer", "always"};
    unsigned n = 0;
    put_text(p, v, "quantity", v->quantity, &n);
    put_text(p, v, "unit", v->unit, &n);
    put_text(p, v, "displayUnit", v->display_unit, &n);
    put_attribute(p, v, "min", v->min, &n);
    put_attribute(p, v, "max", v->max, &n);
    put_attribute(p, v, "start", v->start, &n);
    put_attribute(p, v, "fixed", v->fixed, &n);
    put_attribute(p, v, "nominal", v->nominal, &n);
    if (v->state_select != SELECT_DEFAULT && v->state_select >= SELECT_NEVER &&
        v->state_select <= SELECT_ALWAYS) {
        bool each = type_rank(p->f->g->types, v->type);
        text_printf(&p->t, "%s%sstateSelect = StateSelect.%s", n++ ? ", " : "(", each ? "each " : "",
                    select[v->state_select]);
    }
    text_put(&p->t, n ? ")" : "");
}

static void print_var(Printer *p, uint32_t i)
{
    const FlatVar *v = &p->f->vars.at[i];
    static const char *const causality[] = {"", "input ", "output "};
    TypeId element = type_element(p->f->g->types, v->type);
    indent(p, 1);
    text_put(&p->t, v->is_final ? "final " : "");
    text_put(&p->t, v->variability == VARIES_CONSTANT                        ? "constant "
                    : v->variability == VARIES_PARAMETER                     ? "parameter "
                    : v->variability == VARIES_DISCRETE && element == T_REAL ? "discrete "
                                                                             : "");
    text_put(&p->t, causality[v->causality]);
    put_type(p, v->type);
    text_printf(&p->t, " %s", var_name(p, i));
    put_attributes(p, v);
    if (v->binding)
        text_printf(&p->t, " = %s", expr(p, v->binding));
    if (v->description) {
        text_put_char(&p->t, ' ');
        put_string(p, v->description);
    }
    text_put(&p->t, ";\n");
}

/* ---- equations ---- */

static void print_eq(Printer *p, const FlatEq *eq, unsigned depth);

static void print_eq_branches(Printer *p, const FlatEq *eq, const char *word, unsigned depth)
{
    for (uint32_t i = 0; i < eq->n_branches; i++) {
        const FlatBranch *b = &eq->branches[i];
        indent(p, depth);
        if (b->condition)
            text_printf(&p->t, "%s%s %s then\n", i ? "else" : "", word, expr(p, b->condition));
        else
            text_put(&p->t, "else\n");
        for (uint32_t k = 0; k < b->n; k++)
            print_eq(p, &b->body[k], depth + 1);
    }
    indent(p, depth);
    text_printf(&p->t, "end %s;\n", word);
}

static void print_eq(Printer *p, const FlatEq *eq, unsigned depth)
{
    if (eq->kind == FLAT_IF || eq->kind == FLAT_WHEN) {
        print_eq_branches(p, eq, eq->kind == FLAT_IF ? "if" : "when", depth);
        return;
    }
    if (eq->kind == FLAT_ALGORITHM) {
        print_stmts(p, eq->stmts, eq->n_stmts, depth);
        return;
    }
    indent(p, depth);
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL: text_printf(&p->t, "%s = %s;\n", expr(p, eq->lhs), expr(p, eq->rhs)); break;
    case FLAT_REINIT: text_printf(&p->t, "reinit(%s, %s);\n", expr(p, eq->lhs), expr(p, eq->rhs)); break;
    case FLAT_ASSERT:
        text_printf(&p->t, "assert(%s, %s%s);\n", expr(p, eq->lhs), expr(p, eq->rhs),
                    eq->warning ? ", AssertionLevel.warning" : "");
        break;
    case FLAT_TERMINATE: text_printf(&p->t, "terminate(%s);\n", expr(p, eq->rhs)); break;
    default: text_printf(&p->t, "%s;\n", expr(p, eq->rhs)); break;
    }
}

static void print_eqs(Printer *p)
{
    const char *section = "";
    for (uint32_t i = 0; i < p->f->eqs.n; i++) {
        const FlatEq *eq = &p->f->eqs.at[i];
        const char *want = eq->kind == FLAT_ALGORITHM ? (eq->initial ? "initial algorithm" : "algorithm")
                           : eq->initial              ? "initial equation"
                                                      : "equation";
        if (strcmp(section, want) || eq->kind == FLAT_ALGORITHM)
            text_printf(&p->t, "%s\n", want);
        section = want;
        print_eq(p, eq, 1);
    }
}

static void print_experiment(Printer *p)
{
    const Experiment *x = &p->f->experiment;
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"StartTime", x->start}, {"StopTime", x->stop}, {"Tolerance", x->tolerance}, {"Interval", x->interval}};
    unsigned n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(all[i].value == all[i].value))
            continue;
        text_printf(&p->t, "%s%s = ", n++ ? ", " : "  annotation(experiment(", all[i].name);
        text_put_real(&p->t, all[i].value);
    }
    text_put(&p->t, n ? "));\n" : "");
}

static void put_ratio(Printer *p, const char *what, FlatRatio r)
{
    text_printf(&p->t, ", %s %lld", what, (long long)r.num);
    if (r.den != 1)
        text_printf(&p->t, "/%lld", (long long)r.den);
}

/* The clocks of the partitions, for the reader. */
static void print_clocks(Printer *p)
{
    for (uint32_t i = 0; i < p->f->clocks.n; i++) {
        const FlatClock *c = &p->f->clocks.at[i];
        text_printf(&p->t, "  // partition %u.%u: %s", c->base, i + 1,
                    c->base_clock ? expr(p, c->base_clock) : "?");
        put_ratio(p, "factor", c->factor);
        put_ratio(p, "shift", c->shift);
        text_printf(&p->t, c->solver ? ", solver %s\n" : "\n", c->solver);
    }
}

char *flat_print(const Flat *f, Arena *arena)
{
    Printer p = {.f = f, .arena = arena_new()};
    UsedList used = used_by(&p);
    const char *name = identifier(&p, f->name);
    size_t own = strlen(f->name);
    uint32_t from = 0, to = 0; /* classes of the model itself */
    for (uint32_t i = 0; i < used.all.n; i++)
        if (!strncmp(used.all.at[i].name, f->name, own) && used.all.at[i].name[own] == '.' &&
            !strchr(f->name, '.')) {
            from = to ? from : i;
            to = i + 1;
        }
    print_used(&p, &used, 0, from, 0, 0);
    print_used(&p, &used, to, used.all.n, 0, 0);
    text_printf(&p.t, "model %s", name);
    if (f->description) {
        text_put_char(&p.t, ' ');
        put_string(&p, f->description);
    }
    text_put_char(&p.t, '\n');
    print_used(&p, &used, from, to, own + 1, 1);
    bool is_protected = false;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        if (f->vars.at[i].is_protected != is_protected)
            text_put(&p.t, is_protected ? "public\n" : "protected\n");
        is_protected = f->vars.at[i].is_protected;
        print_var(&p, i);
    }
    print_eqs(&p);
    print_clocks(&p);
    print_experiment(&p);
    text_printf(&p.t, "end %s;\n", name);
    vec_free(&used.all);
    map_free(&used.types);
    map_free(&used.functions);
    map_free(&used.nodes);
    arena_free(p.arena);
    return text_keep(&p.t, arena);
}
