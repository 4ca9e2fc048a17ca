"""Leiden in scanpy at several resolutions and seeds: the consensus, its certainty, back in the AnnData."""

# Beside partita this needs scanpy, igraph and leidenalg.
import scanpy as sc

import partita as pt

adata = sc.datasets.blobs(n_variables=20, n_centers=6, cluster_std=7.0, n_observations=900, random_state=0)
sc.pp.pca(adata, n_comps=10)
sc.pp.neighbors(adata, n_neighbors=15, random_state=0)
for resolution in (0.3, 0.6, 1.0, 1.5):
    for seed in range(3):
        key = f"leiden_{resolution}_{seed}"
        sc.tl.leiden(adata, resolution=resolution, random_state=seed, key_added=key, flavor="igraph", n_iterations=2)

runs = pt.PartitionPosterior.from_any(adata, keys="leiden_*")
print(runs)
summary = pt.summarize(runs)
summary.to_anndata(adata, key="consensus")
print(summary.answer)
print(adata.obs.filter(like="consensus").head())
print(pt.compare_partitions(adata.obs["blobs"], adata.obs["consensus"]))
