/* Completion and hints: possible names at a place, and the meaning of a name there. */
#include "service/cursor.h"

#include "instance/library/package_folders.h"

#include <ctype.h>

enum { ITEMS_MOST = 1000 };

typedef struct Items {
    const Cursor *c;
    Text *t;
    const char *word; /* that is being written */
    size_t n_word;
    uint32_t n;
    Map seen; /* names that are listed */
} Items;

/* ---- items ---- */

static bool matches(const Items *w, const char *name)
{
    return !strncasecmp(name, w->word, w->n_word);
}

static void put_item(Items *w, const char *name, const char *kind, const char *detail,
                     const char *tail)
{
    Name key = library_name(w->c->lib, name);
    if (w->n >= ITEMS_MOST || !matches(w, name) || map_get(&w->seen, map_key(key)) != MAP_NONE)
        return;
    map_put(&w->seen, map_key(key), 1);
    text_put(w->t, w->n++ ? ",\n{\"label\":" : "{\"label\":");
    text_put_json(w->t, name);
    inspect_put_field(w->t, "kind", kind);
    inspect_put_field(w->t, "detail", detail);
    inspect_put_field(w->t, "insert", arena_printf(w->c->lib->arena, "%s%s", name, tail));
    text_put(w->t, "}");
}

/* With the unit and the default of an element that is modified. */
static const char *argument_detail(const Items *w, const AstElement *e, Instance *inst)
{
    Arena *arena = w->c->lib->arena;
    const char *unit = component_unit(w->c->lib, inst);
    Text t = {0};
    text_put(&t, component_type(e, arena));
    if (unit)
        text_printf(&t, " [%s]", unit);
    if (e->mod && e->mod->value)
        text_printf(&t, " = %s", ast_print_expr(e->mod->value, arena));
    if (e->comment.text)
        text_printf(&t, ": %s", e->comment.text);
    return text_keep(&t, arena);
}

static const char *component_detail(const Items *w, const AstElement *e)
{
    const char *type = component_type(e, w->c->lib->arena), *text = e->comment.text;
    return text ? arena_printf(w->c->lib->arena, "%s: %s", type, text) : type;
}

static void put_element(Items *w, const Element *e, const char *tail)
{
    if (!matches(w, e->name))
        return;
    if (e->kind == ELEMENT_ATTRIBUTE) {
        put_item(w, e->name, "attribute", NULL, tail);
    } else if (e->kind == ELEMENT_COMPONENT) {
        put_item(w, e->name, e->ast ? component_kind(e->ast) : "component",
                 e->ast ? component_detail(w, e->ast) : NULL, tail);
    } else {
        const AstClass *ast = inspect_ast(w->c->lib, e);
        if (ast)
            put_item(w, e->name, restriction_text(ast->restriction), ast->comment.text, "");
    }
}

/* Names that can follow a dot. */
static void put_members(Items *w, const Instance *inst)
{
    const Class *c = inst->cls;
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const Element *e = &c->elements.at[i];
        if (!e->is_protected && e->kind != ELEMENT_ATTRIBUTE &&
            (!inst->parent || e->kind == ELEMENT_COMPONENT))
            put_element(w, e, "");
    }
}

/* ---- names without a dot ---- */

static void put_scope(Items *w)
{
    for (Scope s = w->c->scope; s.inst; s = s.layer->scope) {
        for (uint32_t i = 0; i < s.inst->cls->elements.n; i++)
            if (s.inst->cls->elements.at[i].kind != ELEMENT_ATTRIBUTE)
                put_element(w, &s.inst->cls->elements.at[i], "");
        for (uint32_t i = 0; i < s.layer->n_imports; i++) {
            const AstElement *import = s.layer->imports[i];
            Name name = import->name ? import->name : import->type.parts[import->type.n - 1];
            if (!import->import_all)
                put_item(w, name, "import", NULL, "");
        }
        if (s.layer->ast && s.layer->ast->encapsulated)
            break;
    }
}

static void put_libraries(Items *w)
{
    Library *lib = w->c->lib;
    library_index(lib);
    for (uint32_t i = 0; i < lib->stored.n; i++)
        if (matches(w, lib->stored.at[i]->name) && is_plain_file(lib->stored.at[i]->path))
            put_item(w, lib->stored.at[i]->name, "package", NULL, "");
}

