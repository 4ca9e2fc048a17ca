"""From draws of partitions to what they say: which items belong together, and how sure that is."""

import numpy as np

import partita as pt

# Draws simulated around a known partition of 60 items into 4 clusters. Yours may come from PyMC, Stan, R or a csv
# file: PartitionPosterior.from_any reads them all.
posterior, truth = pt.datasets.make_noisy_draws(n_items=60, n_draws=2000, n_clusters=4, noise=0.15, random_state=1)
print(posterior)

counts = np.bincount(posterior.n_clusters())
print("Number of clusters:", ", ".join(f"{k} with probability {c / 2000:.3f}" for k, c in enumerate(counts) if c))

similarity = posterior.similarity()
together = truth[:, None] == truth
np.fill_diagonal(similarity, np.nan)
print(f"Items of one cluster share it with probability {np.nanmean(similarity[together]):.2f} on average,")
print(f"items of different clusters with probability {np.nanmean(similarity[~together]):.2f}.")

for loss in (pt.VariationOfInformation(), pt.Binder(), pt.Misclassification()):
    best = min((loss.expected(draw, posterior), i) for i, draw in enumerate(posterior.draws[:200]))
    print(
        f"{type(loss).__name__}: the truth has expected loss {loss.expected(truth, posterior):.3f}, "
        f"the best of 200 draws {best[0]:.3f}"
    )
