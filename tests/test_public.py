"""What the outside world relies on."""

import doctest
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


def test_all_names_are_exported_once_and_nothing_else_is():
    assert len(set(pt.__all__)) == len(pt.__all__)
    assert set(pt.__all__) == set(dir(pt))
    assert all(not name.startswith("_") for name in pt.__all__)


def has_example(thing):
    return bool(doctest.DocTestParser().get_examples(thing.__doc__ or ""))


@pytest.mark.parametrize(("name", "thing"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_every_public_name_has_a_docstring_with_an_example(name, thing):
    if issubclass(thing, tuple) if inspect.isclass(thing) else False:
        assert thing.__doc__, f"{name} is a result: it says what it holds"
    else:
        assert has_example(thing), name


def test_a_name_without_an_example_would_be_noticed():
    def undocumented():
        """Say nothing by example."""

    assert not has_example(undocumented)


def test_importing_is_light():
    heavy = {"pandas", "sklearn", "xarray", "arviz_base", "matplotlib", "numba", "scipy"}
    code = "import partita, sys; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert heavy.isdisjoint(loaded)


def test_the_package_is_typed():
    assert (Path(pt.__file__).parent / "py.typed").exists()
