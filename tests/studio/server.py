"""The studio's server."""
import json, math, os, signal, socket, subprocess, sys, time, urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Studio, run_tests, start, wait_for
from program import KAIROS, write

BALL = """model Ball "a ball"
  parameter Real e(min=0, max=1) = 0.7 "restitution";
  Real h(start=1, fixed=true, unit="m") "height";
  Real v(start=0, fixed=true, unit="m/s");
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime=2));
end Ball;
"""
ENDLESS = """model Endless
  Real x(start=0, fixed=true), y(start=1, fixed=true);
equation
  der(x) = 1e3*y;
  der(y) = -1e3*x;
  annotation(experiment(StopTime=1e9));
end Endless;
"""


def workspace():
    write("ws/Ball.mo", BALL)
    write("ws/Endless.mo", ENDLESS)
    write("ws/lib/package.mo", "package lib end lib;\n")
    write("outside/Secret.mo", "model Secret end Secret;\n")
    os.symlink("../outside/Secret.mo", "ws/Link.mo")
    os.symlink("../outside", "ws/away")


# ---- access ----


def test_port_zero_is_any_free_port():
    studio = Studio(".", "--port", "0")
    try:
        assert studio.port > 0 and studio.request("GET", "/")[0] == 200
    finally:
        studio.process.terminate()
        studio.process.wait(10)
    p = subprocess.run(
        [KAIROS, "studio", "--port", "65536"], capture_output=True, text=True, timeout=10
    )
    assert p.returncode == 2 and "0 to 65535" in p.stderr, p.stderr


def test_page_and_cookie():
    status, headers, body = studio.request("GET", "/?token=" + studio.token, token=False)
    assert status == 200 and "text/html" in headers["content-type"] and b"<html" in body, (
        status,
        headers,
    )
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie, cookie
    assert "script-src 'self'" in headers["content-security-policy"]
    pair = cookie.split(";")[0]
    assert (
        studio.request("GET", "/api/state", headers={"Cookie": "a=b; " + pair}, token=False)[0]
        == 200
    )
    assert studio.request("GET", "/", headers={"Cookie": pair}, token=False)[0] == 200
    assert (
        studio.request("GET", "/api/state", headers={"Cookie": pair[:-1] + "0g"}, token=False)[0]
        == 403
    )


def test_token_is_needed():
    for path in (
        "/",
        "/?token=",
        "/?token=" + "0" * 32,
        "/api/state",
        "/api/file?path=Ball.mo",
        "/api/state?token=" + studio.token,
        "/api/none",
    ):
        status, _, body = studio.request("GET", path, token=False)
        assert status == 403 and b"token" in body, (path, status, body)
    for given in (
        "Bearer " + "0" * 32,
        "Bearer",
        "Bearer " + studio.token + "0",
        "Basic " + studio.token,
    ):
        assert (
            studio.request("GET", "/api/state", headers={"Authorization": given}, token=False)[0]
            == 403
        )
    assert studio.request("PUT", "/api/file", b"{}", token=False)[0] == 403


def ask(head, method="GET", path="/api/state"):
    text = "%s %s HTTP/1.1\r\nAuthorization: Bearer %s\r\n%sConnection: close\r\n\r\n" % (
        method,
        path,
        studio.token,
        head,
    )
    return int(studio.raw(text).split(b" ", 2)[1])


def test_host_and_origin():
    assert ask("Host: %s\r\n" % studio.host) == 200
    assert ask("Host: localhost:%d\r\n" % studio.port) == 200
    for host in (
        "evil.example",
        "evil.example:%d" % studio.port,
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost",
        "",
    ):
        assert ask("Host: %s\r\n" % host) in (400, 403), host
    assert ask("") in (400, 403)
    assert ask("Host: %s\r\nHost: evil.example\r\n" % studio.host) in (400, 403)
    assert ask("Host: %s\r\nOrigin: http://%s\r\n" % (studio.host, studio.host)) == 200
    for origin in (
        "http://evil.example",
        "https://" + studio.host,
        "null",
        "http://localhost:%d" % studio.port,
        "http://127.0.0.1",
    ):
        assert ask("Host: %s\r\nOrigin: %s\r\n" % (studio.host, origin)) == 403, origin


