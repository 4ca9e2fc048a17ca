"""The answer in a few sentences."""

from __future__ import annotations

from typing import NamedTuple

from ..plot.canvas import plural
from ..plot.credible_ball import distance
from ..plot.n_clusters import count_clusters
from .study import Study

DOUBT = 0.5  # a smaller margin is doubt


class Fact(NamedTuple):
    """A number worth a tile, and what it is."""

    value: str
    meaning: str
    good: bool | None = None


def answer(study: Study) -> str:
    """What was found, in one sentence."""
    estimate = study.estimate
    sizes = _listing([str(size) for size in estimate.sizes[:8]], estimate.n_clusters > 8)
    return f"{study.posterior.n_items} items form {plural(estimate.n_clusters, 'cluster')} of {sizes} items."


def caveats(study: Study) -> str:
    """How sure that is, in a sentence or two."""
    ball, core = study.ball, study.certainty.core
    upper, lower = int(ball.upper.max()) + 1, int(ball.lower.max()) + 1
    range_ = f"{upper}" if upper == lower else f"{upper} to {lower}"
    reach = f"With probability {ball.mass:.2f} the partition lies within {distance(ball, ball.radius)} of this one"
    joint = f"Items that are clustered exactly like this, all at once, with probability {core.level:g} or more"
    size = "all of them" if core.members.size == core.n_items else f"{core.members.size} of them"
    return f"{reach}, and partitions that near have {range_} clusters. {joint}: {size}."


def facts(study: Study) -> list[Fact]:
    """Numbers for a first glance."""
    numbers, chances = count_clusters(study.posterior)
    exactly = float(chances[numbers == study.estimate.n_clusters].sum())
    doubtful = int((study.margins() < DOUBT).sum())
    tiles = [
        Fact(str(study.estimate.n_clusters), "clusters in the estimate"),
        Fact(f"{exactly:.2f}", f"probability of exactly {study.estimate.n_clusters}"),
        Fact(str(doubtful), f"of {study.posterior.n_items} items in doubt"),
        Fact(distance(study.ball, study.ball.radius), f"reach of the {100 * study.ball.level:g}\xa0% credible ball"),
    ]
    if study.diagnostics is not None:
        mixed, alone = study.diagnostics.mixed, study.posterior.n_chains == 1
        verdict = "not mixed" if not mixed else "one chain" if alone else "agree"
        tiles.append(Fact(verdict, "Markov chains", mixed and not alone))
    return tiles


def _listing(words: list[str], more: bool) -> str:
    """``72, 7 and 3``."""
    if more:
        return ", ".join(words) + ", ..."
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
