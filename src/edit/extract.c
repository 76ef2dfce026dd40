/* Moves components of a class into a new model. Connections between them move with them. Where a
 * connection crosses the border, the model gets a connector. Parameters of the class that the
 * components use become parameters of the model. Other uses of the components get the name of the
 * new component before theirs.
 *
 * The component itself and the connections to it are left to the operations `add` and `connect`:
 * they need the model, which may have to be saved in a file before. */
#include "edit/class_edit.h"

#include "service/cursor.h"
#include "syntax/tree/ast_walk.h"

#include <math.h>

typedef struct Port {
    const char *inner; /* "r1.p" */
    const char *name, *class_;
    Point at;
} Port;

typedef struct Extract {
    ClassEdit *e;
    NameList names;
    const char *model, *part; /* the new class, and its component here */
    VEC(Port) ports;
    VEC(Name) parameters; /* of the class, used by the components */
    Text inside;          /* equations of the model */
    cJSON *inner, *outer;
    bool moving; /* the expression that is visited moves into the model */
} Extract;

static bool is_moved(const Extract *x, Name name)
{
    for (uint32_t i = 0; i < x->names.n; i++)
        if (!strcmp(x->names.at[i], name))
            return true;
    return false;
}

/* ---- names that the components use ---- */

static bool is_local(const Extract *x, Name name)
{
    const AstClass *c = x->e->ast;
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const AstElement *one = c->elements.at[i];
        Name own = one->kind == AST_EL_IMPORT && !one->name && one->type.n
                       ? one->type.parts[one->type.n - 1]
                       : one->name;
        if ((one->kind == AST_EL_IMPORT || one->kind == AST_EL_CLASS) && own == name)
            return true;
    }
    return false;
}

static void need(Extract *x, Name name)
{
    const Instance *inst = component_instance(x->e, name);
    for (uint32_t i = 0; i < x->parameters.n; i++)
        if (x->parameters.at[i] == name)
            return;
    if (inst && inst->variability != AST_PARAMETER && inst->variability != AST_CONSTANT)
        refuse(x->e, "the components use '%s', which is not a parameter", name);
    else if (inst)
        vec_push(&x->parameters, name);
    else if (is_local(x, name))
        refuse(x->e, "the components use '%s', which only this class knows", name);
}

static Walk visit_ref(void *user, const AstExpr *expr)
{
    Extract *x = user;
    bool named = (expr->kind == AST_REF || expr->kind == AST_CALL) && expr->ref && expr->ref->n &&
                 !expr->ref->absolute;
    Name name = named ? expr->ref->parts[0].name : NULL;
    if (named && x->moving && !is_moved(x, name))
        need(x, name);
    else if (named && !x->moving && is_moved(x, name))
        change(x->e, expr->ref->parts[0].span.at, expr->ref->parts[0].span.at,
               arena_printf(x->e->arena, "%s.", x->part));
    return WALK_ON;
}

static void visit_mod(Extract *x, const AstMod *mod)
{
    if (!mod)
        return;
    ast_walk_expr(mod->value, visit_ref, x);
    for (uint32_t i = 0; i < mod->args.n; i++) {
        const AstArg *a = &mod->args.at[i];
        visit_mod(x, a->mod);
        if (a->element && x->moving)
            refuse(x->e, "'%s' is redeclared; move it in the source", a->element->name);
    }
}

static void visit_element(Extract *x, const AstElement *one)
{
    x->moving = one->kind == AST_EL_COMPONENT && is_moved(x, one->name);
    visit_mod(x, one->mod);
    ast_walk_expr(one->condition, visit_ref, x);
    for (uint32_t i = 0; i < one->dims.n; i++)
        ast_walk_expr(one->dims.at[i], visit_ref, x);
    if (x->moving && (one->inner || one->outer))
        refuse(x->e, "'%s' is inner or outer; it stays here", one->name);
    if (x->moving && class_is_connector(component_instance(x->e, one->name)->cls))
        refuse(x->e, "'%s' is a connector of this class; it stays here", one->name);
    x->moving = false;
}

/* ---- connectors at the border ---- */

