"""library.py PROGRAM: installs the build of PROGRAM and uses it as another project would."""
import csv, glob, os, re, shutil, sys
from client import TOP, call, environment, example, files_of, library_folder, write

BUILD = os.path.dirname(os.path.abspath(sys.argv[1]))
HERE = os.getcwd()

FIND = """
#include <kairos.h>
#include <stdio.h>
#include <unistd.h>

/* Goes elsewhere first: the library must not depend on where it was loaded from. */
int main(void)
{
    if (chdir("/"))
        return 1;
    Kairos *k = kairos_open();
    kairos_use_libraries(k);
    char *place = kairos_find_library(k, "Hybrid", NULL);
    puts(place ? place : "none");
    kairos_free_text(place);
    KairosModel *m = kairos_compile_model(k, "Hybrid.Examples.Circuits.DiodeInductor", NULL);
    KairosRun run = {.size = sizeof run};
    int status = m ? kairos_simulate_model(m, &run) : kairos_compile_status(k);
    kairos_free_model(m);
    kairos_close(k);
    return status;
}
"""

CMAKE = """
cmake_minimum_required(VERSION 3.20)
project(use C)
find_package(Kairos 0.2 REQUIRED)
foreach(name ball find)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} Kairos::kairos)
  add_executable(${name}_static ${name}.c)
  target_link_libraries(${name}_static Kairos::kairos_static)
endforeach()
"""


def install(prefix, destdir=""):
    return call(
        ["make", "install", "BUILD=" + BUILD, "PREFIX=" + prefix, "DESTDIR=" + destdir],
        cwd=TOP,
        env=environment(),
    )


def check_advice(out, prefix):
    """Loader and pkg-config do not know this prefix; the installation says how they find it."""
    folder = library_folder(prefix)
    assert "LD_LIBRARY_PATH=" + folder in out, out
    assert "PKG_CONFIG_PATH=%s/pkgconfig" % folder in out, out


def needed(path):
    return re.findall(r"NEEDED.*\[(.*)\]", call(["readelf", "-d", path]))


def check_symbols(prefix):
    with open(os.path.join(prefix, "include/kairos.h")) as f:
        declared = set(re.findall(r"\b(kairos_\w+)\(", re.sub(r"(?s)/\*.*?\*/", "", f.read())))
    base = os.path.join(library_folder(prefix), "libkairos.")
    rows = call(["nm", "-D", "--defined-only", base + "so"]).splitlines()
    exported = {row.split()[-1] for row in rows}
    assert exported == declared, exported ^ declared
    rows = call(["nm", "-g", "--defined-only", base + "a"]).splitlines()
    assert {row.split()[-1] for row in rows if len(row.split()) == 3} == declared


def check_shared(prefix):
    folder = library_folder(prefix)
    assert os.readlink(folder + "/libkairos.so") == "libkairos.so.0"
    assert os.readlink(folder + "/libkairos.so.0") == "libkairos.so.0.2.0"
    facts = call(["readelf", "-d", folder + "/libkairos.so.0.2.0"])
    assert "Library soname: [libkairos.so.0]" in facts, facts
    assert "TEXTREL" not in facts and "RPATH" not in facts and "RUNPATH" not in facts, facts
    for foreign in needed(folder + "/libkairos.so.0.2.0"):
        assert not re.match("libsundials|libklu|libtcc", foreign), foreign


def check_ball(program, env):
    """Until the first impact the ball falls freely: h = 1 - 9.81/2 t^2, for t < 0.45 s."""
    if os.path.exists("ball.csv"):
        os.remove("ball.csv")
    call([program], env=env)
    with open("ball.csv") as f:
        rows = [(float(row["time"]), float(row["h"])) for row in csv.DictReader(f)]
    falling = [(t, h) for t, h in rows if t < 0.45]
    assert len(falling) > 20, rows
    for t, h in falling:
        assert abs(h - (1 - 9.81 / 2 * t * t)) < 1e-5, (t, h)


def check_find(program, env, prefix):
    place = call([program], env=env).strip()
    assert place == os.path.realpath(prefix) + "/share/kairos/library/Hybrid", place


def check_pkg_config(prefix):
    """By the command of the header itself; then with the archive."""
    env, (_, command) = environment(prefix), example()
    strict = " -std=c99 -Wall -Wextra -Wpedantic -Werror"
    call(command + strict + " -o ball", env=env)
    assert "libkairos.so.0" in needed("ball")
    check_ball("./ball", env)
    call(command.replace("ball.c", "find.c") + " -o find", env=env)
    check_find("./find", env, prefix)
    call("cc ball.c $(pkg-config --cflags --libs kairos-static) -o ball_static", env=env)
    bare = environment()
    assert "libkairos.so.0" not in needed("ball_static")
    check_ball("./ball_static", bare)


def check_archive_alone(prefix):
    """--static lists the libraries that the archive needs, if no shared library is installed."""
    alone = os.path.join(HERE, "alone")
    shutil.copytree(prefix, alone, symlinks=True)
    env = environment(alone)
    for f in glob.glob(library_folder(alone) + "/libkairos.so*"):
        os.remove(f)
    call("cc ball.c $(pkg-config --cflags --libs --static kairos) -o ball_alone", env=env)
    assert "libkairos.so.0" not in needed("ball_alone")
    check_ball("./ball_alone", environment())
    shutil.rmtree(alone)


