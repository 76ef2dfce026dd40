/* The functions of cairo that plots call, opened when the first plot is drawn: linked, cairo would bring in twenty shared objects and
 * 1.5 ms at every start of the program. To call another one, add its row. */
#ifndef OUTPUT_CAIRO_API_H
#define OUTPUT_CAIRO_API_H

#include "base/diag.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#define CAIRO_FUNCTIONS(X)                                                                                     \
    X(clip)                                                                                                    \
    X(create)                                                                                                  \
    X(destroy)                                                                                                 \
    X(image_surface_create)                                                                                    \
    X(line_to)                                                                                                 \
    X(move_to)                                                                                                 \
    X(paint)                                                                                                   \
    X(pdf_surface_create)                                                                                      \
    X(rectangle)                                                                                               \
    X(rel_line_to)                                                                                             \
    X(restore)                                                                                                 \
    X(save)                                                                                                    \
    X(scale)                                                                                                   \
    X(select_font_face)                                                                                        \
    X(set_dash)                                                                                                \
    X(set_font_size)                                                                                           \
    X(set_line_join)                                                                                           \
    X(set_line_width)                                                                                          \
    X(set_source_rgb)                                                                                          \
    X(set_source_rgba)                                                                                         \
    X(show_text)                                                                                               \
    X(status)                                                                                                  \
    X(status_to_string)                                                                                        \
    X(stroke)                                                                                                  \
    X(surface_destroy)                                                                                         \
    X(surface_finish)                                                                                          \
    X(surface_status)                                                                                          \
    X(surface_write_to_png)                                                                                    \
    X(svg_surface_create)                                                                                      \
    X(text_extents)

typedef struct CairoApi {
#define X(name) __typeof__(cairo_##name) *name;
    CAIRO_FUNCTIONS(X)
#undef X
} CairoApi;

/* Fills in the functions; false where cairo is not there, which is told. The library stays open: it keeps fonts between plots. */
bool cairo_api_open(CairoApi *api, Context *ctx);

#endif