/* The class of the connector that an end names; NULL after a refusal. */
static const Class *connector_class(Extract *x, const AstRef *ref)
{
    Instance *at = component_instance(x->e, ref->parts[0].name);
    for (uint32_t i = 1; at && i < ref->n; i++) {
        inst_expand(x->e->lib, at);
        uint32_t index = class_find(at->cls, ref->parts[i].name);
        bool known = index != MAP_NONE && at->cls->elements.at[index].kind == ELEMENT_COMPONENT;
        at = known ? inst_component(x->e->lib, at, index) : NULL;
        if (at && (class_is_expandable(at->cls) || at->decl->dims.n != ref->parts[i].subs.n))
            at = NULL;
    }
    if (at && ref->n > 1 && class_is_connector(at->cls))
        return at->cls;
    refuse(x->e, "'%s' is an array or a bus; its connection cannot cross the border",
           ast_print_ref(ref, x->e->arena));
    return NULL;
}

static bool is_port_name(const Extract *x, const char *name)
{
    for (uint32_t i = 0; i < x->ports.n; i++)
        if (!strcmp(x->ports.at[i].name, name))
            return true;
    return is_moved(x, library_name(x->e->lib, name));
}

/* "p", or "r1_p", or "r1_p2" */
static const char *port_name(const Extract *x, const AstRef *ref)
{
    const char *last = ref->parts[ref->n - 1].name;
    const char *name = last;
    for (unsigned i = 1; is_port_name(x, name); i++)
        name = i == 1 ? arena_printf(x->e->arena, "%s_%s", ref->parts[0].name, last)
                      : arena_printf(x->e->arena, "%s_%s%u", ref->parts[0].name, last, i);
    return name;
}

static bool place_of(const Extract *x, const char *name, Placing *at)
{
    uint32_t index = class_find(x->e->inst->cls, library_name(x->e->lib, name));
    return index != MAP_NONE &&
           find_place(&x->e->page, x->e->inst, index, LAYER_DIAGRAM, affine_move(0, 0), at);
}

static const Port *port_of(Extract *x, const AstExpr *end)
{
    const char *inner = ast_print_expr(end, x->e->arena);
    for (uint32_t i = 0; i < x->ports.n; i++)
        if (!strcmp(x->ports.at[i].inner, inner))
            return &x->ports.at[i];
    const Class *c = connector_class(x, end->ref);
    if (!c)
        return NULL;
    Port p = {inner, port_name(x, end->ref), c->name, {0, 0}};
    Placing at;
    if (place_of(x, end->ref->parts[0].name, &at)) {
        at = find_end(&x->e->page, at, end->ref);
        p.at = placing_middle(&at);
    }
    vec_push(&x->ports, p);
    return &x->ports.at[x->ports.n - 1];
}

static void add_pair(cJSON *list, const char *a, const char *b)
{
    cJSON *pair = cJSON_CreateArray();
    cJSON_AddItemToArray(pair, cJSON_CreateString(a));
    cJSON_AddItemToArray(pair, cJSON_CreateString(b));
    cJSON_AddItemToArray(list, pair);
}

static bool is_nested(const ClassEdit *e, const AstEq *eq)
{
    for (uint32_t i = 0; i < e->ast->equations.n; i++)
        for (uint32_t k = 0; k < e->ast->equations.at[i].eqs.n; k++)
            if (e->ast->equations.at[i].eqs.at[k] == eq)
                return false;
    return true;
}

static void move_connection(ClassEdit *e, const AstEq *eq, void *user)
{
    Extract *x = user;
    bool a = is_at(eq->lhs, &x->names), b = is_at(eq->rhs, &x->names);
    if (!a && !b)
        return;
    if (is_nested(e, eq)) {
        refuse(e, "a connection of the components is in a loop or a branch; move it in the source");
        return;
    }
    delete_connection(e, eq);
    if (a && b) {
        const char *rest = eq->comment.span.end ? source_of(e, eq->comment.span) : "";
        text_printf(&x->inside, "  connect(%s, %s)%s%s;\n", ast_print_expr(eq->lhs, e->arena),
                    ast_print_expr(eq->rhs, e->arena), *rest ? " " : "", rest);
        return;
    }
    const Port *p = port_of(x, a ? eq->lhs : eq->rhs);
    if (!p)
        return;
    add_pair(x->outer, arena_printf(e->arena, "%s.%s", x->part, p->name),
             ast_print_expr(a ? eq->rhs : eq->lhs, e->arena));
}

