"""Kernels of stability under perturbation."""
