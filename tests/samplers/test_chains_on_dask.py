"""Whole chains as tasks. `test_parallel` runs them on real workers and kills those that have the table."""

from dataclasses import replace

import numpy as np
import pytest
from dask_here import Here

import partita as pt
from partita.samplers import blocked, chains_on_dask, collapsed
from partita.samplers.chains_on_dask import is_small, sweep_on_workers

X = np.random.default_rng(0).normal(size=(60, 2))


@pytest.mark.parametrize(("most", "expected"), [(120, True), (119, False)])
def test_a_table_is_small_by_its_numbers(most, expected, monkeypatch):
    monkeypatch.setattr(chains_on_dask, "SMALL", most)
    assert is_small(pt.Gaussian("full").encode(X)) == expected
    parts = pt.Product({0: pt.Gaussian("diagonal"), 1: pt.Gaussian("diagonal")})
    assert is_small(parts.encode(X)) == expected


def test_a_table_on_disk_is_read_by_blocks(tmp_path):
    encoded = pt.Gaussian("diagonal").encode(X)
    (block,) = encoded.blocks
    mapped = np.memmap(tmp_path / "rows", float, "w+", shape=block.x.shape)
    assert is_small(encoded)
    assert not is_small(encoded._replace(blocks=(replace(block, x=mapped),)))


def test_a_task_is_a_block_of_draws():
    base = collapsed.make_problem(pt.Gaussian("diagonal").encode(X), pt.DirichletProcess(1.0))
    problem = blocked.make_problem(base)
    states = [blocked.init(problem, np.zeros(60, np.int64), np.random.default_rng(1)) for _ in range(2)]
    here, expected = blocked.sweep(problem, states[0], 7)
    there, found = sweep_on_workers(base, Here())(states[1], 7)
    np.testing.assert_array_equal(found.draws, expected.draws)
    np.testing.assert_array_equal(there.labels, here.labels)
