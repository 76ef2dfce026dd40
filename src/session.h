/* What the files behind include/kairos.h share. */
#ifndef SESSION_H
#define SESSION_H

#include "kairos.h"

#include "base/context.h"
#include "instance/instance.h"

struct Kairos {
    Context *ctx;
    Graph *graph;
    Library *library;
    int compiled; /* status of the last compilation */
};

/* Runs an action of a session, which leaves its status in *status; when memory runs out, that is told. */
int session_guard(Kairos *k, void (*action)(void *arg), void *arg, const int *status);
/* A copy that belongs to the caller of the library. */
char *session_text(const char *s);

#endif
