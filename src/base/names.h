/* Interned names and hash maps. Two names are equal if their pointers are equal. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/memory.h"

typedef const char *Name; /* NUL-terminated, lives as long as its Names */

typedef struct Names Names;

Names *names_new(void);
void names_free(Names *t);
Name name_intern(Names *t, const char *s, size_t n);
Name name_of(Names *t, const char *s);                   /* s NUL-terminated */
Name name_find(const Names *t, const char *s, size_t n); /* NULL if it was never interned */

/* The distance below which a name is suggested for another one. Names of one letter have none. */
unsigned name_suggestion_limit(const char *name);
/* Edit distance for suggestions; at most `limit` + 1. Names that differ only in upper and lower
 * case have distance 0. */
unsigned name_distance(const char *a, const char *b, unsigned limit);

/* Map from 64-bit keys to 32-bit values, open addressing. A zeroed Map is empty. */
typedef struct Map {
    /* size cap; stored as key + 1, so that 0 means free; the key ~0 is not allowed */
    uint64_t *keys;
    uint32_t *vals;  /* size cap */
    uint32_t n, cap; /* cap is a power of two */
} Map;

enum { MAP_NONE = UINT32_MAX };
/* No variable, no equation, no index. */
enum { NONE = UINT32_MAX };

uint32_t map_get(const Map *m, uint64_t key); /* MAP_NONE if absent */
void map_put(Map *m, uint64_t key, uint32_t val);
void map_clear(Map *m);
void map_free(Map *m);

static inline uint64_t map_key(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}
static inline uint64_t map_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

/* A good mixing step for hand-made hash tables. */
static inline uint64_t hash_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

#endif
