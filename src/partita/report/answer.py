"""The answer in a few sentences."""

from __future__ import annotations

from typing import NamedTuple

from ..plot.canvas import plural
from ..plot.credible_ball import distance
from ..plot.n_clusters import count_clusters
from ..plot.partition import count_items
from .study import Study

DOUBT = 0.5  # a smaller margin is doubt
MOST_LISTED = 8  # clusters whose sizes are named


class Fact(NamedTuple):
    """A number worth a tile, and what it is."""

    value: str
    meaning: str
    good: bool | None = None


def answer(study: Study) -> str:
    """What was found, in one sentence."""
    items, sizes = plural(study.posterior.n_items, "item"), study.estimate.sizes
    verb = "forms" if study.posterior.n_items == 1 else "form"
    if not 1 < sizes.size <= MOST_LISTED:
        return f"{items} {verb} {count_items(study.labels)}."
    *first, last = map(str, sizes)
    return f"{items} {verb} {sizes.size} clusters of {', '.join(first)} and {last} items."


def caveats(study: Study) -> str:
    """How sure that is, in a sentence or two."""
    ball, core = study.ball, study.certainty.joint_core
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
