"""The engine on a Dask cluster: blocks of items on workers, parameters out to them, sums back.

What a pass does to a block is a pure function of its rows, its labels and a key. Rows and labels are futures that stay
on the workers; what a worker held when it was lost is computed again by the others, and comes out the same. Blocks have
a fixed size, and sums are added in their order: draws do not depend on the number of workers.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..._kernels.samplers.counter_random import GOLDEN
from ..._typing import AnyArray, FloatArray, IntArray
from ...components.gaussian import PRECISIONS, precision_numbers
from ...components.natural import NaturalForm
from .array import ArrayAllocation, Members, nothing_at
from .base import Item, Pair, Sums
from .threads import ThreadsEngine

N_BLOCKS = 4  # of a table, unless they would be
LEAST, MOST = 50_000, 250_000  # smaller or larger than so many items: a task costs milliseconds, whatever it does


Step: TypeAlias = tuple[str, tuple[Any, ...]]
"""A method of a block, and its arguments."""

Changed: TypeAlias = tuple[dict[str, Any], Any]
"""What of a block changes, and what the last method returned."""

Few: TypeAlias = tuple[Pair | None, Members | None]
"""A pair, and those of its items that take part where they are few."""


class DaskEngine:
    """Items on the workers of a cluster."""

    def __init__(
        self, forms: Sequence[NaturalForm], weights: FloatArray | None, client: Any = None, block: int | None = None
    ) -> None:
        n_items = len(forms[0].block.x)
        block = min(MOST, max(LEAST, -(-n_items // N_BLOCKS))) if block is None else block
        self.client, self.block = find_client() if client is None else client, block
        self.starts = range(0, n_items, block)
        self._spans = [slice(start, min(n_items, start + block)) for start in self.starts]
        self.home = ThreadsEngine.without_rows(forms)
        places = [[where_rows_are(form.block.x, span) for form in forms] for span in self._spans]
        parts = [None if weights is None else weights[span] for span in self._spans]
        self.rows = self._spread(make_rows, [(self.home.forms, *each) for each in zip(places, parts, strict=True)])

    def _spread(self, function: Any, arguments: list[tuple[Any, ...]]) -> list[Any]:
        """Futures on workers in turn, as the tasks that follow stay where rows are; where one is lost, on any other."""
        workers = [worker for worker, n_threads in self.client.nthreads().items() for _ in range(n_threads)]
        with sending_rows():
            return [
                self.client.submit(
                    function, *each, pure=False, workers=workers[at % len(workers)], allow_other_workers=True
                )
                for at, each in enumerate(arguments)
            ]

    def map(self, function: Any, *arguments: Sequence[Any]) -> list[Any]:
        """Futures of the function's results, block by block: planned together, which costs least."""
        return list(self.client.map(function, *arguments, pure=False))

    def open(self, labels: IntArray, precisions: list[FloatArray]) -> DaskAllocation:
        """The items with these labels."""
        small = labels.astype(np.min_scalar_type(int(labels.max())))
        numbers = [precision_numbers(values) for values in precisions]
        labels_of = [small[span] for span in self._spans]
        numbers_of = [[values[span] for values in numbers] for span in self._spans]
        states = self.map(open_block, self.rows, labels_of, numbers_of)
        return DaskAllocation(self, states)


