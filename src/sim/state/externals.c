/* External functions and objects of a run. Generated code calls by the number of the function, with
 * all values as doubles. Here they are converted to the form of external/external.h, and results
 * back. A String is the number of its text, which the runtime keeps. An object is its number, from
 * 1, in the order of construction. The run owns it and destructs it at its end, in any case. */
#include "sim/state/externals.h"

#include "base/snapshot.h"
#include "external/external.h"
#include "expr/walk.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

enum { WARNINGS = 50 }; /* reported at most */

/* How the result, or an argument, is passed. */
typedef struct Slot {
    uint8_t pass; /* ExternalPass */
    uint32_t rank;
    bool used;    /* false for the result of a function without one */
    bool changes; /* takes a value afterwards */
    bool direct;  /* Reals in the order of the model: arrays are passed where they are */
} Slot;

typedef union Passed {
    double real;
    int integer;
    const char *string;
    void *pointer; /* object, elements of an array */
} Passed;

typedef struct Callee {
    const Function *f;
    ExternalEntry entry; /* both NULL while it was not called */
    ExternalNative native;
    Slot *slots;     /* size 1 + n_args: the result first */
    bool fortran;    /* arrays are column-major */
    Passed *passed;  /* of the present call, as many */
    void **places;   /* of these */
    uint32_t object; /* the slot of the only object that it takes; 0: none, or several */
    uint32_t rank;   /* the sum over all slots: the number of dimensions of a call */
} Callee;

/* The last call of a function with an object. */
typedef struct LastCall {
    uint32_t function;
    uint64_t number; /* calls are counted, to repeat them in order */
    double *values;  /* of all slots, arrays by elements */
    int *dims;
    size_t n, room;
} LastCall;
typedef VEC(LastCall) LastCalls;

typedef struct Object {
    void *pointer;
    const Function *destructor; /* NULL if there is none */
    bool native;
    ExternalSteps steps;
    LastCalls calls; /* one for each function */
} Object;

struct Externals {
    RunContext *run;
    const ModeProgram *prog; /* that calls now */
    Graph *g;
    Arena *scratch;  /* of one call */
    Callee *callees; /* per function of the graph */
    uint32_t n_callees;
    VEC(Object) objects;
    uint32_t n_warnings;
    const Function *running;
    const Function *failed;
    bool failed_step; /* the failure was in a step of the object whose destructor `failed` is */
    char text[1024];  /* its message */
    jmp_buf back;
    ExternalRun facts;
    bool stepping;       /* there are native objects */
    ExternalSteps steps; /* of any object */
    uint64_t n_calls;    /* of functions with an object */
};

/* ---- the host of a call ---- */

static size_t trimmed(const char *text)
{
    size_t n = strlen(text);
    while (n && text[n - 1] == '\n')
        n--;
    return n;
}

static void host_message(void *user, bool warning, const char *text)
{
    Externals *x = user;
    int n = (int)trimmed(text);
    if (!warning)
        run_log(x->run, UINT32_MAX, "%.*s\n", n, text);
    else if (x->n_warnings++ < WARNINGS)
        diag(x->run->ctx, x->running->span, DIAG_R016, "%s: %.*s", x->running->name, n, text);
}

static void keep_text(Externals *x, const Function *f, const char *text)
{
    size_t n = trimmed(text);
    n = n < sizeof x->text ? n : sizeof x->text - 1;
    memcpy(x->text, text, n);
    x->text[n] = '\0';
    x->failed = f;
    x->failed_step = false;
}

static void host_error(void *user, const char *text)
{
    Externals *x = user;
    keep_text(x, x->running, text);
    longjmp(x->back, 1);
}

static char *host_allocate(void *user, size_t n)
{
    Externals *x = user;
    return arena_alloc(x->scratch, n + 1);
}

/* False if the function called ModelicaError. */
static bool call_entry(Externals *x, const Callee *c, void *const *args)
{
    if (c->native) {
        const char *why = c->native(x->g->natives->user, &x->facts, args);
        if (why)
            keep_text(x, c->f, why);
        return !why;
    }
    ExternalHost host = {x, host_message, host_error, host_allocate};
    x->running = c->f;
    const ExternalHost *before = external_enter(x->g->external, &host);
    bool ok = setjmp(x->back) == 0;
    if (ok)
        c->entry(args);
    external_enter(x->g->external, before);
    return ok;
}

