/* Operator records: the functions of their operators (Modelica 3.6, chapter 14). A class that is
 * short for an operator record has that record's operators and is the same type. */
#include "instance/tree/tree.h"

Class *operator_record_of(Library *lib, Class *c)
{
    for (uint32_t i = c->layers.n; i-- > 0;) {
        const Layer *layer = c->layers.at[i];
        if (!layer->ast || layer->ast->restriction != AST_OPERATOR_RECORD ||
            layer->ast->form == AST_SHORT)
            continue;
        return i == 0 ? c : class_get(lib, layer->ast, layer->scope);
    }
    return NULL;
}

void operator_record_note(Library *lib, TypeId type, Class *base)
{
    if (map_get(&lib->operator_records, type) == MAP_NONE)
        map_put(&lib->operator_records, type, class_shared(lib, base)->id);
}

typedef VEC(Function *) Functions;

/* Operators have one result each; a constructor's is its record (sections 14.3 and 14.4). */
static void check_function(Library *lib, const Function *f, const Class *record, Name operator)
{
    bool constructor = !strcmp(operator, "'constructor'");
    TypeId type = f->n_out == 1 ? f->vars[f->n_in].type : T_NONE;
    if (f->n_out != 1)
        diag(lib->ctx, f->span, DIAG_I020,
             "function '%s' of operator %s has %u outputs; it must have one", f->name, operator,
             f->n_out);
    else if (constructor && type_get(lib->g->types, type)->name != record->name)
        diag(lib->ctx, f->span, DIAG_I020,
             "constructor '%s' has a result of type %s, not its record '%s'", f->name,
             type_print(lib->g->types, type, lib->arena), record->name);
}

static void add_function(Library *lib, Functions *list, Instance *fn, const Class *record,
                         Name operator)
{
    if (!fn || !class_is_function(fn->cls))
        return;
    Function *f = inst_function(lib, fn, fn->cls->ast ? fn->cls->ast->name_span : (Span){0});
    if (!f)
        return;
    check_function(lib, f, record, operator);
    f->inlined = true;
    vec_push(list, f);
}

/* operator function '+' … or operator '+' with functions in it */
static void collect(Library *lib, Functions *list, Instance *record, Name name)
{
    uint32_t index = class_find(record->cls, name);
    if (index == MAP_NONE || record->cls->elements.at[index].kind != ELEMENT_CLASS)
        return;
    Instance *op = inst_class(lib, record, index);
    if (!op || op->cls->restriction != AST_OPERATOR) {
        add_function(lib, list, op, record->cls, name);
        return;
    }
    for (uint32_t i = 0; i < op->cls->order.n; i++) {
        uint32_t k = op->cls->order.at[i];
        if (op->cls->elements.at[k].kind == ELEMENT_CLASS)
            add_function(lib, list, inst_class(lib, op, k), record->cls, name);
    }
}

TypeOperators resolve_operators(TypeScope *scope, TypeId record, const char *text)
{
    Library *lib = ((NameScope *)scope)->lib;
    uint32_t id = map_get(&lib->operator_records, record);
    if (id == MAP_NONE)
        return (TypeOperators){0};
    Name name = library_name(lib, text);
    uint64_t key = map_key(name) ^ (uint64_t)record << 48;
    uint32_t known = map_get(&lib->operator_table, key);
    if (known != MAP_NONE)
        return lib->operator_sets.at[known];
    Functions list = {0};
    collect(lib, &list, lib->instances.at[id], name);
    TypeOperators set = {.n = list.n};
    set.at = vec_keep(&list, lib->arena);
    map_put(&lib->operator_table, key, lib->operator_sets.n);
    vec_push(&lib->operator_sets, set);
    return set;
}
