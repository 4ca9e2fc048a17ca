"""Samplers of posteriors over partitions, one per file.

Modules import only from layers with a smaller number:

    0  base, label_functions, lock, misfit, starts
    1  records
    2  checkpoint
    3  run
    4  collapsed, fixed_k, warmup
    5  predictive, replicates
    6  fusing
    7  mixture_draws
"""
