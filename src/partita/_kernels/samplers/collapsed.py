"""A block of a Markov chain over partitions, cluster parameters integrated out."""

from typing import NamedTuple

import numpy as np

from .._jit import inner, plain_kernel
from .._lean import lean
from ..components.family import draw_latent, log_marginal, log_predictive, sample_hyper, set_prior
from ..partitions.labels import canonical_row
from .assignment import init_assignment, log_likelihood_in
from .concentration import log_gamma_density, sample_concentration
from .gibbs import gibbs_sweep, pick
from .prior import log_joining, log_prior, renew_prior
from .split_merge import size_term, split_or_merge


class Schedule(NamedTuple):
    """How often each move is made for one draw."""

    n_gibbs: int  # Gibbs sweeps
    n_proposals: float  # split-merge proposals; the fractional part is a probability
    learn: bool  # whether hyperparameters and missing entries are drawn


class Trace(NamedTuple):
    """What is recorded of each draw."""

    draws: np.ndarray  # (n_draws, n_items)
    log_posterior: np.ndarray  # (n_draws,)
    entropy: np.ndarray  # (n_draws,) of the full conditionals of the labels, summed
    concentration: np.ndarray  # (n_draws,)
    hyper: np.ndarray  # (n_draws, n_hyper)
    latent: np.ndarray  # (n_draws, n_latent) what was drawn for items beside their cluster


class Scratch(NamedTuple):
    """Arrays that a block writes to and nobody reads."""

    scores: np.ndarray  # (capacity + 1,) log weights of an item's clusters
    sizes: np.ndarray  # (capacity,)
    seen_in: np.ndarray  # (capacity,) minus one each
    name: np.ndarray  # (capacity,)
    empty: np.ndarray  # (1,) the row of the empty cluster
    log_alone: np.ndarray  # (n_chunklets,) log likelihood of each chunklet in a cluster of its own


@inner
def log_odds_together(chunklets, labels):
    """Sum of the log odds of the pairs that are together."""
    total = 0.0
    for u in range(chunklets.size.size):
        row = labels[chunklets.items[chunklets.start[u]]]
        for p in range(chunklets.neighbor_start[u], chunklets.neighbor_start[u + 1]):
            v = chunklets.neighbor[p]
            if u < v and labels[chunklets.items[chunklets.start[v]]] == row:
                total += chunklets.log_odds[p]
    return total


@inner
def fill_log_alone(chunklets, model, assignment, empty, scores, log_alone):
    """Log likelihood of each chunklet in a cluster of its own."""
    for u in range(log_alone.size):
        log_likelihood_in(u, empty, 1, chunklets, model, assignment, scores)
        log_alone[u] = scores[0]


@inner
def size_sum(assignment):
    """Sum over clusters of the size times its logarithm, from which the entropy of the partition follows."""
    total = 0.0
    for t in range(assignment.n_clusters[0]):
        total += size_term(assignment.sizes[assignment.active[t]])
    return total


@inner
def place_uncounted(uncounted, params, weights, model, assignment, scores, rng):
    """Draw the clusters of items that do not count given those that do, as if each were new."""
    n_clusters = assignment.n_clusters[0]
    for p in range(uncounted.size):
        i = uncounted[p]
        for t in range(n_clusters):
            m = assignment.sizes[assignment.active[t]]
            scores[t] = log_joining(m, 1.0, params, weights)
        log_predictive(model, i, assignment.active, n_clusters, scores)
        assignment.labels[i] = assignment.active[pick(scores, n_clusters, rng)[0]]


@plain_kernel
def run_block(
    start, concentration, hyperprior, schedule, params, weights, chunklets, uncounted, model, hyper, latent, assignment,
    proposal, scratch, rng, trace
):  # fmt: skip
    """Sweep once per row of the trace from labels ``start``.

    The weights of the prior are those of the concentration at the start. ``hyperprior`` is shape and rate of a gamma
    distribution, or None where the concentration is fixed. Returns how many proposals were made and accepted, -1 where
    room ran out, and the sums of squared jumps of the entropy, in units of its own, by sweeps and by proposals.
    """
    start, params, weights, chunklets, uncounted = lean((start, params, weights, chunklets, uncounted))
    model, hyper, latent, assignment, proposal = lean((model, hyper, latent, assignment, proposal))
    scratch, trace = lean((scratch, trace))
    n_items, capacity, n_accepted, n_proposed = 0.0, assignment.active.size, 0, 0
    by_sweeps, by_proposals = 0.0, 0.0
    scores, sizes, empty, log_alone = scratch.scores, scratch.sizes, scratch.empty, scratch.log_alone
    for u in range(chunklets.size.size):
        n_items += chunklets.size[u]
    empty[0] = assignment.sizes.size - 1
    set_prior(model)
    init_assignment(start, chunklets, model, assignment)
    fill_log_alone(chunklets, model, assignment, empty, scores, log_alone)
    for m in range(trace.draws.shape[0]):
        entropy, before = 0.0, size_sum(assignment)
        for _ in range(schedule.n_gibbs):
            entropy = gibbs_sweep(chunklets, log_alone, params, weights, model, assignment, scores, rng)
            if entropy < 0.0:
                return -1, -1, 0.0, 0.0
        by_sweeps += (size_sum(assignment) - before) ** 2
        to_do = schedule.n_proposals
        while chunklets.size.size > 1 and to_do > 0.0 and (to_do >= 1.0 or rng.random() < to_do):
            if assignment.n_clusters[0] + 2 > capacity:
                return -1, -1, 0.0, 0.0
            jump = split_or_merge(log_alone, chunklets, params, weights, model, assignment, proposal, rng)
            n_proposed += 1
            n_accepted += jump > 0.0
            by_proposals += jump * jump
            to_do -= 1.0
        total = 0.0
        n_clusters = assignment.n_clusters[0]
        place_uncounted(uncounted, params, weights, model, assignment, scores, rng)
        if schedule.learn:
            draw_latent(model, assignment.labels, chunklets.weight, assignment.active, n_clusters, empty[0], rng)
            total += sample_hyper(model, assignment.active, n_clusters, rng)
            set_prior(model)
            fill_log_alone(chunklets, model, assignment, empty, scores, log_alone)
        total += log_odds_together(chunklets, assignment.labels)
        for t in range(n_clusters):
            sizes[t] = assignment.sizes[assignment.active[t]]
            total += log_marginal(model, assignment.active[t])
        if hyperprior is not None:
            shape, rate = hyperprior
            concentration = sample_concentration(
                params.kind, concentration, shape, rate, params.parameter, params.log_components, sizes, n_clusters,
                n_items, rng
            )  # fmt: skip
            renew_prior(params, concentration, n_items, weights)
            total += log_gamma_density(concentration, shape, rate)
        trace.log_posterior[m] = total + log_prior(sizes, n_clusters, params, weights)
        trace.entropy[m] = entropy
        trace.concentration[m] = concentration
        for p in range(hyper.size):
            trace.hyper[m, p] = hyper[p]
        for p in range(latent.size):
            trace.latent[m, p] = latent[p]
        canonical_row(assignment.labels, m, scratch.seen_in, scratch.name, trace.draws[m])
    return n_proposed, n_accepted, by_sweeps, by_proposals
