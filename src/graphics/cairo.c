#include "graphics/cairo.h"

bool cairo_load(Context *ctx)
{
    if (dlopen("libcairo.so.2", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE))
        return true;
    diag(ctx, (Span){0}, DIAG_U002,
         "cannot draw: cairo (libcairo.so.2) is not installed; on Debian the package libcairo2 has "
         "it");
    return false;
}
