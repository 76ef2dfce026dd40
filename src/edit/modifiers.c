/* Modifiers of components, also of inherited ones, and their descriptions. */
#include "edit/class_edit.h"

#include "inspect/inspect.h"
#include "service/cursor.h"

/* A modification that may not be written yet. */
typedef struct Slot {
    const AstMod *mod; /* or NULL */
    uint32_t at;       /* where it begins or would begin: after the name */
    bool each;         /* arguments of an array of components */
} Slot;

/* What is written: a value, or the class of a redeclared element. */
typedef struct Wish {
    const char *value; /* NULL: the modifier goes */
    const char *words; /* before the name of a redeclared class, such as "package"; "" for a
                          component; NULL: no redeclaration */
} Wish;

static const char *next_part(const char *name, size_t *n)
{
    *n = strcspn(name, ".");
    return name[*n] ? name + *n + 1 : name + *n;
}

/* The rest of `name` after the path of an argument; NULL if the argument is about another. */
static const char *match(const AstName *path, const char *name)
{
    for (uint32_t i = 0; i < path->n; i++) {
        size_t n;
        const char *rest = next_part(name, &n);
        if (!n || strlen(path->parts[i]) != n || strncmp(path->parts[i], name, n) != 0)
            return NULL;
        name = rest;
    }
    return name;
}

/* ---- set ---- */

/* "b=value", "redeclare package b = value" or "redeclare value b" */
static void put_last(Text *t, const char *name, size_t n, const Wish *w)
{
    if (!w->words)
        text_printf(t, "%.*s=%s", (int)n, name, w->value);
    else if (*w->words)
        text_printf(t, "redeclare %s %.*s = %s", w->words, (int)n, name, w->value);
    else
        text_printf(t, "redeclare %s %.*s", w->value, (int)n, name);
}

/* "a(b=value)" of a.b */
static const char *nested(ClassEdit *e, const char *name, const Wish *w)
{
    Text t = {0}, close = {0};
    while (*name) {
        size_t n;
        const char *rest = next_part(name, &n);
        if (*rest) {
            text_printf(&t, "%.*s(", (int)n, name);
            text_put(&close, ")");
        } else {
            put_last(&t, name, n, w);
        }
        name = rest;
    }
    text_put(&t, close.at ? close.at : "");
    text_free(&close);
    return text_keep(&t, e->arena);
}

static void set_value(ClassEdit *e, Slot s, const char *value)
{
    if (s.mod && s.mod->value) {
        change(e, s.mod->value->span.at, s.mod->value->span.end, value);
        return;
    }
    uint32_t at = s.mod ? s.mod->span.end : s.at;
    change(e, at, at, arena_printf(e->arena, "%s%s", s.mod ? " = " : "=", value));
}

static void add_argument(ClassEdit *e, Slot s, const char *name, const Wish *w)
{
    const char *each = s.each && !w->words ? "each " : "";
    const char *text = arena_printf(e->arena, "%s%s", each, nested(e, name, w));
    if (!s.mod || !s.mod->has_args) {
        change(e, s.at, s.at, arena_printf(e->arena, "(%s)", text));
        return;
    }
    uint32_t n = s.mod->args.n;
    uint32_t at = n ? s.mod->args.at[n - 1].span.end : arguments_end(e, s.mod) - 1;
    change(e, at, at, arena_printf(e->arena, "%s%s", n ? ", " : "", text));
}

/* ---- remove ---- */

static void remove_value(ClassEdit *e, Slot s)
{
    uint32_t from = s.mod->has_args ? arguments_end(e, s.mod) : space_before(e, s.mod->span.at);
    if (s.mod->value)
        change(e, from, s.mod->value->span.end, "");
}

/* ---- both ---- */

/* The class in a redeclaration that is written already. */
static bool replace_class(ClassEdit *e, const AstArg *a, const Wish *w)
{
    const AstElement *old = a->element;
    Span name = old->kind == AST_EL_COMPONENT ? old->type.span : old->class_->base.span;
    if (!w->words || (old->kind == AST_EL_CLASS && old->class_->form != AST_SHORT))
        return refuse(e, "'%s' is redeclared here; edit it in the source", old->name);
    change(e, name.at, name.end, w->value);
    return true;
}

static bool modify(ClassEdit *e, Slot s, const char *name, const Wish *w)
{
    if (!*name) {
        if (w->value)
            set_value(e, s, w->value);
        else if (s.mod)
            remove_value(e, s);
        return true;
    }
    for (uint32_t i = 0; s.mod && i < s.mod->args.n; i++) {
        const AstArg *a = &s.mod->args.at[i];
        const char *rest = a->is_break ? NULL : match(&a->name, name);
        if (!rest)
            continue;
        if (a->element && !*rest && w->words && !w->value) {
            remove_argument(e, s.mod, i);
            return true;
        }
        if (a->element)
            return replace_class(e, a, w);
        if (!*rest && w->words)
            return refuse(e, "'%.100s' has modifiers here; edit it in the source", name);
        if (a->final && w->value)
            return refuse(e, "the modifier of '%.100s' is final; edit it in the source", name);
        bool leaf = !*rest && !(a->mod && a->mod->has_args && a->mod->args.n);
        if (!w->value && leaf) {
            remove_argument(e, s.mod, i);
            return true;
        }
        return modify(e, (Slot){a->mod, a->name.span.end, false}, rest, w);
    }
    if (w->value)
        add_argument(e, s, name, w);
    return true;
}

