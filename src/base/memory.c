#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The only thread-locals of the library: the guard to which a failed allocation returns, and the
 * flag that lets allocations fail. */
static _Thread_local jmp_buf *guard;
static _Thread_local const _Atomic int *watched;

bool memory_guard(void (*action)(void *arg), void *arg)
{
    jmp_buf here;
    jmp_buf *outer = guard;
    if (setjmp(here)) {
        guard = outer;
        return false;
    }
    guard = &here;
    action(arg);
    guard = outer;
    return true;
}

const _Atomic int *memory_watch(const _Atomic int *flag)
{
    const _Atomic int *before = watched;
    watched = flag;
    return before;
}

static void *checked(void *p)
{
    if (!p && guard)
        longjmp(*guard, 1);
    return p;
}

void memory_exhausted(void)
{
    checked(NULL);
}

static void heed_interrupt(void)
{
    if (watched && *watched && guard)
        longjmp(*guard, 1);
}

void *memory_alloc(size_t size)
{
    heed_interrupt();
    return checked(calloc(1, size ? size : 1));
}

void *memory_grow(void *old, size_t old_size, size_t new_size)
{
    char *p = checked(realloc(old, new_size ? new_size : 1));
    if (new_size > old_size)
        memset(p + old_size, 0, new_size - old_size);
    return p;
}

void memory_free(void *p)
{
    free(p);
}

/* ---- arenas ---- */

typedef struct Chunk {
    struct Chunk *next;
    size_t size, used; /* of data */
    _Alignas(16) char data[];
} Chunk;

struct Arena {
    Chunk *chunk; /* the one in use; full ones follow */
    size_t bytes;
};

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

Arena *arena_new(void)
{
    return memory_alloc(sizeof(Arena));
}

static void free_chunks(Chunk *c)
{
    while (c) {
        Chunk *next = c->next;
        free(c);
        c = next;
    }
}

void arena_free(Arena *a)
{
    if (!a)
        return;
    free_chunks(a->chunk);
    free(a);
}

void arena_reset(Arena *a)
{
    if (a->bytes) {
        free_chunks(a->chunk->next);
        a->chunk->next = NULL;
        memset(a->chunk->data, 0, a->chunk->used);
        a->chunk->used = 0;
    }
    a->bytes = 0;
}

/* Chunks double up to a limit. A large request gets its own chunk after the current one. */
static Chunk *add_chunk(Arena *a, size_t need)
{
    size_t size = a->chunk ? a->chunk->size * 2 : FIRST_CHUNK;
    if (size > LARGEST_CHUNK)
        size = LARGEST_CHUNK;
    bool alone = need > size;
    if (alone)
        size = need;
    heed_interrupt();
    Chunk *c = checked(calloc(1, sizeof(Chunk) + size));
    c->size = size;
    if (alone && a->chunk) {
        c->next = a->chunk->next;
        a->chunk->next = c;
    } else {
        c->next = a->chunk;
        a->chunk = c;
    }
    return c;
}

void *arena_alloc(Arena *a, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    Chunk *c = a->chunk;
    if (!c || c->size - c->used < size)
        c = add_chunk(a, size);
    void *p = c->data + c->used;
    c->used += size;
    a->bytes += size;
    return p;
}

size_t arena_bytes(const Arena *a)
{
    return a->bytes;
}

char *arena_copy(Arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    if (n)
        memcpy(p, s, n);
    return p;
}

char *arena_vprintf(Arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    return p;
}

char *arena_printf(Arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *p = arena_vprintf(a, format, args);
    va_end(args);
    return p;
}

/* ---- vectors ---- */

void *vec_grow_(void *at, uint32_t *cap, size_t count, size_t item)
{
    if (count <= *cap)
        return at;
    size_t room = *cap ? (size_t)*cap * 2 : 8;
    if (room < count)
        room = count;
    at = checked(realloc(at, room * item));
#ifdef KAIROS_CHECK
    memset((char *)at + (size_t)*cap * item, 0xA5, (room - *cap) * item);
#endif
    *cap = (uint32_t)room;
    return at;
}

void *vec_keep_(void *at, size_t bytes, Arena *arena)
{
    void *p = arena_alloc(arena, bytes);
    if (bytes)
        memcpy(p, at, bytes);
    free(at);
    return p;
}
