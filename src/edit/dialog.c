/* The parameters of a component, as a dialog shows them: section 18.7 of the specification. */
#include "edit/class_edit.h"

#include "inspect/inspect.h"
#include "service/cursor.h"

typedef struct Dialog {
    Library *lib;
    Text *t;
    const Instance *class_; /* in which the component is */
    Instance *component;
    uint32_t n; /* rows so far */
} Dialog;

static const char *flag(bool b)
{
    return b ? "true" : "false";
}

/* ---- values and where they come from ---- */

static const char *written(const Dialog *d, Span span)
{
    const Source *s = span.file ? sources_get(d->lib->ctx->sources, span.file) : NULL;
    return s ? arena_copy(d->lib->arena, s->text + span.at, span.end - span.at) : "";
}

/* The modifier is in the text of the edited class. */
static bool is_own(const Dialog *d, const Modifier *m)
{
    Span all = d->class_->cls->ast->span, at = m->span;
    return at.file == all.file && at.at >= all.at && at.end <= all.end;
}

/* "value" as this class sets it, and "default" with its origin. */
static void put_values(const Dialog *d, const Modifier *m)
{
    bool set = false;
    for (; m; m = m->next) {
        if (!m->mod || !m->mod->value || (m->arg && m->part < m->arg->name.n))
            continue;
        const char *text = written(d, m->mod->value->span);
        if (is_own(d, m) && !set) {
            inspect_put_field(d->t, "value", text);
            text_printf(d->t, ",\"final\":%s", flag(m->final));
            set = true;
            continue;
        }
        inspect_put_field(d->t, "default", text);
        if (m->scope.layer && m->scope.layer->ast)
            inspect_put_field(d->t, "from", m->scope.layer->ast->name);
        text_put(d->t, ",\"place\":{\"of\":\"default\"");
        inspect_put_place(d->t, d->lib->ctx, m->span);
        text_put(d->t, "}");
        break;
    }
}

static bool is_final(const Dialog *d, const Modifier *m)
{
    for (; m; m = m->next)
        if (m->final && !is_own(d, m))
            return true;
    return false;
}

static void put_attribute(const Dialog *d, Instance *inst, const char *name)
{
    const Modifier *m = modifier_attribute(d->lib, inst, name);
    const AstExpr *e = m && m->mod ? m->mod->value : NULL;
    if (e && e->kind == AST_STRING)
        inspect_put_field(d->t, name, e->string);
    else if (e)
        inspect_put_field(d->t, name, written(d, e->span));
}

/* ---- choices ---- */

static void put_literals(const Dialog *d, const Class *c)
{
    text_put(d->t, ",\"choices\":[");
    for (uint32_t i = 0; i < c->ast->literals.n; i++) {
        const AstEnumLiteral *l = &c->ast->literals.at[i];
        text_put(d->t, i ? ",{\"value\":" : "{\"value\":");
        text_put_json(d->t, arena_printf(d->lib->arena, "%s.%s", c->name, l->name));
        inspect_put_field(d->t, "title", l->comment.text ? l->comment.text : l->name);
        text_put(d->t, "}");
    }
    text_put(d->t, "]");
}

static bool put_choice_list(const Dialog *d, const AstMod *choices)
{
    uint32_t n = 0;
    for (uint32_t i = 0; choices && i < choices->args.n; i++) {
        const AstArg *a = &choices->args.at[i];
        if (a->name.n != 1 || strcmp(a->name.parts[0], "choice") != 0 || !a->mod || !a->mod->value)
            continue;
        text_put(d->t, n++ ? ",{\"value\":" : ",\"choices\":[{\"value\":");
        text_put_json(d->t, written(d, a->mod->value->span));
        inspect_put_field(d->t, "title",
                          a->comment.text ? a->comment.text : written(d, a->mod->value->span));
        text_put(d->t, "}");
    }
    if (n)
        text_put(d->t, "]");
    return n;
}

static const Class *enumeration_of(const Instance *inst)
{
    const Class *c = inst->cls;
    for (uint32_t i = 0; i < c->layers.n; i++)
        if (c->layers.at[i]->ast && c->layers.at[i]->ast->form == AST_ENUMERATION)
            return c;
    return NULL;
}

static const char *kind_of(const Dialog *d, const Instance *inst)
{
    (void)d;
    if (enumeration_of(inst))
        return "enumeration";
    switch (inst->cls->type) {
    case T_REAL: return "Real";
    case T_INT: return "Integer";
    case T_BOOL: return "Boolean";
    case T_STRING: return "String";
    default: return "record";
    }
}

