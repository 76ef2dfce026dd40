/* Printing of classes, elements and modifications. Parsing the text again gives an equal tree. */
#include "syntax/tree/printer.h"

static void put_modification(Printer *o, const AstMod *m);

static void put_class(Printer *o, const AstClass *c);

/* ---- descriptions and modifications ---- */

static void put_text(Printer *o, const char *text)
{
    if (!text)
        return;
    bool outer = o->raw_lines;
    o->raw_lines = true;
    put(o, " ");
    put_string(o, text, strlen(text));
    o->raw_lines = outer;
}

/* with a space before; NULL is allowed */
static void put_annotation(Printer *o, const AstMod *m)
{
    if (!m)
        return;
    bool outer = o->raw_lines;
    o->raw_lines = true;
    put(o, " annotation ");
    put_modification(o, m);
    o->raw_lines = outer;
}

void put_comment(Printer *o, const AstComment *c)
{
    put_text(o, c->text);
    put_annotation(o, c->annotation);
}

static void put_component_prefix(Printer *o, const AstElement *e)
{
    static const char *const flow[] = {"", "flow ", "stream "};
    static const char *const variability[] = {"", "discrete ", "parameter ", "constant "};
    static const char *const causality[] = {"", "input ", "output "};
    put(o, flow[e->flow]);
    put(o, variability[e->variability]);
    put(o, causality[e->causality]);
    put(o, e->nondiscrete ? "nondiscrete " : "");
    put_name(o, &e->type);
    put_subscripts(o, e->type_dims.at, e->type_dims.n);
    put(o, " ");
}

static void put_declaration(Printer *o, const AstElement *e)
{
    put(o, e->name);
    put_subscripts(o, e->dims.at, e->dims.n);
    put_modification(o, e->mod);
    if (e->condition) {
        put(o, " if ");
        put_expr(o, e->condition);
    }
    put_comment(o, &e->comment);
}

static void put_constraint(Printer *o, const AstElement *e)
{
    if (!e->constrained_by.n)
        return;
    put(o, " constrainedby ");
    put_name(o, &e->constrained_by);
    put_modification(o, e->constraint_mod);
    put_comment(o, &e->constraint_comment);
}

static void put_redeclaration(Printer *o, const AstArg *a)
{
    const AstElement *e = a->element;
    if (e->kind == AST_EL_CLASS) {
        put_class(o, e->class_);
    } else {
        put_component_prefix(o, e);
        put_declaration(o, e);
    }
    put_constraint(o, e);
}

static void put_argument(Printer *o, const AstArg *a)
{
    if (a->is_break) {
        put(o, "break ");
        if (a->broken_connect)
            put_connect(o, a->broken_connect);
        else
            put_name(o, &a->name);
        return;
    }
    put(o, a->redeclare ? "redeclare " : "");
    put(o, a->each ? "each " : "");
    put(o, a->final ? "final " : "");
    put(o, a->replaceable ? "replaceable " : "");
    if (a->element) {
        put_redeclaration(o, a);
        return;
    }
    put_name(o, &a->name);
    put_modification(o, a->mod);
    put_text(o, a->comment.text);
}

/* NULL is allowed */
static void put_modification(Printer *o, const AstMod *m)
{
    if (!m)
        return;
    if (m->has_args) {
        put(o, "(");
        for (uint32_t i = 0; i < m->args.n; i++) {
            put(o, i ? ", " : "");
            put_argument(o, &m->args.at[i]);
        }
        put(o, ")");
    }
    if (m->is_break)
        put(o, "=break");
    if (m->value) {
        put(o, "=");
        put_expr(o, m->value);
    }
}

/* ---- elements ---- */

static void put_import(Printer *o, const AstElement *e)
{
    put(o, "import ");
    if (e->name) {
        put(o, e->name);
        put(o, " = ");
    }
    put_name(o, &e->type);
    if (e->import_all)
        put(o, ".*");
    for (uint32_t i = 0; i < e->import_list.n; i++) {
        put(o, i ? ", " : ".{");
        put(o, e->import_list.at[i]);
    }
    put(o, e->import_list.n ? "}" : "");
    put_comment(o, &e->comment);
}

static void put_extends(Printer *o, const AstElement *e)
{
    put(o, "extends ");
    put_name(o, &e->type);
    put_modification(o, e->mod);
    put_annotation(o, e->comment.annotation);
}

static void put_element_prefix(Printer *o, const AstElement *e)
{
    put(o, e->redeclare ? "redeclare " : "");
    put(o, e->final ? "final " : "");
    put(o, e->inner ? "inner " : "");
    put(o, e->outer ? "outer " : "");
    put(o, e->replaceable ? "replaceable " : "");
}

/* The components of one clause, from e[0] on; yields their number. */
static uint32_t put_clause(Printer *o, AstElement *const *e, uint32_t n)
{
    put_element_prefix(o, e[0]);
    put_component_prefix(o, e[0]);
    put_declaration(o, e[0]);
    uint32_t i = 1;
    for (; i < n && e[i]->kind == AST_EL_COMPONENT && e[i]->clause == e[0]->clause; i++) {
        put(o, ", ");
        put_declaration(o, e[i]);
    }
    put_constraint(o, e[0]);
    return i;
}

