/* The library: the loaded classes, which are files given by the user and packages found on the
 * library path, parsed on first lookup.
 *
 * In: sources and folders. Out: syntax trees of classes, found by name. */
#ifndef INSTANCE_LIBRARY_H
#define INSTANCE_LIBRARY_H

#include "expr/graph.h"
#include "syntax/tree/ast.h"

typedef struct Library Library;
typedef struct LibFile LibFile;

Library *library_new(Context *ctx, Graph *g);
void library_free(Library *lib);
/* Parses a source and adds its classes. False after an error. */
bool library_add_source(Library *lib, uint32_t source);
/* Whether a source is one expression; reports why it is not. */
bool library_is_expression(Library *lib, uint32_t source);
/* A folder in which packages (folders with package.mo, or single files) are looked for, later ones
 * after earlier ones. */
void library_add_path(Library *lib, const char *folder);

/* From now on lookups find this text instead of the one that the file has on the disk. */
void library_overlay(Library *lib, const char *path, const char *text, size_t size);
/* That text; NULL if there is none. */
const char *library_overlaid(Library *lib, const char *path, size_t *size);
/* Reads and parses a file for later lookups of its class, also if that was done before. A file with
 * errors is not kept: its lookup reports them. Returns the bytes read. */
size_t library_read_ahead(Library *lib, const char *path);

/* From now on external code is not called, except for functions of libraries in the folders added
 * so far that only compute. */
void library_refuse_external(Library *lib);

/* The contents of the folders, in the order of lookup. Later ones of the same name are used only if
 * a class uses their version. Returns the number; the list lives in the library. */
typedef struct StoredLibrary {
    Name name;
    const char *version; /* NULL if it has none */
    const char *place;   /* its folder, or the single file */
    uint32_t folder;     /* number of the folder given to library_add_path */
} StoredLibrary;
uint32_t library_list(Library *lib, StoredLibrary **list);

/* Parses the file unless that is done; false after an error. */
bool library_load(Library *lib, LibFile *file);
/* The top-level class of this name, loaded from the folders if necessary: its element of the
 * unnamed class. MAP_NONE if there is none. */
uint32_t library_top(Library *lib, Name name);

/* The requested model by full name, loaded from the library path if necessary. With name NULL, the
 * last non-partial model, block or class of the last added file. NULL after an error. */
const AstClass *library_find_model(Library *lib, const char *name);
/* whether the last added file has one; true without a file */
bool library_has_model(const Library *lib);
bool ast_is_model(const AstClass *c); /* a model, block or class that is not partial */

/* The path of a URI (modelica://, file://) or a path; NULL if there is no such class. */
const char *library_resource(Library *lib, const char *uri);

#endif
