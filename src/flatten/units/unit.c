#include "flatten/units/unit.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

const Unit unit_one = {true, {0}, 1};

/* X(symbol, factor, m, kg, s, A, K, mol, cd): units of the SI and those used with it. */
#define SYMBOLS(X)                                                                                 \
    X("m", 1, 1, 0, 0, 0, 0, 0, 0)                                                                 \
    X("g", 1e-3, 0, 1, 0, 0, 0, 0, 0)                                                              \
    X("s", 1, 0, 0, 1, 0, 0, 0, 0)                                                                 \
    X("A", 1, 0, 0, 0, 1, 0, 0, 0)                                                                 \
    X("K", 1, 0, 0, 0, 0, 1, 0, 0)                                                                 \
    X("mol", 1, 0, 0, 0, 0, 0, 1, 0)                                                               \
    X("cd", 1, 0, 0, 0, 0, 0, 0, 1)                                                                \
    X("rad", 1, 0, 0, 0, 0, 0, 0, 0)                                                               \
    X("sr", 1, 0, 0, 0, 0, 0, 0, 0)                                                                \
    X("Hz", 1, 0, 0, -1, 0, 0, 0, 0)                                                               \
    X("N", 1, 1, 1, -2, 0, 0, 0, 0)                                                                \
    X("Pa", 1, -1, 1, -2, 0, 0, 0, 0)                                                              \
    X("J", 1, 2, 1, -2, 0, 0, 0, 0)                                                                \
    X("W", 1, 2, 1, -3, 0, 0, 0, 0)                                                                \
    X("var", 1, 2, 1, -3, 0, 0, 0, 0)                                                              \
    X("C", 1, 0, 0, 1, 1, 0, 0, 0)                                                                 \
    X("V", 1, 2, 1, -3, -1, 0, 0, 0)                                                               \
    X("F", 1, -2, -1, 4, 2, 0, 0, 0)                                                               \
    X("Ohm", 1, 2, 1, -3, -2, 0, 0, 0)                                                             \
    X("S", 1, -2, -1, 3, 2, 0, 0, 0)                                                               \
    X("Wb", 1, 2, 1, -2, -1, 0, 0, 0)                                                              \
    X("T", 1, 0, 1, -2, -1, 0, 0, 0)                                                               \
    X("H", 1, 2, 1, -2, -2, 0, 0, 0)                                                               \
    X("lm", 1, 0, 0, 0, 0, 0, 0, 1)                                                                \
    X("lx", 1, -2, 0, 0, 0, 0, 0, 1)                                                               \
    X("Bq", 1, 0, 0, -1, 0, 0, 0, 0)                                                               \
    X("Gy", 1, 2, 0, -2, 0, 0, 0, 0)                                                               \
    X("Sv", 1, 2, 0, -2, 0, 0, 0, 0)                                                               \
    X("kat", 1, 0, 0, -1, 0, 0, 1, 0)                                                              \
    X("eV", 1.602176634e-19, 2, 1, -2, 0, 0, 0, 0)                                                 \
    X("bar", 1e5, -1, 1, -2, 0, 0, 0, 0)                                                           \
    X("min", 60, 0, 0, 1, 0, 0, 0, 0)                                                              \
    X("h", 3600, 0, 0, 1, 0, 0, 0, 0)                                                              \
    X("d", 86400, 0, 0, 1, 0, 0, 0, 0)                                                             \
    X("l", 1e-3, 3, 0, 0, 0, 0, 0, 0)                                                              \
    X("L", 1e-3, 3, 0, 0, 0, 0, 0, 0)                                                              \
    X("t", 1e3, 0, 1, 0, 0, 0, 0, 0)                                                               \
    X("deg", PI / 180, 0, 0, 0, 0, 0, 0, 0)                                                        \
    X("rev", 2 * PI, 0, 0, 0, 0, 0, 0, 0)                                                          \
    X("ppm", 1e-6, 0, 0, 0, 0, 0, 0, 0)                                                            \
    X("%", 1e-2, 0, 0, 0, 0, 0, 0, 0)

static const struct Symbol {
    const char *text;
    double factor;
    int8_t of[UNIT_BASES];
} symbols[] = {
#define X(text, factor, m, kg, s, A, K, mol, cd) {text, factor, {m, kg, s, A, K, mol, cd}},
    SYMBOLS(X)
#undef X
};

static const struct Prefix {
    const char *text;
    double factor;
} prefixes[] = {{"da", 1e1},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},
                {"T", 1e12},  {"G", 1e9},   {"M", 1e6},   {"k", 1e3},   {"h", 1e2},
                {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"n", 1e-9},
                {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}};

/* ---- arithmetic ---- */

Unit unit_product(Unit a, Unit b, int sign)
{
    Unit u = {.known = a.known && b.known};
    if (!u.known)
        return u;
    for (int i = 0; i < UNIT_BASES; i++)
        u.of[i] = (int16_t)(a.of[i] + sign * b.of[i]);
    u.factor = sign > 0 ? a.factor * b.factor : a.factor / b.factor;
    return u;
}

Unit unit_power(Unit a, int num, int den)
{
    Unit u = {.known = a.known};
    for (int i = 0; i < UNIT_BASES && u.known; i++) {
        int part = a.of[i] * num;
        u.known = part % den == 0 && abs(part) < INT16_MAX / 2;
        u.of[i] = (int16_t)(part / den);
    }
    u.factor = u.known ? pow(a.factor, (double)num / den) : 0;
    return u;
}

