"""Where a chain of the blocked sampler stands: items and labels in an engine, sums of their features at home."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._kernels.priors.eppf import DIRICHLET_PROCESS, PITMAN_YOR
from .._kernels.samplers.cluster_rows import draw_hyper, fill_log_marginals, renew_constants
from .._kernels.samplers.prior import PriorParams, PriorWeights, fill_new, log_cluster
from .._typing import FloatArray
from ..components import Encoded, NaturalForm, make_model
from .engines.base import Allocation, Sums


class Statistics:
    """Marginal likelihoods and draws of parameters of clusters with given sums, under present hyperparameters."""

    def __init__(self, forms: tuple[NaturalForm, ...], hyper: FloatArray) -> None:
        self.forms, self.hyper = forms, hyper.copy()
        ends = np.cumsum([form.width for form in forms]).tolist()
        self._columns = [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]
        self._encoded = Encoded(tuple(form.statistics_block() for form in forms), 0)
        self._make_room(30)

    def _make_room(self, capacity: int) -> None:
        self._capacity = capacity
        self._model = make_model(self._encoded, self.hyper, self._encoded.latent, capacity + 1, equal=False)
        self._parts = (self._model,) if len(self.forms) == 1 else self._model
        renew_constants(self._model)

    def _fill(self, features: FloatArray) -> None:
        if len(features) > self._capacity:
            self._make_room(2 * len(features))
        for form, part, here in zip(self.forms, self._parts, self._columns, strict=True):
            form.fill_rows(part, features[:, here])

    def log_marginals(self, features: FloatArray) -> FloatArray:
        """Log marginal likelihood of clusters with these sums."""
        self._fill(features)
        out = np.empty(len(features))
        fill_log_marginals(self._model, out)
        return out

    def draw(self, features: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Natural parameters of clusters with these sums, from their posterior."""
        self._fill(features)
        drawn = [form.draw(part, len(features), rng) for form, part in zip(self.forms, self._parts, strict=True)]
        return np.hstack(drawn)

    def expected(self, natural: FloatArray, average: FloatArray) -> FloatArray:
        """Expected features of an item under natural parameters, with presence and precisions as on average."""
        parts = zip(self.forms, self._columns, strict=True)
        return np.hstack([form.expected(natural[:, here], average[here]) for form, here in parts])

    def admit(self, features: FloatArray) -> FloatArray | None:
        """Sums near these, given which parameters have a posterior; None where there are none, in any row."""
        found = [
            form.admit(part, features[:, here])
            for form, part, here in zip(self.forms, self._parts, self._columns, strict=True)
        ]
        sums = [part for part in found if part is not None]
        return np.hstack(sums) if len(sums) == len(found) and all(np.isfinite(part).all() for part in sums) else None

    def draw_hyper(self, features: FloatArray, rng: np.random.Generator) -> float:
        """Draw the hyperparameters given the clusters; return their log density."""
        self._fill(features)
        return float(draw_hyper(self._model, np.arange(len(features)), rng))

    def set_tails(self, form: int, tails: float) -> None:
        """Let the tails of a form have so many degrees of freedom."""
        end = sum(other.block.hyper.size for other in self.forms[: form + 1])
        self.hyper[end - 1] = tails


@dataclass
class Configuration:
    """A partition with its sums, hyperparameters and concentration."""

    statistics: Statistics
    allocation: Allocation
    sums: Sums
    params: PriorParams
    n_total: float  # what the prior counts
    rng: np.random.Generator

    def __post_init__(self) -> None:
        self.set_concentration(1.0)

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.sums.sizes)

    def key(self) -> int:
        """A key for a pass over the items."""
        return int(self.rng.integers(2**62))

    def set_concentration(self, concentration: float) -> None:
        """Let the prior's weights follow the concentration."""
        self.concentration = concentration
        self._make_weights(2 * self.n_clusters + 16)

    def _make_weights(self, capacity: int) -> None:
        self._weights = PriorWeights(np.zeros(capacity + 1), np.zeros(1), False, np.zeros(1), np.zeros(1))
        fill_new(self.params, self.concentration, self.n_total, self._weights)

    def log_new(self, n_clusters: int) -> float:
        """Log weight of opening a cluster beside so many."""
        if n_clusters >= self._weights.new.size:
            self._make_weights(2 * n_clusters)
        return float(self._weights.new[n_clusters])

    def log_cluster(self, size: float) -> float:
        """Log weight of a cluster of this size."""
        return float(log_cluster(size, self.params, self._weights))

    @property
    def shift(self) -> float:
        """What is added to a cluster's size in the Dirichlet distribution of its weight, given all sizes."""
        if self.params.kind == DIRICHLET_PROCESS:
            return 0.0
        return -self.params.parameter if self.params.kind == PITMAN_YOR else self.concentration

    def log_prior(self) -> float:
        """Log probability of the partition."""
        total = float(self._weights.first[0]) + sum(map(self.log_cluster, self.sums.sizes))
        return total + sum(self.log_new(k) for k in range(1, self.n_clusters))

    def log_weights(self, sizes: FloatArray) -> FloatArray:
        """Logarithms of weights of clusters of these sizes, from their Dirichlet distribution, up to a constant."""
        return np.log(np.maximum(self.rng.standard_gamma(sizes + self.shift), 1e-300))


def log_beta_density(log_shares: FloatArray, sizes: FloatArray) -> float:
    """Log density of two shares, given by their logarithms, of a beta distribution."""
    total = math.lgamma(sizes.sum()) - math.lgamma(sizes[0]) - math.lgamma(sizes[1])
    return float(total + ((sizes - 1.0) * log_shares).sum())


def merged(sums: Sums, kept: int, gone: int) -> Sums:
    """Sums after two clusters are merged; the last cluster takes the number that is then free."""
    last = len(sums.sizes) - 1
    values: list[Any] = []
    for rows in (sums.features, sums.sizes, sums.counts):
        rows = rows.copy()  # noqa: PLW2901
        rows[kept] += rows[gone]
        rows[gone] = rows[last]
        values.append(rows[:last])
    features, sizes, counts = values
    return sums._replace(features=features, sizes=sizes, counts=counts)
