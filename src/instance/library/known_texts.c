/* Files whose text or tree is known before their class is looked up: those that are being edited,
 * and those that were parsed ahead, so that forked processes find them parsed. */
#include "instance/library/package_folders.h"

static KnownText *known_text(Library *lib, const char *path)
{
    uint64_t key = map_key(name_of(lib->ctx->names, path));
    uint32_t at = map_get(&lib->known_paths, key);
    if (at == MAP_NONE) {
        at = lib->known.n;
        vec_push(&lib->known, (KnownText){0});
        map_put(&lib->known_paths, key, at);
    }
    return &lib->known.at[at];
}

void library_overlay(Library *lib, const char *path, const char *text, size_t size)
{
    KnownText *k = known_text(lib, path);
    k->text = arena_copy(lib->arena, text, size);
    k->size = size;
}

const char *library_overlaid(Library *lib, const char *path, size_t *size)
{
    uint32_t at = map_get(&lib->known_paths, map_key(name_of(lib->ctx->names, path)));
    *size = at == MAP_NONE ? 0 : lib->known.at[at].size;
    return at == MAP_NONE ? NULL : lib->known.at[at].text;
}

size_t library_read_ahead(Library *lib, const char *path)
{
    KnownText *k = known_text(lib, path);
    DiagMark mark = diag_mark(lib->ctx);
    uint32_t source = sources_load(lib->ctx->sources, path);
    if (k->tree)
        ast_free(k->tree);
    k->tree = source ? library_read(lib, source) : NULL;
    if (k->tree && lib->ctx->n_errors > mark.n_errors) {
        ast_free(k->tree);
        k->tree = NULL;
    }
    diag_discard(lib->ctx, mark);
    return source ? sources_get(lib->ctx->sources, source)->size : 0;
}

AstFile *library_parse_file(Library *lib, const char *path)
{
    uint32_t at = map_get(&lib->known_paths, map_key(name_of(lib->ctx->names, path)));
    KnownText *k = at == MAP_NONE ? NULL : &lib->known.at[at];
    if (k && k->text)
        return library_parse(lib, sources_add(lib->ctx->sources, path, k->text, k->size));
    if (k && k->tree) {
        AstFile *tree = k->tree;
        k->tree = NULL; /* now the library's */
        vec_push(&lib->files, tree);
        return tree;
    }
    uint32_t source = sources_load(lib->ctx->sources, path);
    return source ? library_parse(lib, source) : NULL;
}

void known_texts_free(Library *lib)
{
    for (uint32_t i = 0; i < lib->known.n; i++)
        if (lib->known.at[i].tree)
            ast_free(lib->known.at[i].tree);
    vec_free(&lib->known);
    map_free(&lib->known_paths);
}
