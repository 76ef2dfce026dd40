/* Shared by the calls of all versions: finding functions, noting calls, messages. */
#include "foreign/binary/binary.h"

#include <dlfcn.h>
#include <stdio.h>

void fmi_take_message(FmiInstance *i, int status, const char *category, const char *text)
{
    (void)category;
    size_t n = strlen(text);
    while (n && (text[n - 1] == '\n' || text[n - 1] == '\r'))
        n--;
    if (status != FMI_OK)
        snprintf(i->message, sizeof i->message, "%.*s", (int)(n < 1000 ? n : 1000), text);
    if (i->on_message)
        i->on_message(i->user, (FmiStatus)status, text);
}

const char *fmi_failure(const FmiInstance *i, FmiStatus s, Arena *arena)
{
    static const char *const words[] = {"returned ok", "returned a warning", "returned discard",
                                        "failed", "failed fatally"};
    return arena_printf(arena, "%s %s%s%s", i->doing ? i->doing : "the FMU",
                        (unsigned)s <= FMI_FATAL ? words[s] : "returned an unknown status",
                        i->message[0] ? ": " : "", i->message);
}

bool fmi_bind(FmiInstance *i, const char *prefix, const char *const *names, size_t n)
{
    i->functions = ARENA_ARRAY(i->arena, FmiFunction, n);
    for (size_t k = 0; k < n; k++) {
        bool optional = names[k][0] == '?';
        const char *name = arena_printf(i->arena, "%s%s", prefix, names[k] + optional);
        *(void **)&i->functions[k] = dlsym(i->library, name);
        if (i->functions[k] || optional)
            continue;
        i->failure = arena_printf(i->arena, "the binary has no function %s", name);
        return false;
    }
    return true;
}
