"""Each kernel and its plain-Python body agree."""

import copy
import importlib
import pkgutil

import compiled_constraints
import compiled_costs
import compiled_pointprocess
import compiled_stability
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import partita as pt
import partita._kernels
from partita._kernels._jit import SharedKernel
from partita._kernels.decide.reallocation import ADJUSTED_RAND, ID, LINEAR, NID, Candidate, Cells, Rule, UnitCells
from partita._kernels.priors.eppf import FINITE, MFM
from partita._kernels.samplers.cluster_rows import renew_constants
from partita._kernels.samplers.collapsed import Schedule, Trace, run_block
from partita._kernels.samplers.predictive import fit_draw
from partita._kernels.samplers.prior import fill_prior
from partita.components import check_component, make_model, natural_form
from partita.constraints.chunklets import make_chunklets
from partita.samplers.collapsed import make_problem, make_room
from partita.samplers.engines.array import ArrayEngine

RNG = np.random.default_rng(0)
DRAWS = RNG.integers(3, size=(70, 8)).astype(np.uint8)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
ORDER, BOUNDS = np.argsort(LABELS, kind="stable"), np.array([0, 3, 6, 8])
PHI = np.arange(9.0) ** 2
STARTS, OFFSETS = np.arange(1, 9), 8 * np.arange(8)
WEIGHTS = RNG.dirichlet(np.ones(70))
SIMILARITY = np.array([[(DRAWS[:, i] == DRAWS[:, j]).mean() for j in range(8)] for i in range(8)])
REACH = np.array([SIMILARITY[i, LABELS[i] == LABELS].sum() for i in range(8)], float)
COMPONENTS, SIZES = np.log([0.2, 0.5, 0.3]), np.array([4.0, 3.0, 1.0, 0.0])

PATTERN = (np.ones(70, np.bool_), np.full((70, 3), -1, np.int32), np.full((70, 3), -1, np.int32))


def reallocation(code):
    """Cells, a candidate with items placed and an empty column, and a rule."""
    n_clusters = DRAWS.max(axis=1).astype(np.int64) + 1
    cells = Cells(np.ascontiguousarray(DRAWS.T), np.cumsum(n_clusters) - n_clusters, WEIGHTS, RNG.random(70))
    counts = np.zeros((n_clusters.sum(), 5), np.uint16)
    for i, k in enumerate(LABELS):
        counts[cells.offsets + cells.by_item[i], k] += 1
    sizes, totals = np.array([3, 3, 2, 0, 0]), np.zeros((0, 5), np.uint16)
    candidate = Candidate(LABELS.copy(), sizes, counts, totals, RNG.random(70), RNG.random(1) - 3)
    return cells, candidate, Rule(code, PHI, np.diff(PHI), 1.0, 8)


PARTIAL = np.where(RNG.random(DRAWS.shape) < 0.2, -1, DRAWS.astype(np.int8)).astype(np.int8)


def unit_reallocation(code):
    """The same for units of several items, over draws that leave some out."""
    n_clusters, sizes = PARTIAL.max(axis=1).astype(np.int64) + 1, np.array([2, 1, 1, 1, 3, 1, 1, 1])
    offsets, by_unit = np.cumsum(n_clusters) - n_clusters, np.ascontiguousarray(PARTIAL.T)
    cells = UnitCells(by_unit, offsets, WEIGHTS, RNG.random(70), sizes, RNG.random(70))
    counts, totals = np.zeros((n_clusters.sum(), 5), np.uint16), np.zeros((70, 5), np.uint16)
    for i, k in enumerate(LABELS):
        for m in np.flatnonzero(by_unit[i] >= 0):
            counts[offsets[m] + by_unit[i, m], k] += sizes[i]
            totals[m, k] += sizes[i]
    candidate = Candidate(
        LABELS.copy(), np.array([4, 3, 4, 0, 0]), counts, totals, -3 * RNG.random(70) - 3, -2 * RNG.random(70) - 1
    )
    phi = np.arange(12.0) ** 2
    return cells, candidate, Rule(code, phi, np.diff(phi), 1.0, 8)


NUMBERS = RNG.normal(size=(8, 2))
MIXED = np.array([[0.5, "a", 3], [1.5, "b", 0], [np.nan, "a", 2], [0.1, None, 4], *[[0.3, "b", 7]] * 4], object)


