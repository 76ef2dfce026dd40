#include "yaml.h"
#include "base/text.h"
#include "memory.h"

#include <dlfcn.h>
#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FY(name) ((__typeof__(fy_##name) *)dlsym(RTLD_DEFAULT, "fy_" #name))

static bool load(void)
{
    if (dlopen("libfyaml.so.0", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE))
        return true;
    fprintf(stderr, "kairos: cannot read YAML: libfyaml (libfyaml.so.0) is not installed; on "
                    "Debian the package libfyaml0 has it\n");
    return false;
}

static unsigned line_of(struct fy_node *node)
{
    struct fy_token *token = FY(node_get_scalar_token)(node);
    const struct fy_mark *mark = token ? FY(token_start_mark)(token) : NULL;
    return mark ? (unsigned)mark->line + 1 : 0;
}

static void convert(struct fy_node *node, Yaml *y);

static Yaml *add(Yaml *y)
{
    y->at = study_resize(y->at, y->n + 1, sizeof *y->at);
    y->at[y->n] = (Yaml){0};
    return &y->at[y->n++];
}

static void convert_map(struct fy_node *node, Yaml *y)
{
    void *state = NULL;
    struct fy_node_pair *pair;
    while ((pair = FY(node_mapping_iterate)(node, &state))) {
        Yaml *entry = add(y);
        struct fy_node *key = FY(node_pair_key)(pair), *value = FY(node_pair_value)(pair);
        const char *name = key ? FY(node_get_scalar0)(key) : NULL;
        convert(value, entry);
        entry->key = study_copy(name ? name : "");
        entry->line = key ? line_of(key) : 0;
    }
}

static void convert(struct fy_node *node, Yaml *y)
{
    enum fy_node_type type = node ? FY(node_get_type)(node) : FYNT_SCALAR;
    const char *text = node && type == FYNT_SCALAR ? FY(node_get_scalar0)(node) : NULL;
    *y = (Yaml){.kind = type == FYNT_MAPPING    ? YAML_MAP
                        : type == FYNT_SEQUENCE ? YAML_LIST
                                                : YAML_TEXT};
    if (type == FYNT_SCALAR) {
        y->text = study_copy(text ? text : "");
        y->line = node ? line_of(node) : 0;
    } else if (type == FYNT_MAPPING) {
        convert_map(node, y);
    } else {
        void *state = NULL;
        struct fy_node *item;
        while ((item = FY(node_sequence_iterate)(node, &state)))
            convert(item, add(y));
    }
    if (type != FYNT_SCALAR && y->n)
        y->line = y->at[0].line;
}

typedef struct Report {
    const char *name;
    bool any;
} Report;

/* The messages of libfyaml name places as `<input>:LINE:COLUMN`; the input is an address. */
static void report(struct fy_diag *diag, void *user, const char *text, size_t n)
{
    (void)diag;
    Report *r = user;
    const char *at = memchr(text, '<', n), *end = at ? memmem(text, n, ">:", 2) : NULL;
    if (!end || r->any)
        return; /* a message about the library itself, or a consequence */
    size_t skipped = (size_t)(end + 1 - text);
    fprintf(stderr, "kairos: %s%.*s", r->name, (int)(n - skipped), text + skipped);
    r->any = true;
}

/* Whether all bytes are printable UTF-8 (section 5.1 of YAML 1.2). Other bytes are reported here:
 * libfyaml 0.7 does not return from some of them. */
static bool is_printable(const char *name, const char *text, size_t size)
{
    unsigned line = 1, column = 1;
    for (size_t i = 0; i < size;) {
        unsigned char c = (unsigned char)text[i];
        unsigned n = text_character(text + i);
        bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
        if (!n || control) {
            fprintf(stderr, "kairos: %s:%u:%u: error: byte 0x%02X is not text\n", name, line,
                    column, c);
            return false;
        }
        line += c == '\n';
        column = c == '\n' ? 1 : column + 1;
        i += n;
    }
    return true;
}

Yaml *yaml_read(const char *name, const char *text, size_t size)
{
    if (!load() || !is_printable(name, text, size))
        return NULL;
    Report r = {name, false};
    struct fy_diag *diag = FY(diag_create)(&(struct fy_diag_cfg){.output_fn = report,
                                                                 .user = &r,
                                                                 .level = FYET_ERROR,
                                                                 .module_mask = ~0U,
                                                                 .show_position = false,
                                                                 .show_type = true});
    struct fy_document *document = FY(document_build_from_string)(
        &(struct fy_parse_cfg){.flags = FYPCF_QUIET | FYPCF_RESOLVE_DOCUMENT, .diag = diag}, text,
        size);
    Yaml *y = NULL;
    if (document && FY(document_root)(document)) {
        y = study_alloc(1, sizeof *y);
        convert(FY(document_root)(document), y);
    } else if (!r.any) {
        fprintf(stderr, "kairos: '%s' is %s\n", name, document ? "empty" : "not valid YAML");
    }
    if (document)
        FY(document_destroy)(document);
    FY(diag_destroy)(diag);
    return y;
}

static void free_parts(Yaml *y)
{
    for (size_t i = 0; i < y->n; i++)
        free_parts(&y->at[i]);
    free(y->at);
    free(y->key);
    free(y->text);
}

void yaml_free(Yaml *y)
{
    if (y)
        free_parts(y);
    free(y);
}

const Yaml *yaml_get(const Yaml *map, const char *key)
{
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->n; i++)
        if (!strcmp(map->at[i].key, key))
            return &map->at[i];
    return NULL;
}
