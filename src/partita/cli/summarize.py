"""``partita summarize``: from draws of partitions to their summary."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import (
    Jobs,
    Json,
    Level,
    LossName,
    Metric,
    Output,
    Quiet,
    Seed,
    app,
    command_line,
    friendly_errors,
    print_summary,
    write_run,
    write_tables,
)


@app.command()
def summarize(
    draws: Annotated[
        Path, typer.Argument(help="Draws of partitions or clusterings: csv, npz, npy, parquet or netCDF.")
    ],
    output: Output = Path("out"),
    loss: LossName = "vi",
    level: Level = 0.95,
    metric: Metric = "vi",
    max_clusters: Annotated[int | None, typer.Option(help="Most clusters the estimate may have.")] = None,
    target_clusters: Annotated[int | None, typer.Option(help="Number of clusters to aim at (vi, binder).")] = None,
    var: Annotated[str, typer.Option(help="Variable that holds the labels, where the file has several.")] = "z",
    by: Annotated[str, typer.Option(help="What holds one draw: rows, or columns with one item per row.")] = "rows",
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: Json = False,
    _: Quiet = False,
) -> None:
    """Estimate the partition from a file of draws, with its credible ball, certainty and diagnostics.

    Writes labels.csv, certainty.csv, clusters.csv, bounds.csv, diagnostics.csv, draws.npz, run.json and report.html.

    Of clusterings that you have, one per column: partita summarize labels.csv --by columns -o out/

    Example: partita summarize draws.csv --loss vi --level 0.95 -o out/
    """
    with friendly_errors():
        from .. import decide
        from ..decide.estimate import find_estimate
        from ..posterior import PartitionPosterior
        from ..report import write_report

        posterior = PartitionPosterior.from_any(draws, var, axis=by)
        estimate = find_estimate(
            posterior, loss, max_clusters=max_clusters, target_clusters=target_clusters, n_jobs=jobs, random_state=seed
        )
        summary = decide.summarize(posterior, estimate, level=level, metric=metric)
        write_tables(summary, output)
        posterior.save(output / "draws.npz")
        known = {"command": command_line(), "level": level, "metric": metric, "seed": seed}
        write_run(output, known, ("draws.npz", "labels.csv"))
        write_report(summary, output / "report.html", command=command_line())
        print_summary(summary, output, as_json)
