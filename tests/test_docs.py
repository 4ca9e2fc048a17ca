"""The pages say what is: every public name and every option is on one, every snippet runs, and the site builds."""

import doctest
import importlib.util
import inspect
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import partita as pt
from partita.cli import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def load(path):
    """A file of Python that is in no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pages = load(ROOT / "scripts" / "pages.py")


def listed_names(page):
    """Full names in the tables of an API page."""
    tables = re.findall(r"\.\. currentmodule:: (\S+)\n\n\.\. autosummary::(.*?)```", page, flags=re.DOTALL)
    return {
        f"{module}.{name}" for module, body in tables for name in re.findall(r"^   (\w+)$", body, flags=re.MULTILINE)
    }


def public_names():
    """What can be reached as pt.name or pt.module.name; what is reached by both counts at the first."""
    modules = [name for name in pt.__all__ if inspect.ismodule(getattr(pt, name))]
    top = {f"partita.{name}" for name in pt.__all__ if name not in modules}
    pairs = [(m, name) for m in modules for name in getattr(pt, m).__all__]
    inner = {f"partita.{m}.{name}" for m, name in pairs if getattr(getattr(pt, m), name) is not getattr(pt, name, None)}
    return top | inner


def test_every_public_name_is_on_one_page_of_the_reference():
    pages = [listed_names(path.read_text(encoding="utf-8")) for path in (DOCS / "api").glob("*.md")]
    assert set().union(*pages) == public_names()
    assert sum(map(len, pages)) == len(public_names())


def test_a_name_that_is_missing_would_be_noticed():
    page = (DOCS / "api" / "decide.md").read_text(encoding="utf-8")
    assert listed_names(page) - listed_names(page.replace("   Binder\n", "")) == {"partita.Binder"}


@pytest.fixture(scope="module")
def reference():
    pytest.importorskip("sphinx")
    return load(DOCS / "_ext" / "commands.py").command_reference()


def options(command):
    """Commands by name, each with the ways to spell its options."""
    commands = getattr(command, "commands", {"": command})
    return {name: {flag for p in sub.params for flag in (*p.opts, *p.secondary_opts)} for name, sub in commands.items()}


COMMANDS = options(typer.main.get_command(app))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_on_its_page(reference, name):
    _, found, section = reference.partition(f"## `partita {name}`")
    assert found
    section = section.partition("\n## ")[0]
    assert [flag for flag in COMMANDS[name] if not re.search(rf"`[^`]*{re.escape(flag)}\b", section)] == []


def wrong_options(line):
    """Commands and options that a line of a page names but partita does not have."""
    words = shlex.split(line, comments=True)
    command = words[1] if len(words) > 1 else ""
    if command.startswith("-"):
        return []
    if command not in COMMANDS:
        return [command]
    return [word for word in words[2:] if re.match(r"--?[a-z]", word) and word not in {*COMMANDS[command], "--help"}]


@pytest.mark.parametrize("path", pages.PAGES, ids=lambda path: path.stem)
def test_commands_on_pages_exist(path):
    shell = [body for language, body in pages.FENCE.findall(path.read_text(encoding="utf-8")) if language == "sh"]
    lines = [line for body in shell for line in body.splitlines() if line.startswith("partita ")]
    assert [wrong for line in lines for wrong in wrong_options(line)] == []


def test_a_wrong_command_would_be_noticed():
    assert wrong_options("partita clutser data.csv") == ["clutser"]
    assert wrong_options("partita summarize draws.csv --los vi  # --nothing") == ["--los"]


def check_page(text, names):
    """A text block after a python block is what it prints."""
    for block, printed in pages.run_blocks(text, names):
        flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        right = doctest.OutputChecker().check_output(block[2], printed, flags)
        assert right, f"expected:\n{block[2]}\ngot:\n{printed}\nIf it should: python scripts/pages.py"


@pytest.mark.slow
@pytest.mark.parametrize("path", pages.PAGES, ids=lambda path: path.stem)
def test_what_pages_show_happens(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_page(path.read_text(encoding="utf-8"), pages.at_hand(tmp_path))


def test_a_wrong_output_would_be_noticed():
    with pytest.raises(AssertionError, match="expected"):
        check_page("```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n", {})


@pytest.mark.slow
def test_the_site_builds_without_warnings(tmp_path):
    pytest.importorskip("sphinx")
    made = shutil.ignore_patterns("_build", "generated", "examples", "commands.md")
    shutil.copytree(DOCS, tmp_path / "docs", ignore=made)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-D", "run_examples=0", "docs", "site"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "estimate_partition" in (tmp_path / "site" / "api" / "decide.html").read_text(encoding="utf-8")


def missing_tests(page):
    """Tests named on a page that are not there."""
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", page)
    assert named
    root = Path(__file__).parents[1]
    return [
        f"{path}::{test}"
        for path, test in named
        if not (root / path).is_file() or (test and f"def {test}(" not in (root / path).read_text(encoding="utf-8"))
    ]


def test_every_promise_has_its_test():
    page = (Path(__file__).parents[1] / "docs" / "promises.md").read_text(encoding="utf-8")
    assert missing_tests(page) == []
    rows = [line for line in page.splitlines() if line.startswith("|") and "---" not in line and "Promise" not in line]
    assert all(re.search(r"`tests/", row) for row in rows)


def test_a_promise_without_its_test_would_be_noticed():
    assert missing_tests("`tests/test_docs.py::test_gone` `tests/gone.py`") == [
        "tests/test_docs.py::test_gone",
        "tests/gone.py::",
    ]
