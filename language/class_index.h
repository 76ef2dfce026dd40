/* The index of all classes of the workspace and the libraries, made in the background. */
#ifndef LANGUAGE_CLASS_INDEX_H
#define LANGUAGE_CLASS_INDEX_H

#include "host.h"

/* [{"name", "full", "kind", "description", "path", "line", "column"}], in a job. */
cJSON *index_make(Host *h);
bool index_is_present(const Host *h); /* h->index is there, and of the present files */
void index_start(Host *h);            /* the answer goes to h->index */

#endif