/* The element e[0], or all of its clause; yields how many were printed. */
static uint32_t put_element(Printer *o, AstElement *const *e, uint32_t n)
{
    uint32_t k = 1;
    put_line(o);
    switch (e[0]->kind) {
    case AST_EL_IMPORT: put_import(o, e[0]); break;
    case AST_EL_EXTENDS: put_extends(o, e[0]); break;
    case AST_EL_CLASS:
        put_element_prefix(o, e[0]);
        put_class(o, e[0]->class_);
        put_constraint(o, e[0]);
        break;
    case AST_EL_COMPONENT: k = put_clause(o, e, n); break;
    }
    put(o, ";");
    return k;
}

static void put_elements(Printer *o, const AstClass *c)
{
    AstVisibility visibility = AST_PUBLIC;
    for (uint32_t i = 0; i < c->elements.n;) {
        if (c->elements.at[i]->visibility != visibility) {
            visibility = c->elements.at[i]->visibility;
            put_line(o);
            put(o, visibility == AST_PUBLIC ? "public" : "protected");
        }
        o->indent++;
        i += put_element(o, c->elements.at + i, c->elements.n - i);
        o->indent--;
    }
}

/* ---- classes ---- */

static void put_class_prefixes(Printer *o, const AstClass *c)
{
    static const char *const words[] = {"class ",
                                        "model ",
                                        "record ",
                                        "operator record ",
                                        "block ",
                                        "connector ",
                                        "expandable connector ",
                                        "type ",
                                        "package ",
                                        "function ",
                                        "operator function ",
                                        "operator "};
    put(o, c->encapsulated ? "encapsulated " : "");
    put(o, c->partial ? "partial " : "");
    put(o, c->pure ? "pure " : c->impure ? "impure " : "");
    put(o, words[c->restriction]);
}

static void put_enumeration(Printer *o, const AstClass *c)
{
    put(o, "enumeration(");
    for (uint32_t i = 0; i < c->literals.n; i++) {
        put(o, i ? ", " : "");
        put(o, c->literals.at[i].name);
        put_comment(o, &c->literals.at[i].comment);
    }
    put(o, c->form == AST_ENUM_ANY ? ":)" : ")");
}

static void put_der_class(Printer *o, const AstClass *c)
{
    put(o, "der(");
    put_name(o, &c->base);
    for (uint32_t i = 0; i < c->der_vars.n; i++) {
        put(o, ", ");
        put(o, c->der_vars.at[i]);
    }
    put(o, ")");
}

static void put_short_class(Printer *o, const AstClass *c)
{
    put(o, c->name);
    put(o, " = ");
    if (c->form == AST_DER_CLASS) {
        put_der_class(o, c);
    } else if (c->form != AST_SHORT) {
        put_enumeration(o, c);
    } else {
        put(o, c->base_causality == AST_INPUT    ? "input "
               : c->base_causality == AST_OUTPUT ? "output "
                                                 : "");
        put_name(o, &c->base);
        put_subscripts(o, c->base_dims.at, c->base_dims.n);
        put_modification(o, c->base_mod);
    }
    put_comment(o, &c->comment);
}

static void put_external(Printer *o, const AstExternal *x)
{
    o->indent++;
    put_line(o);
    put(o, "external");
    put_text(o, x->language);
    if (x->has_call) {
        put(o, " ");
        if (x->result) {
            put_ref(o, x->result);
            put(o, " = ");
        }
        put(o, x->function);
        put(o, "(");
        put_exprs(o, x->args.at, x->args.n);
        put(o, ")");
    }
    put_annotation(o, x->annotation);
    put(o, ";");
    o->indent--;
}

/* The annotation of a class: an argument a line. */
static void put_class_annotation(Printer *o, const AstMod *m)
{
    if (!m)
        return;
    o->raw_lines = true;
    o->indent++;
    put_line(o);
    put(o, "annotation (");
    o->indent++;
    for (uint32_t i = 0; i < m->args.n; i++) {
        if (i)
            put(o, ",");
        if (m->args.n > 1)
            put_line(o);
        put_argument(o, &m->args.at[i]);
    }
    put(o, ");");
    o->indent -= 2;
    o->raw_lines = false;
}

static void put_long_class(Printer *o, const AstClass *c)
{
    if (c->form == AST_EXTENDS_LONG)
        put(o, "extends ");
    put(o, c->name);
    put_modification(o, c->base_mod);
    put_text(o, c->comment.text);
    put_elements(o, c);
    for (uint32_t i = 0; i < c->equations.n; i++)
        put_equation_section(o, &c->equations.at[i]);
    for (uint32_t i = 0; i < c->algorithms.n; i++)
        put_algorithm_section(o, &c->algorithms.at[i]);
    if (c->external)
        put_external(o, c->external);
    put_class_annotation(o, c->comment.annotation);
    put_line(o);
    put(o, "end ");
    put(o, c->name);
}

static void put_class(Printer *o, const AstClass *c)
{
    put_class_prefixes(o, c);
    if (c->form == AST_LONG || c->form == AST_EXTENDS_LONG)
        put_long_class(o, c);
    else
        put_short_class(o, c);
}

char *ast_print_class(const AstClass *c, Arena *arena)
{
    Printer o = {0};
    put_class(&o, c);
    put(&o, ";\n");
    return printer_take(&o, arena);
}

char *ast_print(const AstFile *file, Arena *arena)
{
    Printer o = {0};
    if (file->has_within) {
        put(&o, file->within.n ? "within " : "within");
        put_name(&o, &file->within);
        put(&o, ";\n");
    }
    for (uint32_t i = 0; i < file->classes.n; i++) {
        put(&o, i ? "\n" : "");
        put(&o, file->classes.at[i]->final ? "final " : "");
        put_class(&o, file->classes.at[i]);
        put(&o, ";\n");
    }
    return printer_take(&o, arena);
}