static void put_builtins(Items *w)
{
    static const char *const types[] = {"Real",   "Integer",     "Boolean",
                                        "String", "StateSelect", "Clock"};
    const char *name;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        put_item(w, types[i], "type", NULL, "");
    for (uint32_t i = 0; (name = typing_builtin_name(i)); i++)
        if (isalpha((unsigned char)*name))
            put_item(w, name, "function", NULL, "");
    for (size_t i = 0; service_keywords[i]; i++)
        put_item(w, service_keywords[i], "keyword", NULL, "");
}

/* ---- arguments: elements to modify, inputs of a function ---- */

/* True in a modification, where no function can stand. Arguments of functions and records may be
 * expressions. */
static bool put_arguments(Items *w, size_t start)
{
    size_t before = cursor_skip_back(w->c, start);
    char last = before ? w->c->text[before - 1] : 0;
    size_t open = last == '(' || last == ',' ? cursor_open_before(w->c, start) : SIZE_MAX;
    Instance *owner = open == SIZE_MAX ? NULL : cursor_owner(w->c, open);
    if (!owner)
        return false;
    const Class *c = owner->cls;
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const Element *e = &c->elements.at[i];
        bool input = e->ast && e->ast->causality == AST_INPUT;
        if (e->is_protected || e->kind == ELEMENT_CLASS || (class_is_function(c) && !input))
            continue;
        if (e->kind == ELEMENT_COMPONENT && e->ast && matches(w, e->name))
            put_item(w, e->name, component_kind(e->ast),
                     argument_detail(w, e->ast, inst_component(w->c->lib, owner, i)), "=");
        else
            put_element(w, e, "=");
    }
    static const char *const words[] = {"each", "final", "redeclare", "replaceable"};
    bool calls = class_is_function(c) || class_is_record(c);
    for (size_t i = 0; !calls && i < sizeof words / sizeof *words; i++)
        put_item(w, words[i], "keyword", NULL, " ");
    return !calls;
}

/* ---- annotations and units ---- */

typedef struct Annotation {
    const char *owner, *names; /* separated by spaces */
} Annotation;

static const Annotation annotations[] = {
    {"annotation",
     "Documentation Icon Diagram Placement Line Dialog choices choicesAllMatching experiment "
     "Evaluate HideResult Inline LateInline derivative inverse smoothOrder version uses "
     "conversion preferredView defaultComponentName defaultComponentPrefixes missingInnerMessage "
     "obsolete unassignedMessage Include Library IncludeDirectory LibraryDirectory "
     "DocumentationClass TestCase"},
    {"experiment", "StartTime StopTime Interval Tolerance"},
    {"Documentation", "info revisions figures"},
    {"Dialog", "tab group enable showStartAttribute groupImage connectorSizing loadSelector "
               "saveSelector colorSelector"},
    {"Placement", "visible transformation iconVisible iconTransformation"},
    {"transformation", "extent rotation origin"},
    {"iconTransformation", "extent rotation origin"},
    {"Icon", "coordinateSystem graphics"},
    {"Diagram", "coordinateSystem graphics"},
    {"coordinateSystem", "extent preserveAspectRatio initialScale grid"},
    {"Line", "points color pattern thickness arrow smooth visible rotation origin"},
    {"Rectangle", "extent lineColor fillColor fillPattern pattern lineThickness radius"},
    {"Ellipse", "extent lineColor fillColor fillPattern startAngle endAngle"},
    {"Polygon", "points lineColor fillColor fillPattern smooth"},
    {"Text", "extent textString fontSize textColor horizontalAlignment"},
};

static bool in_annotation(const Cursor *c, size_t open)
{
    for (; open != SIZE_MAX; open = cursor_open_before(c, open)) {
        size_t end = cursor_skip_back(c, open);
        if (end >= 10 && !strncmp(c->text + end - 10, "annotation", 10))
            return true;
    }
    return false;
}

static void put_words(Items *w, const char *words, const char *kind, const char *tail)
{
    while (*words) {
        size_t n = strcspn(words, " ");
        put_item(w, arena_copy(w->c->lib->arena, words, n), kind, NULL, tail);
        words += n + (words[n] == ' ');
    }
}

/* True in an annotation, which has names of its own. */
static bool put_annotations(Items *w, size_t start)
{
    const Cursor *c = w->c;
    size_t open = cursor_open_before(c, start);
    if (!in_annotation(c, open))
        return false;
    size_t end = cursor_skip_back(c, open), from = cursor_name_start(c, end);
    for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
        if (strlen(annotations[i].owner) == end - from &&
            !strncmp(annotations[i].owner, c->text + from, end - from))
            put_words(w, annotations[i].names, "attribute", "");
    return true;
}

