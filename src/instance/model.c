/* The instance of a model, and its printer. */
#include "instance/instance.h"
#include "syntax/parse/parse.h"

#include "instance/tree/tree.h"

#include "base/text.h"

/* ---- modifications from outside ---- */

static AstMod *parse_value(Library *lib, const OuterMod *mod)
{
    Context *ctx = lib->ctx;
    const char *label = arena_printf(lib->arena, "--set %s", mod->name);
    uint32_t source = sources_add(ctx->sources, label, mod->value, strlen(mod->value));
    AstExpr *value = syntax_parse_expr(ctx, source, lib->arena);
    if (!value)
        return NULL;
    AstMod *m = ARENA_NEW(lib->arena, AstMod);
    m->value = value;
    m->span = value->span;
    return m;
}

static bool outer_argument(Library *lib, const OuterMod *mod, AstArg *arg)
{
    AstMod *value = parse_value(lib, mod);
    if (!value)
        return false;
    VEC(Name) parts = {0};
    for (const char *p = mod->name; *p;)
        vec_push(&parts, library_next_name(lib, &p));
    arg->name.n = parts.n;
    arg->name.parts = vec_keep(&parts, lib->arena);
    arg->name.span = value->span;
    arg->mod = value;
    arg->span = value->span;
    return arg->name.n > 0;
}

static Modifier *outer_modifiers(Library *lib, Instance *root, const OuterMod *mods, uint32_t n)
{
    if (!n)
        return NULL;
    AstMod *all = ARENA_NEW(lib->arena, AstMod);
    all->has_args = true;
    all->args.at = ARENA_ARRAY(lib->arena, AstArg, n);
    for (uint32_t i = 0; i < n; i++)
        all->args.n += outer_argument(lib, &mods[i], &all->args.at[all->args.n]);
    Modifier *m = modifier_of(lib, all, (Scope){root, root->cls->layers.at[0]}, root, (Span){0});
    m->is_setting = true;
    return m;
}

/* ---- the model ---- */

static Instance *class_of(Library *lib, const AstClass *model)
{
    for (uint32_t i = lib->classes.n; i-- > 1;)
        if (lib->classes.at[i]->ast == model)
            return class_shared(lib, lib->classes.at[i]);
    uint32_t index = class_find(lib->root, model->name);
    return index == MAP_NONE ? NULL : inst_class(lib, lib->root_inst, index);
}

static bool can_instantiate(Library *lib, const Class *c, const AstClass *model)
{
    if (c->state != CLASS_READY)
        return false;
    if (c->is_partial) {
        diag(lib->ctx, model->name_span, DIAG_I022, "'%s' is partial and cannot be instantiated",
             c->name);
        return false;
    }
    if (c->restriction == AST_MODEL || c->restriction == AST_BLOCK || c->restriction == AST_CLASS)
        return true;
    diag(lib->ctx, model->name_span, DIAG_I017, "'%s' is a %s; a model is needed", c->name,
         restriction_text(c->restriction));
    return false;
}

static Instance *instance_alone(Library *lib, Instance *class_, const OuterMod *mods,
                                uint32_t n_mods)
{
    lib->too_deep = false;
    Instance *root = inst_new(lib, class_->cls);
    root->is_top = true;
    lookup_check_imports(lib, class_->cls);
    vec_reserve(&class_->cls->elements, class_->cls->elements.n + MAX_ADDED_INNER);
    root->mods = modifier_append(outer_modifiers(lib, root, mods, n_mods), class_->mods);
    inst_expand(lib, root);
    return root;
}

Instance *instance_part(Library *lib, Instance *class_)
{
    Instance *root = instance_alone(lib, class_, NULL, 0);
    root->is_part = true;
    return root;
}

void instance_forget(Instance *root)
{
    Class *c = root->cls;
    for (; c->n_added; c->n_added--) {
        map_put(&c->by_name, map_key(c->elements.at[c->elements.n - 1].name), MAP_NONE);
        c->elements.n--;
        c->order.n--;
    }
}

Instance *instance_model(Library *lib, const AstClass *model, const OuterMod *mods, uint32_t n_mods)
{
    Instance *found = class_of(lib, model);
    if (!found || !can_instantiate(lib, found->cls, model)) {
        if (!lib->ctx->n_errors)
            diag(lib->ctx, model->name_span, DIAG_I017, "'%s' cannot be instantiated", model->name);
        return NULL;
    }
    return instance_alone(lib, found, mods, n_mods);
}

Instance *instance_of_class(Library *lib, const AstClass *ast)
{
    Instance *found = class_of(lib, ast);
    if (!found || found->cls->state != CLASS_READY)
        return NULL;
    Instance *root = inst_new(lib, found->cls);
    root->mods = found->mods;
    lib->too_deep = false;
    inst_expand(lib, root);
    return root;
}

/* ---- printing ---- */

static void print_dims(Text *t, const Instance *inst)
{
    for (uint32_t i = 0; inst->dims && i < inst->rank; i++)
        text_printf(t, "%s%lld%s", i ? ", " : "[", (long long)inst->dims[i],
                    i + 1 == inst->rank ? "]" : "");
}

static void print_prefixes(Text *t, const Instance *inst)
{
    static const char *const variability[] = {"", "discrete ", "parameter ", "constant "};
    static const char *const causality[] = {"", "input ", "output "};
    text_put(t, inst->is_protected ? "protected " : "");
    text_put(t, inst->is_final ? "final " : "");
    text_put(t, inst->is_inner ? "inner " : "");
    text_put(t, inst->is_outer ? "outer " : "");
    text_put(t, inst->flow == AST_FLOW ? "flow " : "");
    text_put(t, variability[inst->variability]);
    text_put(t, causality[inst->causality]);
}

static void print_instance(Library *lib, Instance *inst, Text *t, unsigned indent, Arena *arena);

static void print_parts(Library *lib, Instance *inst, Text *t, unsigned indent, Arena *arena)
{
    if (!inst_elements(lib, inst)) {
        print_instance(lib, inst, t, indent, arena);
        return;
    }
    for (uint32_t k = 0; inst_part(inst, k); k++) {
        text_printf(t, "%*selement %u\n", (int)indent, "", k + 1);
        print_instance(lib, inst->elements[k], t, indent + 2, arena);
    }
}

static void print_instance(Library *lib, Instance *inst, Text *t, unsigned indent, Arena *arena)
{
    const Class *c = inst->cls;
    for (uint32_t i = 0; i < c->order.n; i++) {
        uint32_t index = c->order.at[i];
        if (c->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(lib, inst, index);
        if (!child)
            continue;
        inst_dims(lib, child);
        text_printf(t, "%*s", (int)indent, "");
        print_prefixes(t, child);
        text_printf(t, "%s %s", child->cls->name, child->decl->name);
        print_dims(t, child);
        const Modifier *m = modifier_value(child);
        if (m)
            text_printf(t, " = %s", ast_print_expr(m->mod->value, arena));
        text_put(t, child->absent ? " (absent)\n" : "\n");
        if (!child->absent && !child->is_outer)
            print_parts(lib, child, t, indent + 2, arena);
    }
}

char *instance_print(Instance *root, Arena *arena)
{
    Text t = {0};
    text_printf(&t, "%s\n", root->cls->name);
    print_instance(root->cls->lib, root, &t, 2, arena);
    return text_keep(&t, arena);
}
