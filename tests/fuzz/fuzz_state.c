/* Fuzzer of saved states: bytes of a valid state are changed and sealed again. The instance refuses
 * the state or continues from it. The first byte of an input chooses the model. Changes follow: two
 * bytes of place, one of value. */
#include "api/state_header.h"
#include "kairos.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static const char *const models[] = {
    "model M\n"
    "  Real x(start = 1, fixed = true), h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
    "  Real y = delay(x, 0.1), c(start = 0), z = hold(c), i, s;\n"
    "  discrete Real d(start = 0, fixed = true);\n"
    "  Integer n(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = sin(time) - x + 0.1*y + 0.1*z + 0.1*i;\n"
    "  der(h) = v;\n"
    "  der(v) = -9.81;\n"
    "  when h <= 0 then reinit(v, -0.7*pre(v)); n = pre(n) + 1; end when;\n"
    "  when sample(0, 0.1) then d = 0.5*pre(d) + x; end when;\n"
    "  c = 0.5*previous(c) + sample(x, Clock(0.15));\n"
    "  sin(5*time) - i = if s < 0 then s else 0;\n"
    "  i = if s < 0 then 0 else s;\n"
    "end M;\n",
    "model M \"a diode decides whether a current is a state\"\n"
    "  Real u, i(start = 0, fixed = true), v(start = 0, fixed = true), s;\n"
    "  Boolean off = s < 0;\n"
    "equation\n"
    "  u = if off then s else 0;\n"
    "  i = if off then 0 else s;\n"
    "  der(i) = 10*sin(10*time) - u - v;\n"
    "  der(v) = i - v;\n"
    "end M;\n",
    "model M \"it leaks\"\n"
    "  Real u, i(start = 0, fixed = true), v(start = 0, fixed = true), s;\n"
    "  Boolean off = s < 0;\n"
    "equation\n"
    "  u = s*(if off then 1 else 1e-5);\n"
    "  i = s*(if off then 1e-5 else 1);\n"
    "  der(i) = 10*sin(10*time) - u - v;\n"
    "  der(v) = i - v;\n"
    "end M;\n",
};
enum { MODELS = sizeof models / sizeof *models };

typedef struct Valid {
    Kairos *session;
    KairosInstance *instance;
    uint8_t *state;
    size_t n;
} Valid;

static Valid all[MODELS];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (unsigned i = 0; i < MODELS; i++) {
        Kairos *k = all[i].session = kairos_open(); /* all stay open */
        KairosModel *m;
        Valid *v = &all[i];
        KairosCompile how = {.size = sizeof how};
        KairosRun run = {.size = sizeof run};
        if (kairos_load_text(k, "M.mo", models[i], strlen(models[i])) != KAIROS_OK ||
            !(m = kairos_compile_model(k, "M", &how)) ||
            !(v->instance = kairos_create_instance(m, &run)) ||
            kairos_initialize_instance(v->instance) ||
            kairos_advance_instance(v->instance, 0.7, 0) ||
            !(v->state = kairos_save_state(v->instance, &v->n)))
            abort();
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const Valid *v = &all[data[0] % MODELS];
    Snapshot p = {.n = v->n - sizeof(uint64_t), .cap = v->n};
    p.at = malloc(p.cap);
    memcpy(p.at, v->state, p.n);
    for (size_t k = 1; k + 2 < size; k += 3)
        p.at[((size_t)data[k] << 8 | data[k + 1]) % p.n] = data[k + 2];
    state_seal(&p);
    if (kairos_restore_state(v->instance, p.at, p.n) == KAIROS_OK)
        kairos_advance_instance(v->instance, kairos_instance_time(v->instance) + 0.2, 1);
    kairos_clear_messages(v->session);
    snapshot_free(&p);
    return 0;
}
