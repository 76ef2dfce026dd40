/* The beginning of a saved state: its version, model and options. */
#include "api/state_header.h"

static const char magic[16] = "Kairos state 2\n";

static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ b[i]) * 1099511628211u;
    return hash;
}

static const uint64_t FIRST = 14695981039346656037u;

/* Sums that a processor computes side by side, in a register. */
typedef uint64_t Pair __attribute__((vector_size(16)));
typedef struct Sums {
    Pair of_words, of_sums;
} Sums;

static inline void add_words(Sums *s, const uint8_t *at)
{
    Pair words;
    memcpy(&words, at, sizeof words);
    s->of_words += words;
    s->of_sums += s->of_words;
}

/* Of all bytes, eight at a time: sums of the words and of their partial sums (Fletcher). These need
 * additions only, so that a checksum costs about as much as a copy. */
static uint64_t checksum(const uint8_t *at, size_t n)
{
    enum { WORDS = sizeof(Pair) };
    Sums a = {0}, b = {0}, c = {0}, d = {0};
    size_t i = 0;
    for (; n - i >= 4 * WORDS; i += 4 * WORDS) {
        add_words(&a, at + i);
        add_words(&b, at + i + WORDS);
        add_words(&c, at + i + 2 * WORDS);
        add_words(&d, at + i + 3 * WORDS);
    }
    const Sums all[] = {a, b, c, d};
    return mix(mix(FIRST, all, sizeof all), at + i, n - i);
}

void state_seal(Snapshot *p)
{
    uint64_t sum = checksum(p->at, p->n);
    snapshot_value(p, sum);
}

bool state_is_sealed(Snapshot *p)
{
    uint64_t sum = 0;
    if (p->n < sizeof sum)
        return false;
    p->n -= sizeof sum;
    memcpy(&sum, p->at + p->n, sizeof sum);
    return sum == checksum(p->at, p->n);
}

typedef struct Label {
    char text[64]; /* cut to its size, 0 at the end */
} Label;

static Label label(const char *text)
{
    Label l = {{0}};
    strncpy(l.text, text, sizeof l.text - 1);
    return l;
}

/* Reads bytes and compares them with `mine`; true if they are equal. */
static bool same(Snapshot *p, const void *mine, void *found, size_t size)
{
    memcpy(found, mine, size);
    snapshot_bytes(p, found, size);
    return !p->bad && !memcmp(mine, found, size);
}

static bool same_label(Snapshot *p, const char *text, Label *found)
{
    Label mine = label(text);
    bool is = same(p, &mine, found, sizeof mine);
    found->text[sizeof found->text - 1] = '\0';
    return is;
}

/* A hash of the options that affect the computed motion. */
static uint64_t options_hash(const SimOptions *o)
{
    uint64_t hash = FIRST;
    const double numbers[] = {o->start, o->stop,          o->tolerance,
                              o->step,  o->event_epsilon, o->output_step};
    const uint32_t choices[] = {
        o->accumulation_stops, o->chattering_stops, o->mixed,     o->structure,
        o->n_inlined,          o->inline_method,    o->intervals, o->points};
    hash = mix(hash, numbers, sizeof numbers);
    hash = mix(hash, choices, sizeof choices);
    for (uint32_t i = 0; i < o->n_inlined; i++)
        hash = mix(hash, o->inlined[i], strlen(o->inlined[i]) + 1);
    return mix(hash, o->solver, strlen(o->solver));
}

/* A hash of the names and kinds of the variables, in order. */
static uint64_t model_hash(const Plan *plan)
{
    const Dae *d = plan->dae;
    Arena *scratch = arena_new();
    uint64_t hash = FIRST;
    for (VarId v = 0; v < d->vars.n; v++) {
        const char *name = dae_var_name(d, v, scratch);
        hash = mix(hash, name, strlen(name) + 1);
        hash = mix(hash, &d->vars.at[v].kind, sizeof d->vars.at[v].kind);
        arena_reset(scratch);
    }
    arena_free(scratch);
    const uint32_t sizes[] = {d->eqs.n, d->relations.n, plan->states.n};
    return mix(hash, sizes, sizeof sizes);
}

/* The same in any order. */
static uint64_t settings_hash(const StateOf *of)
{
    uint64_t sum = FIRST;
    for (size_t i = 0; i < of->n_settings; i++) {
        const char *name = of->settings[i].name, *value = of->settings[i].value;
        sum += mix(mix(FIRST, name, strlen(name) + 1), value, strlen(value));
    }
    return sum;
}

bool state_header(Context *ctx, Snapshot *p, StateOf *of)
{
    char found[sizeof magic];
    Label version, model;
    uint64_t hash;
    if (!of->model_hash)
        of->model_hash = model_hash(of->plan);
    const char *wrong = NULL;
    if (!same(p, magic, found, sizeof magic))
        wrong = "this is not a state that Kairos saved";
    else if (!same_label(p, KAIROS_VERSION, &version))
        wrong = arena_printf(ctx->arena, "the state is of version %s; this is version %s",
                             version.text, KAIROS_VERSION);
    else if (!same_label(p, of->name, &model))
        wrong =
            arena_printf(ctx->arena, "the state is of model %s, not of %s", model.text, of->name);
    else if (!same(p, &of->model_hash, &hash, sizeof hash))
        wrong =
            arena_printf(ctx->arena, "model %s has changed since the state was saved", of->name);
    else if (!same(p, &(uint64_t){options_hash(of->options)}, &hash, sizeof hash))
        wrong = "the state was saved with other options; times, tolerance, solver and structure "
                "must be the same";
    else if (!same(p, &(uint64_t){settings_hash(of)}, &hash, sizeof hash))
        wrong = "the state was saved with other settings (--set), which it contains; give the same";
    if (p->bad && wrong)
        wrong = "the state is damaged: it ends too early";
    if (wrong)
        diag(ctx, (Span){0}, DIAG_U019, "%s", wrong);
    return !wrong;
}
