/* Named arguments of built-in functions and operators.
 *
 * The names are those of section 3.7 and 10.3 of Modelica 3.6. A call with named arguments is
 * rewritten with positional ones. Functions with their own defaults (String, homotopy,
 * spatialDistribution, operators on clocks) look for the names themselves. */
#include "instance/typing/internal.h"

typedef struct ArgumentNames {
    const char *function;
    const char *names; /* in order, each followed by a blank */
} ArgumentNames;

static const ArgumentNames table[] = {
    {"Integer", "e "},
    {"abs", "v "},
    {"acos", "x "},
    {"actualStream", "v "},
    {"asin", "x "},
    {"atan", "x "},
    {"atan2", "y x "},
    {"cardinality", "c "},
    {"ceil", "x "},
    {"change", "v "},
    {"cos", "x "},
    {"cosh", "x "},
    {"cross", "x y "},
    {"delay", "expr delayTime delayMax "},
    {"der", "expr "},
    {"diagonal", "v "},
    {"div", "x y "},
    {"edge", "b "},
    {"exp", "x "},
    {"fill", "s n1 n2 n3 n4 n5 n6 n7 n8 "},
    {"floor", "x "},
    {"identity", "n "},
    {"inStream", "v "},
    {"integer", "x "},
    {"linspace", "x1 x2 n "},
    {"log", "x "},
    {"log10", "x "},
    {"matrix", "A "},
    {"max", "x y "},
    {"min", "x y "},
    {"mod", "x y "},
    {"ndims", "A "},
    {"noEvent", "expr "},
    {"ones", "n1 n2 n3 n4 n5 n6 n7 n8 "},
    {"outerProduct", "v1 v2 "},
    {"pre", "y "},
    {"product", "A "},
    {"rem", "x y "},
    {"sample", "start interval "},
    {"scalar", "A "},
    {"semiLinear", "x positiveSlope negativeSlope "},
    {"sign", "v "},
    {"sin", "x "},
    {"sinh", "x "},
    {"size", "A i "},
    {"skew", "x "},
    {"smooth", "p expr "},
    {"sqrt", "v "},
    {"sum", "A "},
    {"symmetric", "A "},
    {"tan", "x "},
    {"tanh", "x "},
    {"transpose", "A "},
    {"vector", "A "},
    {"zeros", "n1 n2 n3 n4 n5 n6 n7 n8 "},
};

static const char *names_of(const char *function)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].function, function))
            return table[i].names;
    return NULL;
}

/* The place of `name` among the names; UINT32_MAX if it is not one of them. */
static uint32_t place_of(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (uint32_t k = 0; *names; k++) {
        size_t length = strcspn(names, " ");
        if (length == n && !strncmp(names, name, n))
            return k;
        names += length + 1;
    }
    return UINT32_MAX;
}

enum { MOST = 9 }; /* arguments with names */

const AstExpr *typing_in_order(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    const char *names = names_of(b->name);
    AstExpr *args[MOST] = {0};
    uint32_t n = call->args.n;
    if (!names || n > MOST) {
        TELL(s, call->named.at[0].span, I105, "function %s takes no named arguments", b->name);
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++)
        args[i] = call->args.at[i];
    for (uint32_t i = 0; i < call->named.n; i++) {
        const AstNamedArg *a = &call->named.at[i];
        uint32_t k = place_of(names, a->name);
        if (k == UINT32_MAX || args[k]) {
            TELL(s, a->span, I105,
                 k == UINT32_MAX ? "function %s has no argument '%s'; its arguments are: %s"
                                 : "function %s has more than one argument '%s' (of: %s)",
                 b->name, a->name, names);
            return NULL;
        }
        args[k] = a->value;
        n = k + 1 > n ? k + 1 : n;
    }
    for (uint32_t k = 0; k < n; k++)
        if (!args[k]) {
            TELL(s, call->span, I105, "function %s lacks an argument before '%s'; the order is: %s",
                 b->name, call->named.at[0].name, names);
            return NULL;
        }
    AstExpr *ordered = ARENA_NEW(s->ctx->arena, AstExpr);
    *ordered = *call;
    ordered->named.n = 0;
    ordered->args.n = n;
    ordered->args.at = ARENA_ARRAY(s->ctx->arena, AstExpr *, n + 1);
    memcpy(ordered->args.at, args, n * sizeof *args);
    return ordered;
}
