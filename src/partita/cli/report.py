"""``partita report``: the page again, from a folder of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import app, friendly_errors


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="Folder of results: draws, and labels and data where they were kept.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The page; report.html in the folder.")] = None,
    data: Annotated[Path | None, typer.Option(help="The data, where the folder does not hold them.")] = None,
    index: Annotated[str | None, typer.Option(help="Column of the data that names the items.")] = None,
) -> None:
    """Write report.html from what ``cluster`` or ``summarize`` left in a folder.

    Example: partita report out/
    """
    with friendly_errors():
        from ..report import report_folder
        from ..tables import read_data

        table = None if data is None else read_data(data, index)[0]
        print(f"Written to {report_folder(folder, output, data=table)}")
