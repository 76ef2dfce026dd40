/* The text of an entry: takes the slots of a call apart and calls the function (Modelica 3.6,
 * section 12.9.1). Records become structs of the same fields, which are passed by address. */
#include "external/entry_text.h"

#include "base/text.h"
#include "external/external.h"

typedef struct Writer {
    Text t;
    const Graph *g;
    const Function *f;
    Map structs; /* TypeId of a record → 1 once its struct is defined */
} Writer;

static const char *c_type(const Types *types, TypeId type)
{
    static const char *const names[] = {"double", "int", "const char *", "void *", "void *"};
    return names[external_pass(types, type)];
}

static bool is_fortran(const FnExternal *x)
{
    return strcmp(x->language, "FORTRAN 77") == 0;
}

static const char *symbol_of(Arena *arena, const FnExternal *x)
{
    return is_fortran(x) ? arena_printf(arena, "%s_", x->symbol) : x->symbol;
}

static TypeId argument_type(const Writer *w, uint32_t i)
{
    return expr_type(w->g, w->f->external->args[i]);
}

/* The type of the result; T_NONE if there is none. */
static TypeId result_type(const Function *f)
{
    uint32_t k = f->external->result;
    return k == UINT32_MAX ? T_NONE : f->vars[f->n_in + k].type;
}

/* ---- records ---- */

static void define_struct(Writer *w, TypeId type)
{
    const Types *types = w->g->types;
    type = type_element(types, type);
    const Type *t = type_get(types, type);
    if (map_get(&w->structs, type) != MAP_NONE)
        return;
    map_put(&w->structs, type, 1);
    for (uint32_t i = 0; i < t->n; i++)
        if (external_is_record(types, t->fields[i].type))
            define_struct(w, t->fields[i].type);
    text_printf(&w->t, "struct kairos_%u {", type);
    for (uint32_t i = 0; i < t->n; i++) {
        TypeId field = t->fields[i].type;
        if (external_is_record(types, field))
            text_printf(&w->t, " struct kairos_%u f%u;", field, i);
        else
            text_printf(&w->t, " %s f%u;", c_type(types, field), i);
    }
    text_put(&w->t, " };\n");
}

typedef struct Copy {
    bool out;   /* from the struct into the slots */
    bool array; /* element k of arrays */
} Copy;

/* Copies the fields of the struct at `place` from or to the slots that begin at *slot. */
static void copy_fields(Writer *w, TypeId type, const char *place, uint32_t *slot, Copy how)
{
    const Types *types = w->g->types;
    const Type *t = type_get(types, type);
    for (uint32_t i = 0; i < t->n; i++) {
        TypeId field = t->fields[i].type;
        Text name = {0};
        text_printf(&name, "%s.f%u", place, i);
        if (external_is_record(types, field)) {
            copy_fields(w, field, name.at, slot, how);
        } else {
            const char *c = c_type(types, field);
            Text value = {0};
            if (how.array)
                text_printf(&value, "(*(%s **)a[%u])[k]", c, *slot);
            else
                text_printf(&value, "*(%s *)a[%u]", c, *slot);
            text_printf(&w->t, "%s = %s; ", how.out ? value.at : name.at,
                        how.out ? name.at : value.at);
            text_free(&value);
            (*slot)++;
        }
        text_free(&name);
    }
}

/* The record of argument i, made of its slots or, afterwards, copied into them. */
static void copy_record(Writer *w, uint32_t i, uint32_t slot, bool out)
{
    const Types *types = w->g->types;
    TypeId type = argument_type(w, i), element = type_element(types, type);
    Text place = {0};
    if (!type_rank(types, type)) {
        if (!out)
            text_printf(&w->t, "    struct kairos_%u r%u;\n", element, i);
        text_put(&w->t, "    ");
        text_printf(&place, "r%u", i);
        copy_fields(w, element, place.at, &slot, (Copy){out, false});
        text_put(&w->t, "\n");
    } else {
        uint32_t length = slot + external_slots(types, type) - 1;
        if (!out)
            text_printf(&w->t,
                        "    struct kairos_%u *r%u = (void *)ModelicaAllocateString((size_t)*(int "
                        "*)a[%u]*sizeof *r%u);\n",
                        element, i, length, i);
        text_printf(&w->t, "    for (int k = 0; k < *(int *)a[%u]; k++) { ", length);
        text_printf(&place, "r%u[k]", i);
        copy_fields(w, element, place.at, &slot, (Copy){out, true});
        text_put(&w->t, "}\n");
    }
    text_free(&place);
}

/* All records among the arguments; with `out`, those that the function sets. */
static void copy_records(Writer *w, bool out)
{
    uint32_t slot = 1;
    for (uint32_t i = 0; i < w->f->external->n_args; i++) {
        TypeId type = argument_type(w, i);
        if (external_is_record(w->g->types, type) &&
            (!out || external_changes(w->g, w->f, i) != UINT32_MAX))
            copy_record(w, i, slot, out);
        slot += external_slots(w->g->types, type);
    }
}

