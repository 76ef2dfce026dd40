/* The instance phase: from syntax trees to the instance of a model.
 *
 * A Library holds the loaded classes (files given by the user, and packages found on the library
 * path, parsed on first lookup). instance_model makes the instance of a class: lazy, staged,
 * memoised; modifiers keep their scope. Details of the tree are in instance/tree/tree.h and are for
 * `flatten` and `diagram` alone. */
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
/* A folder in which packages (folders with package.mo, or single files) are looked for, later ones
 * after earlier ones. */
void library_add_path(Library *lib, const char *folder);

/* From now on external code is not called, but for functions of libraries in the folders added so
 * far that only compute. */
void library_refuse_external(Library *lib);

/* What the folders hold, in the order in which it is looked for; those of a name after the first
 * are taken only where a class uses their version. Returns the number; the list lives in the
 * library. */
typedef struct StoredLibrary {
    Name name;
    const char *version; /* NULL where it has none */
    const char *place;   /* its folder, or the single file */
    uint32_t folder;     /* number of the folder given to library_add_path */
} StoredLibrary;
uint32_t library_list(Library *lib, StoredLibrary **list);

/* The model meant: by full name (loads it from the library path where need be), or, with name NULL,
 * the last non-partial model, block or class of the last added file. NULL after telling. */
const AstClass *library_find_model(Library *lib, const char *name);
/* whether the last added file has one; true without a file */
bool library_has_model(const Library *lib);
bool ast_is_model(const AstClass *c); /* a model, block or class that is not partial */

/* A modification from outside, applied at the top (`--set n=20` for structural parameters): text
 * "a.b=3". */
typedef struct OuterMod {
    const char *name, *value;
} OuterMod;

/* A class as it is checked for itself. */
typedef enum ClassRole {
    ROLE_MODEL, /* can be simulated */
    /* a record or connector, or partial: has elements, but is used in other classes alone */
    ROLE_PART,
    ROLE_FUNCTION, /* also partial ones */
    ROLE_PACKAGE,
    ROLE_NONE, /* types, operators */
} ClassRole;

typedef struct ClassEntry {
    Instance *inst; /* of the class, without modifiers */
    ClassRole role;
    bool is_partial; /* itself, or a class around it */
} ClassEntry;

/* The class of that name and all classes in its text and its folder, outer ones first; with name
 * NULL, all of the last added file. The list lives in the library. False after telling. */
bool library_list_classes(Library *lib, const char *name, ClassEntry **list, uint32_t *n);
/* An instance of a class for itself, which is meant as part of others: its own balance is counted
 * as that of a component. */
Instance *instance_part(Library *lib, Instance *class_);
/* Has inputs or flows of its own: it is complete only with what is connected to it. */
bool instance_is_open(Instance *root);
/* Takes back the inner components that were added to the class of an instance made by
 * instance_part, which ends with that: the class may be used as a part of others. */
void instance_forget(Instance *root);
/* Checks what a function or a package says by itself: the function's variables and body, the
 * package's constants. */
void instance_check_class(Library *lib, const ClassEntry *entry);

/* NULL after telling. Lives in the library. */
Instance *instance_model(Library *lib, const AstClass *model, const OuterMod *mods,
                         uint32_t n_mods);
/* Where flattening has shown that elements of arrays differ in structure: the instance made anew,
 * knowing that. NULL where it has not. */
Instance *instance_again(Library *lib, Instance *root);
/* An instance of any class, partial ones and packages too, that is not to be flattened: to look at
 * it. NULL where the class is in error. */
Instance *instance_of_class(Library *lib, const AstClass *ast);
/* the tree, for `kairos dump --after=instance` */
char *instance_print(Instance *root, Arena *arena);

struct Flat;
/* The flatten phase (src/flatten). Never NULL; incomplete where errors were told. Takes the paths
 * it makes along. *root is replaced where it had to be made again. */
struct Flat *flatten_model(Library *lib, Instance **root);

#endif
