/* Memory: checked allocation, arenas, growable vectors.
 *
 * In: sizes. Out: zeroed memory, never NULL. If memory runs out, control returns to the innermost
 * guard of this thread (memory_guard), which every public function of kairos.h sets. Without a
 * guard, the process ends.
 *
 * An arena serves one product of a phase and is freed whole. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

/* Runs `action(arg)`; false when memory ran out inside it. Guards nest. */
bool memory_guard(void (*action)(void *arg), void *arg);
/* From now on, if *flag is set, control returns to the guard of this thread as if memory had run
 * out. So long work ends soon. NULL: no flag. Returns the previous flag. */
const _Atomic int *memory_watch(const _Atomic int *flag);

/* Acts as a failed allocation does: for memory that others did not get. */
void memory_exhausted(void);

void *memory_alloc(size_t size); /* zeroed */
/* realloc; the new tail is zeroed */
void *memory_grow(void *old, size_t old_size, size_t new_size);
void memory_free(void *p);

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *a);                           /* NULL is allowed */
void arena_reset(Arena *a);                          /* forgets everything, keeps one chunk */
void *arena_alloc(Arena *a, size_t size);            /* zeroed, aligned to 16 */
size_t arena_bytes(const Arena *a);                  /* handed out so far */
char *arena_copy(Arena *a, const char *s, size_t n); /* NUL-terminated copy */
char *arena_printf(Arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

/* A growable array of T; elements beyond n are undefined: `VEC(int) v = {0}; vec_push(&v, 3);
 * v.at[0]; v.n; vec_free(&v);` */
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        uint32_t n, cap;                                                                           \
    }

#define vec_reserve(v, count)                                                                      \
    ((v)->at = vec_grow_((v)->at, &(v)->cap, (size_t)(count), sizeof *(v)->at))
#define vec_push(v, item)                                                                          \
    ((v)->n == (v)->cap ? (void)vec_reserve((v), (size_t)(v)->n + 1) : (void)0,                    \
     (v)->at[(v)->n++] = (item))
#define vec_pop(v) ((v)->at[--(v)->n])
#define vec_last(v) ((v)->at[(v)->n - 1])
#define vec_clear(v) ((v)->n = 0)
#define vec_free(v) (memory_free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)
/* Moves the items of v to an arena and frees v; yields the pointer. */
#define vec_keep(v, arena) vec_keep_((v)->at, (size_t)(v)->n * sizeof *(v)->at, (arena))

void *vec_grow_(void *at, uint32_t *cap, size_t count, size_t item);
void *vec_keep_(void *at, size_t bytes, Arena *arena);

#endif
