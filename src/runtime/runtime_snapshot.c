/* The state of a runtime: what later solutions depend on beside the values of variables. Factors of
 * Jacobians are not part of it. */
#include "base/snapshot.h"
#include "runtime/internal.h"

static void snapshot_block(Block *b, Snapshot *p)
{
    snapshot_expect(p, b->n);
    double **values[] = {&b->good, &b->last_good, &b->base};
    for (int i = 0; i < 3; i++) {
        snapshot_array(p, *values[i], b->n);
    }
    snapshot_value(p, b->good_time);
    snapshot_value(p, b->last_time);
    snapshot_value(p, b->base_time);
    snapshot_value(p, b->has_good);
    snapshot_value(p, b->has_last);
    snapshot_value(p, b->has_base);
    snapshot_value(p, b->stats);
}

void runtime_snapshot(Runtime *rt, Snapshot *p)
{
    snapshot_expect(p, rt->code->n_blocks);
    for (uint32_t i = 0; i < rt->code->n_blocks; i++) {
        snapshot_block(&rt->blocks[i], p);
    }
    snapshot_value(p, rt->stats);
    snapshot_array(p, rt->held, rt->n_relations);
    rt->n_warned = snapshot_count(p, rt->n_warned, WARNING_LIMIT);
    snapshot_array(p, rt->warned, rt->n_warned);
    snapshot_array(p, rt->warned_text, rt->n_warned);
    strings_snapshot(rt, p);
    delays_snapshot(rt, p);
    transports_snapshot(rt, p);
}
