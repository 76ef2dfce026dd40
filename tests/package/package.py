"""The source archive and the Debian packages: package.py. Builds them, unpacks them, and uses the
installed files. Runs in an empty folder. Reports mistakes and exits with 1."""
import glob, gzip, os, re, shutil, subprocess, sys, tarfile, tempfile, urllib.request

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = ("kairos", "libkairos0", "libkairos-dev", "python3-kairos")
ROOT = os.path.join(os.getcwd(), "root")
KAIROS = os.path.join(ROOT, "usr/bin/kairos")
EXAMPLE = "Hybrid.Examples.Circuits.DiodeInductor"
failed = 0


def check(what, condition, more=""):
    global failed
    if not condition:
        failed += 1
        print("FAILED", what, more)


def run(*command, **more):
    """exit status and output of both channels"""
    p = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **more
    )
    return p.returncode, p.stdout.decode("utf-8", "replace")


def kairos(*arguments):
    """The program as installed, in an environment without a trace of the sources."""
    return run(KAIROS, *arguments, env={"PATH": "/usr/bin:/bin", "HOME": os.getcwd()}, timeout=120)


def installed(path):
    return os.path.join(ROOT, path)


def version():
    with open(os.path.join(TOP, "CMakeLists.txt")) as f:
        return re.search(r"project\(kairos VERSION ([\d.]+)", f.read())[1]


# ---- the source archive ----


def test_archive():
    rc, out = run("make", "-s", "-C", TOP, "dist")
    check("make dist", rc == 0, out)
    archive = os.path.join(TOP, "build-dist/kairos-%s.tar.gz" % version())
    with tarfile.open(archive) as f:
        names = f.getnames()
        page = f.extractfile("kairos-%s/studio/page/index.html" % version()).read()
    check("the archive has one folder", {n.split("/")[0] for n in names} == {"kairos-" + version()})
    for file in (
        "CMakeLists.txt",
        "Makefile",
        "LICENSE",
        "cli/commands.def",
        "studio/page/studio.js",
        "library/Hybrid/package.mo",
    ):
        check("the archive has " + file, "kairos-%s/%s" % (version(), file) in names)
    check(
        "the archive has no build folder",
        not any("/build" in n and n.count("/") == 1 for n in names),
    )
    check("the page is not the placeholder", b"studio.js" in page, page)
    with tarfile.open(archive) as f:
        f.extractall("source")
    tree = os.path.join("source", "kairos-" + version())
    tools = without("npm", "node", "nodejs", "git")
    rc, out = run(
        "cmake", "-S", tree, "-B", "source/build", "-G", "Ninja", env=dict(os.environ, PATH=tools)
    )
    check("the archive is configured without npm and git", rc == 0, out)
    with open("source/build/build.ninja") as f:
        rules = f.read()
    place = os.path.realpath(tree) + "/studio/"
    check("the build embeds the page of the archive", "-DFOLDER=" + place + "page" in rules)
    check("the build does not call npm", "-P " + place + "build/web.cmake" not in rules)


def without(*names):
    """A folder with all programs except these, for PATH."""
    folder = os.path.join(os.getcwd(), "tools")
    os.makedirs(folder, exist_ok=True)
    for place in reversed(os.environ["PATH"].split(":")):
        for program in os.listdir(place) if os.path.isdir(place) else ():
            if program not in names:
                link = os.path.join(folder, program)
                if os.path.lexists(link):
                    os.unlink(link)
                os.symlink(os.path.join(place, program), link)
    return folder


# ---- the packages ----


def unpack():
    rc, out = run("make", "-s", "-C", TOP, "deb")
    check("make deb", rc == 0, out)
    debs = sorted(glob.glob(os.path.join(TOP, "build-deb/*.deb")))
    names = [run("dpkg-deb", "-f", d, "Package")[1].strip() for d in debs]
    check("packages", sorted(names) == sorted(PACKAGES), names)
    for deb in debs:
        rc, out = run("dpkg-deb", "-x", deb, ROOT)
        check("unpack " + deb, rc == 0, out)
        check("version of " + deb, run("dpkg-deb", "-f", deb, "Version")[1].strip() == version())
    return debs


