/* Functions, records, enumerations and external objects of a flat model, as classes before it. Each
 * has its full name as one quoted identifier. Several classes of one name (functions of redeclared
 * packages, records with modified fields) are distinguished by a number. */
#include "flatten/flat/flat_print.h"
#include "expr/walk.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- collecting ---- */

static void use_expr(FlatPrinter *p, ExprId e);

static bool is_known_type(const char *name)
{
    return !strcmp(name, "StateSelect") || !strcmp(name, "AssertionLevel");
}

static void use_type(FlatPrinter *p, TypeId type)
{
    Types *types = p->f->g->types;
    type = type_element(types, type);
    const Type *t = type_get(types, type);
    if ((t->kind != TYPE_ENUM && t->kind != TYPE_RECORD && t->kind != TYPE_EXTERNAL) ||
        map_get(&p->types, type) != MAP_NONE || !t->name || is_known_type(t->name))
        return;
    map_put(&p->types, type, p->used.n);
    vec_push(&p->used, ((Used){.own = t->name, .type = type}));
    for (uint32_t i = 0; t->kind == TYPE_RECORD && i < t->n; i++)
        use_type(p, t->fields[i].type);
}

/* A function that returns its arguments, of the types of a tuple. */
static void use_values(FlatPrinter *p, TypeId tuple)
{
    Types *types = p->f->g->types;
    const Type *t = type_get(types, tuple);
    if (map_get(&p->types, tuple) != MAP_NONE)
        return;
    Text name = {0};
    for (uint32_t i = 0; i < t->n; i++) {
        text_put(&name, i ? ", " : "values(");
        text_put(&name, type_print(types, t->fields[i].type, p->arena));
        use_type(p, t->fields[i].type);
    }
    text_put(&name, ")");
    map_put(&p->types, tuple, p->used.n);
    vec_push(&p->used, ((Used){.own = text_keep(&name, p->arena), .type = tuple}));
}

static void use_stmts(FlatPrinter *p, const Stmt *s, uint32_t n);

static void use_function(FlatPrinter *p, const Function *f)
{
    if (map_get(&p->functions, f->id) != MAP_NONE)
        return;
    map_put(&p->functions, f->id, p->used.n);
    vec_push(&p->used, ((Used){.own = f->name, .function = f}));
    if (f->destructor) {
        use_type(p, f->result);
        use_function(p, f->destructor);
    }
    if (f->inverse)
        use_function(p, f->inverse);
    if (f->partial_of)
        use_function(p, f->partial_of);
    for (uint32_t i = 0; i < f->n_derivatives; i++)
        use_function(p, f->derivatives[i].function);
    for (uint32_t i = 0; i < f->n_vars; i++) {
        uint32_t rank = f->vars[i].dims ? type_rank(p->f->g->types, f->vars[i].type) : 0;
        use_type(p, f->vars[i].type);
        if (f->vars[i].kind != FN_INPUT)
            use_expr(p, f->vars[i].binding);
        for (uint32_t k = 0; k < rank; k++)
            use_expr(p, f->vars[i].dims[k]);
    }
    for (uint32_t i = 0; f->external && i < f->external->n_args; i++)
        use_expr(p, f->external->args[i]);
    use_stmts(p, f->body, f->n_body);
}

/* Whether an expression depends only on the inputs of f. */
typedef struct Reach {
    const Graph *g;
    uint32_t n_in;
    bool inside;
} Reach;

static void reach(void *user, ExprId e)
{
    Reach *r = user;
    r->inside &= expr_op(r->g, e) != OP_LOCAL || expr_index(r->g, e) < r->n_in;
}

static bool is_of_inputs(const Graph *g, const Function *f, ExprId e)
{
    Reach r = {g, f->n_in, true};
    if (e)
        expr_walk(g, e, reach, &r);
    return r.inside;
}

