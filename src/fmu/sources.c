/* The C sources of an FMU, for model exchange: the code of the model, its tables, and files that
 * all FMUs share. They need a C compiler, the C library and libm, nothing else. FMI 2 lists the
 * files in modelDescription.xml, FMI 3 in sources/buildDescription.xml. */
#include "fmu/fmu.h"

#include "base/text.h"
#include "codegen/codegen.h"
#include "expr/walk.h"
#include "fmu/xml.h"

#include <math.h>

static const char FILE_SIGN[] = "//// FILE ";

/* The shared files, each below a line with its name (cmake/PackSources.cmake). */
__asm__(".section .rodata\n"
        "fmu_sources:\n.incbin \"" FMU_SOURCES "\"\n"
        "fmu_sources_end:\n.byte 0\n.previous\n");
extern const char fmu_sources[], fmu_sources_end[] __attribute__((visibility("hidden")));

/* ---- models without sources ---- */

typedef struct Obstacle {
    const Function *external;
} Obstacle;

static void find_external(void *user, const Function *f)
{
    Obstacle *o = user;
    if (f->external && strcmp(f->external->language, "builtin"))
        o->external = f;
}

static bool can_have_sources(const FmuModel *m)
{
    Obstacle o = {0};
    flat_each_function(m->declared, find_external, &o);
    if (o.external)
        diag(m->ctx, o.external->span, DIAG_U020,
             "the sources of the FMU cannot contain the external function %s", o.external->name);
    else if (m->plan->sets.n)
        diag(m->ctx, (Span){0}, DIAG_U020,
             "the FMU cannot have sources: the model chooses states by their values");
    else if (m->options->searches_switches)
        diag(m->ctx, (Span){0}, DIAG_U020,
             "the FMU cannot have sources: the model has ideal switches, whose next positions only "
             "the engine can search");
    else
        return true;
    diag_note(m->ctx, (Span){0}, "export it without --source");
    return false;
}

/* ---- tables ---- */

static void put_real(Text *t, double x)
{
    if (isfinite(x))
        text_put_real(t, x);
    else
        text_put(t, isnan(x) ? "NAN" : x > 0 ? "INFINITY" : "-INFINITY");
    text_put(t, ", ");
}

static void put_number(Text *t, uint32_t number)
{
    if (number == NONE)
        text_put(t, "SOURCE_NONE, ");
    else
        text_printf(t, "%u, ", number);
}

static const char *kind_of(const DaeVar *x)
{
    switch ((DaeVarKind)x->kind) {
    case DAE_TIME: return "SOURCE_TIME";
    case DAE_PARAMETER: return "SOURCE_PARAMETER";
    case DAE_CONTINUOUS:
    case DAE_DERIVATIVE: return "SOURCE_CONTINUOUS";
    case DAE_INPUT: return "SOURCE_INPUT";
    case DAE_PRE: return "SOURCE_PRE";
    case DAE_RELATION:
    case DAE_SAMPLE:
    case DAE_TERMINAL: return "SOURCE_RELATION";
    case DAE_INITIAL:
    case DAE_LAMBDA: return "SOURCE_INITIAL";
    case DAE_DISCRETE:
    case DAE_FOLLOWING:
    case DAE_OUTSIDE:
    case DAE_HELD: break;
    }
    return "SOURCE_DISCRETE";
}

static unsigned flags_of(const Dae *d, const DaeVar *x)
{
    enum { GIVEN = 1, GUESSED = 2 };
    const FlatVar *flat = x->flat != NONE ? &d->flat->vars.at[x->flat] : NULL;
    bool final = flat && (flat->is_final || flat->variability == VARIES_CONSTANT);
    bool guessed = !x->fixed && x->start != NONE && x->detail == NONE;
    return (x->alias == NONE && !final ? GIVEN : 0) | (guessed ? GUESSED : 0);
}

static void put_variable(Text *t, const Dae *d, VarId v)
{
    /* FmuType of fmu/interface */
    static const unsigned types[] = {
        [DAE_REAL] = 0, [DAE_INT] = 1, [DAE_BOOL] = 2, [DAE_ENUM] = 1, [DAE_STRING] = 3};
    const DaeVar *x = &d->vars.at[v];
    text_put(t, "    {");
    put_real(t, x->kind == DAE_PARAMETER ? x->value : 0);
    put_real(t, x->nominal);
    put_real(t, x->min);
    put_real(t, x->max);
    put_number(t, x->start);
    put_number(t, x->alias);
    put_number(t, x->base);
    text_printf(t, "%d, %s, %u, %u, %u},\n", x->alias_sign, kind_of(x), types[x->type],
                x->type == DAE_ENUM, flags_of(d, x));
}

