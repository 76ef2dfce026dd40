"""What the tests of the program share: calls of it (KAIROS, the first argument) and what they find wrong."""
import subprocess, sys

KAIROS = sys.argv[1]
failed = 0


def check(what, condition, more=""):
    global failed
    if not condition:
        failed += 1
        print("FAILED", what, more)


def call(*arguments):
    """exit status, standard output, standard error"""
    p = subprocess.run([KAIROS, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def end():
    sys.exit(1 if failed else 0)