/* Its declaration without references to other results. */
static FnVar result_variable(const FlatPrinter *p, const Function *f, uint32_t k, FnVarKind kind)
{
    FnVar v = f->vars[f->n_in + k];
    uint32_t rank = type_rank(p->f->g->types, v.type);
    v.kind = kind;
    if (kind == FN_LOCAL || !is_of_inputs(p->f->g, f, v.binding))
        v.binding = EXPR_NONE;
    ExprId *dims = ARENA_ARRAY(p->f->g->arena, ExprId, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = v.dims && is_of_inputs(p->f->g, f, v.dims[i]) ? v.dims[i] : EXPR_NONE;
    v.dims = dims;
    return v;
}

/* A function whose only result is result k of f. A call in an expression means the first result. */
static const Function *result_alone(FlatPrinter *p, const Function *f, uint32_t k)
{
    Graph *g = p->f->g;
    uint32_t known = map_get(&p->results, map_pair(f->id, k));
    if (known != MAP_NONE)
        return g->functions.at[known];
    Function *to = ARENA_NEW(g->arena, Function);
    *to = (Function){
        .id = g->functions.n, .n_in = f->n_in, .n_out = 1, .impure = f->impure, .span = f->span};
    to->name =
        name_of(g->ctx->names, arena_printf(p->arena, "%s.%s", f->name, f->vars[f->n_in + k].name));
    to->n_vars = f->n_in + k + 1;
    to->vars = ARENA_ARRAY(g->arena, FnVar, to->n_vars);
    memcpy(to->vars, f->vars, f->n_in * sizeof *to->vars);
    to->vars[f->n_in] = result_variable(p, f, k, FN_OUTPUT);
    ExprId *args = ARENA_ARRAY(g->arena, ExprId, to->n_vars + 1);
    for (uint32_t i = 0; i < f->n_in; i++)
        args[i] = expr_leaf(g, OP_LOCAL, f->vars[i].type, i);
    ExprId call = expr_make(g, OP_CALL, f->result, f->id, args, f->n_in);
    for (uint32_t i = 0; i < k; i++) {
        to->vars[f->n_in + 1 + i] = result_variable(p, f, i, FN_LOCAL);
        args[i] = expr_leaf(g, OP_LOCAL, f->vars[f->n_in + i].type, f->n_in + 1 + i);
    }
    args[k] = expr_leaf(g, OP_LOCAL, f->vars[f->n_in + k].type, f->n_in);
    to->result = to->vars[f->n_in].type;
    to->body = ARENA_NEW(g->arena, Stmt);
    *to->body = (Stmt){.kind = STMT_ASSIGN, .span = f->span, .rhs = call};
    to->body->lhs = expr_make(g, OP_TUPLE, T_NONE, 0, args, k + 1);
    to->n_body = 1;
    to->ready = true;
    to->smooth_order = -1;
    vec_push(&g->functions, to);
    map_put(&p->results, map_pair(f->id, k), to->id);
    return to;
}

/* The function of an OP_OUT that is a result other than the first; NULL for other expressions. */
static const Function *function_of_result(const Graph *g, ExprId e)
{
    bool is_one =
        expr_op(g, e) == OP_OUT && expr_index(g, e) > 0 && expr_op(g, expr_arg(g, e, 0)) == OP_CALL;
    return is_one ? g->functions.at[expr_index(g, expr_arg(g, e, 0))] : NULL;
}

static Walk use_node(void *user, ExprId e)
{
    FlatPrinter *p = user;
    const Graph *g = p->f->g;
    ExprOp op = expr_op(g, e);
    if (map_get(&p->nodes, e) != MAP_NONE)
        return WALK_PAST;
    map_put(&p->nodes, e, 1);
    bool empty = op == OP_ARRAY && expr_n(g, e) == 0;
    if (op == OP_ENUM || op == OP_RECORD || op == OP_TO_ENUM || empty)
        use_type(p, expr_type(g, e));
    if (op == OP_CALL || op == OP_FUNCTION)
        use_function(p, g->functions.at[expr_index(g, e)]);
    if (function_of_result(g, e))
        use_function(p, result_alone(p, function_of_result(g, e), expr_index(g, e)));
    return WALK_ON;
}

static void use_expr(FlatPrinter *p, ExprId e)
{
    expr_walk_down(p->f->g, e, use_node, p);
}

static Walk use_condition(void *user, ExprId e)
{
    use_expr(user, e);
    return WALK_ON;
}

static Walk use_statement(void *user, const Stmt *s)
{
    FlatPrinter *p = user;
    use_expr(p, s->lhs);
    use_expr(p, s->rhs);
    if (s->kind == STMT_ASSIGN && expr_op(p->f->g, s->rhs) == OP_TUPLE)
        use_values(p, expr_type(p->f->g, s->rhs));
    return WALK_ON;
}

static void use_stmts(FlatPrinter *p, const Stmt *s, uint32_t n)
{
    stmt_walk(s, n, &(StmtVisitor){.statement = use_statement, .condition = use_condition}, p);
}

static void use_eqs(FlatPrinter *p, const FlatEq *eqs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        FlatEq eq = eqs[i].kind == FLAT_IF ? flat_reduced(p, &eqs[i]) : eqs[i];
        bool listed = eq.kind == FLAT_EQUAL && function_of_result(p->f->g, eq.rhs);
        use_expr(p, eq.lhs);
        use_expr(p, listed ? expr_arg(p->f->g, eq.rhs, 0) : eq.rhs);
        for (uint32_t k = 0; k < eq.n_branches; k++) {
            use_expr(p, eq.branches[k].condition);
            use_eqs(p, eq.branches[k].body, eq.branches[k].n);
        }
        use_stmts(p, eq.stmts, eq.n_stmts);
    }
}

