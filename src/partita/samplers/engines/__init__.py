"""Engines of the blocked sampler: where the items lie and their labels are drawn.

Modules import only from layers with a smaller number:

    0  base
    1  array
    2  threads
    3  torch, dask
"""
