"""Kernels of cluster costs in generalized Bayes."""