static void use_all(FlatPrinter *p)
{
    for (uint32_t i = 0; i < p->f->vars.n; i++) {
        const FlatVar *v = &p->f->vars.at[i];
        const ExprId e[] = {flat_constant(p, i) ? EXPR_NONE : v->binding,
                            v->start,
                            v->min,
                            v->max,
                            v->nominal,
                            v->fixed};
        use_type(p, v->type);
        for (size_t k = 0; k < sizeof e / sizeof *e; k++)
            use_expr(p, e[k]);
    }
    use_eqs(p, p->f->eqs.at, p->f->eqs.n);
}

/* ---- names ---- */

static bool is_object(const FlatPrinter *p, const Used *u)
{
    return !u->function && type_get(p->f->g->types, u->type)->kind == TYPE_EXTERNAL;
}

static int compare_own(const void *a, const void *b, void *used)
{
    const Used *all = used;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = strcmp(all[x].own, all[y].own);
    return order ? order : (x > y) - (x < y);
}

/* "A.f", or "A.f#2" for the second of that name. */
static const char *numbered(FlatPrinter *p, const char *own, uint32_t number)
{
    if (number == 1)
        return flat_identifier(p, own);
    size_t n = strlen(own);
    if (*own == '\'' && n > 1)
        return arena_printf(p->arena, "%.*s#%u'", (int)n - 1, own, number);
    return flat_identifier(p, arena_printf(p->arena, "%s#%u", own, number));
}

/* The constructor and the destructor of an external object are in its class. */
static bool is_of_object(const Used *u)
{
    const char *dot = u->function ? strrchr(u->own, '.') : NULL;
    return u->function && (u->function->destructor || !strcmp(dot ? dot : "", ".destructor"));
}

static void name_all(FlatPrinter *p)
{
    uint32_t *order = ARENA_ARRAY(p->arena, uint32_t, p->used.n + 1), number = 1;
    for (uint32_t i = 0; i < p->used.n; i++)
        order[i] = i;
    qsort_r(order, p->used.n, sizeof *order, compare_own, p->used.at);
    for (uint32_t i = 0; i < p->used.n; i++) {
        Used *u = &p->used.at[order[i]];
        number = i && !strcmp(u->own, p->used.at[order[i - 1]].own) ? number + 1 : 1;
        u->name = numbered(p, u->own, number);
    }
}

static uint64_t hash_text(const char *s)
{
    uint64_t h = 1;
    for (; *s; s++)
        h = hash_mix(h, (unsigned char)*s);
    return h >> 1;
}

static void collect_names(FlatPrinter *p)
{
    Arena *scratch = arena_new();
    for (uint32_t i = 0; i < p->f->vars.n; i++) {
        map_put(&p->names, hash_text(flat_identifier(p, flat_var_name(p->f, i, scratch))), i);
        arena_reset(scratch);
    }
    arena_free(scratch);
}

void flat_classes_collect(FlatPrinter *p)
{
    use_all(p);
    name_all(p);
    collect_names(p);
}

void flat_classes_free(FlatPrinter *p)
{
    vec_free(&p->used);
    map_free(&p->types);
    map_free(&p->functions);
    map_free(&p->nodes);
    map_free(&p->names);
    map_free(&p->results);
    map_free(&p->iterators);
    map_free(&p->literals);
}

