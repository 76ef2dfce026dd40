/* The operations by name, and the answer. */
#include "edit/class_edit.h"

#include "instance/instance.h"
#include "inspect/inspect.h"
#include "service/cursor.h"
#include "syntax/parse/parse.h"

#include <stdlib.h>

/* ---- the table ---- */

static const struct {
    const char *name;
    bool (*apply)(ClassEdit *e, const cJSON *op);
} operations[] = {
    {"add", op_add},          {"delete", op_delete},       {"move", op_move},
    {"align", op_align},      {"rotate", op_rotate},       {"mirror", op_mirror},
    {"resize", op_resize},    {"connect", op_connect},     {"route", op_route},
    {"modify", op_modify},    {"arrange", op_arrange},     {"describe", op_describe},
    {"copy", op_copy},        {"paste", op_paste},         {"draw", op_draw},
    {"redraw", op_redraw},    {"shift", op_shift},         {"paint", op_paint},
    {"items", op_read_items}, {"redeclare", op_redeclare}, {"extract", op_extract},
};

static bool apply(ClassEdit *e, const cJSON *op)
{
    const char *name = text_arg(op, "op");
    for (size_t i = 0; name && i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operations[i].name, name))
            return operations[i].apply(e, op);
    return refuse(e, "there is no operation '%.100s'", name ? name : "");
}

/* ---- the answer ---- */

static int by_place(const void *a, const void *b)
{
    const Change *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* In the order of the text; insertions at one place stay in the order of the operations. */
static bool sort_changes(ClassEdit *e)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < e->changes.n; i++) { /* stable: there are few */
        Change c = e->changes.at[i];
        uint32_t k = i;
        for (; k > 0 && by_place(&c, &e->changes.at[k - 1]) < 0; k--)
            e->changes.at[k] = e->changes.at[k - 1];
        e->changes.at[k] = c;
    }
    for (uint32_t i = 0; i < e->changes.n; i++) {
        Change c = e->changes.at[i];
        const Change *last = n ? &e->changes.at[n - 1] : NULL;
        if (last && c.from >= last->from && c.to <= last->to && !*c.text && !*last->text)
            continue; /* part of what is removed */
        if (last && c.from < last->to)
            return refuse(e, "the operations change the same place of the text");
        e->changes.at[n++] = c;
    }
    e->changes.n = n;
    return true;
}

static void put_new_text(const ClassEdit *e, Text *t)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < e->changes.n; i++) {
        text_put_n(t, e->text + at, e->changes.at[i].from - at);
        text_put(t, e->changes.at[i].text);
        at = e->changes.at[i].to;
    }
    text_put_n(t, e->text + at, e->size - at);
}

static uint32_t count_errors(const char *text, size_t size)
{
    Context *scratch = context_new();
    AstFile *file = syntax_parse(scratch, sources_add(scratch->sources, "text", text, size));
    uint32_t n = scratch->n_errors;
    ast_free(file);
    context_free(scratch);
    return n;
}

static void put_answer(ClassEdit *e, const Text *fresh, Text *t)
{
    text_put(t, "{\"changes\":[");
    for (uint32_t i = 0; i < e->changes.n; i++) {
        const Change *c = &e->changes.at[i];
        text_put(t, i ? ",{\"range\":" : "{\"range\":");
        put_range(t, e->lib, (Span){e->file->source, c->from, c->to});
        text_put(t, ",\"newText\":");
        text_put_json(t, c->text);
        text_put(t, "}");
    }
    text_put(t, "],\"names\":[");
    for (uint32_t i = 0; i < e->names.n; i++) {
        text_put(t, i ? "," : "");
        text_put_json(t, e->names.at[i]);
    }
    text_put(t, "]");
    for (const cJSON *one = e->extra ? e->extra->child : NULL; one; one = one->next) {
        char *value = cJSON_PrintUnformatted(one);
        text_put(t, ",");
        text_put_json(t, one->string);
        text_printf(t, ":%s", value);
        free(value);
    }
    text_put(t, ",\"text\":");
    text_put_json(t, fresh->at ? fresh->at : "");
    text_put(t, "}");
}

static void put_refusal(const char *why, Text *t)
{
    text_put(t, "{\"error\":");
    text_put_json(t, why);
    text_put(t, "}");
}

static size_t bom_size(const char *text)
{
    return strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3;
}

/* `name` may omit the packages of `within`. */
static Instance *find_class(const ClassEdit *e, const char *name)
{
    Instance *found = inspect_find(e->lib, name);
    if (found && found->cls->ast == e->ast)
        return found;
    Text full = {0};
    for (uint32_t i = 0; i < e->file->within.n; i++)
        text_printf(&full, "%s.", e->file->within.parts[i]);
    text_put(&full, name);
    return inspect_find(e->lib, text_keep(&full, e->arena));
}

static bool open_class(ClassEdit *e, const EditRequest *r)
{
    Cursor c = cursor_open(e->lib, r->path, r->text, r->size, 0);
    e->file = c.file;
    e->ast = ast_find_class(c.file, r->class_);
    e->text = r->text + bom_size(r->text); /* spans do not count it */
    e->size = (uint32_t)(r->size - bom_size(r->text));
    if (!e->ast)
        return refuse(e, "the file has no class '%.200s'", r->class_);
    if (e->ast->form != AST_LONG && e->ast->form != AST_EXTENDS_LONG)
        return refuse(e, "'%s' is a short class; it has no diagram of its own", e->ast->name);
    Instance *found = find_class(e, r->class_);
    e->inst = found && found->cls->ast == e->ast ? instance_of_class(e->lib, e->ast) : NULL;
    if (!e->inst)
        return refuse(e, "'%s' has errors; mend them in the source first", e->ast->name);
    e->page = (Page){.lib = e->lib, .inst = e->inst};
    return true;
}

void edit_class(Library *lib, const EditRequest *r, Text *t)
{
    ClassEdit e = {.lib = lib, .arena = lib->arena, .extra = cJSON_CreateObject()};
    cJSON *list = cJSON_Parse(r->operations), *op;
    Text fresh = {0};
    bool ok = cJSON_IsArray(list) || refuse(&e, "the operations are not a list");
    ok = ok && open_class(&e, r);
    cJSON_ArrayForEach(op, list) ok = ok && apply(&e, op);
    ok = ok && sort_changes(&e);
    if (ok) {
        text_put_n(&fresh, r->text, bom_size(r->text));
        put_new_text(&e, &fresh);
    }
    if (ok && e.changes.n && count_errors(fresh.at, fresh.n) > count_errors(r->text, r->size))
        ok = refuse(&e, "the text would have errors of syntax");
    if (ok)
        put_answer(&e, &fresh, t);
    else
        put_refusal(e.refusal, t);
    text_free(&fresh);
    vec_free(&e.changes);
    vec_free(&e.names);
    cJSON_Delete(e.extra);
    cJSON_Delete(list);
}
