"""Draws on disk take a byte per label until there are more clusters than a byte counts."""

import numpy as np

from partita.samplers.collapsed import Chain
from partita.samplers.draw_file import DrawFile


def block(labels, dtype):
    n = len(labels)
    return Chain(labels.astype(dtype), *[np.zeros(n)] * 3, np.zeros((n, 1)), np.full(labels.shape, 2, np.uint8))


def test_a_wider_type_is_taken_when_it_is_needed(tmp_path):
    few, many = np.arange(8).reshape(2, 4), np.array([[0, 300, 5, 1]])
    file = DrawFile(tmp_path, 2, 2, 4, 4)
    left = file.put(1, block(few, np.uint8))
    assert left.draws.shape == (2, 0)
    assert left.latent.shape == (2, 0)
    file.put(0, block(many, np.uint16))
    file.put(0, block(few[:1], np.uint8))
    filled = file.fill(left)
    assert filled.draws.dtype == np.uint16
    np.testing.assert_array_equal(filled.draws, np.vstack([many, few[:1], few]))
    assert (filled.latent == 2).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["draws2.npy", "latent.npy"]
