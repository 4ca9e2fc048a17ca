"""Which of our files a task visits, in the order in which they are first called: `python scripts/walk.py`.

It prints them and writes them into docs/architecture.md. Kernels run as plain Python, so that they are seen too;
modules that are only imported are not counted.
"""

import os

os.environ["NUMBA_DISABLE_JIT"] = "1"

import contextlib
import io
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import partita as pt
from partita._kernels import _jit

_jit.popcount = lambda word: int(word).bit_count()  # a machine instruction, which plain Python does not have
PACKAGE = Path(pt.__file__).parent


def visited(task: Callable[[], object]) -> dict[str, str]:
    """Files in which some function is called, in order, each with the first of its functions."""
    files: dict[str, str] = {}

    def watch(frame: FrameType, event: str, argument: Any) -> None:  # noqa: ARG001
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)) and not is_body(frame):
            path = Path(code.co_filename).relative_to(PACKAGE).as_posix()
            files.setdefault(path, code.co_qualname)

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        task()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return files


def is_body(frame: FrameType) -> bool:
    """Whether a module or a class is being made, anywhere up the stack: then nothing is being computed."""
    caller: FrameType | None = frame
    while caller is not None:
        if caller.f_code.co_name == "<module>" and caller.f_globals.get("__name__") != "__main__":
            return True
        caller = caller.f_back
    return False


def cluster(folder: Path) -> Callable[[], object]:
    """From a csv to its report, by the command line."""
    from typer.testing import CliRunner

    from partita.cli import app

    X, truth = pt.datasets.make_quadrants(n_items=24, random_state=1)
    X += 10 * truth[:, np.newaxis]  # clusters that are there, so that all of the report has something to show
    table = "\n".join(["name,length,width", *(f"item{i},{a:.3f},{b:.3f}" for i, (a, b) in enumerate(X))])
    (folder / "data.csv").write_text(table, encoding="utf-8")
    run = "--chains 2 --draws 20 --warmup 20 --jobs 1"
    command = ["cluster", str(folder / "data.csv"), "-o", str(folder / "out"), *run.split()]

    def task() -> None:
        result = CliRunner().invoke(app, command)
        if result.exit_code:
            raise RuntimeError(result.output) from result.exception

    return task


def ball(folder: Path) -> Callable[[], object]:
    """From draws in a file to a credible ball."""
    posterior, _ = pt.datasets.make_noisy_draws(n_items=12, n_draws=30)
    posterior.save(folder / "draws.csv")

    def task() -> None:
        draws = pt.PartitionPosterior.from_any(folder / "draws.csv")
        pt.credible_ball(draws, pt.estimate_partition(draws))

    return task


WALKS = {"cluster": cluster, "ball": ball}
REPORT = "report/write.py"  # where the answer is complete and the report begins
PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
HAPPENS = {
    "cli": "parses the command and says the answer",
    "tables": "reads the table: numbers as they are written, columns that name or count items",
    "_validation": "checks arguments",
    "_kernels": "what several kernels share",
    "_parallel": "hands jobs to threads",
    "_progress": "draws a bar",
    "_files": "writes files whole or not at all",
    "priors": "make the prior on partitions",
    "clusterers": "the estimator: from a table to draws and an estimate",
    "components": "turn columns into arrays and hyperparameters",
    "constraints": "check the pairs, or that there are none, and make chunklets",
    "samplers": "start, run and keep the chains",
    "partitions": "bring labels into canonical form, match clusters",
    "posterior": "keeps draws, reads and writes them, computes similarities",
    "losses": "the loss and its expectation",
    "decide": "estimate, diagnostics, credible ball, certainty",
    "report": "collects what is shown and writes the page",
    "plot": "computes what figures show",
    "stability": "perturbs distances, for the report",
}


def walk(name: str) -> dict[str, str]:
    """The files that a walk visits, run on a small example in a folder of its own."""
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        task = WALKS[name](Path(scratch))
        with contextlib.redirect_stderr(io.StringIO()):
            return visited(task)


def table(files: Iterable[str]) -> str:
    """Python files in order, by package, in the order in which packages are entered; kernels beside their package."""
    packages: dict[str, list[str]] = {}
    kernels: dict[str, list[str]] = {}
    for path in (path.removesuffix(".py") for path in files if path.endswith(".py") and path != "__init__.py"):
        inside = path.removeprefix("_kernels/")
        package, _, name = (inside if "/" in inside else path).partition("/")
        rows = kernels if path != inside else packages
        packages.setdefault(package, [])
        rows.setdefault(package, []).append(f"`{name or package}`")
    n_files = sum(map(len, [*packages.values(), *kernels.values()]))
    lines = [
        f"{n_files} files, of which {sum(map(len, kernels.values()))} are kernels.\n",
        "| package | what it does here | files | kernels |",
        "|---|---|---|---|",
    ]
    for package, names in packages.items():
        cells = [f"`{package}`", HAPPENS.get(package, ""), ", ".join(names), ", ".join(kernels.get(package, []))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def split(name: str, files: Iterable[str]) -> dict[str, list[str]]:
    """The walk itself and, where it goes on to a report, what only the report visits."""
    paths = list(files)
    at = paths.index(REPORT) if REPORT in paths else len(paths)
    return {name: paths[:at], **({"report": paths[at:]} if paths[at:] else {})}


def filled(page: str, name: str, text: str) -> str:
    """The page with the text between the marks of a walk."""
    first, last = f"<!-- walk {name} -->\n", f"<!-- end {name} -->\n"
    before, _, rest = page.partition(first)
    return f"{before}{first}\n{text}\n\n{last}{rest.partition(last)[2]}"


def main(check: bool) -> int:
    """Print the walks and write them into the page or, to check, say whether the page has them as they are."""
    page = PAGE.read_text(encoding="utf-8")
    after = page
    for name in WALKS:
        files = walk(name)
        print(f"{name}: {len(files)} files")
        for number, (path, function) in enumerate(files.items(), start=1):
            print(f"{number:4}  {path:<45} {function}")
        for part, paths in split(name, files).items():
            after = filled(after, part, table(paths))
    if not check:
        PAGE.write_text(after, encoding="utf-8")
    return int(check and after != page)


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