def test_only_the_loopback():
    with open("/proc/%d/net/tcp" % studio.process.pid) as f:
        lines = [l.split() for l in f.read().splitlines()[1:]]
    places = [l[1] for l in lines if l[3] == "0A" and int(l[1].split(":")[1], 16) == studio.port]
    assert places == ["0100007F:%04X" % studio.port], places


# ---- malformed requests ----


def test_malformed():
    head = "Host: %s\r\nAuthorization: Bearer %s\r\n" % (studio.host, studio.token)
    for text in (
        "\r\n\r\n",
        "GET\r\n\r\n",
        "nonsense\r\n\r\n",
        "GET /api/state HTTP/9.9\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "GET /" + "a" * 100000 + " HTTP/1.1\r\n" + head + "\r\n",
        "GET / HTTP/1.1\r\n" + "X: y\r\n" * 20000 + "\r\n",
        "POST /api/check HTTP/1.1\r\n" + head + "Content-Length: -5\r\n\r\n",
        "POST /api/check HTTP/1.1\r\n" + head + "Content-Length: 99999999999999999999\r\n\r\n",
        "POST /api/check HTTP/1.1\r\n" + head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    ):
        try:
            with socket.create_connection(("127.0.0.1", studio.port), timeout=0.5) as s:
                s.sendall(text.encode())
                s.shutdown(socket.SHUT_WR)
                answer = s.recv(1000)
        except OSError:
            answer = b""
        assert answer == b"" or int(answer.split(b" ")[1]) >= 400, (text[:60], answer[:100])
    assert studio.get("/api/state")["version"]


def test_bodies():
    for body in (
        b"",
        b"{",
        b"[1]",
        b"3",
        b'{"a":',
        b"{} {}",
        b"\xff\xfe",
        b'"x"',
        b"[" * 5000,
        b'{"path":"a\\u0000b"}',
    ):
        status, _, answer = studio.request("POST", "/api/stop", body)
        assert status in (400, 404) and json.loads(answer)["error"], (body, status, answer)
    status, _, answer = studio.request("POST", "/api/stop", b"{" + b" " * 300000 + b"}")
    assert status == 413, status
    text = (
        "POST /api/check HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length:"
        " 20000000\r\n\r\n" % (studio.host, studio.token)
    )
    assert b" 413 " in studio.raw(text).split(b"\r\n")[0] + b" "
    for body in (
        {},
        {"model": "x"},
        {"model": -1},
        {"model": 1e99},
        {"model": None},
        {"model": [1]},
    ):
        assert studio.call("POST", "/api/run", body)[0] == 410, body
    for body in (
        {"path": 3, "text": "x"},
        {"path": "a.mo"},
        {"path": "a.mo", "text": 5},
        {"text": "x"},
    ):
        assert studio.call("PUT", "/api/file", body)[0] == 400, body
    assert studio.call("GET", "/api/nothing")[0] == 404
    assert studio.call("POST", "/api/state", {})[0] == 405
    assert studio.call("GET", "/api/data?run=x")[0] == 404
    assert studio.call("GET", "/api/file?path=Ball.mo%00.mo")[0] == 400


def test_chunked_body():
    with socket.create_connection(("127.0.0.1", studio.port), timeout=10) as s:
        s.sendall(
            (
                "POST /api/check HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer"
                " %s\r\nTransfer-Encoding: chunked\r\n\r\n" % (studio.host, studio.token)
            ).encode()
        )
        body = json.dumps({"path": "Ball.mo", "text": BALL})
        for i in range(0, len(body), 100):
            part = body[i : i + 100].encode()
            s.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        s.sendall(b"0\r\n\r\n")
        assert b" 200 " in studio.receive(s).split(b"\r\n")[0] + b" "


def test_slow_and_dropped():
    head = "POST /api/check HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n" % (
        studio.host,
        studio.token,
    )
    slow = []
    for i in range(30):
        s = socket.create_connection(("127.0.0.1", studio.port), timeout=5)
        s.sendall((head + "Content-Length: 100\r\n\r\n{").encode()[: 20 + 7 * i])
        slow.append(s)
    assert studio.get("/api/state")["version"], "slow connections keep others waiting"
    for s in slow:
        s.close()
    for _ in range(30):
        s = socket.create_connection(("127.0.0.1", studio.port))
        body = json.dumps({"path": "Ball.mo", "text": BALL})
        s.sendall((head + "Content-Length: %d\r\n\r\n" % len(body) + body).encode())
        s.close()
    for _ in range(10):
        studio.events().close()
    assert studio.get("/api/state")["version"]


