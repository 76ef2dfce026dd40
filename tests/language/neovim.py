"""Neovim, without a screen, drives problems, quick fixes, completion, new names, hover and
formatting through its own client."""
import os, shutil, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS, check


def test_neovim():
    if not shutil.which("nvim"):
        check("neovim is installed (tools/install-dependencies test)", False)
        return
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "neovim.lua")
    env = dict(os.environ, KAIROS=KAIROS, HOME=os.getcwd(), XDG_STATE_HOME=os.getcwd())
    p = subprocess.run(
        ["nvim", "--headless", "--clean", "-u", "NONE", "-n", "-c", "luafile " + script],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=env,
        timeout=200,
    )
    out = p.stdout.decode("utf-8", "replace")
    check("all steps pass", "done" in out and "FAILED" not in out, out)


program.run_tests()
