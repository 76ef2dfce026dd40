"""Shared by the tests of the installation."""
import os, re, subprocess, sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def call(command, status=0, **more):
    """Runs a command; its output, errors included. Ends the test if the status differs."""
    more.setdefault("shell", isinstance(command, str))
    p = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        **more
    )
    if (p.returncode != 0) != (status != 0):
        sys.exit("status %d of %s\n%s" % (p.returncode, command, p.stdout))
    return p.stdout


def write(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def environment(prefix=None, **more):
    """Variables with which compiler and loader find an installation."""
    env = dict(os.environ)
    for name in (
        "DESTDIR",
        "PREFIX",
        "MAKEFLAGS",
        "MAKELEVEL",
        "LD_LIBRARY_PATH",
        "PKG_CONFIG_PATH",
    ):
        env.pop(name, None)
    if prefix:
        env["PKG_CONFIG_PATH"] = library_folder(prefix) + "/pkgconfig"
        env["LD_LIBRARY_PATH"] = library_folder(prefix)
    env.update(more)
    return env


def library_folder(prefix):
    """The folder of libkairos.so below a prefix."""
    places = [folder for folder, _, files in os.walk(prefix) if "libkairos.so" in files]
    assert len(places) == 1, places
    return places[0]


def files_of(folder):
    return sorted(
        os.path.relpath(os.path.join(at, name), folder)
        for at, _, names in os.walk(folder)
        for name in names
    )


def example():
    """The program at the top of kairos.h, and the command below that compiles it."""
    with open(os.path.join(TOP, "include/kairos.h")) as f:
        comment = f.read().split("*/")[0]
    lines = re.findall(r"(?m)^ \*(?:     (.*))?$", comment)
    text = "\n".join(lines)
    program = re.search(r"(?s)#include <kairos\.h>.*?\n}\n", text).group(0)
    command = re.search(r"(?m)^cc .*$", text).group(0)
    return program, command
