/* Components and connections come and go: add, delete, copy, paste, arrange. */
#include "edit/class_edit.h"

#include "inspect/inspect.h"
#include "service/cursor.h"

/* ---- add ---- */

static const char *string_annotation(const AstClass *c, const char *name)
{
    const AstExpr *x = c ? annotation_value(c->comment.annotation, name) : NULL;
    return x && x->kind == AST_STRING && *x->string ? x->string : NULL;
}

/* "resistor" of …Resistor, or its own suggestion. */
static const char *default_name(ClassEdit *e, const Class *c)
{
    const char *own = string_annotation(c->ast, "defaultComponentName");
    char *name = arena_printf(e->arena, "%s", own ? own : class_last_name(c));
    if (!own && name[0] >= 'A' && name[0] <= 'Z' && !(name[1] >= 'A' && name[1] <= 'Z'))
        name[0] = (char)(name[0] - 'A' + 'a');
    else if (!own && !strcmp(name, class_last_name(e->inst->cls)))
        name = arena_printf(e->arena, "%s1", name);
    return free_name(e, is_identifier(name) ? name : "part");
}

static bool can_be_component(ClassEdit *e, const Instance *inst, const char *name)
{
    AstRestriction r = inst ? inst->cls->restriction : AST_PACKAGE;
    if (!inst)
        return refuse(e, "there is no class '%.200s'", name ? name : "");
    if (r == AST_PACKAGE || r == AST_FUNCTION || r == AST_OPERATOR || r == AST_OPERATOR_FUNCTION)
        return refuse(e, "'%s' is a %s; it has no components", name, restriction_text(r));
    if (inst->cls->ast == e->ast)
        return refuse(e, "'%s' cannot contain itself", e->ast->name);
    return true;
}

bool op_add(ClassEdit *e, const cJSON *op)
{
    const char *class_ = text_arg(op, "class"), *wanted = text_arg(op, "name");
    const char *rest = text_arg(op, "text");
    Point at;
    Instance *inst = class_ ? inspect_find(e->lib, class_) : NULL;
    if (!can_be_component(e, inst, class_))
        return false;
    if (!point_arg(op, "at", &at))
        return refuse(e, "'at' needs two numbers");
    if (wanted && !is_identifier(wanted))
        return refuse(e, "'%.100s' is not a name; use letters, digits and _", wanted);
    const char *name = wanted ? free_name(e, wanted) : default_name(e, inst->cls);
    Box system = coordinate_system(e->lib, inst, LAYER_ICON);
    double scale = initial_scale(e->lib, inst, LAYER_ICON);
    Point extent[2] = {{at.x + system.lo.x * scale, at.y + system.lo.y * scale},
                       {at.x + system.hi.x * scale, at.y + system.hi.y * scale}};
    const char *prefix = string_annotation(inst->cls->ast, "defaultComponentPrefixes");
    Text t = {0};
    text_printf(&t, "%s%s%s %s%s\n%s  annotation (", prefix ? prefix : "", prefix ? " " : "",
                class_, name, rest ? rest : "", class_indent(e));
    put_placement(&t, extent);
    text_put(&t, ")");
    insert_element(e, text_keep(&t, e->arena));
    vec_push(&e->names, name);
    return true;
}

/* ---- delete ---- */

/* A component of a clause with several goes with a comma; otherwise the whole clause goes. */
static void delete_component(ClassEdit *e, const AstElement *one)
{
    const AstElement *before = NULL, *after = NULL;
    uint32_t i = 0;
    while (e->ast->elements.at[i] != one)
        i++;
    if (i && e->ast->elements.at[i - 1]->kind == AST_EL_COMPONENT &&
        e->ast->elements.at[i - 1]->clause == one->clause)
        before = e->ast->elements.at[i - 1];
    if (i + 1 < e->ast->elements.n && e->ast->elements.at[i + 1]->kind == AST_EL_COMPONENT &&
        e->ast->elements.at[i + 1]->clause == one->clause)
        after = e->ast->elements.at[i + 1];
    if (before)
        change(e, before->span.end, one->span.end, "");
    else if (after)
        change(e, declared_name_span(e->lib, one).at, declared_name_span(e->lib, after).at, "");
    else
        remove_statement(e, one->span.at, one->span.end);
}

void delete_connection(ClassEdit *e, const AstEq *eq)
{
    uint32_t end = eq->comment.span.end > eq->span.end ? eq->comment.span.end : eq->span.end;
    remove_statement(e, eq->span.at, end);
}

bool is_at(const AstExpr *end, const NameList *names)
{
    for (uint32_t i = 0; end->kind == AST_REF && i < names->n; i++)
        if (!strcmp(names->at[i], end->ref->parts[0].name))
            return true;
    return false;
}

static void delete_if_at(ClassEdit *e, const AstEq *eq, void *user)
{
    if (is_at(eq->lhs, user) || is_at(eq->rhs, user))
        delete_connection(e, eq);
}