def test_many_connections():
    many = []
    for _ in range(150):
        s = socket.create_connection(("127.0.0.1", studio.port), timeout=20)
        many.append(s)
    text = "GET /api/layout HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n" % (
        studio.host,
        studio.token,
    )
    for s in many:
        s.sendall(text.encode())
    for s in many:
        assert b" 200 " in studio.receive(s).split(b"\r\n")[0] + b" "
    for s in many:
        s.close()


# ---- files ----


def test_files():
    paths = [f["path"] for f in studio.get("/api/files")]
    assert paths == ["Ball.mo", "Endless.mo", "lib/package.mo"], paths
    file = studio.get("/api/file", path="Ball.mo")
    assert file["text"] == BALL and not file["read_only"]
    status, answer = studio.call(
        "PUT", "/api/file", {"path": "New.mo", "text": "model New end New;\n", "base": None}
    )
    assert status == 200, answer
    assert open("ws/New.mo").read() == "model New end New;\n"
    os.chmod("ws/New.mo", 0o640)
    status, again = studio.call(
        "PUT", "/api/file", {"path": "New.mo", "text": "other", "base": None}
    )
    assert (
        status == 409
        and again["text"] == "model New end New;\n"
        and again["hash"] == answer["hash"]
    ), again
    status, answer = studio.call(
        "PUT", "/api/file", {"path": "New.mo", "text": "model N2 end N2;\n", "base": answer["hash"]}
    )
    assert status == 200 and os.stat("ws/New.mo").st_mode & 0o777 == 0o640, answer
    write("ws/New.mo", "model Edited end Edited;\n")
    status, again = studio.call(
        "PUT", "/api/file", {"path": "New.mo", "text": "x", "base": answer["hash"]}
    )
    assert (
        status == 409 and "Edited" in again["text"] and "another program" in again["error"]
    ), again
    assert studio.call("PUT", "/api/file", {"path": "New.mo", "text": "x", "base": "*"})[0] == 200
    assert (
        studio.call("PUT", "/api/file", {"path": "sub/deep/Two.mo", "text": "x", "base": None})[0]
        == 200
    )
    assert studio.call("DELETE", "/api/file?path=New.mo")[0] == 200 and not os.path.exists(
        "ws/New.mo"
    )
    assert studio.call("DELETE", "/api/file?path=sub/deep/Two.mo")[0] == 200
    assert [f for f in os.listdir("ws") if f.startswith(".")] == []


def test_confinement():
    outside = os.path.abspath("outside/Secret.mo")
    tricks = [
        "../outside/Secret.mo",
        outside,
        "lib/../../outside/Secret.mo",
        "./Ball.mo",
        "lib//package.mo",
        "/etc/passwd",
        "..",
        "",
        ".",
        "/",
        "Link.mo",
        "away/Secret.mo",
        ".hidden.mo",
        "lib/.mo",
        "Ball.mo/",
        "Ball.mo/x.mo",
        "notes.txt",
        "..\\x.mo",
        "%2e%2e/outside/Secret.mo",
        "....//x.mo",
        os.path.abspath("ws") + "/../outside/Secret.mo",
        "a" * 300 + ".mo",
        "/" * 50 + "x.mo",
        os.path.abspath("ws") + "x/y.mo",
    ]
    for path in tricks:
        for quoted in (
            urllib.parse.quote(path, safe=""),
            urllib.parse.quote(path, safe="/"),
            urllib.parse.quote(path),
        ):
            status, answer = studio.call("GET", "/api/file?path=" + quoted)
            assert status in (400, 403, 404), (path, status, answer)
        if "%" in path:  # in JSON a name like any other
            continue
        status, answer = studio.call(
            "PUT", "/api/file", {"path": path, "text": "gotcha", "base": "*"}
        )
        assert status in (400, 403), (path, status, answer)
        status, answer = studio.call("DELETE", "/api/file?path=" + urllib.parse.quote(path))
        assert status in (400, 403, 404) or path == "Link.mo", (path, status, answer)
        if not path or status == 404:
            continue
        status, answer = studio.call("POST", "/api/check", {"path": path, "text": "model X end X;"})
        assert status == 403 or path in ("Link.mo", "away/Secret.mo", "Ball.mo/x.mo"), (
            path,
            status,
            answer,
        )
    assert "Secret" in open("outside/Secret.mo").read() and os.listdir("outside") == ["Secret.mo"]
    assert not os.path.exists("notes.txt")
    for call, body in (
        ("/api/model", {"path": "Link.mo"}),
        ("/api/equations", {"path": "Link.mo"}),
    ):
        status, answer = studio.call("POST", call, body)
        assert status == 422 and "Secret" not in json.dumps(answer.get("class", "")), (
            call,
            status,
            answer,
        )
    write("ws/Latin.mo", "")
    open("ws/Latin.mo", "wb").write(b'model L "\xe9" end L;')
    assert studio.call("GET", "/api/file?path=Latin.mo")[0] == 415
    os.unlink("ws/Latin.mo")


