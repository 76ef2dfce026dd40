/* Restrictions on classes and components: what each kind of class may contain and extend, and the
 * prefixes of components. Sections 4.4.2.2, 4.4.4, 4.5.2, 4.6, 4.8, 7.1.3, 7.1.4 and 14.3 of the
 * specification. The checks only read; they look nothing up and expand nothing. */
#include "instance/tree/tree.h"

static bool is_record_kind(AstRestriction r)
{
    return r == AST_RECORD || r == AST_OPERATOR_RECORD;
}

static bool is_connector_kind(AstRestriction r)
{
    return r == AST_CONNECTOR || r == AST_EXPANDABLE_CONNECTOR;
}

bool class_is_package(const Class *c)
{
    if (!c->ast || c->restriction == AST_PACKAGE || c->state != CLASS_READY)
        return true;
    for (uint32_t i = 0; i < c->layers.n; i++) {
        const AstClass *ast = c->layers.at[i]->ast;
        if (ast && (ast->equations.n || ast->algorithms.n))
            return false;
    }
    for (uint32_t i = 0; i < c->order.n; i++) {
        const Element *e = &c->elements.at[c->order.at[i]];
        if (e->kind == ELEMENT_COMPONENT && e->ast && e->ast->variability != AST_CONSTANT)
            return false;
    }
    return true;
}

/* ---- the text of a class ---- */

bool is_reserved(Name name)
{
    static const char *const reserved[] = {"Real", "Integer", "Boolean", "String"};
    for (unsigned i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(name, reserved[i]))
            return true;
    return false;
}

static void report_reserved(Library *lib, Name name, Span span)
{
    diag(lib->ctx, span, DIAG_I034,
         "'%s' is the name of a predefined type and cannot be declared again", name);
    report_rule(lib, "4.8",
                "the names of the predefined types Real, Integer, Boolean and String are reserved");
}

static void check_sections(Library *lib, const Class *c)
{
    const AstClass *ast = c->ast;
    const char *what =
        ast->equations.n    ? ast->equations.at[0].initial ? "initial equations" : "equations"
        : ast->algorithms.n ? ast->algorithms.at[0].initial ? "initial algorithms" : "algorithms"
                            : NULL;
    if (!what)
        return;
    Span span = ast->equations.n ? ast->equations.at[0].span : ast->algorithms.at[0].span;
    diag(lib->ctx, span, DIAG_I030, "%s '%s' cannot have %s", restriction_text(ast->restriction),
         c->name, what);
    report_rule(lib, "4.6", "equations and algorithms are not allowed in classes of this kind");
}

/* Elements of a record or connector. */
static void check_data_element(Library *lib, const Class *c, const AstElement *e)
{
    const char *kind = restriction_text(c->ast->restriction);
    bool is_record = is_record_kind(c->ast->restriction);
    const char *prefix = e->inner                                  ? "inner"
                         : e->outer                                ? "outer"
                         : is_record && e->causality == AST_INPUT  ? "input"
                         : is_record && e->causality == AST_OUTPUT ? "output"
                         : is_record && e->flow == AST_FLOW        ? "flow"
                         : is_record && e->flow == AST_STREAM      ? "stream"
                                                                   : NULL;
    if (e->kind == AST_EL_COMPONENT && prefix) {
        diag(lib->ctx, e->span, DIAG_I032, "element '%s' of %s '%s' cannot be declared '%s'",
             e->name, kind, c->name, prefix);
        report_rule(
            lib, "4.6",
            is_record
                ? "elements of a record have no prefix input, output, inner, outer, stream or flow"
                : "elements of a connector have no prefix inner or outer");
    }
    if (e->visibility == AST_PROTECTED && e->kind != AST_EL_IMPORT) {
        diag(lib->ctx, e->span, DIAG_I030, "%s '%s' cannot have protected elements", kind, c->name);
        report_rule(lib, "4.6", "only public sections are allowed in records and connectors");
    }
}

static void check_package_element(Library *lib, const Class *c, const AstElement *e)
{
    if (e->kind != AST_EL_COMPONENT || e->variability == AST_CONSTANT)
        return;
    diag(lib->ctx, e->span, DIAG_I030,
         "package '%s' can only have constants, but '%s' is not constant", c->name, e->name);
    report_rule(lib, "4.6", "a package contains only declarations of classes and constants");
}

