"""A thousand calls as nobody means them; more by hand, with ``python tests/fuzz/run.py --calls 100000``."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module


def test_every_public_callable_is_fuzzed():
    assert load("cases").untested() == []


@pytest.mark.slow
def test_no_call_ends_obscurely_wrong_late_or_never():
    outcomes = list(load("run").fuzz(1000, seed=1))
    assert len(outcomes) == 1000
    assert [outcome for outcome in outcomes if outcome[0] not in ("fine", "refused")] == []


@pytest.mark.parametrize(
    ("call", "outcome"),
    [
        (lambda x: x + 1, "fine"),
        (lambda x: 1 / 0, "obscure"),
        (lambda x: {}["x"], "obscure"),
        (lambda x: np.array([0.5, np.nan]), "wrong"),
        (lambda x: int("two"), "obscure"),
    ],
)
def test_the_judge_knows_the_classes(call, outcome):
    assert load("judge").judge(call, {"x": 1}, ["x"])[0] == outcome


def test_the_judge_wants_the_argument_named_and_probabilities_within_bounds():
    judge = load("judge").judge

    def refuse(text):
        raise ValueError(text)

    assert judge(refuse, {"text": "x must be positive: got 0."}, ["x"])[0] == "refused"
    assert judge(refuse, {"text": "bad operand"}, ["x"])[0] == "obscure"
    assert judge(lambda x: x, {"x": np.array([0.2, 1.5])}, ["x"], lambda result: [result])[0] == "wrong"
