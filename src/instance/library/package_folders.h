/* Packages in folders, inside the instance phase: package_folders.c finds and loads them,
 * package_rules.c checks the rules of storing. */
#ifndef INSTANCE_FOLDERS_H
#define INSTANCE_FOLDERS_H

#include "instance/library/library.h"
#include "instance/tree/tree.h"

#include <sys/stat.h>

bool is_plain_file(const char *path);
void folders_free(Library *lib);
extern const StoredClasses folder_classes;
/* Indexes the folders added since the last call: lib->stored has the possible top-level packages.
 */
void library_index(Library *lib);
/* Parses a source, checks the tree in test builds, and keeps it. */
AstFile *library_parse(Library *lib, uint32_t source);
/* The same without keeping it. */
AstFile *library_read(Library *lib, uint32_t source);
/* The tree of a file: the text that is being edited, the tree parsed ahead, or from the disk. NULL
 * with errno if it cannot be read. */
AstFile *library_parse_file(Library *lib, const char *path);
void known_texts_free(Library *lib);
void library_add_top(Library *lib, const AstClass *ast, LibFile *file);
/* Gives a stored class its text. */
void library_set_text(Library *lib, LibFile *file, const AstClass *ast);
const char *library_find_place(Library *lib, const AstFile *file);
/* The stored class of a package.mo that the user gave. */
LibFile *library_own_file(Library *lib, Name name, const char *folder);

/* The class in the file, with its `within` clause checked; NULL after an error. */
const AstClass *package_class(Library *lib, const LibFile *file, const AstFile *ast);
/* Reports problems of the folder of a package: names, case, package.order. */
void package_check(Library *lib, const LibFile *package);

#endif
