"""Every example runs, as a newcomer would run it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
ELSEWHERE = sorted((FOLDER / "elsewhere").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, tmp_path):
    run(path, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", ELSEWHERE, ids=lambda path: path.stem)
def test_example_with_another_package_runs_where_that_is_installed(path, tmp_path):
    needed = re.search(r"^# Beside partita this needs (.+?)(?:\.| \()", path.read_text(encoding="utf-8"), re.MULTILINE)
    for name in re.split(r", | and ", needed[1]):
        pytest.importorskip({"pystan": "stan"}.get(name, name))
    run(path, tmp_path)


def run(path, folder):
    """Run an example as a program of its own; it must end well and say something."""
    done = subprocess.run([sys.executable, str(path)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
