/* Diagrams: transformations, the extent of letters, places of components, connections and the
 * automatic layout, against coordinates worked out by hand. y points downward on the page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "diagram/diagram.h"
#include "from_text.h"

#include <math.h>

static void check_point(Point p, double x, double y)
{
    if (fabs(p.x - x) > 1e-9 || fabs(p.y - y) > 1e-9)
        fail_msg("(%g, %g) instead of (%g, %g)", p.x, p.y, x, y);
}

/* ---- transformations ---- */

static void transformations_are_applied_in_order(void **state)
{
    (void)state;
    Affine turn = affine_turn(90), move = affine_move(10, 0);
    Affine first_turn = affine_after(move, turn), first_move = affine_after(turn, move);
    check_point(affine_apply(&first_turn, (Point){1, 0}), 10, 1);
    check_point(affine_apply(&first_move, (Point){1, 0}), 0, 11);
    Affine half = affine_turn(30);
    check_point(affine_apply(&half, (Point){2, 0}), sqrt(3), 1);
    Affine around = affine_turn(-270);
    assert_true(around.xx == 0 && around.yx == 1); /* exact: right angles stay right */
}

static void boxes_are_mapped_by_their_corners(void **state)
{
    (void)state;
    Affine m = affine_map((Point){-100, -100}, (Point){100, 100}, (Point){30, 40}, (Point){10, 60});
    check_point(affine_apply(&m, (Point){-100, -100}), 30, 40);
    check_point(affine_apply(&m, (Point){100, 100}), 10, 60);
    check_point(affine_apply(&m, (Point){0, 50}), 20, 55);
    /* a side without length is moved, not scaled */
    Affine flat = affine_map((Point){5, 0}, (Point){5, 2}, (Point){7, 0}, (Point){9, 4});
    check_point(affine_apply(&flat, (Point){6, 1}), 8, 2);
}

/* ---- letters and lines ---- */

/* Helvetica's widths: i 222, m 833, W 944, space 278. */
static void letters_have_the_widths_of_helvetica(void **state)
{
    (void)state;
    assert_true(letters_width("") == 0);
    assert_true(fabs(letters_width("im W") - (0.222 + 0.833 + 0.278 + 0.944)) < 1e-12);
    /* a character of several bytes counts once */
    assert_true(fabs(letters_width("\xC3\xA4") - letters_width("\xE2\x82\xAC")) < 1e-12);
}

/* The page holds the letters: a text of size 10, centred at the origin, turned upright. */
static void the_page_holds_the_letters(void **state)
{
    (void)state;
    Drawing *d = drawing_new("t");
    double w = 10 * letters_width("mm");
    drawing_letters(d, (Letters){.text = "mm", .size = 10, .angle = 90});
    check_point(d->lo, -2.5, -w / 2);
    check_point(d->hi, 7.5, w / 2);
    drawing_letters(d, (Letters){.text = "mm", .size = 10, .fit = 4, .align = -1, .at = {100, 0}});
    check_point(d->hi, 104, w / 2); /* not wider than it may be */
    drawing_free(d);
}

static void dashes_grow_with_the_line_within_limits(void **state)
{
    (void)state;
    double out[6];
    assert_int_equal(line_dashes(LINE_SOLID, 1, out), 0);
    assert_int_equal(line_dashes(LINE_DASH_DOT, 0.5, out), 4);
    double on = out[0];
    assert_int_equal(line_dashes(LINE_DASH_DOT, 1, out), 4);
    assert_true(out[0] == 2 * on);
    line_dashes(LINE_DASH_DOT, 5, out);
    assert_true(out[0] == 2 * on);
    line_dashes(LINE_DASH_DOT, 0.01, out);
    assert_true(out[0] == 0.5 * on);
}

/* ---- pictures ---- */

#define PARTS                                                                                      \
    "connector Pin Real v; flow Real i; end Pin;\n"                                                \
    "model Two\n"                                                                                  \
    "  Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));\n"          \
    "  Pin n annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));\n"            \
    "equation p.i + n.i = 0; p.v - n.v = p.i;\n"                                                   \
    "  annotation(Icon(graphics = {Rectangle(extent = {{-100, 50}, {100, -50}})}));\n"             \
    "end Two;\n"

static Drawing *draw(FromText *w, const char *text)
{
    text_begin(w, text);
    Instance *inst = instance_of_class(w->lib, library_find_model(w->lib, NULL));
    assert_non_null(inst);
    return diagram_draw(w->lib, inst, LAYER_DIAGRAM, NULL, NULL);
}

/* The first shape of the group that stands for a component or a connection, the area of a pointer
 * apart. */
static const Shape *shape_of(const Drawing *d, const char *name)
{
    bool within = false;
    for (uint32_t i = 0; i < d->shapes.n; i++) {
        const Shape *s = &d->shapes.at[i];
        if (s->kind == SHAPE_OPEN && ((s->group.component && !strcmp(s->group.component, name)) ||
                                      (s->group.connection && !strcmp(s->group.connection, name))))
            within = true;
        else if (within && s->kind == SHAPE_PATH && !s->is_target)
            return s;
        else if (within && s->kind == SHAPE_SHUT)
            break;
    }
    fail_msg("nothing is drawn for %s", name);
    return NULL;
}

