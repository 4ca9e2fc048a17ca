"""Do tests notice? ``python tests/mutation/run.py --mutants 300 --seed 0``.

Each mutant is one small change to one module, run against the module's own tests (tests mirror the tree) in a copy of
the project. Those in ``changes_nothing.txt`` change no answer, and why is said there; of the rest nine in ten must be
noticed.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mutate import mutants

ROOT = Path(__file__).parents[2]
LISTED = Path(__file__).with_name("changes_nothing.txt")
LEAST = 0.9  # share that must be noticed
LONGEST = 600.0  # seconds for the tests of a module


def modules(with_kernels):
    """Modules that are changed: all that compute, kernels and components (which are compiled) only where asked for."""
    for path in sorted((ROOT / "src" / "partita").rglob("*.py")):
        name = path.relative_to(ROOT / "src" / "partita").as_posix()
        compiled = name.startswith(("_kernels/", "components/"))
        if path.name != "__init__.py" and not name.startswith("cli/warmup") and compiled == with_kernels:
            yield name


def tests_of(name, root):
    """The tests that a module has: those of its name, else those of its package."""
    parts = Path(name.removeprefix("_kernels/")).with_suffix("").parts
    for depth in range(len(parts), 0, -1):
        own = root / "tests" / Path(*parts[: depth - 1], f"test_{parts[depth - 1].lstrip('_')}.py")
        if own.is_file():
            return [str(own.relative_to(root))]
        if depth < len(parts) and (package := root / "tests" / Path(*parts[:depth])).is_dir():
            return [str(package.relative_to(root))]
    return ["tests/test_laws.py", "tests/test_exact.py"]


def read_listed():
    """Changes that change nothing: (module, the line as changed), with why."""
    lines = [line for line in LISTED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {tuple(part.strip() for part in line.split(" | ")[:2]): line.split(" | ")[2] for line in lines}


def copy_project(folder):
    """A copy to change, in which what is compiled is kept from one mutant to the next."""
    for name in ("src", "tests", "docs", "scripts", "examples"):
        shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("conftest.py", "pyproject.toml", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder / name)


def notices(folder, name):
    """Whether the tests of a module fail in the copy, or take too long."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not slow"]
    known = {**os.environ, "PYTHONPATH": str(folder / "src")}
    tests = [*tests_of(name, folder), f"src/partita/{name}"]
    try:
        done = subprocess.run(
            [*command, *tests], cwd=folder, env=known, capture_output=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kernels", type=float, default=0.0, help="Share of mutants among compiled modules.")
    parser.add_argument("--folder", type=Path, help="Where to keep the copy; a temporary folder if left out.")
    parser.add_argument("--only", default="", help="Modules whose names begin so, such as decide/.")
    parser.add_argument("--verbose", action="store_true", help="Print those that are noticed, too.")
    options = parser.parse_args()
    rng, listed = random.Random(options.seed), read_listed()
    counts = {"noticed": 0, "unnoticed": 0, "changes nothing": 0}
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        copy_project(folder)
        for _ in range(options.mutants):
            name = rng.choice(
                [name for name in modules(rng.random() < options.kernels) if name.startswith(options.only)]
            )
            path = folder / "src" / "partita" / name
            source = path.read_text(encoding="utf-8")
            if not (possible := mutants(source)):
                continue
            mutant = rng.choice(possible)
            shown = mutant.shown(source)
            if (name, shown) in listed:
                counts["changes nothing"] += 1
                continue
            path.write_text(mutant.apply(source), encoding="utf-8")
            try:
                noticed = notices(folder, name)
            finally:
                path.write_text(source, encoding="utf-8")
            counts["noticed" if noticed else "unnoticed"] += 1
            if not noticed or options.verbose:
                outcome = "noticed" if noticed else "unnoticed"
                print(f"{outcome}: {name}:{mutant.line} {mutant.old} -> {mutant.new}: {shown}", flush=True)
    share = counts["noticed"] / max(1, counts["noticed"] + counts["unnoticed"])
    print(
        ", ".join(f"{name}: {n}" for name, n in counts.items())
        + f"; {share:.0%} of those that change something noticed"
    )
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main())
