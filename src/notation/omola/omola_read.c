/* Reading Omola classes. */
#include "notation/omola/internal.h"

static OmBody *omola_body(Omola *o);

OmClass *omola_class(const Omola *o, Name name)
{
    for (uint32_t i = 0; i < o->classes.n; i++)
        if (o->classes.at[i]->name == name)
            return o->classes.at[i];
    return NULL;
}

void *omola_grow(Omola *o, void *at, uint32_t *cap, size_t size)
{
    uint32_t n = *cap;
    *cap = n ? 2 * n : 4;
    char *grown = arena_alloc(o->r.scratch, *cap * size);
    if (n)
        memcpy(grown, at, n * size);
    return grown;
}

/* After an error, continues after the next ";" or at an END. */
static void skip_statement(Reader *r)
{
    while (word(r)->kind != WORD_END && !at_word(r, ";") && !at_word(r, "END"))
        reader_next(r);
    accept_word(r, ";");
}

/* A missing one is forgiven at the end of a line. */
static bool end_statement(Reader *r)
{
    return accept_word(r, ";") || word(r)->newline ||
           expect_word_of(r, ";", "at the end of the statement");
}

/* [ library "::" ] name */
static Name read_class_name(Reader *r)
{
    Name name = expect_plain_name(r, "the name of a class");
    return name && accept_word(r, "::") ? expect_plain_name(r, "the name of a class") : name;
}

/* ---- types ---- */

/* "[" dimension [ "," dimension ] "]" */
static bool read_dims(Omola *o, OmAttr *a, uint32_t n)
{
    Reader *r = &o->r;
    if (!expect_word_of(r, "[", n == 1 ? "and the length" : "and the numbers of rows and columns"))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if ((i && !expect_word_of(r, ",", "between the dimensions")) ||
            !(a->dims[i] = read_expression(r)))
            return false;
    return expect_word_of(r, "]", "after the dimensions");
}

/* "(" name { "," name } ")" */
static bool read_literals(Omola *o, OmAttr *a)
{
    Reader *r = &o->r;
    a->type = OM_ENUM;
    a->discrete = true;
    reader_next(r);
    do {
        OmLiteral literal = {.span = word_span(r)};
        literal.name = expect_plain_name(r, "the name of a value");
        if (!literal.name)
            return false;
        om_push(o, &a->literals, literal);
    } while (accept_word(r, ","));
    return expect_word_of(r, ")", "after the values");
}

static bool read_shape(Omola *o, OmAttr *a)
{
    Reader *r = &o->r;
    bool column = accept_word(r, "Column");
    if (column || accept_word(r, "Row")) {
        a->shape = column ? OM_COLUMN : OM_ROW;
        return read_dims(o, a, 1);
    }
    if (accept_word(r, "Matrix")) {
        a->shape = OM_MATRIX;
        return read_dims(o, a, 2);
    }
    return true;
}

/* [ "WITH" body "END" ] */
static bool read_with(Omola *o, OmAttr *a)
{
    if (!accept_word(&o->r, "WITH"))
        return true;
    a->body = omola_body(o);
    return expect_word_of(&o->r, "END", "of the attribute");
}

/* [ "DISCRETE" ] ( Real | Integer | Boolean | String | Column… | Row… | Matrix… | literals | class
 * Column… [ "WITH" body "END" ] ) */
static bool read_type(Omola *o, OmAttr *a)
{
    static const struct {
        const char *word;
        OmType type;
    } types[] = {
        {"Real", OM_REAL}, {"Integer", OM_INTEGER}, {"Boolean", OM_BOOLEAN}, {"String", OM_STRING}};
    Reader *r = &o->r;
    a->discrete = accept_word(r, "DISCRETE");
    if (at_word(r, "("))
        return read_literals(o, a);
    for (uint32_t i = 0; i < sizeof types / sizeof *types; i++)
        if (accept_word(r, types[i].word)) {
            a->type = types[i].type;
            return read_shape(o, a);
        }
    if (at_word(r, "Column") || at_word(r, "Row") || at_word(r, "Matrix"))
        return read_shape(o, a);
    a->kind = OM_COMPONENT;
    a->class_span = word_span(r);
    a->class_name = read_class_name(r);
    return a->class_name && read_shape(o, a) && read_with(o, a);
}

/* ---- attributes ---- */

typedef VEC(OmLiteral) NameList;

static bool read_names(Omola *o, NameList *names)
{
    Reader *r = &o->r;
    do {
        OmLiteral n = {.span = word_span(r)};
        n.name = expect_plain_name(r, "the name of an attribute");
        if (!n.name)
            return false;
        om_push(o, names, n);
    } while (accept_word(r, ","));
    return true;
}

static const struct {
    const char *word;
    OmKind kind;
    OmRole role;
    OmTerminal terminal;
} bases[] = {{"Parameter", OM_PARAMETER, 0, 0},
             {"Variable", OM_VARIABLE, 0, 0},
             {"Event", OM_EVENT, OM_INTERNAL, 0},
             {"EventInput", OM_EVENT, OM_EVENT_INPUT, 0},
             {"EventOutput", OM_EVENT, OM_EVENT_OUTPUT, 0},
             {"SimpleTerminal", OM_TERMINAL, 0, OM_SIMPLE},
             {"ZeroSumTerminal", OM_TERMINAL, 0, OM_ZERO_SUM},
             {"RecordTerminal", OM_TERMINAL, 0, OM_RECORD}};

