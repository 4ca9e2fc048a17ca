"""What the outside world relies on."""

import ast
import doctest
import importlib.metadata
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import partita as pt

PUBLIC = [(name, getattr(pt, name)) for name in pt.__all__ if not inspect.ismodule(getattr(pt, name))]
PUBLIC += [
    (f"{module.__name__}.{name}", getattr(module, name))
    for module in (getattr(pt, name) for name in pt.__all__)
    if inspect.ismodule(module)
    for name in module.__all__
]


def stubbed(stub):
    """Names a stub exports, each with the module it is imported from."""
    imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    return {alias.asname: node.module for node in imports for alias in node.names}


def wrong_exports(stub, exported):
    """Names exported but not stubbed, stubbed but not exported, or not defined where the stub says."""
    names = stubbed(stub)
    wrong = set(names) ^ set(exported)
    for name, module in names.items():
        home = importlib.import_module(f"partita.{module or name}")
        defined_in = getattr(vars(home).get(name), "__module__", None) or ""
        if module and not f"{defined_in}.".startswith(f"{home.__name__}."):
            wrong.add(name)
    return wrong


STUB = Path(pt.__file__).with_suffix(".pyi").read_text(encoding="utf-8")


def test_all_names_are_exported_once_and_nothing_else_is():
    assert len(set(pt.__all__)) == len(pt.__all__)
    assert wrong_exports(STUB, pt.__all__) == set()
    assert set(pt.__all__) == set(dir(pt))
    assert all(not name.startswith("_") for name in pt.__all__)
    starred = {}
    exec("from partita import *", starred)
    assert set(pt.__all__) == set(starred) - {"__builtins__"}


@pytest.mark.parametrize(
    ("extra", "wrong"),
    [
        ("from .losses import Blinder as Blinder", {"Blinder"}),  # defined nowhere
        ("from .losses import check_labels as check_labels", {"check_labels"}),  # defined elsewhere
        ("from .losses import check_loss as check_loss", set()),
    ],
)
def test_a_wrong_export_would_be_noticed(extra, wrong):
    assert wrong_exports(f"{STUB}\n{extra}\n", [*pt.__all__, *stubbed(extra)]) == wrong
    assert wrong_exports(STUB, [*pt.__all__, "more"]) == {"more"}
    assert wrong_exports(STUB, pt.__all__[1:]) == {pt.__all__[0]}


def test_the_version_is_that_of_the_installed_package():
    assert pt.__version__ == importlib.metadata.version("partita")
    assert not hasattr(pt, "__author__")


def has_example(thing):
    return bool(doctest.DocTestParser().get_examples(thing.__doc__ or ""))


@pytest.mark.parametrize(("name", "thing"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_every_public_name_has_a_docstring_with_an_example(name, thing):
    assert has_example(thing), name


def test_a_name_without_an_example_would_be_noticed():
    def undocumented():
        """Say nothing by example."""

    assert not has_example(undocumented)


def test_importing_is_light():
    heavy = {"pandas", "sklearn", "xarray", "arviz_base", "matplotlib", "numba", "scipy", "jinja2", "PIL"}
    code = "import partita, sys; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert heavy.isdisjoint(loaded)


def test_the_package_is_typed():
    assert (Path(pt.__file__).parent / "py.typed").exists()
