#include "api/settings.h"

#include "base/text.h"
#include "structure/initialization/initialization.h"

#include <math.h>
#include <stdlib.h>

/* The next variable after v that the model declares; NONE at the end. */
static VarId next_declared(const Dae *dae, VarId v)
{
    for (v++; v < dae->vars.n; v++) {
        const DaeVar *x = &dae->vars.at[v];
        if (!x->hidden && x->flat != NONE && x->kind != DAE_DERIVATIVE && x->kind != DAE_PRE)
            return v;
    }
    return NONE;
}

static char *nearest_name(const Dae *dae, const char *wanted, Arena *arena)
{
    Arena *scratch = arena_new();
    char *near = NULL;
    size_t n = strlen(wanted);
    unsigned nearest = n < 6 ? (unsigned)n / 2 + 1 : 4;
    for (VarId v = next_declared(dae, 0); v != NONE; v = next_declared(dae, v)) {
        char *have = dae_var_name(dae, v, scratch);
        unsigned d = name_distance(wanted, have, nearest);
        if (d < nearest) {
            nearest = d;
            near = arena_copy(arena, have, strlen(have));
        }
        arena_reset(scratch);
    }
    arena_free(scratch);
    return near;
}

/* A variable of the model by name, without resolving aliases; if there is none, the nearest name in
 * *near. */
static VarId find_variable(const Dae *dae, const char *name, size_t n, char **near, Arena *arena)
{
    Arena *scratch = arena_new();
    char *wanted = arena_copy(arena, name, n);
    VarId v = next_declared(dae, 0);
    while (v != NONE && strcmp(wanted, dae_var_name(dae, v, scratch)) != 0) {
        arena_reset(scratch);
        v = next_declared(dae, v);
    }
    arena_free(scratch);
    if (v == NONE)
        *near = nearest_name(dae, wanted, arena);
    return v;
}

/* NULL: the variable is no enumeration, or its type is not known. */
static const Type *enumeration_of(const Dae *dae, const DaeVar *x)
{
    if (x->type != DAE_ENUM || x->flat == NONE)
        return NULL;
    const Types *types = dae->g->types;
    const Type *type = type_get(types, type_element(types, dae->flat->vars.at[x->flat].type));
    return type->kind == TYPE_ENUM ? type : NULL;
}

bool settings_is_literal(const Dae *dae, const DaeVar *x, double value)
{
    const Type *type = enumeration_of(dae, x);
    return !type || (value >= 1 && value <= type->n);
}

static bool parse_enum(const Dae *dae, const DaeVar *x, const char *text, double *value)
{
    const Type *type = enumeration_of(dae, x);
    const char *last = strrchr(text, '.');
    for (uint32_t i = 0; type && i < type->n; i++)
        if (!strcmp(type->fields[i].name, last ? last + 1 : text))
            return *value = i + 1, true;
    return false;
}

static bool parse_value(const Dae *dae, const DaeVar *x, const char *text, double *value)
{
    if (x->type == DAE_BOOL) {
        *value = !strcmp(text, "true") || !strcmp(text, "1");
        return *value != 0 || !strcmp(text, "false") || !strcmp(text, "0");
    }
    if (parse_enum(dae, x, text, value))
        return true;
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) &&
           (x->type == DAE_REAL || *value == floor(*value)) && settings_is_literal(dae, x, *value);
}

static const char *type_text(const DaeVar *x)
{
    static const char *const texts[] = {"a number", "a whole number", "true or false",
                                        "an enumeration literal", "a text"};
    return texts[x->type];
}

/* NONE after an error. */
static VarId find_or_report(Context *ctx, const Dae *dae, const char *name, size_t n, Arena *arena)
{
    char *near = NULL;
    VarId v = find_variable(dae, name, n, &near, arena);
    if (v == NONE) {
        diag(ctx, (Span){0}, DIAG_U004, "there is no variable '%.*s' in model %s", (int)n, name,
             dae->flat->name);
        if (near)
            diag_note(ctx, (Span){0}, "did you mean '%s'?", near);
    }
    return v;
}

/* Length of the name of the variable in a setting of it, or of its start value. */
static size_t variable_part(const char *name, bool *start)
{
    *start = text_ends_with(name, ".start");
    return strlen(name) - (*start ? strlen(".start") : 0);
}