/* ---- called functions ---- */

static Slot slot_of(const Types *types, TypeId type, bool changes, bool fortran)
{
    ExternalPass pass = external_pass(types, type);
    uint32_t rank = type_rank(types, type);
    bool direct = pass == PASS_REAL && !(fortran && rank > 1);
    return (Slot){(uint8_t)pass, rank, true, changes, direct};
}

static bool prepare(Externals *x, Callee *c, const Function *f)
{
    const char *why = NULL;
    c->native = external_native(x->g, f);
    ExternalEntry entry = c->native ? NULL : external_entry(external_of(x->g), x->g, f, &why);
    if (!entry && !c->native) {
        keep_text(x, f, why);
        return false;
    }
    const FnExternal *e = f->external;
    c->f = f;
    c->slots = ARENA_ARRAY(x->run->arena, Slot, e->n_args + 1);
    c->passed = ARENA_ARRAY(x->run->arena, Passed, e->n_args + 1);
    c->places = ARENA_ARRAY(x->run->arena, void *, e->n_args + 1);
    for (uint32_t i = 0; i <= e->n_args; i++)
        c->places[i] = &c->passed[i];
    c->fortran = strcmp(e->language, "FORTRAN 77") == 0;
    if (e->result != UINT32_MAX)
        c->slots[0] = slot_of(x->g->types, f->vars[f->n_in + e->result].type, true, c->fortran);
    for (uint32_t i = 0; i < e->n_args; i++)
        c->slots[i + 1] = slot_of(x->g->types, expr_type(x->g, e->args[i]),
                                  external_changes(x->g, f, i) != UINT32_MAX, c->fortran);
    for (uint32_t i = 0, n = 0; i <= e->n_args; i++) {
        c->rank += c->slots[i].rank;
        if (c->slots[i].used && c->slots[i].pass == PASS_OBJECT)
            c->object = n++ || c->slots[i].changes || c->slots[i].rank ? 0 : i;
    }
    c->entry = entry;
    return true;
}

static Callee *find_callee(Externals *x, uint32_t function)
{
    Callee *c = &x->callees[function];
    return c->slots || prepare(x, c, x->g->functions.at[function]) ? c : NULL;
}

static double string_number(Externals *x, const char *text)
{
    return runtime_string(x->prog->rt, text ? text : "");
}

/* ---- arrays ---- */

typedef struct Shape {
    const int *dims;
    uint32_t rank;
    size_t count;
    bool by_columns;
} Shape;

static Shape shape_of(const Callee *c, const Slot *slot, const int *dims)
{
    Shape a = {dims, slot->rank, 1, c->fortran && slot->rank > 1};
    for (uint32_t k = 0; k < slot->rank; k++)
        a.count *= (size_t)(dims[k] > 0 ? dims[k] : 0);
    return a;
}

/* Place among the elements that the function sees, of element `at` in the model's order. */
static size_t place_of(const Shape *a, size_t at)
{
    if (!a->by_columns)
        return at;
    size_t place = 0, below = a->count, stride = 1;
    for (uint32_t k = 0; k < a->rank; k++) {
        size_t dim = (size_t)a->dims[k];
        below /= dim;
        place += at / below % dim * stride;
        stride *= dim;
    }
    return place;
}

static int whole(double v)
{
    return isnan(v) ? 0 : v >= INT32_MAX ? INT32_MAX : v <= INT32_MIN ? INT32_MIN : (int)v;
}

static void *array_to_c(Externals *x, const Slot *slot, const Shape *a, double *from)
{
    size_t size = slot->pass == PASS_INT ? sizeof(int) : sizeof(double);
    char *room = arena_alloc(x->scratch, (a->count + 1) * size);
    for (size_t i = 0; i < a->count; i++) {
        void *to = room + place_of(a, i) * size;
        if (slot->pass == PASS_INT)
            *(int *)to = whole(from[i]);
        else if (slot->pass == PASS_STRING)
            *(const char **)to = runtime_text(x->prog->rt, from[i]);
        else
            *(double *)to = from[i];
    }
    return room;
}