/* All components of a clause: the clause goes as a whole. */
static bool delete_clause(ClassEdit *e, const AstElement *one, const NameList *names)
{
    const AstElement *first = NULL, *last = NULL;
    for (uint32_t i = 0; i < e->ast->elements.n; i++) {
        const AstElement *x = e->ast->elements.at[i];
        bool named = false;
        if (x->kind != AST_EL_COMPONENT || x->clause != one->clause)
            continue;
        for (uint32_t k = 0; k < names->n; k++)
            named |= !strcmp(names->at[k], x->name);
        if (!named)
            return false;
        first = first ? first : x;
        last = x;
    }
    if (one == first)
        remove_statement(e, first->span.at, last->span.end);
    return true;
}

void delete_components(ClassEdit *e, const NameList *names)
{
    for (uint32_t i = 0; i < names->n; i++) {
        const AstElement *one = own_component(e, names->at[i]);
        if (!delete_clause(e, one, names))
            delete_component(e, one);
    }
}

static bool has_components(const cJSON *op)
{
    return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(op, "components")) ||
           text_arg(op, "component");
}

bool op_delete(ClassEdit *e, const cJSON *op)
{
    const cJSON *pairs = cJSON_GetObjectItemCaseSensitive(op, "connections"), *pair;
    NameList names = {0};
    if (has_components(op)) {
        names.at = component_args(e, op, &names.n);
        if (!names.at)
            return false;
    }
    delete_components(e, &names);
    each_connection(e, delete_if_at, &names);
    cJSON_ArrayForEach(pair, pairs)
    {
        const AstEq *eq = find_connection(e, cJSON_GetStringValue(cJSON_GetArrayItem(pair, 0)),
                                          cJSON_GetStringValue(cJSON_GetArrayItem(pair, 1)));
        if (!eq)
            return false;
        if (!is_at(eq->lhs, &names) && !is_at(eq->rhs, &names))
            delete_connection(e, eq);
    }
    return delete_items(e, op);
}

/* ---- copy and paste ---- */

static const AstElement *first_of_clause(const ClassEdit *e, const AstElement *one)
{
    for (uint32_t i = 0; i < e->ast->elements.n; i++)
        if (e->ast->elements.at[i]->kind == AST_EL_COMPONENT &&
            e->ast->elements.at[i]->clause == one->clause)
            return e->ast->elements.at[i];
    return one;
}

Declaration declaration_of(ClassEdit *e, const AstElement *one)
{
    const AstElement *first = first_of_clause(e, one);
    const Instance *inst = component_instance(e, one->name);
    Span name = declared_name_span(e->lib, one);
    uint32_t at = skip_space(e, one->type.span.end);
    Span dims = {name.file, at, at};
    if (one->type_dims.n && e->text[at] == '[')
        dims.end = bracket_end(e, at);
    const char *written = source_of(e, one->type.span);
    return (Declaration){.words =
                             source_of(e, (Span){name.file, first->span.at, first->type.span.at}),
                         .written = written,
                         .class_ = inst ? inst->cls->name : written,
                         .dims = source_of(e, dims),
                         .rest = source_of(e, (Span){name.file, name.end, one->span.end})};
}

static void copy_component(ClassEdit *e, const AstElement *one, cJSON *list)
{
    cJSON *o = cJSON_CreateObject();
    Declaration d = declaration_of(e, one);
    cJSON_AddStringToObject(o, "name", one->name);
    cJSON_AddStringToObject(o, "words", d.words);
    cJSON_AddStringToObject(o, "written", d.written);
    cJSON_AddStringToObject(o, "class", d.class_);
    cJSON_AddStringToObject(o, "dims", d.dims);
    cJSON_AddStringToObject(o, "rest", d.rest);
    cJSON_AddItemToArray(list, o);
}

typedef struct Copying {
    const NameList *names;
    cJSON *list;
} Copying;

static void copy_connection(ClassEdit *e, const AstEq *eq, void *user)
{
    Copying *c = user;
    if (!is_at(eq->lhs, c->names) || !is_at(eq->rhs, c->names))
        return;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "a", ast_print_expr(eq->lhs, e->arena));
    cJSON_AddStringToObject(o, "b", ast_print_expr(eq->rhs, e->arena));
    cJSON_AddStringToObject(o, "rest", eq->comment.span.end ? source_of(e, eq->comment.span) : "");
    cJSON_AddItemToArray(c->list, o);
}

bool op_copy(ClassEdit *e, const cJSON *op)
{
    NameList names = {0};
    if (has_components(op) || !cJSON_HasObjectItem(op, "items")) {
        names.at = component_args(e, op, &names.n);
        if (!names.at)
            return false;
    }
    cJSON *clip = cJSON_AddObjectToObject(e->extra, "clip");
    cJSON_AddStringToObject(clip, "from", e->inst->cls->name);
    cJSON *components = cJSON_AddArrayToObject(clip, "components");
    for (uint32_t i = 0; i < names.n; i++)
        copy_component(e, own_component(e, names.at[i]), components);
    Copying c = {&names, cJSON_AddArrayToObject(clip, "connections")};
    each_connection(e, copy_connection, &c);
    return copy_items(e, op, cJSON_AddArrayToObject(clip, "items"));
}

