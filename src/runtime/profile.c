/* See profile.h. */
#include "runtime/internal.h"

#include "base/clock.h"

#include <stdlib.h>

enum { MOST_CALLS = 1 << 14 };

Profile *profile_new(void)
{
    Profile *p = calloc(1, sizeof *p);
    ProfileCall *at = calloc(MOST_CALLS, sizeof *at);
    if (p == NULL || at == NULL) {
        free(p);
        free(at);
        return NULL;
    }
    *p = (Profile){.at = at, .n = 1, .cap = MOST_CALLS};
    at[0] = (ProfileCall){.kind = PROFILE_RUN, .calls = 1, .began = clock_now()};
    return p;
}

void profile_free(Profile *p)
{
    if (p != NULL) {
        free(p->at);
        free(p);
    }
}

static bool is_call_of(const ProfileCall *c, ProfileKind kind, uint32_t item)
{
    return c->kind == kind && c->item == item;
}

/* Searches from the child after the last one called: most sequences repeat. 0: none. */
static uint32_t find_child(const Profile *p, ProfileKind kind, uint32_t item)
{
    const ProfileCall *c = &p->at[p->now];
    uint32_t begin =
        c->recent != 0 && p->at[c->recent].next != 0 ? p->at[c->recent].next : c->first;
    for (uint32_t i = begin; i != 0; i = p->at[i].next) {
        if (is_call_of(&p->at[i], kind, item)) {
            return i;
        }
    }
    for (uint32_t i = c->first; i != begin; i = p->at[i].next) {
        if (is_call_of(&p->at[i], kind, item)) {
            return i;
        }
    }
    return 0;
}

static uint32_t add_child(Profile *p, ProfileKind kind, uint32_t item)
{
    ProfileCall *parent = &p->at[p->now];
    if (p->n == p->cap || parent->depth == PROFILE_DEPTH) {
        return 0;
    }
    uint32_t i = p->n++;
    p->at[i] =
        (ProfileCall){.kind = kind, .item = item, .parent = p->now, .depth = parent->depth + 1};
    if (parent->last != 0) {
        p->at[parent->last].next = i;
    } else {
        parent->first = i;
    }
    parent->last = i;
    return i;
}

void profile_begin(Profile *p, ProfileKind kind, uint32_t item)
{
    uint32_t i = p->omitted == 0 ? find_child(p, kind, item) : 0;
    if (i == 0 && p->omitted == 0) {
        i = add_child(p, kind, item);
    }
    if (i == 0) {
        p->omitted++;
        return;
    }
    p->at[p->now].recent = i;
    p->now = i;
    p->at[i].calls++;
    p->at[i].began = clock_now();
}

void profile_end(Profile *p)
{
    if (p->omitted != 0) {
        p->omitted--;
        return;
    }
    ProfileCall *c = &p->at[p->now];
    c->seconds += clock_now() - c->began;
    p->now = c->parent;
}

void profile_close(Profile *p)
{
    p->omitted = 0;
    while (p->now != 0) {
        profile_end(p);
    }
    p->at[0].seconds = clock_now() - p->at[0].began;
}

/* ---- runtimes ---- */

void runtime_profile(Runtime *rt, Profile *p, const uint32_t *blocks)
{
    rt->profile = p;
    rt->profiled = blocks;
}

void kr_enter(ModelData *m, int function)
{
    profile_enter(runtime_of(m)->profile, PROFILE_FUNCTION, (uint32_t)function);
}

void kr_leave(ModelData *m)
{
    profile_leave(runtime_of(m)->profile);
}
