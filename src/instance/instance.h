/* The instance phase: from syntax trees to the instance of a model.
 *
 * A Library holds the loaded classes (files given by the user, and packages found on the library path, parsed on first
 * lookup). instance_model makes the instance of a class: lazy, staged, memoised; modifiers keep their scope.
 * Details of the tree are in instance/tree.h and are for `flatten` and `diagram` alone. */
#ifndef INSTANCE_INSTANCE_H
#define INSTANCE_INSTANCE_H

#include "base/path.h"
#include "expr/graph.h"
#include "syntax/ast.h"

typedef struct Library Library;
typedef struct Instance Instance;

Library *library_new(Context *ctx, Graph *g);
void library_free(Library *lib);
/* Parses a source and adds its classes. False after telling. */
bool library_add_source(Library *lib, uint32_t source);
/* A folder in which packages (folders with package.mo, or single files) are looked for, later ones after earlier ones. */
void library_add_path(Library *lib, const char *folder);

/* What the folders hold, in the order in which it is looked for; those of a name after the first are taken only where a class uses
 * their version. Returns the number; the list lives in the library. */
typedef struct StoredLibrary {
    Name name;
    const char *version; /* NULL where it has none */
    const char *place;   /* its folder, or the single file */
    uint32_t folder;     /* number of the folder given to library_add_path */
} StoredLibrary;
uint32_t library_list(Library *lib, StoredLibrary **list);

/* The model meant: by full name (loads it from the library path where need be), or, with name NULL, the last non-partial
 * model, block or class of the last added file. NULL after telling. */
const AstClass *library_find_model(Library *lib, const char *name);

/* A modification from outside, applied at the top (`--set n=20` for structural parameters): text "a.b=3". */
typedef struct OuterMod {
    const char *name, *value;
} OuterMod;

/* NULL after telling. Lives in the library. */
Instance *instance_model(Library *lib, const AstClass *model, const OuterMod *mods, uint32_t n_mods);
/* An instance of any class, partial ones and packages too, that is not to be flattened: to look at it. NULL where the class is in error. */
Instance *instance_of_class(Library *lib, const AstClass *ast);
char *instance_print(Instance *root, Arena *arena); /* the tree, for `kairos dump --after=instance` */

struct Flat;
/* The flatten phase (src/flatten). Never NULL; incomplete where errors were told. Takes the paths it makes along. */
struct Flat *flatten_model(Library *lib, Instance *root);

#endif
