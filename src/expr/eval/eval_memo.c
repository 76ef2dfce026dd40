/* The evaluator: the last call of a pure function with many results. The elements of an array
 * result are needed one by one, but the function is called once. */
#include "expr/eval/internal.h"

typedef struct EvalMemo {
    Arena *arena; /* of all below */
    const Function *f;
    Value *args; /* size f->n_in */
    Value result;
} EvalMemo;

static void memo_free(EvalMemo *m)
{
    if (m)
        arena_free(m->arena);
    memory_free(m);
}

static bool is_same(const Types *types, const Value *a, const Value *b)
{
    if (a->type != b->type || value_kind(types, a->type) != ELEM_NUM)
        return false;
    size_t n = type_rank(types, a->type) ? (size_t)type_count(types, a->type) : 1;
    return memcmp(value_elems(types, a), value_elems(types, b), n * sizeof(double)) == 0;
}

const Value *memo_find(const Run *r, const Function *f, const Value *args)
{
    const EvalMemo *m = r->g->memo;
    if (!m || m->f != f)
        return NULL;
    for (uint32_t i = 0; i < f->n_in; i++)
        if (!is_same(r->types, &m->args[i], &args[i]))
            return NULL;
    return &m->result;
}

const Value *memo_keep(Run *r, const Function *f, const Value *args, const Value *result)
{
    if (!r->g->memo) {
        r->g->memo = memory_alloc(sizeof *r->g->memo);
        r->g->free_memo = memo_free;
    }
    EvalMemo *m = r->g->memo;
    arena_free(m->arena);
    *m = (EvalMemo){.arena = arena_new(), .f = f};
    m->args = ARENA_ARRAY(m->arena, Value, f->n_in + 1);
    for (uint32_t i = 0; i < f->n_in; i++)
        m->args[i] = value_copy(r, m->arena, &args[i]);
    m->result = value_copy(r, m->arena, result);
    return &m->result;
}