def problem(component, X, weights=None):
    """Items 0 and 1 are linked; 2 and 4 may not meet, and 3 and 7 rather would."""
    known = pt.Constraints(must_link=[(0, 1), (3, 7)], cannot_link=[(2, 4)], n_items=8, must_link_weights=[np.inf, 0.5])
    encoded = check_component(component).encode(X)
    return make_problem(encoded, pt.DirichletProcess(pt.Gamma(1, 1)), make_chunklets(known, weights))


def run_arguments(component, X=NUMBERS, weights=None):
    """Arguments of a block of six draws from LABELS."""
    made = problem(component, X, weights)
    encoded = made.encoded
    room = make_room(made, encoded.hyper, encoded.latent, 12)
    fill_prior(made.params, 0.7, 8.0 if weights is None else float(weights.sum()), room.weights)
    trace = Trace(
        np.zeros((6, 8), np.int32),
        np.zeros(6),
        np.zeros(6),
        np.zeros(6),
        np.zeros((6, room.hyper.size)),
        np.zeros((6, room.latent.size), np.float32),
    )
    return (
        *(LABELS, 0.7, made.hyperprior, Schedule(1, 1.5, True)),
        *(made.params, room.weights, made.chunklets, made.uncounted),
        *(
            room.model,
            room.hyper,
            room.latent,
            room.assignment,
            room.proposal,
            room.scratch,
            np.random.default_rng(7),
            trace,
        ),
    )


def predictive_arguments():
    made = problem("student", NUMBERS)
    room = make_room(made, made.encoded.hyper, made.encoded.latent, 4)
    fill_prior(made.params, 0.7, 9.0, room.weights)
    fit_draw(LABELS, made.chunklets, room.model, room.assignment)
    rows, share = np.array([0, 1, 2, room.assignment.sizes.size - 1]), np.full((3, 2), 0.5)
    model, assignment = room.model, room.assignment
    return (
        *(8, made.params, room.weights, share, model, assignment, rows),
        *(np.zeros(4), np.full(8, -np.inf), np.zeros((8, 3))),
    )


def left_out_arguments():
    made = make_problem(check_component("student").encode(NUMBERS), pt.DirichletProcess(0.7))
    room = make_room(made, made.encoded.hyper, made.encoded.latent, 4)
    fill_prior(made.params, 0.7, 8.0, room.weights)
    fit_draw(LABELS, made.chunklets, room.model, room.assignment)
    return (
        *(made.params, room.weights, made.chunklets, room.model, room.model, room.assignment),
        *(np.zeros(4, np.int64), np.zeros(4), np.zeros(8)),
    )


def cluster_rows():
    """Two clusters of a normal family whose hyperparameters are learned."""
    encoded = pt.Gaussian("full").encode(NUMBERS)
    forms = tuple(natural_form(block) for block in encoded.blocks)
    model = make_model(encoded, encoded.hyper.copy(), encoded.latent, 4, equal=False)
    renew_constants(model)
    forms[0].fill_rows(model, ArrayEngine(forms, None).open(np.repeat([0, 1], 4), []).sums(2).features)
    return model


def column_part():
    block = check_component("gaussian-diagonal").encode(NUMBERS).blocks[0].only(np.array([1]))
    return block.make_part(block.hyper, block.latent, int(LABELS.max()) + 2)


