"""What the commands share: the application, options that several have, errors in one sentence, results as files."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ..decide import PosteriorSummary


N_LEAST = 5  # least certain items that are printed
EXIT_CODES = {
    0: "the command did what it was asked to",
    2: "it did not, and says why in one sentence",
    130: "it was interrupted (Ctrl-C)",
    141: "who read its output has gone (a broken pipe)",
    143: "it was asked to terminate (SIGTERM)",
}

app = typer.Typer(
    help="Bayesian cluster analysis: from a table, or from draws of partitions, to a clustering one can defend.",
    epilog="Start with: partita simulate quadrants -o play/ && partita cluster play/data.csv -o play/\n\n"
    + "Exit codes: "
    + "; ".join(f"{code}, {meaning}" for code, meaning in EXIT_CODES.items())
    + ".",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help, which takes half as long to import
    pretty_exceptions_enable=False,
)

Data = Annotated[
    Path, typer.Argument(help="A table with one item per row: csv, tsv, parquet, npz, or - for standard input.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the results.")]
Index = Annotated[str | None, typer.Option(help="Column that names the items; detected automatically if left out.")]
Columns = Annotated[str | None, typer.Option(help="Columns to use, separated by commas; all by default.")]
Standardize = Annotated[bool, typer.Option("--standardize", help="Bring numbers to mean 0 and variance 1 first.")]
Drop = Annotated[list[str] | None, typer.Option(help="Column to leave out; may be given several times.")]
Decimal = Annotated[
    str | None, typer.Option(help="Decimal mark of numbers, a point or a comma; found by itself where entries show it.")
]
Header = Annotated[
    bool | None,
    typer.Option("--header/--no-header", help="Whether the first row names the columns; found by itself if it shows."),
]
Scale = Annotated[
    bool, typer.Option("--scale/--no-scale", help="Bring numbers to mean 0 and variance 1 first, or leave them.")
]
Seed = Annotated[int, typer.Option(help="Seed: the same seed, the same answer.")]
LossName = Annotated[str, typer.Option(help="vi, binder, misclassification, adjusted-rand, nvi, id, nid ...")]
Level = Annotated[float, typer.Option(help="Probability of the credible ball.")]
Metric = Annotated[str, typer.Option(help="Distance of the credible ball.")]
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Jobs = Annotated[int, typer.Option(help="Threads; -1 for all cores.")]


def _choose_progress(context: typer.Context, quiet: bool) -> None:
    from .._progress import show_progress

    context.with_resource(show_progress(bars=not quiet, lines=not quiet))


Quiet = Annotated[bool, typer.Option("--quiet", callback=_choose_progress, help="Say nothing of progress.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"partita {version('partita')}")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Bayesian cluster analysis: from a table, or from draws of partitions, to a clustering one can defend."""


def note(text: str) -> None:
    """Say something beside the answer."""
    print(text, file=sys.stderr)


def answer(facts: dict[str, Any], words: str, as_json: bool) -> None:
    """Print the answer, for people or for machines."""
    print(json.dumps(facts) if as_json else words)


def split_names(text: str | None) -> list[str] | None:
    """Names separated by commas."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def command_line(*without: str) -> str:
    """What was typed, to be typed again."""
    return shlex.join(["partita", *(word for word in sys.argv[1:] if word not in without)])


@contextmanager
def friendly_errors(interrupted: str = "Interrupted before there was a result.") -> Iterator[None]:
    """Say what is wrong in one sentence, without a traceback, and end with the exit code of ``EXIT_CODES``.

    A request to terminate ends a command as Ctrl-C does.
    """
    terminated = False

    def terminate(*_: Any) -> None:
        nonlocal terminated
        terminated = True
        raise KeyboardInterrupt

    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, terminate) if in_main else None
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # who read the output has gone, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(141) from None
    except (ValueError, TypeError, OSError, MemoryError, ImportError) as error:
        note(f"Error: {error}")
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        note(f"\n{interrupted}")
        raise typer.Exit(143 if terminated else 130) from None
    finally:
        if in_main:
            signal.signal(signal.SIGTERM, before)


def write_tables(summary: PosteriorSummary, folder: Path) -> None:
    """Write labels, certainty, clusters, bounds and diagnostics, each atomically."""
    from .._files import write_table

    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / "labels.csv", summary.estimate.to_pandas())
    write_table(folder / "certainty.csv", summary.certainty.items)
    write_table(folder / "clusters.csv", summary.certainty.clusters)
    write_table(folder / "bounds.csv", summary.ball.to_pandas())
    if summary.diagnostics is None:
        (folder / "diagnostics.csv").unlink(missing_ok=True)  # of other draws
    else:
        write_table(folder / "diagnostics.csv", summary.diagnostics.table)


def write_run(folder: Path, known: dict[str, Any], names: Sequence[str]) -> None:
    """Write how it was computed, and which files of the folder belong to it."""
    from .._files import atomic_write, file_digest

    files = {name: file_digest(folder / name) for name in names}
    with atomic_write(folder / "run.json") as partial:
        partial.write_text(json.dumps({**known, "files": files}), encoding="utf-8")


def print_summary(summary: PosteriorSummary, folder: Path, as_json: bool) -> None:
    """Print the answer and where it was written, for people or for machines."""
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    if as_json:
        print(json.dumps({**summary.to_dict(), "files": files, "folder": str(folder)}))
        return
    least = summary.certainty.items.head(N_LEAST).round(2).to_string()
    print(f"{summary.posterior}\n{summary.words}\n\nLeast certain items:\n{least}\n")
    print(f"Written to {folder}: {', '.join(files)}")
