/* Paths: names of variables and components as a tree of prefixes, so that a million names cost no
 * text. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/names.h"

typedef uint32_t PathId; /* 0: the root, which is the model itself */

typedef struct Paths Paths;

Paths *paths_new(void);
void paths_free(Paths *p);
/* The path parent.name[subs]; the same parts give the same id. */
PathId path_make(Paths *p, PathId parent, Name name, const int32_t *subs, uint32_t n_subs);
/* The same for parts that make no path yet; found by path_make from then on. */
PathId path_add(Paths *p, PathId parent, Name name, const int32_t *subs, uint32_t n_subs);
PathId path_parent(const Paths *p, PathId id);
uint32_t path_depth(const Paths *p, PathId id);
/* Takes the quotes of quoted identifiers away from all names, once all paths are made. */
void paths_unquote(Paths *p, Names *names);
/* "a.b[2].c"; the root is "". */
char *path_text(const Paths *p, PathId id, Arena *arena);
/* "a.b[2].c[1,3]": an element of the array that the path names. */
char *path_element(const Paths *p, PathId id, const int64_t *subs, uint32_t n_subs, Arena *arena);

#endif
