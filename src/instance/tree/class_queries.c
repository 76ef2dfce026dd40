/* Questions about a class that need no lookup, and its table of elements. */
#include "instance/tree/tree.h"

#include "base/text.h"

const char *restriction_text(AstRestriction r)
{
    static const char *const text[] = {
        [AST_CLASS] = "class",
        [AST_MODEL] = "model",
        [AST_RECORD] = "record",
        [AST_OPERATOR_RECORD] = "operator record",
        [AST_BLOCK] = "block",
        [AST_CONNECTOR] = "connector",
        [AST_EXPANDABLE_CONNECTOR] = "expandable connector",
        [AST_TYPE] = "type",
        [AST_PACKAGE] = "package",
        [AST_FUNCTION] = "function",
        [AST_OPERATOR_FUNCTION] = "operator function",
        [AST_OPERATOR] = "operator",
    };
    return text[r];
}

bool class_is_simple(const Class *c)
{
    return c->type != T_NONE;
}

bool class_is_record(const Class *c)
{
    return c->type == T_NONE &&
           (c->restriction == AST_RECORD || c->restriction == AST_OPERATOR_RECORD);
}

bool class_is_connector(const Class *c)
{
    return c->restriction == AST_CONNECTOR || c->restriction == AST_EXPANDABLE_CONNECTOR;
}

bool class_is_function(const Class *c)
{
    return c->restriction == AST_FUNCTION || c->restriction == AST_OPERATOR_FUNCTION;
}

uint32_t class_find(const Class *c, Name name)
{
    return map_get(&c->by_name, map_key(name));
}

uint32_t class_add(Class *c, Element e)
{
    vec_push(&c->elements, e);
    uint32_t index = c->elements.n - 1;
    map_put(&c->by_name, map_key(e.name), index);
    return index;
}

Name library_name(Library *lib, const char *text)
{
    return name_of(lib->ctx->names, text);
}

Name library_next_name(Library *lib, const char **text)
{
    Text t = {0};
    const char *q = *text;
    for (bool quoted = false; *q && (quoted || *q != '.'); q++) {
        if (quoted && *q == '\\' && q[1]) {
            q++;
            if (*q != '?' && *q != '"')
                text_put_char(&t, '\\');
        } else if (*q == '\'') {
            quoted = !quoted;
        }
        text_put_char(&t, *q);
    }
    *text = *q ? q + 1 : q;
    return library_name(lib, text_keep(&t, lib->arena));
}

Name class_full_name(Library *lib, const Class *scope, Name name)
{
    if (!scope || !scope->name[0])
        return name;
    return library_name(lib, arena_printf(lib->arena, "%s.%s", scope->name, name));
}

bool inst_is_leaf(const Instance *inst)
{
    return class_is_simple(inst->cls);
}
