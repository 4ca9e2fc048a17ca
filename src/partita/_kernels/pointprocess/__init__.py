"""Kernels of Gaussian point processes."""
