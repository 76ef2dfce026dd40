/* Shared by the files that implement include/kairos.h. */
#ifndef SESSION_H
#define SESSION_H

#include "base/text.h"
#include "kairos.h"

#include "base/context.h"
#include "compile.h"

struct Kairos {
    Context *ctx;
    Graph *graph;
    Library *library;
    int compiled;                     /* status of the last compilation */
    pthread_rwlock_t models;          /* runs take it for reading, compilations for writing */
    _Atomic int runs;                 /* at work */
    unsigned n_driven;                /* classes made to drive inputs */
    struct Components *components;    /* FMUs in models */
    VEC(struct SystemFile *) systems; /* of FMUs, unpacked */
    Text structure;                   /* lines NAME=VALUE for structural parameters of FMUs */
};

struct KairosModel {
    Kairos *session;
    Compilation compilation;
    OuterMod *mods; /* structural settings of the model; owned */
    uint32_t n_mods;
    char **no_events; /* patterns it was compiled with; owned, size n_no_events */
    uint32_t n_no_events;
    char *driven; /* text of the class that drives its inputs; owned, NULL if there is none */
    char *source; /* the model that it extends; owned, NULL as well */
    _Atomic int n_instances;
};

/* Reads a file of the language: kairos_load_file for it. */
int session_load(Kairos *k, const char *path);
/* Compiles up to phase `last`; *status is the result. NULL if that is not KAIROS_OK. */
KairosModel *session_compile(Kairos *k, const char *name, const KairosCompile *how, Phase last,
                             int *status);
/* Reports states whose initial value only a start value determines that is not fixed, after the
 * phase structure. */
void check_initial_values(const Compilation *c);
/* Checks a model by `check` while no model runs; the status. */
int session_check_alone(Kairos *k, const char *name, const KairosCompile *how,
                        bool (*check)(Compilation *c));
/* Runs an action of a session, which leaves its status in *status; when memory runs out, that is
 * reported. */
int session_guard(Kairos *k, void (*action)(void *arg), void *arg, const int *status);
/* In an action: the picture of a layer of the class with its name and values; NULL after a
 * message. */
struct Drawing *session_drawing(Kairos *k, const char *name, KairosLayer layer);
struct EventRecord;
struct ProfileRecord;
/* Receives records with the user of the run, each valid only during the call; NULL: not wanted. */
typedef struct SessionSinks {
    void (*event)(void *user, const struct EventRecord *record);
    void (*profile)(void *user, const struct ProfileRecord *record); /* if one is measured */
} SessionSinks;
/* kairos_simulate_model, which also hands out these records. */
int session_simulate(KairosModel *m, const KairosRun *run, SessionSinks sinks);
/* kairos_draw_diagram with its status; *svg belongs to the caller, NULL if there is none. */
int session_draw(Kairos *k, const char *name, KairosLayer layer, char **svg);
/* In an action: from now on, kairos_interrupt ends it at the next allocation, and session_guard
 * returns KAIROS_INTERRUPTED. The product of the action is then incomplete. */
void session_watch(Kairos *k);
/* A copy that belongs to the caller of the library. */
char *session_text(const char *s);

/* Reads a struct of the caller, of the size it says, into *copy; NULL: all defaults. False after
 * an error. */
bool session_read_struct(Kairos *k, const char *type, const void *given, void *copy, size_t known);
#define SESSION_READ(k, T, given, copy)                                                            \
    session_read_struct((k), #T, (const T *){given}, (T *){copy}, sizeof(T))

#endif