/* Equations other than connections, and the rest of the class. */
static Walk visit_equation(void *user, const AstEq *eq)
{
    (void)user;
    return eq->kind == AST_EQ_CONNECT ? WALK_PAST : WALK_ON;
}

static Walk visit_whole(void *user, const AstExpr *expr)
{
    ast_walk_expr(expr, visit_ref, user);
    return WALK_ON;
}

static void rename_uses(Extract *x)
{
    const AstClass *c = x->e->ast;
    AstVisitor v = {.equation = visit_equation, .expression = visit_whole};
    for (uint32_t i = 0; i < c->equations.n; i++)
        ast_walk_equations(c->equations.at[i].eqs.at, c->equations.at[i].eqs.n, &v, x);
    for (uint32_t i = 0; i < c->algorithms.n; i++)
        ast_walk_statements(c->algorithms.at[i].stmts.at, c->algorithms.at[i].stmts.n, &v, x);
    for (uint32_t i = 0; i < c->elements.n; i++)
        visit_element(x, c->elements.at[i]);
}

/* ---- the texts ---- */

/* The middle of the components, on the grid. */
static Point middle_of(const Extract *x)
{
    Point lo = {INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < x->names.n; i++) {
        Placing at;
        if (!place_of(x, x->names.at[i], &at))
            continue;
        Point p = placing_middle(&at);
        lo = (Point){fmin(lo.x, p.x), fmin(lo.y, p.y)};
        hi = (Point){fmax(hi.x, p.x), fmax(hi.y, p.y)};
    }
    if (!(lo.x <= hi.x))
        return (Point){0, 0};
    return (Point){10 * round((lo.x + hi.x) / 20), 10 * round((lo.y + hi.y) / 20)};
}

/* Connectors left or right of the middle, one below the other. */
static void put_ports(const Extract *x, Point middle, Text *t)
{
    uint32_t n[2] = {0}, k[2] = {0};
    for (uint32_t i = 0; i < x->ports.n; i++)
        n[x->ports.at[i].at.x >= middle.x]++;
    for (uint32_t i = 0; i < x->ports.n; i++) {
        const Port *p = &x->ports.at[i];
        bool right = p->at.x >= middle.x;
        double y = 20 * (n[right] - 1.0) - 40.0 * k[right]++, sx = right ? 100 : -100;
        Point extent[2] = {{sx - 10, y - 10}, {sx + 10, y + 10}};
        text_printf(t, "  %s %s\n    annotation (", p->class_, p->name);
        put_placement(t, extent);
        text_put(t, ");\n");
    }
}

static const char *type_of(const Extract *x, const AstElement *one, const Declaration *d)
{
    return is_local(x, one->type.parts[0]) ? d->class_ : d->written;
}

static void put_declarations(Extract *x, Text *t)
{
    ClassEdit *e = x->e;
    for (uint32_t i = 0; i < x->parameters.n; i++) {
        const AstElement *one = own_component(e, x->parameters.at[i]);
        if (!one)
            return;
        Declaration d = declaration_of(e, one);
        Span name = declared_name_span(e->lib, one);
        text_printf(t, "  %s%s%s %s;\n", d.words, type_of(x, one, &d), d.dims,
                    source_of(e, (Span){name.file, name.at, name_end(e, one)}));
    }
}

static void put_components(Extract *x, Text *t)
{
    for (uint32_t i = 0; i < x->names.n; i++) {
        const AstElement *one = own_component(x->e, x->names.at[i]);
        Declaration d = declaration_of(x->e, one);
        text_printf(t, "  %s%s%s %s%s;\n", d.words, type_of(x, one, &d), d.dims, one->name, d.rest);
    }
}

