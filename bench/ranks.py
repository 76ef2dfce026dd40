#!/usr/bin/env python3
"""bench/ranks.py [PROCESSES POINTS SECONDS]: a study with many processes of MPI, simulated.
mpirun -n 4 bench/ranks.py --measure: measures the constants of the simulation on this machine.

The hand-out of study/mpi.c as a queue: process 0 answers one machine after another; a machine asks
when all points of its range were taken. Journals are created by one server of the file system, one
after another. Prints the efficiency, requests, the load of process 0 and the time of the merge."""
import ctypes, heapq, os, random, statistics, sys, tempfile, time

ANSWER = 14e-6  # seconds of process 0 for a request
SEEN = 1e-3  # until the machine has its answer
JOURNAL = 60e-6  # creation of a journal on a local disk
COMMON_JOURNAL = 2e-3  # the same on a common file system: an assumption
MERGE = 9e-6  # reading and writing a point at the end
CORES = 64  # processes of a machine
SHARE, MOST = 4, 4096  # as in study/mpi.c


def simulate(ranks, points, seconds, journal, seed=1):
    draw = random.Random(seed)
    next_point, server, busy, requests, end = 0, 0.0, 0.0, 0, 0.0
    machines = -(-ranks // CORES)
    workers = ranks / machines
    # the journals of a machine are made at once, those of all machines one after another
    queue = [(journal * workers * (i + 1), i) for i in range(machines)]
    heapq.heapify(queue)
    while queue:
        at, machine = heapq.heappop(queue)
        server = max(server, at) + ANSWER
        busy += ANSWER
        requests += 1
        left = points - next_point
        share = min(left, min(MOST, left // (ranks * SHARE) or 1) * int(workers))
        if not share:
            continue
        next_point += share
        # the sum of `share` run times that vary by half of their mean
        work = max(share * seconds + draw.gauss(0, 0.5 * seconds * share**0.5), share * seconds / 4)
        done = server + SEEN + work / workers
        end = max(end, done + seconds)  # the last point of a range runs while others are taken
        heapq.heappush(queue, (done, machine))
    ideal = points * seconds / ranks
    return ideal / end, end, requests, busy / end, points * MERGE


def tabulate(cases):
    heads = "ranks", "points", "s each", "efficiency", "seconds", "requests", "rank 0", "merge"
    for name, journal in ("disk as here", JOURNAL), ("common file system", COMMON_JOURNAL):
        print("journals on a %s, %g ms each" % (name, 1e3 * journal))
        print("%8s %12s %8s %11s %10s %10s %14s %10s" % heads)
        for ranks, points, seconds in cases:
            row = simulate(int(ranks), int(points), seconds, journal)
            print("%8d %12d %8g %11.3f %10.1f %10d %14.4f %10.1f" % (ranks, points, seconds, *row))


# ---- measurement ----


class Mpi:
    """The calls of study/mpi.c, through ctypes."""

    def __init__(self):
        self.lib = ctypes.CDLL("libmpi.so.40", ctypes.RTLD_GLOBAL)
        self.world = ctypes.byref(ctypes.c_char.in_dll(self.lib, "ompi_mpi_comm_world"))
        self.bytes = ctypes.byref(ctypes.c_char.in_dll(self.lib, "ompi_mpi_byte"))
        self.lib.MPI_Init(None, None)
        self.data, self.status = (ctypes.c_char * 16)(), (ctypes.c_int * 8)()
        self.flag, rank, size = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.lib.MPI_Comm_rank(self.world, ctypes.byref(rank))
        self.lib.MPI_Comm_size(self.world, ctypes.byref(size))
        self.rank, self.size = rank.value, size.value

    def probe(self, source, tag):
        self.lib.MPI_Iprobe(source, tag, self.world, ctypes.byref(self.flag), self.status)
        return self.flag.value

    def receive(self, source, tag, n):
        self.lib.MPI_Recv(self.data, n, self.bytes, source, tag, self.world, self.status)

    def send(self, to, tag, n):
        self.lib.MPI_Send(self.data, n, self.bytes, to, tag, self.world)


def serve(mpi, n):
    """Answers n requests; the seconds of each."""
    taken = []
    while len(taken) < n:
        while True:
            begin = time.perf_counter()
            if not mpi.probe(-1, 1):
                break
            source = mpi.status[0]
            mpi.receive(source, 1, 4)
            mpi.send(source, 2, 16)
            taken.append(time.perf_counter() - begin)
        time.sleep(200e-6)
    return taken


def ask(mpi, n):
    trips = []
    for _ in range(n):
        begin = time.perf_counter()
        mpi.send(0, 1, 4)
        while not mpi.probe(0, 2):
            time.sleep(200e-6)
        mpi.receive(0, 2, 16)
        trips.append(time.perf_counter() - begin)
        time.sleep(1e-3)
    return trips


def create_journals(n=300):
    taken = []
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for i in range(n):
            begin = time.perf_counter()
            file = os.open(os.path.join(folder, "%d.points" % i), os.O_WRONLY | os.O_CREAT)
            os.write(file, bytes(96))
            taken.append(time.perf_counter() - begin)
            os.close(file)
    return taken


def measure():
    """Medians, so that other programs on the machine count little."""
    mpi, n = Mpi(), 500
    taken = serve(mpi, n * (mpi.size - 1)) if not mpi.rank else ask(mpi, n)
    median = lambda name, x: print("%-38s %6.1f us" % (name, 1e6 * statistics.median(x)))
    if mpi.rank == 0:
        median("ANSWER: process 0 for a request", taken)
        median("JOURNAL: creation on this disk", create_journals())
    elif mpi.rank == 1:
        median("SEEN: from the question to the answer", taken)
    sys.stdout.flush()
    mpi.lib.MPI_Finalize()


def main():
    if sys.argv[1:] == ["--measure"]:
        measure()
        return
    given = [float(x) for x in sys.argv[1:]]
    tabulate([tuple(given)] if len(given) == 3 else [
        (r, p, s) for r in (100, 1000, 10000) for p, s in ((10**6, 1e-3), (10**8, 1e-3), (10**6, 1))
    ])


main()
