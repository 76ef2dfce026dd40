/* Omola's expressions in Modelica. Omola has the conventions of Matlab: columns and rows are
 * matrices, and a matrix of one element is a scalar. A scalar fills the array that it is set equal
 * to. In Modelica, columns and rows both become vectors. */
#include "notation/omola/internal.h"

#include <strings.h>

typedef struct Shaped {
    AstExpr *e;
    OmShape shape;
} Shaped;

static Shaped translate(Omola *o, AstExpr *e);

/* ---- coercion ---- */

static AstExpr *fill_like(Omola *o, AstExpr *e, OmShape wanted, AstExpr *like)
{
    Tree *t = &o->r.tree;
    AstExpr *args[3] = {e, NULL, NULL};
    uint32_t n = wanted == OM_MATRIX ? 2 : 1;
    for (uint32_t i = 0; i < n; i++)
        args[i + 1] = tree_size(t, e->span, like, i + 1);
    return tree_call(t, e->span, "fill", args, n + 1);
}

static AstExpr *coerce(Omola *o, Shaped s, OmShape wanted, AstExpr *like)
{
    if (!s.e || s.shape == wanted)
        return s.e;
    if (wanted == OM_SCALAR)
        return tree_call1(&o->r.tree, s.e->span, "scalar", s.e);
    if (s.shape == OM_SCALAR)
        return fill_like(o, s.e, wanted, like);
    return s.e;
}

static AstExpr *scalar(Omola *o, AstExpr *e)
{
    return coerce(o, translate(o, e), OM_SCALAR, NULL);
}

/* ---- references ---- */

static AstExpr *subscript(Omola *o, AstExpr *e)
{
    if (e->kind != AST_RANGE)
        return scalar(o, e);
    AstExpr *args[] = {tree_brackets(&o->r.tree, scalar(o, e->args.at[0])),
                       tree_brackets(&o->r.tree, scalar(o, e->args.at[1]))};
    return tree_list(&o->r.tree, e->span, AST_RANGE, args, 2);
}

OmShape omola_selected(const AstRefPart *part, OmShape shape)
{
    uint32_t n = part->subs.n;
    if (!n)
        return shape;
    bool first = part->subs.at[0]->kind == AST_RANGE,
         second = n > 1 && part->subs.at[1]->kind == AST_RANGE;
    if (shape == OM_MATRIX)
        return first && second ? OM_MATRIX : first ? OM_COLUMN : second ? OM_ROW : OM_SCALAR;
    return (n == 2 && shape == OM_ROW ? second : first) ? shape : OM_SCALAR;
}

/* The subscripts in Modelica, and the shape of the selection. */
static OmShape select_part(Omola *o, AstRefPart *part, OmShape shape)
{
    uint32_t n = part->subs.n;
    OmShape selected = omola_selected(part, shape);
    for (uint32_t i = 0; i < n; i++)
        part->subs.at[i] = subscript(o, part->subs.at[i]);
    if (n == 2 && shape != OM_MATRIX) { /* x[i, 1] of a column, x[1, i] of a row */
        part->subs.at[0] = part->subs.at[shape == OM_ROW];
        part->subs.n = 1;
    }
    return selected;
}

static AstRef *copy_ref(Omola *o, const AstRef *ref)
{
    Arena *a = o->r.tree.arena;
    AstRef *c = ARENA_NEW(a, AstRef);
    *c = *ref;
    c->parts = ARENA_ARRAY(a, AstRefPart, ref->n + 1);
    for (uint32_t i = 0; i < ref->n; i++) {
        c->parts[i] = ref->parts[i];
        c->parts[i].subs.at = ARENA_ARRAY(a, AstExpr *, ref->parts[i].subs.n + 1);
        for (uint32_t s = 0; s < ref->parts[i].subs.n; s++)
            c->parts[i].subs.at[s] = ref->parts[i].subs.at[s];
    }
    return c;
}

static AstExpr *ref_expr(Omola *o, AstRef *ref)
{
    AstExpr *e = tree_list(&o->r.tree, ref->span, AST_REF, NULL, 0);
    e->ref = ref;
    return e;
}

/* A terminal that is a single variable has it as its member. */
static void add_value(Omola *o, AstRef *ref)
{
    ref->parts[ref->n] =
        (AstRefPart){.name = name_of(o->r.tree.ctx->names, "value"), .span = ref->span};
    ref->n++;
}

