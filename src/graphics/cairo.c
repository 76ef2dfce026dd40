#include "graphics/cairo.h"

#include "base/atomic_file.h"

bool cairo_load(Context *ctx)
{
    if (dlopen("libcairo.so.2", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE))
        return true;
    diag(ctx, (Span){0}, DIAG_U002,
         "cannot draw: cairo (libcairo.so.2) is not installed; on Debian the package libcairo2 has "
         "it");
    return false;
}

cairo_status_t picture_put(void *text, const unsigned char *bytes, unsigned n)
{
    text_put_n(text, (const char *)bytes, n);
    return CAIRO_STATUS_SUCCESS;
}

cairo_status_t picture_end(cairo_surface_t *surface, cairo_status_t status)
{
    cairo_surface_finish(surface);
    if (!status)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

bool picture_save(Context *ctx, const char *path, const Text *t, cairo_status_t status)
{
    if (!status)
        return atomic_save_text(ctx, path, t);
    diag(ctx, (Span){0}, DIAG_U002, "cannot draw '%s': %s", path, cairo_status_to_string(status));
    return false;
}
