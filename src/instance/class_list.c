/* The classes of a file or package one by one, for a check of all of them. */
#include "instance/instance.h"

#include "instance/tree/tree.h"

typedef VEC(ClassEntry) Entries;

static ClassRole role_of(const Class *c)
{
    switch (c->restriction) {
    case AST_FUNCTION:
    case AST_OPERATOR_FUNCTION: return ROLE_FUNCTION;
    case AST_PACKAGE: return ROLE_PACKAGE;
    case AST_TYPE:
    case AST_OPERATOR: return ROLE_NONE;
    default: break;
    }
    if (c->type != T_NONE || c->dims.n || class_is_expandable(c))
        return ROLE_NONE;
    return c->is_partial || class_is_record(c) || class_is_connector(c) ? ROLE_PART : ROLE_MODEL;
}

/* `extends ExternalObject`: its functions are checked at their use. */
static bool is_external_object(const Class *c)
{
    for (uint32_t i = 1; i < c->layers.n; i++)
        if (c->layers.at[i]->ast && !strcmp(c->layers.at[i]->ast->name, "ExternalObject"))
            return true;
    return false;
}

/* A function that is short for another one in a model uses the model's variables. */
static bool is_of_model(const Class *around, const Class *c)
{
    return around->restriction != AST_PACKAGE && c->ast->form == AST_SHORT;
}

static void enter(Library *lib, Instance *inst, bool in_partial, Entries *out)
{
    Class *c = inst->cls;
    if (c->state != CLASS_READY || !c->ast || is_external_object(c))
        return;
    bool is_partial = c->is_partial || in_partial;
    vec_push(out, ((ClassEntry){inst, role_of(c), is_partial}));
    Layer *own = c->layers.at[0];
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const Element *e = &c->elements.at[i];
        if (e->kind != ELEMENT_CLASS || e->layer != own || *lib->ctx->interrupt)
            continue;
        Instance *inner = inst_class(lib, inst, i);
        if (inner && inner->cls->ast == c->elements.at[i].class_ast && !is_of_model(c, inner->cls))
            enter(lib, inner, is_partial, out);
    }
}

static Instance *find_class(Library *lib, const AstName *within, Name name)
{
    Scope root = {lib->root_inst, lib->root->layers.at[0]};
    VEC(Name) parts = {0};
    for (uint32_t i = 0; i < within->n; i++)
        vec_push(&parts, within->parts[i]);
    vec_push(&parts, name);
    Instance *found = lookup_path(lib, root, parts.at, parts.n, true, within->span);
    vec_free(&parts);
    return found;
}

static void enter_file(Library *lib, Entries *out)
{
    const AstFile *file = lib->files.at[lib->last_file];
    for (uint32_t i = 0; i < file->classes.n; i++) {
        Instance *found = find_class(lib, &file->within, file->classes.at[i]->name);
        if (found)
            enter(lib, found, false, out);
    }
}

static void enter_name(Library *lib, const char *name, Entries *out)
{
    const AstClass *ast = library_find_model(lib, name);
    for (uint32_t i = lib->classes.n; ast && i-- > 1;)
        if (lib->classes.at[i]->ast == ast) {
            enter(lib, class_shared(lib, lib->classes.at[i]), false, out);
            return;
        }
}

bool library_list_classes(Library *lib, const char *name, ClassEntry **list, uint32_t *n)
{
    uint32_t before = lib->ctx->n_errors;
    Entries all = {0};
    if (name)
        enter_name(lib, name, &all);
    else if (lib->last_file < lib->files.n)
        enter_file(lib, &all);
    *n = all.n;
    *list = vec_keep(&all, lib->arena);
    return lib->ctx->n_errors == before;
}

/* ---- classes that are not models ---- */

static bool takes_functions(Library *lib, Instance *fn)
{
    for (uint32_t i = 0; i < fn->cls->order.n; i++) {
        uint32_t index = fn->cls->order.at[i];
        Instance *c = fn->cls->elements.at[index].kind == ELEMENT_COMPONENT
                          ? inst_component(lib, fn, index)
                          : NULL;
        if (c && inst_is_function_input(c))
            return true;
    }
    return false;
}

static void check_constants(Library *lib, Instance *package)
{
    for (uint32_t i = 0; i < package->cls->order.n; i++) {
        uint32_t index = package->cls->order.at[i];
        if (package->cls->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *c = inst_component(lib, package, index);
        Instance *base = NULL;
        Span span;
        bool failed = false;
        if (c && inst_dims(lib, c))
            inst_binding(lib, c, NAMES_STRUCTURAL, &base, &span, &failed);
    }
}

void instance_check_class(Library *lib, const ClassEntry *e)
{
    Instance *inst = e->inst;
    inst_expand(lib, inst);
    lookup_check_imports(lib, inst->cls);
    if (e->role == ROLE_PACKAGE && !e->is_partial)
        check_constants(lib, inst);
    if (e->role == ROLE_FUNCTION && !e->is_partial && !takes_functions(lib, inst))
        inst_function(lib, inst, inst->cls->ast->name_span);
}

/* ---- open classes ---- */

static bool has_flow(const Instance *inst)
{
    bool found = inst->flow == AST_FLOW;
    for (uint32_t i = 0; inst->children && i < inst->n_children && !found; i++)
        found =
            inst->children[i] && inst->children[i]->parent == inst && has_flow(inst->children[i]);
    return found;
}

bool instance_has_flows(const Instance *root)
{
    bool found = false;
    for (uint32_t i = 0; root->children && i < root->n_children && !found; i++) {
        const Instance *c = root->children[i];
        found =
            c && c->parent == root && !c->is_protected && class_is_connector(c->cls) && has_flow(c);
    }
    return found;
}

bool instance_has_ports(const Instance *root)
{
    bool found = false;
    for (uint32_t i = 0; root->children && i < root->n_children && !found; i++) {
        const Instance *c = root->children[i];
        found = c && c->parent == root && !c->is_protected &&
                (class_is_connector(c->cls) || c->causality == AST_INPUT);
    }
    return found;
}

Span instance_component_place(const Instance *root, Name name)
{
    for (uint32_t i = 0; i < root->cls->elements.n; i++) {
        const Element *e = &root->cls->elements.at[i];
        const Instance *c = root->children && i < root->n_children ? root->children[i] : NULL;
        const AstElement *decl = c && c->decl ? c->decl : e->ast;
        if (e->name == name && decl && e->kind == ELEMENT_COMPONENT &&
            decl->span.file == root->cls->layers.at[0]->ast->span.file)
            return decl->span;
    }
    return (Span){0};
}

bool instance_is_open(const Instance *root)
{
    bool open = instance_has_flows(root);
    for (uint32_t i = 0; root->children && i < root->n_children && !open; i++) {
        const Instance *c = root->children[i];
        open = c && c->parent == root && !c->is_protected && c->causality == AST_INPUT;
    }
    return open;
}