bool flat_has_variable(const FlatPrinter *p, const char *name)
{
    if (!p->function)
        return map_get(&p->names, hash_text(name)) != MAP_NONE;
    for (uint32_t i = 0; i < p->function->n_vars; i++)
        if (!strcmp(p->function->vars[i].name, name))
            return true;
    return false;
}

static const char *mention(FlatPrinter *p, uint32_t at)
{
    if (at == MAP_NONE)
        return NULL;
    const Used *u = &p->used.at[at];
    return flat_has_variable(p, u->name) ? arena_printf(p->arena, ".%s", u->name) : u->name;
}

const char *flat_function_of_expr(FlatPrinter *p, ExprId e)
{
    const Graph *g = p->f->g;
    if (expr_op(g, e) == OP_OUT)
        return function_of_result(g, e)
                   ? mention(p, map_get(&p->functions,
                                        map_get(&p->results, map_pair(function_of_result(g, e)->id,
                                                                      expr_index(g, e)))))
                   : NULL;
    const Function *f = g->functions.at[expr_index(g, e)];
    if (f->destructor) /* an external object is made by the name of its class */
        return mention(p, map_get(&p->types, f->result));
    return mention(p, map_get(&p->functions, f->id));
}

const char *flat_class_of_type(FlatPrinter *p, TypeId type)
{
    const char *name = mention(p, map_get(&p->types, type));
    return name ? name : type_print(p->f->g->types, type, p->arena);
}

const char *flat_class_of_values(FlatPrinter *p, ExprId tuple)
{
    return mention(p, map_get(&p->types, expr_type(p->f->g, tuple)));
}

/* ---- printing: types ---- */

static void print_type(FlatPrinter *p, const Used *u)
{
    const Type *t = type_get(p->f->g->types, u->type);
    if (t->kind == TYPE_ENUM) {
        text_printf(&p->t, "type %s = enumeration(", u->name);
        for (uint32_t i = 0; i < t->n; i++)
            text_printf(&p->t, "%s%s", i ? ", " : "", t->fields[i].name);
        text_put(&p->t, ");\n");
        return;
    }
    text_printf(&p->t, "record %s\n", u->name);
    for (uint32_t i = 0; i < t->n; i++) {
        flat_indent(p, 1);
        text_put(&p->t, flat_class_of_type(p, type_element(p->f->g->types, t->fields[i].type)));
        flat_put_dims(p, t->fields[i].type);
        text_printf(&p->t, " %s;\n", t->fields[i].name);
    }
    text_printf(&p->t, "end %s;\n", u->name);
}

static void print_value_vars(FlatPrinter *p, const Type *t, const char *prefix, const char *name)
{
    for (uint32_t i = 0; i < t->n; i++) {
        flat_indent(p, 1);
        text_printf(&p->t, "%s %s %s%u", prefix,
                    flat_class_of_type(p, type_element(p->f->g->types, t->fields[i].type)), name,
                    i + 1);
        flat_put_dims(p, t->fields[i].type);
        text_put(&p->t, ";\n");
    }
}

static void print_values(FlatPrinter *p, const Used *u)
{
    const Type *t = type_get(p->f->g->types, u->type);
    text_printf(&p->t, "function %s\n", u->name);
    print_value_vars(p, t, "input", "u");
    print_value_vars(p, t, "output", "y");
    text_put(&p->t, "algorithm\n");
    for (uint32_t i = 0; i < t->n; i++) {
        flat_indent(p, 1);
        text_printf(&p->t, "y%u := u%u;\n", i + 1, i + 1);
    }
    text_printf(&p->t, "end %s;\n", u->name);
}

/* ---- printing: functions ---- */

/* The value of a variable where it is declared: statements before an external call are values. */
static ExprId declared_value(FlatPrinter *p, const Function *f, const FnVar *v)
{
    ExprId value = v->kind == FN_INPUT ? EXPR_NONE : v->binding; /* calls give all inputs */
    for (uint32_t i = 0; f->external && i < f->n_body; i++)
        if (&f->vars[expr_index(p->f->g, f->body[i].lhs)] == v)
            value = f->body[i].rhs;
    return value;
}