class DaskAllocation:
    """Items of a chain with their labels and precisions, a future per block.

    A round trip costs more than most passes. What changes a block and returns nothing waits until the block is asked
    for something, and where few items of a pair take part they come here, for all the passes over them.
    """

    def __init__(self, engine: DaskEngine, states: list[Any]) -> None:
        self.engine, self._states = engine, states
        self._waiting: list[list[Step]] = [[] for _ in states]
        self._home = nothing_at(engine.home)
        self._few: Few = None, None

    def _ask_some(self, questions: list[tuple[int, Step]]) -> list[Any]:
        """What methods of some blocks return that leave blocks as they are."""
        at = [block for block, _ in questions]
        rows, states = [self.engine.rows[block] for block in at], [self._states[block] for block in at]
        steps = [[*self._waiting[block], step] for block, step in questions]
        return self._gather(self.engine.map(ask_block, rows, states, steps))

    def _ask(self, name: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """What a method of every block returns that leaves blocks as they are."""
        if any(self._waiting):
            return self._change(name, arguments)
        steps = [[(name, each)] for each in arguments]
        return self._gather(self.engine.map(ask_block, self.engine.rows, self._states, steps))

    def _change(self, name: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Let a method change every block, after those that wait; what it returns."""
        steps = [[*waiting, (name, each)] for waiting, each in zip(self._waiting, arguments, strict=True)]
        self._waiting = [[] for _ in steps]
        self._states = self.engine.map(change_block, self.engine.rows, self._states, steps)
        return self._gather(self.engine.map(what_returned, self._states))

    def _gather(self, futures: list[Any]) -> list[Any]:
        return list(self.engine.client.gather(futures))

    def _later(self, name: str, arguments: Sequence[tuple[Any, ...]]) -> None:
        """Let a method change every block before it is asked for anything."""
        self._few = None, None
        for waiting, each in zip(self._waiting, arguments, strict=True):
            waiting.append((name, each))

    def _same(self, *arguments: Any) -> list[tuple[Any, ...]]:
        """The same arguments for every block."""
        return [arguments] * len(self._states)

    def _local(self, pair: Pair) -> list[Pair]:
        """A pair as each block knows it, with its own items counted from 0."""
        return [
            pair._replace(anchors=(pair.anchors[0] - start, pair.anchors[1] - start), key=local_key(pair.key, start))
            for start in self.engine.starts
        ]

    def sums(self, n_clusters: int) -> Sums:
        """Sums over the clusters as they are."""
        return add_up(self._ask("sums", self._same(n_clusters)))

    def draw_labels(self, natural: FloatArray, log_weights: FloatArray, key: int) -> Sums:
        """Draw all labels at once."""
        arguments = [(natural, log_weights, local_key(key, start)) for start in self.engine.starts]
        return add_up(self._change("draw_labels", arguments))

    def keep_labels(self) -> None:
        """Let the labels last drawn be the labels."""
        self._later("keep_labels", self._same())

    def draw_sides(self, pair: Pair, natural: FloatArray, log_weights: FloatArray, key: int) -> Sums:
        """Draw for the items of a pair on which of two sides they are."""
        few = self._few_members(pair) if pair.share < 1.0 else None
        if few is not None:
            return self._home._pass(few, natural, log_weights, key, None)[1]
        spread = zip(self._local(pair), self.engine.starts, strict=True)
        arguments = [(local, natural, log_weights, local_key(key, start)) for local, start in spread]
        return add_up(self._change("draw_sides", arguments))

    def _few_members(self, pair: Pair) -> Members | None:
        """Items of a pair that take part, here, or None where they are many; those last asked for are kept."""
        if self._few[0] != pair:
            found = self._ask("few_members", [(local,) for local in self._local(pair)])
            self._few = pair, join_members(found, self.engine.starts)
        return self._few[1]

    def weigh_sides(self, pair: Pair, natural: FloatArray, log_weights: FloatArray) -> Sums:
        """The sides on which they are now."""
        arguments = [(local, natural, log_weights) for local in self._local(pair)]
        return add_up(self._ask("weigh_sides", arguments))

    def keep_split(self, pair: Pair, label: int) -> None:
        """Let the items last drawn to be on the second side, and the second anchor, if any, have a new label."""
        self._later("keep_sides", [(local, label) for local in self._local(pair)])
        if pair.anchors[1] >= 0:
            self.move(pair.anchors[1], label)

    def merge(self, kept: int, gone: int, last: int) -> None:
        """Give cluster ``gone`` the label ``kept``, and cluster ``last`` the label that is then free."""
        self._later("merge", self._same(kept, gone, last))

    def members(self, places: list[tuple[int, int]]) -> list[Item]:
        """The items that are so many-th in their clusters."""
        clusters = [cluster for cluster, _ in places]
        ends = np.cumsum(self._ask("n_members", self._same(clusters)), axis=0)
        questions: list[tuple[int, Step]] = []
        for (cluster, number), end in zip(places, ends.T, strict=True):
            at = int(np.searchsorted(end, number, side="right"))
            before = int(end[at - 1]) if at else 0
            questions.append((at, ("members", ([(cluster, number - before)],))))
        return self._items(questions)

    def items(self, numbers: list[int]) -> list[Item]:
        """Some items."""
        places = [divmod(number, self.engine.block) for number in numbers]
        return self._items([(at, ("items", ([number],))) for at, number in places])

    def _items(self, questions: list[tuple[int, Step]]) -> list[Item]:
        """Items that blocks are asked for, one each, as they are counted in the whole table."""
        found = [item for (item,) in self._ask_some(questions)]
        starts = [self.engine.starts[at] for at, _ in questions]
        return [item._replace(number=item.number + start) for item, start in zip(found, starts, strict=True)]

    def move(self, item: int, label: int) -> None:
        """Give an item a label."""
        at, number = divmod(item, self.engine.block)
        self._few = None, None
        self._waiting[at].append(("move", (number, label)))

    def tail_scores(self, form: int, natural: FloatArray, log_shares: FloatArray) -> FloatArray:
        """Log density of the items for each of several tails, precisions summed out."""
        return np.asarray(sum(self._change("tail_scores", self._same(form, natural, log_shares))))

    def draw_precisions(self, form: int, log_share: FloatArray, key: int) -> None:
        """Draw the precisions of all items under the parameters last scored."""
        arguments = [(form, log_share, local_key(key, start)) for start in self.engine.starts]
        self._later("draw_precisions", arguments)

    def labels(self) -> IntArray:
        """All labels."""
        return np.concatenate(self._ask("small_labels", self._same())).astype(np.int64)

    def precisions(self) -> list[FloatArray]:
        """Precisions of all items, for each form that has them."""
        if not any(form.has_precisions for form in self.engine.home.forms):
            return []
        found = self._ask("packed_precisions", self._same())
        return [PRECISIONS[np.concatenate(parts)] for parts in zip(*found, strict=True)]


class BlockAllocation(ArrayAllocation):
    """Items of a block, on the worker that holds them."""

    def keep_labels(self) -> None:
        """Let the labels last drawn be the labels: a copy, as what comes next may change them, and be done twice."""
        self._drawn = self._drawn.copy()
        super().keep_labels()

    def keep_sides(self, pair: Pair, label: int) -> None:
        """Let the items last drawn to be on the second side have a new label."""
        self._labels[self._members_of(pair).items[self._drawn == 1]] = label
        self._members = None

    def small_labels(self) -> AnyArray:
        """All labels, in the smallest type."""
        labels = self.labels()
        return labels.astype(np.min_scalar_type(int(labels.max())))

    def packed_precisions(self) -> list[AnyArray]:
        """Numbers of the precisions of all items, for each form that has them."""
        return [precision_numbers(values) for values in self.precisions()]

    def n_members(self, clusters: list[int]) -> list[int]:
        """Numbers of items of positive weight in clusters."""
        return [len(self._counted(cluster)) for cluster in clusters]

    def few_members(self, pair: Pair) -> Members | None:
        """Items of a pair that take part, or None where they are many."""
        members = self._members_of(pair)
        return None if members.features is None else members


@contextmanager
def sending_rows() -> Iterator[None]:
    """Let Dask not warn of what is large, as rows are sent once."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")
        yield


def find_client() -> Any:
    """The Dask client of this program."""
    from distributed import get_client

    try:
        return get_client()
    except ValueError:
        help_ = "Start a cluster first: distributed.Client()."
        raise ValueError(f"engine must be 'threads' or 'torch' without a Dask client: got 'dask'. {help_}") from None


def local_key(key: int, start: int) -> int:
    """The key by which items counted from 0 get the random numbers of items counted from ``start``."""
    return (key + start * GOLDEN + 2**63) % 2**64 - 2**63


def add_up(parts: list[Sums]) -> Sums:
    """Sums over all blocks, in their order."""
    return Sums(*(sum(values[1:], values[0]) for values in zip(*parts, strict=True)))


def join_members(parts: list[Members | None], starts: Sequence[int]) -> Members | None:
    """Items of all blocks, as they are counted in the whole table, or None where a block has many."""
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    items = np.concatenate([part.items + start for part, start in zip(found, starts, strict=True)])
    weights = None if found[0].weights is None else np.concatenate([part.weights for part in found])
    return Members(found[0].pair, items, weights, np.concatenate([part.features for part in found]))


def where_rows_are(x: AnyArray, span: slice) -> AnyArray | tuple[str, slice]:
    """Rows of a block, or where a worker finds them: a table on disk is read there."""
    return (str(x.filename), span) if isinstance(x, np.memmap) else x[span]


def make_rows(
    forms: tuple[NaturalForm, ...], x: list[AnyArray | tuple[str, slice]], weights: FloatArray | None
) -> ThreadsEngine:
    """Rows of a block in an engine of their own; the forms are those of the whole table."""
    engine = ThreadsEngine(forms, weights)
    engine.x = [read_rows(*rows) if isinstance(rows, tuple) else rows for rows in x]
    engine.n_items = len(engine.x[0])
    return engine


def read_rows(path: str, span: slice) -> AnyArray:
    """Rows of a file that workers see."""
    if not Path(path).exists():
        help_ = "Set TMPDIR to a folder that all machines share."
        raise FileNotFoundError(f"engine must be one whose workers see the table's rows: got no {path!r}. {help_}")
    rows: AnyArray = np.load(path, mmap_mode="c")[span]
    return rows


def open_block(rows: ThreadsEngine, labels: AnyArray, precisions: list[AnyArray]) -> Changed:
    """What of a block changes, with these labels and numbers of precisions."""
    block = BlockAllocation(rows, labels.astype(np.int64), [PRECISIONS[numbers] for numbers in precisions])
    return state_of(block), None


def ask_block(rows: ThreadsEngine, before: Changed, steps: list[Step]) -> Any:
    """What the last of some methods returns, the block left as it is."""
    return change_block(rows, before, steps)[1]


def change_block(rows: ThreadsEngine, before: Changed, steps: list[Step]) -> Changed:
    """What of a block changes, after methods have changed it, and what the last returned."""
    block, returned = with_state(rows, before[0]), None
    for name, arguments in steps:
        returned = getattr(block, name)(*arguments)
    return state_of(block), returned


def with_state(rows: ThreadsEngine, state: dict[str, Any]) -> BlockAllocation:
    """A block whose labels may be changed: others may still read those it was made from."""
    block = BlockAllocation.__new__(BlockAllocation)
    block.__dict__.update(state, engine=rows, xp=rows.xp)
    block._labels, block._precisions = block._labels.copy(), list(block._precisions)
    return block


def state_of(block: BlockAllocation) -> dict[str, Any]:
    """All but the rows."""
    return {name: value for name, value in vars(block).items() if name not in ("engine", "xp")}


def what_returned(changed: Changed) -> Any:
    """What the last method returned that changed a block."""
    return changed[1]
