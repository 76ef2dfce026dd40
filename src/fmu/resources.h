/* What the exporter and the binary of an FMU agree on: the names of files and folders among the
 * resources, and the token (FMI 2: guid) of the model's text. */
#ifndef FMU_RESOURCES_H
#define FMU_RESOURCES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MODEL_FILE "model.mo"
#define ARRAYS_FILE                                                                                \
    "arrays.txt" /* of FMI 3: a line for each array, with its reference and size                   \
                  */
#define CLOCKS_FILE                                                                                \
    "clocks.txt"                  /* of FMI 3: a line for each clock, with its start and interval  \
                                   */
#define OBJECTS_FOLDER "external" /* shared objects of external functions */
#define FILES_FOLDER "files"      /* PACKAGE/PATH: files of libraries */
#define RESOURCE_SCHEME "modelica://"
enum { TOKEN_SIZE = 40 };

/* Two FNV-1a hashes of the version of Kairos and the text, in the form of a GUID. */
static inline void model_token(const char *text, size_t n, char token[TOKEN_SIZE])
{
    const char version[] = KAIROS_VERSION;
    uint64_t a = 0xcbf29ce484222325u, b = 0x84222325cbf29ce4u;
    for (size_t i = 0; i < sizeof version + n; i++) {
        unsigned char c =
            (unsigned char)(i < sizeof version ? version[i] : text[i - sizeof version]);
        a = (a ^ c) * 0x100000001b3u;
        b = (b ^ (uint64_t)(c + 1)) * 0x100000001b3u;
    }
    snprintf(token, TOKEN_SIZE, "{%08x-%04x-%04x-%04x-%04x%08x}", (unsigned)(a >> 32),
             (unsigned)(a >> 16) & 0xffff, (unsigned)a & 0xffff, (unsigned)(b >> 48),
             (unsigned)(b >> 32) & 0xffff, (unsigned)b);
}

#endif