/* True in the string of a unit. */
static bool put_units(Items *w)
{
    static const char units[] =
        "1 m s kg A K mol cd rad deg Hz N Pa J W C V F Ohm S Wb T H lm lx degC bar l min h d m2 m3 "
        "m/s m/s2 m3/s rad/s rad/s2 N.m N/m N.s/m kg/s kg/m3 kg.m2 J/K J/kg J/(kg.K) W/K W/m2 "
        "W/(m2.K) W/(m.K) V/m A/m2 Ohm.m Pa.s mol/s N.m/rad N.m.s/rad kW kV mV mA kPa MPa km mm "
        "kJ MW kHz km/h rev/min";
    const Cursor *c = w->c;
    size_t i = c->at;
    while (i > 0 && c->text[i - 1] != '"' && c->text[i - 1] != '\n')
        i--;
    if (!i || c->text[i - 1] != '"')
        return false;
    size_t end = cursor_skip_back(c, i - 1);
    if (!end || c->text[end - 1] != '=')
        return false;
    end = cursor_skip_back(c, end - 1);
    size_t from = cursor_name_start(c, end);
    bool is_unit = (end - from == 4 && !strncmp(c->text + from, "unit", 4)) ||
                   (end - from == 11 && !strncmp(c->text + from, "displayUnit", 11));
    if (is_unit) {
        w->word = arena_copy(c->lib->arena, c->text + i, c->at - i);
        w->n_word = c->at - i;
        put_words(w, units, "unit", "");
    }
    return is_unit;
}

void service_complete(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                      uint32_t column, Text *t)
{
    Cursor c = cursor_at(lib, name, text, size, line, column);
    size_t start = cursor_name_start(&c, c.at), word = c.at;
    while (word > start && is_name_char(text[word - 1]))
        word--;
    Items w = {.c = &c,
               .t = t,
               .word = arena_copy(lib->arena, text + word, c.at - word),
               .n_word = c.at - word};
    Text items = {0};
    w.t = &items;
    if (put_units(&w)) {
        /* nothing else can stand there */
    } else if (word > start) {
        const Instance *inst = cursor_instance(&c, cursor_resolve(&c, start, word - 1));
        if (inst)
            put_members(&w, inst);
    } else if (!put_annotations(&w, start)) {
        if (!put_arguments(&w, start)) { /* a modifier begins with a name of its class */
            put_scope(&w);
            put_libraries(&w);
            put_builtins(&w);
        }
    }
    text_printf(t, "{\"from\":{\"line\":%u,\"column\":%u},\"items\":[%s]}", line,
                column - (uint32_t)w.n_word, items.at ? items.at : "");
    text_free(&items);
    map_free(&w.seen);
}

/* ---- hints ---- */

void service_symbol(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                    uint32_t column, Text *t)
{
    Cursor c = cursor_at(lib, name, text, size, line, column);
    size_t end = c.at;
    while (end < size && is_name_char(text[end]))
        end++;
    size_t start = cursor_name_start(&c, end);
    Found f = start < end ? cursor_resolve(&c, start, end) : (Found){0};
    const Element *e = f.inst ? found_element(f) : NULL;
    const AstClass *ast = e ? inspect_ast(lib, e) : NULL;
    if (!ast && !(e && e->ast)) {
        text_put(t, "null");
        return;
    }
    const Instance *inst = cursor_instance(&c, f);
    text_put(t, "{\"name\":");
    text_put_json(t, ast ? (inst ? inst->cls->name : ast->name) : e->name);
    inspect_put_field(t, "kind", ast ? restriction_text(ast->restriction) : component_kind(e->ast));
    inspect_put_field(t, "type",
                      ast    ? NULL
                      : inst ? inst->cls->name
                             : component_type(e->ast, lib->arena));
    inspect_put_field(t, "description", ast ? ast->comment.text : e->ast->comment.text);
    const AstMod *mod = ast ? NULL : e->ast->mod;
    inspect_put_field(t, "value",
                      mod && mod->value ? ast_print_expr(mod->value, lib->arena) : NULL);
    inspect_put_place(t, lib->ctx, ast ? ast->name_span : e->ast->span);
    text_put(t, "}");
}
