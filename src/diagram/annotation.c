/* See annotation.h. */
#include "diagram/annotation.h"

#include <math.h>

static Name last_name(const AstExpr *e)
{
    return e && (e->kind == AST_REF || e->kind == AST_CALL) && e->ref->n
               ? e->ref->parts[e->ref->n - 1].name
               : NULL;
}

bool expr_is_call(const AstExpr *e, const char *function)
{
    return e && e->kind == AST_CALL && !strcmp(last_name(e), function);
}

const AstExpr *chosen_part(Record r, const AstExpr *e)
{
    while (e) {
        const AstExpr *dynamic = NULL;
        if (expr_is_call(e, "DynamicSelect") && e->args.n) {
            if (r.dynamic && e->args.n > 1)
                dynamic = dynamic_part(r, e->args.at[1]);
            e = dynamic ? dynamic : e->args.at[0];
        } else if (e->kind == AST_TUPLE && e->args.n == 1)
            e = e->args.at[0];
        else
            break;
    }
    return e;
}

static const AstMod *modification(const AstMod *mod, const char *name)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++) {
        const AstArg *a = &mod->args.at[i];
        if (a->name.n == 1 && !strcmp(a->name.parts[0], name))
            return a->mod;
    }
    return NULL;
}

const AstExpr *record_field(Record r, const char *name)
{
    const AstMod *m = modification(r.mod, name);
    if (m)
        return chosen_part(r, m->value);
    for (uint32_t i = 0; r.call && i < r.call->named.n; i++)
        if (!strcmp(r.call->named.at[i].name, name))
            return chosen_part(r, r.call->named.at[i].value);
    return NULL;
}

Record record_part(Record r, const char *name)
{
    const AstMod *m = modification(r.mod, name);
    const AstExpr *e = record_field(r, name);
    return (Record){r.lib, r.scope, m && m->has_args ? m : NULL,
                    e && e->kind == AST_CALL ? e : NULL, r.dynamic};
}

/* ---- values ---- */

/* The value of any expression; false if it has none before the simulation. */
static bool read_value(Record r, const AstExpr *e, Value *out)
{
    return e && inst_evaluate_ast(r.lib, r.scope, e, T_NONE, "annotation", true, out) == EVAL_OK;
}

static bool literal_number(const AstExpr *e, double *out)
{
    if (e->kind == AST_UNARY && (e->op == AST_OP_SUB || e->op == AST_OP_ADD) &&
        literal_number(e->args.at[0], out)) {
        *out = e->op == AST_OP_SUB ? -*out : *out;
        return true;
    }
    if (e->kind != AST_REAL && e->kind != AST_INT)
        return false;
    *out = e->real;
    return true;
}

static uint32_t copy_numbers(Record r, const Value *v, double *out, uint32_t room)
{
    const Types *types = r.lib->g->types;
    TypeKind kind = type_get(types, type_element(types, v->type))->kind;
    int64_t n = type_count(types, v->type);
    if (kind != TYPE_REAL && kind != TYPE_INT && kind != TYPE_BOOL)
        return 0;
    uint32_t k = 0;
    for (; k < n && k < room; k++)
        out[k] = type_rank(types, v->type) ? v->nums[k] : v->num;
    return k;
}

uint32_t read_numbers(Record r, const AstExpr *e, double *out, uint32_t room)
{
    Value v;
    e = chosen_part(r, e);
    if (!e || !room)
        return 0;
    if (literal_number(e, out))
        return 1;
    if (e->kind != AST_ARRAY || e->iters.n)
        return read_value(r, e, &v) ? copy_numbers(r, &v, out, room) : 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->args.n && n < room; i++)
        n += read_numbers(r, e->args.at[i], out + n, room - n);
    return n;
}

static bool read_exactly(Record r, const char *name, double *out, uint32_t n)
{
    if (read_numbers(r, record_field(r, name), out, n) != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(out[i]) < 1e6))
            return false;
    return true;
}

double read_number(Record r, const char *name, double otherwise)
{
    double x;
    return read_exactly(r, name, &x, 1) ? x : otherwise;
}

bool read_flag(Record r, const char *name, bool otherwise)
{
    const AstExpr *e = record_field(r, name);
    double x;
    if (e && e->kind == AST_BOOL)
        return e->boolean;
    return read_exactly(r, name, &x, 1) ? x != 0 : otherwise;
}

bool read_point(Record r, const char *name, Point *out)
{
    double x[2];
    bool ok = read_exactly(r, name, x, 2);
    if (ok)
        *out = (Point){x[0], x[1]};
    return ok;
}

bool read_extent(Record r, const char *name, Point out[2])
{
    double x[4];
    bool ok = read_exactly(r, name, x, 4);
    if (ok) {
        out[0] = (Point){x[0], x[1]};
        out[1] = (Point){x[2], x[3]};
    }
    return ok;
}

static uint8_t channel(double x)
{
    return (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
}

Colour read_colour(Record r, const char *name, Colour otherwise)
{
    double x[3];
    return read_exactly(r, name, x, 3) ? (Colour){channel(x[0]), channel(x[1]), channel(x[2])}
                                       : otherwise;
}

static int find_word(const char *word, const char *const *words)
{
    for (int i = 0; word && words[i]; i++)
        if (!strcmp(word, words[i]))
            return i;
    return -1;
}

int read_word(Record r, const char *name, const char *const *words, int otherwise)
{
    const AstExpr *e = record_field(r, name);
    if (!e)
        return otherwise;
    if (e->kind == AST_IF) { /* of names that no class declares: the branch is chosen here */
        for (uint32_t i = 0; i + 1 < e->args.n; i += 2) {
            double condition;
            if (read_numbers(r, e->args.at[i], &condition, 1) != 1)
                return otherwise;
            int k = find_word(last_name(e->args.at[i + 1]), words);
            if (condition != 0)
                return k < 0 ? otherwise : k;
        }
        e = e->args.n ? e->args.at[e->args.n - 1] : e;
    }
    int k = find_word(last_name(e), words);
    return k < 0 ? otherwise : k;
}

const char *read_string(Record r, const char *name)
{
    const AstExpr *e = record_field(r, name);
    Value v;
    if (!e)
        return NULL;
    if (e->kind == AST_STRING)
        return e->string;
    return read_value(r, e, &v) && v.type == T_STRING ? v.str : NULL;
}