static void array_from_c(Externals *x, const Slot *slot, const Shape *a, const void *from,
                         double *to)
{
    for (size_t i = 0; i < a->count; i++) {
        size_t at = place_of(a, i);
        if (slot->pass == PASS_INT)
            to[i] = ((const int *)from)[at];
        else if (slot->pass == PASS_STRING)
            to[i] = string_number(x, ((const char *const *)from)[at]);
        else
            to[i] = ((const double *)from)[at];
    }
}

/* ---- scalars ---- */

/* FORTRAN knows no constant text: it gets a copy. */
static const char *string_to_c(Externals *x, const Callee *c, const char *text)
{
    return c->fortran ? arena_copy(x->scratch, text, strlen(text)) : text;
}

static bool scalar_to_c(Externals *x, const Callee *c, const Slot *slot, double v, Passed *out)
{
    switch ((ExternalPass)slot->pass) {
    case PASS_INT: out->integer = whole(v); return true;
    case PASS_STRING: out->string = string_to_c(x, c, runtime_text(x->prog->rt, v)); return true;
    case PASS_OBJECT:
        if (!slot->changes && !(v >= 1 && v <= x->objects.n)) {
            keep_text(x, c->f, "the object was not constructed");
            return false;
        }
        out->pointer = slot->changes ? NULL : x->objects.at[(uint32_t)v - 1].pointer;
        return true;
    default: out->real = v; return true;
    }
}

static void add_object(Externals *x, const Callee *c, void *pointer)
{
    const ExternalNatives *n = x->g->natives;
    ExternalSteps steps = {0};
    if (c->native && pointer)
        steps = n->steps(n->user, pointer);
    vec_push(&x->objects, ((Object){.pointer = pointer,
                                    .destructor = c->f->destructor,
                                    .native = c->native,
                                    .steps = steps}));
    x->stepping |= c->native != NULL;
    x->steps.before |= steps.before;
    x->steps.after |= steps.after;
    x->steps.values |= steps.values;
}

static double scalar_from_c(Externals *x, const Callee *c, const Slot *slot, const Passed *from)
{
    switch ((ExternalPass)slot->pass) {
    case PASS_INT: return from->integer;
    case PASS_STRING: return string_number(x, from->string);
    case PASS_OBJECT: add_object(x, c, from->pointer); return x->objects.n;
    default: return from->real;
    }
}

/* ---- calls ---- */

static bool pass_all(Externals *x, const Callee *c, double *const *args, const int *dims,
                     Passed *all)
{
    for (uint32_t i = 0; i <= c->f->external->n_args; i++) {
        const Slot *slot = &c->slots[i];
        if (slot->direct && slot->rank) {
            all[i].pointer = args[i];
        } else if (slot->direct) {
            all[i].real = *args[i];
        } else if (slot->rank) {
            Shape a = shape_of(c, slot, dims);
            all[i].pointer = array_to_c(x, slot, &a, args[i]);
        } else if (slot->used && !scalar_to_c(x, c, slot, *args[i], &all[i])) {
            return false;
        }
        dims += slot->rank;
    }
    return true;
}

static void take_all(Externals *x, const Callee *c, double *const *args, const int *dims,
                     const Passed *all)
{
    for (uint32_t i = 0; i <= c->f->external->n_args; i++) {
        const Slot *slot = &c->slots[i];
        if (slot->changes && slot->direct) {
            if (!slot->rank)
                *args[i] = all[i].real;
        } else if (slot->changes && slot->rank) {
            Shape a = shape_of(c, slot, dims);
            array_from_c(x, slot, &a, all[i].pointer, args[i]);
        } else if (slot->changes) {
            *args[i] = scalar_from_c(x, c, slot, &all[i]);
        }
        dims += slot->rank;
    }
}