# Arrays among the arguments that a kernel fills are compared too.
CASES = {
    "canonical_rows": (DRAWS.astype(np.int64), 5, np.full(3, -1), np.zeros(3, np.int64)),
    "growth_rows": (5, 3, np.zeros((41, 5), np.uint8)),
    "fits": (np.array([3, 1, 0]), 2, np.array([2, 2])),
    "sized_growth_rows": (np.array([3, 2]), np.zeros((10, 5), np.uint8)),
    "bit_planes": (DRAWS, np.zeros(8, np.uint64), np.zeros((8, 2, 2), np.uint64)),
    "shared_weights": (np.ascontiguousarray(DRAWS.T), WEIGHTS, 0, 8, STARTS, OFFSETS, np.zeros(64, np.float32)),
    "joint_phi_sums": (DRAWS, ORDER, BOUNDS, 3, PHI),
    "mean_intersections": (DRAWS, WEIGHTS, ORDER, BOUNDS, 3),
    "table_phi_sums": (PARTIAL, LABELS, 3, PHI, np.zeros(9, np.int64), np.zeros(70), np.zeros(70)),
    "held_sizes_sum": (PARTIAL, LABELS, 3, PHI),
    "shared_among_held": (np.ascontiguousarray(PARTIAL.T), WEIGHTS, 0, 8, STARTS, OFFSETS, np.zeros(64, np.float32)),
    "mean_held_members": (PARTIAL, WEIGHTS, LABELS, 3, np.zeros((8, 3))),
    "place_items: units": (np.array([0, 1, 0, 0, -1, 1, 0, 0]), 2, 3, *unit_reallocation(ID)),
    "reallocate: units": (ORDER, 0, 0, 100, 3, *unit_reallocation(ADJUSTED_RAND), np.zeros(5), np.zeros(5)),
    "reallocate: units, linear": (ORDER, 0, 0, 100, 3, *unit_reallocation(LINEAR), np.zeros(5), np.zeros(5)),
    "merge_changes: units": (0, np.array([2, 1]), *unit_reallocation(NID), np.zeros(70), np.zeros(70), np.zeros(2)),
    "matched_items": (DRAWS, LABELS, 3, 3),
    "count_votes": (DRAWS, WEIGHTS, LABELS, 3, 3, np.zeros((8, 3))),
    "mean_co_members": (DRAWS, WEIGHTS, LABELS, 3, 3, np.zeros((8, 3))),
    "agreeing_weight": (DRAWS[:, 0].copy(), WEIGHTS, *PATTERN, 1),
    "add_item": (DRAWS[:, 0].copy(), *PATTERN, 1),
    "similarity_sums": (SIMILARITY, LABELS, np.zeros(8)),
    "bound_sweep": (SIMILARITY, ORDER, LABELS, np.array([3, 3, 2, 0]), REACH, np.diff(PHI), 8),
    "pair_sweep": (1 - 2 * SIMILARITY, ORDER, LABELS, np.array([3, 3, 2, 0]), 8),
    "place_items": (np.array([0, 1, 2, 2, -1, 1, 0, 0]), 3, 3, *reallocation(ID)),
    "place_items: a gap": (np.array([1, 1, 2, 2, -1, 1, 1, 1]), 0, 2, *reallocation(LINEAR)),
    "reallocate": (ORDER, 0, 0, 100, 3, *reallocation(ADJUSTED_RAND), np.zeros(5), np.zeros(5)),
    "reallocate: linear": (ORDER, 0, 0, 100, 3, *reallocation(LINEAR), np.zeros(5), np.zeros(5)),
    "merge_changes": (0, np.array([2, 1]), *reallocation(NID), np.zeros(1), np.zeros(70), np.zeros(2)),
    "merge_changes: linear": (0, np.array([2, 1]), *reallocation(LINEAR), np.zeros(1), np.zeros(70), np.zeros(2)),
    "run_block": run_arguments("gaussian-full"),
    "fit_draw": (LABELS, run_arguments("gaussian-full")[6], *run_arguments("gaussian-full")[8:12:3]),
    "fill_prior": (*run_arguments("gaussian-full")[4:5], 0.7, 8.0, run_arguments("gaussian-full")[5]),
    "add_draw": predictive_arguments(),
    "log_leave_one_out": left_out_arguments(),
    "log_column_marginal": (LABELS, np.ones(8), int(LABELS.max()) + 1, column_part()),
    "count_row": (left_out_arguments()[3], 1, np.random.default_rng(3)),
    "fill_products": (NUMBERS, np.arange(1.0, 9.0), np.zeros((8, 7))),
    "choose_labels": (
        *(np.linspace(-1, 2, 24).reshape(3, 8) % 1.1, np.array([0.3, -0.2, 0.1])),
        *(np.array([1.0, 1.0, 2.0, 1.0, 0.0, 1.0, 1.0, 1.0]), 12345, np.arange(8), True, np.zeros(8, np.int64)),
    ),
    "add_by_label": (NUMBERS, np.ones(8), LABELS, np.zeros((3, 2)), np.zeros(3), np.zeros(3)),
    "renew_constants": (cluster_rows(),),
    "fill_log_marginals": (cluster_rows(), np.zeros(2)),
    "draw_hyper": (cluster_rows(), np.arange(2), np.random.default_rng(5)),
    "log_rising": (2.5, 20),
    "steepest_ahead": (COMPONENTS,),
    "log_component_sum": (2, 8, 0.7, COMPONENTS, np.array([0.0, -0.5, -np.inf]), np.full(3, np.nan)),
    "log_size_probability": (MFM, 0.7, 0.0, COMPONENTS, SIZES, 3, 8.0),
    "log_weight_existing": (FINITE, 0.7, 4.0, np.zeros(9)),
    "log_weight_new": (MFM, 0.7, 0.0, COMPONENTS, 8, np.zeros(9)),
    "sample_urn": (np.arange(9.0), np.ones(9), np.zeros(8, np.int64), np.random.default_rng(1)),
}
CASES |= compiled_constraints.CASES | compiled_costs.CASES
CASES |= compiled_stability.CASES | compiled_pointprocess.CASES
WITHOUT_PYTHON_BODY = {"shared_counts"}  # counts bits with a machine instruction; test_posterior has its naive twin


