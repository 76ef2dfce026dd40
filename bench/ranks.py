#!/usr/bin/env python3
"""bench/ranks.py [RANKS] [POINTS] [SECONDS]: a study with many MPI processes, simulated.

The hand-out of study/mpi.c as a queue: process 0 answers one request after another; a process asks
when its range is done. The constants are measured with 2 to 8 processes on one machine
(docs/studies.md). Prints the efficiency, requests, the load of process 0 and the time of the merge.
"""
import heapq, random, sys

ANSWER = 15e-6  # seconds of process 0 for a request
POLL = 300e-6  # mean delay until an answer is seen
JOURNAL = 2e-3  # creation of a file by one metadata server, one after another
MERGE = 9e-6  # reading and writing a point at the end
SHARE, MOST = 4, 4096  # as in study/mpi.c


def simulate(ranks, points, seconds, seed=1):
    draw = random.Random(seed)
    next_point, server, busy, requests = 0, 0.0, 0.0, 0
    queue = [(JOURNAL * (i + 1), i) for i in range(ranks)]
    heapq.heapify(queue)
    end = 0.0
    while queue:
        at, rank = heapq.heappop(queue)
        server = max(server, at) + ANSWER
        busy += ANSWER
        requests += 1
        left = points - next_point
        share = min(MOST, left // (ranks * SHARE) or (1 if left else 0))
        if not share:
            continue
        next_point += share
        # the sum of `share` run times that vary by half of their mean
        work = max(share * seconds + draw.gauss(0, 0.5 * seconds * share**0.5), share * seconds / 4)
        done = server + POLL + work
        end = max(end, done)
        heapq.heappush(queue, (done, rank))
    ideal = points * seconds / ranks
    return ideal / end, end, requests, busy / end, points * MERGE


def main():
    given = [float(x) for x in sys.argv[1:]]
    cases = [tuple(given)] if len(given) == 3 else [
        (r, p, s) for r in (100, 1000, 10000) for p, s in ((10**6, 1e-3), (10**8, 1e-3), (10**6, 1))
    ]
    heads = "ranks", "points", "s each", "efficiency", "seconds", "requests", "rank 0", "merge"
    print("%8s %12s %8s %11s %10s %10s %14s %10s" % heads)
    for ranks, points, seconds in cases:
        efficiency, end, requests, load, merge = simulate(int(ranks), int(points), seconds)
        print("%8d %12d %8g %11.3f %10.1f %10d %14.4f %10.1f" % (
            ranks, points, seconds, efficiency, end, requests, load, merge))


main()