def test_changes_on_disk():
    events = studio.events()
    write("ws/Fresh.mo", "model Fresh end Fresh;\n")
    assert events.wait("file", path="Fresh.mo")["hash"]
    os.unlink("ws/Fresh.mo")
    assert events.wait("file", path="Fresh.mo")["hash"] is None
    studio.call(
        "PUT", "/api/file", {"path": "Own.mo", "text": "model Own end Own;\n", "base": None}
    )
    write("ws/Ball2.mo", "model Ball2 end Ball2;\n")
    name, data = "", {}
    while name != "file":
        name, data = events.next()
    assert data["path"] == "Ball2.mo", "what the studio writes itself is told as a change"
    events.close()
    os.unlink("ws/Own.mo")
    os.unlink("ws/Ball2.mo")


def test_layout():
    assert studio.get("/api/layout") is None
    assert studio.call("PUT", "/api/layout", {"panes": [1, "ä"]})[0] == 200
    assert studio.get("/api/state")["layout"] == {"panes": [1, "ä"]}
    assert studio.request("PUT", "/api/layout", b"{nonsense")[0] == 400
    assert studio.request("PUT", "/api/layout", b'"' + b"x" * 300000 + b'"')[0] == 413


# ---- check ----


def test_check():
    answer = studio.post("/api/check", path="Ball.mo", text=BALL)
    assert answer["diagnostics"] == [] and answer["model"] == "Ball", answer
    assert [
        (c["name"], c["kind"], c["line"], c["end_line"], c["model"]) for c in answer["classes"]
    ] == [("Ball", "model", 1, 12, True)]
    wrong = BALL.replace("der(h) = v", "der(h) = vv")
    answer = studio.post("/api/check", path="Ball.mo", text=wrong)
    d = answer["diagnostics"][0]
    assert (d["severity"], d["path"], d["line"], d["column"], d["end_column"]) == (
        "error",
        "Ball.mo",
        6,
        12,
        14,
    ), d
    answer = studio.post("/api/check", path="Ball.mo", text="model Ball Real x equation end Ball;")
    assert (
        answer["diagnostics"][0]["severity"] == "error" and answer["diagnostics"][0]["line"] == 1
    ), answer
    two = "model A Real x = y; end A;\nmodel B Real x = z; end B;\n"
    lines = [d["line"] for d in studio.post("/api/check", path="Two.mo", text=two)["diagnostics"]]
    assert sorted(lines) == [1, 2], lines
    other = [{"path": "Other.mo", "text": "model Other Real q = 1; end Other;"}]
    answer = studio.post(
        "/api/check",
        path="Uses.mo",
        text="model Uses extends Other; Real p = q; end Uses;",
        open=other,
    )
    assert answer["diagnostics"] == [], answer
    answer = studio.post("/api/check", path="Uses.mo", text="model Uses extends Ball; end Uses;")
    assert answer["diagnostics"] == [], "a file of the workspace is not found: %s" % answer
    local = "model Outer\n  model Inner Real x = 1; end Inner;\n  Inner i;\nend Outer;\n"
    answer = studio.post("/api/check", path="Local.mo", text=local)
    assert answer["diagnostics"] == [] and answer["model"] == "Outer", answer
    assert [(c["name"], c["model"]) for c in answer["classes"]] == [
        ("Outer", True),
        ("Outer.Inner", False),
    ], answer
    answer = studio.post(
        "/api/check",
        path="F.mo",
        text="package F function g input Real x; output Real y = x; end g; end F;",
    )
    assert answer["diagnostics"] == [] and answer["model"] is None, answer


