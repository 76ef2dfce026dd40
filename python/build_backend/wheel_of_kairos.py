"""Builds the wheel of the package without other tools (PEP 517).

A wheel is a zip archive of the package with metadata. The version is that of CMakeLists.txt, or of
PKG-INFO in a source archive. If the library was built beside these sources, the wheel notes its
place: an installation in a virtual environment then needs no installed library.
"""

import base64
import hashlib
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
BUILT = HERE.parent / "build" / "libkairos.so.0"


def _version():
    info = HERE / "PKG-INFO"
    if info.exists():
        return re.search(r"^Version: (\S+)", info.read_text(), re.M)[1]
    text = (HERE.parent / "CMakeLists.txt").read_text()
    return re.search(r"project\(kairos VERSION (\S+)", text)[1]


def _metadata():
    return ("Metadata-Version: 2.1\nName: kairos\n" f"Version: {_version()}\n"
            "Summary: Compile and simulate hybrid Modelica models\n"
            "License: BSD-3-Clause\nRequires-Python: >=3.11\nRequires-Dist: numpy>=1.24\n"
            "Provides-Extra: plot\nRequires-Dist: matplotlib; extra == 'plot'\n"
            "Provides-Extra: frames\nRequires-Dist: pandas; extra == 'frames'\n")


def _files():
    return {f"kairos/{p.name}": p.read_bytes() for p in sorted((HERE / "kairos").iterdir())
            if p.suffix == ".py" or p.name == "py.typed"}


def _write(directory, files):
    name = f"kairos-{_version()}"
    info = f"{name}.dist-info"
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = (b"Wheel-Version: 1.0\nGenerator: kairos\nRoot-Is-Purelib: true\n"
                              b"Tag: py3-none-any\n")
    record = ""
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(Path(directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data)
    return wheel


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = _files()
    if BUILT.exists():
        files["kairos/_built.py"] = f"PLACE = {str(BUILT)!r}\n".encode()
    return _write(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, {"kairos.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    name = f"kairos-{_version()}"
    path = Path(sdist_directory) / f"{name}.tar.gz"
    info = Path(sdist_directory) / "PKG-INFO"
    info.write_text(_metadata())
    with tarfile.open(path, "w:gz") as archive:
        for part in ("kairos", "build_backend", "pyproject.toml"):
            archive.add(HERE / part, f"{name}/{part}",
                        filter=lambda t: None if "__pycache__" in t.name else t)
        archive.add(info, f"{name}/PKG-INFO")
    info.unlink()
    return path.name