def all_kernels():
    for module in pkgutil.walk_packages(partita._kernels.__path__, "partita._kernels."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if isinstance(thing, Dispatcher | SharedKernel):
                yield name, thing


KERNELS: dict[str, set[object]] = {}
for _name, _kernel in all_kernels():
    KERNELS.setdefault(_name, set()).add(_kernel)


def copies(arguments):
    return copy.deepcopy(list(arguments))


def flat(arguments):
    """Arrays and numbers, those inside named tuples too; a generator counts by the number it draws next."""
    shown = (a.random() if isinstance(a, np.random.Generator) else a for a in arguments)
    return [x for a in shown for x in (flat(a) if isinstance(a, tuple) else [a])]


def agree(a, b):
    """Integers to the last one; other numbers as far as the order of a sum allows."""
    if isinstance(a, tuple):
        return all(map(agree, a, b))
    if np.asarray(a).dtype.kind == "f":
        order = 1e-6 if np.asarray(a).dtype == np.float32 else 1e-12
        largest = np.abs(a, where=np.isfinite(a), out=np.zeros(np.shape(a))).max(initial=0.0)
        return np.allclose(a, b, rtol=order, atol=order * largest, equal_nan=True)
    return np.array_equal(a, b)


def test_integers_must_agree_exactly():
    assert agree(0.1 + 0.2, 0.3)
    assert not agree(10**9, 10**9 + 1)
    assert not agree(1.0, 1.001)


def test_every_kernel_has_a_name_of_its_own_and_a_case():
    assert [name for name, found in KERNELS.items() if len(found) > 1] == []
    assert set(KERNELS) == {name.partition(":")[0] for name in CASES} | WITHOUT_PYTHON_BODY


@pytest.mark.parametrize("name", CASES)
def test_kernel_agrees_with_its_python_body(name):
    compiled, plain = copies(CASES[name]), copies(CASES[name])
    (kernel,) = KERNELS[name.partition(":")[0]]
    returned = kernel(*compiled)
    with np.errstate(over="ignore"):  # numpy warns where machine integers wrap
        expected = kernel.py_func(*plain)
    assert (returned is None) == (expected is None)
    assert returned is None or agree(returned, expected)
    for a, b in zip(flat(compiled), flat(plain), strict=True):
        assert agree(a, b)


@pytest.mark.parametrize(
    ("component", "X", "weights"),
    [
        ("gaussian-diagonal", NUMBERS, None),
        ("gaussian-diagonal", np.where(NUMBERS > 1, np.nan, NUMBERS), None),
        ("gaussian-spherical", NUMBERS, None),
        ("student", np.where(NUMBERS > 1, np.nan, NUMBERS), None),
        ("gaussian-full", NUMBERS, np.array([1.0, 2.0, 0.5, 1.0, 1.0, 1.0, 3.0, 1.0])),
        ("product", MIXED, None),
    ],
    ids=["diagonal", "incomplete", "spherical", "student", "weighted", "product"],
)
def test_chains_of_every_family_agree_with_their_python_bodies(component, X, weights):
    compiled, plain = copies(run_arguments(component, X, weights)), copies(run_arguments(component, X, weights))
    assert agree(run_block(*compiled), run_block.py_func(*plain))
    assert (compiled[-1].draws == plain[-1].draws).all()
    for a, b in zip(flat(compiled), flat(plain), strict=True):
        assert np.allclose(a, b, rtol=1e-8, atol=1e-10, equal_nan=True)
