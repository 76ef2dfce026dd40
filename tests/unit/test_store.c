/* The user's libraries: the index of the store, folders with packages, archives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test has an empty folder of its own, in which it works; the store is in its folder data. */
static int begin(void **state)
{
    char *folder = strdup("store-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    char *here = getcwd(NULL, 0), data[4096];
    snprintf(data, sizeof data, "%s/data", here);
    setenv("KAIROS_DATA", data, 1);
    free(folder);
    *state = here;
    return 0;
}

static int end(void **state)
{
    free(*state);
    return chdir("..");
}

static void put(const char *path, const char *text)
{
    char folder[256];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = 0;
        assert_true(store_make_folders(folder));
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static bool is_there(const char *path)
{
    return !access(path, F_OK);
}

static void folders_are_made_on_the_way(void **state)
{
    (void)state;
    assert_true(store_make_folders("a/b/c"));
    assert_true(store_make_folders("a/b/c"));
    assert_true(is_there("a/b/c"));
    put("file", "");
    assert_false(store_make_folders("file/below"));
}

static void check_entry(const StoreEntry *e, const char *kind, const char *source,
                        const char *folder)
{
    char here[4096], path[8192];
    assert_non_null(getcwd(here, sizeof here));
    assert_string_equal(e->kind, kind);
    snprintf(path, sizeof path, "%s/%s", here, source);
    assert_string_equal(e->source, path);
    snprintf(path, sizeof path, "%s/%s", here, folder);
    assert_string_equal(e->folder, path);
}

/* A folder that is a package, one with packages at two depths, a checkout with single files. A
 * folder deep inside a package is not a library. */
static void folders_with_packages_are_found(void **state)
{
    (void)state;
    put("one/package.mo", "package one end one;");
    put("one/Inner/package.mo", "within one; package Inner end Inner;");
    put("many/A/package.mo", "package A end A;");
    put("many/deep/er/B/package.mo", "package B end B;");
    put("single/.git/HEAD", "");
    put("single/C.mo", "package C end C;");
    Context *ctx = context_new();
    Store *s = store_open(ctx);
    assert_int_equal(store_take(s, "one"), 1);
    assert_int_equal(store_take(s, "many"), 2);
    assert_int_equal(store_take(s, "single"), 1);
    assert_int_equal(s->entries.n, 4);
    check_entry(&s->entries.at[0], "folder", "one", "one");
    check_entry(&s->entries.at[1], "folder", "many", "many");
    check_entry(&s->entries.at[2], "folder", "many", "many/deep/er");
    check_entry(&s->entries.at[3], "checkout", "single", "single");
    assert_int_equal(ctx->n_errors, 0);
    store_close(s);
    context_free(ctx);
}

static void folders_without_packages_are_told(void **state)
{
    (void)state;
    Context *ctx = context_new();
    Store *s = store_open(ctx);
    assert_true(store_make_folders("empty"));
    assert_int_equal(store_take(s, "empty"), 0);
    assert_int_equal(store_take(s, "missing"), 0);
    assert_int_equal(s->entries.n, 0);
    assert_int_equal(ctx->n_errors, 2);
    store_close(s);
    context_free(ctx);
}

static void the_index_is_read_back(void **state)
{
    (void)state;
    put("a b/package.mo", "package P end P;");
    put("many/A/package.mo", "package A end A;");
    put("many/deep/B/package.mo", "package B end B;");
    Context *ctx = context_new();
    Store *s = store_open(ctx);
    assert_int_equal(s->entries.n, 0);
    assert_true(store_lock(s));
    assert_int_equal(store_take(s, "a b") + store_take(s, "many"), 3);
    assert_true(store_write(s));
    store_close(s);

    s = store_open(ctx);
    assert_int_equal(s->entries.n, 3);
    check_entry(&s->entries.at[0], "folder", "a b", "a b");
    check_entry(&s->entries.at[2], "folder", "many", "many/deep");
    assert_true(store_lock(s));
    assert_true(store_drop(s, 1)); /* all of the same source */
    store_close(s);

    s = store_open(ctx);
    assert_int_equal(s->entries.n, 1);
    check_entry(&s->entries.at[0], "folder", "a b", "a b");
    store_close(s);
    assert_true(is_there("many/A/package.mo")); /* the user's folder stays */
    assert_false(is_there("data/libraries/index.new"));
    context_free(ctx);
}

/* Lines without three fields are left out; a folder without a slash in front is in the store. */
static void other_lines_of_the_index(void **state)
{
    (void)state;
    put("data/libraries/index", "nonsense\n\nfolder\t/x\nzip\t/x/y.zip\ty/Z\nfolder\t/u v\t/u v");
    Context *ctx = context_new();
    Store *s = store_open(ctx);
    assert_int_equal(s->entries.n, 2);
    const char *inside = strstr(s->entries.at[0].folder, "/data/libraries/y/Z");
    assert_non_null(inside);
    assert_string_equal(inside, "/data/libraries/y/Z");
    assert_string_equal(s->entries.at[1].folder, "/u v");
    store_close(s);
    context_free(ctx);
}

/* ---- archives ---- */

static void put_number(FILE *f, unsigned long x, int bytes)
{
    for (int i = 0; i < bytes; i++, x >>= 8)
        fputc((int)(x & 0xFF), f);
}

/* The checksum of zip, bit by bit. */
static unsigned long crc32(const char *text)
{
    unsigned long crc = 0xFFFFFFFF;
    for (; *text; text++) {
        crc ^= (unsigned char)*text;
        for (int i = 0; i < 8; i++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return crc ^ 0xFFFFFFFF;
}

static void put_entry(FILE *f, const char *name, const char *text, long at)
{
    put_number(f, at < 0 ? 0x04034b50 : 0x02014b50, 4);
    if (at >= 0)
        put_number(f, 20, 2); /* version that made it */
    put_number(f, 20, 2);
    put_number(f, 0, 8); /* no flags, stored, no time */
    put_number(f, crc32(text), 4);
    put_number(f, strlen(text), 4);
    put_number(f, strlen(text), 4);
    put_number(f, strlen(name), 2);
    put_number(f, 0, 2);
    if (at >= 0) {
        put_number(f, 0, 10); /* no comment, first disk, no attributes */
        put_number(f, (unsigned long)at, 4);
    }
    fputs(name, f);
    if (at < 0)
        fputs(text, f);
}

/* A zip of one file that is stored as it is (APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and
 * 4.3.16). */
static void put_zip(const char *path, const char *name, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    put_entry(f, name, text, -1);
    long directory = ftell(f);
    put_entry(f, name, text, 0);
    long end_at = ftell(f);
    put_number(f, 0x06054b50, 4);
    put_number(f, 0, 4);
    put_number(f, 1, 2);
    put_number(f, 1, 2);
    put_number(f, (unsigned long)(end_at - directory), 4);
    put_number(f, (unsigned long)directory, 4);
    put_number(f, 0, 2);
    fclose(f);
}

static void zips_are_unpacked_into_the_store(void **state)
{
    (void)state;
    put_zip("Lib-1.0.zip", "Lib/package.mo", "package Lib end Lib;");
    Context *ctx = context_new();
    Store *s = store_open(ctx);
    assert_true(store_lock(s));
    assert_int_equal(store_take(s, "Lib-1.0.zip"), 1);
    check_entry(&s->entries.at[0], "zip", "Lib-1.0.zip", "data/libraries/Lib-1.0");
    assert_true(is_there("data/libraries/Lib-1.0/Lib/package.mo"));
    assert_int_equal(store_take(s, "Lib-1.0.zip"), 1); /* beside the first */
    check_entry(&s->entries.at[1], "zip", "Lib-1.0.zip", "data/libraries/Lib-1.0-2");
    assert_true(store_write(s));
    store_close(s);
    s = store_open(ctx);
    assert_int_equal(s->entries.n, 2);
    check_entry(&s->entries.at[0], "zip", "Lib-1.0.zip", "data/libraries/Lib-1.0");
    assert_true(store_lock(s));
    assert_true(store_drop(s, 0));
    assert_false(is_there("data/libraries/Lib-1.0"));
    assert_true(is_there("Lib-1.0.zip"));
    store_close(s);
    context_free(ctx);
}

/* Names that lead out of the folder, and files that are not archives: nothing is written. */
static void bad_zips_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"../out.mo", "/out.mo", "a/../../out.mo", "a/.."};
    Context *ctx = context_new();
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        put_zip("bad.zip", names[i], "x");
        assert_true(store_make_folders("inside"));
        assert_false(store_unzip(ctx, "bad.zip", "inside"));
        assert_int_equal(ctx->n_errors, i + 1);
        assert_false(is_there("out.mo"));
        assert_int_equal(rmdir("inside"), 0); /* still empty */
    }
    put("no.zip", "this is no archive");
    assert_true(store_make_folders("inside"));
    assert_false(store_unzip(ctx, "no.zip", "inside"));
    context_free(ctx);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        T(folders_are_made_on_the_way),
        T(folders_with_packages_are_found),
        T(folders_without_packages_are_told),
        T(the_index_is_read_back),
        T(other_lines_of_the_index),
        T(zips_are_unpacked_into_the_store),
        T(bad_zips_are_refused),
    };
#undef T
    return cmocka_run_group_tests(tests, NULL, NULL);
}
