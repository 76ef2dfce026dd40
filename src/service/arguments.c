/* Arguments: the owner of a parenthesis, whose elements are modified or whose inputs are given. */
#include "service/cursor.h"

#include <ctype.h>

const char *const service_keywords[] = {
    "algorithm",   "and",          "annotation", "block",       "break",
    "class",       "connect",      "connector",  "constant",    "constrainedby",
    "der",         "discrete",     "each",       "else",        "elseif",
    "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
    "expandable",  "extends",      "external",   "false",       "final",
    "flow",        "for",          "function",   "if",          "import",
    "impure",      "in",           "initial",    "inner",       "input",
    "loop",        "model",        "not",        "operator",    "or",
    "outer",       "output",       "package",    "parameter",   "partial",
    "protected",   "public",       "pure",       "record",      "redeclare",
    "replaceable", "return",       "stream",     "then",        "true",
    "type",        "when",         "while",      "within",      "time",
    NULL};

/* The quote that begins the string that ends before byte i, plus one. */
static size_t string_start(const Cursor *c, size_t i)
{
    size_t k = i - 1;
    while (k > 0 && (c->text[k - 1] != '"' || (k > 1 && c->text[k - 2] == '\\')))
        k--;
    return k ? k : i;
}

size_t cursor_skip_back(const Cursor *c, size_t i)
{
    while (i > 0 && isspace((unsigned char)c->text[i - 1]))
        i--;
    return i;
}

size_t cursor_open_before(const Cursor *c, size_t i)
{
    int depth = 0;
    for (; i > 0 && c->text[i - 1] != ';'; i--) {
        char x = c->text[i - 1];
        if (x == '"')
            i = string_start(c, i);
        depth += (x == ')') - (x == '(');
        if (depth < 0)
            return i - 1;
    }
    return SIZE_MAX;
}

static Instance *member_of(const Cursor *c, Instance *inst, size_t start, size_t end)
{
    Name name = name_intern(c->lib->ctx->names, c->text + start, end - start);
    return inst ? cursor_instance(c, lookup_member(c->lib, inst, name)) : NULL;
}

bool cursor_is_keyword(const Cursor *c, size_t start, size_t end)
{
    for (size_t i = 0; service_keywords[i]; i++)
        if (strlen(service_keywords[i]) == end - start &&
            !strncmp(service_keywords[i], c->text + start, end - start))
            return true;
    return false;
}

static Instance *predefined_type(const Cursor *c, size_t start, size_t end)
{
    static const char *const types[] = {"Real", "Integer", "Boolean", "String"};
    Name name = name_intern(c->lib->ctx->names, c->text + start, end - start);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i], name))
            return lookup_path(c->lib, c->scope, &name, 1, false, (Span){0});
    return NULL;
}

/* The owner of the parenthesis at `open`: Type name(…, extends Type(…, function(…, or a modifier
 * within one of these. */
static Instance *owner_of(const Cursor *c, size_t open, int depth)
{
    size_t end = cursor_skip_back(c, open), start = cursor_name_start(c, end),
           before = cursor_skip_back(c, start);
    if (start == end || depth > 8)
        return NULL;
    size_t outer = cursor_open_before(c, start);
    char last = before ? c->text[before - 1] : 0;
    if (outer != SIZE_MAX && (last == '(' || last == ',')) {
        Instance *around = owner_of(c, outer, depth + 1);
        Instance *member = around && around->cls->restriction != AST_FUNCTION
                               ? member_of(c, around, start, end)
                               : NULL;
        if (member)
            return member;
    }
    size_t type = cursor_name_start(c, before);
    if (type < before && is_name_char(last) && !cursor_is_keyword(c, type, before))
        start = type, end = before;
    Instance *found = cursor_instance(c, cursor_resolve(c, start, end));
    return found ? found : predefined_type(c, start, end);
}

Instance *cursor_owner(const Cursor *c, size_t open)
{
    return owner_of(c, open, 0);
}
