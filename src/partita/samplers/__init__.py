"""Samplers of posteriors over partitions, one per file.

Modules import only from layers with a smaller number:

    0  base, draw_file, engines, label_functions, starts, thinning
    1  records
    2  checkpoint
    3  run, temporary_folder
    4  collapsed, fixed_k, warmup
    5  configuration, predictive, replicates, select_columns
    6  anchored_split_merge, fusing, single_items
    7  centered_split_merge, overlap, random_split
    8  blocked, mixture_draws
    9  chains_on_dask, column_draws, subsample_start
"""
