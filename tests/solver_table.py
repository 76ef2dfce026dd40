"""The solvers as src/sim/solver/solvers.def lists them."""
import os, re

TABLE = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src/sim/solver/solvers.def"
)


def solvers():
    """{name: its properties, such as "INLINE"}, in the order of the table."""
    with open(TABLE, encoding="utf-8") as f:
        rows = re.findall(r'^SOLVER\(\w+, "([\w-]+)", ([^"]*)', f.read(), re.M)
    return {name: set(re.findall(r"SOLVER_(\w+)", properties)) for name, properties in rows}


def high_order():
    """Those with error control that stand beside the equations."""
    return [name for name, has in solvers().items() if not has & {"FIXED_STEP", "INLINE"}]
