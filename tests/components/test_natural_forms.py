"""Families in natural form; `samplers/test_blocked` holds what is drawn with them against enumerated posteriors."""

import numpy as np
import pytest

import partita as pt
from partita.components import natural_form

RNG = np.random.default_rng(0)
NUMBERS, COUNTS = RNG.normal(size=(20, 2)), RNG.poisson(3.0, (20, 2))
WORDS = np.array(["a", "b", "c"], object)[RNG.integers(3, size=(20, 1))]
FORMS = {  # family, table, and whether each item has a precision of its own
    "gaussian-full": (pt.Gaussian("full"), NUMBERS, False),
    "gaussian-diagonal": (pt.Gaussian("diagonal"), NUMBERS, False),
    "gaussian-spherical": (pt.Gaussian("spherical"), NUMBERS, False),
    "student": (pt.Student(), NUMBERS, True),
    "categorical": (pt.Categorical(), WORDS, False),
    "poisson": (pt.Poisson(), COUNTS, False),
    "exponential": (pt.Exponential(), COUNTS + 0.5, False),
}


@pytest.mark.parametrize(("component", "table", "heavy"), FORMS.values(), ids=FORMS)
def test_an_item_has_a_precision_where_tails_are_heavy(component, table, heavy):
    (block,) = component.encode(table).blocks
    form = natural_form(block)
    assert form.has_precisions == heavy
    once, twice = np.full((2, 20, form.width), np.nan)
    form.features(block.x, np.ones(20), once)
    form.features(block.x, np.full(20, 2.0) if heavy else None, twice)
    assert np.isfinite(once).all()
    assert np.array_equal(once, twice) != heavy
