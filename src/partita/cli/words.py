"""What draws say, as facts, as sentences and as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from ..decide import Certainty, CredibleBall, PartitionEstimate, assess_certainty, credible_ball
from ..posterior import PartitionPosterior
from ..posterior.io import write_table


class Summary(NamedTuple):
    """An estimate and how sure it is."""

    posterior: PartitionPosterior
    estimate: PartitionEstimate
    ball: CredibleBall
    certainty: Certainty


def summarize(posterior: PartitionPosterior, estimate: PartitionEstimate, level: float, metric: str) -> Summary:
    """All that is said of an estimate."""
    ball = credible_ball(posterior, estimate, level, metric)
    return Summary(posterior, estimate, ball, assess_certainty(posterior, estimate, level))


def write_summary(summary: Summary, folder: Path) -> None:
    """Tables, each written whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / "labels.csv", summary.estimate.to_pandas())
    write_table(folder / "certainty.csv", summary.certainty.items)
    write_table(folder / "clusters.csv", summary.certainty.clusters)
    write_table(folder / "bounds.csv", summary.ball.to_pandas())


def facts(summary: Summary, folder: Path) -> dict[str, Any]:
    """The same for machines."""
    posterior, estimate, ball, sure = summary
    exactly = posterior.probabilities()[posterior.n_clusters() == estimate.n_clusters].sum()
    return {
        "n_items": posterior.n_items,
        "n_draws": posterior.n_draws,
        "n_clusters": estimate.n_clusters,
        "sizes": [int(size) for size in estimate.sizes],
        "probability_of_n_clusters": float(exactly),
        "expected_loss": float(estimate.expected_loss),
        "standard_error": float(estimate.standard_error),
        "ball": {"level": ball.level, "mass": float(ball.mass), "radius": float(ball.radius)},
        "joint_core": {"n_items": int(sure.joint_core.members.size), "probability": float(sure.joint_core.probability)},
        "files": sorted(path.name for path in folder.iterdir() if path.is_file()),
        "folder": str(folder),
    }


def in_words(summary: Summary, folder: Path) -> str:
    """The same for people."""
    posterior, estimate, ball, sure = summary
    known = facts(summary, folder)
    name, core = getattr(ball.metric, "name", ""), sure.joint_core
    fewest, most = int(ball.upper.max()) + 1, int(ball.lower.max()) + 1
    edges = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    return (
        f"{posterior}\n"
        f"Estimate: {estimate.n_clusters} clusters of {', '.join(map(str, estimate.sizes))} items;\n"
        f"expected loss {estimate.expected_loss:.4f} ± {estimate.standard_error:.4f}.\n"
        f"The draws have {estimate.n_clusters} clusters with probability {known['probability_of_n_clusters']:.2f}.\n"
        f"{ball.mass:.1%} of the posterior lies within {name} distance {ball.radius:.4f}\n"
        f"of the estimate; partitions that near have {edges} clusters.\n"
        f"Search: {estimate.search}.\n\n"
        f"Least certain items:\n{sure.items.head(5).round(2).to_string()}\n\n"
        f"{core.members.size} of {core.n_items} items are clustered like this\n"
        f"with probability {core.probability:.3f}.\n\n"
        f"Written to {folder}: {', '.join(known['files'])}"
    )
