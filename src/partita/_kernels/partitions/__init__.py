"""Kernels on label vectors.

Modules do not import from each other:

    0  assignment, labels, restricted_growth
"""