/* ---- rows ---- */

static void put_place_in_dialog(const Dialog *d, Record dialog, const char *group)
{
    const char *tab = read_string(dialog, "tab"), *own = read_string(dialog, "group");
    inspect_put_field(d->t, "tab", tab ? tab : "General");
    inspect_put_field(d->t, "group", own ? own : group);
    text_printf(d->t, ",\"enabled\":%s", flag(read_flag(dialog, "enable", true)));
}

static void begin_row(Dialog *d, const char *name, const AstElement *decl)
{
    text_put(d->t, d->n++ ? ",\n{\"name\":" : "{\"name\":");
    text_put_json(d->t, name);
    inspect_put_field(d->t, "description", decl->comment.text);
}

static void put_parameter(Dialog *d, Instance *inst, const Element *e, Record dialog)
{
    const AstElement *decl = inst->decl;
    begin_row(d, decl->name, decl);
    inspect_put_field(d->t, "kind", kind_of(d, inst));
    inspect_put_field(d->t, "type", inst->cls->name);
    put_place_in_dialog(d, dialog, "Parameters");
    put_attribute(d, inst, "unit");
    put_attribute(d, inst, "displayUnit");
    put_attribute(d, inst, "min");
    put_attribute(d, inst, "max");
    put_values(d, inst->mods);
    const char *now = component_value(d->lib, inst);
    if (now)
        inspect_put_field(d->t, "now", now);
    const Class *literals = enumeration_of(inst);
    const AstMod *choices = annotation_part(e->ast->comment.annotation, "choices");
    if (!put_choice_list(d, choices) && literals && literals->ast &&
        literals->ast->form == AST_ENUMERATION)
        put_literals(d, literals);
    inst_dims(d->lib, inst);
    text_printf(d->t, ",\"array\":%s}", flag(inst->rank > 0));
}

/* Start value of a variable whose dialog asks for it. */
static void put_start(Dialog *d, Instance *inst, Record dialog)
{
    static const char *const attributes[] = {"start", "fixed"};
    for (int i = 0; i < 2; i++) {
        const AstElement *decl = inst->decl;
        begin_row(d, arena_printf(d->lib->arena, "%s.%s", decl->name, attributes[i]), decl);
        inspect_put_field(d->t, "kind", i ? "Boolean" : kind_of(d, inst));
        inspect_put_field(d->t, "type", inst->cls->name);
        put_place_in_dialog(d, dialog, "Initialization");
        if (!i) {
            put_attribute(d, inst, "unit");
            put_attribute(d, inst, "displayUnit");
        }
        put_values(d, modifier_attribute(d->lib, inst, attributes[i]));
        text_put(d->t, ",\"array\":false}");
    }
}

/* The class that a redeclaration in the edited class gives. */
static void put_own_redeclaration(const Dialog *d, uint32_t index, const Class *now)
{
    Modifier **mods = d->component->child_mods;
    for (const Modifier *m = mods ? mods[index] : NULL; m; m = m->next)
        if (m->redeclare && is_own(d, m)) {
            inspect_put_field(d->t, "value", now->name);
            return;
        }
}

/* choices(choice(redeclare Class name "title")) */
static void put_redeclarations(const Dialog *d, const Element *e, const AstMod *choices)
{
    uint32_t n = 0;
    for (uint32_t i = 0; choices && i < choices->args.n; i++) {
        const AstMod *mod = choices->args.at[i].mod;
        const AstElement *one = mod && mod->args.n == 1 ? mod->args.at[0].element : NULL;
        const AstName *type = !one                            ? NULL
                              : one->kind == AST_EL_COMPONENT ? &one->type
                                                              : &one->class_->base;
        Instance *found =
            type && type->n ? lookup_class(d->lib, (Scope){d->component, e->layer}, type) : NULL;
        if (!found)
            continue;
        const char *title =
            one->kind == AST_EL_COMPONENT ? one->comment.text : one->class_->comment.text;
        text_put(d->t, n++ ? ",{\"value\":" : ",\"choices\":[{\"value\":");
        text_put_json(d->t, found->cls->name);
        inspect_put_field(d->t, "title", title ? title : found->cls->name);
        text_put(d->t, "}");
    }
    text_put(d->t, n ? "]" : "");
}

