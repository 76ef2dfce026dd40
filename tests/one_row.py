#!/usr/bin/env python3
"""The examples of docs/architecture.md are true. A function of one number is one row of ops.def and
its derivative: the example, added to a copy of the sources, compiles and computes, and no other
file names such functions. Likewise a solver and a command are a file and a row, and the example of
a warning compiles."""
import math, os, re, shutil, subprocess, sys, tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RULES = "src/dae/symbolic/function_rules.c"
FILES = [
    "src/expr/ops.c",
    "src/expr/scalar_kernels.c",
    "src/expr/interval.c",
    "src/expr/eval/eval.c",
    "src/instance/typing/type_builtin.c",
    "src/codegen/prelude.c",
    "src/load/load.c",
    RULES,
]
PROGRAM = r"""
#include "codegen/prelude.h"
#include "expr/interval.h"
#include "expr/scalar_kernels.h"
#include <stdio.h>
#include <string.h>
int main(void)
{
    Range x[] = {{-1, 2, false}}, r = range_apply(OP_NEW, TYPE_REAL, x, (uint32_t[]){0}, 1);
    bool declared = false;
    for (const char *const *line = codegen_prelude; *line; line++)
        declared |= !strcmp(*line, "double NEW(double);");
    printf("%s %.17g %.17g %.17g %d %d\n", op_traits[OP_NEW].text, op_apply1(OP_NEW, 1), r.lo, r.hi,
           r.nan, declared);
}
"""

SOLVE = r"""
#include "sim/solver/solver.h"
#include <stdio.h>
static int f(void *user, double t, const double *x, double *dx)
{
    (void)user, (void)t;
    dx[0] = -x[0];
    return 0;
}
int main(void)
{
    double x = 1, atol = 1e-6;
    Problem p = {.n = 1, .f = f, .rtol = 1e-6, .atol = &atol, .step = 0.01};
    Solver *s = solver_find("copied", &p)->create(&p);
    s->restart(s, 0, &x);
    while (s->t < 1)
        if (s->step(s, 1) != STEP_OK)
            return 1;
    s->dense(s, 1, &x);
    printf("%.17g\n", x);
    s->destroy(s);
}
"""
CC = ["cc", "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Isrc", "-Iinclude"]


def document():
    return read(TOP, "docs/architecture.md")


def read(top, file):
    with open(os.path.join(top, file), encoding="utf-8") as f:
        return f.read()


def write(top, file, text):
    with open(os.path.join(top, file), "w", encoding="utf-8") as f:
        f.write(text)


def example():
    """The pieces of the example: (file, row above it, new row)."""
    found = re.findall(
        r"In `(src/[^`]+)`, below the line of `(\w+)`:\n\n```c\n(.*?)\n```", document(), re.S
    )
    assert [f for f, _, _ in found] == ["src/expr/ops.def", RULES], found
    return found


def compile_example(folder):
    shutil.copytree(os.path.join(TOP, "src"), os.path.join(folder, "src"))
    for file, above, line in example():
        anchor = r"(?m)^(F1\(%s\b[^)]*\)\n| *case OP_%s\b.*\n)" % (above, above)
        text, n = re.subn(anchor, lambda m: m[1] + line + "\n", read(folder, file), 1)
        assert n == 1, (file, above)
        write(folder, file, text)
    op = re.match(r"F1\((\w+), \"(\w+)\"", example()[0][2])
    write(folder, "main.c", PROGRAM.replace("OP_NEW", "OP_" + op[1]).replace("NEW", op[2]))
    subprocess.run([*CC, "-fsyntax-only", *FILES], cwd=folder, check=True)
    return op[2], run(folder, "main.c", *FILES[:3], "src/codegen/prelude.c").split()


def run(folder, *files):
    """What the program of these files prints."""
    sections = ["-ffunction-sections", "-Wl,--gc-sections"]
    subprocess.run([*CC, *sections, *files, "-lm", "-o", "main"], cwd=folder, check=True)
    program = os.path.join(folder, "main")
    return subprocess.run([program], stdout=subprocess.PIPE, check=True, text=True).stdout


def test_example():
    with tempfile.TemporaryDirectory() as folder:
        name, (text, value, low, high, nan, declared) = compile_example(folder)
    assert (name, text, nan, declared) == ("asinh", "asinh", "0", "1")
    assert abs(float(value) - math.log(1 + math.sqrt(2))) < 1e-15
    assert float(low) < -math.log(1 + math.sqrt(2)) < float(low) + 1e-14
    assert float(high) > math.log(2 + math.sqrt(5)) > float(high) - 1e-14