/* The end of a copied connection at the new component. */
static const char *renamed_end(ClassEdit *e, const char *end, const cJSON *components,
                               uint32_t first_new)
{
    size_t n = strcspn(end, ".[");
    const cJSON *one;
    uint32_t i = first_new;
    cJSON_ArrayForEach(one, components)
    {
        const char *name = text_arg(one, "name");
        if (name && strlen(name) == n && !strncmp(name, end, n))
            return arena_printf(e->arena, "%s%s", e->names.at[i], end + n);
        i++;
    }
    return end;
}

bool op_paste(ClassEdit *e, const cJSON *op)
{
    const cJSON *clip = cJSON_GetObjectItemCaseSensitive(op, "clip"), *one;
    const cJSON *components = cJSON_GetObjectItemCaseSensitive(clip, "components");
    const char *from = text_arg(clip, "from");
    bool here = from && !strcmp(from, e->inst->cls->name);
    uint32_t first_new = e->names.n;
    cJSON_ArrayForEach(one, components)
    {
        const char *name = text_arg(one, "name"), *type = text_arg(one, here ? "written" : "class");
        const char *words = text_arg(one, "words"), *dims = text_arg(one, "dims");
        const char *rest = text_arg(one, "rest");
        if (!name || !type || !words || !dims || !rest)
            return refuse(e, "there is nothing to paste");
        const char *fresh = free_name(e, name);
        insert_element(e, arena_printf(e->arena, "%s%s%s %s%s", words, type, dims, fresh, rest));
        vec_push(&e->names, fresh);
    }
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(clip, "connections"))
    {
        const char *a = text_arg(one, "a"), *b = text_arg(one, "b"), *rest = text_arg(one, "rest");
        if (!a || !b || !rest)
            return refuse(e, "there is nothing to paste");
        insert_equation(e, arena_printf(e->arena, "connect(%s, %s)%s%s",
                                        renamed_end(e, a, components, first_new),
                                        renamed_end(e, b, components, first_new), *rest ? " " : "",
                                        rest));
    }
    if (!append_items(e, op, cJSON_GetObjectItemCaseSensitive(clip, "items")))
        return false;
    return e->names.n > first_new || refuse(e, "there is nothing to paste");
}

/* ---- the automatic layout ---- */

static void keep_component(void *user, const Instance *inst, const Point extent[2])
{
    ClassEdit *e = user;
    for (uint32_t i = 0; i < e->ast->elements.n; i++) {
        const AstElement *one = e->ast->elements.at[i];
        if (one != inst->decl)
            continue;
        Text t = {0};
        put_placement(&t, extent);
        add_annotation(e, one->comment.annotation, one->span.end, text_keep(&t, e->arena));
    }
}

/* The text of a transition, relative to the end of its line that counts. y goes upward here. */
static void put_condition(ClassEdit *e, Text *t, const AstExpr *call, const Point *corners,
                          uint32_t n)
{
    Point *page = ARENA_ARRAY(e->arena, Point, n);
    for (uint32_t i = 0; i < n; i++)
        page[i] = (Point){corners[i].x, -corners[i].y};
    Point base = transition_is_immediate(call) ? corners[n - 1] : corners[0];
    Box box = condition_box(page, n);
    Point extent[2] = {{box.lo.x - base.x, -box.hi.y - base.y},
                       {box.hi.x - base.x, -box.lo.y - base.y}};
    text_put(t, ", Text(");
    put_extent(t, extent);
    text_put(t, ", textString=\"%condition\", textColor={95,95,95})");
}

static void keep_line(void *user, const AstEq *eq, const Point *corners, uint32_t n)
{
    ClassEdit *e = user;
    if (eq->span.file != e->file->source || eq->span.at < e->ast->span.at ||
        eq->span.end > e->ast->span.end || annotation_part(eq->comment.annotation, "Line"))
        return;
    Text t = {0};
    text_put(&t, "Line(points={");
    for (uint32_t i = 0; i < n; i++) {
        text_put(&t, i ? "," : "");
        put_pair(&t, corners[i]);
    }
    text_put(&t, "}, color={95,95,95}");
    text_put(&t, eq->kind == AST_EQ_CALL ? ", arrow={Arrow.None,Arrow.Filled})" : ")");
    if (eq->kind == AST_EQ_CALL && eq->lhs->args.n > 1)
        put_condition(e, &t, eq->lhs, corners, n);
    uint32_t end = eq->comment.span.end > eq->span.end ? eq->comment.span.end : eq->span.end;
    add_annotation(e, eq->comment.annotation, end, text_keep(&t, e->arena));
}

bool op_arrange(ClassEdit *e, const cJSON *op)
{
    (void)op;
    if (is_arranged(&e->page))
        arrange_class(&e->page, &(LayoutSink){e, keep_component, keep_line});
    return true;
}
