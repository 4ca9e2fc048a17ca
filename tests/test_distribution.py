"""What is built from the tree holds what it should, and works outside it."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD = "import sys; from setuptools import build_meta as b; to = sys.argv[1]; b.build_sdist(to); b.build_wheel(to)"


def tracked():
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout: what belongs to the tree is not known")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).exists()]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Names in the source archive and in the wheel, and the wheel's path."""
    tree, out = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("built")
    for name in tracked():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    subprocess.run([sys.executable, "-c", BUILD, str(out)], cwd=tree, check=True, capture_output=True)
    (source,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        return names, set(archive.namelist()), wheel


def test_the_source_archive_holds_the_tree(built):
    left_out = {name for name in tracked() if not name.startswith((".ci", ".git", ".pre-commit"))} - built[0]
    assert left_out == set()


def test_the_wheel_holds_the_package_and_nothing_else(built):
    package = {name.removeprefix("src/") for name in tracked() if name.startswith("src/")}
    assert {name for name in built[1] if ".dist-info/" not in name} == package


def test_the_wheel_works_outside_the_tree(built, tmp_path):
    with zipfile.ZipFile(built[2]) as archive:
        archive.extractall(tmp_path)
    program = "import partita as pt; print(pt.__file__, pt.VariationOfInformation().between([0, 0], [0, 1]))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ask = [sys.executable, "-c", program]
    run = subprocess.run(ask, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(tmp_path / "partita" / "__init__.py"), "1.0"]
