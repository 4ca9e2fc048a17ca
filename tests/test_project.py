"""What several files say of the project is the same in each."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


PROJECT = tomllib.loads(text("pyproject.toml"))["project"]


def pythons(classifiers):
    """Versions of Python that the classifiers name, oldest first."""
    found = re.findall(r"Python :: (3\.\d+)$", "\n".join(classifiers), flags=re.MULTILINE)
    return sorted(found, key=lambda version: int(version[2:]))


def test_the_workflow_tests_the_oldest_and_the_newest_python():
    supported = pythons(PROJECT["classifiers"])
    assert PROJECT["requires-python"] == f">={supported[0]}"
    matrix = re.search(r"python: \[(.*)\]", text(".github/workflows/tests.yml"))[1]
    assert re.findall(r"3\.\d+", matrix) == [supported[0], supported[-1]]
    assert f"Python {supported[0]} to {supported[-1]}" in text("docs/releases.md")


def test_versions_of_python_are_ordered_as_numbers():
    assert pythons(["Python :: 3", "Python :: 3.10", "Python :: 3.9"]) == ["3.9", "3.10"]


def test_commits_are_checked_by_the_same_ruff():
    ruff = next(name for name in PROJECT["optional-dependencies"]["test"] if name.startswith("ruff"))
    assert set(re.findall(r'"(ruff[^"]*)"', text(".pre-commit-config.yaml"))) == {ruff}


def test_the_version_to_cite_is_the_version():
    assert f"\nversion: {PROJECT['version']}\n" in text("CITATION.cff")