static Shaped translate_ref(Omola *o, const AstExpr *e, bool is_new)
{
    Tree *t = &o->r.tree;
    AstRef *ref = copy_ref(o, e->ref);
    OmClass *owner = NULL;
    OmAttr *a = omola_attr_of(o, o->c, e->ref, &owner);
    if (!a && ref->n == 1 && !strcasecmp(ref->parts[0].name, "time"))
        return (Shaped){tree_ref(t, e->span, name_of(t->ctx->names, "time")), OM_SCALAR};
    OmShape shape = a ? a->shape : OM_SCALAR;
    for (uint32_t i = 0; i < ref->n; i++)
        shape = i + 1 < ref->n ? (select_part(o, &ref->parts[i], OM_COLUMN), shape)
                               : select_part(o, &ref->parts[i], shape);
    if (a && a->kind == OM_TERMINAL && a->terminal != OM_RECORD &&
        ref->parts[ref->n - 1].name == a->name)
        add_value(o, ref);
    AstExpr *made = ref_expr(o, ref);
    if (a && a->kind == OM_EVENT)
        made = tree_call1(t, e->span, "change", made);
    else if (a && a->changes && owner == o->c && ref->n == 1 && !is_new)
        made = tree_call1(t, e->span, "pre", made);
    return (Shaped){made, shape};
}

/* 'Active: the value of that name among the enumerations of the class and its components. */
static AstExpr *translate_literal(Omola *o, const AstExpr *e)
{
    Tree *t = &o->r.tree;
    Name name = e->args.at[0]->ref->parts[0].name;
    for (uint32_t k = 0; k <= o->classes.n; k++) {
        const OmBody *body = k ? &o->classes.at[k - 1]->full : &o->c->full;
        for (uint32_t i = 0; i < body->attrs.n; i++) {
            const OmAttr *a = body->attrs.at[i];
            for (uint32_t j = 0; a->type == OM_ENUM && j < a->literals.n; j++)
                if (a->literals.at[j].name == name)
                    return tree_member(t, e->span, a->type_name, name);
        }
    }
    reader_error(&o->r, e->span, DIAG_S041, "no discrete variable has the value '%s", name);
    return tree_integer(t, e->span, 0);
}

/* ---- operations ---- */

static OmShape wider(OmShape a, OmShape b)
{
    return a > b ? a : b;
}

static Shaped translate_product(Omola *o, Shaped a, Shaped b)
{
    Tree *t = &o->r.tree;
    AstExpr *args[] = {a.e, b.e};
    if (a.shape == OM_COLUMN && b.shape == OM_ROW)
        return (Shaped){tree_call(t, a.e->span, "outerProduct", args, 2), OM_MATRIX};
    AstExpr *e = tree_binary(t, AST_OP_MUL, a.e, b.e);
    if (a.shape == OM_SCALAR || b.shape == OM_SCALAR)
        return (Shaped){e, wider(a.shape, b.shape)};
    if (a.shape == OM_MATRIX)
        return (Shaped){e, b.shape};
    return (Shaped){e, b.shape == OM_MATRIX ? OM_ROW : OM_SCALAR};
}

static Shaped translate_sum(Omola *o, AstOp op, Shaped a, Shaped b)
{
    bool mixed = (a.shape == OM_SCALAR) != (b.shape == OM_SCALAR);
    AstOp used = !mixed ? op : op == AST_OP_ADD ? AST_OP_EADD : AST_OP_ESUB;
    return (Shaped){tree_binary(&o->r.tree, used, a.e, b.e), wider(a.shape, b.shape)};
}

static Shaped translate_binary(Omola *o, const AstExpr *e)
{
    Tree *t = &o->r.tree;
    AstExpr *x = e->args.at[0], *y = e->args.at[1];
    if (e->op == AST_OP_ADD || e->op == AST_OP_SUB)
        return translate_sum(o, e->op, translate(o, x), translate(o, y));
    if (e->op == AST_OP_MUL)
        return translate_product(o, translate(o, x), translate(o, y));
    if (e->op == AST_OP_DIV) {
        Shaped a = translate(o, x);
        return (Shaped){tree_binary(t, e->op, a.e, scalar(o, y)), a.shape};
    }
    return (Shaped){tree_binary(t, e->op, scalar(o, x), scalar(o, y)), OM_SCALAR};
}

static Shaped translate_if(Omola *o, const AstExpr *e)
{
    uint32_t n = e->args.n;
    Shaped *parts = ARENA_ARRAY(o->r.scratch, Shaped, n);
    AstExpr **args = ARENA_ARRAY(o->r.scratch, AstExpr *, n);
    OmShape shape = OM_SCALAR;
    AstExpr *like = NULL;
    for (uint32_t i = 0; i < n; i++) {
        bool condition = i % 2 == 0 && i + 1 < n;
        parts[i] =
            condition ? (Shaped){scalar(o, e->args.at[i]), OM_SCALAR} : translate(o, e->args.at[i]);
        if (!condition && parts[i].shape > shape)
            shape = parts[i].shape, like = parts[i].e;
    }
    for (uint32_t i = 0; i < n; i++)
        args[i] = i % 2 == 0 && i + 1 < n ? parts[i].e : coerce(o, parts[i], shape, like);
    return (Shaped){tree_list(&o->r.tree, e->span, AST_IF, args, n), shape};
}

static bool is_one(const AstExpr *e)
{
    return e->kind == AST_INT && e->integer == 1;
}