def test_lintian(debs):
    if not shutil.which("lintian"):
        return
    with tempfile.TemporaryDirectory(prefix="kairos-test-") as scratch:  # lintian leaves files
        _, out = run(
            "lintian",
            "--allow-root",
            "--fail-on",
            "none",
            *debs,
            env=dict(os.environ, TMPDIR=scratch)
        )
    told = [line for line in out.splitlines() if re.match("[EW]: ", line)]
    check("lintian", not told, "\n".join(told))


def test_libraries_opened_at_run_time(debs):
    """Each has a package that ours depend on."""
    needed = "".join(run("dpkg-deb", "-f", d, "Depends", "Recommends")[1] for d in debs)
    with open(KAIROS, "rb") as f:
        names = set(re.findall(r"lib[a-z]+\.so\.\d+", f.read().decode("latin-1")))
    linked = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", KAIROS)[1])
    found = 0
    for name in names - set(linked) - {"libmpi.so.40"}:  # MPI is there if mpirun is
        rc, out = run("dpkg", "-S", "*/" + name)
        if rc == 0:
            owner = out.split(":")[0]
            check(
                "%s of %s is in Depends" % (name, owner),
                re.search(r"\b%s\b" % owner, needed),
                needed,
            )
            found += 1
            check_version(owner, needed)
    check("libraries opened at run time", found >= 3, names)


def check_version(owner, needed):
    """The version that is declared has every function that the program looks for by name."""
    with open(KAIROS, "rb") as f:
        names = re.findall(rb"\0((?:zip|MHD|cairo|nlopt)_\w+)(?=\0)", f.read())
    called = {n.decode() for n in names}
    rc, table = run("dpkg-query", "--control-show", owner, "symbols")
    if rc:
        return  # the package does not say since when it has its functions
    since = [v for name, v in re.findall(r"(?m)^ (\w+)@\S+ (\S+)", table) if name in called]
    check("functions of " + owner, len(since) > 5, since)
    declared = re.search(r"\b%s \(>= ([^)]*)\)" % owner, needed)
    check("version of " + owner, declared, needed)
    for version in set(since) if declared else ():
        rc, _ = run("dpkg", "--compare-versions", declared[1], "ge", version)
        check("%s (>= %s) has functions since %s" % (owner, declared[1], version), rc == 0)


def test_archive_links(debs):
    """libkairos-dev brings what a program with libkairos.a is linked with."""
    needed = "".join(run("dpkg-deb", "-f", d, "Depends")[1] for d in debs if "-dev" in d)
    with open(glob.glob(installed("usr/lib/*/pkgconfig/kairos-static.pc"))[0]) as f:
        libraries = re.findall(r" -l(\w+)", f.read())
    check("libraries of the archive", "m" in libraries, libraries)
    for name in libraries:
        rc, out = run("dpkg", "-S", "*/lib%s.so" % name)
        owner = out.split(":")[0] if rc == 0 else "libc6-dev"
        check("%s for -l%s" % (owner, name), owner in needed + "libc6-dev", needed)


