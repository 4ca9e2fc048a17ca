"""The command line: parse, call one library function, write."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from .certainty import assess_certainty
from .credible import CredibleBall, credible_ball
from .estimate import PartitionEstimate, estimate_partition
from .io import write_table
from .posterior import PartitionPosterior

app = typer.Typer(
    help="Bayesian cluster analysis: from draws of partitions to a clustering one can defend.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def main() -> None:
    """Bayesian cluster analysis: from draws of partitions to a clustering one can defend."""


@app.command()
def summarize(
    draws: Annotated[Path, typer.Argument(help="Draws of partitions, one per row: csv, npz, npy, parquet or netCDF.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the results.")] = Path("out"),
    loss: Annotated[str, typer.Option(help="vi, binder, misclassification, adjusted-rand, nvi, id, nid ...")] = "vi",
    level: Annotated[float, typer.Option(help="Probability of the credible ball.")] = 0.95,
    metric: Annotated[str, typer.Option(help="Distance of the credible ball.")] = "vi",
    max_clusters: Annotated[int | None, typer.Option(help="Most clusters the estimate may have.")] = None,
    target_clusters: Annotated[int | None, typer.Option(help="Number of clusters to aim at (vi, binder).")] = None,
    var: Annotated[str, typer.Option(help="Variable that holds the labels, where the file has several.")] = "z",
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 0,
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
        ball = credible_ball(posterior, estimate, level, metric)
        sure = assess_certainty(posterior, estimate, level)
        output.mkdir(parents=True, exist_ok=True)
        write_table(output / "labels.csv", estimate.to_pandas())
        write_table(output / "certainty.csv", sure.items)
        write_table(output / "clusters.csv", sure.clusters)
        write_table(output / "bounds.csv", ball.to_pandas())
        print(_summary(posterior, estimate, ball))
        print(f"\nLeast certain items:\n{sure.items.head(5).round(2).to_string()}")
        core = sure.core
        print(f"\n{core.members.size} of {core.n_items} items are clustered like this with probability", end=" ")
        print(f"{core.probability:.3f}.\nWritten to {output}: labels.csv, certainty.csv, clusters.csv, bounds.csv")


def _summary(posterior: PartitionPosterior, estimate: PartitionEstimate, ball: CredibleBall) -> str:
    """The answer in words."""
    sizes = ", ".join(map(str, estimate.sizes))
    exactly = posterior.probabilities()[posterior.n_clusters() == estimate.n_clusters].sum()
    name = getattr(ball.metric, "name", "")
    return (
        f"{posterior}\n"
        f"Estimate: {estimate.n_clusters} clusters of {sizes} items; "
        f"expected loss {estimate.expected_loss:.4f} ± {estimate.standard_error:.4f}.\n"
        f"The draws have {estimate.n_clusters} clusters with probability {exactly:.2f}.\n"
        f"{ball.mass:.1%} of the posterior lies within {name} distance {ball.radius:.4f} of the estimate;\n"
        f"at the edges there are {ball.upper.max() + 1} (fewest) to {ball.lower.max() + 1} (most) clusters.\n"
        f"Search: {estimate.search}."
    )


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