static void check_box(const Shape *s, double x0, double y0, double x1, double y1)
{
    Point lo = {INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < s->n_parts; i++) {
        if (s->parts[i].kind == PATH_CLOSE)
            continue;
        Point p = s->parts[i].at[s->parts[i].kind == PATH_CURVE ? 2 : 0];
        lo = (Point){fmin(lo.x, p.x), fmin(lo.y, p.y)};
        hi = (Point){fmax(hi.x, p.x), fmax(hi.y, p.y)};
    }
    check_point(lo, x0, y0);
    check_point(hi, x1, y1);
}

/* a: a tenth of its size around (20, 30). b: turned by a right angle, so that its icon is 10 wide
 * and 20 high. */
static void components_stand_in_their_places(void **state)
{
    (void)state;
    FromText w;
    Drawing *d = draw(
        &w, PARTS "model M\n"
                  "  Two a annotation(Placement(transformation(extent = {{10, 20}, {30, 40}})));\n"
                  "  Two b annotation(Placement(transformation(origin = {-20, 0},\n"
                  "    extent = {{-10, -10}, {10, 10}}, rotation = 90)));\n"
                  "end M;\n");
    check_box(shape_of(d, "a"), 10, -35, 30, -25);
    check_box(shape_of(d, "b"), -25, -10, -15, 10);
    drawing_free(d);
    text_end(&w);
}

static void connections_are_drawn(void **state)
{
    (void)state;
    FromText w;
    Drawing *d =
        draw(&w, PARTS
             "model M\n"
             "  Two a annotation(Placement(transformation(extent = {{-30, -10}, {-10, 10}})));\n"
             "  Two b annotation(Placement(transformation(extent = {{10, -10}, {30, 10}})));\n"
             "equation\n"
             "  connect(a.n, b.p) annotation(Line(points = {{-10, 0}, {0, 5}, {10, 0}}));\n"
             "  connect(a.p, b.n);\n"
             "end M;\n");
    const Shape *line = shape_of(d, "a.n b.p");
    assert_int_equal(line->n_parts, 3);
    check_point(line->parts[0].at[0], -10, 0);
    check_point(line->parts[1].at[0], 0, -5);
    check_point(line->parts[2].at[0], 10, 0);
    /* the other one has no line: it gets one that goes around the components */
    line = shape_of(d, "a.p b.n");
    assert_true(line->n_parts > 2);
    check_point(line->parts[0].at[0], -30, 0);
    check_point(line->parts[line->n_parts - 1].at[0], 30, 0);
    drawing_free(d);
    text_end(&w);
}

/* No component has a placement. Columns are 50 apart, by the distance from the first component, and
 * rows 40 apart. A part that is not connected begins a new row. */
static void components_without_places_are_arranged(void **state)
{
    (void)state;
    FromText w;
    Drawing *d = draw(&w, PARTS "model M\n"
                                "  Two a, b, c, alone;\n"
                                "equation\n"
                                "  connect(a.n, b.p);\n"
                                "  connect(b.n, c.p);\n"
                                "end M;\n");
    check_box(shape_of(d, "a"), -10, -5, 10, 5);
    check_box(shape_of(d, "b"), 40, -5, 60, 5);
    check_box(shape_of(d, "c"), 90, -5, 110, 5);
    check_box(shape_of(d, "alone"), -10, 35, 10, 45);
    /* straight from connector to connector */
    const Shape *line = shape_of(d, "a.n b.p");
    assert_int_equal(line->n_parts, 2);
    check_point(line->parts[0].at[0], 10, 0);
    check_point(line->parts[1].at[0], 40, 0);
    drawing_free(d);
    text_end(&w);
}

/* From the third component back to the first one: not through the second one, and with right angles
 * only. */
static void lines_go_around_components(void **state)
{
    (void)state;
    FromText w;
    Drawing *d = draw(&w, PARTS "model M\n"
                                "  Two a, b;\n"
                                "equation\n"
                                "  connect(a.n, b.p);\n"
                                "  connect(b.n, a.p);\n"
                                "end M;\n");
    const Shape *line = shape_of(d, "b.n a.p");
    check_point(line->parts[0].at[0], 60, 0);
    check_point(line->parts[line->n_parts - 1].at[0], -10, 0);
    for (uint32_t i = 1; i < line->n_parts; i++) {
        Point p = line->parts[i - 1].at[0], q = line->parts[i].at[0];
        assert_true(p.x == q.x || p.y == q.y);
        bool below = fmin(p.y, q.y) > 5, above = fmax(p.y, q.y) < -5;
        bool left = fmax(p.x, q.x) <= -10, right = fmin(p.x, q.x) >= 60;
        assert_true(below || above || left || right); /* of both icons */
    }
    drawing_free(d);
    text_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformations_are_applied_in_order),
        cmocka_unit_test(boxes_are_mapped_by_their_corners),
        cmocka_unit_test(letters_have_the_widths_of_helvetica),
        cmocka_unit_test(the_page_holds_the_letters),
        cmocka_unit_test(dashes_grow_with_the_line_within_limits),
        cmocka_unit_test(components_stand_in_their_places),
        cmocka_unit_test(connections_are_drawn),
        cmocka_unit_test(components_without_places_are_arranged),
        cmocka_unit_test(lines_go_around_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