# ---- models and runs ----


def test_model():
    m = studio.compile(BALL)
    assert m["class"] == "Ball" and m["description"] == "a ball" and m["experiment"]["stop"] == 2
    e = m["parameters"][0]
    assert (
        e["name"],
        e["value"],
        e["min"],
        e["max"],
        e["description"],
        e["type"],
        e["path"],
        e["line"],
    ) == ("e", 0.7, 0, 1, "restitution", "Real", "M.mo", 2), e
    assert [(x["name"], x["value"], x["unit"]) for x in m["starts"]] == [
        ("h.start", 1, "m"),
        ("v.start", 0, "m/s"),
    ]
    assert {"h": "state", "e": "parameter", "der(v)": "derivative"}.items() <= {
        v["name"]: v["kind"] for v in m["variables"]
    }.items()
    status, answer = studio.call(
        "POST",
        "/api/model",
        {"path": "W.mo", "open": [{"path": "W.mo", "text": "model W Real x = y; end W;"}]},
    )
    assert status == 422 and answer["diagnostics"][0]["line"] == 1, answer
    assert studio.call("POST", "/api/model", {"class": "No.Such"})[0] == 422


def test_run():
    m = studio.compile(BALL)
    r = studio.run(m, settings={"e": 0.5, "h.start": 2}, watch=["h"])
    assert r["status"] == "done" and r["names"] == ["time", "h"] and r["columns"][1][0] == 2, r
    log = studio.get("/api/eventlog", run=r["run"])
    t = (2 * 2 / 9.81) ** 0.5
    assert abs(log["events"][0]["time"] - t) < 1e-6, log
    trigger = log["events"][0]["triggers"][0]
    assert (trigger["path"], trigger["line"], trigger["text"]) == ("M.mo", 8, "h <= 0"), trigger
    assert log["total"] == r["events"]
    data = studio.get("/api/data", run=r["run"], names="h;v;nonsense", points=50)
    assert data["names"] == ["time", "h", "v"] and data["units"] == ["s", "m", "m/s"], data["names"]
    times, h, v = data["columns"]
    assert len(times) == len(h) == len(v) < data["rows"] and max(h) == 2 and min(h) > -1e-6
    jump = [
        i for i in range(1, len(times)) if times[i] == times[i - 1] and abs(times[i] - t) < 1e-6
    ]
    assert jump and abs(v[jump[0]] + 0.5 * v[jump[0] - 1]) < 1e-3, "the jump is lost"
    part = studio.get("/api/data", run=r["run"], names="h", points=0, **{"from": 0.5, "to": 0.6})
    assert 0.45 < part["columns"][0][0] <= 0.5 and 0.6 <= part["columns"][0][-1] < 0.65
    kinds = {x["name"]: x for x in studio.get("/api/variables", run=r["run"])}
    assert kinds["e"]["value"] == 0.5 and kinds["h"]["unit"] == "m"
    state = [x for x in studio.get("/api/state")["runs"] if x["run"] == r["run"]][0]
    assert (
        state["status"] == "done"
        and state["settings"] == {"e": 0.5, "h.start": 2}
        and state["stop"] == 2
    ), state
    assert studio.call("DELETE", "/api/run?id=%d" % r["run"])[0] == 200
    assert studio.call("GET", "/api/data?run=%d" % r["run"])[0] == 404


def test_run_errors():
    m = studio.compile(BALL)
    r = studio.run(m, settings={"nonsense": 1})
    assert r["status"] == "failed" and "nonsense" in r["message"], r
    r = studio.run(m, solver="nonsense")
    assert r["status"] == "failed" and "nonsense" in r["message"], r
    r = studio.run(m, stop=-1)
    assert r["status"] in ("failed", "done"), r
    r = studio.run(m)
    assert r["status"] == "done", r


