"""Chains of a mixture: where they start, how long they warm up, and the checkpoint that keeps them."""

from __future__ import annotations

from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from .._typing import FloatArray, IntArray
from .._validation import check_rng
from ..constraints import Constraints
from ..constraints.chunklets import check_feasible, repair
from ..priors import FiniteDirichlet
from ..samplers.checkpoint import open_checkpoint
from ..samplers.collapsed import place_empty_rows
from ..samplers.records import Format, digest
from ..samplers.run import run_chains
from ..samplers.starts import starts_at_resolutions
from ..samplers.warmup import ROUNDS, warm_up_once


def draw_chains(
    model: Any, sampler: ModuleType, problem: Any, known: Constraints, empty: IntArray
) -> tuple[list[Any], int]:
    """Draws of each chain of a sampler, and the draws of its warm-up; rows that hold nothing are placed last."""
    prior = model.prior_
    *rngs, start_rng = check_rng(model.random_state).spawn(model.n_chains + 1)
    labels = starts_at_resolutions(problem.encoded, model.n_chains, start_rng)
    most_clusters = prior.n_components if isinstance(prior, FiniteDirichlet) else None
    if most_clusters is not None:
        check_feasible(known, most_clusters)
    labels = [repair(start, known, most_clusters) for start in labels]
    until_agreed = model.n_warmup == "auto"
    n_warmup = sum(ROUNDS) if until_agreed else int(model.n_warmup)
    starts = [sampler.init(problem, start, rng, n_warmup) for start, rng in zip(labels, rngs, strict=True)]
    next_draws = partial(sampler.sweep, problem)
    form = Format(sampler.Chain, partial(sampler.valid_labels, problem))
    with open_checkpoint(
        model.checkpoint, model.resume, starts, form, model.random_state, **_settings(model, problem)
    ) as checkpoint:
        left = n_warmup
        if until_agreed:
            left = 0
            starts, n_warmup = warm_up_once(next_draws, starts, _trace, model.n_jobs, checkpoint)
        chains = run_chains(next_draws, starts, left, model.n_draws, n_jobs=model.n_jobs, checkpoint=checkpoint)
    return [place_empty_rows(chain, empty, prior, start_rng) for chain in chains], n_warmup


def _settings(model: Any, problem: Any) -> dict[str, Any]:
    """What a checkpoint's run must have in common with this one."""
    blocks = problem.encoded.blocks
    return {
        **{name: getattr(model, name) for name in ("n_chains", "n_warmup", "n_draws")},
        "data": digest(*(block.x for block in blocks)),
        "model": digest(*(block.hyper for block in blocks), problem.params),
        "constraints": digest(problem.chunklets),
    }


def _trace(block: Any) -> FloatArray:
    """What chains are compared by: the number of clusters, and the log posterior without what labels leave open."""
    n_clusters = block.draws.max(axis=1) + 1.0
    return np.array([n_clusters, block.log_posterior + block.entropy])
