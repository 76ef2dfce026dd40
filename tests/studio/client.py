"""The studio as its tests call it: the real program, over sockets."""
import atexit, http.client, json, os, re, signal, socket, subprocess, sys, time, urllib.parse

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS


def start(command, **more):
    """A process that ends with the tests in any case."""
    p = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
    )
    atexit.register(lambda: p.poll() is None and p.kill())
    return p


class Studio:
    """A studio that serves a folder; a call is a method, a path and a body, and answers a status
    and JSON."""

    def __init__(self, workspace, *options):
        env = dict(os.environ, XDG_STATE_HOME=os.path.abspath("state"), TMPDIR=os.path.abspath("."))
        env.pop("XDG_RUNTIME_DIR", None)
        self.process = start(
            [KAIROS, "studio", "--no-open", "--workspace", workspace, *options], env=env
        )
        self.address = self.process.stdout.readline().decode().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", self.address)
        if not match:
            self.process.wait(10)
            raise AssertionError(
                "first line %r, then %s" % (self.address, self.process.stderr.read().decode())
            )
        self.port, self.token = int(match[1]), match[2]
        self.host = "127.0.0.1:%d" % self.port

    def raw(self, text, timeout=20):
        """Sends bytes as they are and returns everything until the server closes or is silent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as s:
            s.sendall(text if isinstance(text, bytes) else text.encode())
            return self.receive(s)

    @staticmethod
    def receive(s):
        answer = b""
        while True:
            head, _, body = answer.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: *(\d+)", head, re.I)
            if _ and length and len(body) >= int(length[1]):
                break
            part = s.recv(65536)
            if not part:
                break
            answer += part
        return answer

    def request(self, method, path, body=None, headers=None, token=True):
        """Status, headers, bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        given = {"Authorization": "Bearer " + self.token} if token else {}
        given.update(headers or {})
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        result = answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), answer.read()
        connection.close()
        return result

    def call(self, method, path, body=None):
        status, _, answer = self.request(method, path, None if body is None else json.dumps(body))
        return status, json.loads(answer)

    def get(self, path, /, **arguments):
        status, answer = self.call(
            "GET", path + ("?" + urllib.parse.urlencode(arguments) if arguments else "")
        )
        assert status == 200, (path, arguments, status, answer)
        return answer

    def post(self, path, /, **body):
        status, answer = self.call("POST", path, body)
        assert status == 200, (path, status, answer)
        return answer

    def compile(self, text, path="M.mo", **more):
        return self.post("/api/model", path=path, open=[{"path": path, "text": text}], **more)

    def run(self, model, wait=20000, **more):
        """A run to its end."""
        return self.post("/api/run", model=model["model"], wait=wait, keep=True, **more)

    def events(self):
        return Events(self)

    def children(self):
        """Pids of all processes below the server."""
        pids, found = [self.process.pid], []
        while pids:
            pid = pids.pop()
            try:
                with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
                    below = [int(p) for p in f.read().split()]
            except OSError:
                below = []
            pids += below
            found += below
        return found

    def stop(self, how=signal.SIGTERM):
        """Exit status; nothing may be left behind."""
        children = self.children()
        self.process.send_signal(how)
        status = self.process.wait(20)
        wait_for(lambda: not any(alive(p) for p in children), "processes are left behind")
        self.errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return status


class Events:
    """The stream of server-sent events."""

    def __init__(self, studio):
        self.socket = socket.create_connection(("127.0.0.1", studio.port), timeout=20)
        self.socket.sendall(
            (
                "GET /api/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
                % (studio.host, studio.token)
            ).encode()
        )
        self.file = self.socket.makefile("rb")
        assert b"200" in self.file.readline()
        while self.file.readline().strip():
            pass
        self.buffer = b""
        assert self.next()[0] == "hello"

    def next(self):
        """Name and data of the next event; chunks of the transfer are put together."""
        while b"\n\n" not in self.buffer:
            size = self.file.readline()
            assert size, "the stream has ended"
            self.buffer += self.file.read(int(size, 16))
            self.file.readline()
        text, _, self.buffer = self.buffer.partition(b"\n\n")
        name, data = text.decode().split("\n", 1)
        return name[len("event: ") :], json.loads(data[len("data: ") :])

    def wait(self, name, **match):
        """The next event of that name with these values; earlier ones are dropped."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            got, data = self.next()
            if got == name and all(data.get(k) == v for k, v in match.items()):
                return data
        raise AssertionError("no event " + name)

    def close(self):
        self.socket.close()
        self.file.close()


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().split(")")[-1].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def run_tests(workspace, *options):
    """Runs the functions test_… of the script. Each has a folder and a studio of its own;
    `workspace` writes the files that the studio serves. The script reaches the studio as
    `studio`."""
    script = sys.modules["__main__"]

    def before():
        workspace()
        script.studio = Studio("ws", *options)

    def after():
        assert script.studio.stop() == 0 and script.studio.errors == "", script.studio.errors

    program.run_tests(before, after)
