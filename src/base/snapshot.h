/* A snapshot: bytes to which a state is written, and from which it is read again.
 *
 * One function per part of a state serves both directions: it passes each value to snapshot_bytes,
 * which writes it or fills it in. So what is written and what is read cannot differ. A snapshot is
 * read by the version that wrote it, on the same kind of machine: values have their form in memory.
 */
#ifndef BASE_SNAPSHOT_H
#define BASE_SNAPSHOT_H

#include "base/memory.h"

typedef struct Snapshot {
    bool reading;
    uint8_t *at; /* owned while writing */
    size_t n, cap;
    size_t room; /* writing: bytes that are expected */
    size_t next; /* reading: the next byte */
    bool bad;    /* reading: it ended too early, or does not fit; values are zero from then on */
} Snapshot;

void snapshot_free(Snapshot *p);
void snapshot_bytes(Snapshot *p, void *data, size_t n);
/* A number that must be the same when it is read: otherwise the snapshot is bad. */
void snapshot_expect(Snapshot *p, uint64_t value);
/* A count that is at most `most` when it is read; else the snapshot is bad and it is 0. */
uint32_t snapshot_count(Snapshot *p, uint32_t n, uint32_t most);
/* A count of the items of this size that follow. Reading checks that the bytes exist. */
size_t snapshot_items(Snapshot *p, size_t n, size_t size);
/* n items of this size, of which the reader may have more or fewer: further ones stay, or are left
 * out. */
void snapshot_fitting(Snapshot *p, void *data, size_t n, size_t size);

/* Bytes of bools. When they are read, other values than 0 and 1 make the snapshot bad. */
void snapshot_bools(Snapshot *p, void *data, size_t n);

#define SNAPSHOT_OF(value) _Generic((value), bool : snapshot_bools, default : snapshot_bytes)
#define snapshot_value(p, value) SNAPSHOT_OF(value)((p), &(value), sizeof(value))
#define snapshot_array(p, array, n)                                                                \
    SNAPSHOT_OF (*(array))((p), (array), (size_t)(n) * sizeof *(array))

#endif