def test_events_of_a_run():
    events = studio.events()
    m = studio.compile(BALL)
    run = studio.post("/api/run", model=m["model"], keep=True, watch=["h"])["run"]
    assert events.wait("run", run=run)["status"] == "running"
    rows = events.wait("rows", run=run)
    assert (
        rows["names"] == ["time", "h"]
        and rows["from"] == 0
        and len(rows["columns"][0]) == len(rows["columns"][1])
    )
    end = events.wait("end", run=run)
    assert end["status"] == "done" and end["stats"]["seconds"] > 0 and end["diagnostics"] == [], end
    events.close()


def test_stop_and_progress():
    events = studio.events()
    m = studio.compile(ENDLESS)
    run = studio.post("/api/run", model=m["model"], keep=True, watch=["x"])["run"]
    p = events.wait("progress", run=run)
    assert p["time"] > 0 and p["stop"] == 1e9 and p["rate"] > 0 and p["steps"] > 0, p
    studio.post("/api/stop", run=run)
    assert events.wait("end", run=run)["status"] == "stopped"
    r = studio.post("/api/run", model=m["model"], stop=0.001, wait=20000)
    assert r["status"] == "done", "the model is not used again after a stop: %s" % r
    events.close()


def test_slider():
    m = studio.compile(BALL)
    start, frames = time.monotonic(), 40
    for i in range(frames):
        r = studio.post(
            "/api/run",
            model=m["model"],
            settings={"e": 0.5 + 0.01 * i},
            watch=["h"],
            wait=5000,
            points=500,
        )
        assert r["status"] == "done"
    seconds = time.monotonic() - start
    assert seconds / frames < 0.2, "%.1f ms a frame" % (1e3 * seconds / frames)
    kept = [x for x in studio.get("/api/state")["runs"] if x["model"] == m["model"]]
    assert len(kept) == 1, kept
    endless = studio.compile(ENDLESS)
    first = studio.post("/api/run", model=endless["model"])["run"]
    r = studio.post("/api/run", model=endless["model"], stop=0.001, wait=20000)
    assert r["status"] == "done" and studio.call("GET", "/api/data?run=%d" % first)[0] == 404, r


def test_structural_setting():
    m = studio.compile(
        "model S parameter Integer n = 2; Real x[n](each start=1, each fixed=true); equation der(x)"
        " = -x; end S;"
    )
    r = studio.run(m, settings={"n": 3}, watch=["x[3]"])
    assert r["names"] == ["time", "x[3]"] and abs(r["columns"][1][-1] - 0.3678794) < 1e-4, r[
        "message"
    ]
    r = studio.run(m, settings={"n": 2}, watch=["x[3]", "x[2]"])
    assert r["names"] == ["time", "x[2]"], r["names"]


# ---- crashes and limits ----


def test_crash_of_a_run():
    other = studio.compile(BALL)
    before = studio.children()
    m = studio.compile(ENDLESS)
    run = studio.post("/api/run", model=m["model"], keep=True)["run"]
    events = studio.events()
    victims = [p for p in studio.children() if p not in before]
    assert len(victims) == 1, victims
    os.kill(victims[0], signal.SIGABRT)
    end = events.wait("end", run=run)
    assert end["status"] == "crashed" and "crash" in end["message"], end
    assert studio.run(other)["status"] == "done"
    assert studio.call("POST", "/api/run", {"model": m["model"]})[0] == 410
    events.close()


def test_crash_of_the_fork_server():
    server = min(studio.children())
    os.kill(server, signal.SIGKILL)
    wait_for(
        lambda: studio.call("POST", "/api/check", {"path": "Ball.mo", "text": BALL})[0] == 200,
        "no fork server any more",
    )


def test_limits():
    small = Studio("ws", "--limit-seconds", "1", "--limit-result", "1")
    m = small.compile(ENDLESS)
    r = small.run(m)
    assert r["status"] == "limit" and "--limit-seconds" in r["message"], r
    r = small.run(m, stop=1, intervals=1000000)
    assert r["status"] == "limit" and "--limit-result" in r["message"] and r["rows"] > 1000, (
        r["status"],
        r["message"],
    )
    assert small.run(m, stop=0.001)["status"] == "done"
    assert small.get("/api/state")["limits"] == {
        "seconds": 1,
        "bytes": 1 << 20,
        "memory": 4096 << 20,
    }
    assert small.stop() == 0


