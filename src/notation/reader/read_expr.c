/* Expressions of the older notations; they differ from Modelica's in a few signs only. */
#include "notation/reader/reader.h"

static AstExpr *read_relation(Reader *r);

static bool enter(Reader *r)
{
    if (r->depth++ < READER_MAX_DEPTH)
        return true;
    reader_error(r, word_span(r), DIAG_S018, "the expression nests too deeply");
    return false;
}

/* A line that starts with a sign continues the expression before it, unless it is an equation. */
bool starts_statement(const Reader *r)
{
    const Word *w = word(r);
    if (!r->style->lines || !w->newline)
        return false;
    unsigned depth = 0;
    do {
        depth += w->kind == WORD_SYMBOL && (*w->name == '(' || *w->name == '[');
        depth -= w->kind == WORD_SYMBOL && depth && (*w->name == ')' || *w->name == ']');
        if (!depth && word_reads(r, w, "="))
            return true;
        w++;
    } while (w->kind != WORD_END && !w->newline);
    return false;
}

/* ---- primaries ---- */

/* subscript = expression [ ".." expression ] */
static AstExpr *read_subscript(Reader *r)
{
    AstExpr *e = read_expression(r);
    if (!e || !accept_word(r, ".."))
        return e;
    AstExpr *last = read_expression(r);
    AstExpr *args[] = {tree_brackets(&r->tree, e), last ? tree_brackets(&r->tree, last) : NULL};
    return last ? tree_list(&r->tree, span_join(e->span, last->span), AST_RANGE, args, 2) : NULL;
}

/* { item "," } close; false after an error */
static bool read_items(Reader *r, ExprList *items, const char *close, AstExpr *item(Reader *))
{
    if (accept_word(r, close))
        return true;
    do {
        AstExpr *e = item(r);
        if (!e)
            return false;
        vec_push(items, e);
    } while (accept_word(r, ","));
    return expect_word_of(r, close, "at the end of the list");
}

static bool read_part(Reader *r, AstRef *ref, const char *what)
{
    uint32_t at = word(r)->at;
    Name name = expect_plain_name(r, what);
    if (!name)
        return false;
    AstRefPart *parts = ARENA_ARRAY(r->tree.arena, AstRefPart, ref->n + 1);
    for (uint32_t i = 0; i < ref->n; i++)
        parts[i] = ref->parts[i];
    AstRefPart *part = &parts[ref->n++];
    part->name = name;
    ref->parts = parts;
    bool ok = true;
    if (at_word(r, "[") && !(r->style->lines && word(r)->newline)) {
        ExprList subs = {0};
        reader_next(r);
        ok = read_items(r, &subs, "]", read_subscript);
        tree_keep(&r->tree, part->subs, &subs);
    }
    part->span = reader_since(r, at);
    return ok;
}

static AstExpr *finish_call(Reader *r, AstRef *ref, uint32_t at)
{
    ExprList args = {0};
    reader_next(r);
    bool ok = read_items(r, &args, ")", read_expression);
    AstExpr *e = tree_list(&r->tree, reader_since(r, at), AST_CALL, args.at, args.n);
    vec_free(&args);
    e->ref = ref;
    return ok ? e : NULL;
}

AstExpr *read_reference(Reader *r)
{
    uint32_t at = word(r)->at;
    AstRef *ref = ARENA_NEW(r->tree.arena, AstRef);
    do
        if (!read_part(r, ref, ref->n ? "a name after '.'" : "a name"))
            return NULL;
    while (accept_word(r, "."));
    ref->span = reader_since(r, at);
    if (at_word(r, "(") && !(r->style->lines && word(r)->newline))
        return finish_call(r, ref, at);
    AstExpr *e = tree_list(&r->tree, ref->span, AST_REF, NULL, 0);
    e->ref = ref;
    if (accept_word(r, "'"))
        return tree_call1(&r->tree, reader_since(r, at), "der", e);
    return e;
}

/* "[" row { ";" row } "]" */
static AstExpr *read_matrix(Reader *r)
{
    uint32_t at = word(r)->at;
    ExprList rows = {0};
    bool ok = true;
    reader_next(r);
    do {
        uint32_t row_at = word(r)->at;
        ExprList items = {0};
        do {
            AstExpr *e = read_expression(r);
            ok = ok && e;
            vec_push(&items, e);
        } while (ok && accept_word(r, ","));
        vec_push(&rows, tree_list(&r->tree, reader_since(r, row_at), AST_ARRAY, items.at, items.n));
        vec_free(&items);
    } while (ok && accept_word(r, ";"));
    ok = ok && expect_word_of(r, "]", "at the end of the matrix");
    AstExpr *e = ok ? tree_list(&r->tree, reader_since(r, at), AST_MATRIX, rows.at, rows.n) : NULL;
    vec_free(&rows);
    return e;
}

static AstExpr *read_brackets(Reader *r)
{
    reader_next(r);
    AstExpr *e = read_condition(r);
    if (!e || !expect_word_of(r, ")", "to close the bracket"))
        return NULL;
    return tree_brackets(&r->tree, e);
}

