#include "output/cairo_api.h"

#include <dlfcn.h>

bool cairo_api_open(CairoApi *api, Context *ctx)
{
    void *library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool ok = library;
#define X(name) ok = ok && (*(void **)&api->name = dlsym(library, "cairo_" #name));
    CAIRO_FUNCTIONS(X)
#undef X
    if (!ok)
        diag(ctx, (Span){0}, DIAG_U002, "plots cannot be drawn: %s",
             library ? "cairo is too old" : "cairo is not installed");
    if (library)
        dlclose(library);
    return ok;
}
