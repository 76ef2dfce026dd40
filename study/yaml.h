/* YAML (and so JSON) as a tree, read by libfyaml. The library is opened when needed. */
#ifndef STUDY_YAML_H
#define STUDY_YAML_H

#include <stdbool.h>
#include <stddef.h>

typedef enum YamlKind { YAML_TEXT, YAML_LIST, YAML_MAP } YamlKind;

typedef struct Yaml {
    YamlKind kind;
    char *key;  /* of an entry of a map; NULL otherwise */
    char *text; /* of YAML_TEXT */
    unsigned line;
    struct Yaml *at; /* items or entries; size n */
    size_t n;
} Yaml;

/* The tree of a text, which ends with a zero byte beyond its size; `name` is for messages, which go
 * to standard error. NULL after one. */
Yaml *yaml_read(const char *name, const char *text, size_t size);
void yaml_free(Yaml *y);
/* The entry of a map, or NULL. */
const Yaml *yaml_get(const Yaml *map, const char *key);

#endif
