#include "foreign/check/check.h"

#include <string.h>

typedef struct Interface {
    Context *ctx;
    const FmuFile *f;
    bool exchange;
    const char *name;
    uint32_t n_findings;
} Interface;

static void run_trial(void *arg, Finding *found, void *user)
{
    const Interface *i = arg;
    trial_run(i->f, i->exchange, found, user);
}

static void take(void *user, bool doubt, const char *text)
{
    Interface *i = user;
    i->n_findings++;
    diag(i->ctx, (Span){0}, doubt ? DIAG_U053 : DIAG_U054, "%s, %s: %s", i->f->path, i->name, text);
}

static void report_end(const Interface *i, const Apart *a)
{
    const char *call = *a->call ? a->call : "the FMU";
    if (a->late)
        diag(i->ctx, (Span){0}, DIAG_U054, "%s, %s: %s does not return within %g s", i->f->path,
             i->name, call, a->seconds);
    else if (a->signal)
        diag(i->ctx, (Span){0}, DIAG_U054, "%s, %s: %s crashes (%s)", i->f->path, i->name, call,
             strsignal(a->signal));
    if (a->wrote)
        diag(i->ctx, (Span){0}, DIAG_U053, "%s, %s: the FMU writes files into the current folder",
             i->f->path, i->name);
}

static void try_interface(Interface *i, const CheckOptions *o)
{
    Apart a = {.seconds = o->seconds > 0 ? o->seconds : 20, .memory = o->memory ? o->memory : 4096};
    if (apart_run(i->f, &a, run_trial, i, take, i))
        report_end(i, &a);
    else
        diag(i->ctx, (Span){0}, DIAG_U054, "%s: no process for the trial can be made", i->f->path);
}

void check_fmu(Context *ctx, const FmuFile *f, const CheckOptions *o)
{
    const FmiDescription *d = f->description;
    check_schema(ctx, f);
    check_variables(ctx, f);
    check_values(ctx, f);
    check_structure(ctx, f);
    check_files(ctx, f);
    if (o->only_description)
        return;
    if (d->exchange.identifier)
        try_interface(&(Interface){ctx, f, true, "model exchange", 0}, o);
    if (d->co_simulation.identifier)
        try_interface(&(Interface){ctx, f, false, "co-simulation", 0}, o);
}
