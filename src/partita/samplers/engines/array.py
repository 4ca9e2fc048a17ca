"""The engine for any array library: numpy, or torch on a processor or a GPU.

Items lie in the library's arrays. A chunk of them at a time is turned into features; logits of the labels are one
matrix product, sums of features by cluster another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._typing import AnyArray, FloatArray, IntArray
from ...components.gaussian import PRECISIONS
from ...components.natural import NaturalForm
from .base import NO_ANCHORS, Item, Pair, Sums, host_array, no_sums, uniforms

KEPT = 2**18  # numbers in features of a pair's items that are kept from one pass to the next
MOST_NUMBERS = {"cpu": 2**22, "cuda": 2**28}  # in a chunk's features and logits


class ArrayEngine:
    """Items as arrays of one library on one device.

    ``home`` is an engine for passes over few items: on a GPU each takes longer to begin than to do here.
    """

    def __init__(
        self,
        forms: Sequence[NaturalForm],
        weights: FloatArray | None,
        namespace: Any = np,
        device: str = "cpu",
        home: ArrayEngine | None = None,
    ) -> None:
        self.forms, self.xp, self.device, self.home = tuple(forms), namespace, device, home
        self.width, self.n_items = sum(form.width for form in forms), len(forms[0].block.x)
        self.x = [self.put(self._lay_out(form.block.x)) for form in forms]
        self.weights = None if weights is None else self.put(weights)

    def _lay_out(self, x: AnyArray) -> AnyArray:
        """Rows one after the other for numpy; columns for a GPU, whose threads then read neighboring numbers."""
        return x if self.xp is np else np.ascontiguousarray(x.T)

    def rows(self, x: Any, items: Any) -> Any:
        """Some rows of a table as it lies here."""
        return x[items] if self.xp is np else x[:, items].T

    def room(self, n_items: int) -> Any:
        """Features to be filled in, laid out likewise."""
        shape = (n_items, self.width) if self.xp is np else (self.width, n_items)
        made = self.xp.empty(shape, dtype=self.xp.float64, device=self.device)
        return made if self.xp is np else made.T

    def put(self, values: AnyArray) -> Any:
        """An array of the library, on the device."""
        return self.xp.asarray(values, device=self.device)

    def numbers(self, chunk: slice) -> Any:
        """Numbers of the items of a chunk, on the device."""
        return self.xp.arange(chunk.start, chunk.stop, dtype=self.xp.int64, device=self.device)

    def open(self, labels: IntArray, precisions: list[FloatArray]) -> ArrayAllocation:
        """The items with these labels."""
        return ArrayAllocation(self, labels, precisions)

    def chunks(self, n_items: int, n_labels: int) -> list[slice]:
        """Items that are looked at together."""
        size = max(64, MOST_NUMBERS[self.device] // (self.width + 4 * n_labels))
        return [slice(start, min(n_items, start + size)) for start in range(0, n_items, size)]

    def map(self, function: Callable[[slice], Any], chunks: list[slice]) -> Iterator[Any]:
        """The function of each chunk, in order."""
        return map(function, chunks)

    def choose(
        self, features: Any, natural: Any, log_weights: Any, *, weights: Any | None, at: tuple[int, Any], given: Any
    ) -> tuple[Any, Any, Any]:
        """Labels by inverse distribution functions, or those given; log probability, entropy.

        ``at`` are a key and the items' numbers, of which the random numbers are a function.

        Logits have a row for each label: neighboring items lie side by side. Items of weight zero are placed as if they
        counted once, and add nothing.
        """
        xp, logits = self.xp, natural @ features.T + log_weights[:, None]
        if weights is not None:
            logits = logits * xp.where(weights > 0, weights, 1.0)
        logits = logits - xp.max(logits, axis=0)
        shares = xp.exp(logits)
        sums = xp.cumulative_sum(shares, axis=0)
        totals, labels = sums[-1], given
        if labels is None:
            labels = xp.sum(sums[:-1] <= uniforms(xp, *at) * totals, axis=0, dtype=xp.int64)
        chosen = logits[labels, self.numbers(slice(0, len(labels)))] - xp.log(totals)
        entropy = xp.log(totals) - xp.sum(shares * logits, axis=0) / totals
        if weights is not None:
            chosen, entropy = xp.where(weights > 0, chosen, 0.0), xp.where(weights > 0, entropy, 0.0)
        return labels, xp.sum(chosen), xp.sum(entropy)

    def add_up(self, features: Any, weights: Any | None, labels: Any, n_clusters: int) -> tuple[Any, Any, Any]:
        """Sums of features by cluster, sizes and counts."""
        xp = self.xp
        members = xp.astype(labels[:, None] == self.numbers(slice(0, n_clusters)), xp.float64)
        counted = members
        if weights is not None:
            counted = members * xp.astype(weights > 0, xp.float64)[:, None]
            members = members * weights[:, None]
        return members.T @ features, xp.sum(members, axis=0), xp.sum(counted, axis=0)


class Members(NamedTuple):
    """Items of a pair that take part, in order."""

    pair: Pair
    items: Any
    weights: Any  # of those items, or None where all weigh one
    features: Any  # of those items, where they are few


class ArrayAllocation:
    """Items of a chain with their labels and precisions."""

    def __init__(self, engine: ArrayEngine, labels: IntArray, precisions: list[FloatArray]) -> None:
        self.engine, self.xp = engine, engine.xp
        self._labels = engine.put(labels.copy())
        given = iter(precisions)
        self._precisions = [engine.put(next(given)) if form.has_precisions else None for form in engine.forms]
        self._drawn: Any = None
        self._exponents: Any = None
        self._members: Members | None = None

    def _features(self, items: Any, plain: bool = False) -> Any:
        """Features of some items; ``plain``: as if their precisions were one."""
        engine, at = self.engine, 0
        x = [engine.rows(values, items) for values in engine.x]
        out = engine.room(len(x[0]))
        for form, values, precision in zip(engine.forms, x, self._precisions, strict=True):
            own = None if plain or precision is None else precision[items]
            form.features(values, own, out[:, at : at + form.width])
            at += form.width
        return out

    def _pass(
        self, members: Members | None, natural: FloatArray, log_weights: FloatArray, key: int, given: Any | None
    ) -> tuple[Any, Sums]:
        """Labels of some items, or of all, drawn or given, and the sums that come with them."""
        engine, n_clusters = self.engine, len(natural)
        natural, log_weights = engine.put(natural), engine.put(log_weights)

        items, weights_of, kept = (None, engine.weights, None) if members is None else members[1:]

        def one(chunk: slice) -> Any:
            picked = chunk if items is None else items[chunk]
            features = self._features(picked) if kept is None else kept[chunk]
            weights = None if weights_of is None else weights_of[chunk]
            own = None if given is None else given[chunk]
            at = key, engine.numbers(chunk) if items is None else picked
            labels, *logs = engine.choose(features, natural, log_weights, weights=weights, at=at, given=own)
            return labels, *engine.add_up(features, weights, labels, n_clusters), *logs

        n_items = engine.n_items if items is None else len(items)
        return self._collect(engine.map(one, engine.chunks(n_items, n_clusters)), n_clusters)

    def _collect(self, found: Iterator[Any], n_clusters: int) -> tuple[Any, Sums]:
        """Labels end to end and sums added up, in the order of the chunks."""
        labels, totals = [self.engine.put(np.empty(0, np.int64))], None
        for drawn, *parts in found:
            labels.append(drawn)
            totals = parts if totals is None else [total + part for total, part in zip(totals, parts, strict=True)]
        if totals is None:
            return labels[0], no_sums(n_clusters, self.engine.width)
        features, sizes, counts = (host_array(value) for value in totals[:3])
        return self.xp.concat(labels), Sums(features, sizes, counts.astype(np.int64), *map(float, totals[3:]))

    def sums(self, n_clusters: int) -> Sums:
        """Sums over the clusters as they are."""
        engine = self.engine

        def one(chunk: slice) -> Any:
            weights, labels = None if engine.weights is None else engine.weights[chunk], self._labels[chunk]
            return labels, *engine.add_up(self._features(chunk), weights, labels, n_clusters), 0.0, 0.0

        return self._collect(engine.map(one, engine.chunks(engine.n_items, n_clusters)), n_clusters)[1]

    def draw_labels(self, natural: FloatArray, log_weights: FloatArray, key: int) -> Sums:
        """Draw all labels at once."""
        self._drawn, sums = self._pass(None, natural, log_weights, key, None)
        return sums

    def keep_labels(self) -> None:
        """Let the labels last drawn be the labels."""
        self._labels, self._members = self._drawn, None

    def _members_of(self, pair: Pair) -> Members:
        """Items of a pair that take part."""
        if self._members is not None and self._members.pair == pair:
            return self._members
        xp, (a, b) = self.xp, pair.clusters
        inside = (self._labels == a) | (self._labels == b)
        if self.engine.weights is not None:
            inside = inside & (self.engine.weights > 0)
        items = xp.nonzero(inside)[0]
        items = items[(items != pair.anchors[0]) & (items != pair.anchors[1])]
        if pair.share < 1.0:
            items = items[uniforms(xp, pair.key, items) < pair.share]
        weights = None if self.engine.weights is None else self.engine.weights[items]
        few = len(items) * self.engine.width <= KEPT
        self._members = Members(pair, items, weights, self._features(items) if few else None)
        if self._where(self._members) is not self:
            self._members = Members(pair, *(None if part is None else host_array(part) for part in self._members[1:]))
        return self._members

    def _where(self, members: Members) -> ArrayAllocation:
        """Where passes over items of a pair are made: at home where they are few of many."""
        home, some = self.engine.home, members.features is not None and members.pair.share < 1.0
        return nothing_at(home) if some and home is not None else self

    def draw_sides(self, pair: Pair, natural: FloatArray, log_weights: FloatArray, key: int) -> Sums:
        """Draw for the items of a pair on which of two sides they are."""
        members = self._members_of(pair)
        self._drawn, sums = self._where(members)._pass(members, natural, log_weights, key, None)
        return sums

    def weigh_sides(self, pair: Pair, natural: FloatArray, log_weights: FloatArray) -> Sums:
        """The sides on which they are now."""
        members, engine = self._members_of(pair), self.engine
        sides = self.xp.astype(self._labels[engine.put(members.items)] == pair.clusters[1], self.xp.int64)
        where = self._where(members)
        return where._pass(members, natural, log_weights, 0, sides if where is self else host_array(sides))[1]

    def keep_split(self, pair: Pair, label: int) -> None:
        """Let the items last drawn to be on the second side, and the second anchor, have a new label."""
        self._labels[self._members_of(pair).items[self._drawn == 1]] = label
        if pair.anchors != NO_ANCHORS:
            self._labels[pair.anchors[1]] = label
        self._members = None

    def merge(self, kept: int, gone: int, last: int) -> None:
        """Give cluster ``gone`` the label ``kept``, and cluster ``last`` the label that is then free."""
        self._labels[self._labels == gone] = kept
        self._labels[self._labels == last] = gone
        self._members = None

    def members(self, places: list[tuple[int, int]]) -> list[Item]:
        """The items that are so many-th in their clusters."""
        return self.items([int(self._counted(cluster)[number]) for cluster, number in places])

    def _counted(self, cluster: int) -> Any:
        """Items of positive weight in a cluster."""
        inside = self._labels == cluster
        if self.engine.weights is not None:
            inside = inside & (self.engine.weights > 0)
        return self.xp.nonzero(inside)[0]

    def items(self, numbers: list[int]) -> list[Item]:
        """Some items."""
        at, weights = self.engine.put(np.array(numbers, np.int64)), self.engine.weights
        features, labels = host_array(self._features(at)), host_array(self._labels[at]).tolist()
        own = [1.0] * len(numbers) if weights is None else host_array(weights[at]).tolist()
        return list(map(Item, numbers, labels, own, features))

    def move(self, item: int, label: int) -> None:
        """Give an item a label."""
        self._labels[item] = label
        self._members = None

    def tail_scores(self, form: int, natural: FloatArray, log_shares: FloatArray) -> FloatArray:
        """Log density of the items for each of several tails, precisions summed out."""
        engine, xp = self.engine, self.xp
        start = sum(other.width for other in engine.forms[:form])
        stop = start + engine.forms[form].width - 1  # without the constant
        natural, shares = engine.put(natural[:, start:stop]), engine.put(np.exp(log_shares))

        def one(chunk: slice) -> Any:
            exponents = xp.sum(self._features(chunk, plain=True)[:, start:stop] * natural[self._labels[chunk]], axis=1)
            logs = self._log_precision_weights(form, exponents, chunk)
            top = xp.max(logs, axis=1, keepdims=True)
            sums = xp.exp(logs - top) @ shares.T
            return exponents, xp.sum(xp.log(xp.where(sums > 1e-300, sums, 1e-300)) + top, axis=0)

        found = list(engine.map(one, engine.chunks(engine.n_items, len(natural))))
        self._exponents = xp.concat([exponents for exponents, _ in found])
        return np.asarray(sum(host_array(scores) for _, scores in found))

    def draw_precisions(self, form: int, log_share: FloatArray, key: int) -> None:
        """Draw the precisions of all items."""
        engine, xp = self.engine, self.xp
        share, grid = engine.put(log_share), engine.put(PRECISIONS)

        def one(chunk: slice) -> Any:
            logs = self._log_precision_weights(form, self._exponents[chunk], chunk) + share
            shares = xp.exp(logs - xp.max(logs, axis=1, keepdims=True))
            sums = xp.cumulative_sum(shares, axis=1)
            at = uniforms(xp, key, engine.numbers(chunk)) * sums[:, -1]
            return grid[xp.sum(sums[:, :-1] <= at[:, None], axis=1, dtype=xp.int64)]

        self._members = None  # whose features have precisions in them
        self._precisions[form] = xp.concat(list(engine.map(one, engine.chunks(engine.n_items, PRECISIONS.size))))

    def _log_precision_weights(self, form: int, exponents: Any, chunk: slice) -> Any:
        """Log density of each item of a chunk at each of the `PRECISIONS`, given its cluster's parameters."""
        engine, xp, block = self.engine, self.xp, self.engine.forms[form].block
        grid, d = engine.put(PRECISIONS), block.x.shape[1]
        logs = xp.where(exponents < 0, exponents, 0.0)[:, None] * grid + 0.5 * d * float(block.hyper[0]) * xp.log(grid)
        return logs if engine.weights is None else logs * engine.weights[chunk][:, None]

    def labels(self) -> IntArray:
        """All labels; they come home in a byte each where that holds them."""
        labels, xp = self._labels, self.xp
        few = xp is not np and int(xp.max(labels)) < 256
        return np.array(host_array(xp.astype(labels, xp.uint8) if few else labels), np.int64)

    def precisions(self) -> list[FloatArray]:
        """Precisions of all items, for each form that has them."""
        return [host_array(values) for values in self._precisions if values is not None]


def nothing_at(engine: ArrayEngine) -> ArrayAllocation:
    """No items, in an engine that makes passes over items of another."""
    n_latent = sum(form.has_precisions for form in engine.forms)
    return ArrayAllocation(engine, np.empty(0, np.int64), [np.empty(0)] * n_latent)
