"""Every figure once, as PNG files in a folder."""

import sys
from pathlib import Path

import pandas as pd
from sklearn.cluster import KMeans

import partita as pt

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out/figures")
folder.mkdir(parents=True, exist_ok=True)


def save(name, axes):
    """Write the figure that the axes are in."""
    first = axes[0] if isinstance(axes, list) else axes
    first.figure.savefig(folder / f"{name}.png", dpi=110)
    print(f"{name}: {first.get_title(loc='left')}".replace("\n", " "))


# A posterior: four clusters in the plane, one of them wide.
X, truth = pt.datasets.make_quadrants(n_items=160, example=2, random_state=1)
mixture = pt.BayesianMixture(n_chains=4, n_draws=250, n_warmup=250, random_state=1).fit(X)
ball = pt.credible_ball(mixture)
save("partition", pt.plot.plot_partition(mixture.estimate_, X))
save("parallel", pt.plot.plot_parallel(mixture, X))
save("similarity", pt.plot.plot_similarity(mixture))
save("n_clusters", pt.plot.plot_n_clusters(mixture))
save("certainty", pt.plot.plot_certainty(mixture, X))
save("certainty_of_draws", pt.plot.plot_certainty(mixture.posterior_, estimate=mixture.estimate_, show="size"))
save("credible_ball", pt.plot.plot_credible_ball(ball, X))
save("coclustering", pt.plot.plot_coclustering(mixture.estimate_, truth))
save("ball_coclustering", pt.plot.plot_ball_coclustering(ball))
save("ball_coclustering_truth", pt.plot.plot_ball_coclustering(ball, truth))
save("traces", pt.plot.plot_traces(mixture))
save("chain_agreement", pt.plot.plot_chain_agreement(mixture))

# One column of numbers, and all partitions of a few items.
galaxies = pd.DataFrame(pt.datasets.load_galaxies(), columns=["velocity in 1000 km/s"])
groups = pt.BayesianMixture(n_chains=4, n_draws=250, n_warmup=250, random_state=1).fit(galaxies)
save("galaxies", pt.plot.plot_certainty(groups, galaxies))
save("galaxies_ball", pt.plot.plot_credible_ball(pt.credible_ball(groups.posterior_, groups.estimate_), galaxies))
few = pt.BayesianMixture(n_chains=2, n_draws=500, n_warmup=100).fit([[0.0], [0.4], [3.0], [3.3], [5.0]])
save("hasse_vi", pt.plot.plot_hasse(few.posterior_.subset(range(4))))
save("hasse_binder", pt.plot.plot_hasse(4, stretch="binder"))
save("hasse_five", pt.plot.plot_hasse(few))

# A clustering of k-means: how many, and how stable.
selection = pt.select_n_clusters(X, range(2, 10), ["stability", "gap", "silhouette"], n_baselines=10)
report = pt.assess_stability(pt.center_distances(X, selection.labels), selection.labels)
save("selection", pt.plot.plot_selection(selection))
save("selection_gap", pt.plot.plot_selection(selection, "gap"))
save("stability", pt.plot.plot_stability(report))
save("stability_posterior", pt.plot.plot_stability(pt.matched_stability(mixture.posterior_, mixture.labels_)))
save("stability_map", pt.plot.plot_stability_map(report, X))

# Weights of columns, and errors with bounds.
weights = [[0.7, 0.2, 0.05, 0.05], [0.1, 0.1, 0.6, 0.2], [0.25, 0.25, 0.25, 0.25]]
save("weights", pt.plot.plot_weights(weights, ["length", "width", "color", "weight"]))
process = pt.GaussianPointProcess.known([[0, 0], [1.5, 1.5]], covariances=0.5, sizes=[8, 8])
points, _ = pt.datasets.sample_point_process(process, random_state=3)
bayes = pt.BayesClusterer(process, "pmax", radius=2).fit(points)
rivals = {"Bayes": bayes.labels_, "k-means": KMeans(2, n_init=10, random_state=0).fit_predict(points)}
save("error", pt.plot.plot_error({name: bayes.partition_error(labels) for name, labels in rivals.items()}))
print(f"Figures are in {folder}/")