/* A variable whose own name ends like that of a start value, as in the model of an FMU. */
static bool is_variable(const Dae *dae, const char *name)
{
    bool found = false;
    Arena *scratch = arena_new();
    for (VarId v = next_declared(dae, 0); v != NONE && !found; v = next_declared(dae, v)) {
        found = !strcmp(name, dae_var_name(dae, v, scratch));
        arena_reset(scratch);
    }
    arena_free(scratch);
    return found;
}

static bool is_constant(const Dae *dae, VarId v)
{
    uint32_t flat = dae->vars.at[v].flat;
    return flat != NONE && dae->flat->vars.at[flat].variability == VARIES_CONSTANT;
}

/* The parameter for a setting of v or of its start value, and its sign; NONE if there is none. */
static VarId target_of(const Dae *dae, VarId v, bool start, double *sign)
{
    const DaeVar *x = &dae->vars.at[v];
    if (is_constant(dae, v))
        return NONE;
    *sign = start && x->alias != NONE && x->start == NONE ? x->alias_sign : 1;
    if (x->kind == DAE_PARAMETER && (!start || x->start == NONE))
        return v; /* a parameter starts with its value */
    if (!start)
        return NONE;
    return x->start != NONE || x->alias == NONE ? x->start : dae->vars.at[x->alias].start;
}

/* Why the name cannot be set. False. */
static bool report_not_settable(Context *ctx, const Dae *dae, VarId v, const char *name, size_t n,
                                bool start)
{
    double sign;
    if (is_constant(dae, v))
        diag(ctx, (Span){0}, DIAG_U004,
             "'%.*s' is a constant, which cannot be changed; declare it as a parameter", (int)n,
             name);
    else if (dae->vars.at[v].kind == DAE_INPUT)
        diag(ctx, (Span){0}, DIAG_U004, "'%.*s' is an input; drive it with --input %.*s=VALUE",
             (int)n, name, (int)n, name);
    else if (!start && target_of(dae, v, true, &sign) == NONE)
        diag(ctx, (Span){0}, DIAG_U004,
             "'%s' cannot be set: it is not a parameter, and its values are computed from other "
             "variables",
             name);
    else if (!start)
        diag(ctx, (Span){0}, DIAG_U004,
             "'%s' is not a parameter; to start from another value, set '%s.start'", name, name);
    else
        diag(ctx, (Span){0}, DIAG_U004,
             "'%.*s' has no start value that could be set: it is computed from other variables",
             (int)n, name);
    return false;
}

static bool resolve(Context *ctx, const Dae *dae, const KairosSetting *s, Settings *out,
                    Arena *arena)
{
    bool start;
    size_t n = variable_part(s->name, &start);
    if (start && is_variable(dae, s->name)) {
        start = false;
        n = strlen(s->name);
    }
    VarId v = find_or_report(ctx, dae, s->name, n, arena);
    if (v == NONE)
        return false;
    const DaeVar *x = &dae->vars.at[v];
    double sign;
    VarId target = target_of(dae, v, start, &sign);
    if (target == NONE)
        return report_not_settable(ctx, dae, v, s->name, n, start);
    double value;
    if (!parse_value(dae, x, s->value, &value)) {
        diag(ctx, (Span){0}, DIAG_U005, "'%s' is not a value for '%s'; give %s", s->value, s->name,
             type_text(x));
        return false;
    }
    vec_push(&out->sets, ((SimSet){target, sign * value}));
    return true;
}

/* ---- derivatives ---- */

static VarId real_or_report(Context *ctx, const Dae *dae, const char *name, VarId v)
{
    if (dae->vars.at[v].type == DAE_REAL)
        return v;
    diag(ctx, (Span){0}, DIAG_A005, "'%s' has no derivatives: it is not a Real", name);
    return NONE;
}

VarId settings_parameter(Context *ctx, const Dae *dae, const char *name, double *sign)
{
    bool start;
    size_t n = variable_part(name, &start);
    if (!start && settings_shape(dae->flat, name)) {
        diag(ctx, (Span){0}, DIAG_A005,
             "there is no derivative with respect to '%s': it is structural, so another value is "
             "another model",
             name);
        return NONE;
    }
    Arena *arena = arena_new();
    VarId v = find_or_report(ctx, dae, name, n, arena);
    arena_free(arena);
    if (v == NONE || (v = real_or_report(ctx, dae, name, v)) == NONE)
        return NONE;
    VarId target = target_of(dae, v, start, sign);
    if (target == NONE) {
        report_not_settable(ctx, dae, v, name, n, start);
        return NONE;
    }
    if (!start && !dae->vars.at[v].fixed && dae->vars.at[v].kind == DAE_PARAMETER) {
        diag(ctx, (Span){0}, DIAG_A005,
             "there is no derivative with respect to '%s': it is computed at initialization (fixed "
             "= false)",
             name);
        return NONE;
    }
    bool negative;
    target = dae_representative(dae, target, &negative);
    *sign *= negative ? -1 : 1;
    return target;
}

