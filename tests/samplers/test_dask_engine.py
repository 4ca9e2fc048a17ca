"""Blocks on a cluster do what one block in memory does. `test_parallel` runs chains on real workers."""

import numpy as np
import pytest
from dask_here import Here

import partita as pt
from partita.components import natural_form
from partita.samplers.engines import array
from partita.samplers.engines.base import Pair, uniforms
from partita.samplers.engines.dask import DaskEngine, local_key
from partita.samplers.engines.threads import ThreadsEngine

RNG = np.random.default_rng(0)
X, LABELS, WEIGHTS = RNG.normal(size=(500, 2)), RNG.integers(0, 3, 500), RNG.integers(0, 3, 500).astype(float)
FORMS = tuple(natural_form(block) for block in pt.Gaussian("diagonal", scale="variance").encode(X).blocks)
NATURAL = np.random.default_rng(1).normal(size=(3, 5))


def passes(allocation):
    """What every kind of pass returns, and the labels it leaves."""
    anchors = allocation.members([(1, 0), (1, 90)])
    yield from anchors
    pair = Pair((1, 1), (anchors[0].number, anchors[1].number), 1.0, 0)
    yield allocation.draw_sides(pair, np.zeros((2, 5)), np.log([0.4, 0.6]), 5)
    allocation.keep_split(pair, 3)
    yield allocation.labels()
    one, other = allocation.members([(2, 1), (0, 3)])
    pair = Pair((2, 0), (one.number, other.number), 0.5, 9)
    yield allocation.weigh_sides(pair, np.ones((2, 5)), np.zeros(2))
    allocation.merge(0, 2, 3)
    allocation.move(499, 1)
    yield allocation.labels()
    yield allocation.sums(3)
    for key in (21, 22):
        yield allocation.draw_sides(pair, NATURAL[:2], np.zeros(2), key)
    yield from allocation.items([300, 2, 499, 300])
    yield allocation.draw_labels(NATURAL, np.zeros(3), 17)
    yield allocation.labels()
    allocation.keep_labels()
    yield allocation.labels()


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
@pytest.mark.parametrize("n_kept", [array.KEPT, 200, 0], ids=["few", "many in a block", "many"])
def test_blocks_do_what_one_block_does(weights, n_kept, monkeypatch):
    monkeypatch.setattr(array, "KEPT", n_kept)
    one, many = ThreadsEngine(FORMS, weights), DaskEngine(FORMS, weights, Here(), 130)
    for expected, found in zip(passes(one.open(LABELS, [])), passes(many.open(LABELS, [])), strict=True):
        for a, b in zip(expected, found, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9)


def test_passes_over_few_items_ask_the_blocks_once():
    class Counted(Here):
        asked = 0

        def map(self, function, *arguments, pure):
            self.asked += 1
            return super().map(function, *arguments, pure=pure)

    client = Counted()
    allocation = DaskEngine(FORMS, None, client, 130).open(LABELS, [])
    before = client.asked
    for key in range(5):
        allocation.draw_sides(Pair((1, 2), (-1, -1), 0.5, 3), NATURAL[:2], np.zeros(2), key)
    assert client.asked == before + 1
    allocation.draw_sides(Pair((1, 2), (-1, -1), 0.5, 4), NATURAL[:2], np.zeros(2), 0)
    assert client.asked == before + 2
    allocation.draw_sides(Pair((1, 2), (-1, -1), 1.0, 0), NATURAL[:2], np.zeros(2), 0)
    assert client.asked == before + 4  # changes the blocks, and asks what came of it


def after_few_sides(allocation):
    """Sides of the same pair before and after its clusters are others."""
    pair = Pair((1, 2), (-1, -1), 0.5, 9)
    yield allocation.draw_sides(pair, NATURAL[:2], np.zeros(2), 1)
    allocation.merge(1, 0, 2)
    yield allocation.draw_sides(pair, NATURAL[:2], np.zeros(2), 1)
    allocation.move(7, 1)
    yield allocation.draw_sides(pair, NATURAL[:2], np.zeros(2), 1)


def after_kept_labels(allocation):
    """Labels that were kept and then changed, while another question was asked."""
    allocation.draw_labels(NATURAL, np.zeros(3), 17)
    allocation.keep_labels()
    allocation.merge(0, 1, 2)
    allocation.move(3, 0)
    yield from allocation.items([3, 4])
    yield allocation.labels()


@pytest.mark.parametrize("sequence", [after_few_sides, after_kept_labels])
def test_what_waits_is_seen_by_what_is_asked_next_and_done_once(sequence):
    one, many = ThreadsEngine(FORMS, None), DaskEngine(FORMS, None, Here(), 130)
    for expected, found in zip(sequence(one.open(LABELS, [])), sequence(many.open(LABELS, [])), strict=True):
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