def test_files():
    for path in (
        "usr/bin/kairos",
        "usr/include/kairos.h",
        "usr/share/kairos/library/Hybrid/package.mo",
        "usr/share/bash-completion/completions/kairos",
        "usr/share/zsh/vendor-completions/_kairos",
        "usr/share/fish/vendor_completions.d/kairos.fish",
        "usr/share/applications/kairos.desktop",
        "usr/share/icons/hicolor/scalable/apps/kairos.svg",
        "usr/share/mime/packages/kairos.xml",
    ):
        check(path, os.path.exists(installed(path)))
    for name in PACKAGES:
        for file in ("copyright", "changelog.gz"):
            path = installed("usr/share/doc/%s/%s" % (name, file))
            check("%s of %s" % (file, name), os.path.exists(path))
    with gzip.open(installed("usr/share/doc/kairos/changelog.gz"), "rt") as f:
        check(
            "the changelog is that of this version",
            f.readline().startswith("kairos (%s)" % version()),
        )
    with open(KAIROS, "rb") as f:
        check("the program does not name the folder of the sources", TOP.encode() not in f.read())
    if shutil.which("desktop-file-validate"):
        rc, out = run("desktop-file-validate", installed("usr/share/applications/kairos.desktop"))
        check("desktop entry", rc == 0 and not out, out)


def test_copyright():
    """The notices name every package that is part of the studio's page."""
    with open(installed("usr/share/doc/kairos/copyright")) as f:
        files = " ".join(re.findall(r"(?m)^Files: (.*)$", f.read())).split()
    with open(os.path.join(TOP, "studio/web/package-lock.json")) as f:
        names = re.findall(r'"node_modules/@?([^"]+)"', f.read())
    parts = [n for n in names if not re.match("esbuild|types/", n)]  # tools for the build
    check("packages of the page", len(parts) > 10, names)
    for name in parts:
        some = {name.split("/")[0] + "/*", name.split("/")[-1] + "/*"}
        check("notice of " + name, some & set(files), files)


def test_manual():
    with open(os.path.join(TOP, "cli/commands.def")) as f:
        names = re.findall(r"^COMMAND\((\w+)\)", f.read(), re.M)
    for name in ["kairos"] + ["kairos-" + n for n in names]:
        check("page " + name, os.path.exists(installed("usr/share/man/man1/%s.1.gz" % name)))
    if shutil.which("man"):
        rc, out = run(
            "man",
            "-M",
            installed("usr/share/man"),
            "kairos-simulate",
            env=dict(os.environ, MANPAGER="cat"),
        )
        check("man kairos-simulate", rc == 0 and "--solver" in out, out)


def test_completion():
    script = (
        'source "$1"; COMP_WORDS=(kairos simulate --solver rk); COMP_CWORD=3; _kairos; '
        'echo "${COMPREPLY[*]}"'
    )
    rc, out = run(
        "bash", "-c", script, "bash", installed("usr/share/bash-completion/completions/kairos")
    )
    check("completion", rc == 0 and out.split() == ["rkf45", "rk4"], out)


def test_mime():
    shared = glob.glob("/usr/share/mime/packages/*.xml")
    if not (shutil.which("update-mime-database") and shutil.which("gio") and shared):
        return
    os.makedirs("data/mime/packages")
    for f in shared + [installed("usr/share/mime/packages/kairos.xml")]:
        shutil.copy(f, "data/mime/packages")
    run("update-mime-database", "data/mime")
    for name, text, kind in (
        ("a.mo", b"// a comment\nmodel A end A;\n", "text/x-modelica"),
        ("b.mo", b"within B;\n", "text/x-modelica"),
        ("c.mo", b"\xde\x12\x04\x95\0\0\0\0", "application/x-gettext-translation"),
        ("d.om", b"A ISA B", "text/x-omola"),
    ):
        with open(name, "wb") as f:
            f.write(text)
        _, out = run(
            "gio",
            "info",
            "-a",
            "standard::content-type",
            name,
            env=dict(
                os.environ, XDG_DATA_DIRS=os.path.abspath("data"), XDG_DATA_HOME="/nonexistent"
            ),
        )
        check("type of " + name, kind in out, out)


# ---- the installed program ----