def test_columns_without_news_take_no_room():
    """Aliases, and variables that rest, would make this result nine times as large as its limit."""
    small = Studio("ws", "--limit-result", "1")
    m = small.compile(
        "model Many Real x(start = 1, fixed = true); Real y[300] = fill(-x, 300); "
        "Real z[300](each start = 2, each fixed = true); "
        "equation der(x) = -x; der(z) = fill(if time < 2 then 0 else 1, 300); end Many;"
    )
    r = small.run(m, stop=1, intervals=2000, tolerance=1e-8)
    assert r["status"] == "done" and r["rows"] >= 2001, (r["status"], r["message"], r["rows"])
    names = ["x", "y[1]", "y[300]", "z[7]", "der(z[7])"]
    data = small.get("/api/data", run=r["run"], names=";".join(names), points=0)
    time, x, first, last, z, slope = data["columns"]
    error = max(abs(v - math.exp(-t)) for t, v in zip(time, x))
    assert error < 1e-5, error
    assert first == last == [-v for v in x], "y"
    assert set(z) == {2} and set(slope) == {0}, "z"
    assert small.stop() == 0


def test_differences_of_runs():
    """Left limits meet left limits at a common event; beyond the other run there is no value."""
    m = studio.compile(
        "model D parameter Real a = 1; Real y = a*time + (if time >= 1 then a else 0); end D;"
    )
    one = studio.run(m, stop=2, intervals=4)["run"]
    two = studio.run(m, stop=3, intervals=6, settings={"a": 3})["run"]
    data = studio.get("/api/data", run=two, names="y", points=0, minus=one)
    times, values = data["columns"]
    assert times.count(1) == 2, times
    expected = [2 * t if t < 1 or (t == 1 and i == times.index(1)) else 2 * t + 2
                for i, t in enumerate(times)]
    for t, value, exact in zip(times, values, expected):
        assert value is None if t > 2 else abs(value - exact) < 1e-12, (t, value, exact)
    assert max(times) == 3
    status, answer = studio.call("PUT", "/api/run", {"run": one, "about": 7})
    assert status == 400, answer
    studio.call("PUT", "/api/run", {"run": one, "about": {"name": "first"}})
    runs = {row["run"]: row["about"] for row in studio.get("/api/state")["runs"]}
    assert runs[one] == {"name": "first"} and runs[two] == {}, runs


def test_analyses_of_a_model_that_is_gone():
    for body, expected in (({"model": 99, "kind": "steady"}, 410), ({"kind": "steady"}, 410)):
        status, answer = studio.call("POST", "/api/analysis", body)
        assert status == expected and "compile it again" in answer["error"], answer
    m = studio.compile("model M Real x(start = 1, fixed = true); equation der(x) = -2*x; end M;")
    status, answer = studio.call("POST", "/api/analysis", {"model": m["model"], "kind": "magic"})
    assert status == 400 and "linearize" in answer["error"], answer
    answer = studio.post("/api/analysis", model=m["model"], kind="linearize")
    assert answer["ok"] and answer["result"]["A"] == [[-2]] and "<svg" in answer["poles"], answer
    data = "t,x\n0,1\n"
    answer = studio.post("/api/analysis", model=m["model"], kind="fit", data=data, parameters=[])
    assert not answer["ok"] and answer["diagnostics"], answer