/* ones(1, N) is a row, ones(N, 1) a column. */
static Shaped translate_filled(Omola *o, const AstExpr *e, const char *name)
{
    AstExpr *args[] = {scalar(o, e->args.at[0]), scalar(o, e->args.at[1])};
    bool row = is_one(args[0]), column = !row && is_one(args[1]);
    Tree *t = &o->r.tree;
    AstExpr *call = row || column ? tree_call(t, e->span, name, row ? args + 1 : args, 1)
                                  : tree_call(t, e->span, name, args, 2);
    return (Shaped){call, row ? OM_ROW : column ? OM_COLUMN : OM_MATRIX};
}

static Shaped translate_call(Omola *o, const AstExpr *e)
{
    Tree *t = &o->r.tree;
    if (tree_is_call(e, "'"))
        return (Shaped){translate_literal(o, e), OM_SCALAR};
    if (omola_is_call(e, "der") && e->args.n == 1) {
        Shaped x = translate(o, e->args.at[0]);
        return (Shaped){tree_call1(t, e->span, "der", x.e), x.shape};
    }
    if (omola_is_call(e, "new") && e->args.n == 1 && e->args.at[0]->kind == AST_REF)
        return translate_ref(o, e->args.at[0], true);
    if (omola_is_call(e, "size") && e->args.n == 2) {
        AstExpr *args[] = {e->args.at[0], scalar(o, e->args.at[1])};
        return (Shaped){tree_call(t, e->span, "size", args, 2), OM_SCALAR};
    }
    if (e->args.n == 2 && (omola_is_call(e, "ones") || omola_is_call(e, "zeros")))
        return translate_filled(o, e, omola_is_call(e, "ones") ? "ones" : "zeros");
    AstExpr *made = ARENA_NEW(t->arena, AstExpr);
    *made = *e;
    made->args.at = ARENA_ARRAY(t->arena, AstExpr *, e->args.n + 1);
    for (uint32_t i = 0; i < e->args.n; i++)
        made->args.at[i] = scalar(o, e->args.at[i]);
    return (Shaped){made, OM_SCALAR};
}

/* [1; 2] is a column, [1, 2] a row; both become vectors. */
static Shaped translate_matrix(Omola *o, const AstExpr *e)
{
    Tree *t = &o->r.tree;
    uint32_t rows = e->args.n, columns = e->args.at[0]->args.n;
    if (rows > 1 && columns > 1) {
        AstExpr **made = ARENA_ARRAY(o->r.scratch, AstExpr *, rows);
        for (uint32_t i = 0; i < rows; i++) {
            const AstExpr *row = e->args.at[i];
            AstExpr **items = ARENA_ARRAY(o->r.scratch, AstExpr *, row->args.n);
            for (uint32_t k = 0; k < row->args.n; k++)
                items[k] = scalar(o, row->args.at[k]);
            made[i] = tree_list(t, row->span, AST_ARRAY, items, row->args.n);
        }
        return (Shaped){tree_list(t, e->span, AST_MATRIX, made, rows), OM_MATRIX};
    }
    uint32_t n = rows > 1 ? rows : columns;
    AstExpr **items = ARENA_ARRAY(o->r.scratch, AstExpr *, n);
    for (uint32_t i = 0; i < n; i++)
        items[i] = scalar(o, rows > 1 ? e->args.at[i]->args.at[0] : e->args.at[0]->args.at[i]);
    return (Shaped){tree_list(t, e->span, AST_ARRAY, items, n), rows > 1 ? OM_COLUMN : OM_ROW};
}

static Shaped translate(Omola *o, AstExpr *e)
{
    Tree *t = &o->r.tree;
    switch (e->kind) {
    case AST_REF: return translate_ref(o, e, false);
    case AST_CALL: return translate_call(o, e);
    case AST_BINARY: return translate_binary(o, e);
    case AST_IF: return translate_if(o, e);
    case AST_MATRIX: return translate_matrix(o, e);
    case AST_TUPLE: {
        Shaped s = translate(o, e->args.at[0]);
        s.e = tree_brackets(t, s.e);
        return s;
    }
    case AST_UNARY: {
        Shaped s = translate(o, e->args.at[0]);
        if (e->op == AST_OP_NOT)
            s = (Shaped){coerce(o, s, OM_SCALAR, NULL), OM_SCALAR};
        s.e = tree_unary(t, e->span, e->op, s.e);
        return s;
    }
    default: return (Shaped){e, OM_SCALAR};
    }
}

OmShape omola_shape(Omola *o, const AstExpr *e)
{
    return translate(o, (AstExpr *)(uintptr_t)e).shape;
}

AstExpr *omola_value(Omola *o, AstExpr *e, OmShape wanted, AstExpr *like)
{
    return coerce(o, translate(o, e), wanted, like);
}

AstExpr *omola_modelica(Omola *o, AstExpr *e)
{
    return translate(o, e).e;
}