static void check_operator_element(Library *lib, const Class *c, const AstElement *e)
{
    bool is_class = e->kind == AST_EL_CLASS;
    if (e->kind != AST_EL_COMPONENT && !(is_class && e->class_->restriction != AST_FUNCTION &&
                                         e->class_->restriction != AST_OPERATOR_FUNCTION))
        return;
    diag(lib->ctx, e->span, DIAG_I030, "operator '%s' cannot contain %s '%s'", c->name,
         is_class ? restriction_text(e->class_->restriction) : "component", e->name);
    report_rule(lib, "4.6", "an operator contains only declarations of functions");
}

static void check_element(Library *lib, const Class *c, const AstElement *e)
{
    if (e->kind == AST_EL_COMPONENT && is_reserved(e->name))
        report_reserved(lib, e->name, e->span);
    switch (c->ast->restriction) {
    case AST_RECORD:
    case AST_OPERATOR_RECORD:
    case AST_CONNECTOR:
    case AST_EXPANDABLE_CONNECTOR: check_data_element(lib, c, e); break;
    case AST_PACKAGE: check_package_element(lib, c, e); break;
    case AST_OPERATOR: check_operator_element(lib, c, e); break;
    default: break;
    }
}

static bool is_data(AstRestriction r)
{
    return is_record_kind(r) || is_connector_kind(r) || r == AST_PACKAGE || r == AST_TYPE ||
           r == AST_OPERATOR;
}

/* An element that has a type prefix of its own, which clashes with flow, or with input and output.
 */
static const Element *prefixed_element(const Class *c, bool is_flow)
{
    for (uint32_t i = 0; i < c->order.n; i++) {
        const Element *e = &c->elements.at[c->order.at[i]];
        if (e->kind == ELEMENT_COMPONENT && e->ast &&
            (e->ast->flow || (!is_flow && e->ast->causality)))
            return e;
    }
    return NULL;
}

/* Operators are directly in an operator record. */
static void check_operator_place(Library *lib, const Class *c)
{
    bool is_operator = c->restriction == AST_OPERATOR || c->restriction == AST_OPERATOR_FUNCTION;
    const Class *around = c->scope.inst ? c->scope.inst->cls : NULL;
    if (!is_operator || c->ast->form == AST_SHORT ||
        (around && around->restriction == AST_OPERATOR_RECORD))
        return;
    diag(lib->ctx, c->ast->name_span, DIAG_I030, "%s '%s' must be inside an operator record",
         restriction_text(c->restriction), c->ast->name);
    report_rule(lib, "4.6",
                "operators and operator functions are placed directly in an operator record");
}

/* connector C = input D: no element of D has such a prefix. */
static void check_short_prefix(Library *lib, const Class *c)
{
    const Element *e = c->ast->form == AST_SHORT && c->ast->base_causality != AST_ACAUSAL
                           ? prefixed_element(c, false)
                           : NULL;
    if (!e)
        return;
    diag(lib->ctx, c->ast->name_span, DIAG_I032,
         "'%s' is declared '%s', but its element '%s' has a prefix of its own", c->ast->name,
         c->ast->base_causality == AST_INPUT ? "input" : "output", e->name);
    diag_note(lib->ctx, e->ast->span, "'%s' is declared here", e->name);
    report_rule(lib, "4.4.2.2",
                "no element of a component with prefix flow, stream, input or output may have one");
}

void restrict_class(Library *lib, const Class *c)
{
    const AstClass *ast = c->ast;
    if (!ast || !check_once(lib, ast, NULL))
        return;
    if (is_reserved(ast->name))
        report_reserved(lib, ast->name, ast->name_span);
    if (is_data(ast->restriction))
        check_sections(lib, c);
    check_operator_place(lib, c);
    check_short_prefix(lib, c);
    for (uint32_t i = 0; i < ast->elements.n; i++)
        check_element(lib, c, ast->elements.at[i]);
}

/* ---- base classes ---- */

static bool kind_fits(const Class *c, const Class *base)
{
    AstRestriction mine = c->ast->restriction, its = base->restriction;
    if (mine == its || mine == AST_CLASS || its == AST_CLASS)
        return true;
    switch (mine) {
    case AST_OPERATOR_FUNCTION: return its == AST_FUNCTION;
    case AST_CONNECTOR: return its == AST_TYPE || is_record_kind(its);
    case AST_TYPE:
        return c->ast->form == AST_SHORT && is_connector_kind(its) && class_is_simple(base);
    case AST_BLOCK: return its == AST_RECORD;
    case AST_MODEL: return its == AST_RECORD || its == AST_BLOCK;
    case AST_RECORD: return c->ast->form == AST_SHORT && its == AST_OPERATOR_RECORD;
    default: return false;
    }
}

