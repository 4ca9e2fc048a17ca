"""``partita simulate``: simulated data, and a real data set, to try things on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .app import Output, Seed, app, friendly_errors

GENERATORS = ("quadrants", "shaped", "anova", "galaxies", "penguins")


@app.command()
def simulate(
    what: Annotated[
        str, typer.Argument(help="quadrants, shaped, anova, or galaxies and penguins (which are real).")
    ] = "quadrants",
    output: Output = Path("out"),
    items: Annotated[int, typer.Option(help="Number of items.")] = 200,
    clusters: Annotated[int, typer.Option(help="Number of clusters (shaped, anova).")] = 4,
    columns: Annotated[int, typer.Option(help="Number of columns (shaped, anova).")] = 2,
    seed: Seed = 0,
) -> None:
    """Write a table to play with, and its true clusters in a file of their own.

    Writes data.csv and, but for the galaxies, truth.csv: of the penguins, their species.

    Example: partita simulate quadrants -o play/ --items 200
    """
    with friendly_errors():
        import pandas as pd

        from .._files import write_table
        from .._validation import check_choice

        X, truth = _generate(check_choice("what", what, GENERATORS), items, clusters, columns, seed)
        names = [f"item {i + 1}" for i in range(len(X))]
        output.mkdir(parents=True, exist_ok=True)
        table = pd.DataFrame(X).set_axis(pd.Index(names, name="item")).rename(columns=_name)
        write_table(output / "data.csv", table)
        written = "data.csv"
        if truth is not None:
            write_table(output / "truth.csv", pd.Series(list(truth), index=table.index, name="cluster"))
            written += ", truth.csv"
        print(f"{len(X)} items in {table.shape[1]} columns. Written to {output}: {written}")


def _name(column: Any) -> str:
    return f"x{column + 1}" if isinstance(column, int) else str(column)


def _generate(what: str, n_items: int, n_clusters: int, n_columns: int, seed: int) -> tuple[Any, Any]:
    from ..datasets import load_galaxies, load_penguins, make_anova_mixture, make_quadrants, make_shaped_mixture

    if what == "galaxies":
        return load_galaxies(), None
    if what == "penguins":
        return load_penguins()
    if what == "quadrants":
        return make_quadrants(n_items, random_state=seed)
    make = make_shaped_mixture if what == "shaped" else make_anova_mixture
    made = make(n_items=n_items, n_clusters=n_clusters, n_features=n_columns, random_state=seed)
    return made[0], made[1]
