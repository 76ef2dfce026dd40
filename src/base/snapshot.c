/* See snapshot.h. */
#include "base/snapshot.h"

void snapshot_free(Snapshot *p)
{
    if (!p->reading)
        memory_free(p->at);
    *p = (Snapshot){0};
}

static void put(Snapshot *p, const void *data, size_t n)
{
    if (p->cap - p->n < n) {
        size_t cap = p->cap + n + p->cap / 2 + 256;
        cap = cap < p->room ? p->room : cap;
        p->at = memory_grow(p->at, p->cap, cap);
        p->cap = cap;
    }
    memcpy(p->at + p->n, data, n);
    p->n += n;
}

void snapshot_bytes(Snapshot *p, void *data, size_t n)
{
    if (!n)
        return;
    if (!p->reading) {
        put(p, data, n);
        return;
    }
    p->bad |= p->n - p->next < n;
    if (p->bad) {
        memset(data, 0, n);
        return;
    }
    memcpy(data, p->at + p->next, n);
    p->next += n;
}

void snapshot_bools(Snapshot *p, void *data, size_t n)
{
    uint8_t *bytes = data;
    snapshot_bytes(p, data, n);
    for (size_t i = 0; p->reading && i < n; i++) {
        p->bad |= bytes[i] > 1;
        bytes[i] &= 1;
    }
}

void snapshot_expect(Snapshot *p, uint64_t value)
{
    uint64_t found = value;
    snapshot_value(p, found);
    p->bad |= found != value;
}

uint32_t snapshot_count(Snapshot *p, uint32_t n, uint32_t most)
{
    snapshot_value(p, n);
    p->bad |= n > most;
    return p->bad ? 0 : n;
}

void snapshot_fitting(Snapshot *p, void *data, size_t n, size_t size)
{
    size_t saved = snapshot_items(p, n, size), common = saved < n ? saved : n;
    snapshot_bytes(p, data, common * size);
    if (p->reading && !p->bad)
        p->next += (saved - common) * size;
}

size_t snapshot_items(Snapshot *p, size_t n, size_t size)
{
    snapshot_value(p, n);
    p->bad |= p->reading && n > (p->n - p->next) / size;
    return p->bad ? 0 : n;
}
