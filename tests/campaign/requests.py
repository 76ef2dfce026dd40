"""Requests that no page of the studio sends: every route with fields of the wrong kind, names that
climb out of the workspace, deep and long bodies, damaged JSON and damaged framing. The studio
answers each of them with a status that is no failure of its own, reveals and changes nothing
outside its workspace, and lives.

usage: requests.py KAIROS [--count N] [--seconds S] [--seed N]"""
import argparse, glob, json, os, random, re, socket, sys, tempfile, time, urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "..", "studio"))

SECRET = "the-secret-of-another-folder"
MODEL = """model Ball
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then reinit(v, -e*pre(v)); end when;
end Ball;
"""
TEXTS = [
    "", "Ball", "Ball.mo", "h", "v", "e", "der(h)", "../secret.txt", "/etc/passwd", "link.txt",
    "a/../../secret.txt", "..", ".", "Ball.mo/..", "NUL\0byte", "\ud83d\ude00", "é" * 40,
    "%s%n%d", "'}*/ x'", '"; system("x"); "', "A" * 5000, "modelica://Ball/../../secret.txt",
    "1e400", "linearize", "steady", "fit", "csv", "svg", "png", "mat", "time", "cvode",
    "h; end Ball; model X", "file:///etc/passwd",
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 0.5, 1e18, -1e18, 1e308, 2**31, 2**63, -(2**63), 1e-320, 3]


def routes():
    """Methods and paths, from the table of the studio, but for the stream, which does not end."""
    with open(os.path.join(TOP, "studio", "routes.c")) as f:
        table = re.findall(r'\{"([A-Z]+)", "(/api/[a-z]+)"', f.read())
    return [route for route in table if route[1] != "/api/events"]


def fields():
    """Names of the fields and arguments that the studio looks for."""
    names = set()
    for file in glob.glob(os.path.join(TOP, "studio", "*.c")):
        with open(file) as f:
            names.update(
                re.findall(r'(?:json_[a-z]+|request_arg)\([^"()]*, ?"([A-Za-z]+)"', f.read())
            )
    return sorted(names - {"token"})


