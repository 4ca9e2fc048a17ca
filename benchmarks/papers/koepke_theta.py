"""Section 3.8 of Koepke (2008): theta tuned by the adjusted Rand index, the variation of information, or per cluster.

The thesis derives the gradients and reports no numbers. Here each way of tuning chooses a number of clusters, the one
with the greatest difference from permuted distances, on shaped data whose number is known.
"""

import numpy as np
from claims import Claim, write_rows
from koepke_numbers import POINTS
from sklearn.cluster import KMeans

import partita as pt

TRIED = range(2, 11)
WAYS = {
    "average": {},
    "adjusted Rand": {"tuned_by": "adjusted-rand"},
    "variation of information": {"tuned_by": "variation-of-information"},
    "one theta per cluster": {"theta": "tuned-per-cluster"},
}


def differences(X, k, seed):
    """Difference of average stability from the baselines under each way of tuning."""
    found = KMeans(k, n_init=3, random_state=seed).fit(X)
    given = {"X": X, "n_baselines": 5, "random_state": seed}
    return [pt.assess_stability(found, **given, **way).difference for way in WAYS.values()]


def study(quick):
    """Rows: the number of clusters, and the one that each way finds."""
    rows = []
    for seed in range(6 if quick else 20):
        k = 3 + seed % 4
        X = pt.datasets.make_shaped_mixture(200, 4, k, random_state=seed).X
        table = np.array([differences(X, tried, seed) for tried in TRIED])
        rows.append([k, *(TRIED[best] for best in table.argmax(axis=0))])
    return np.array(rows)


def theta_claims(rows):
    """How the ways of tuning compare."""
    off = np.abs(rows[:, 1:] - rows[:, :1])
    scores = [np.mean([POINTS.get(int(gap), 0) for gap in column]) for column in off.T]
    yield Claim(
        "Koepke, section 3.8",
        "theta can be tuned by other indices, and one per cluster; one for all, by average stability, is preferred",
        "no numbers",
        f"score of the number found, best of {TRIED[0]} to {TRIED[-1]}, {len(rows)} data sets: "
        + ", ".join(f"{name} {value:.1f}" for name, value in zip(WAYS, scores, strict=True)),
        "confirmed" if scores[0] >= max(scores) else "open",
    )


def write_theta(rows):
    """Numbers found, by data set."""
    write_rows("koepke-theta", ("clusters", *WAYS), rows.tolist())
