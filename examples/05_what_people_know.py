"""What if I know some pairs? Locally weighted clustering (Cheng, Hua and Vu 2008) of wines from three growers."""

from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import partita as pt

X, truth = load_wine(return_X_y=True)


def rand(labels):
    """Share of pairs of wines on which labels and truth agree."""
    return 1 - pt.Binder().between(truth, labels) * len(truth) / (len(truth) - 1)


# K-means as it is, and in two other spaces.
k_means = KMeans(3, n_init=10, random_state=0)
print(f"k-means:                           {rand(k_means.fit_predict(X)):.3f}")
print(f"k-means along two components:      {rand(make_pipeline(PCA(2), k_means).fit_predict(X)):.3f}")
neighbors = pt.LocalityPreservingProjection(4)
print(f"k-means where neighbors are near: {rand(make_pipeline(neighbors, k_means).fit_predict(X)):.3f}")

# Clusters that weigh the columns, each in its own way.
print(f"locally weighted clustering:       {rand(pt.LocallyWeightedClustering(3).fit_predict(X)):.3f}")

# Someone knows a few pairs. What follows from them is found, and what contradicts them is refused.
known = pt.sample_constraints(truth, n_pairs=100, random_state=0)
print(known)
for clusterer in (pt.LocallyWeightedClustering(3), pt.MPCKMeans(3), pt.COPKMeans(3)):
    found = clusterer.fit(X, constraints=known)
    print(f"{type(clusterer).__name__:<34} {rand(found.labels_):.3f}, {found.n_violations_} pairs broken")
try:
    pt.Constraints(
        must_link=[("ann", "bob"), ("bob", "cem")], cannot_link=[("ann", "cem")], items=["ann", "bob", "cem"]
    )
except ValueError as error:
    print(error)

# Which pairs would be worth an answer? Those of which a posterior is least sure.
mixture = pt.BayesianMixture(n_chains=2, n_draws=200, n_warmup=200).fit(StandardScaler().fit_transform(X))
asked = pt.suggest_pairs(mixture.posterior_, n_pairs=20)
print(asked.head(3).round(2).to_string(index=False))

# Answers go back as a column of the same table.
same = truth[asked["first"]] == truth[asked["second"]]
answers = pt.Constraints.from_table(asked.assign(link=["must" if s else "cannot" for s in same]), n_items=len(X))
print(answers)
