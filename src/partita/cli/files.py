"""A summary as files in a folder, and printed with their names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..decide import PosteriorSummary

N_LEAST = 5  # least certain items that are printed


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
