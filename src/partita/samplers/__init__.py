"""Samplers of posteriors over partitions, one per file.

Modules import only from layers with a smaller number:

    0  base, label_functions, starts
    1  checkpoint
    2  run
    3  collapsed, fixed_k, warmup
    4  predictive
    5  fusing
"""