static const Element *operator_record_in(const Class *c)
{
    for (uint32_t i = 0; i < c->order.n; i++) {
        const Element *e = &c->elements.at[c->order.at[i]];
        if (e->kind == ELEMENT_CLASS && e->class_ast &&
            e->class_ast->restriction == AST_OPERATOR_RECORD && e->class_ast->form == AST_LONG)
            return e;
    }
    return NULL;
}

/* Whether the class has elements besides one extends clause. */
static bool has_other_elements(const AstClass *ast)
{
    uint32_t n_extends = 0, n_components = 0;
    for (uint32_t i = 0; i < ast->elements.n; i++) {
        n_extends += ast->elements.at[i]->kind == AST_EL_EXTENDS;
        n_components += ast->elements.at[i]->kind == AST_EL_COMPONENT;
    }
    return n_extends > 1 || n_components > 0;
}

/* Whether the class has elements or equations, not only an icon. */
static bool has_content(const Class *c)
{
    return !c->ast || c->elements.n || c->ast->equations.n || c->ast->algorithms.n;
}

void restrict_base(Library *lib, const Class *c, const Class *base, Span span)
{
    if (!check_once(lib, c->ast, base->ast ? (const void *)base->ast : base))
        return;
    bool is_long = c->ast->form != AST_SHORT;
    if (!kind_fits(c, base)) {
        static const char *const text = "%s '%s' cannot extend %s '%s'";
        const char *kind = restriction_text(c->ast->restriction);
        const char *other = restriction_text(base->restriction);
        if (has_content(base))
            diag(lib->ctx, span, DIAG_I031, text, kind, c->name, other, base->name);
        else
            diag_compatible(lib->ctx, span, DIAG_I031, text, kind, c->name, other, base->name);
        report_rule(
            lib, "7.1.3",
            "a class extends classes of its own kind; models extend blocks and records as well");
    }
    if (!is_long)
        return;
    if (c->ast->form == AST_LONG && base->restriction == AST_OPERATOR_RECORD) {
        diag(lib->ctx, span, DIAG_I031, "operator record '%s' cannot be extended", base->name);
        report_rule(lib, "14.3",
                    "an operator record is specialised only by a short class definition");
    }
    const Element *e = operator_record_in(base);
    if (e) {
        diag(lib->ctx, span, DIAG_I031,
             "'%s' cannot be extended, since it encloses operator record '%s'", base->name,
             e->name);
        report_rule(lib, "14.3",
                    "it is not legal to extend a class that encloses an operator record");
    }
    if ((base->dims.n || (base->causality && !class_is_simple(base))) &&
        has_other_elements(c->ast)) {
        diag(lib->ctx, span, DIAG_I031,
             "'%s' is an %s class; '%s' can extend it only without other elements", base->name,
             base->dims.n ? "array" : "input or output", c->name);
        report_rule(
            lib, "4.5.2",
            "a class with array dimensions or type prefix is not combined with other elements");
    }
}

/* ---- components ---- */

static const char *variability_text(unsigned v)
{
    static const char *const text[] = {"", "discrete", "parameter", "constant"};
    return text[v];
}

static const char *type_prefix(const AstElement *decl, const Class *c)
{
    unsigned causality = decl->causality ? decl->causality : c->causality;
    return decl->flow == AST_FLOW     ? "flow"
           : decl->flow == AST_STREAM ? "stream"
           : causality == AST_INPUT   ? "input"
           : causality == AST_OUTPUT  ? "output"
                                      : NULL;
}

static void check_prefixes(Library *lib, const Instance *inst)
{
    const AstElement *decl = inst->decl;
    const Class *c = inst->cls;
    const char *prefix = type_prefix(decl, c);
    bool is_model = c->restriction == AST_MODEL || c->restriction == AST_BLOCK;
    if (is_model && (prefix || decl->variability)) {
        diag(lib->ctx, decl->span, DIAG_I032,
             "'%s' is a component of %s '%s' and cannot be declared '%s'", decl->name,
             restriction_text(c->restriction), c->name,
             prefix ? prefix : variability_text(decl->variability));
        report_rule(lib, "4.4.2.2",
                    "only components of types, records and connectors have such prefixes");
        return;
    }
    if (decl->causality == AST_INPUT && decl->variability >= AST_PARAMETER) {
        diag_compatible(lib->ctx, decl->span, DIAG_I032, "input '%s' cannot be declared '%s'",
                        decl->name, variability_text(decl->variability));
        report_rule(lib, "4.4.2.2", "an input is neither parameter nor constant");
        return;
    }
    if (decl->flow && class_is_simple(c) && c->type != T_REAL) {
        diag(lib->ctx, decl->span, DIAG_I032, "'%s' is declared '%s', but is not a Real",
             decl->name, decl->flow == AST_STREAM ? "stream" : "flow");
        report_rule(lib, "4.4.2.2",
                    "variables declared with the prefix flow or stream are of type Real");
        return;
    }
    const Element *e =
        prefix && !class_is_function(c) ? prefixed_element(c, decl->flow != 0) : NULL;
    if (!e)
        return;
    diag(lib->ctx, decl->span, DIAG_I032,
         "'%s' is declared '%s', but its element '%s' has a prefix of its own", decl->name, prefix,
         e->name);
    diag_note(lib->ctx, e->ast->span, "'%s' is declared here", e->name);
    report_rule(lib, "4.4.2.2",
                "no element of a component with prefix flow, stream, input or output may have one");
}