static void put_states(Text *t, const Plan *plan)
{
    text_put(t, "    {0}};\n\nstatic const SourceState states[] = {\n");
    for (uint32_t i = 0; i < plan->states.n; i++)
        text_printf(t, "    {%u, %u, %u},\n", plan->states.at[i].var, plan->states.at[i].der,
                    fmu_state_derivative(plan, i));
}

static void put_relations(Text *t, const Dae *d)
{
    text_put(t, "    {0}};\n\nstatic const SourceRelation relations[] = {\n");
    for (uint32_t i = 0; i < d->relations.n; i++) {
        const DaeRelation *r = &d->relations.at[i];
        text_put(t, "    {");
        put_real(t, r->scale);
        text_printf(t, "%d, %d},\n",
                    r->op == OP_LT   ? 0
                    : r->op == OP_LE ? 1
                    : r->op == OP_GT ? 2
                                     : 3,
                    r->is_time_event);
    }
}

static void put_samples(Text *t, const Dae *d)
{
    text_put(t, "    {0}};\n\nstatic const SourceSample samples[] = {\n");
    for (uint32_t i = 0; i < d->samples.n; i++)
        text_printf(t, "    {%u, %d},\n", d->samples.at[i].var, d->samples.at[i].from_start);
}

/* A literal of C. */
static void put_text(Text *t, const char *s)
{
    text_put(t, "\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < 32 || c >= 127 || c == '"' || c == '\\' || c == '?')
            text_printf(t, "\\%03o", c);
        else
            text_put_char(t, *s);
    }
    text_put(t, "\"");
}

/* The text of a message, or its expression if the text is made at run time. */
static const char *message_of(const FmuModel *m, Term message)
{
    const Dae *d = m->plan->dae;
    if (message.shape == EXPR_NONE)
        return "";
    return expr_op(d->g, message.shape) == OP_STRING ? expr_name(d->g, message.shape)
                                                     : dae_term_print(d, message, m->arena);
}

static void put_actions(Text *t, const FmuModel *m)
{
    static const char *const kinds[] = {[ACTION_REINIT] = "SOURCE_REINIT",
                                        [ACTION_ASSERT] = "SOURCE_ASSERT",
                                        [ACTION_TERMINATE] = "SOURCE_TERMINATE"};
    const Dae *d = m->plan->dae;
    text_put(t, "    {0}};\n\nstatic const SourceAction actions[] = {\n");
    for (uint32_t i = 0; i < d->actions.n; i++) {
        const DaeAction *a = &d->actions.at[i];
        text_printf(t, "    {%s, %d, %d, %d, ", kinds[a->kind], a->warning, a->initial, a->at_edge);
        put_number(t, a->kind == ACTION_REINIT ? a->target : NONE);
        put_text(t, message_of(m, a->message));
        text_put(t, "},\n");
    }
    text_put(t, "    {0}};\n\n");
}

static void put_arrays(Text *t, const FmuModel *m)
{
    text_put(t, "static const SourceArray arrays[] = {\n");
    for (uint32_t i = 0; i < m->variables.n; i++)
        if (m->variables.at[i].n > 1)
            text_printf(t, "    {%u, %u},\n", m->variables.at[i].var, m->variables.at[i].n);
    text_put(t, "    {0, 0}};\n\nstatic const double clocks[] = {\n");
    for (uint32_t i = 0; i < m->clocks.n; i++) {
        text_put(t, "    ");
        put_real(t, m->clocks.at[i].start);
        put_real(t, m->clocks.at[i].interval);
        text_put(t, "\n");
    }
    text_put(t, "    0, 0};\n\n");
}

static void put_summary(Text *t, const FmuModel *m)
{
    const Dae *d = m->plan->dae;
    const Experiment *e = &d->flat->experiment;
    text_put(t, "const SourceTables source_tables = {\n    ");
    put_text(t, m->token);
    text_put(t, ", ");
    put_real(t, isnan(e->start) ? 0 : e->start);
    put_real(t, isnan(e->tolerance) ? 1e-6 : e->tolerance);
    text_printf(t, "\n    %u, %u, %u, %u, %u, %u,\n", d->vars.n, m->plan->states.n, d->relations.n,
                d->samples.n, d->actions.n, m->plan->assumptions.n);
    text_put(t, "    variables, states, relations, samples, actions, arrays, clocks,\n    ");
    put_number(t, d->initial);
    put_number(t, d->lambda);
    text_put(t, "kairos_instants,\n};\n#pragma GCC visibility pop\n");
}

