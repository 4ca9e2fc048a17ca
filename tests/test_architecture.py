"""The page on the architecture shows the tree as it is."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import partita

ROOT = Path(__file__).parents[1]
PACKAGE = Path(partita.__file__).parent


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


architecture = load("architecture")


def test_the_picture_shows_the_layers():
    drawn = architecture.draw(architecture.read_layers(partita.__doc__))
    again = "the layers have changed: python scripts/architecture.py"
    assert architecture.FIGURE.read_text(encoding="utf-8") == drawn, again


def test_every_package_is_in_the_picture():
    drawn = architecture.draw(architecture.read_layers(partita.__doc__))
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {name for name in packages if f">{name}<" not in drawn} == set()


def missing_files(page):
    """Python files named on a page that are neither in the package nor in the repository."""
    named = re.findall(r"`([\w/]+\.py)`", page)
    return [name for name in named if not any((top / name).exists() for top in (PACKAGE, PACKAGE.parent, ROOT))]


@pytest.mark.parametrize("name", ["docs/architecture.md", "docs/style.md", "docs/design.md", "docs/releases.md"])
def test_files_named_on_pages_exist(name):
    assert missing_files((ROOT / name).read_text(encoding="utf-8")) == []


def test_a_file_that_is_gone_would_be_noticed():
    assert missing_files("see `losses/pairs.py` and `losses/gone.py`") == ["losses/gone.py"]


@pytest.mark.slow
def test_the_walks_visit_the_files_on_the_page():
    command = [sys.executable, str(ROOT / "scripts" / "walk.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}the walks have changed: python scripts/walk.py"


def test_a_walk_on_the_page_is_replaced_between_its_marks():
    code = "import walk; print(walk.filled('a\\n<!-- walk x -->\\nold\\n<!-- end x -->\\nb\\n', 'x', 'new'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "scripts", capture_output=True, text=True, check=True
    )
    assert done.stdout == "a\n<!-- walk x -->\n\nnew\n\n<!-- end x -->\nb\n\n"
