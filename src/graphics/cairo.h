/* cairo, opened when something is drawn, not linked: it would add twenty shared objects and 1.5 ms
 * to every start of the program. Include this instead of cairo's headers, and call cairo_load
 * first. To call another function, add its row. */
#ifndef BASE_CAIRO_H
#define BASE_CAIRO_H

#include "base/diag.h"
#include "base/text.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <dlfcn.h>

/* Opens the library, which then stays open because it keeps fonts. False, after an error, if it is
 * not installed. */
bool cairo_load(Context *ctx);

/* Surfaces write to a Text by this function (a cairo_write_func_t), so that the file appears whole
 * or not at all. */
cairo_status_t picture_put(void *text, const unsigned char *bytes, unsigned n);
/* Finishes the surface and destroys it; returns its status if `status` is none. */
cairo_status_t picture_end(cairo_surface_t *surface, cairo_status_t status);
/* Saves the text under the name, unless the status is an error. Reports failures. */
bool picture_save(Context *ctx, const char *path, const Text *t, cairo_status_t status);

#define CAIRO(name) ((__typeof__(cairo_##name) *)dlsym(RTLD_DEFAULT, "cairo_" #name))
#define cairo_append_path(...) CAIRO(append_path)(__VA_ARGS__)
#define cairo_clip(...) CAIRO(clip)(__VA_ARGS__)
#define cairo_close_path(...) CAIRO(close_path)(__VA_ARGS__)
#define cairo_copy_path(...) CAIRO(copy_path)(__VA_ARGS__)
#define cairo_create(...) CAIRO(create)(__VA_ARGS__)
#define cairo_curve_to(...) CAIRO(curve_to)(__VA_ARGS__)
#define cairo_destroy(...) CAIRO(destroy)(__VA_ARGS__)
#define cairo_fill(...) CAIRO(fill)(__VA_ARGS__)
#define cairo_fill_extents(...) CAIRO(fill_extents)(__VA_ARGS__)
#define cairo_fill_preserve(...) CAIRO(fill_preserve)(__VA_ARGS__)
#define cairo_image_surface_create(...) CAIRO(image_surface_create)(__VA_ARGS__)
#define cairo_image_surface_create_from_png_stream(...)                                            \
    CAIRO(image_surface_create_from_png_stream)(__VA_ARGS__)
#define cairo_image_surface_get_height(...) CAIRO(image_surface_get_height)(__VA_ARGS__)
#define cairo_image_surface_get_width(...) CAIRO(image_surface_get_width)(__VA_ARGS__)
#define cairo_line_to(...) CAIRO(line_to)(__VA_ARGS__)
#define cairo_matrix_init(...) CAIRO(matrix_init)(__VA_ARGS__)
#define cairo_matrix_invert(...) CAIRO(matrix_invert)(__VA_ARGS__)
#define cairo_move_to(...) CAIRO(move_to)(__VA_ARGS__)
#define cairo_new_path(...) CAIRO(new_path)(__VA_ARGS__)
#define cairo_paint(...) CAIRO(paint)(__VA_ARGS__)
#define cairo_paint_with_alpha(...) CAIRO(paint_with_alpha)(__VA_ARGS__)
#define cairo_path_destroy(...) CAIRO(path_destroy)(__VA_ARGS__)
#define cairo_pattern_add_color_stop_rgb(...) CAIRO(pattern_add_color_stop_rgb)(__VA_ARGS__)
#define cairo_pattern_create_linear(...) CAIRO(pattern_create_linear)(__VA_ARGS__)
#define cairo_pattern_create_radial(...) CAIRO(pattern_create_radial)(__VA_ARGS__)
#define cairo_pattern_destroy(...) CAIRO(pattern_destroy)(__VA_ARGS__)
#define cairo_pattern_set_matrix(...) CAIRO(pattern_set_matrix)(__VA_ARGS__)
#define cairo_pdf_surface_create_for_stream(...) CAIRO(pdf_surface_create_for_stream)(__VA_ARGS__)
#define cairo_pop_group_to_source(...) CAIRO(pop_group_to_source)(__VA_ARGS__)
#define cairo_push_group(...) CAIRO(push_group)(__VA_ARGS__)
#define cairo_rectangle(...) CAIRO(rectangle)(__VA_ARGS__)
#define cairo_rel_line_to(...) CAIRO(rel_line_to)(__VA_ARGS__)
#define cairo_restore(...) CAIRO(restore)(__VA_ARGS__)
#define cairo_rotate(...) CAIRO(rotate)(__VA_ARGS__)
#define cairo_save(...) CAIRO(save)(__VA_ARGS__)
#define cairo_scale(...) CAIRO(scale)(__VA_ARGS__)
#define cairo_select_font_face(...) CAIRO(select_font_face)(__VA_ARGS__)
#define cairo_set_dash(...) CAIRO(set_dash)(__VA_ARGS__)
#define cairo_set_font_size(...) CAIRO(set_font_size)(__VA_ARGS__)
#define cairo_set_line_join(...) CAIRO(set_line_join)(__VA_ARGS__)
#define cairo_set_line_width(...) CAIRO(set_line_width)(__VA_ARGS__)
#define cairo_set_source(...) CAIRO(set_source)(__VA_ARGS__)
#define cairo_set_source_rgb(...) CAIRO(set_source_rgb)(__VA_ARGS__)
#define cairo_set_source_rgba(...) CAIRO(set_source_rgba)(__VA_ARGS__)
#define cairo_set_source_surface(...) CAIRO(set_source_surface)(__VA_ARGS__)
#define cairo_show_text(...) CAIRO(show_text)(__VA_ARGS__)
#define cairo_status(...) CAIRO(status)(__VA_ARGS__)
#define cairo_status_to_string(...) CAIRO(status_to_string)(__VA_ARGS__)
#define cairo_stroke(...) CAIRO(stroke)(__VA_ARGS__)
#define cairo_surface_destroy(...) CAIRO(surface_destroy)(__VA_ARGS__)
#define cairo_surface_finish(...) CAIRO(surface_finish)(__VA_ARGS__)
#define cairo_surface_status(...) CAIRO(surface_status)(__VA_ARGS__)
#define cairo_surface_write_to_png_stream(...) CAIRO(surface_write_to_png_stream)(__VA_ARGS__)
#define cairo_svg_surface_create_for_stream(...) CAIRO(svg_surface_create_for_stream)(__VA_ARGS__)
#define cairo_text_extents(...) CAIRO(text_extents)(__VA_ARGS__)
#define cairo_transform(...) CAIRO(transform)(__VA_ARGS__)
#define cairo_translate(...) CAIRO(translate)(__VA_ARGS__)

#endif
