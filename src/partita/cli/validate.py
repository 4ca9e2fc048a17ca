"""``partita validate``: the number of clusters, by stability against a null or another criterion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import (
    Columns,
    Data,
    Index,
    Jobs,
    Json,
    Output,
    Seed,
    Standardize,
    answer,
    app,
    friendly_errors,
    note,
    split_names,
)


@app.command()
def validate(
    data: Data,
    k: Annotated[str, typer.Option(help="Numbers of clusters to try, as FIRST:LAST.")] = "2:12",
    output: Output = Path("out"),
    index: Index = None,
    columns: Columns = None,
    standardize: Standardize = False,
    method: Annotated[str, typer.Option(help="stability, gap, subsample-draws, silhouette ...")] = "stability",
    rule: Annotated[str, typer.Option(help="best, std_before_best or gap.")] = "std_before_best",
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Choose the number of clusters, by how stable k-means clusterings are against a null.

    Writes selection.csv and labels.csv.

    Example: partita validate data.csv --k 2:12
    """
    with friendly_errors():
        import pandas as pd

        from ..posterior.io import write_table
        from ..selection import select_n_clusters
        from ..tables import read_data

        table, notes = read_data(data, index, split_names(columns), standardize)
        for line in notes:
            note(line)
        found = select_n_clusters(table, _parse_range(k), method=method, rule=rule, random_state=seed, n_jobs=jobs)
        output.mkdir(parents=True, exist_ok=True)
        write_table(output / "selection.csv", found.table)
        write_table(output / "labels.csv", pd.Series(found.labels, index=table.index, name="cluster"))
        words = f"{found.table.round(4).to_string()}\n\n{found.n_clusters} clusters, by {method} and the rule {rule}."
        known = {"n_clusters": found.n_clusters, "method": method, "rule": rule, "folder": str(output)}
        answer(known, f"{words}\nWritten to {output}: selection.csv, labels.csv", as_json)


def _parse_range(text: str) -> range:
    first, _, last = text.partition(":")
    if not (first.isdigit() and last.isdigit() and int(first) <= int(last)):
        raise ValueError(f"k must be FIRST:LAST, such as 2:12: got {text!r}.")
    return range(int(first), int(last) + 1)
