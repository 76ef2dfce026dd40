"""errors.py PROGRAM: builds and installations that cannot succeed report the reason and the
remedy."""
import os, shutil, stat, sys
from client import TOP, call, environment, write

HERE = os.getcwd()


def configure(name, options=(), **env):
    """The output of a configuration that fails, with its lines joined."""
    folder = os.path.join(HERE, name)
    out = call(
        ["cmake", "-S", TOP, "-B", folder, "-G", "Ninja", *options],
        status=1,
        env=environment(None, **env),
    )
    shutil.rmtree(folder)
    return " ".join(out.split())


def expect(out, *parts):
    for part in parts:
        assert part in out, (part, out)


def check_libraries():
    """Each library in turn is hidden from CMake."""
    for name, package in (
        ("tcc", "libtcc-dev"),
        ("cjson", "libcjson-dev"),
        ("klu", "libsuitesparse-dev"),
        ("sundials_ida", "libsundials-dev"),
    ):
        hook = os.path.join(HERE, "hide.cmake")
        write(
            hook,
            """
macro(find_library variable)
  if("${variable}" STREQUAL "LIBRARY_%s")
    set(${variable} ${variable}-NOTFOUND)
  else()
    _find_library(${variable} ${ARGN})
  endif()
endmacro()
"""
            % name,
        )
        out = configure("without", ["-DCMAKE_PROJECT_kairos_INCLUDE=" + hook])
        expect(
            out, "the library %s: package %s " % (name, package), "tools/install-dependencies build"
        )
        assert out.count(": package ") == 1, out


def check_headers():
    out = configure("without", ["-DCMAKE_INCLUDE_PATH=/none", "-DCMAKE_IGNORE_PATH=/usr/include"])
    expect(out, "the header libtcc.h: package libtcc-dev")


def check_packages():
    """All that is missing is reported at once."""
    empty = os.path.join(HERE, "empty")
    os.mkdir(empty)
    out = configure(
        "without", ["-DKAIROS_TESTS=ON"], PKG_CONFIG_LIBDIR=empty, PKG_CONFIG_PATH=empty
    )
    expect(out, "package libcairo2-dev", "package libcmocka-dev", "package libmatio-dev")


def check_tools():
    """A folder of programs without compiler and pkg-config."""
    programs = os.path.join(HERE, "programs")
    os.mkdir(programs)
    for name in "cmake", "ninja":
        os.symlink(shutil.which(name), os.path.join(programs, name))
    bare = environment(None, PATH=programs)
    compiler = shutil.which("cc")
    folder = os.path.join(HERE, "without")
    words = [
        "cmake",
        "-S",
        TOP,
        "-B",
        folder,
        "-G",
        "Ninja",
        "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF",
    ]
    bare.pop("CC", None)
    out = " ".join(call(words, status=1, env=bare).split())
    expect(
        out,
        "there is no C compiler",
        "packages gcc and libc6-dev",
        "tools/install-dependencies build",
    )
    shutil.rmtree(folder, ignore_errors=True)
    expect(configure("without", CC="/no/such/compiler -m64"), "/no/such/compiler", "packages gcc")
    hook = os.path.join(HERE, "tools.cmake")
    write(
        hook,
        "set(PKG_CONFIG_EXECUTABLE PKG_CONFIG_EXECUTABLE-NOTFOUND)\n"
        "set(CMAKE_DISABLE_FIND_PACKAGE_PkgConfig TRUE)\n",
    )
    out = configure(
        "without", ["-DCMAKE_PROJECT_kairos_INCLUDE=" + hook, "-DCMAKE_C_COMPILER=" + compiler]
    )
    expect(out, "the program pkg-config: package pkg-config")


def tool(name, *words, **more):
    """The output of a program of tools/ that fails: of a copy, so that another user may read it."""
    script = os.path.join(HERE, name + "-copy")
    shutil.copy(os.path.join(TOP, "tools", name), script)
    return " ".join(call(["bash", script, *words], status=1, **more).split())


def install(prefix, destdir="", **more):
    return tool("install", "build", prefix, destdir, **more)


def nobody():
    """The options of a call by a user who is not root."""
    os.chmod(HERE, 0o755)
    return {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}


def check_places():
    expect(
        install("some/place"), "PREFIX has to be an absolute path", "PREFIX=%s/some/place" % HERE
    )
    expect(install("/usr", "stage"), "DESTDIR has to be an absolute path")
    write("file", "")
    expect(install(HERE + "/file/below"), "'%s/file' is no folder" % HERE)
    locked = os.path.join(HERE, "locked")
    os.mkdir(locked, 0o555)
    out = install(locked + "/below", cwd="/", env=environment(None, HOME="/home/me"), **nobody())
    expect(out, "you may not write to '%s'" % locked, "sudo make install", "PREFIX=/home/me/.local")


def check_full_disk():
    """A cmake that reports a full disk."""
    tools = os.path.join(HERE, "tools")
    write(
        tools + "/cmake",
        '#!/bin/sh\n[ "$1" = --install ] || exit 0\n'
        'echo "file INSTALL cannot copy file: No space left on device." >&2\nexit 1\n',
    )
    write(tools + "/ninja", "#!/bin/sh\n")
    for name in "cmake", "ninja":
        os.chmod(os.path.join(tools, name), stat.S_IRWXU)
    os.mkdir("build")
    out = install(HERE + "/full", env=environment(None, PATH=tools + ":" + os.environ["PATH"]))
    expect(out, "No space left on device", "there is no room below '%s/full'" % HERE, "make room")


def check_fresh():
    """A machine that does not allow it: not a failure, but a status of its own and a reason."""
    expect(tool("fresh", cwd="/", **nobody()), "make fresh needs root")
    out = call("bash %s/fresh-copy; echo status $?" % HERE, cwd="/", **nobody())
    expect(out, "status 77")


check_libraries()
check_headers()
check_packages()
check_tools()
check_places()
check_full_disk()
check_fresh()
