"""The tree is the architecture: imports go one way."""

import ast
import re
from pathlib import Path

import pytest

import partita

PACKAGE = Path(partita.__file__).parent
LAYER = {
    name.strip(): int(number)
    for number, names in re.findall(r"^    (\d+)  (.+)$", partita.__doc__, flags=re.MULTILINE)
    for name in names.split(",")
}


def imported_modules(source, folder):
    """Names of our own modules that a file imports, wherever in it; ``folder`` is its place in the package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder[: len(folder) - node.level + 1]
            path = [*base, *(node.module.split(".") if node.module else [])]
            yield from [path[0]] if path else [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "partita":
            yield from (node.module.split(".")[1:] or [alias.name for alias in node.names])[:1]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("partita."))


def upward_imports(source, folder, own):
    return [name for name in imported_modules(source, folder) if name != own and LAYER[name] >= LAYER[own]]


FILES = [path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_up_the_layers(path):
    inside = path.relative_to(PACKAGE).with_suffix("").parts
    assert upward_imports(path.read_text(encoding="utf-8"), list(inside[:-1]), inside[0]) == []


def test_every_module_has_a_layer_and_every_layer_a_module():
    modules = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in FILES}
    assert modules == set(LAYER)


@pytest.mark.parametrize(
    "line",
    ["from .losses import Binder", "from . import losses", "import partita.losses", "from partita.losses import Binder",
     "def f():\n    from .losses import Binder", "from partita import losses"],
)  # fmt: skip
def test_an_upward_import_is_found_however_it_is_written(line):
    assert upward_imports(line, [], "partition") == ["losses"]
    assert upward_imports(line.replace("from .", "from .."), ["_kernels"], "_kernels") == ["losses"]
