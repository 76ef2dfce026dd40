/* Shared by the files of load/. */
#ifndef LOAD_INTERNAL_H
#define LOAD_INTERNAL_H

#include "load/load.h"

struct Loaded {
    const ModelCode *code;
    void *handle; /* TCCState, or of dlopen */
    void (*close)(void *handle);
};

typedef struct LoadSymbol {
    const char *name;
    void *address;
} LoadSymbol;

/* The functions that generated code may call; ends with a NULL name. */
extern const LoadSymbol load_symbols[];

bool load_with_tcc(Context *ctx, const char *text, Loaded *l);
bool load_with_cc(Context *ctx, const char *text, Loaded *l);
/* Reports C001 with the message of a compiler and the lines of the text it refers to. */
void load_report(Context *ctx, const char *compiler, const char *messages, const char *text);

#endif
