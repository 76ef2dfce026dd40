/* Rules of the specification: reports each violation once. */
#include "instance/tree/tree.h"

void report_rule(Library *lib, const char *section, const char *rule)
{
    diag_note(lib->ctx, (Span){0}, "Modelica 3.6, section %s: %s", section, rule);
}

bool check_once(Library *lib, const void *what, const void *where)
{
    uint64_t key = hash_mix(hash_mix(1, map_key(what)), map_key(where)) >> 1;
    if (map_get(&lib->checks, key) != MAP_NONE || lib->again)
        return false;
    map_put(&lib->checks, key, 1);
    return true;
}
