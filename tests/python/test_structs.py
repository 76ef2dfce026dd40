"""The structs of the package are those of kairos.h."""
import re
from pathlib import Path

import pytest

from kairos import _library as c

TOP = Path(__file__).resolve().parents[2]


def members(struct):
    text = re.sub(r"(?s)/\*.*?\*/", "", (TOP / "include/kairos.h").read_text())
    body = re.search(r"(?s)typedef struct %s \{(.*?)\n?\} %s;" % (struct, struct), text)[1]
    body = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", body)
    return [re.search(r"(\w+)\s*$", part)[1] for line in body.split(";") if line.strip()
            for part in line.split(",")]


@pytest.mark.parametrize("struct, mine", [
    ("KairosSetting", c.Setting), ("KairosInput", c.Input), ("KairosCompile", c.Compile),
    ("KairosRun", c.Run), ("KairosBatch", c.Batch),
    ("KairosLinearize", c.Linearize), ("KairosSteady", c.Steady),
    ("KairosFit", c.Fit), ("KairosOptimize", c.Optimize), ("KairosRange", c.Range),
    ("KairosNumber", c.Number),
    ("KairosSensitivities", c.Sensitivities)])
def test_members(struct, mine):
    own = [name for name, *_ in mine._fields_]
    assert own == members(struct)[:len(own)]
