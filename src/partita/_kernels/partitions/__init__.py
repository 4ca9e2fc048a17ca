"""Kernels on label vectors."""
