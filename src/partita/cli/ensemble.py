"""``partita ensemble``: a clusterer run many times, and what the runs agree on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
    Level,
    Output,
    Quiet,
    Scale,
    Seed,
    app,
    command_line,
    friendly_errors,
    note,
    print_summary,
    split_names,
    write_run,
    write_tables,
)
from .validate import parse_range

CLUSTERERS = ("kmeans", "ward", "gmm", "spectral", "hdbscan")


@app.command()
def ensemble(
    data: Data,
    clusterer: Annotated[str, typer.Option(help=f"What is run: {', '.join(CLUSTERERS)}.")] = "kmeans",
    k: Annotated[str, typer.Option(help="Numbers of clusters to try, as FIRST:LAST.")] = "2:12",
    runs: Annotated[int, typer.Option(help="Number of runs.")] = 200,
    resample: Annotated[str, typer.Option(help="What each run sees: subsample, bootstrap or none.")] = "subsample",
    fraction: Annotated[float, typer.Option(help="Share of the items in a subsample.")] = 0.8,
    output: Output = Path("out"),
    index: Index = None,
    columns: Columns = None,
    drop: Drop = None,
    decimal: Decimal = None,
    header: Header = None,
    scale: Scale = True,
    level: Level = 0.95,
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: Json = False,
    _: Quiet = False,
) -> None:
    """Run a clusterer many times, on parts of the data and for many numbers of clusters, and report what runs agree on.

    Writes labels.csv, certainty.csv, clusters.csv, bounds.csv, draws.npz, run.json and report.html. Interrupted, the
    same command goes on where it was.

    Example: partita ensemble data.csv --clusterer kmeans --k 2:20 --runs 200 -o out/
    """
    resumable = f"Interrupted. The runs so far are kept; continue with:\n  {command_line()}"
    with friendly_errors(resumable):
        from .. import decide
        from ..ensembles import ensemble as run_ensemble
        from ..report import write_report
        from ..tables import encode_numbers, read_data

        table, notes = read_data(data, index, split_names(columns), drop=drop or (), decimal=decimal, header=header)
        numbers, more = encode_numbers(table, scale, True if columns else None)
        for line in [*notes, *more]:
            note(line)
        model, varied = _clusterer(clusterer, k)
        output.mkdir(parents=True, exist_ok=True)
        posterior = run_ensemble(
            model,
            numbers,
            runs,
            None if resample == "none" else resample,
            fraction=fraction,
            vary=varied,
            checkpoint=output / "runs.npy",
            n_jobs=jobs,
            random_state=seed,
        )
        summary = decide.summarize(posterior, level=level)
        write_tables(summary, output)
        posterior.save(output / "draws.npz")
        write_run(output, {"command": command_line(), "level": level, "seed": seed}, ("draws.npz", "labels.csv"))
        write_report(summary, output / "report.html", data=numbers, command=command_line(), notes=[*notes, *more])
        print_summary(summary, output, as_json)


def _clusterer(name: str, k: str) -> tuple[Any, dict[str, Any]]:
    """A clusterer by its name, and which of its parameters are varied."""
    from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans, SpectralClustering
    from sklearn.mixture import GaussianMixture

    from .._validation import check_choice

    check_choice("clusterer", name, CLUSTERERS)
    if name == "hdbscan":
        return HDBSCAN(copy=True), {"min_cluster_size": (5, 10, 15, 20)}
    models = {
        "kmeans": KMeans(n_init=1),
        "ward": AgglomerativeClustering(),
        "gmm": GaussianMixture(),
        "spectral": SpectralClustering(affinity="nearest_neighbors"),
    }
    return models[name], {"n_components" if name == "gmm" else "n_clusters": parse_range(k)}