/* The extends clause of this class through which a component is inherited. */
static const AstElement *extends_of(const ClassEdit *e, const char *component)
{
    uint32_t index = class_find(e->inst->cls, library_name(e->lib, component));
    const Class *c = e->inst->cls;
    const Layer *layer = index == MAP_NONE ? NULL : c->elements.at[index].layer;
    while (layer && layer->parent && layer->parent != c->layers.at[0])
        layer = layer->parent;
    for (uint32_t i = 0; layer && layer->parent && layer->ast && i < e->ast->elements.n; i++) {
        const AstElement *x = e->ast->elements.at[i];
        if (x->kind == AST_EL_EXTENDS && x->mod == layer->mod &&
            x->type.parts[x->type.n - 1] == layer->ast->name)
            return x;
    }
    return NULL;
}

static bool is_path(const char *name)
{
    for (const char *p = name; *p;) {
        size_t n;
        const char *rest = next_part(p, &n);
        if (!n || (p[n] == '.' && !*rest))
            return false;
        for (size_t i = 0; i < n; i++)
            if (!is_name_char(p[i]) && p[i] != '\'')
                return false;
        p = rest;
    }
    return true;
}

/* Modifiers of inherited components are written into the extends clause. */
static bool modify_component(ClassEdit *e, const char *component, const char *name, const Wish *w)
{
    const AstElement *base = extends_of(e, component);
    if (base) {
        Slot s = {base->mod, base->type.span.end, false};
        return modify(e, s, arena_printf(e->arena, "%s%s%s", component, *name ? "." : "", name), w);
    }
    const AstElement *decl = own_component(e, component);
    return decl && modify(e, (Slot){decl->mod, name_end(e, decl), decl->dims.n > 0}, name, w);
}

bool op_modify(ClassEdit *e, const cJSON *op)
{
    const char *component = text_arg(op, "component"), *name = text_arg(op, "name");
    const char *value = text_arg(op, "value");
    name = name ? name : "";
    if (!component || !is_path(name))
        return refuse(e, "name the component and the modifier");
    if (value && !is_expression(e, value))
        return refuse(e, "'%.100s' is not an expression", value);
    return modify_component(e, component, name, &(Wish){value, NULL});
}

/* The declaration of a replaceable element of a component; NULL after a refusal. */
static const AstElement *replaceable_of(ClassEdit *e, const char *component, const char *name)
{
    Instance *inst = component_instance(e, component);
    if (inst)
        inst_expand(e->lib, inst);
    uint32_t at = inst ? class_find(inst->cls, library_name(e->lib, name)) : MAP_NONE;
    const AstElement *decl = at == MAP_NONE ? NULL : inst->cls->elements.at[at].ast;
    if (decl && decl->replaceable)
        return decl;
    refuse(e, "'%.100s' has no replaceable element '%.100s'", component, name);
    return NULL;
}

bool op_redeclare(ClassEdit *e, const cJSON *op)
{
    const char *component = text_arg(op, "component"), *name = text_arg(op, "name");
    const char *value = text_arg(op, "value");
    if (!component || !is_identifier(name))
        return refuse(e, "name the component and its replaceable element");
    const AstElement *decl = replaceable_of(e, component, name);
    if (!decl)
        return false;
    if (value && !inspect_find(e->lib, value))
        return refuse(e, "there is no class '%.200s'", value);
    bool is_class = decl->kind == AST_EL_CLASS && decl->class_;
    const char *words = is_class ? restriction_text(decl->class_->restriction) : "";
    return modify_component(e, component, name, &(Wish){value, words});
}

/* ---- descriptions ---- */

static const char *quoted(ClassEdit *e, const char *s)
{
    Text t = {0};
    text_put(&t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_put_char(&t, '\\');
        text_put_char(&t, *s);
    }
    text_put(&t, "\"");
    return text_keep(&t, e->arena);
}

/* Before the annotation, after everything else. */
bool op_describe(ClassEdit *e, const cJSON *op)
{
    const AstElement *decl = own_component(e, text_arg(op, "component"));
    const char *value = text_arg(op, "value");
    if (!decl)
        return false;
    const AstComment *c = &decl->comment;
    value = value && *value ? quoted(e, value) : "";
    uint32_t end = decl->span.end;
    if (c->annotation) {
        end = c->annotation->span.at;
        while (end > c->span.at && strncmp(e->text + end, "annotation", 10) != 0)
            end--;
        end = space_before(e, end);
    }
    if (c->text)
        change(e, *value ? c->span.at : space_before(e, c->span.at), end, value);
    else if (*value)
        change(e, end, end, arena_printf(e->arena, " %s", value));
    return true;
}
