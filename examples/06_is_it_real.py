"""How many clusters, and are they real? Stability under perturbed distances (Koepke 2008) of clusters of odd shapes."""

import partita as pt

# Six clusters of odd shapes, known to have six modes.
X, truth, mixture = pt.datasets.make_shaped_mixture(n_items=600, n_features=4, n_clusters=6, random_state=2)
print(mixture)

# How many? Three methods on the same clusterings.
selection = pt.select_n_clusters(X, range(2, 11), ["stability", "gap", "silhouette"], n_baselines=10)
print(selection)
print(selection.table.pivot(index="n_clusters", columns="method", values="value").round(3))

# How sure? Distances are perturbed, nothing is clustered again.
report = pt.assess_stability(pt.center_distances(X, selection.labels))
print(report)
print(report.cluster_table.round(3))
least = report.item_table.nsmallest(3, "stability")
print("The three least stable items:", least.round(3), sep="\n")
