/* Fuzzer of saved states: bytes of a valid state are changed and sealed again. The instance refuses
 * the state or continues from it. An input is a list of changes: two bytes of place, one of value.
 */
#include "api/state_header.h"
#include "kairos.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static const char model[] =
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
    "end M;\n";

static Kairos *session;
static KairosModel *compiled;
static KairosInstance *instance;
static uint8_t *valid;
static size_t n_valid;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    session = kairos_open();
    KairosCompile how = {.size = sizeof how};
    KairosRun run = {.size = sizeof run};
    if (kairos_load_text(session, "M.mo", model, sizeof model - 1) != KAIROS_OK ||
        !(compiled = kairos_compile_model(session, "M", &how)) ||
        !(instance = kairos_create_instance(compiled, &run)) ||
        kairos_initialize_instance(instance) || kairos_advance_instance(instance, 0.7, 0) ||
        !(valid = kairos_save_state(instance, &n_valid)))
        abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Snapshot p = {.n = n_valid - sizeof(uint64_t), .cap = n_valid};
    p.at = malloc(p.cap);
    memcpy(p.at, valid, p.n);
    for (size_t k = 0; k + 2 < size; k += 3)
        p.at[((size_t)data[k] << 8 | data[k + 1]) % p.n] = data[k + 2];
    state_seal(&p);
    if (kairos_restore_state(instance, p.at, p.n) == KAIROS_OK)
        kairos_advance_instance(instance, kairos_instance_time(instance) + 0.2, 1);
    kairos_clear_messages(session);
    free(p.at);
    return 0;
}