static AstExpr *read_primary(Reader *r)
{
    const Word *w = word(r);
    Span span = word_span(r);
    if (w->kind == WORD_NUMBER || w->kind == WORD_STRING)
        reader_next(r);
    if (w->kind == WORD_NUMBER)
        return tree_number(&r->tree, span, r->text + w->at, w->end - w->at);
    if (w->kind == WORD_STRING)
        return tree_string(&r->tree, span, w->name, (uint32_t)strlen(w->name));
    if (w->kind == WORD_QUOTED) {
        reader_next(r);
        AstExpr *e = tree_ref(&r->tree, span, w->name);
        return tree_call1(&r->tree, span, "'", e);
    }
    for (int value = 0; value < 2; value++)
        if (accept_word(r, value ? "true" : "false") || accept_word(r, value ? "True" : "False"))
            return tree_bool(&r->tree, span, value);
    if (accept_word(r, "^")) {
        AstExpr *e = at_word(r, "(") ? read_brackets(r) : read_reference(r);
        return e ? tree_call1(&r->tree, reader_since(r, span.at), "^", e) : NULL;
    }
    if (at_word(r, "("))
        return read_brackets(r);
    if (at_word(r, "["))
        return read_matrix(r);
    if (w->kind == WORD_NAME && !word_is_reserved(r, w))
        return read_reference(r);
    reader_unexpected(r, "an expression");
    return NULL;
}

/* ---- operators ---- */

static AstExpr *read_signed(Reader *r, AstExpr *operand(Reader *))
{
    Span span = word_span(r);
    bool minus = at_word(r, "-");
    if (!minus && !at_word(r, "+"))
        return operand(r);
    reader_next(r);
    AstExpr *e = enter(r) ? read_signed(r, operand) : NULL;
    r->depth--;
    return !e ? NULL
              : tree_unary(&r->tree, span_join(span, e->span), minus ? AST_OP_SUB : AST_OP_ADD, e);
}

static AstExpr *read_factor(Reader *r)
{
    AstExpr *e = read_primary(r);
    if (!e || !(accept_word(r, "^") || accept_word(r, "**")))
        return e;
    AstExpr *power = read_signed(r, read_primary);
    return power ? tree_binary(&r->tree, AST_OP_POW, e, power) : NULL;
}

static AstExpr *read_operand(Reader *r)
{
    return read_signed(r, read_factor);
}

static AstExpr *read_term(Reader *r)
{
    AstExpr *e = read_factor(r);
    for (bool times; e && ((times = at_word(r, "*")) || at_word(r, "/"));) {
        reader_next(r);
        AstExpr *b = read_operand(r);
        e = b ? tree_binary(&r->tree, times ? AST_OP_MUL : AST_OP_DIV, e, b) : NULL;
    }
    return e;
}

static AstExpr *read_sum(Reader *r)
{
    AstExpr *e = read_signed(r, read_term);
    for (bool plus; e && ((plus = at_word(r, "+")) || at_word(r, "-")) && !starts_statement(r);) {
        reader_next(r);
        AstExpr *b = read_term(r);
        e = b ? tree_binary(&r->tree, plus ? AST_OP_ADD : AST_OP_SUB, e, b) : NULL;
    }
    return e;
}

static AstExpr *read_relation(Reader *r)
{
    static const struct {
        const char *text;
        AstOp op;
    } signs[] = {{"<=", AST_OP_LE}, {">=", AST_OP_GE}, {"<>", AST_OP_NE},
                 {"==", AST_OP_EQ}, {"<", AST_OP_LT},  {">", AST_OP_GT}};
    AstExpr *e = read_sum(r);
    for (uint32_t i = 0; e && i < sizeof signs / sizeof *signs; i++)
        if (accept_word(r, signs[i].text)) {
            AstExpr *b = read_sum(r);
            return b ? tree_binary(&r->tree, signs[i].op, e, b) : NULL;
        }
    if (e && r->comparing && accept_word(r, "=")) {
        AstExpr *b = read_sum(r);
        return b ? tree_binary(&r->tree, AST_OP_EQ, e, b) : NULL;
    }
    return e;
}

static AstExpr *read_not(Reader *r)
{
    Span span = word_span(r);
    if (!accept_word(r, "not"))
        return read_relation(r);
    AstExpr *e = enter(r) ? read_not(r) : NULL;
    r->depth--;
    return e ? tree_unary(&r->tree, span_join(span, e->span), AST_OP_NOT, e) : NULL;
}

static AstExpr *read_chain(Reader *r, const char *text, AstOp op, AstExpr *operand(Reader *))
{
    AstExpr *e = operand(r);
    while (e && accept_word(r, text)) {
        AstExpr *b = operand(r);
        e = b ? tree_binary(&r->tree, op, e, b) : NULL;
    }
    return e;
}

static AstExpr *read_and(Reader *r)
{
    return read_chain(r, "and", AST_OP_AND, read_not);
}

/* "if" c "then" e { "elseif" c "then" e } "else" e */
static AstExpr *read_if(Reader *r)
{
    uint32_t at = word(r)->at;
    ExprList parts = {0};
    bool ok = true;
    do {
        reader_next(r);
        AstExpr *condition = read_condition(r);
        ok = condition && expect_word_of(r, "then", "after the condition");
        AstExpr *value = ok ? read_expression(r) : NULL;
        ok = ok && value;
        vec_push(&parts, condition);
        vec_push(&parts, value);
    } while (ok && at_word(r, "elseif"));
    ok = ok && expect_word_of(r, "else", "of the if-expression, which always has a value");
    AstExpr *last = ok ? read_expression(r) : NULL;
    vec_push(&parts, last);
    AstExpr *e = last ? tree_list(&r->tree, reader_since(r, at), AST_IF, parts.at, parts.n) : NULL;
    vec_free(&parts);
    return e;
}

AstExpr *read_expression(Reader *r)
{
    AstExpr *e = !enter(r) ? NULL
                 : at_word(r, "if") && !if_is_name(r, word(r))
                     ? read_if(r)
                     : read_chain(r, "or", AST_OP_OR, read_and);
    r->depth--;
    return e;
}

AstExpr *read_condition(Reader *r)
{
    r->comparing += r->style->equality;
    AstExpr *e = read_expression(r);
    r->comparing -= r->style->equality;
    return e;
}
