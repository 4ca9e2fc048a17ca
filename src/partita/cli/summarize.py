"""``partita summarize``: from draws of partitions to an estimate and how sure it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..decide import estimate_partition
from ..posterior import PartitionPosterior
from ..report import write_report
from .app import Jobs, Json, Level, LossName, Metric, Output, Seed, answer, app, command_line, friendly_errors
from .words import facts, in_words, summarize as make_summary, write_summary


@app.command()
def summarize(
    draws: Annotated[Path, typer.Argument(help="Draws of partitions, one per row: csv, npz, npy, parquet or netCDF.")],
    output: Output = Path("out"),
    loss: LossName = "vi",
    level: Level = 0.95,
    metric: Metric = "vi",
    max_clusters: Annotated[int | None, typer.Option(help="Most clusters the estimate may have.")] = None,
    target_clusters: Annotated[int | None, typer.Option(help="Number of clusters to aim at (vi, binder).")] = None,
    var: Annotated[str, typer.Option(help="Variable that holds the labels, where the file has several.")] = "z",
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Report the best partition of a file of draws, how sure it is, and who is in doubt.

    Writes labels.csv, certainty.csv, clusters.csv, bounds.csv, draws.npz and report.html.

    Example: partita summarize draws.csv --loss vi --level 0.95 -o out/
    """
    with friendly_errors():
        posterior = PartitionPosterior.from_any(draws, var)
        estimate = estimate_partition(
            posterior, loss, max_clusters=max_clusters, target_clusters=target_clusters, n_jobs=jobs, random_state=seed
        )
        summary = make_summary(posterior, estimate, level, metric)
        write_summary(summary, output)
        posterior.save(output / "draws.npz")
        write_report(
            posterior, output / "report.html", estimate=estimate, level=level, metric=metric, command=command_line()
        )
        answer(facts(summary, output), in_words(summary, output), as_json)