bool unit_same_dimension(Unit a, Unit b)
{
    return !memcmp(a.of, b.of, sizeof a.of);
}

bool unit_same(Unit a, Unit b)
{
    return !a.known || !b.known ||
           (unit_same_dimension(a, b) && fabs(a.factor / b.factor - 1) < 1e-6);
}

/* ---- reading ---- */

typedef struct Reader {
    const char *at;
    UnitText result;
} Reader;

static bool find_symbol(const char *s, size_t n, Unit *out)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (strlen(symbols[i].text) != n || strncmp(symbols[i].text, s, n))
            continue;
        *out = (Unit){.known = true, .factor = symbols[i].factor};
        for (int k = 0; k < UNIT_BASES; k++)
            out->of[k] = (int16_t)(UNIT_PARTS * symbols[i].of[k]);
        return true;
    }
    return false;
}

static bool find_operand(const char *s, size_t n, Unit *out)
{
    if (find_symbol(s, n, out))
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t k = strlen(prefixes[i].text);
        if (k < n && !strncmp(prefixes[i].text, s, k) && find_symbol(s + k, n - k, out)) {
            out->factor *= prefixes[i].factor;
            return true;
        }
    }
    return false;
}

/* unit-factor = unit-operand [ unit-exponent ] */
static Unit read_factor(Reader *r)
{
    const char *start = r->at;
    while (isalpha((unsigned char)*r->at) || *r->at == '%' || *r->at == '_' ||
           (unsigned char)*r->at >= 0x80)
        r->at++;
    Unit u = {0};
    if (r->at == start)
        r->result = UNIT_MALFORMED;
    else if (!find_operand(start, (size_t)(r->at - start), &u) && r->result == UNIT_GOOD)
        r->result = UNIT_OPEN;
    bool sign = *r->at == '+' || *r->at == '-';
    if (sign && !isdigit((unsigned char)r->at[1]))
        r->result = UNIT_MALFORMED;
    if (sign || isdigit((unsigned char)*r->at)) {
        char *end;
        long k = strtol(r->at, &end, 10);
        r->at = end;
        u = unit_power(u, k > -100 && k < 100 ? (int)k : 0, 1);
    }
    return u;
}

static Unit read_expression(Reader *r, unsigned depth);

static Unit read_group(Reader *r, unsigned depth)
{
    r->at++;
    Unit u = read_expression(r, depth + 1);
    if (*r->at == ')')
        r->at++;
    else
        r->result = UNIT_MALFORMED;
    return u;
}

/* unit-expression = unit-numerator [ "/" unit-denominator ]; unit-numerator = "1" | unit-factor {
 * "." unit-factor } | "(" … ")" */
static Unit read_expression(Reader *r, unsigned depth)
{
    Unit u = unit_one;
    if (depth > 20) {
        r->result = UNIT_MALFORMED;
        return u;
    }
    if (*r->at == '1') {
        r->at++;
    } else if (*r->at == '(') {
        u = read_group(r, depth);
    } else {
        u = read_factor(r);
        while (*r->at == '.' && r->result != UNIT_MALFORMED) {
            r->at++;
            u = unit_product(u, read_factor(r), 1);
        }
    }
    if (*r->at == '/' && r->result != UNIT_MALFORMED) {
        r->at++;
        u = unit_product(u, *r->at == '(' ? read_group(r, depth) : read_factor(r), -1);
    }
    return u;
}

UnitText unit_parse(const char *text, Unit *out)
{
    Reader r = {text, UNIT_GOOD};
    *out = (Unit){0};
    if (!*text || !strcmp(text, "1"))
        return UNIT_OPEN;
    Unit u = read_expression(&r, 0);
    if (*r.at)
        r.result = UNIT_MALFORMED;
    if (r.result == UNIT_GOOD)
        *out = u;
    return r.result;
}

/* ---- printing ---- */

static void put_powers(Text *t, Unit a, int sign)
{
    static const char *const names[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    static const int order[] = {1, 0, 3, 4, 5, 6, 2};
    size_t start = t->n;
    for (int i = 0; i < UNIT_BASES; i++) {
        int k = sign * a.of[order[i]];
        if (k <= 0)
            continue;
        text_printf(t, "%s%s", t->n > start ? "." : "", names[order[i]]);
        if (k % UNIT_PARTS)
            text_printf(t, "^(%d/%d)", k, UNIT_PARTS);
        else if (k != UNIT_PARTS)
            text_printf(t, "%d", k / UNIT_PARTS);
    }
}

char *unit_print(Unit a, Arena *arena)
{
    Text t = {0}, below = {0};
    put_powers(&t, a, 1);
    put_powers(&below, a, -1);
    if (!t.n)
        text_put(&t, "1");
    if (below.n)
        text_printf(&t, strchr(below.at, '.') ? "/(%s)" : "/%s", below.at);
    char *s = fabs(a.factor - 1) < 1e-9 ? arena_printf(arena, "%s", t.at)
                                        : arena_printf(arena, "%g %s", a.factor, t.at);
    text_free(&t);
    text_free(&below);
    return s;
}
