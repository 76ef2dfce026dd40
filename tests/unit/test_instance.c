/* The contract of the instance tree: the checker accepts valid trees and finds each violation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "from_text.h"
#include "instance/tree/tree.h"

static const char *const text = "model M\n"
                                "  model Cell\n"
                                "    parameter Integer n = 1;\n"
                                "    Real x[n];\n"
                                "  equation\n"
                                "    x = fill(time, n);\n"
                                "  end Cell;\n"
                                "  Cell alike[3];\n"
                                "  Cell unlike[2](n = {1, 2});\n"
                                "end M;\n";

typedef struct Tree {
    FromText w;
    Compilation c;
} Tree;

static void make_tree(Tree *t)
{
    text_begin(&t->w, text);
    t->c = (Compilation){.ctx = t->w.ctx, .library = t->w.lib};
    t->c.instance = instance_model(t->w.lib, library_find_model(t->w.lib, NULL), NULL, 0);
    assert_non_null(t->c.instance);
    compile_flatten(&t->c);
    t->w.flat = t->c.flat;
    assert_null(instance_check(t->c.instance, t->w.arena));
}

static Instance *component(Instance *inst, const char *name)
{
    for (uint32_t i = 0; i < inst->cls->elements.n; i++)
        if (!strcmp(inst->cls->elements.at[i].name, name))
            return inst_component(inst->cls->lib, inst, i);
    fail_msg("there is no component %s", name);
    return NULL;
}

static void expect_breach(Tree *t, const char *part)
{
    const char *breach = instance_check(t->c.instance, t->w.arena);
    assert_non_null(breach);
    assert_non_null(strstr(breach, part));
    text_end(&t->w);
}

static void elements_that_differ_have_instances(void **state)
{
    (void)state;
    Tree t;
    make_tree(&t);
    assert_null(component(t.c.instance, "alike")->elements);
    const Instance *unlike = component(t.c.instance, "unlike");
    assert_non_null(unlike->elements);
    assert_int_equal(component(unlike->elements[0], "x")->dims[0], 1);
    assert_int_equal(component(unlike->elements[1], "x")->dims[0], 2);
    text_end(&t.w);
}

static void sees_a_wrong_depth(void **state)
{
    (void)state;
    Tree t;
    make_tree(&t);
    component(t.c.instance, "alike")->depth++;
    expect_breach(&t, "alike counts the components around it wrongly");
}

static void sees_a_wrong_rank(void **state)
{
    (void)state;
    Tree t;
    make_tree(&t);
    component(component(t.c.instance, "alike"), "x")->outer_rank = 0;
    expect_breach(&t, "x counts the dimensions around it wrongly");
}

static void sees_a_strange_element(void **state)
{
    (void)state;
    Tree t;
    make_tree(&t);
    component(t.c.instance, "unlike")->elements[1]->element = 0;
    expect_breach(&t, "element 2 of unlike belongs to another array");
}

static void sees_a_negative_size(void **state)
{
    (void)state;
    Tree t;
    make_tree(&t);
    component(t.c.instance, "alike")->dims[0] = -7;
    expect_breach(&t, "dimension 1 of alike is negative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_that_differ_have_instances),
        cmocka_unit_test(sees_a_wrong_depth),
        cmocka_unit_test(sees_a_wrong_rank),
        cmocka_unit_test(sees_a_strange_element),
        cmocka_unit_test(sees_a_negative_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
