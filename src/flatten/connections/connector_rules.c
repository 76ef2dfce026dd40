/* Rules for a connector by itself. Sections 9.1.3, 9.3 and 15.1 of the specification. */
#include "flatten/connections/connections.h"

/* Scalars of a connector by their kind. */
typedef struct Tally {
    int64_t flows, potentials, streams;
    bool scalar_flow; /* the flow is a single Real */
} Tally;

/* The size of the residue of an overconstrained record's equalityConstraint; -1 if unknown. */
static int64_t residue_size(Flattener *f, Instance *inst)
{
    uint32_t at = class_find(inst->cls, library_name(f->lib, "equalityConstraint"));
    Instance *class_ = inst_class(f->lib, inst, at);
    if (!class_)
        return -1;
    for (uint32_t i = 0; i < class_->cls->order.n; i++) {
        uint32_t index = class_->cls->order.at[i];
        const Element *e = &class_->cls->elements.at[index];
        if (e->kind != ELEMENT_COMPONENT || !e->ast || e->ast->causality != AST_OUTPUT)
            continue;
        Instance *out = inst_component(f->lib, class_, index);
        return out && inst_dims(f->lib, out) ? inst_count(out) : -1;
    }
    return -1;
}

static void count_in(Flattener *f, Instance *inst, int64_t times, Tally *t)
{
    Instance *child;
    for (PartCursor at = {0}; (child = inst_next(inst, &at));) {
        int64_t n = times * inst_count(child);
        bool counts = child->variability < AST_PARAMETER &&
                      (child->causality == AST_ACAUSAL || child->flow == AST_FLOW);
        if (counts && child->flow == AST_FLOW_NONE && is_overconstrained(f, child)) {
            int64_t size = residue_size(f, child);
            t->potentials += size < 0 ? n : inst_is_leaf(child) ? size : n * size;
        } else if (!inst_is_leaf(child)) {
            count_in(f, child, n, t);
        } else if (counts) {
            t->flows += child->flow == AST_FLOW ? n : 0;
            t->streams += child->flow == AST_STREAM ? n : 0;
            t->potentials += child->flow == AST_FLOW_NONE ? n : 0;
            t->scalar_flow |= child->flow == AST_FLOW && n == 1 && child->cls->type == T_REAL;
        }
    }
}

static void check_expandable(Flattener *f, Instance *inst)
{
    Instance *child;
    for (PartCursor at = {0}; (child = inst_next(inst, &at));) {
        const Modifier *m = inst->child_mods ? inst->child_mods[child->index] : NULL;
        if (child->decl->flow != AST_FLOW_NONE) {
            diag(f->ctx, child->decl->span, DIAG_F013,
                 "'%s' is a %s variable directly in an expandable connector", child->decl->name,
                 child->decl->flow == AST_FLOW ? "flow" : "stream");
            report_rule(
                f->lib, "9.1.3",
                "flow and stream variables must be in connectors inside an expandable connector");
        } else if (m && !m->extended && child->variability < AST_PARAMETER && m->mod &&
                   m->mod->value) {
            diag(f->ctx, m->span, DIAG_F013,
                 "'%s' of an expandable connector cannot be modified: it may not exist",
                 child->decl->name);
            report_rule(f->lib, "9.1.3",
                        "elements of expandable connectors are only potentially present");
        }
    }
}

static void check_operators(Flattener *f, const Instance *inst)
{
    static const char *const needed[] = {"'+'", "'-'", "'0'"};
    Instance *child;
    for (PartCursor at = {0}; (child = inst_next(inst, &at));) {
        if (child->decl->flow != AST_FLOW || child->cls->restriction != AST_OPERATOR_RECORD)
            continue;
        for (unsigned k = 0; k < 3; k++) {
            if (class_find(child->cls, library_name(f->lib, needed[k])) != MAP_NONE)
                continue;
            diag(f->ctx, child->decl->span, DIAG_F014,
                 "'%s' is a flow, but operator record '%s' has no operator %s", child->decl->name,
                 child->cls->name, needed[k]);
            report_rule(f->lib, "9.2",
                        "flows are summed and set to zero, which needs '+', '-' and '0'");
            break;
        }
    }
}

static void check_sizes(Flattener *f, Instance *inst)
{
    Tally t = {0};
    count_in(f, inst, 1, &t);
    Span span = inst->cls->ast ? inst->cls->ast->name_span : inst->decl->span;
    if (t.streams && !(t.flows == 1 && t.scalar_flow)) {
        diag(f->ctx, span, DIAG_F011,
             "connector '%s' has stream variables, but %lld flow variables", inst->cls->name,
             (long long)t.flows);
        report_rule(f->lib, "15.1",
                    "a stream connector has exactly one scalar flow variable of type Real");
    } else if (t.flows != t.potentials && !(inst->cls->ast && ast_waives_balance(inst->cls->ast))) {
        diag_compatible(f->ctx, span, DIAG_F014,
                        "connector '%s' has %lld flow variable%s and %lld potential variable%s",
                        inst->cls->name, (long long)t.flows, t.flows == 1 ? "" : "s",
                        (long long)t.potentials, t.potentials == 1 ? "" : "s");
        diag_note(f->ctx, inst->decl->span, "in component '%s'", inst_path(f->lib, inst));
        report_rule(f->lib, "9.3.1",
                    "a connector has as many flow variables as variables without prefix");
    }
}

static bool is_in_connector(const Instance *inst)
{
    for (const Instance *a = inst->parent; a; a = a->parent)
        if (class_is_connector(a->cls))
            return true;
    return false;
}

void check_connector(Flattener *f, Instance *inst)
{
    if (inst->decl->flow == AST_STREAM && !is_in_connector(inst) &&
        check_once(f->lib, inst->decl, "stream")) {
        diag(f->ctx, inst->decl->span, DIAG_F011, "stream variable '%s' is not in a connector",
             inst->decl->name);
        report_rule(f->lib, "15.1", "the prefix stream is for variables of connectors");
    }
    if (!class_is_connector(inst->cls))
        return;
    if (inst->decl->variability >= AST_PARAMETER && check_once(f->lib, inst->decl, "variability")) {
        diag(f->ctx, inst->decl->span, DIAG_F002, "connector '%s' cannot be declared as a %s",
             inst->decl->name, inst->decl->variability == AST_CONSTANT ? "constant" : "parameter");
        report_rule(f->lib, "9.3", "a connector component is neither parameter nor constant");
    }
    if (inst_is_leaf(inst) || inst->variability >= AST_PARAMETER || is_in_connector(inst) ||
        !check_once(f->lib, inst->cls, "connector"))
        return;
    if (class_is_expandable(inst->cls))
        check_expandable(f, inst);
    else if (!inst->cls->is_partial && !f->ctx->n_errors)
        check_sizes(f, inst);
    check_operators(f, inst);
}