static void print_fn_var(FlatPrinter *p, const Function *f, const FnVar *v, unsigned depth)
{
    static const char *const prefix[] = {"input ", "output ", "protected "};
    Types *types = p->f->g->types;
    uint32_t rank = type_rank(types, v->type);
    flat_indent(p, depth);
    text_printf(&p->t, "%s%s %s", prefix[v->kind],
                flat_class_of_type(p, type_element(types, v->type)), flat_identifier(p, v->name));
    for (uint32_t i = 0; i < rank; i++)
        text_printf(&p->t, "%s%s", i ? ", " : "[",
                    v->dims && v->dims[i] ? flat_expr(p, v->dims[i]) : ":");
    text_put(&p->t, rank ? "]" : "");
    ExprId value = declared_value(p, f, v);
    if (value)
        text_printf(&p->t, " = %s", flat_expr(p, value));
    text_put(&p->t, ";\n");
}

static void put_strings(FlatPrinter *p, const char *name, const char *const *texts, uint32_t n,
                        unsigned *count)
{
    if (!n)
        return;
    text_printf(&p->t, "%s%s = {", (*count)++ ? ", " : " annotation(", name);
    for (uint32_t i = 0; i < n; i++) {
        text_put(&p->t, i ? ", " : "");
        flat_put_string(p, texts[i]);
    }
    text_put(&p->t, "}");
}

static void put_folder(FlatPrinter *p, const char *name, const char *folder, unsigned *count)
{
    if (!folder)
        return;
    text_printf(&p->t, "%s%s = ", (*count)++ ? ", " : " annotation(", name);
    flat_put_string(p, folder);
}

/* The annotations that locate the code of an external function. */
static void put_code(FlatPrinter *p, const FnExternal *x)
{
    unsigned n = 0;
    if (x->object) {
        put_folder(p, FN_OBJECT_ANNOTATION, x->object, &n);
        text_put(&p->t, ")");
        return;
    }
    put_strings(p, "Include", x->includes, x->n_includes, &n);
    put_strings(p, "Library", x->libraries, x->n_libraries, &n);
    if (n) {
        put_folder(p, "IncludeDirectory", x->include_uri, &n);
        put_folder(p, "LibraryDirectory", x->library_uri, &n);
        put_folder(p, "SourceDirectory", x->source_uri, &n);
        text_put(&p->t, ")");
    }
}

static void print_external(FlatPrinter *p, const FnExternal *x, unsigned depth)
{
    flat_indent(p, depth);
    text_printf(&p->t, "external \"%s\" ", x->language);
    if (x->result != UINT32_MAX)
        text_printf(&p->t, "%s = ",
                    flat_identifier(p, p->function->vars[p->function->n_in + x->result].name));
    text_printf(&p->t, "%s(", x->symbol);
    for (uint32_t i = 0; i < x->n_args; i++)
        text_printf(&p->t, "%s%s", i ? ", " : "", flat_expr(p, x->args[i]));
    text_put(&p->t, ")");
    if (strcmp(x->language, "builtin"))
        put_code(p, x);
    text_put(&p->t, ";\n");
}

static const char *separator(unsigned *n)
{
    return (*n)++ ? ", " : "annotation(";
}

static void put_derivative(FlatPrinter *p, const Function *f, const FnDerivative *d, unsigned *n)
{
    unsigned inner = 0;
    text_printf(&p->t, "%sderivative", separator(n));
    if (d->order != 1)
        text_printf(&p->t, "%sorder = %u", inner++ ? ", " : "(", d->order);
    for (uint32_t i = 0; i < f->n_in; i++)
        if (d->inputs[i] != FN_DIFFERENTIATED)
            text_printf(&p->t, "%s%s = %s", inner++ ? ", " : "(",
                        d->inputs[i] == FN_ZERO ? "zeroDerivative" : "noDerivative",
                        flat_identifier(p, f->vars[i].name));
    text_printf(&p->t, "%s = %s", inner ? ")" : "",
                mention(p, map_get(&p->functions, d->function->id)));
}

/* inverse(x = g(y, …)): the inputs of the inverse by their names, which are those of this
 * function's variables. */
