#!/usr/bin/env python3
"""tools/check-layers finds what it is meant to find: each breach, in a small checkout of its
own."""
import os, subprocess, sys, tempfile

CHECK = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools/check-layers"
)
GOOD = {
    "tools/layers.txt": "base:\nlow:\nhigh: low  # a comment\n.:\n    high\n",
    "src/base/text.h": "",
    "src/low/low.h": '#include "base/text.h"\n',
    "src/high/high.c": '#include "low/low.h"\n#include <stdio.h>\n',
    "src/main.c": '#include "high/high.h"\n',
    "src/high/high.h": "",
}


def check(*more, **changes):
    with tempfile.TemporaryDirectory() as top:
        for file, text in {**GOOD, **changes}.items():
            os.makedirs(os.path.dirname(os.path.join(top, file)), exist_ok=True)
            with open(os.path.join(top, file), "w") as f:
                f.write(text)
        words = [word.replace("TOP", top) for word in more]
        for word in words[1:]:  # object files
            os.makedirs(os.path.dirname(word), exist_ok=True)
            source = word.split(".dir/")[1][:-2]
            subprocess.run(["cc", "-c", os.path.join(top, source), "-o", word], check=True)
        words = ["--cycles", words[0]] if words else []
        p = subprocess.run(
            [sys.executable, CHECK, "--top", top, *words], stdout=subprocess.PIPE, text=True
        )
        return p.returncode, p.stdout.replace(top, "TOP")


def expect(found, text):
    assert found == (1 if text else 0, text), found


def main():
    expect(check(), "")
    expect(
        check(**{"src/low/low.c": '\n#include "high/high.h"\n'}),
        "src/low/low.c:2: room low may not include room high\n",
    )
    expect(check(**{"src/new/new.c": ""}), "tools/layers.txt: room new is missing\n")
    expect(
        check(**{"tools/layers.txt": GOOD["tools/layers.txt"] + "gone:\n"}),
        "tools/layers.txt:6: there is no room gone\n",
    )
    expect(
        check(**{"tools/layers.txt": "base:\nlow: high\nhigh: low\n.: high\n"}),
        "tools/layers.txt: rooms lead back to themselves: high low\n",
    )
    expect(
        check(**{"tools/layers.txt": GOOD["tools/layers.txt"] + "low\n"}),
        "tools/layers.txt:6: neither 'room: rooms', 'together rooms' nor 'cycle folder number'\n",
    )
    circle = {
        "src/low/a.c": "int b(void); int a(void) { return b(); }",
        "src/low/b.c": "int a(void); int b(void) { return a(); }",
    }
    objects = ["TOP/build", *("TOP/build/CMakeFiles/x.dir/src/low/%s.c.o" % s for s in "ab")]
    expect(
        check(*objects, **circle),
        "tools/layers.txt: 2 files of low call each other in a circle, but the limit is 1\n",
    )
    table = GOOD["tools/layers.txt"] + "cycle low %d\n"
    expect(check(*objects, **circle, **{"tools/layers.txt": table % 2}), "")
    expect(
        check(*objects, **circle, **{"tools/layers.txt": table % 3}),
        "tools/layers.txt:6: 2 files of low call each other in a circle, but the limit is 3\n",
    )
    between = {"src/low/a.c": circle["src/low/a.c"], "src/high/b.c": circle["src/low/b.c"]}
    objects = ["TOP/build", *("TOP/build/CMakeFiles/x.dir/%s.o" % s for s in between)]
    expect(
        check(*objects, **between),
        "tools/layers.txt: rooms call each other in a circle: high low\n",
    )
    table = GOOD["tools/layers.txt"] + "together low high\n"
    expect(check(*objects, **between, **{"tools/layers.txt": table}), "")
    expect(
        check(*objects[:2], **between, **{"tools/layers.txt": table}),
        "tools/layers.txt: these rooms form no circle: high low\n",
    )


if __name__ == "__main__":
    main()
