"""Thirty Leiden runs on a simulated atlas of cells: which clusters survive, and which cells are in doubt."""

# Beside partita this needs anndata, igraph and leidenalg.
import anndata
import igraph
import leidenalg
import numpy as np
from sklearn.neighbors import kneighbors_graph

import partita as pt

# Nine types of cells, of very different sizes; the last two are hard to tell apart.
rng = np.random.default_rng(0)
sizes = [300, 250, 200, 150, 100, 80, 60, 80, 80]
centers = rng.normal(scale=0.9, size=(9, 15))
centers[8] = centers[7] + 0.4 * rng.normal(size=15)
types = np.repeat(np.arange(9), sizes)
X = centers[types] + rng.normal(size=(types.size, 15))
adata = anndata.AnnData(X)
adata.obs_names = [f"cell {i}" for i in range(len(X))]

# Leiden at ten resolutions, from three seeds each.
near = kneighbors_graph(X, 15).tocoo()
graph = igraph.Graph(n=len(X), edges=list(zip(near.row.tolist(), near.col.tolist(), strict=True))).simplify()
resolutions = np.geomspace(0.3, 4, 10).round(2)
for resolution in resolutions:
    for seed in range(3):
        found = leidenalg.find_partition(
            graph, leidenalg.RBConfigurationVertexPartition, resolution_parameter=resolution, seed=seed
        )
        adata.obs[f"leiden_{resolution}_{seed}"] = np.array(found.membership).astype(str)

# What do they agree on?
runs = pt.PartitionPosterior.from_any(adata, keys="leiden_*")
print(runs)
summary = pt.summarize(runs)
print(summary.words)

# Which clusters survive? Those whose cells stay together, whatever the resolution.
print(summary.certainty.clusters.round(2))
print(f"ARI with the true types: {1 - pt.AdjustedRand().between(types, summary.estimate.labels):.3f}")
sure = summary.certainty.by_item("certainty") >= 0.9
print(f"... of the {sure.sum()} cells with certainty 0.9: "
      f"{1 - pt.AdjustedRand().between(types[sure], summary.estimate.labels[sure]):.3f}")  # fmt: skip

# Back into the cells, and a figure of what splits as the resolution grows.
summary.to_anndata(adata, key="consensus")
print(adata.obs[["consensus", "consensus_certainty", "consensus_runner_up"]].head(3).round(2))
shown = resolutions[[0, 3, 6, 9]]
labels = [adata.obs[f"leiden_{resolution}_0"].astype(int) for resolution in shown]
pt.plot.plot_flow(labels, names=[f"resolution {resolution}" for resolution in shown]).figure.savefig("flow.png")
