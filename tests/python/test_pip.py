"""pip installs the package in a virtual environment, without a network and without other tools."""
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def call(*words, **more):
    p = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    assert p.returncode == 0, p.stdout
    return p.stdout


def test_virtual_environment(tmp_path):
    env = tmp_path / "env"
    call(sys.executable, "-m", "venv", "--system-site-packages", env)
    call(env / "bin/pip", "install", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", TOP / "python")
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    out = call(env / "bin/python", "-c",
               "import kairos; print(kairos.__file__, kairos.version())", env=clean)
    assert str(env) in out
    assert "kairos" in call(env / "bin/pip", "list", "--disable-pip-version-check")


def test_a_missing_library_is_reported(tmp_path):
    p = subprocess.run([sys.executable, "-c", "import kairos"], stderr=subprocess.PIPE, text=True,
                       env=dict(os.environ, KAIROS_LIBRARY="/nonexistent/libkairos.so.0"))
    assert p.returncode == 1 and "libkairos0" in p.stderr and "KAIROS_LIBRARY" in p.stderr
