"""When do columns of noise hide clusters? The limits of stability in many dimensions (Koepke 2008, chapter 6)."""

import matplotlib as mpl
import numpy as np

import partita as pt

mpl.use("agg")
from matplotlib import pyplot as plt

labels = np.repeat([0, 1, 2], 200)
triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])


def staying(p, side, theta):
    """Mean probability that an item stays in its cluster when its distances to the centers are perturbed."""
    X = np.random.default_rng(p).normal(size=(600, p))
    X[:, :2] += side * triangle[labels]
    found = pt.assess_stability(pt.center_distances(X, labels), labels, theta=theta, n_baselines=5)
    return found.phi[np.arange(600), labels].mean()


# Three clusters in a plane, and columns of noise beside it. What is far apart in the plane is soon near in all of them:
# distances to the centers become alike, and a perturbation of fixed strength moves items anywhere.
columns = [2, 10, 100, 1000, 10_000]
still = [staying(p, 3 * np.sqrt(2), theta=5.0) for p in columns]
apart = [staying(p, 3 * np.sqrt(p), theta=5.0) for p in columns]
tuned = [staying(p, 3 * np.sqrt(2), theta="tuned") for p in columns]
print("columns  centers stay  centers move apart like the root of p  centers stay, theta tuned")
for row in zip(columns, still, apart, tuned, strict=True):
    print("{:>7}  {:>12.3f}  {:>37.3f}  {:>25.3f}".format(*row))
print(
    "One cluster in three, by chance: 0.333. Tuned to what random distances would do, the perturbation shrinks in time."
)

fig, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
for values, label in ((apart, "centers move apart like √p"), (tuned, "centers stay, θ tuned"), (still, "centers stay")):
    ax.plot(columns, values, "o-", label=label)
ax.axhline(1 / 3, color="0.6", lw=1)
ax.set(xscale="log", xlabel="columns", ylabel="probability of staying", ylim=(0, 1.04))
ax.legend(loc="lower left")
fig.savefig("many_columns.png", dpi=110)
