"""The tree is the architecture: imports go one way, between packages and inside each of them."""

import ast
import importlib
import math
import re
from pathlib import Path

import pytest

import partita

ROOT = Path(partita.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
PACKAGES = sorted(path.parent for path in FILES if path.name == "__init__.py")
LONGEST = 400  # lines of a file


def place(path):
    """Where a file or folder lies in the package, as a tuple of names."""
    return path.with_suffix("").relative_to(ROOT).parts


def name_of(package):
    """The package as it is imported and as its test is called."""
    return ".".join(["partita", *place(package)])


def read_layers(docstring):
    """The number of each module, from lines such as ``    2  posterior, priors``."""
    lines = re.findall(r"^    (\d+)  (.+)$", docstring, flags=re.MULTILINE)
    return {name.strip(): int(number) for number, names in lines for name in names.split(",")}


def at_runtime(node):
    """The node and all below it, without what is imported for annotations alone."""
    yield node
    body = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        body = node.orelse
    for child in body:
        yield from at_runtime(child)


def imported_names(source, folder):
    """What of ours a file in ``folder`` imports, wherever in it, as tuples of names from the top package down."""
    for node in at_runtime(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            module = node.module.split(".") if node.module else []
            if node.level:
                module = [*folder[: len(folder) - node.level + 1], *module]
            elif module[0] == "partita":
                module = module[1:]
            else:
                continue
            yield from ((*module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            names = (alias.name.split(".") for alias in node.names)
            yield from (tuple(name[1:]) for name in names if name[0] == "partita" and len(name) > 1)


def upward_imports(source, file, package, layers):
    """What a file of ``package`` (both as :func:`place` gives them) imports of it from no lower layer, or unlayered."""
    depth = len(package)
    own = file[depth]
    inside = (name[depth] for name in imported_names(source, file[:-1]) if name[:depth] == package and name[depth:])
    return [module for module in inside if module != own and layers.get(module, math.inf) >= layers[own]]


@pytest.mark.parametrize("package", PACKAGES, ids=name_of)
def test_imports_go_up_the_layers(package):
    layers = read_layers(importlib.import_module(name_of(package)).__doc__)
    files = [path for path in FILES if package in path.parents and path != package / "__init__.py"]
    assert {place(path)[len(place(package))] for path in files} == set(layers), "every module has a layer"
    wrong = {
        str(path.relative_to(ROOT)): found
        for path in files
        if (found := upward_imports(path.read_text(encoding="utf-8"), place(path), place(package), layers))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "line",
    ["from .losses import Binder", "from . import losses", "import partita.losses", "from partita.losses import Binder",
     "def f():\n    from .losses import Binder", "from partita import losses"],
)  # fmt: skip
def test_an_upward_import_is_found_however_it_is_written(line):
    layers = read_layers(partita.__doc__)
    assert upward_imports(line, ("partitions",), (), layers) == ["losses"]
    deeper = line.replace("from .", "from ..")
    assert upward_imports(deeper, ("_kernels", "labels"), (), layers) == ["losses"]
    assert upward_imports(line, ("decide",), (), layers) == []


@pytest.mark.parametrize(
    "line", ["from .choose import check_loss", "from ..losses import choose", "import partita.losses.choose"]
)
def test_an_upward_import_inside_a_package_is_found(line):
    layers = read_layers(importlib.import_module("partita.losses").__doc__)
    assert upward_imports(line, ("losses", "base"), ("losses",), layers) == ["choose"]
    assert upward_imports("from ..losses import Loss", ("losses", "pairs"), ("losses",), layers) == ["Loss"]
    annotations = f"if TYPE_CHECKING:\n    {line}"
    assert upward_imports(annotations, ("losses", "base"), ("losses",), layers) == []


def test_files_are_short():
    lines = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: n for name, n in lines.items() if n > LONGEST} == {}
