"""Kernels of k-means-like clusterers."""
