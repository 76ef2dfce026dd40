"""The studio under load, on this machine: many clients at once, slow readers, connections that stay
half open, runs that are started and stopped, requests of random bytes. Afterwards the studio
answers at once, has no process too many, and its memory and descriptors are those of before.

usage: load.py KAIROS [--seconds S] [--clients N] [--seed N]"""
import argparse, concurrent.futures, json, os, random, socket, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "studio"))

BALL = """model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then reinit(v, -0.8*pre(v)); end when;
end Ball;
"""
OPEN = [{"path": "Ball.mo", "text": BALL}]


def size(pid):
    """Megabytes of memory and number of descriptors."""
    with open("/proc/%d/statm" % pid) as f:
        pages = int(f.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6, len(os.listdir("/proc/%d/fd" % pid))


def ask(studio, rng):
    """One request as a page sends it; the answer must be one of these."""
    kind = rng.randrange(8)
    if kind == 0:
        return studio.request("GET", "/api/state")[0] == 200
    if kind == 1:
        body = json.dumps({"path": "Ball.mo", "open": OPEN})
        # 409: a later check has replaced this one
        return studio.request("POST", "/api/check", body)[0] in (200, 409, 503)
    if kind == 2:
        return studio.request("GET", "/")[0] in (200, 304, 503)
    if kind == 3:
        return studio.request("GET", "/api/state", token=False)[0] in (401, 403)
    if kind == 4:
        return b"HTTP/1.1 4" in studio.raw(b"GET /api/state HTTP/1.1\r\nHost: evil.example\r\n\r\n")
    if kind == 5:
        start_and_stop(studio)
        return True
    if kind == 6:
        path = "/" + "".join(rng.choice("./%a0\\") for _ in range(rng.randint(1, 60)))
        return studio.request("GET", path)[0] < 500
    with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as s:
        s.sendall(bytes(rng.randrange(256) for _ in range(rng.randint(1, 300))))
        return True


def start_and_stop(studio):
    status, model = studio.call("POST", "/api/model", {"path": "Ball.mo", "open": OPEN})
    if status != 200:
        return
    status, run = studio.call("POST", "/api/run", {"model": model["model"], "stop": 1e6})
    if status == 200:
        studio.call("POST", "/api/stop", {"run": run["run"]})
        studio.call("DELETE", "/api/run?id=%d" % run["run"])
    studio.call("DELETE", "/api/model?id=%d" % model["model"])


def settled(studio, before):
    """The size when connections have ended, at the latest after the server's time limit."""
    end = time.monotonic() + 90
    while size(studio.process.pid)[1] > before[1] + 10 and time.monotonic() < end:
        time.sleep(0.5)
    return size(studio.process.pid)


def slow_readers(studio, n):
    """Connections that send a part of a request and wait."""
    sockets = []
    for _ in range(n):
        s = socket.create_connection(("127.0.0.1", studio.port), timeout=20)
        s.sendall(b"GET /api/state HTTP/1.1\r\nHost: ")
        sockets.append(s)
    return sockets


def client_work(studio, seed, until):
    rng, n, bad = random.Random(seed), 0, 0
    while time.monotonic() < until:
        try:
            ok = ask(studio, rng)
        except (OSError, ValueError) as x:
            ok = isinstance(x, (ConnectionError, socket.timeout))  # refused beyond its limit
        n += 1
        bad += not ok
    return n, bad


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos")
    ap.add_argument("--seconds", type=float, default=20)
    ap.add_argument("--clients", type=int, default=50)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    sys.argv = [sys.argv[0], os.path.abspath(args.kairos)]
    import client

    with tempfile.TemporaryDirectory(prefix="kairos-load-") as folder:
        os.chdir(folder)
        os.mkdir("work")
        studio = client.Studio("work")
        warm = time.monotonic() + args.seconds / 4
        client_work(studio, 0, warm)
        before = size(studio.process.pid)
        held = slow_readers(studio, 20)
        until = time.monotonic() + args.seconds
        with concurrent.futures.ThreadPoolExecutor(args.clients) as pool:
            jobs = [
                pool.submit(client_work, studio, args.seed * 1000 + k, until)
                for k in range(args.clients)
            ]
            results = [j.result() for j in jobs]
        for s in held:
            s.close()
        begin = time.monotonic()
        studio.get("/api/state")
        answer = time.monotonic() - begin
        after = settled(studio, before)
        status = studio.stop()
        os.chdir("/")
    requests, bad = (sum(r[k] for r in results) for k in (0, 1))
    flat = after[0] <= before[0] + 20 and after[1] <= before[1] + 10
    if not flat:
        print("memory and descriptors grew: %s, then %s" % (before, after))
    if status:
        print("the studio ended with status %d" % status)
    print(
        "%d requests by %d clients, %d wrong answers; memory %.0f to %.0f MB, descriptors %d to %d"
        % (requests, args.clients, bad, before[0], after[0], before[1], after[1])
    )
    return 1 if bad or status or not flat or answer > 5 else 0


if __name__ == "__main__":
    sys.exit(main())