static void define_structs(Writer *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->f->external->n_args; i++)
        if (external_is_record(w->g->types, argument_type(w, i))) {
            define_struct(w, argument_type(w, i));
            any |= type_rank(w->g->types, argument_type(w, i)) > 0;
        }
    if (external_is_record(w->g->types, result_type(w->f)))
        define_struct(w, result_type(w->f));
    if (any)
        text_put(&w->t, "char *ModelicaAllocateString(size_t n);\n");
}

/* ---- arguments ---- */

/* Argument i, whose slots begin at `slot`, as the called function takes it. */
static void put_argument(Writer *w, uint32_t i, uint32_t slot)
{
    Text *t = &w->t;
    const FnExternal *x = w->f->external;
    const Types *types = w->g->types;
    TypeId type = argument_type(w, i);
    if (external_is_record(types, type))
        text_printf(t, type_rank(types, type) ? "(void *)r%u" : "(void *)&r%u", i);
    else if (type_rank(types, type))
        text_printf(t, "*(void **)a[%u]", slot);
    else if (is_fortran(x) && external_pass(types, type) == PASS_STRING)
        text_printf(t, "*(char **)a[%u]", slot);
    else if (is_fortran(x))
        text_printf(t, "a[%u]", slot);
    else if (external_changes(w->g, w->f, i) != UINT32_MAX)
        text_printf(t, "a[%u]", slot);
    else if (expr_op(w->g, x->args[i]) == OP_SIZE)
        text_printf(t, "(size_t)*(int *)a[%u]", slot);
    else
        text_printf(t, "*(%s *)a[%u]", c_type(types, type), slot);
}

static void put_result_type(Writer *w)
{
    TypeId type = result_type(w->f);
    if (external_is_record(w->g->types, type))
        text_printf(&w->t, "struct kairos_%u", type);
    else
        text_put(&w->t, type == T_NONE ? "void" : c_type(w->g->types, type));
}

static void put_prototype(Writer *w, const char *symbol)
{
    const FnExternal *x = w->f->external;
    const Types *types = w->g->types;
    text_put(&w->t, "extern ");
    put_result_type(w);
    text_printf(&w->t, " %s(", symbol);
    for (uint32_t i = 0; i < x->n_args && !is_fortran(x); i++) {
        TypeId type = argument_type(w, i);
        bool pointer = type_rank(types, type) || external_is_record(types, type) ||
                       external_changes(w->g, w->f, i) != UINT32_MAX;
        text_printf(&w->t, "%s%s", i ? ", " : "",
                    pointer                                ? "void *"
                    : expr_op(w->g, x->args[i]) == OP_SIZE ? "size_t"
                                                           : c_type(types, type));
    }
    text_put(&w->t, x->n_args || is_fortran(x) ? ");\n" : "void);\n");
}

/* The call itself; its result follows the slots of the arguments. */
static uint32_t put_call(Writer *w, const char *symbol)
{
    const FnExternal *x = w->f->external;
    uint32_t slot = 1;
    text_printf(&w->t, "%s(", symbol);
    for (uint32_t i = 0; i < x->n_args; i++) {
        text_put(&w->t, i ? ", " : "");
        put_argument(w, i, slot);
        slot += external_slots(w->g->types, argument_type(w, i));
    }
    /* FORTRAN compilers pass the lengths of strings at the end */
    for (uint32_t i = 0; is_fortran(x) && i < x->n_args; i++)
        if (argument_type(w, i) == T_STRING)
            text_printf(&w->t, ", strlen(*(const char **)a[%u])", i + 1);
    text_put(&w->t, ")");
    return slot;
}

/* A struct is copied byte by byte, because a header may have its own type for it. */
static void put_record_call(Writer *w, const char *symbol)
{
    TypeId type = result_type(w->f);
    text_put(&w->t, "    __typeof__(");
    put_call(w, symbol);
    text_put(&w->t, ") value = ");
    uint32_t slot = put_call(w, symbol);
    text_printf(
        &w->t, ";\n    struct kairos_%u result;\n    memcpy(&result, &value, sizeof result);\n    ",
        type);
    copy_fields(w, type, "result", &slot, (Copy){true, false});
    text_put(&w->t, "\n");
}

const char *external_entry_text(Arena *arena, const Graph *g, const Function *f, bool prototype)
{
    const FnExternal *x = f->external;
    Writer w = {.g = g, .f = f};
    const char *symbol = symbol_of(arena, x);
    TypeId result = result_type(f);
    text_put(&w.t, "#include <stddef.h>\n#include <string.h>\n");
    for (uint32_t i = 0; i < x->n_includes; i++)
        text_printf(&w.t, "%s\n", x->includes[i]);
    define_structs(&w);
    if (prototype)
        put_prototype(&w, symbol);
    text_put(&w.t, "void kairos_call(void *const *a)\n{\n");
    copy_records(&w, false);
    if (external_is_record(g->types, result)) {
        put_record_call(&w, symbol);
    } else {
        text_put(&w.t, "    ");
        if (result != T_NONE)
            text_printf(&w.t, "*(%s *)a[0] = ", c_type(g->types, result));
        put_call(&w, symbol);
        text_put(&w.t, ";\n");
    }
    copy_records(&w, true);
    text_put(&w.t, "}\n");
    map_free(&w.structs);
    return text_keep(&w.t, arena);
}
