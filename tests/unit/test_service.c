/* Requests of an editor: the name at a place in an unfinished text, and its completions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "from_text.h"
#include "service/cursor.h"

#include <cjson/cJSON.h>

/* ---- names ---- */

/* The name that ends at the bar in the text. */
static void check_name(const char *text, const char *expected)
{
    const char *bar = strchr(text, '|');
    Cursor c = {.text = text, .size = strlen(text), .at = (size_t)(bar - text)};
    size_t start = cursor_name_start(&c, c.at);
    assert_int_equal(c.at - start, strlen(expected));
    assert_memory_equal(text + start, expected, strlen(expected));
}

static void names_end_at_the_cursor(void **state)
{
    (void)state;
    check_name("x = a.b_1|", "a.b_1");
    check_name("x = a[2*k + 1, n[3]].b.|", "a[2*k + 1, n[3]].b.");
    check_name("x = y+tank.h|eight", "tank.h");
    check_name("x = (|", "");
    check_name("x = 12|", "");
    check_name("x = 2*v|", "v");
    check_name("v|", "v");
}

/* ---- places ---- */

static const char text[] = "model Tank \"h\xC3\xA4lt Wasser\"\n"
                           "  parameter Real area(min = 0) = 2 \"floor\";\n"
                           "  Real h(start = 1), hot;\n"
                           "protected\n"
                           "  Real hidden = 1;\n"
                           "equation\n"
                           "  area*der(h) = -h;\n"
                           "end Tank;\n"
                           "model Plant\n"
                           "  model Inner Real deep = 1; end Inner;\n"
                           "  Tank tank, tanks[3];\n"
                           "  Inner inside;\n"
                           "  Real y = tank.h;\n"
                           "end Plant;\n";

static void cursors_know_the_class_around(void **state)
{
    (void)state;
    static const struct {
        uint32_t line, column;
        const char *class_;
    } cases[] = {{3, 4, "Tank"}, {7, 3, "Tank"}, {10, 20, "Plant.Inner"}, {11, 4, "Plant"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FromText w;
        text_begin(&w, NULL);
        Cursor c = cursor_at(w.lib, "t.mo", text, strlen(text), cases[i].line, cases[i].column);
        assert_string_equal(c.scope.inst->cls->name, cases[i].class_);
        text_end(&w);
    }
}

/* Columns count characters: the a with two dots, of two bytes, is one. */
static void columns_count_characters(void **state)
{
    (void)state;
    FromText w;
    text_begin(&w, NULL);
    Cursor c = cursor_at(w.lib, "t.mo", text, strlen(text), 1, 15);
    assert_memory_equal(text + c.at, "lt Wasser", 9);
    text_end(&w);
}

/* ---- completion ---- */

/* The text with its line 13 replaced by `line`; the completions at the bar, as a JSON object. */
static cJSON *complete(FromText *w, const char *line)
{
    Text t = {0}, out = {0};
    const char *at = text, *bar = strchr(line, '|');
    for (int i = 1; i < 13; i++)
        at = strchr(at, '\n') + 1;
    text_printf(&t, "%.*s", (int)(at - text), text);
    text_printf(&t, "%.*s%s", (int)(bar - line), line, bar + 1);
    text_put(&t, strchr(at, '\n'));
    text_begin(w, NULL);
    service_complete(w->lib, "t.mo", t.at, t.n, 13, (uint32_t)(bar - line) + 1, &out);
    cJSON *answer = cJSON_Parse(out.at);
    assert_non_null(answer);
    text_free(&t);
    text_free(&out);
    return answer;
}

static bool offers(const cJSON *answer, const char *label)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(answer, "items"))
    {
        const cJSON *name = cJSON_GetObjectItem(item, "label");
        if (cJSON_IsString(name) && !strcmp(name->valuestring, label))
            return true;
    }
    return false;
}

/* `yes` is offered, `no` is not; either may be NULL. */
static void check_completion(const char *line, const char *yes, const char *no)
{
    FromText w;
    cJSON *answer = complete(&w, line);
    char *all = cJSON_PrintUnformatted(answer);
    if (yes && !offers(answer, yes))
        fail_msg("%s: %s is not offered: %s", line, yes, all);
    if (no && offers(answer, no))
        fail_msg("%s: %s is offered: %s", line, no, all);
    cJSON_free(all);
    cJSON_Delete(answer);
    text_end(&w);
}

static void completion_knows_the_members(void **state)
{
    (void)state;
    check_completion("  Real y = tank.|;", "area", "tank");
    check_completion("  Real y = tank.|", "h", "hidden");
    check_completion("  Real y = tank.h|;", "hot", "area");
    check_completion("  Real y = tanks[2].a|;", "area", "hot");
    check_completion("  Real y = inside.|;", "deep", "y");
    check_completion("  Real y = nothing.|;", NULL, "area");
}

static void completion_knows_the_scope(void **state)
{
    (void)state;
    check_completion("  Real y = ta|;", "tanks", "y");
    check_completion("  TA|", "Tank", "Plant"); /* in either case */
    check_completion("  Real y = |;", "sin", "deep");
}

static void completion_knows_the_modifiers(void **state)
{
    (void)state;
    check_completion("  Tank t(|);", "area", NULL);
    check_completion("  Tank t(a|);", "area", "hot");
    check_completion("  Tank t(area = 3, h|);", "hot", NULL);
    check_completion("  Tank t(area(m|));", "min", NULL);
}

static void completion_begins_at_the_word(void **state)
{
    (void)state;
    FromText w;
    cJSON *answer = complete(&w, "  Real y = tank.ho|;");
    const cJSON *from = cJSON_GetObjectItem(answer, "from");
    assert_int_equal(cJSON_GetObjectItem(from, "line")->valueint, 13);
    assert_int_equal(cJSON_GetObjectItem(from, "column")->valueint, 17);
    cJSON_Delete(answer);
    text_end(&w);
}

/* ---- hints ---- */

static void symbols_are_explained(void **state)
{
    (void)state;
    FromText w;
    Text out = {0};
    text_begin(&w, NULL);
    service_symbol(w.lib, "t.mo", text, strlen(text), 7, 4, &out);
    cJSON *answer = cJSON_Parse(out.at);
    assert_string_equal(cJSON_GetObjectItem(answer, "name")->valuestring, "area");
    assert_string_equal(cJSON_GetObjectItem(answer, "description")->valuestring, "floor");
    assert_string_equal(cJSON_GetObjectItem(answer, "value")->valuestring, "2");
    assert_int_equal(cJSON_GetObjectItem(answer, "line")->valueint, 2);
    cJSON_Delete(answer);
    text_free(&out);
    service_symbol(w.lib, "t.mo", text, strlen(text), 7, 17, &out); /* the equality sign */
    assert_string_equal(out.at, "null");
    text_free(&out);
    text_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_end_at_the_cursor),
        cmocka_unit_test(cursors_know_the_class_around),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(completion_knows_the_members),
        cmocka_unit_test(completion_knows_the_scope),
        cmocka_unit_test(completion_knows_the_modifiers),
        cmocka_unit_test(completion_begins_at_the_word),
        cmocka_unit_test(symbols_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
