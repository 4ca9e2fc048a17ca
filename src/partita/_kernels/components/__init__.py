"""Kernels of component likelihoods."""
