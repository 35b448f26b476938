"""Puts flowls and all that it needs into bundled/libs: the copy that the extension brings along.

Wheels of all Pythons go into one folder: native modules bear the Python and the platform in their
names, and all else is the same. `--platform` names another platform than that of this machine.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = {
    "linux-x64": ["manylinux_2_28_x86_64", "manylinux2014_x86_64"],
    "linux-arm64": ["manylinux_2_28_aarch64", "manylinux2014_aarch64"],
    "darwin-x64": ["macosx_10_13_x86_64", "macosx_10_12_x86_64", "macosx_10_9_x86_64"],
    "darwin-arm64": ["macosx_11_0_arm64"],
    "win32-x64": ["win_amd64"],
    "win32-arm64": ["win_arm64"],
}


def main() -> int:
    """Fill the folder anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--platform", choices=PLATFORMS, default="linux-x64")
    wanted = parser.parse_args()
    libs = HERE / "bundled" / "libs"
    shutil.rmtree(libs, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder)
        own = pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, str(ROOT))
        if own != 0:
            return own
        [flowls] = wheels.glob("flowls-*.whl")
        for python in PYTHONS:
            chosen = ["--only-binary=:all:", "--python-version", python, "--dest", folder]
            for tag in PLATFORMS[wanted.platform]:
                chosen += ["--platform", tag]
            failed = pip("download", *chosen, f"{flowls}[lsp,typescript]")
            if failed:
                return failed
        unpack(sorted(wheels.glob("*.whl")), libs)
    return 0


def pip(*arguments: str) -> int:
    """Run pip, whose registry is that of this machine."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, check=False).returncode


def unpack(wheels: list[Path], libs: Path) -> None:
    """All modules in one folder; two wheels may not differ in what they share."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.endswith("/") or is_needless(name):
                    continue
                data = archive.read(name)
                target = libs / name
                if target.exists() and ".dist-info/" not in name and target.read_bytes() != data:
                    raise SystemExit(f"error: {wheel.name} has another {name} than wheels before")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)


def is_needless(name: str) -> bool:
    """Programs and tests of others."""
    return ".data/" in name or "/tests/" in name or name.endswith((".pyi", ".h"))


if __name__ == "__main__":
    sys.exit(main())