static const char *model_text(Extract *x, Point middle)
{
    Text t = {0};
    text_printf(&t, "model %s\n", x->model);
    put_declarations(x, &t);
    put_ports(x, middle, &t);
    put_components(x, &t);
    if (x->inside.n || x->ports.n)
        text_put(&t, "equation\n");
    text_put_n(&t, x->inside.at ? x->inside.at : "", x->inside.n);
    for (uint32_t i = 0; i < x->ports.n; i++) {
        text_printf(&t, "  connect(%s, %s);\n", x->ports.at[i].inner, x->ports.at[i].name);
        add_pair(x->inner, x->ports.at[i].inner, x->ports.at[i].name);
    }
    text_put(&t, "  annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}},\n"
                 "      lineColor={0,0,127}, fillColor={255,255,255}, "
                 "fillPattern=FillPattern.Solid),\n"
                 "      Text(extent={{-150,110},{150,150}}, textString=\"%name\", "
                 "textColor={0,0,255})}));\n");
    text_printf(&t, "end %s;\n", x->model);
    return text_keep(&t, x->e->arena);
}

/* "(R=R)": the component gets the parameters of the class. */
static const char *part_modifiers(const Extract *x)
{
    Text t = {0};
    for (uint32_t i = 0; i < x->parameters.n; i++)
        text_printf(&t, "%s%s=%s", i ? ", " : "(", x->parameters.at[i], x->parameters.at[i]);
    text_put(&t, x->parameters.n ? ")" : "");
    return text_keep(&t, x->e->arena);
}

/* A class inside another one gets the model as its neighbour. */
static void insert_neighbour(Extract *x, const char *text)
{
    ClassEdit *e = x->e;
    const char *indent = indent_of(e, e->ast->span.at);
    Text t = {0};
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        text_printf(&t, "%s%.*s\n", p == text ? "" : indent, (int)n, p);
        p += n + (p[n] == '\n');
    }
    text_printf(&t, "\n%s", indent);
    change(e, e->ast->span.at, e->ast->span.at, text_keep(&t, e->arena));
}

static bool stands_alone(const ClassEdit *e)
{
    for (uint32_t i = 0; i < e->file->classes.n; i++)
        if (e->file->classes.at[i] == e->ast)
            return true;
    return false;
}

static void write_all(Extract *x)
{
    Point middle = middle_of(x);
    const char *text = model_text(x, middle);
    cJSON *part = cJSON_AddObjectToObject(x->e->extra, "part");
    cJSON *at = cJSON_AddArrayToObject(part, "at");
    cJSON_AddItemToArray(at, cJSON_CreateNumber(middle.x));
    cJSON_AddItemToArray(at, cJSON_CreateNumber(middle.y));
    cJSON_AddStringToObject(part, "name", x->part);
    cJSON_AddStringToObject(part, "text", part_modifiers(x));
    if (stands_alone(x->e))
        cJSON_AddStringToObject(x->e->extra, "model", text);
    else
        insert_neighbour(x, text);
    delete_components(x->e, &x->names);
}

bool op_extract(ClassEdit *e, const cJSON *op)
{
    Extract x = {.e = e, .model = text_arg(op, "name")};
    x.names.at = component_args(e, op, &x.names.n);
    if (!x.names.at)
        return false;
    if (!is_identifier(x.model))
        return refuse(e, "give the new model a name of letters, digits and _");
    char *part = arena_printf(e->arena, "%s", x.model);
    if (part[0] >= 'A' && part[0] <= 'Z')
        part[0] = (char)(part[0] - 'A' + 'a');
    x.part = free_name(e, strcmp(part, x.model) ? part : arena_printf(e->arena, "%s1", part));
    x.inner = cJSON_AddArrayToObject(e->extra, "inner");
    x.outer = cJSON_AddArrayToObject(e->extra, "outer");
    rename_uses(&x);
    each_connection(e, move_connection, &x);
    if (!e->refusal)
        write_all(&x);
    vec_free(&x.ports);
    vec_free(&x.parameters);
    text_free(&x.inside);
    return !e->refusal;
}