/* The text within der(…), and its length; NULL for other names. */
static const char *within_der(const char *name, size_t *n)
{
    size_t length = strlen(name);
    if (length < strlen("der(x)") || strncmp(name, "der(", 4) != 0 || name[length - 1] != ')')
        return NULL;
    *n = length - strlen("der()");
    return name + strlen("der(");
}

VarId settings_any_variable(Context *ctx, const Dae *dae, const char *name, double *sign,
                            bool *real)
{
    size_t n = strlen(name);
    const char *within = within_der(name, &n);
    Arena *arena = arena_new();
    VarId v = find_or_report(ctx, dae, within ? within : name, n, arena);
    arena_free(arena);
    if (v == NONE)
        return NONE;
    *real = dae->vars.at[v].type == DAE_REAL;
    bool negative;
    v = dae_representative(dae, v, &negative);
    *sign = negative ? -1 : 1;
    if (!within)
        return v;
    v = dae->vars.at[v].der;
    if (v == NONE) {
        diag(ctx, (Span){0}, DIAG_U004, "the model does not contain '%s'", name);
        return NONE;
    }
    v = dae_representative(dae, v, &negative);
    *sign *= negative ? -1 : 1;
    return v;
}

VarId settings_variable(Context *ctx, const Dae *dae, const char *name, double *sign)
{
    bool real;
    VarId v = settings_any_variable(ctx, dae, name, sign, &real);
    if (v != NONE && !real)
        diag(ctx, (Span){0}, DIAG_A005, "'%s' has no derivatives: it is not a Real", name);
    return v != NONE && real ? v : NONE;
}

/* ---- arrays ---- */

/* The array that a setting names, or its start values; NONE for others. */
static uint32_t array_of(const Dae *dae, const char *name, Arena *arena)
{
    bool start;
    size_t n = variable_part(name, &start);
    for (uint32_t f = 0; f < dae->flat->vars.n; f++) {
        if (!type_rank(dae->flat->g->types, dae->flat->vars.at[f].type))
            continue;
        const char *have = flat_var_name(dae->flat, f, arena);
        if (strlen(have) == n && !strncmp(have, name, n))
            return f;
    }
    return NONE;
}

/* The items of {a, b} or {{a, b}, {c, d}}, in order. Returns their number; -1 for other texts. */
static int64_t list_items(const char *text, int64_t most, char **items, Arena *arena)
{
    int64_t n = 0;
    int depth = 0;
    for (const char *c = text; *c;) {
        size_t length = strcspn(c, "{},");
        const char *end = c + length;
        while (c < end && *c == ' ')
            c++;
        while (c < end && end[-1] == ' ')
            end--;
        if (c < end && depth > 0 && n < most)
            items[n] = arena_copy(arena, c, (size_t)(end - c));
        n += c < end;
        if (c < end && depth == 0)
            return -1;
        c = end + strspn(end, " ");
        depth += (*c == '{') - (*c == '}');
        c += *c != '\0';
    }
    return depth == 0 && *text == '{' ? n : -1;
}

const char **settings_names(const Dae *dae, const char *const *names, unsigned *n, Arena *arena)
{
    VEC(const char *) all = {0};
    for (unsigned i = 0; i < *n; i++) {
        bool start;
        uint32_t f = array_of(dae, names[i], arena), before = all.n;
        (void)variable_part(names[i], &start);
        for (VarId v = next_declared(dae, 0); f != NONE && v != NONE; v = next_declared(dae, v))
            if (dae->vars.at[v].flat == f)
                vec_push(&all, start ? arena_printf(arena, "%s.start", dae_var_name(dae, v, arena))
                                     : dae_var_name(dae, v, arena));
        if (all.n == before)
            vec_push(&all, names[i]);
    }
    const char **kept = ARENA_ARRAY(arena, const char *, all.n + (size_t)1);
    for (uint32_t i = 0; i < all.n; i++)
        kept[i] = all.at[i];
    *n = all.n;
    vec_free(&all);
    return kept;
}

typedef VEC(KairosSetting) SettingVec;

/* Settings of arrays become settings of their elements. False after an error; ctx NULL: without
 * a message. */