/* A function of Kairos, which the evaluator has: scalars in, one scalar out. */
static int call_builtin(Externals *x, const Function *f, double *const *args)
{
    Value *in = ARENA_ARRAY(x->scratch, Value, f->n_in + 1), out;
    EvalEnv env = {
        .g = x->g, .arena = x->scratch, .time = x->prog->v[0], .silent = true, .impure = true};
    for (uint32_t i = 0; i < f->n_in; i++) {
        in[i].type = f->vars[i].type;
        if (in[i].type == T_STRING)
            in[i].str = name_of(x->run->ctx->names, runtime_text(x->prog->rt, *args[i + 1]));
        else
            in[i].num = *args[i + 1];
    }
    if (eval_call(&env, f, in, &out) != EVAL_OK) {
        keep_text(x, f, env.why ? env.why : "it cannot be evaluated");
        return MODEL_EXTERNAL;
    }
    *args[0] = out.type == T_STRING ? string_number(x, out.str) : out.num;
    return MODEL_OK;
}

/* ---- last calls ---- */

static size_t slot_count(const Callee *c, const Slot *slot, const int *dims)
{
    return !slot->used ? 0 : slot->rank ? shape_of(c, slot, dims).count : 1;
}

static size_t count_values(const Callee *c, const int *dims)
{
    size_t n = 0;
    for (uint32_t i = 0; i <= c->f->external->n_args; i++) {
        n += slot_count(c, &c->slots[i], dims);
        dims += c->slots[i].rank;
    }
    return n;
}

static LastCall *last_call(Externals *x, Object *o, uint32_t function)
{
    for (uint32_t i = 0; i < o->calls.n; i++)
        if (o->calls.at[i].function == function)
            return &o->calls.at[i];
    vec_push(&o->calls, ((LastCall){.function = function}));
    LastCall *l = &vec_last(&o->calls);
    l->dims = ARENA_ARRAY(x->run->arena, int, x->callees[function].rank + 1);
    return l;
}

static void make_values(Externals *x, LastCall *l, size_t n)
{
    if (n > l->room || !l->values)
        l->values = ARENA_ARRAY(x->run->arena, double, n + 1);
    l->room = n > l->room ? n : l->room;
    l->n = n;
}

/* Objects may keep what they were asked last. A run that continues from a saved state repeats these
 * calls with its new objects (externals_snapshot). */
static void note_call(Externals *x, const Callee *c, double *const *args, const int *dims)
{
    Object *o = &x->objects.at[(uint32_t)*args[c->object] - 1];
    LastCall *l = last_call(x, o, c->f->id);
    make_values(x, l, count_values(c, dims));
    l->number = ++x->n_calls;
    memcpy(l->dims, dims, c->rank * sizeof *dims);
    double *to = l->values;
    for (uint32_t i = 0; i <= c->f->external->n_args; i++) {
        size_t n = slot_count(c, &c->slots[i], dims);
        if (n)
            memcpy(to, args[i], n * sizeof *to);
        to += n;
        dims += c->slots[i].rank;
    }
}

/* A program, for calls from its code. */
typedef struct Caller {
    Externals *x;
    const ModeProgram *prog;
} Caller;

static int call_function(void *user, int function, double *const *args, const int *dims)
{
    Externals *x = ((const Caller *)user)->x;
    x->prog = ((const Caller *)user)->prog;
    CONTEXT_HOLD(x->run->ctx); /* foreign code may not be thread-safe */
    arena_reset(x->scratch);
    Callee *c = &x->callees[function];
    if (!c->slots) {
        const Function *f = x->g->functions.at[function];
        if (!strcmp(f->external->language, "builtin"))
            return call_builtin(x, f, args);
        c = find_callee(x, (uint32_t)function);
        if (!c)
            return MODEL_EXTERNAL;
    }
    if (!pass_all(x, c, args, dims, c->passed) || !call_entry(x, c, c->places))
        return MODEL_EXTERNAL;
    if (c->object && !c->native)
        note_call(x, c, args, dims);
    take_all(x, c, args, dims, c->passed);
    return MODEL_OK;
}

/* ---- saved states ---- */

/* Only numbers: the texts of Strings belong to the run. */
static bool can_repeat(const Callee *c)
{
    bool can = c->object && !c->native;
    for (uint32_t i = 0; can && i <= c->f->external->n_args; i++)
        can = !c->slots[i].used || c->slots[i].pass == PASS_REAL || c->slots[i].pass == PASS_INT ||
              i == c->object;
    return can;
}

