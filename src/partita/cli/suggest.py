"""``partita suggest``: the pairs of items to ask an expert about next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import Json, Seed, answer, app, friendly_errors


@app.command()
def suggest(
    results: Annotated[
        Path, typer.Argument(help="Folder of results, or draws of partitions: csv, npz, npy, parquet or netCDF.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The table; pairs.csv in the folder of the draws.")
    ] = None,
    n_pairs: Annotated[int, typer.Option(help="Most pairs to ask about.")] = 10,
    var: Annotated[str, typer.Option(help="Variable that holds the labels, where the file has several.")] = "z",
    by: Annotated[str, typer.Option(help="What holds one draw: rows, or columns with one item per row.")] = "rows",
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Write pairs.csv: the pairs of items of which it is least certain whether they are together.

    An answer to each goes to --must-link or --cannot-link of ``cluster``.

    Example: partita suggest out/ --n-pairs 5
    """
    with friendly_errors():
        from .._files import write_table
        from ..decide import suggest_pairs
        from ..decide.words import plural
        from ..posterior import PartitionPosterior
        from ..report.folder import read_results

        if results.is_dir():
            found = read_results(results)
            posterior, labels, folder = found.posterior, found.labels, results
        else:
            posterior, labels, folder = PartitionPosterior.from_any(results, var, axis=by), None, results.parent
        pairs = suggest_pairs(posterior, n_pairs, labels=labels, random_state=seed)
        written = folder / "pairs.csv" if output is None else output
        write_table(written, pairs.set_index("first"))
        if len(pairs):
            best = pairs.iloc[0]
            first = (
                f"whether {best['first']} and {best['second']} belong together (probability {best['similarity']:.2f})"
            )
            words = f"{plural(len(pairs), 'pair')} to ask about; the first: {first}."
        else:
            words = "No pair is in doubt: there is nothing to ask."
        facts = {"n_pairs": len(pairs), "pairs": pairs.to_dict("records"), "file": str(written), "words": words}
        answer(facts, f"{words}\nWritten to {written}", as_json)