static void put_inverse(FlatPrinter *p, const Function *f, unsigned *n)
{
    const Function *g = f->inverse;
    text_printf(&p->t, "%sinverse(%s = %s(", separator(n),
                flat_identifier(p, f->vars[f->inverse_input].name),
                mention(p, map_get(&p->functions, g->id)));
    for (uint32_t i = 0; i < g->n_in; i++)
        text_printf(&p->t, "%s%s", i ? ", " : "", flat_identifier(p, g->vars[i].name));
    text_put(&p->t, "))");
}

static void print_annotations(FlatPrinter *p, const Function *f, unsigned depth)
{
    unsigned n = 0;
    size_t before = p->t.n;
    flat_indent(p, depth);
    for (uint32_t i = 0; i < f->n_derivatives; i++)
        put_derivative(p, f, &f->derivatives[i], &n);
    if (f->inverse)
        put_inverse(p, f, &n);
    if (f->inlining != FN_INLINE_DEFAULT)
        text_printf(&p->t, "%s%s = %s", separator(&n),
                    f->inlining == FN_INLINE_LATE ? "LateInline" : "Inline",
                    f->inlining == FN_INLINE_NEVER ? "false" : "true");
    if (f->smooth_order >= 0)
        text_printf(&p->t, "%ssmoothOrder = %d", separator(&n), f->smooth_order);
    if (f->generate_events)
        text_printf(&p->t, "%sGenerateEvents = true", separator(&n));
    text_put(&p->t, n ? ");\n" : "");
    p->t.n = n ? p->t.n : before;
}

/* function g = der(f, x, …); */
static void print_partial(FlatPrinter *p, const Function *f, const char *name)
{
    text_printf(&p->t, "function %s = der(%s", name,
                mention(p, map_get(&p->functions, f->partial_of->id)));
    for (uint32_t i = 0; i < f->n_partial; i++)
        text_printf(&p->t, ", %s", flat_identifier(p, f->vars[f->partial_inputs[i]].name));
    text_put(&p->t, ");\n");
}

static void print_function(FlatPrinter *p, const Function *f, const char *name, unsigned depth)
{
    p->function = f;
    flat_indent(p, depth);
    if (f->partial_of) {
        print_partial(p, f, name);
        p->function = NULL;
        return;
    }
    text_printf(&p->t, "%sfunction %s\n", f->impure ? "impure " : "", name);
    for (uint32_t i = 0; i < f->n_vars; i++)
        print_fn_var(p, f, &f->vars[i], depth + 1);
    if (f->external) {
        print_external(p, f->external, depth);
    } else {
        flat_indent(p, depth);
        text_put(&p->t, "algorithm\n");
        flat_statements(p, f->body, f->n_body, depth + 1);
    }
    print_annotations(p, f, depth + 1);
    flat_indent(p, depth);
    text_printf(&p->t, "end %s;\n", name);
    p->function = NULL;
}

/* A class of external objects with its constructor and its destructor. */
static void print_object(FlatPrinter *p, const Used *u)
{
    text_printf(&p->t, "class %s\n", u->name);
    flat_indent(p, 1);
    text_put(&p->t, "extends ExternalObject;\n");
    for (uint32_t i = 0; i < p->used.n; i++) {
        const Function *f = p->used.at[i].function;
        if (!f || !f->destructor || f->result != u->type)
            continue;
        print_function(p, f, "constructor", 1);
        print_function(p, f->destructor, "destructor", 1);
        break;
    }
    text_printf(&p->t, "end %s;\n", u->name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const Used *const *)a)->name, (*(const Used *const *)b)->name);
}

void flat_classes_print(FlatPrinter *p)
{
    const Used **sorted = ARENA_ARRAY(p->arena, const Used *, p->used.n + 1);
    for (uint32_t i = 0; i < p->used.n; i++)
        sorted[i] = &p->used.at[i];
    qsort(sorted, p->used.n, sizeof *sorted, compare_names);
    for (uint32_t i = 0; i < p->used.n; i++) {
        const Used *u = sorted[i];
        if (is_of_object(u))
            continue;
        if (u->function)
            print_function(p, u->function, u->name, 0);
        else if (is_object(p, u))
            print_object(p, u);
        else if (type_get(p->f->g->types, u->type)->kind == TYPE_TUPLE)
            print_values(p, u);
        else
            print_type(p, u);
    }
}
