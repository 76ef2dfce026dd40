/* saved_states FILE...: a run that saves its state, and one that continues from it.
 *
 * Each model is saved at random times and at events. Another instance restores the state and
 * continues beside the one that saved it: all variables agree in every bit. A third instance runs
 * without interruption: at times between events it agrees to some digits. */
#include "kairos.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAVES = 12, MOST = 20000 };
static const double AGREE = 1e-3;

typedef struct Model {
    const char *file;
    Kairos *k;
    KairosModel *m;
    int variables[MOST];
    unsigned n;
    double left[MOST], right[MOST];
    uint32_t random;
    unsigned failures;
} Model;

static double next_random(Model *x)
{
    x->random = x->random * 1664525u + 1013904223u;
    return x->random / 4294967296.0;
}

static void report(Model *x, double t, const char *what)
{
    printf("%s: time = %.17g: %s\n", x->file, t, what);
    x->failures++;
}

/* The variables of kairos_describe_model, which are those of results. */
static void list_variables(Model *x, KairosInstance *i)
{
    char *all = kairos_describe_model(x->m), name[1000];
    const char *at = all ? strstr(all, "\"variables\"") : NULL;
    x->variables[x->n++] = 0;
    while (at && (at = strstr(at, "\"name\":")) != NULL && x->n < MOST) {
        size_t length = 0;
        for (at = strchr(at + 7, '"') + 1; *at != '"' && length + 1 < sizeof name; at++)
            name[length++] = *at == '\\' ? *++at : *at;
        name[length] = '\0';
        int number = kairos_find_variable(i, name);
        if (number >= 0)
            x->variables[x->n++] = number;
    }
    kairos_free_text(all);
}

static bool read_both(Model *x, KairosInstance *a, KairosInstance *b)
{
    return !kairos_get_values(a, x->variables, x->n, x->left) &&
           !kairos_get_values(b, x->variables, x->n, x->right);
}

static void compare_bits(Model *x, KairosInstance *a, KairosInstance *b)
{
    if (!read_both(x, a, b) || memcmp(x->left, x->right, x->n * sizeof *x->left) != 0 ||
        kairos_count_events(a) != kairos_count_events(b))
        report(x, kairos_instance_time(a), "the restored run is another one");
}

static void compare_digits(Model *x, KairosInstance *a, KairosInstance *plain)
{
    if (!read_both(x, a, plain))
        return;
    for (unsigned k = 0; k < x->n; k++)
        if (fabs(x->left[k] - x->right[k]) > AGREE * (1 + fabs(x->right[k]))) {
            report(x, kairos_instance_time(a), "saving changes the result");
            return;
        }
}

/* The state of `a` in another instance; NULL after a message. */
static KairosInstance *continue_elsewhere(Model *x, KairosInstance *a)
{
    size_t size;
    void *state = kairos_save_state(a, &size);
    KairosInstance *b = state ? kairos_create_instance(x->m, NULL) : NULL;
    if (!b || kairos_restore_state(b, state, size)) {
        report(x, kairos_instance_time(a), "the state cannot be saved or restored");
        kairos_free_instance(b);
        b = NULL;
    }
    kairos_free_state(state);
    return b;
}

static bool go(Model *x, KairosInstance *a, KairosInstance *b, double t, bool to_event)
{
    int one = kairos_advance_instance(a, t, to_event),
        other = kairos_advance_instance(b, t, to_event);
    if (one != other)
        report(x, t, "one of the runs fails");
    return !one && !other;
}

/* Models that fail without saving are skipped. */
static void save_often(Model *x, KairosInstance *a, KairosInstance *plain, double start,
                       double stop)
{
    double t = start;
    for (int k = 0; k < SAVES && t < stop && !kairos_instance_terminated(a); k++) {
        KairosInstance *b = continue_elsewhere(x, a);
        bool to_event = k % 3 == 2;
        t = fmin(stop, t + (stop - start) / SAVES * (0.2 + 1.6 * next_random(x)));
        bool going = b && go(x, a, b, t, to_event);
        if (going)
            compare_bits(x, a, b);
        kairos_free_instance(b);
        if (!going || kairos_instance_terminated(a))
            return;
        t = kairos_instance_time(a);
        if (!to_event && !kairos_advance_instance(plain, t, 0))
            compare_digits(x, a, plain);
    }
}

static void try_model(Model *x)
{
    double start, stop;
    kairos_model_times(x->m, &start, &stop);
    KairosInstance *a = kairos_create_instance(x->m, NULL),
                   *plain = kairos_create_instance(x->m, NULL);
    if (!a || !plain)
        report(x, start, "no instance");
    else if (!kairos_initialize_instance(a) && !kairos_initialize_instance(plain)) {
        list_variables(x, a);
        save_often(x, a, plain, start, stop);
    }
    kairos_free_instance(a);
    kairos_free_instance(plain);
}

static unsigned try_file(const char *file)
{
    Model *x = calloc(1, sizeof *x);
    x->file = file;
    x->k = kairos_open();
    kairos_add_library(x->k, "library");
    for (const char *c = file; *c; c++)
        x->random = x->random * 31 + (unsigned char)*c;
    x->m = kairos_load_file(x->k, file) ? NULL : kairos_compile_model(x->k, NULL, NULL);
    if (x->m)
        try_model(x);
    unsigned failures = x->failures;
    char *messages = failures ? kairos_render_messages(x->k, KAIROS_TEXT) : NULL;
    if (messages)
        fputs(messages, stdout);
    kairos_free_text(messages);
    kairos_free_model(x->m);
    kairos_close(x->k);
    free(x);
    return failures;
}

int main(int argc, char **argv)
{
    unsigned failures = 0;
    for (int i = 1; i < argc; i++)
        failures += try_file(argv[i]);
    return failures > 0;
}
