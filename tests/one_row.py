#!/usr/bin/env python3
"""A function of one number is one row of ops.def and its derivative: the example of
docs/architecture.md, added to a copy of the sources, compiles and computes, and no other file names
such functions."""
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


def example():
    """The pieces of the example: (file, row above it, new row)."""
    with open(os.path.join(TOP, "docs/architecture.md"), encoding="utf-8") as f:
        text = f.read()
    found = re.findall(
        r"In `(src/[^`]+)`, below the line of `(\w+)`:\n\n```c\n(.*?)\n```", text, re.S
    )
    assert [f for f, _, _ in found] == ["src/expr/ops.def", RULES], found
    return found


def compile_example(folder):
    shutil.copytree(os.path.join(TOP, "src"), os.path.join(folder, "src"))
    for file, above, line in example():
        path = os.path.join(folder, file)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        anchor = r"(?m)^(F1\(%s\b[^)]*\)\n| *case OP_%s\b.*\n)" % (above, above)
        text, n = re.subn(anchor, lambda m: m[1] + line + "\n", text, 1)
        assert n == 1, (file, above)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    op = re.match(r"F1\((\w+), \"(\w+)\"", example()[0][2])
    with open(os.path.join(folder, "main.c"), "w") as f:
        f.write(PROGRAM.replace("OP_NEW", "OP_" + op[1]).replace("NEW", op[2]))
    cc = ["cc", "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Isrc"]
    subprocess.run([*cc, "-fsyntax-only", *FILES], cwd=folder, check=True)
    subprocess.run(
        [
            *cc,
            "-ffunction-sections",
            "-Wl,--gc-sections",
            "main.c",
            *FILES[:3],
            "src/codegen/prelude.c",
            "-lm",
            "-o",
            "main",
        ],
        cwd=folder,
        check=True,
    )
    return (
        op[2],
        subprocess.run(
            [os.path.join(folder, "main")], stdout=subprocess.PIPE, check=True, text=True
        ).stdout.split(),
    )


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


if __name__ == "__main__":
    for test in (test_example, test_no_other_file_names_them, test_editor_highlights_them):
        test()
