import numpy as np
import pytest
from point_processes import PROCESSES, X8

from partita.pointprocess.likelihood import bind, label_tables
from partita.samplers.label_functions import Problem, valid_labels


@pytest.mark.parametrize(
    ("name", "row", "valid"),
    [
        ("known", [0, 0, 0, 1, 1, 1, 1, 1], True),
        ("known", [0, 0, 0, 0, 0, 0, 0, 0], True),
        ("known", [0, 0, 0, 2, 1, 1, 1, 1], False),
        ("known", [0, 0, 0, -1, 1, 1, 1, 1], False),
        ("sizes", [0, 0, 0, 0, 0, 1, 1, 1], True),
        ("sizes", [0, 0, 0, 1, 1, 1, 1, 1], True),
        ("sizes", [0, 0, 0, 0, 1, 1, 1, 1], False),
    ],
)
def test_label_functions_are_those_of_positive_probability(name, row, valid):
    problem = Problem(X8, label_tables(bind(PROCESSES[name], np.zeros(2), 8)))
    assert valid_labels(problem, np.array([row])) == valid
    assert not valid or np.isfinite(PROCESSES[name].log_probability(X8, row)).all()
