"""Blocks on a cluster do what one block in memory does. `test_parallel` runs chains on real workers."""

import numpy as np
import pytest

import partita as pt
from partita.components import natural_form
from partita.samplers.engines.base import Pair, uniforms
from partita.samplers.engines.dask import DaskEngine, local_key
from partita.samplers.engines.threads import ThreadsEngine

RNG = np.random.default_rng(0)
X, LABELS, WEIGHTS = RNG.normal(size=(500, 2)), RNG.integers(0, 3, 500), RNG.integers(0, 3, 500).astype(float)
FORMS = tuple(natural_form(block) for block in pt.Gaussian("diagonal", scale="variance").encode(X).blocks)
NATURAL = np.random.default_rng(1).normal(size=(3, 5))


class Here:
    """A client that computes in this process."""

    def nthreads(self):
        return {"here": 1}

    def submit(self, function, *arguments, pure, **where):  # noqa: ARG002
        return Done(function(*(each.value if isinstance(each, Done) else each for each in arguments)))

    def map(self, function, *arguments, pure):
        return [self.submit(function, *each, pure=pure) for each in zip(*arguments, strict=True)]

    def gather(self, futures):
        return [future.value for future in futures]


class Done:
    def __init__(self, value):
        self.value = value

    def result(self):
        return self.value


def passes(allocation):
    """What every kind of pass returns, and the labels it leaves."""
    pair = Pair((1, 1), (allocation.member(1, 0), allocation.member(1, 90)), 1.0, 0)
    yield allocation.draw_sides(pair, np.zeros((2, 5)), np.log([0.4, 0.6]), 5)
    allocation.keep_split(pair, 3)
    yield allocation.labels()
    pair = Pair((2, 0), (allocation.member(2, 1), allocation.member(0, 3)), 0.5, 9)
    yield allocation.weigh_sides(pair, np.ones((2, 5)), np.zeros(2))
    allocation.merge(0, 2, 3)
    allocation.move(499, 1)
    yield allocation.labels()
    yield allocation.sums(3)
    yield allocation.item(300)
    yield allocation.draw_labels(NATURAL, np.zeros(3), 17)
    yield allocation.labels()
    allocation.keep_labels()
    yield allocation.labels()


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
def test_blocks_do_what_one_block_does(weights):
    one, many = ThreadsEngine(FORMS, weights), DaskEngine(FORMS, weights, Here(), 130)
    for expected, found in zip(passes(one.open(LABELS, [])), passes(many.open(LABELS, [])), strict=True):
        for a, b in zip(expected, found, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9)


def test_a_split_without_anchors_moves_no_other_item():
    allocation = DaskEngine(FORMS, None, Here(), 130).open(np.ones(500, np.int64), [])
    pair = Pair((1, 1), (-1, -1), 1.0, 0)
    drawn = allocation.draw_sides(pair, np.zeros((2, 5)), np.log([0.7, 0.3]), 5)
    allocation.keep_split(pair, 2)
    assert np.bincount(allocation.labels()).tolist() == [0, *drawn.counts]


def test_items_of_a_block_get_the_random_numbers_of_their_place():
    np.testing.assert_array_equal(
        uniforms(np, 2**62 - 1, np.arange(70, 90)), uniforms(np, local_key(2**62 - 1, 70), np.arange(20))
    )