def test_no_other_file_names_them():
    """Functions whose values are compared."""
    for op in "ASIN ACOS ATAN SINH TANH LOG10".split():
        found = subprocess.run(
            ["grep", "-rlw", "OP_" + op, "src"], cwd=TOP, text=True, stdout=subprocess.PIPE
        ).stdout.split()
        assert found == [RULES], (op, found)


def test_editor_highlights_them():
    with open(os.path.join(TOP, "src/expr/ops.def"), encoding="utf-8") as f:
        names = set(re.findall(r'(?m)^F[12]\(\w+, "(\w+)"', f.read()))
    with open(os.path.join(TOP, "studio/web/src/modelica.js"), encoding="utf-8") as f:
        operators = re.search(r"const OPERATORS = words\((.*?)\);", f.read(), re.S)[1]
    missing = names - set(re.findall(r"\w+", operators))
    assert len(names) > 20 and not missing, missing


def test_a_solver_is_a_file_and_a_row():
    """A copy of rk4.c with its row is found by its name; the row is that of the example."""
    rows, folder = "src/sim/solver/solvers.def", "src/sim/solver/"
    row = re.search(r"(?m)^SOLVER\(rk4,.*\n", document())[0]
    assert row in read(TOP, rows)
    with tempfile.TemporaryDirectory() as top:
        shutil.copytree(os.path.join(TOP, "src"), os.path.join(top, "src"))
        write(top, folder + "copied.c", read(top, folder + "rk4.c").replace("rk4", "copied"))
        write(top, rows, row + row.replace("rk4", "copied"))
        write(top, "main.c", SOLVE)
        solvers = [folder + name for name in ("table.c", "rk4.c", "copied.c", "none.c")]
        base = ["src/base/memory.c", "src/base/snapshot.c"]
        found = float(run(top, "main.c", folder + "step_size.c", *solvers, *base))
    assert abs(found - math.exp(-1)) < 1e-9, found
    others = names_in("src", '"%s"' % "rk4") - {rows}
    assert not others, others


def test_a_command_is_a_file_and_a_row():
    lines = int(re.search(r"`cli/flatten.c` is a complete command of (\d+) lines", document())[1])
    assert lines == read(TOP, "cli/flatten.c").count("\n")
    with tempfile.TemporaryDirectory() as top:
        for folder in "src", "cli", "include":
            shutil.copytree(os.path.join(TOP, folder), os.path.join(top, folder))
        copied = read(top, "cli/flatten.c").replace("command_flatten", "command_copied")
        write(top, "cli/copied.c", copied)
        write(top, "cli/commands.def", read(top, "cli/commands.def") + "COMMAND(copied)\n")
        subprocess.run([*CC, "-fsyntax-only", "cli/copied.c", "cli/main.c"], cwd=top, check=True)
    for name in re.findall(r"(?m)^COMMAND\((\w+)\)", read(TOP, "cli/commands.def")):
        others = names_in("cli", "command_" + name) - {"cli/commands.def", "cli/%s.c" % name}
        assert not others or name == "version", (name, others)  # --version calls it, too


def test_the_warning_compiles():
    row, call = re.search(
        r"is\n\n```c\n(X\(D\d+,.*?)\n```\n\nand `set_bound`.*?```c\n(diag.*?)\n```",
        document(),
        re.S,
    ).groups()
    file = "src/dae/lower/parameters.c"
    end = "    return true;\n}\n\nstatic bool lower_attributes_of"
    assert row.split(",")[0] not in read(TOP, "src/base/diagnostics.def"), "the code is in use"
    with tempfile.TemporaryDirectory() as top:
        shutil.copytree(os.path.join(TOP, "src"), os.path.join(top, "src"))
        table = "src/base/diagnostics.def"
        write(top, table, read(top, table) + row + "\n")
        text = read(top, file)
        assert text.count(end) == 1
        write(top, file, text.replace(end, call + "\n" + end))
        subprocess.run([*CC, "-fsyntax-only", file, "src/base/diag.c"], cwd=top, check=True)


def names_in(folder, word):
    """The files below the folder that contain the word."""
    return set(
        subprocess.run(
            ["grep", "-rlwF", word, folder], cwd=TOP, text=True, stdout=subprocess.PIPE
        ).stdout.split()
    )


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