class Maker:
    """Makes random requests from a seed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.routes, self.fields = routes(), fields()
        self.ids = {"model": 1, "run": 1}  # the last that the studio named

    def value(self, depth=0):
        r = self.rng
        kind = r.randrange(10 if depth < 4 else 6)
        if kind < 3:
            return r.choice(TEXTS)
        if kind < 5:
            return r.choice(NUMBERS)
        if kind == 5:
            return r.choice([None, True, False])
        if kind == 6:
            return [self.value(depth + 1) for _ in range(r.randrange(4))]
        if kind == 7:
            return [{"path": "Ball.mo", "text": MODEL}]
        return {n: self.value(depth + 1) for n in r.sample(self.fields, r.randrange(6))}

    def body(self):
        r = self.rng
        o = {"path": "Ball.mo", "open": [{"path": "Ball.mo", "text": MODEL}], "stop": 1, **self.ids}
        for name in r.sample(self.fields, r.randrange(8)):
            o[name] = self.value()
        for name in r.sample(sorted(o), r.randrange(3)):
            del o[name]
        text = json.dumps(o)
        kind = r.randrange(12)
        if kind == 0:  # damaged
            at = r.randrange(len(text))
            return text[:at] + r.choice(['"', "}", "[", "\\", "\0", "nul", ""]) + text[at + 1 :]
        if kind == 1:
            return r.choice(["[" * 20000, '{"a":' * 5000, "", "null", "[]", "7", '"' * 9])
        return text

    def query(self):
        r = self.rng
        given = {n: r.choice(TEXTS + NUMBERS) for n in r.sample(self.fields, r.randrange(4))}
        usual = {"names": "h,v", "variables": "h", "path": "Ball.mo", "class": "Ball", **self.ids}
        for name, value in {"id": self.ids["run"], **usual}.items():
            if r.randrange(3):
                given.setdefault(name, value)
        return {k: str(v).encode("utf-8", "replace") for k, v in given.items()}

    def next(self):
        method, path = self.rng.choice(self.routes)
        query = urllib.parse.urlencode(self.query())
        body = self.body() if method in ("POST", "PUT") else ""
        return method, path + ("?" + query if query else ""), body

    def learn(self, answer):
        """Takes the number of a new model or run from an answer."""
        for name in self.ids:
            match = re.match(rb'\{"%s": ?(\d+)' % name.encode(), answer)
            if match:
                self.ids[name] = int(match[1])


FRAMES = [
    b"POST /api/check HTTP/1.1\r\n%sContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    b"POST /api/check HTTP/1.1\r\n%sContent-Length: 5\r\nContent-Length: 50\r\n\r\n{}",
    b"POST /api/check HTTP/1.1\r\n%sContent-Length: -1\r\n\r\n{}",
    b"POST /api/check HTTP/1.1\r\n%sContent-Length: 99999999999999999999\r\n\r\n{}",
    b"POST /api/check HTTP/1.1\r\n%sTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
    b"GET /api/state HTTP/1.1\r\n%sHost: evil.example\r\n\r\n",
    b"GET /api/state HTTP/9.9\r\n%s\r\n",
    b"GET http://evil.example/api/state HTTP/1.1\r\n%s\r\n",
    b"GET /api/file?path=%%2e%%2e%%2fsecret.txt HTTP/1.1\r\n%s\r\n",
    b"GET /..%%2fsecret.txt HTTP/1.1\r\n%s\r\n",
    b"GET /" + b"a" * 70000 + b" HTTP/1.1\r\n%s\r\n",
    b"GET /api/state HTTP/1.1\r\n%sX: " + b"b" * 70000 + b"\r\n\r\n",
]


def send_frame(studio, frame):
    """Sends damaged framing; what the server answers within two seconds."""
    head = "Host: %s\r\nAuthorization: Bearer %s\r\n" % (studio.host, studio.token)
    answer = b""
    with socket.create_connection(("127.0.0.1", studio.port), timeout=2) as s:
        try:
            s.sendall(frame % head.encode())
            while part := s.recv(65536):
                answer += part
        except (socket.timeout, ConnectionError):
            pass
    return answer


def prepare():
    os.mkdir("work")
    with open("secret.txt", "w") as f:
        f.write(SECRET)
    os.symlink("../secret.txt", "work/link.txt")


def put_model():
    """The model of the workspace, which a request may have changed or deleted."""
    with open("work/Ball.mo", "w") as f:
        f.write(MODEL)


def outside():
    """Files beside the workspace, with their contents."""
    own = {"work", "state"}
    return {n: open(n, "rb").read() for n in os.listdir(".") if n not in own and os.path.isfile(n)}


def wrong(request, status, answer):
    if SECRET.encode() in answer:
        return "%s reveals a file of another folder" % (request,)
    if status >= 500 and status not in (503, 505):  # busy; another version of HTTP
        return "%s: status %d: %s" % (request, status, answer[:200])
    return None


def try_all(studio, maker, count, until):
    found, n = [], 0
    while n < count and time.monotonic() < until:
        if n % 20 == 0:
            put_model()
        if n % 50 == 49:
            request = maker.rng.choice(FRAMES)
            answer = send_frame(studio, request)
            status = int(answer[9:12]) if answer[:5] == b"HTTP/" else 0
        else:
            request = maker.next()
            try:
                body = request[2].encode("utf-8", "surrogatepass")
                status, _, answer = studio.request(request[0], request[1], body or None)
                maker.learn(answer)
            except OSError as x:
                status, answer = 599, str(x).encode()
        n += 1
        text = wrong(str(request)[:600], status, answer)
        if text:
            found.append(text)
        if studio.process.poll() is not None:
            found.append("the studio ended after %s" % str(request)[:600])
            break
    return n, found


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kairos")
    ap.add_argument("--count", type=int, default=10**9)
    ap.add_argument("--seconds", type=float, default=1e9)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    sys.argv = [sys.argv[0], os.path.abspath(args.kairos)]
    import client

    with tempfile.TemporaryDirectory(prefix="kairos-requests-") as folder:
        os.chdir(folder)
        prepare()
        before = outside()
        studio = client.Studio("work")
        n, found = try_all(studio, Maker(args.seed), args.count, time.monotonic() + args.seconds)
        status = studio.stop()
        if outside() != before:
            found.append("files outside the workspace have changed: %s" % sorted(outside()))
        os.chdir("/")
    if status:
        found.append("the studio ended with status %d" % status)
    print("".join(line + "\n" for line in found) + "%d requests, %d findings" % (n, len(found)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
