"""From a table to the draws of a mixture.

What kernels read of the table, which may come by blocks; which sampler and engine; where chains start, how long they
warm up, and their checkpoint.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs, parallel_config

from .._parallel import run_threads
from .._typing import AnyArray, FloatArray, IntArray
from .._validation import check_choice, check_item_weights, check_memory, check_number, check_rng
from ..components import Auto, Component, Encoded, check_component
from ..components.by_blocks import check_disk, encode_blocks
from ..constraints import Constraints
from ..constraints.chunklets import check_feasible, repair, weighted_chunklets
from ..posterior import PartitionPosterior
from ..priors import FiniteDirichlet
from ..samplers import collapsed, select_columns
from ..samplers.base import Sweep, join_blocks
from ..samplers.checkpoint import Checkpoint, open_checkpoint
from ..samplers.column_draws import ColumnDraws
from ..samplers.draw_file import DrawFile
from ..samplers.mixture_draws import MixtureDraws
from ..samplers.records import Format, digest
from ..samplers.run import run_chains
from ..samplers.starts import starts_at_resolutions
from ..samplers.temporary_folder import make_folder
from ..samplers.thinning import choose_thinning
from ..samplers.warmup import ROUNDS, warm_up_once
from ..tables.blocks import as_blocks

MANY_ITEMS = 20_000  # from which labels are drawn at once
FEW_ROUNDS = (50, 50, 100, 200)  # of the warm-up of chains that start near where they end


def choose_component(model: Any) -> Component:
    """The component, with independent columns where some are to be selected."""
    chosen, select = check_component(model.component), model.select_columns
    if not isinstance(select, (bool, np.bool_)):
        rule = "be True, False or a probability strictly between 0 and 1"
        check_number("select_columns", select, rule, lambda value: 0 < value < 1)
    return replace(chosen, independent=True) if select and isinstance(chosen, Auto) else chosen


def weigh_items(model: Any, encoded: Encoded, sample_weight: Any) -> FloatArray | None:
    """How often each item counts; a row in which nothing is present does not, unless it is in some pair."""
    weights = check_item_weights(sample_weight, encoded.n_items)
    empty = ~np.any([block.present for block in encoded.blocks], axis=0)
    if (known := model.constraints_) is not None:
        empty[np.concatenate([known.must_link.ravel(), known.cannot_link.ravel()])] = False
    if empty.all():
        empty[:] = False
    model._empty = np.flatnonzero(empty)
    model.n_empty_rows_ = model._empty.size
    if not empty.any():
        return weights
    return np.where(empty, 0.0, 1.0 if weights is None else weights)


def make_problem(
    model: Any, encoded: Encoded, known: Constraints | None, weights: FloatArray | None
) -> collapsed.Problem:
    """Data and prior, as the sampler that the model needs reads them."""
    chunklets, uncounted = None, None  # single items that all count once
    if known is not None or weights is not None:
        chunklets, uncounted = weighted_chunklets(known or Constraints(n_items=encoded.n_items), weights)
    if not model.select_columns:
        return collapsed.make_problem(encoded, model.prior_, chunklets, uncounted)
    probability = None if isinstance(model.select_columns, (bool, np.bool_)) else float(model.select_columns)
    return select_columns.make_problem(encoded, model.prior_, chunklets, uncounted, probability)


def make_draws(problem: collapsed.Problem, chain: Any) -> MixtureDraws:
    """Draws with the problem they belong to."""
    if isinstance(problem, select_columns.ColumnProblem):
        return ColumnDraws(problem, chain)
    return MixtureDraws(problem, chain)


def column_inclusion(model: Any) -> Any:
    """Share of the draws in which each column is relevant, as a table in the order of the columns."""
    import pandas as pd

    names = getattr(model, "feature_names_in_", range(model._encoded.n_columns))
    places = sorted(j for block in model._encoded.blocks for j in block.columns)
    index = pd.Index([names[j] for j in places], name="column")
    return pd.DataFrame({"inclusion": relevant_columns(model).mean(axis=0).astype(float)}, index=index)


def relevant_columns(model: Any) -> Any:
    """1 for each draw and column, in the order of the table, where the column is relevant, else 0."""
    drawn = [j for block in model._encoded.blocks for j in block.columns]
    return model._draws.chain.relevant[:, np.argsort(drawn)]


def encode_table(model: Any, component: Component, X: Any) -> tuple[Encoded, Any]:
    """The table as kernels read it, and rows that say what its columns are: itself, or of a table by blocks some.

    Rows of a table by blocks go to a folder for temporary files, which is removed with the model.
    """
    model._folder = None
    if (table := as_blocks(X)) is None:
        return component.encode(X), X
    model._folder = make_folder(model)
    sample = table.sample()
    return encode_blocks(component, table, sample, model._folder), sample


def make_posterior(draws: AnyArray, chains: IntArray, names: list[str] | None) -> PartitionPosterior:
    """The posterior of draws in memory, or of draws on disk, which stay there."""
    if isinstance(draws, np.memmap):
        return PartitionPosterior._of_rows(np.asarray(draws), None, chains, None)
    return PartitionPosterior(draws, chains=chains, items=names)


class Room(NamedTuple):
    """Bytes that a run takes beside its table."""

    memory: int
    disk: int

    @property
    def words(self) -> str:
        """A sentence."""
        return f"Draws take up to {self.disk / 1e9:.2g} GB of disk, and chains {self.memory / 1e9:.2g} GB of memory."


def plan_room(n_items: int, n_latent: int, n_hyper: int, n_chains: int, n_draws: int, *, by_blocks: bool) -> Room:
    """What chains and their draws will take; draws are on disk, fused ones beside them, where a table is by blocks."""
    n_kept = n_chains * n_draws
    at_work = n_chains * (5 * 8 * n_items + 2 * 8 * n_latent)  # labels, precisions, and what is proposed for them
    beside = 8 * n_kept * (3 + n_hyper)
    if by_blocks:
        return Room(at_work + beside, n_kept * (2 * n_items + n_latent))
    return Room(at_work + beside + n_kept * (n_items + n_latent), 0)


def check_room(model: Any, encoded: Encoded) -> None:
    """Refuse more draws than memory, or the disk, will hold, with what is recorded beside each."""
    latent = encoded.latent.size * (1 if model.sampler_ == "blocked" else 4)
    sizes = (encoded.n_items, latent, encoded.hyper.size, model.n_chains, model.n_draws)
    room = plan_room(*sizes, by_blocks=model._folder is not None)
    what = f"The {model.n_chains * model.n_draws} draws of {encoded.n_items} items"
    check_memory(room.memory, what, "Take fewer draws.")
    if room.disk:
        check_disk(room.disk, model._folder, what)


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


def draw_chains(model: Any, problem: collapsed.Problem, empty: IntArray) -> Sampled:
    """Draws of all chains end to end; rows that hold nothing are placed last."""
    *rngs, start_rng = check_rng(model.random_state).spawn(model.n_chains + 1)
    until_agreed = model.n_warmup == "auto"
    if model.sampler_ == "blocked":
        made = _blocked_chains(model, problem, rngs)
    else:
        n_warmup = sum(ROUNDS) if until_agreed else int(model.n_warmup)
        made = _collapsed_chains(model, problem, [*rngs, start_rng], n_warmup)
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


def _collapsed_chains(model: Any, problem: collapsed.Problem, rngs: list[np.random.Generator], n_warmup: int) -> Chains:
    """Chains that start from partitions into one to twenty-five pieces."""
    *rngs, start_rng = rngs
    labels = starts_at_resolutions(problem.encoded, len(rngs), start_rng)
    most_clusters, known = _most_clusters(model), model.constraints_
    if most_clusters is not None or known is not None:
        known = known or Constraints(n_items=problem.n_items)
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
