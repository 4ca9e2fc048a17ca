"""What was known before the data: the prior of the number of clusters, and pairs of items with constraints."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._typing import BoolArray, FloatArray, IntArray
from ..constraints import Constraints
from ..decide.words import plural
from ..plot.canvas import shorten_name
from ..plot.n_clusters import prior_pmf
from ..posterior import PartitionPosterior
from .charts import Section
from .content import Content
from .method import fuses

MOST_PAIRS = 500  # in the table


class PriorLine(NamedTuple):
    """A line over the bars, none where the prior is not known, and what it means."""

    traces: list[dict[str, Any]]
    words: str


def prior_line(content: Content, numbers: IntArray) -> PriorLine:
    """The prior probability of each number of clusters."""
    prior = content.summary.prior
    found = None if prior is None else prior_pmf(prior, content.summary.posterior.n_items, int(numbers[-1]))
    if found is None:
        return PriorLine([], "")
    counts, chances = found
    words = [f"{plural(int(k), 'cluster')}\nprior probability {p:.3f}" for k, p in zip(counts, chances, strict=True)]
    line = {
        "type": "lines",
        "x": counts,
        "y": chances,
        "text": words,
        "color": "var(--ink)",
        "dash": "5 4",
        "width": 1.8,
    }
    without = " and the constraints" if content.summary.constraints is not None else ""
    of = ", of components, several of which may make a cluster" if fuses(content.summary) else ""
    return PriorLine([line], f" Dashed: what the prior says before the data{without}{of}.")


def constraint_section(content: Content) -> Section | None:
    """Each pair, whether the estimate keeps it, and how probable that is; broken and doubtful ones first."""
    known = content.summary.constraints
    if known is None or not (n_pairs := len(known.must_link) + len(known.cannot_link)):
        return None
    pairs = np.concatenate([known.must_link, known.cannot_link])
    must = np.arange(n_pairs) < len(known.must_link)
    log_odds = np.concatenate([known.must_link_weights, known.cannot_link_weights])
    kept = kept_pairs(content.labels, known)
    chances = kept_probabilities(content.summary.posterior, pairs, must)
    order = np.lexsort([chances, kept])[:MOST_PAIRS]
    names = content.names
    rows = [
        [
            f"{shorten_name(names[pairs[i, 0]])} and {shorten_name(names[pairs[i, 1]])}",
            "together" if must[i] else "apart",
            "kept" if kept[i] else "broken",
            f"{chances[i]:.2f}" if np.isfinite(chances[i]) else "–",
            "always" if np.isinf(log_odds[i]) else f"log odds {log_odds[i]:.3g}",
        ]
        for i in order
    ]
    asked = f"{plural(len(known.must_link), 'must-link')} and {plural(len(known.cannot_link), 'cannot-link')}"
    broken = int((~kept).sum())
    lead = f"{asked}: the estimate {f'breaks {broken} of them' if broken else 'keeps all of them'}."
    left_out = f" {order.size} of {n_pairs} pairs are shown." if order.size < n_pairs else ""
    note = f"A hard pair holds in every draw; the data can outweigh a soft one, which has log odds.{left_out}"
    head = ["pair", "asked to be", "in the estimate", "probability kept", "how strictly"]
    return Section("constraints", "What was asked", lead, "table.html", text={"head": head, "rows": rows, "note": note})


def kept_pairs(labels: IntArray, known: Constraints) -> BoolArray:
    """Whether a partition keeps each must-link, then each cannot-link."""
    first, second = known.must_link.T
    apart_first, apart_second = known.cannot_link.T
    return np.concatenate([labels[first] == labels[second], labels[apart_first] != labels[apart_second]])


def kept_probabilities(posterior: PartitionPosterior, pairs: IntArray, must: BoolArray) -> FloatArray:
    """Posterior probability that each pair is kept, over the draws that hold both items; nan where none does."""
    weights, draws = posterior.probabilities(), posterior.draws
    kept = np.empty(len(pairs))
    for number, ((first, second), together) in enumerate(zip(pairs, must, strict=True)):
        one, other = draws[:, first], draws[:, second]
        held = weights * ((one >= 0) & (other >= 0)) if posterior.partial else weights
        total = held.sum()
        kept[number] = held @ ((one == other) == together) / total if total > 0 else np.nan
    return kept
