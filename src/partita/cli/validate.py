"""``partita validate``: the number of clusters, by stability against a null or another criterion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import (
    Columns,
    Data,
    Decimal,
    Drop,
    Header,
    Index,
    Jobs,
    Json,
    Output,
    Quiet,
    Scale,
    Seed,
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
    drop: Drop = None,
    decimal: Decimal = None,
    header: Header = None,
    scale: Scale = True,
    method: Annotated[
        str, typer.Option(help="silhouette, gap, stability-uniform ...: the first decides, others are set beside it.")
    ] = "silhouette,gap,stability-uniform",
    rule: Annotated[
        str | None, typer.Option(help="best, std_before_best or gap; the method's own if left out.")
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: Json = False,
    _: Quiet = False,
) -> None:
    """Recommend a number of clusters of k-means, by silhouette, gap statistic and stability.

    Columns may hold numbers, categories and missing entries, as in ``cluster``. Writes selection.csv and labels.csv.

    Example: partita validate data.csv --k 1:12 --drop island
    """
    with friendly_errors():
        import pandas as pd

        from .._files import write_table
        from ..selection import select_n_clusters
        from ..tables import encode_numbers, read_data

        table, notes = read_data(data, index, split_names(columns), drop=drop or (), decimal=decimal, header=header)
        numbers, more = encode_numbers(table, scale, True if columns else None)
        for line in [*notes, *more]:
            note(line)
        methods, tried = split_names(method) or [], parse_range(k)
        found = select_n_clusters(numbers, tried, methods, rule, random_state=seed, n_jobs=jobs)
        output.mkdir(parents=True, exist_ok=True)
        write_table(output / "selection.csv", found.table.set_index("method"))
        write_table(output / "labels.csv", pd.Series(found.labels, index=numbers.index, name="cluster"))
        values = found.table.pivot(index="n_clusters", columns="method", values="value")[list(found.choices)]
        words = f"{values.round(4).to_string()}\n\n{found.words}"
        known = {
            "n_clusters": found.n_clusters,
            "words": found.words,
            "choices": found.choices,
            "notes": [*notes, *more],
        }
        known |= {"rule": rule, "folder": str(output)}
        answer(known, f"{words}\nWritten to {output}: selection.csv, labels.csv", as_json)


def parse_range(text: str) -> range:
    """Whole numbers from FIRST:LAST."""
    first, _, last = text.partition(":")
    if not (first.isdigit() and last.isdigit() and int(first) <= int(last)):
        raise ValueError(f"k must be FIRST:LAST, such as 2:12: got {text!r}.")
    return range(int(first), int(last) + 1)
