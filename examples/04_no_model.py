"""How sure is k-means? Generalized Bayes (Rigon, Herring and Dunson 2023), and a cost that outliers do not impress."""

import sys

import numpy as np

import partita as pt

rng = np.random.default_rng(3)
truth = np.repeat(np.arange(4), 40)
heavy = rng.normal(size=(160, 2)) / np.sqrt(
    rng.chisquare(2, size=(160, 1)) / 2
)  # Student's t: k-means expects no tails
X = np.array([[-2, -2], [-2, 2], [2, -2], [2, 2]])[truth] + 0.8 * heavy

print(pt.cost_table(X, range(2, 8), "manhattan").round(3))

print("Sampling (the first run compiles for about a minute) ...", file=sys.stderr)
for cost in ("squared-euclidean", "manhattan"):
    found = pt.GeneralizedBayesClustering(n_clusters=4, cost=cost, random_state=1).fit(X)
    wrong = pt.Misclassification().between(truth, found.labels_)
    print(f"\n{cost}: {found.posterior_}")
    print(f"  {found.diagnostics_.verdict}")
    print(f"  rate {found.rate_.mean():.3f}; {wrong:.0%} of the points misplaced")
    print(f"  the posterior expects to misplace {found.medoid_disagreement_.mean():.0%}")
    unsure = np.argsort(-found.medoid_disagreement_)[:3]
    for i in unsure:
        print(f"  point {i} at {X[i].round(1)}: apart from its medoid with {found.medoid_disagreement_[i]:.0%}")
    print(" ", pt.credible_ball(found.posterior_, found.labels_))