def check_cmake(prefix, installed):
    shutil.rmtree("cmake-build", ignore_errors=True)
    call(
        ["cmake", "-S", ".", "-B", "cmake-build", "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix],
        env=environment(),
    )
    call(["ninja", "-C", "cmake-build"])
    env = environment()
    check_ball("cmake-build/ball", env)
    check_ball("cmake-build/ball_static", env)
    check_find("cmake-build/find", env, prefix)
    if prefix == installed:  # a program with the archive finds the place of installation
        check_find("cmake-build/find_static", env, prefix)


def check_other_version(prefix):
    write("newer/CMakeLists.txt", CMAKE.replace("Kairos 0.2", "Kairos 0.3"))
    out = call(
        ["cmake", "-S", "newer", "-B", "newer/build", "-DCMAKE_PREFIX_PATH=" + prefix],
        status=1,
        env=environment(),
    )
    assert "0.2.0" in out, out


def check_loaded(prefix):
    """Loaded by a foreign program, from a relative path."""
    script = """if True:
        import ctypes, os, sys
        os.chdir(sys.argv[1])
        kairos = ctypes.CDLL("./libkairos.so.0")
        os.chdir("/")
        kairos.kairos_open.restype = kairos.kairos_find_library.restype = ctypes.c_void_p
        k = ctypes.c_void_p(kairos.kairos_open())
        kairos.kairos_use_libraries(k)
        print(ctypes.string_at(kairos.kairos_find_library(k, b"Hybrid", None)).decode())"""
    place = call([sys.executable, "-c", script, library_folder(prefix)], env=environment()).strip()
    assert place == os.path.realpath(prefix) + "/share/kairos/library/Hybrid", place


def check_program(prefix):
    out = call([prefix + "/bin/kairos", "lib", "path", "Hybrid"], env=environment()).strip()
    assert out == os.path.realpath(prefix) + "/share/kairos/library/Hybrid", out


def check_build_tree():
    """A build that is not installed uses the sources."""
    call("cc find.c -I%s/include %s/libkairos.so -o find_build" % (TOP, BUILD))
    env = environment(LD_LIBRARY_PATH=BUILD)
    assert call(["./find_build"], env=env).strip() == os.path.realpath(TOP) + "/library/Hybrid"


def python_folder(prefix):
    """Where the package for Python is, below the prefix."""
    return next(f for f in files_of(prefix) if f.endswith("/kairos/__init__.py")).rsplit("/", 2)[0]


def check_python(prefix):
    """The package finds the library from its own place."""
    script = "import kairos; print(kairos.Model('BouncingBall.mo').simulate(stop=0.4).end('h'))"
    folder = os.path.join(prefix, python_folder(prefix))
    out = call(["/usr/bin/python3", "-c", script], env=dict(environment(), PYTHONPATH=folder))
    assert abs(float(out) - (1 - 9.81 / 2 * 0.16)) < 1e-5, out


def check_components(prefix):
    """The components are disjoint and make up the whole."""
    whole, parts = files_of(prefix), []
    for name, sign in (
        ("program", "bin/kairos"),
        ("development", "include/kairos.h"),
        ("library", "share/kairos/library/Hybrid/package.mo"),
        ("python", python_folder(prefix) + "/kairos/__init__.py"),
    ):
        place = os.path.join(HERE, "component-" + name)
        call(
            ["cmake", "--install", BUILD, "--component", name, "--prefix", place], env=environment()
        )
        files = files_of(place)
        assert sign in files, files
        parts += files
    assert sorted(parts) == whole, set(parts) ^ set(whole)
    library = " ".join(files_of(os.path.join(HERE, "component-library")))
    assert "libkairos.so.0 " in library and "libkairos.so " not in library, library
    for notice in "third-party.txt", "copyright", "LICENSE":
        assert "share/doc/kairos/" + notice in library, (notice, library)


def check_destdir(prefix):
    """A package for /usr is made below another folder, with the folders of the system."""
    stage = os.path.join(HERE, "stage")
    install(prefix, stage)
    assert files_of(stage + prefix) == files_of(prefix)
    shutil.rmtree(stage)
    out = install("/usr", stage)
    assert "LD_LIBRARY_PATH" not in out, out  # the package of this tree sees to that
    folder = library_folder(stage)
    assert folder.startswith(stage + "/usr/lib"), folder
    env = environment(stage + "/usr")
    call(example()[1] + " -o ball_usr", env=env)
    check_ball("./ball_usr", env)
    check_loaded(stage + "/usr")


def main():
    write("ball.c", example()[0])
    write("find.c", FIND)
    write("CMakeLists.txt", CMAKE)
    shutil.copy(os.path.join(TOP, "examples/BouncingBall.mo"), ".")
    installed, moved = os.path.join(HERE, "one/place"), os.path.join(HERE, "another/place")
    check_advice(install(installed), installed)
    check_build_tree()
    check_symbols(installed)
    check_shared(installed)
    check_other_version(installed)
    check_components(installed)
    check_archive_alone(installed)
    for prefix in installed, moved:
        if prefix == moved:
            os.makedirs(os.path.dirname(moved))
            os.rename(installed, moved)
        check_pkg_config(prefix)
        check_cmake(prefix, installed)
        check_loaded(prefix)
        check_program(prefix)
        check_python(prefix)
    os.rename(moved, installed)
    check_destdir(installed)


main()
