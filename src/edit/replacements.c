/* Classes that may replace a replaceable element: those that inherit from its constraining type
 * (annotation choicesAllMatching, section 18.7). The texts of the libraries in use decide which
 * classes are looked at; only those are instantiated. */
#include "edit/class_edit.h"

#include "inspect/inspect.h"

typedef struct Candidate {
    const AstClass *ast;
    const char *full;
    bool chosen; /* it may inherit from the constraining type, by the names in the texts */
} Candidate;

typedef struct Search {
    Library *lib;
    VEC(Candidate) all;
    Map bases; /* last parts of the names of chosen classes */
} Search;

/* ---- texts ---- */

/* Local classes of models, and those that are replaceable themselves, are left out. */
static void collect(Search *s, const AstClass *c, LibFile *file, const char *around)
{
    const char *full =
        *around ? arena_printf(s->lib->arena, "%s.%s", around, c->name) : (const char *)c->name;
    vec_push(&s->all, ((Candidate){c, full, false}));
    for (uint32_t i = 0; c->restriction == AST_PACKAGE && i < c->elements.n; i++) {
        const AstElement *e = c->elements.at[i];
        if (e->kind == AST_EL_CLASS && e->class_ && !e->replaceable &&
            e->visibility != AST_PROTECTED)
            collect(s, e->class_, NULL, full);
    }
    for (uint32_t i = 0; file && i < file->children.n; i++)
        if (library_load(s->lib, file->children.at[i]))
            collect(s, file->children.at[i]->ast, file->children.at[i], full);
}

static bool is_base(const Search *s, const AstName *name)
{
    return name->n && map_get(&s->bases, map_key(name->parts[name->n - 1])) != MAP_NONE;
}

static bool may_inherit(const Search *s, const AstClass *c)
{
    if (c->form == AST_SHORT)
        return is_base(s, &c->base);
    for (uint32_t i = 0; i < c->elements.n; i++)
        if (c->elements.at[i]->kind == AST_EL_EXTENDS && is_base(s, &c->elements.at[i]->type))
            return true;
    return false;
}

/* Until no further class is found: bases may stand after the classes that extend them. */
static void choose(Search *s, Name constraint)
{
    map_put(&s->bases, map_key(constraint), 1);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < s->all.n; i++) {
            Candidate *c = &s->all.at[i];
            if (c->chosen || (c->ast->name != constraint && !may_inherit(s, c->ast)))
                continue;
            c->chosen = again = true;
            map_put(&s->bases, map_key(c->ast->name), 1);
        }
    }
}

/* ---- the answer ---- */

static bool fits(Library *lib, const Candidate *c, const Class *constraint)
{
    if (!c->chosen || c->ast->partial)
        return false;
    const Instance *inst = inspect_find(lib, c->full);
    return inst && inst->cls->state == CLASS_READY && !inst->cls->is_partial &&
           class_inherits(inst->cls, constraint);
}

static void put_list(Search *s, const Class *constraint, Text *t)
{
    uint32_t n = 0;
    text_put(t, "{\"constraint\":");
    text_put_json(t, constraint->name);
    text_put(t, ",\"classes\":[");
    for (uint32_t i = 0; i < s->all.n && !*s->lib->ctx->interrupt; i++) {
        const Candidate *c = &s->all.at[i];
        if (!fits(s->lib, c, constraint))
            continue;
        text_put(t, n++ ? ",\n{\"value\":" : "{\"value\":");
        text_put_json(t, c->full);
        inspect_put_field(t, "title", c->ast->comment.text);
        text_put(t, "}");
    }
    text_put(t, "]}");
}

/* The libraries in use, each from its top. */
static void collect_all(Search *s)
{
    for (uint32_t i = 0; i < s->lib->root->elements.n; i++) {
        const Element *e = &s->lib->root->elements.at[i];
        if (e->kind == ELEMENT_CLASS && (e->class_ast || (e->file && e->file->ast)))
            collect(s, e->class_ast ? e->class_ast : e->file->ast, e->file, "");
    }
}

bool edit_list_replacements(Library *lib, const EditReplaceable *what, Text *t)
{
    Instance *inst = inspect_find(lib, what->class_);
    DiagMark mark = diag_mark(lib->ctx);
    uint32_t at = inst ? class_find(inst->cls, library_name(lib, what->component)) : MAP_NONE;
    bool is_component = at != MAP_NONE && inst->cls->elements.at[at].kind == ELEMENT_COMPONENT;
    Instance *component = is_component ? inst_component(lib, inst, at) : NULL;
    if (component)
        inst_expand(lib, component);
    at = component ? class_find(component->cls, library_name(lib, what->element)) : MAP_NONE;
    const Instance *constraint = at == MAP_NONE ? NULL : constraint_of(lib, component, at);
    if (constraint) {
        Search s = {.lib = lib};
        collect_all(&s);
        choose(&s, library_name(lib, class_last_name(constraint->cls)));
        put_list(&s, constraint->cls, t);
        vec_free(&s.all);
        map_free(&s.bases);
    }
    diag_discard(lib->ctx, mark);
    return constraint;
}
