"""Defaults are promises: those of functions, classes and commands are the ones written down in defaults.txt."""

import inspect
import sys
from pathlib import Path

import typer

import partita as pt
from partita.cli.app import app

WRITTEN = Path(__file__).with_name("defaults.txt")


def public_callables():
    """Every public class and function once, with its name below ``partita``."""
    modules = {name: getattr(pt, name) for name in pt.__all__ if inspect.ismodule(getattr(pt, name))}
    found = {name: getattr(pt, name) for name in pt.__all__ if name not in modules}
    for module, inside in modules.items():
        found |= {f"{module}.{name}": getattr(inside, name) for name in inside.__all__ if name not in found}
    return {name: thing for name, thing in found.items() if callable(thing)}


def list_defaults(name, defaults):
    """One line; what is None by default is left out."""
    shown = [f"{key}={value!s}" for key, value in defaults.items() if value is not None and "factory" not in str(value)]
    return [f"{name}: {', '.join(shown)}"] if shown else []


def current_defaults():
    lines = []
    for name, thing in public_callables().items():
        parameters = inspect.signature(thing).parameters.values()
        lines += list_defaults(name, {p.name: p.default for p in parameters if p.default is not p.empty})
    for name, command in typer.main.get_command(app).commands.items():
        lines += list_defaults(f"partita {name}", {p.name: p.default for p in command.params})
    return lines


def test_defaults_are_those_written_down():
    assert current_defaults() == WRITTEN.read_text(encoding="utf-8").splitlines()


def test_another_default_would_be_noticed():
    assert list_defaults("f", {"n": 10, "seed": None}) == ["f: n=10"] != list_defaults("f", {"n": 11, "seed": None})


if __name__ == "__main__" and sys.argv[1:] == ["write"]:
    WRITTEN.write_text("\n".join(current_defaults()) + "\n", encoding="utf-8")
