"""Chains of a mixture: which sampler and engine, where they start, how long they warm up, and their checkpoint."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs, parallel_config

from .._parallel import run_threads
from .._typing import FloatArray, IntArray
from .._validation import check_choice, check_rng
from ..components import Encoded
from ..constraints import Constraints
from ..constraints.chunklets import check_feasible, repair
from ..priors import FiniteDirichlet
from ..samplers import collapsed, select_columns
from ..samplers.base import Sweep, join_blocks
from ..samplers.checkpoint import Checkpoint, open_checkpoint
from ..samplers.draw_file import DrawFile
from ..samplers.records import Format, digest
from ..samplers.run import run_chains
from ..samplers.starts import starts_at_resolutions
from ..samplers.thinning import choose_thinning
from ..samplers.warmup import ROUNDS, warm_up_once

MANY_ITEMS = 20_000  # from which labels are drawn at once
FEW_ROUNDS = (50, 50, 100, 200)  # of the warm-up of chains that start near where they end


def pick_sampler(model: Any, encoded: Encoded, constrained: bool) -> str:
    """The sampler asked for, or the one that fits; a sentence where the one asked for does not."""
    sampler = check_choice("sampler", model.sampler, ["auto", "collapsed", "blocked"])
    check_choice("engine", model.engine, ["threads", "torch", "dask"])
    by_blocks = model._folder is not None
    if by_blocks and sampler == "collapsed":
        raise ValueError("sampler must be 'blocked' or 'auto' for a table that comes by blocks: got 'collapsed'.")
    if sampler == "collapsed" or (sampler == "auto" and encoded.n_items < MANY_ITEMS and not by_blocks):
        return "collapsed"
    from ..samplers.blocked import why_not

    why = "constraints" if constrained else "select_columns" if model.select_columns else why_not(encoded)
    if why is not None and by_blocks:
        raise ValueError(f"X must be in memory with {why}: got a table by blocks.")
    if why is not None and sampler == "blocked":
        raise ValueError(f"sampler must be 'collapsed' with {why}: got 'blocked'. 'auto' picks one that fits.")
    return "blocked" if why is None else "collapsed"


class Chains(NamedTuple):
    """Chains about to start."""

    sweep: Sweep
    starts: list[Any]
    n_jobs: int  # chains at a time
    rounds: tuple[int, ...]  # of an automatic warm-up


class Sampled(NamedTuple):
    """What chains drew, end to end, and how."""

    chain: Any
    n_warmup: int  # draws of each chain that were left out
    thin: int  # sweeps from one draw to the next


def draw_chains(model: Any, problem: collapsed.Problem, known: Constraints, empty: IntArray) -> Sampled:
    """Draws of all chains end to end; rows that hold nothing are placed last."""
    *rngs, start_rng = check_rng(model.random_state).spawn(model.n_chains + 1)
    until_agreed = model.n_warmup == "auto"
    if model.sampler_ == "blocked":
        made = _blocked_chains(model, problem, rngs)
    else:
        n_warmup = sum(ROUNDS) if until_agreed else int(model.n_warmup)
        made = _collapsed_chains(model, problem, known, [*rngs, start_rng], n_warmup)
    sweep, starts, n_jobs, rounds = made
    form = Format(
        (select_columns if model.select_columns else collapsed).Chain, partial(collapsed.valid_labels, problem)
    )
    on_dask = model.sampler_ == "blocked" and model.engine == "dask"  # chains then wait here for what workers draw
    with (
        parallel_config(backend="threading") if on_dask else nullcontext(),
        open_checkpoint(
            model.checkpoint, model.resume, starts, form, model.random_state, **_settings(model, problem)
        ) as checkpoint,
    ):
        left = n_warmup = 0 if until_agreed else int(model.n_warmup)
        if until_agreed:
            starts, n_warmup = warm_up_once(sweep, starts, _trace, n_jobs, checkpoint=checkpoint, rounds=rounds)
        file = _draw_file(model, problem.encoded)
        run = partial(run_chains, sweep, n_draws=model.n_draws, n_jobs=n_jobs, checkpoint=checkpoint, file=file)
        drawn, thin = run(starts, left), 1
        if until_agreed and model.sampler_ == "collapsed":
            traces = np.array([_trace(chain) for chain, _ in drawn])
            thin = choose_thinning(traces, problem.n_items * traces[:, 0].mean())
        if thin > 1:
            states = _thinned([state for _, state in drawn], thin, checkpoint)
            del drawn  # room for the draws that take their place
            title = f"Sampling on, one draw in {thin} sweeps"
            drawn = run(states, 0, n_before=0 if checkpoint is None else model.n_draws, title=title)
            n_warmup += model.n_draws
    chain = join_blocks([chain for chain, _ in drawn])
    if file is not None:
        chain = file.fill(chain)
    return Sampled(collapsed.place_empty_rows(chain, empty, model.prior_, start_rng), n_warmup, thin)


def _thinned(states: list[Any], thin: int, checkpoint: Checkpoint | None) -> list[Any]:
    """States of chains that go on with so many sweeps to a draw; a checkpoint that has come further keeps its own."""
    for number, state in enumerate(states):
        if state.thin != thin:
            states[number] = state._replace(thin=thin)
            if checkpoint is not None:
                checkpoint.change(number, states[number])
    return states


def _draw_file(model: Any, encoded: Encoded) -> DrawFile | None:
    """Where draws go whose table is on disk."""
    if model._folder is None:
        return None
    return DrawFile(model._folder, model.n_chains, model.n_draws, encoded.n_items, encoded.latent.size)


def _collapsed_chains(
    model: Any, problem: collapsed.Problem, known: Constraints, rngs: list[np.random.Generator], n_warmup: int
) -> Chains:
    """Chains that start from partitions into one to twenty-five pieces."""
    *rngs, start_rng = rngs
    labels = starts_at_resolutions(problem.encoded, len(rngs), start_rng)
    most_clusters = _most_clusters(model)
    if most_clusters is not None:
        check_feasible(known, most_clusters)
    labels = [repair(start, known, most_clusters) for start in labels]
    sampler: Any = select_columns if model.select_columns else collapsed
    starts = [sampler.init(problem, start, rng, n_warmup) for start, rng in zip(labels, rngs, strict=True)]
    return Chains(partial(sampler.sweep, problem), starts, model.n_jobs, ROUNDS)


def _blocked_chains(model: Any, base: collapsed.Problem, rngs: list[np.random.Generator]) -> Chains:
    """Chains that start from the collapsed sampler's posterior on some rows.

    On a GPU one runs after the other, on a Dask cluster all at once: while one waits for sums, workers serve others.
    """
    from ..samplers import blocked
    from ..samplers.engines.threads import ThreadsEngine
    from ..samplers.subsample_start import start_from_subsample

    n_jobs, n_threads = model.n_jobs, max(1, effective_n_jobs(model.n_jobs) // len(rngs))
    make: Any = partial(ThreadsEngine, n_threads=n_threads)
    sweep: Sweep | None = None  # made elsewhere
    if model.engine == "torch":
        from ..samplers.engines.torch import torch_engine

        n_jobs, make = 1, torch_engine
    elif model.engine == "dask":
        from ..samplers.chains_on_dask import is_small, sweep_on_workers
        from ..samplers.engines.dask import DaskEngine

        n_jobs = len(rngs)
        if is_small(base.encoded):
            sweep = sweep_on_workers(base)
        else:
            make = DaskEngine
    problem, most_clusters = blocked.make_problem(base, make), _most_clusters(model)

    def start(number: int) -> Any:
        return start_from_subsample(problem, number, most_clusters, rngs[number])

    starts = run_threads(start, range(len(rngs)), n_jobs)
    return Chains(partial(blocked.sweep, problem) if sweep is None else sweep, starts, n_jobs, FEW_ROUNDS)


def _most_clusters(model: Any) -> int | None:
    return model.prior_.n_components if isinstance(model.prior_, FiniteDirichlet) else None


def _settings(model: Any, problem: Any) -> dict[str, Any]:
    """What a checkpoint's run must have in common with this one."""
    blocks = problem.encoded.blocks
    return {
        **{name: getattr(model, name) for name in ("n_chains", "n_warmup", "n_draws")},
        **({"sampler": model.sampler_, "engine": model.engine} if model.sampler_ != "collapsed" else {}),
        **({"select_columns": model.select_columns} if model.select_columns else {}),
        "data": digest(*(block.x for block in blocks)),
        "model": digest(*(block.hyper for block in blocks), problem.params),
        "constraints": digest(problem.chunklets),
    }


def _trace(block: Any) -> FloatArray:
    """What chains are compared by: the number of clusters, and the log posterior without what labels leave open."""
    n_clusters = block.draws.max(axis=1) + 1.0
    return np.array([n_clusters, block.log_posterior + block.entropy])