static const char *tables_of(const FmuModel *m)
{
    const Dae *d = m->plan->dae;
    Text t = {0};
    text_put(&t, "/* Tables of the model. Generated by Kairos. */\n"
                 "#include \"fmu_source_tables.h\"\n\n#include <math.h>\n"
                 "#pragma GCC visibility push(hidden)\n\n"
                 "int kairos_instants(ModelData *m, double *t);\n\n"
                 "static const SourceVariable variables[] = {\n");
    for (VarId v = 0; v < d->vars.n; v++)
        put_variable(&t, d, v);
    put_states(&t, m->plan);
    put_relations(&t, d);
    put_samples(&t, d);
    put_actions(&t, m);
    put_arrays(&t, m);
    put_summary(&t, m);
    return text_keep(&t, m->arena);
}

/* ---- files ---- */

static void add(FmuModel *m, FmuContents *c, const char *name, const char *data, size_t n)
{
    vec_push(&c->files, ((FmuFile){arena_printf(m->arena, "sources/%s", name), data, n}));
    if (text_ends_with(name, ".c"))
        vec_push(&m->sources, name);
}

/* The name of a file that belongs to the other version of FMI. */
static bool is_other(const FmuModel *m, const char *name)
{
    return strstr(name, m->options->version == 3 ? "fmi2." : "fmi3.") != NULL;
}

static void add_shared(FmuModel *m, FmuContents *c)
{
    const char *at = fmu_sources;
    while (at < fmu_sources_end) {
        const char *name = at + strlen(FILE_SIGN), *line = strchr(name, '\n') + 1;
        const char *next = strstr(line, FILE_SIGN);
        next = next ? next : fmu_sources_end;
        name = arena_copy(m->arena, name, (size_t)(line - name - 1));
        if (!is_other(m, name))
            add(m, c, name, line, (size_t)(next - line));
        at = next;
    }
}

/* Nothing but the functions of FMI is visible outside. */
static bool add_code(FmuModel *m, FmuContents *c)
{
    size_t n = 0;
    char *code = codegen_model(m->plan, &(CodegenOptions){.comments = true, .alone = true}, &n);
    if (!code)
        return false;
    Text t = {0};
    text_put(&t, "#define HIDDEN __attribute__((visibility(\"hidden\")))\n"
                 "extern const struct ModelCode kairos_model HIDDEN;\n"
                 "struct ModelData;\n"
                 "int kairos_instants(struct ModelData *m, double *t) HIDDEN;\n");
    text_put_n(&t, code, n);
    memory_free(code);
    size_t size = t.n;
    add(m, c, "model.c", text_keep(&t, m->arena), size);
    return true;
}

static bool add_build_description(FmuModel *m, FmuContents *c)
{
    Xml *xml = xml_open(m->ctx);
    size_t n = 0;
    if (!xml)
        return false;
    xml_begin(xml, "fmiBuildDescription");
    xml_attribute(xml, "fmiVersion", "3.0");
    xml_begin(xml, "BuildConfiguration");
    xml_attribute(xml, "modelIdentifier", m->identifier);
    xml_attribute(xml, "description", "C11, for GCC, Clang and compatible compilers");
    xml_begin(xml, "SourceFileSet");
    xml_attribute(xml, "language", "C11");
    for (uint32_t i = 0; i < m->sources.n; i++) {
        xml_begin(xml, "SourceFile");
        xml_attribute(xml, "name", m->sources.at[i]);
        xml_end(xml);
    }
    xml_end(xml);
    xml_begin(xml, "Library");
    xml_attribute(xml, "name", "m");
    xml_flag(xml, "external", true);
    xml_end(xml);
    xml_end(xml);
    xml_end(xml);
    const char *text = xml_close(xml, &n, m->arena);
    if (text)
        add(m, c, "buildDescription.xml", text, n);
    return text;
}

bool fmu_add_sources(FmuModel *m, FmuContents *contents)
{
    if (!can_have_sources(m) || !add_code(m, contents))
        return false;
    const char *tables = tables_of(m);
    add(m, contents, "model_tables.c", tables, strlen(tables));
    add_shared(m, contents);
    return m->options->version < 3 || add_build_description(m, contents);
}