def test_program():
    check("version", kairos("version") == (0, "kairos %s\n" % version()), kairos("version"))
    rc, out = kairos("lib", "path", "Hybrid")
    check(
        "the library Hybrid",
        rc == 0 and os.path.realpath(out.strip()).startswith(os.path.realpath(ROOT)),
        out,
    )
    rc, out = kairos("simulate", EXAMPLE, "--output", "r.csv", "--plot", "r.svg")
    check("simulate", rc == 0 and os.path.getsize("r.csv") > 1000, out)
    with open("r.svg") as f:
        check("plot", "<svg" in f.read())
    rc, out = kairos("plot", "r.csv", "-o", "r.png")
    check("picture", rc == 0 and os.path.getsize("r.png") > 1000, out)
    rc, out = kairos("report", EXAMPLE, "-o", "r.html")
    check("report", rc == 0 and os.path.getsize("r.html") > 10000, out)


def test_external_function():
    with open("Twice.mo", "w") as f:
        f.write(
            """model Twice
  function twice
    input Real x;
    output Real y;
    external "C" y = twice_of(x)
      annotation(Include = "static double twice_of(double x) { return 2*x; }");
  end twice;
  Real y = twice(time);
end Twice;
"""
        )
    rc, out = run(KAIROS, "simulate", "Twice.mo", env={"PATH": "/nonexistent", "HOME": os.getcwd()})
    check("without a C compiler the message names its package", rc == 1 and "gcc" in out, out)
    for compiler in ("tcc", "cc"):
        rc, out = kairos(
            "simulate",
            "Twice.mo",
            "--stop-time",
            "3",
            "--compiler",
            compiler,
            "--output",
            "twice.csv",
        )
        check("an external function, " + compiler, rc == 0, out)
        if rc == 0:
            with open("twice.csv") as f:
                check("its value", abs(float(f.read().split()[-1].split(",")[-1]) - 6) < 1e-12)


def test_library():
    """A program of a user, built and run with the packages."""
    with open("user.c", "w") as f:
        f.write(
            """#include <kairos.h>
int main(void)
{
    Kairos *k = kairos_open();
    kairos_use_libraries(k);
    KairosModel *m = kairos_compile_model(k, "%s", 0);
    kairos_free_model(m);
    kairos_close(k);
    return !m;
}
"""
            % EXAMPLE
        )
    places = glob.glob(installed("usr/lib/*/pkgconfig"))
    check("kairos.pc", len(places) == 1, places)
    place = "".join(places)
    env = dict(os.environ, PKG_CONFIG_PATH=place, LD_LIBRARY_PATH=os.path.dirname(place))
    rc, out = run("bash", "-c", "cc user.c $(pkg-config --cflags --libs kairos) -o user", env=env)
    check("a program is built with the library", rc == 0, out)
    if rc == 0:
        rc, out = run("./user", env=env)
        check("the program finds the library Hybrid", rc == 0, out)


def test_python():
    script = (
        "import kairos; m = kairos.Model('%s'); print(kairos.__file__, m.simulate().ok)" % EXAMPLE
    )
    env = {"PATH": "/usr/bin:/bin", "HOME": os.getcwd()}
    env["PYTHONPATH"] = installed("usr/lib/python3/dist-packages")
    rc, out = run("/usr/bin/python3", "-c", script, env=env)
    check("the Python package", rc == 0 and "True" in out and ROOT in out, out)


def test_studio():
    p = subprocess.Popen(
        [KAIROS, "studio", "--no-open"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin", "HOME": os.getcwd()},
    )
    try:
        address = p.stdout.readline().decode().strip()
        check("address of the studio", address.startswith("http://"), address)
        with urllib.request.urlopen(address, timeout=20) as answer:
            check("page of the studio", b"studio.js" in answer.read())
    finally:
        p.terminate()
        p.communicate(timeout=20)


def main():
    test_archive()
    debs = unpack()
    if failed == 0:
        test_lintian(debs)
        test_libraries_opened_at_run_time(debs)
        test_archive_links(debs)
        for test in (
            test_files,
            test_copyright,
            test_manual,
            test_completion,
            test_mime,
            test_program,
            test_external_function,
            test_library,
            test_python,
            test_studio,
        ):
            test()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