static bool repeat_call(Externals *x, const Callee *c, double number, LastCall *l)
{
    double **args = ARENA_ARRAY(x->scratch, double *, c->f->external->n_args + 2), *at = l->values;
    const int *dims = l->dims;
    for (uint32_t i = 0; i <= c->f->external->n_args; i++) {
        args[i] = at;
        at += slot_count(c, &c->slots[i], dims);
        dims += c->slots[i].rank;
    }
    *args[c->object] = number;
    if (!pass_all(x, c, args, l->dims, c->passed) || !call_entry(x, c, c->places))
        return false;
    note_call(x, c, args, l->dims);
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint64_t n = ((const LastCall *)a)->number, m = ((const LastCall *)b)->number;
    return (n > m) - (n < m);
}

static void write_calls(const Externals *x, const LastCalls *calls, Snapshot *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < calls->n; i++)
        n += can_repeat(&x->callees[calls->at[i].function]);
    snapshot_count(p, n, UINT32_MAX);
    for (uint32_t i = 0; i < calls->n; i++) {
        LastCall l = calls->at[i];
        if (!can_repeat(&x->callees[l.function]))
            continue;
        snapshot_value(p, l.function);
        snapshot_array(p, l.dims, x->callees[l.function].rank);
        snapshot_items(p, l.n, sizeof *l.values);
        snapshot_array(p, l.values, l.n);
    }
}

/* The next call; NULL: the snapshot is bad, or the function cannot be called. */
static Callee *read_call(Externals *x, Snapshot *p, LastCall *l)
{
    snapshot_value(p, l->function);
    const Function *f = l->function < x->n_callees ? x->g->functions.at[l->function] : NULL;
    bool known = !p->bad && f && f->external && strcmp(f->external->language, "builtin") != 0;
    Callee *c = known ? find_callee(x, l->function) : NULL;
    p->bad |= !c || !can_repeat(c);
    if (p->bad)
        return NULL;
    l->dims = ARENA_ARRAY(x->scratch, int, c->rank + 1);
    snapshot_array(p, l->dims, c->rank);
    l->n = snapshot_items(p, 0, sizeof *l->values);
    p->bad |= l->n != count_values(c, l->dims);
    l->values = ARENA_ARRAY(x->scratch, double, p->bad ? 1 : l->n + 1);
    snapshot_array(p, l->values, p->bad ? 0 : l->n);
    return p->bad ? NULL : c;
}

bool externals_snapshot(Externals *x, const ModeProgram *prog, double number, Snapshot *p)
{
    LastCalls none = {0};
    bool good = number >= 1 && number <= x->objects.n;
    LastCalls *calls = good ? &x->objects.at[(uint32_t)number - 1].calls : &none;
    if (!p->reading) {
        if (calls->n)
            qsort(calls->at, calls->n, sizeof *calls->at, by_number);
        write_calls(x, calls, p);
        return true;
    }
    CONTEXT_HOLD(x->run->ctx);
    x->prog = prog;
    uint32_t n = snapshot_count(p, 0, good ? x->n_callees : 0);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        arena_reset(x->scratch);
        LastCall l = {0};
        const Callee *c = read_call(x, p, &l);
        if (c && !repeat_call(x, c, number, &l))
            return false;
    }
    return true;
}

/* ---- objects ---- */

static void destruct(Externals *x, Object object)
{
    CONTEXT_HOLD(x->run->ctx);
    Callee *c = object.destructor && object.destructor->external
                    ? find_callee(x, object.destructor->id)
                    : NULL;
    if (!c)
        return;
    arena_reset(x->scratch);
    uint32_t n = c->f->external->n_args + 1;
    void **places = ARENA_ARRAY(x->scratch, void *, n);
    for (uint32_t i = 0; i < n; i++)
        places[i] = &object.pointer;
    if (!call_entry(x, c, places) && x->n_warnings++ < WARNINGS)
        diag(x->run->ctx, c->f->span, DIAG_R016, "%s: %s", c->f->name, x->text);
}