static bool expand(Context *ctx, const Dae *dae, const KairosSetting *s, SettingVec *out,
                   Arena *arena)
{
    uint32_t f = array_of(dae, s->name, arena);
    if (f == NONE) {
        vec_push(out, *s);
        return true;
    }
    int64_t n = type_count(dae->flat->g->types, dae->flat->vars.at[f].type);
    char **items = ARENA_ARRAY(arena, char *, (size_t)n + 1);
    int64_t given = list_items(s->value, n, items, arena);
    if (n == 1 && !strchr(s->value, '{')) { /* an array of one element takes a number */
        items[0] = arena_copy(arena, s->value, strlen(s->value));
        given = 1;
    }
    if (given != n) {
        if (ctx)
            diag(ctx, (Span){0}, DIAG_U005,
                 "'%s' is an array of %lld elements; give their values as {1, 2, …}", s->name,
                 (long long)n);
        return false;
    }
    bool start;
    (void)variable_part(s->name, &start);
    for (VarId v = next_declared(dae, 0); v != NONE; v = next_declared(dae, v)) {
        if (dae->vars.at[v].flat != f)
            continue;
        const char *name = dae_var_name(dae, v, arena);
        KairosSetting one = {start ? arena_printf(arena, "%s.start", name) : name,
                             items[dae->vars.at[v].element]};
        vec_push(out, one);
    }
    return true;
}

bool settings_resolve(Context *ctx, const Dae *dae, const KairosSetting *list, uint32_t n,
                      Settings *out)
{
    Arena *arena = arena_new();
    SettingVec all = {0};
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        if (!settings_shape(dae->flat, list[i].name))
            ok &= expand(ctx, dae, &list[i], &all, arena);
    for (uint32_t i = 0; i < all.n; i++)
        ok &= resolve(ctx, dae, &all.at[i], out, arena);
    vec_free(&all);
    arena_free(arena);
    return ok;
}

void settings_free(Settings *s)
{
    vec_free(&s->sets);
}

static bool is_text(const Flat *flat, const FlatVar *v)
{
    return v->variability == VARIES_PARAMETER && type_element(flat->g->types, v->type) == T_STRING;
}

/* The structural variable that `name`, or the name of one of its elements, denotes; or NULL. */
static const FlatVar *shaping(const Flat *flat, const char *name)
{
    Arena *scratch = arena_new();
    size_t n = strlen(name);
    const FlatVar *found = NULL;
    for (uint32_t i = 0; i < flat->vars.n && !found; i++) {
        const FlatVar *v = &flat->vars.at[i];
        if (!v->evaluated && !is_text(flat, v))
            continue;
        const char *have = flat_var_name(flat, i, scratch);
        size_t k = strlen(have);
        if (k <= n && !strncmp(have, name, k) &&
            (name[k] == '\0' || (name[k] == '[' && name[n - 1] == ']')))
            found = v;
        arena_reset(scratch);
    }
    arena_free(scratch);
    return found;
}

bool settings_shape(const Flat *flat, const char *name)
{
    return shaping(flat, name) != NULL;
}

const char *settings_expression(const Flat *flat, const KairosSetting *s, Arena *arena)
{
    const FlatVar *v = shaping(flat, s->name);
    if (!v || !is_text(flat, v) || s->value[0] == '"' || s->value[0] == '{')
        return s->value;
    Text t = {0};
    text_put_char(&t, '"');
    for (const char *c = s->value; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_put_char(&t, '\\');
        text_put_char(&t, *c);
    }
    text_put_char(&t, '"');
    return text_keep(&t, arena);
}

bool settings_hold(const Plan *plan, const KairosSetting *list, uint32_t n)
{
    VEC(PlanValue) given = {0};
    Arena *arena = arena_new();
    SettingVec all = {0};
    for (uint32_t i = 0; i < n; i++)
        expand(NULL, plan->dae, &list[i], &all, arena);
    for (uint32_t i = 0; i < all.n; i++) {
        char *near = NULL;
        double value, sign;
        bool start;
        size_t length = variable_part(all.at[i].name, &start);
        VarId v = find_variable(plan->dae, all.at[i].name, length, &near, arena);
        VarId target = v == NONE ? NONE : target_of(plan->dae, v, start, &sign);
        if (target != NONE &&
            parse_value(plan->dae, &plan->dae->vars.at[v], all.at[i].value, &value))
            vec_push(&given, ((PlanValue){target, sign * value}));
    }
    bool ok = !given.n || plan_holds(plan, given.at, given.n);
    vec_free(&all);
    vec_free(&given);
    arena_free(arena);
    return ok;
}