def test_eighty_thousand_events():
    """Marks, modes and curves are true at every zoom, from the first event to the last."""
    step, n = 1e-5, 80000
    m = studio.compile(
        "model Pulses Integer k(start = 0, fixed = true); "
        "Boolean odd(start = false, fixed = true); "
        "Real since = time - start; discrete Real start(start = 0, fixed = true); equation "
        "when sample(0, 1e-5) then k = pre(k) + 1; odd = not pre(odd); start = time; end when; "
        "end Pulses;"
    )
    stop = (n - 0.5) * step
    r = studio.run(m, wait=60000, stop=stop, intervals=10)
    assert r["status"] == "done" and r["events"] == n, (r["status"], r["events"])
    run = r["run"]
    for first in (0, n // 2, n - 60):
        here = [i * step for i in range(first, min(first + 50, n))]
        view = {"from": here[0] - step / 4, "to": here[-1] + step / 4}
        marks = studio.get("/api/marks", run=run, points=2000, **view)
        assert len(marks) == len(here), (first, len(marks))
        assert all(abs(a - b) < 1e-9 * step + 1e-15 for a, b in zip(marks, here)), first
        lane = {x["name"]: x["spans"] for x in
                studio.get("/api/lanes", run=run, points=2000, **view)["lanes"]}["odd"]
        for i, t in enumerate(here):
            at = t + step / 2
            values = [v for a, b, v in lane if a <= at < b]
            assert values == [(first + i) % 2 == 0], (first, i, values)
        data = studio.get("/api/data", run=run, names="k;since", points=2000, **view)
        times, k, since = data["columns"]
        for t, x, y in zip(times, k, since):
            phase = t / step - (x - 1) if x else 0  # before the first event
            assert 0 <= y <= step * (1 + 1e-9) and abs(phase - y / step) < 1e-6, (t, x, y)
    marks = studio.get("/api/marks", run=run, points=1000)
    assert 900 < len(marks) < 1100 and marks[-1] > 0.99 * stop, (len(marks), marks[-1])
    lanes = studio.get("/api/lanes", run=run, points=1000)
    assert abs(lanes["until"] - stop) < step and lanes["lanes"]
    for lane in lanes["lanes"]:
        assert lane["spans"][-1][1] <= stop * (1 + 1e-12), lane["spans"][-1]


def test_memory():
    with open(KAIROS, "rb") as f:
        if b"__asan_init" in f.read():
            return  # which cannot be limited
    small = Studio("ws", "--limit-memory", "300")
    m = small.compile(
        "model H Real x = f(time); function f input Real u; output Real y; protected Real a[:]; "
        "algorithm a := fill(u, integer(1e8)); y := sum(a); end f; end H;"
    )
    r = small.run(m)
    assert r["status"] == "failed" and "memory" in r["message"], r
    assert small.stop() == 0


# ---- start and end ----


def test_port_in_use():
    p = subprocess.run(
        [KAIROS, "studio", "--no-open", "--port", str(studio.port), "--workspace", "ws"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=30,
    )
    assert (
        p.returncode == 2 and p.stdout == b"" and b"another program uses this port" in p.stderr
    ), p
    for options in (
        ["--workspace", "nowhere"],
        ["--bind", "example.org"],
        ["nowhere.mo"],
        ["--port", "70000"],
    ):
        p = subprocess.run(
            [KAIROS, "studio", "--no-open", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=30,
        )
        assert p.returncode == 2 and p.stdout == b"" and b"kairos: " in p.stderr, (options, p)


def test_files_of_the_command_line():
    for arguments, place, opened in (
        (["ws/Ball.mo", "ws/lib/package.mo"], "ws", ["Ball.mo", "lib/package.mo"]),
        (["ws/lib"], "ws/lib", []),
        (["--workspace", "ws", "ws/Ball.mo", "outside/Secret.mo"], "ws", ["Ball.mo"]),
    ):
        p = start([KAIROS, "studio", "--no-open", *arguments])
        port, token = p.stdout.readline().decode().strip().split("127.0.0.1:")[1].split("/?token=")
        other = Studio.__new__(Studio)
        other.process, other.port, other.token = p, int(port), token
        state = other.get("/api/state")
        assert state["workspace"] == os.path.abspath(place) and state["open"] == opened, state
        assert other.stop() == 0


def test_end():
    for how in (signal.SIGINT, signal.SIGTERM):
        other = Studio("ws")
        m = other.compile(ENDLESS)
        other.post("/api/run", model=m["model"], keep=True)
        events = other.events()
        assert other.stop(how) == 0, other.errors
        assert other.errors == "", other.errors
        events.close()
    killed = Studio("ws")
    killed.post("/api/run", model=killed.compile(ENDLESS)["model"], keep=True)
    killed.stop(signal.SIGKILL)
    left = [f for f in os.listdir(".") if f.startswith("kairos-results-%d-" % killed.process.pid)]
    assert left, "results were elsewhere"
    assert Studio("ws").stop() == 0 and not os.path.exists(
        left[0]
    ), "what a killed studio left is not removed"
    assert [f for f in os.listdir(".") if f.startswith("kairos-results-%d-" % studio.process.pid)]


run_tests(workspace, "--limit-seconds", "20")
