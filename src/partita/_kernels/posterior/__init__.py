"""Kernels of posterior similarity."""
