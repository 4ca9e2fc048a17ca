"""The command line: parse, call one library function, write."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .certainty import Certainty, assess_certainty
from .clusterers import BayesianMixture
from .credible import CredibleBall, credible_ball
from .estimate import PartitionEstimate, estimate_partition
from .io import write_table
from .posterior import PartitionPosterior
from .selection import select_n_clusters

if TYPE_CHECKING:
    import pandas as pd

app = typer.Typer(
    help="Bayesian cluster analysis: from a table, or from draws of partitions, to a clustering one can defend.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the results.")]
Seed = Annotated[int, typer.Option(help="Seed: the same seed, the same answer.")]
LossName = Annotated[str, typer.Option(help="vi, binder, misclassification, adjusted-rand, nvi, id, nid ...")]
Level = Annotated[float, typer.Option(help="Probability of the credible ball.")]


@app.command()
def cluster(
    data: Annotated[Path, typer.Argument(help="A table with one item per row: csv, tsv or parquet.")],
    output: Output = Path("out"),
    index: Annotated[str | None, typer.Option(help="Column that names the items.")] = None,
    component: Annotated[str, typer.Option(help="gaussian-diagonal, gaussian-full, product ...")] = "product",
    loss: LossName = "vi",
    level: Level = 0.95,
    chains: Annotated[int, typer.Option(help="Markov chains.")] = 4,
    draws: Annotated[int, typer.Option(help="Draws of each chain.")] = 1000,
    warmup: Annotated[int, typer.Option(help="Draws of each chain left out at its start.")] = 1000,
    seed: Seed = 0,
) -> None:
    """Cluster a table with a Bayesian mixture whose number of clusters is unknown.

    Columns may hold numbers, counts, categories and missing entries. Writes labels.csv, certainty.csv, clusters.csv,
    bounds.csv, diagnostics.csv and draws.npz.

    Example: partita cluster data.csv -o out/ --index name --seed 1
    """
    with _friendly_errors():
        mixture = BayesianMixture(
            component, n_chains=chains, n_draws=draws, n_warmup=warmup, loss=loss, random_state=seed
        ).fit(_read_table(data, index))
        output.mkdir(parents=True, exist_ok=True)
        mixture.posterior_.save(output / "draws.npz")
        write_table(output / "diagnostics.csv", mixture.diagnostics_.table)
        _summarize(mixture.posterior_, mixture.estimate_, level, "vi", output)
        print(f"\n{mixture.diagnostics_.verdict}")


@app.command()
def summarize(
    draws: Annotated[Path, typer.Argument(help="Draws of partitions, one per row: csv, npz, npy, parquet or netCDF.")],
    output: Output = Path("out"),
    loss: LossName = "vi",
    level: Level = 0.95,
    metric: Annotated[str, typer.Option(help="Distance of the credible ball.")] = "vi",
    max_clusters: Annotated[int | None, typer.Option(help="Most clusters the estimate may have.")] = None,
    target_clusters: Annotated[int | None, typer.Option(help="Number of clusters to aim at (vi, binder).")] = None,
    var: Annotated[str, typer.Option(help="Variable that holds the labels, where the file has several.")] = "z",
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option(help="Threads.")] = 1,
) -> None:
    """Report the best partition of a file of draws, how sure it is, and who is in doubt.

    Writes labels.csv, certainty.csv, clusters.csv and bounds.csv.

    Example: partita summarize draws.csv --loss vi --level 0.95 -o out/
    """
    with _friendly_errors():
        posterior = PartitionPosterior.from_any(draws, var)
        estimate = estimate_partition(
            posterior, loss, max_clusters=max_clusters, target_clusters=target_clusters, n_jobs=jobs, random_state=seed
        )
        _summarize(posterior, estimate, level, metric, output)


@app.command()
def validate(
    data: Annotated[Path, typer.Argument(help="A table of numbers with one item per row: csv, tsv or parquet.")],
    k: Annotated[str, typer.Option(help="Numbers of clusters to try, as FIRST:LAST.")] = "2:12",
    output: Output = Path("out"),
    index: Annotated[str | None, typer.Option(help="Column that names the items.")] = None,
    method: Annotated[str, typer.Option(help="stability, gap, subsample-draws, silhouette ...")] = "stability",
    rule: Annotated[str, typer.Option(help="best, std_before_best or gap.")] = "std_before_best",
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option(help="Threads.")] = 1,
) -> None:
    """Choose the number of clusters, by how stable k-means clusterings are against a null.

    Writes selection.csv and labels.csv.

    Example: partita validate data.csv --k 2:12
    """
    with _friendly_errors():
        table = _read_table(data, index)
        found = select_n_clusters(table, _parse_range(k), method=method, rule=rule, random_state=seed, n_jobs=jobs)
        output.mkdir(parents=True, exist_ok=True)
        write_table(output / "selection.csv", found.table)
        write_table(output / "labels.csv", _named(found.labels, table))
        print(found.table.round(4).to_string())
        print(f"\n{found.n_clusters} clusters, by {method} and the rule {rule}.")
        print(f"Written to {output}: selection.csv, labels.csv")


def _summarize(
    posterior: PartitionPosterior, estimate: PartitionEstimate, level: float, metric: str, output: Path
) -> None:
    """Say what the draws say, and write it."""
    ball, sure = credible_ball(posterior, estimate, level, metric), assess_certainty(posterior, estimate, level)
    output.mkdir(parents=True, exist_ok=True)
    write_table(output / "labels.csv", estimate.to_pandas())
    write_table(output / "certainty.csv", sure.items)
    write_table(output / "clusters.csv", sure.clusters)
    write_table(output / "bounds.csv", ball.to_pandas())
    print(_in_words(posterior, estimate, ball, sure))
    print(f"Written to {output}: {', '.join(sorted(path.name for path in output.iterdir()))}")


def _in_words(posterior: PartitionPosterior, estimate: PartitionEstimate, ball: CredibleBall, sure: Certainty) -> str:
    sizes = ", ".join(map(str, estimate.sizes))
    exactly = posterior.probabilities()[posterior.n_clusters() == estimate.n_clusters].sum()
    name, core = getattr(ball.metric, "name", ""), sure.core
    return (
        f"{posterior}\n"
        f"Estimate: {estimate.n_clusters} clusters of {sizes} items; "
        f"expected loss {estimate.expected_loss:.4f} ± {estimate.standard_error:.4f}.\n"
        f"The draws have {estimate.n_clusters} clusters with probability {exactly:.2f}.\n"
        f"{ball.mass:.1%} of the posterior lies within {name} distance {ball.radius:.4f} of the estimate;\n"
        f"at the edges there are {ball.upper.max() + 1} (fewest) to {ball.lower.max() + 1} (most) clusters.\n"
        f"Search: {estimate.search}.\n\n"
        f"Least certain items:\n{sure.items.head(5).round(2).to_string()}\n\n"
        f"{core.members.size} of {core.n_items} items are clustered like this with probability {core.probability:.3f}."
    )


def _read_table(path: Path, index: str | None) -> pd.DataFrame:
    """A table, its items named by a column."""
    import pandas as pd

    if not path.is_file():
        raise FileNotFoundError(f"data must name a file: got {str(path)!r}.")
    table = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path, sep=None, engine="python")
    if index is None:
        return table
    if index not in table:
        raise ValueError(f"index must be one of the columns {', '.join(map(str, table.columns))}: got {index!r}.")
    return table.set_index(index)


def _named(labels: Any, table: pd.DataFrame) -> pd.Series:
    import pandas as pd

    return pd.Series(labels, index=table.index, name="cluster")


def _parse_range(text: str) -> range:
    first, _, last = text.partition(":")
    if not (first.isdigit() and last.isdigit() and int(first) <= int(last)):
        raise ValueError(f"k must be FIRST:LAST, such as 2:12: got {text!r}.")
    return range(int(first), int(last) + 1)


@contextmanager
def _friendly_errors() -> Iterator[None]:
    """Say what is wrong in one sentence, without a traceback."""
    try:
        yield
    except (ValueError, TypeError, OSError, MemoryError) as error:
        print(f"Error: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        print("Interrupted before there was a result.", file=sys.stderr)
        raise typer.Exit(130) from None