/* class [ "WITH" body "END" ] */
static bool read_isa(Omola *o, OmAttr *a)
{
    Reader *r = &o->r;
    const Word *w = word(r);
    a->kind = OM_COMPONENT;
    a->class_span = word_span(r);
    a->class_name = read_class_name(r);
    for (uint32_t i = 0; a->class_name && i < sizeof bases / sizeof *bases; i++)
        if (word_reads(r, w, bases[i].word)) {
            a->kind = bases[i].kind;
            a->role = bases[i].role;
            a->terminal = bases[i].terminal;
        }
    return a->class_name && read_with(o, a);
}

/* Names of one declaration share all but their names. */
static void add_attributes(Omola *o, OmBody *body, const NameList *names, const OmAttr *like)
{
    for (uint32_t i = 0; i < names->n; i++) {
        OmAttr *a = ARENA_NEW(o->r.tree.arena, OmAttr);
        *a = *like;
        a->name = names->at[i].name;
        a->span = names->at[i].span;
        om_push(o, &body->attrs, a);
    }
}

static bool read_attributes(Omola *o, OmBody *body)
{
    Reader *r = &o->r;
    uint32_t start = word(r)->at;
    NameList names = {0};
    OmAttr a = {0};
    bool ok = read_names(o, &names);
    if (ok && accept_word(r, "TYPE"))
        ok = read_type(o, &a) && (!accept_word(r, ":=") || (a.value = read_expression(r)));
    else if (ok && (accept_word(r, "ISA") || accept_word(r, "ISAN")))
        ok = read_isa(o, &a);
    else if (ok)
        reader_unexpected(r, "'TYPE' or 'ISA' and what the attribute is"), ok = false;
    ok = ok && end_statement(r);
    a.remark = take_remarks(r, start, reader_since(r, start).end);
    if (ok)
        add_attributes(o, body, &names, &a);
    return ok;
}

static bool is_attribute(const Reader *r)
{
    uint32_t i = 1;
    while (word_reads(r, word_after(r, i), ",") && word_after(r, i + 1)->kind == WORD_NAME)
        i += 2;
    const Word *w = word_after(r, i);
    return word_reads(r, w, "TYPE") || word_reads(r, w, "ISA") || word_reads(r, w, "ISAN");
}

/* ---- equations, events ---- */

/* expression ( "=" | ":=" ) expression ";" */
static bool read_equation(Omola *o, OmEquation *eq)
{
    Reader *r = &o->r;
    uint32_t at = word(r)->at;
    eq->lhs = read_expression(r);
    if (!eq->lhs)
        return false;
    eq->causal = at_word(r, ":=");
    if (!eq->causal && !at_word(r, "=")) {
        reader_unexpected(r, "'=' or ':='");
        return false;
    }
    reader_next(r);
    if (!(eq->rhs = read_expression(r)))
        return false;
    eq->span = reader_since(r, at);
    bool ok = end_statement(r);
    eq->remark = take_remarks(r, at, eq->span.end);
    return ok;
}

static bool is_action_call(const Reader *r)
{
    return at_word(r, "schedule") || at_word(r, "deschedule");
}

static bool read_action(Omola *o, OmWhen *w)
{
    Reader *r = &o->r;
    if (is_action_call(r)) {
        AstExpr *call = read_expression(r);
        if (call)
            om_push(o, &w->calls, call);
        return call && end_statement(r);
    }
    OmEquation eq = {0};
    bool ok = read_equation(o, &eq);
    if (ok)
        om_push(o, &w->actions, eq);
    return ok;
}

/* ( "WHEN" | "ON" ) condition [ "CAUSE" event { "," event } ] [ "DO" { action } "END" ] ";" */
static bool read_when(Omola *o, OmBody *body)
{
    Reader *r = &o->r;
    OmWhen *w = ARENA_NEW(r->tree.arena, OmWhen);
    w->span = word_span(r);
    reader_next(r);
    w->condition = read_condition(r);
    if (!w->condition)
        return false;
    w->span = reader_since(r, w->span.at);
    if (accept_word(r, "CAUSE"))
        do {
            AstExpr *event = read_reference(r);
            if (!event)
                return false;
            om_push(o, &w->causes, event);
        } while (accept_word(r, ","));
    om_push(o, &body->whens, w);
    w->remark = take_remarks(r, w->span.at, w->span.end);
    if (accept_word(r, "DO")) {
        while (!at_word(r, "END") && word(r)->kind != WORD_END)
            if (!read_action(o, w))
                skip_statement(r);
        if (!expect_word_of(r, "END", "of the actions"))
            return false;
    } else {
        accept_word(r, "END");
    }
    return end_statement(r);
}

