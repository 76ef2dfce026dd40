/* The instance phase.
 *
 * In: the classes of a Library (library/library.h). Out: the Instance of a model: lazy, staged,
 * memoised; modifiers keep their scope. Its details are in tree/tree.h. Each subfolder holds one
 * subject:
 *   typing     typed expressions and statements out of syntax
 *   tree       classes, their elements, modifiers, components, dimensions
 *   values     references, numbers of variables, values of constants and structural parameters
 *   functions  functions, external code, operator records
 *   library    the user's files, packages in folders, their versions */
#ifndef INSTANCE_INSTANCE_H
#define INSTANCE_INSTANCE_H

#include "instance/library/library.h"

typedef struct Instance Instance;

/* A modification from outside, applied at the top (`--set n=20` for structural parameters): text
 * "a.b=3". */
typedef struct OuterMod {
    const char *name, *value;
} OuterMod;

/* A class that is checked by itself. */
typedef enum ClassRole {
    ROLE_MODEL, /* can be simulated */
    /* a record or connector, or partial: has elements, but is only used in other classes */
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

/* The class of that name and all classes in its text and its folder, outer ones first; name NULL:
 * all of the last added file. The list lives in the library. False after an error. */
bool library_list_classes(Library *lib, const char *name, ClassEntry **list, uint32_t *n);
/* An instance of a class that is meant as a part of others. Its balance is counted as that of a
 * component. */
Instance *instance_part(Library *lib, Instance *class_);
/* Has inputs or flows of its own: it is complete only with its connections. */
bool instance_is_open(const Instance *root);
/* Has connectors or inputs of its own. */
bool instance_has_ports(const Instance *root);
/* Has flows of its own: a component, whose connectors are meant to be connected. */
bool instance_has_flows(const Instance *root);
/* The declaration of a component of the model, if it is in the same file; otherwise no place. */
Span instance_component_place(const Instance *root, Name name);
/* Removes the inner components that instance_part added to the class of an instance, and ends that
 * instance. The class may be used as a part of others. */
void instance_forget(Instance *root);
/* Checks a function or a package by itself: the function's variables and body, the package's
 * constants. */
void instance_check_class(Library *lib, const ClassEntry *entry);

/* NULL after an error. Lives in the library. */
Instance *instance_model(Library *lib, const AstClass *model, const OuterMod *mods,
                         uint32_t n_mods);
/* If flattening has shown that elements of arrays differ in structure, returns the instance made
 * again with that knowledge, otherwise NULL. Only for the driver (compile_flatten). */
Instance *instance_again(Library *lib, Instance *root);
/* An instance of any class, also of partial classes and packages, for inspection. It cannot be
 * flattened. NULL if the class has an error. */
Instance *instance_of_class(Library *lib, const AstClass *ast);
/* The first violation of the contract of the tree, in `arena`; NULL if there is none. */
const char *instance_check(const Instance *root, Arena *arena);
/* the tree, for `kairos dump --after=instance` */
char *instance_print(Instance *root, Arena *arena);

#endif
