/* Structs that the caller of the library fills in.
 *
 * Each begins with its size as the caller was compiled with. The library reads it into the struct
 * that it knows itself: members that an older caller lacks are zero, which means the default.
 * A newer caller may have more members, as long as they are zero. */
#include "api/session.h"

enum { MOST_UNKNOWN = 4096 }; /* bytes that a newer version may add; a larger struct is an error */

static bool is_zero(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Reports an error of the call, which does not belong to the compiled text. */
#define TELL(k, ...)                                                                               \
    do {                                                                                           \
        CONTEXT_HOLD((k)->ctx);                                                                    \
        uint32_t errors = (k)->ctx->n_errors;                                                      \
        diag((k)->ctx, (Span){0}, DIAG_U014, __VA_ARGS__);                                         \
        (k)->ctx->n_failures += (k)->ctx->n_errors - errors;                                       \
        (k)->ctx->n_errors = errors;                                                               \
    } while (0)

bool session_read_struct(Kairos *k, const char *type, const void *given, void *copy, size_t known)
{
    size_t size = known;
    if (given)
        memcpy(&size, given, sizeof size);
    memset(copy, 0, known);
    bool in_range = size >= sizeof size && size <= known + MOST_UNKNOWN;
    if (!in_range) {
        TELL(k, "the member 'size' of %s is %zu; set it: '%s x = {.size = sizeof x}'", type, size,
             type);
    } else if (size > known && !is_zero((const char *)given + known, size - known)) {
        TELL(k,
             "%s has a member set that version %s of the library does not know; "
             "use a newer library",
             type, KAIROS_VERSION);
    } else {
        if (given)
            memcpy(copy, given, size < known ? size : known);
        memcpy(copy, &known, sizeof known);
        return true;
    }
    return false;
}