/* After an error, continues after the END of the actions. */
static void skip_actions(Reader *r)
{
    while (word(r)->kind != WORD_END && !at_word(r, "END") && !at_word(r, "WHEN"))
        reader_next(r);
    if (accept_word(r, "END"))
        accept_word(r, ";");
}

/* ON is not a reserved word: a variable may have this name. */
static bool is_on(const Reader *r)
{
    return at_word(r, "ON") && !is_attribute(r) &&
           (word_after(r, 1)->kind == WORD_NAME || word_reads(r, word_after(r, 1), "("));
}

static bool is_heading(const Reader *r)
{
    return word(r)->kind == WORD_NAME && word_reads(r, word_after(r, 1), ":");
}

static bool is_connection(const Reader *r)
{
    uint32_t i = 1;
    while (word_reads(r, word_after(r, i), "."))
        i += 2;
    return word(r)->kind == WORD_NAME && word_reads(r, word_after(r, i), "AT");
}

static bool read_connection(Omola *o, OmBody *body)
{
    Reader *r = &o->r;
    OmPair p = {.span = word_span(r)};
    if (!(p.a = read_reference(r)) || !expect_word_of(r, "AT", "between the terminals") ||
        !(p.b = read_reference(r)))
        return false;
    p.span = reader_since(r, p.span.at);
    if (p.a->kind != AST_REF || p.b->kind != AST_REF) {
        reader_error(r, p.span, DIAG_S041, "only terminals can be connected; write a.p AT b.n");
        return false;
    }
    om_push(o, &body->pairs, p);
    return end_statement(r);
}

/* An equation of the class, or, in an event, its condition or an action. */
static bool read_relation_statement(Omola *o, OmBody *body)
{
    Reader *r = &o->r;
    if (at_word(r, "CONDITION")) {
        reader_next(r);
        return expect_word_of(r, ":=", "and the condition") &&
               (body->condition = read_condition(r)) && end_statement(r);
    }
    if (is_action_call(r)) {
        AstExpr *call = read_expression(r);
        if (call)
            om_push(o, &body->calls, call);
        return call && end_statement(r);
    }
    OmEquation eq = {0};
    bool ok = read_equation(o, &eq);
    if (ok)
        om_push(o, &body->equations, eq);
    return ok;
}

static bool read_member(Omola *o, OmBody *body)
{
    Reader *r = &o->r;
    if (accept_word(r, ";"))
        return true;
    if (is_heading(r)) {
        reader_next(r);
        reader_next(r);
        return true;
    }
    if (at_word(r, "WHEN") || is_on(r)) {
        if (!read_when(o, body))
            skip_actions(r);
        return true;
    }
    if (is_attribute(r))
        return read_attributes(o, body);
    return is_connection(r) ? read_connection(o, body) : read_relation_statement(o, body);
}

/* { member } up to "END", which stays */
static OmBody *omola_body(Omola *o)
{
    Reader *r = &o->r;
    OmBody *body = ARENA_NEW(r->tree.arena, OmBody);
    if (r->depth++ > READER_MAX_DEPTH)
        reader_error(r, word_span(r), DIAG_S018, "classes nest too deeply");
    else
        while (!at_word(r, "END") && word(r)->kind != WORD_END) {
            uint32_t before = r->at;
            if (!read_member(o, body) || r->at == before)
                skip_statement(r);
        }
    r->depth--;
    return body;
}

/* ---- classes ---- */

static OmClass *read_head(Omola *o)
{
    Reader *r = &o->r;
    OmClass *c = ARENA_NEW(r->tree.arena, OmClass);
    c->span = word_span(r);
    c->name = expect_plain_name(r, "the name of a class");
    if (!c->name)
        return NULL;
    if (!accept_word(r, "ISA") && !accept_word(r, "ISAN")) {
        reader_unexpected(r, "'ISA' and the class it is derived from");
        return NULL;
    }
    c->base_span = word_span(r);
    c->base_name = read_class_name(r);
    OmClass *other = c->base_name ? omola_class(o, c->name) : NULL;
    if (other) {
        reader_error(r, c->span, DIAG_S043, "class '%s' is already declared", c->name);
        diag_note(r->tree.ctx, other->span, "the first one is here");
    }
    return c->base_name ? c : NULL;
}

static void read_class(Omola *o)
{
    Reader *r = &o->r;
    if (accept_word(r, "LIBRARY") || accept_word(r, "USES")) {
        skip_statement(r);
        return;
    }
    uint32_t last = r->at ? r->words.at[r->at - 1].end : 0;
    OmClass *c = read_head(o);
    if (!c) {
        reader_next(r);
        skip_statement(r);
        return;
    }
    c->remark = take_remarks(r, last, c->base_span.end);
    vec_push(&o->classes, c);
    if (accept_word(r, "WITH")) {
        c->body = *omola_body(o);
        if (!accept_word(r, "END")) {
            reader_unexpected(r, "'END' of the class");
            diag_note(r->tree.ctx, c->span, "class '%s' begins here", c->name);
        }
    }
    end_statement(r);
}

void omola_read(Omola *o)
{
    while (word(&o->r)->kind != WORD_END)
        read_class(o);
}
