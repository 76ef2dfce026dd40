/* Messages to the importer's logger, and calls that the present state forbids. */
#include "fmu/interface/fmu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fmu_categories[4] = {"logStatusWarning", "logStatusDiscard", "logStatusError",
                                       "logStatusFatal"};

static void log_text(Fmu *f, FmuStatus status, const char *text)
{
    unsigned category = status > FMU_OK ? (unsigned)status - 1 : 0;
    bool wanted = status >= FMU_ERROR || (f->logging && !f->quiet[category]);
    if (wanted && f->host.logger)
        f->host.log(f, status, fmu_categories[category], text);
}

FmuStatus fmu_report(Fmu *f, FmuStatus status, const char *format, ...)
{
    va_list args;
    char few[512], *text = few;
    va_start(args, format);
    int n = vsnprintf(few, sizeof few, format, args);
    va_end(args);
    if (n >= (int)sizeof few && (text = malloc((size_t)n + 1))) {
        va_start(args, format);
        vsnprintf(text, (size_t)n + 1, format, args);
        va_end(args);
    }
    log_text(f, status, text ? text : few);
    if (text != few)
        free(text);
    return status;
}

/* All messages as one text, without the line break at its end. */
static void log_messages(Fmu *f, FmuStatus status, char *text)
{
    size_t n = text ? strlen(text) : 0;
    while (n && text[n - 1] == '\n')
        text[--n] = 0;
    log_text(f, status, n ? text : "the model failed; there is no memory for the reason");
}

FmuStatus fmu_result(Fmu *f, int result)
{
    FmuStatus status = result == KAIROS_OK ? FMU_WARNING : FMU_ERROR;
    char *text = f->take_messages(f);
    if (result != KAIROS_OK || text)
        log_messages(f, status, text);
    kairos_free_text(text);
    if (result == KAIROS_FAILED)
        f->state = FMU_FAILED;
    return result == KAIROS_OK ? FMU_OK : FMU_ERROR;
}

static const char *state_name(FmuState state)
{
    switch (state) {
    case FMU_INSTANTIATED: return "before the initialization";
    case FMU_INITIALIZING: return "in initialization mode";
    case FMU_EVENT: return "in event mode";
    case FMU_CONTINUOUS: return "in continuous-time mode";
    case FMU_STEP: return "in step mode";
    case FMU_UPDATING: return "during a step";
    case FMU_TERMINATED: return "after the end of the simulation";
    default: return "after an error; reset the instance, or set an earlier state";
    }
}

bool fmu_allows(Fmu *f, const char *call, unsigned states)
{
    if (f->state & states)
        return true;
    fmu_report(f, FMU_ERROR, "%s: %s is not allowed %s", f->name, call, state_name(f->state));
    return false;
}

FmuStatus fmu_set_logging(Fmu *f, bool on, size_t n, const char *const *categories)
{
    if (!n) {
        f->logging = on;
        memset(f->quiet, 0, sizeof f->quiet);
    }
    for (size_t i = 0; i < n; i++) {
        unsigned k = 0;
        while (k < 4 && categories && categories[i] && strcmp(categories[i], fmu_categories[k]))
            k++;
        if (k == 4 || !categories || !categories[i])
            return fmu_report(f, FMU_ERROR, "%s: there is no log category '%s'", f->name,
                              categories && categories[i] ? categories[i] : "");
        f->quiet[k] = !on;
    }
    return FMU_OK;
}

FmuStatus fmu_no_memory(Fmu *f)
{
    return fmu_report(f, FMU_ERROR, "%s: there is not enough memory", f->name);
}
