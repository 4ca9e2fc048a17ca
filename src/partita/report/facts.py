"""Numbers for a first glance."""

from __future__ import annotations

from typing import NamedTuple

from ..decide import PosteriorSummary
from ..decide.words import distance


class Fact(NamedTuple):
    """A number worth a tile, and what it is."""

    value: str
    meaning: str
    good: bool | None = None


def facts(summary: PosteriorSummary) -> list[Fact]:
    """Number of clusters and its probability, items in doubt, radius of the ball, whether chains agree."""
    posterior, ball, n_clusters = summary.posterior, summary.ball, summary.estimate.n_clusters
    tiles = [
        Fact(str(n_clusters), "clusters in the estimate"),
        Fact(f"{summary.n_clusters_probability:.2f}", f"probability of exactly {n_clusters}"),
        Fact(str(summary.certainty.n_doubtful), f"of {posterior.n_items} items in doubt"),
        Fact(distance(ball.metric, ball.radius), f"radius of the {100 * ball.level:g}\xa0% credible ball"),
    ]
    if summary.diagnostics is not None:
        mixed, alone = summary.diagnostics.mixed, posterior.n_chains == 1
        verdict = "not mixed" if not mixed else "one chain" if alone else "agree"
        tiles.append(Fact(verdict, "Markov chains", mixed and not alone))
    return tiles