/* A replaceable part: its class, and what may replace it. */
static void put_replaceable(Dialog *d, uint32_t index, Record dialog, const Class *now)
{
    const Element *e = &d->component->cls->elements.at[index];
    const AstElement *decl = e->ast;
    const AstMod *annotation = decl->constraint_comment.annotation
                                   ? decl->constraint_comment.annotation
                                   : decl->comment.annotation;
    if (decl->kind == AST_EL_CLASS && decl->class_ && !annotation)
        annotation = decl->class_->comment.annotation;
    begin_row(d, e->name, decl);
    inspect_put_field(d->t, "kind", decl->kind == AST_EL_CLASS ? "class" : "component");
    inspect_put_field(d->t, "type", now->name);
    put_place_in_dialog(d, dialog, "Parameters");
    put_own_redeclaration(d, index, now);
    put_redeclarations(d, e, annotation_part(annotation, "choices"));
    const AstExpr *all = annotation_value(annotation, "choicesAllMatching");
    text_printf(d->t, ",\"matching\":%s,\"array\":false}",
                flag(all && all->kind == AST_BOOL && all->boolean));
}

static void put_element(Dialog *d, uint32_t index)
{
    const Class *c = d->component->cls;
    const Element *e = &c->elements.at[index];
    if (!e->ast || e->is_protected)
        return;
    Record annotation = {d->lib, {d->component, e->layer}, e->ast->comment.annotation, NULL, NULL};
    Record dialog = record_part(annotation, "Dialog");
    if (e->kind == ELEMENT_CLASS) {
        Instance *now = e->ast->replaceable ? inst_class(d->lib, d->component, index) : NULL;
        if (now)
            put_replaceable(d, index, dialog, now->cls);
        return;
    }
    Instance *inst =
        e->kind == ELEMENT_COMPONENT ? inst_component(d->lib, d->component, index) : NULL;
    if (!inst || is_final(d, inst->mods) || inst->is_final)
        return;
    bool simple = class_is_simple(inst->cls) || inst->cls->type != T_NONE;
    e = &c->elements.at[index];
    if (inst->variability == AST_PARAMETER && (simple || class_is_record(inst->cls)))
        put_parameter(d, inst, e, dialog);
    else if (simple && read_flag(dialog, "showStartAttribute", false))
        put_start(d, inst, dialog);
    else if (e->ast->replaceable && !simple)
        put_replaceable(d, index, dialog, inst->cls);
}

static void put_head(Dialog *d, const char *name, const Element *e)
{
    const AstElement *decl = d->component->decl;
    bool own = e->layer == d->class_->cls->layers.at[0];
    text_put(d->t, "{\"component\":");
    text_put_json(d->t, name);
    inspect_put_field(d->t, "class", d->component->cls->name);
    inspect_put_field(d->t, "description", decl->comment.text);
    inspect_put_field(d->t, "about",
                      d->component->cls->ast ? d->component->cls->ast->comment.text : NULL);
    inspect_put_field(d->t, "inherited", own || !e->layer->ast ? NULL : e->layer->ast->name);
    inspect_put_field(d->t, "condition",
                      decl->condition ? written(d, decl->condition->span) : NULL);
    inspect_put_place(d->t, d->lib->ctx, declared_name_span(d->lib, decl));
    text_printf(d->t, ",\"dimensions\":%u,\"replaceable\":%s", decl->dims.n,
                flag(decl->replaceable));
    text_put(d->t, ",\"parameters\":[");
}

bool edit_describe(Library *lib, const char *class_, const char *component, Text *t)
{
    Instance *inst = inspect_find(lib, class_);
    uint32_t index =
        inst && inst->cls->ast ? class_find(inst->cls, library_name(lib, component)) : MAP_NONE;
    if (index == MAP_NONE || inst->cls->elements.at[index].kind != ELEMENT_COMPONENT)
        return false;
    Dialog d = {.lib = lib, .t = t, .class_ = inst};
    DiagMark mark = diag_mark(lib->ctx);
    d.component = inst_component(lib, inst, index);
    if (d.component && !class_is_simple(d.component->cls))
        inst_expand(lib, d.component);
    if (d.component) {
        put_head(&d, component, &inst->cls->elements.at[index]);
        const Class *c = d.component->cls;
        for (uint32_t i = 0; i < c->order.n; i++)
            put_element(&d, c->order.at[i]);
        text_put(t, "]}");
    }
    diag_discard(lib->ctx, mark);
    return d.component;
}