static void check_member_kind(Library *lib, const Instance *inst)
{
    const Class *owner = inst->parent->cls, *c = inst->cls;
    if (class_is_simple(c) || c->restriction == AST_CLASS || is_record_kind(c->restriction))
        return;
    bool bad = class_is_record(owner) || (class_is_connector(owner) && !class_is_connector(c));
    if (!bad || class_is_function(c))
        return;
    diag(lib->ctx, inst->decl->type.span, DIAG_I030, "%s '%s' cannot have a component of %s '%s'",
         restriction_text(owner->restriction), owner->name, restriction_text(c->restriction),
         c->name);
    report_rule(lib, "4.6",
                class_is_record(owner)
                    ? "components of a record are of kind record or type"
                    : "components of a connector are of kind connector, record or type");
}

/* Whether a connector has a variable that is neither input nor output. */
static bool is_undirected(const Instance *inst)
{
    if (inst->causality || inst->variability >= AST_PARAMETER)
        return false;
    if (class_is_simple(inst->cls))
        return true;
    for (uint32_t i = 0; i < inst->n_children; i++) {
        Instance *child = inst->children[i];
        for (uint32_t k = 0; child && child->parent == inst && inst_part(child, k); k++)
            if (is_undirected(inst_part(child, k)))
                return true;
    }
    return false;
}

void restrict_block_connector(Library *lib, const Instance *inst)
{
    const Class *owner = inst->parent->cls;
    if (owner->restriction != AST_BLOCK || inst->cls->restriction != AST_CONNECTOR ||
        inst->is_protected || inst->is_outer || inst->absent || inst->in_absent ||
        !is_undirected(inst) || !check_once(lib, inst->decl, owner))
        return;
    diag(lib->ctx, inst->decl->span, DIAG_I032,
         "connector '%s' of block '%s' is neither input nor output", inst->decl->name, owner->name);
    report_rule(
        lib, "4.6",
        "each public connector of a block has prefix input or output for all its variables");
}

/* An input takes its value from outside: a discrete one may be bound to a discrete expression. */
static void check_discrete(Library *lib, const Instance *inst)
{
    const Modifier *m = modifier_value(inst);
    if (inst->decl->variability != AST_DISCRETE || inst->cls->type != T_REAL || !m ||
        inst->causality == AST_INPUT || class_is_function(inst->parent->cls))
        return;
    diag(lib->ctx, m->mod->value->span, DIAG_I032,
         "'%s' is a discrete Real; define it in a when-clause, not by a declaration equation",
         inst->decl->name);
    report_rule(lib, "4.4.4",
                "a Real variable declared discrete must be assigned in a when-clause");
}

static void check_outer(Library *lib, const Instance *inst)
{
    if (!inst->is_outer || inst->is_inner)
        return;
    for (const Modifier *m = inst->mods; m; m = m->next) {
        bool has_effect = m->redeclare || (m->mod && (m->mod->value || m->mod->args.n)) ||
                          (m->arg && m->part < m->arg->name.n);
        if (!has_effect || m->base == inst)
            continue;
        diag(lib->ctx, m->span, DIAG_I039, "'%s' is an outer component and cannot be modified",
             inst->decl->name);
        if (m->arg)
            diag_note(lib->ctx, inst->decl->span, "declared here");
        report_rule(lib, "5.4",
                    "declarations with prefix outer but not inner have no modifications");
        return;
    }
}

void restrict_component(Library *lib, const Instance *inst)
{
    check_outer(lib, inst);
    if (!check_once(lib, inst->decl, inst->cls))
        return;
    check_prefixes(lib, inst);
    check_member_kind(lib, inst);
    check_discrete(lib, inst);
}