Externals *externals_new(const ModeProgram *prog)
{
    Externals *x = ARENA_NEW(prog->run->arena, Externals);
    x->run = prog->run;
    x->g = program_graph(prog);
    x->scratch = arena_new();
    const SimOptions *o = x->run->options;
    x->facts = (ExternalRun){o->start, o->stop, o->tolerance,
                             o->output_step > 0 ? o->output_step
                                                : (o->stop - o->start) / fmax(1, o->intervals)};
    x->n_callees = x->g->functions.n;
    x->callees = ARENA_ARRAY(prog->run->arena, Callee, x->n_callees + 1);
    return x;
}

void externals_attach(Externals *x, const ModeProgram *prog)
{
    Caller *c = ARENA_NEW(prog->own, Caller);
    *c = (Caller){x, prog};
    runtime_external(prog->rt, call_function, c);
}

void externals_free(Externals *x)
{
    if (!x)
        return;
    while (x->objects.n) {
        Object o = vec_pop(&x->objects);
        destruct(x, o);
        vec_free(&o.calls);
    }
    vec_free(&x->objects);
    arena_free(x->scratch);
}

/* ---- steps ---- */

bool externals_step(const Externals *x)
{
    return x->stepping;
}

ExternalSteps externals_steps(const Externals *x)
{
    return x->steps;
}

static bool note_failure(Externals *x, const Object *o, const char *why)
{
    if (why)
        keep_text(x, o->destructor, why);
    x->failed_step = why;
    return !why;
}

bool externals_limit(Externals *x, double t, double *limit)
{
    const ExternalNatives *n = x->g->natives;
    CONTEXT_HOLD(x->run->ctx);
    for (uint32_t i = 0; i < x->objects.n; i++) {
        const Object *o = &x->objects.at[i];
        if (o->steps.before && !note_failure(x, o, n->limit(n->user, o->pointer, t, limit)))
            return false;
    }
    return true;
}

bool externals_accept(Externals *x, double t, bool *event)
{
    const ExternalNatives *n = x->g->natives;
    CONTEXT_HOLD(x->run->ctx);
    for (uint32_t i = 0; i < x->objects.n; i++) {
        const Object *o = &x->objects.at[i];
        if (o->steps.after && !note_failure(x, o, n->accept(n->user, o->pointer, t, event)))
            return false;
    }
    return true;
}

/* ---- failures ---- */

typedef struct CallFinder {
    const Graph *g;
    uint32_t function;
    Map seen;
} CallFinder;

static Walk find_call(void *user, ExprId e)
{
    CallFinder *f = user;
    if (map_get(&f->seen, e) != MAP_NONE)
        return WALK_PAST;
    map_put(&f->seen, e, 1);
    bool found = expr_op(f->g, e) == OP_CALL && expr_index(f->g, e) == f->function;
    return found ? WALK_END : WALK_ON;
}

static bool calls(const Graph *g, ExprId root, uint32_t function)
{
    CallFinder f = {.g = g, .function = function};
    bool found = !expr_walk_down(g, root, find_call, &f);
    map_free(&f.seen);
    return found;
}

/* The equation that calls the function; NONE if several do, or none directly. */
static EqId only_caller(const Externals *x, const ModeProgram *p, const Function *f)
{
    EqId found = NONE;
    for (EqId i = 0; i < program_n_equations(p); i++) {
        if (!calls(x->g, program_equation(p, i)->term.shape, f->id))
            continue;
        if (found != NONE)
            return NONE;
        found = i;
    }
    return found;
}

void externals_report(const Externals *x, const ModeProgram *prog, const char *doing)
{
    const Function *f = x->failed;
    if (!f)
        return;
    EqId e = only_caller(x, prog, f);
    Span span = e != NONE ? program_equation(prog, e)->span : f->span;
    const char *dot = x->failed_step ? strrchr(f->name, '.') : NULL;
    int n = dot ? (int)(dot - f->name) : (int)strlen(f->name);
    diag(x->run->ctx, x->failed_step ? (Span){0} : span, DIAG_R015,
         "%.*s: %s (at time = %.10g, %s)", n, f->name, x->text, prog->v[0], doing);
    if (e != NONE)
        diag_note(x->run->ctx, span, "in equation: %s",
                  program_equation_text(prog, e, x->run->scratch));
}
