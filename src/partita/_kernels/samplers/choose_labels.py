"""Labels of a chunk of items drawn from their logits, and sums of their features by label."""

import math

import numpy as np

from .._jit import summing_kernel

NEGLIGIBLE = -45.0  # log probabilities below this of the most probable label are taken for zero where labels are drawn


@summing_kernel
def choose_labels(logits, weights, at, draw, labels):
    """Draw labels by their distribution functions at ``at``, or take those given; log probability and entropy.

    Items of weight zero are placed as if they counted once, and add nothing. ``logits`` are used up.
    """
    n_items, n_labels = logits.shape
    log_probability = entropy = 0.0
    for i in range(n_items):
        weight, row = weights[i], logits[i]
        power = weight if weight > 0.0 else 1.0
        top = -np.inf
        for k in range(n_labels):
            row[k] *= power
            top = max(top, row[k])
        total = mean = 0.0
        chosen = row[labels[i]] - top if not draw else 0.0
        for k in range(n_labels):
            gap = row[k] - top
            row[k] = 0.0
            if gap > NEGLIGIBLE:
                row[k] = math.exp(gap)
                total += row[k]
                mean += row[k] * gap
        if draw:
            left, k = at[i] * total, 0
            while k < n_labels - 1 and left >= row[k]:
                left -= row[k]
                k += 1
            while row[k] == 0.0:  # rounding left something over
                k -= 1
            labels[i] = k
            chosen = math.log(row[k])
        if weight > 0.0:
            log_probability += chosen - math.log(total)
            entropy += math.log(total) - mean / total
    return log_probability, entropy


@summing_kernel
def add_by_label(features, weights, labels, sums, sizes, counts):
    """Add the features of items of positive weight to those of their clusters."""
    for i in range(labels.size):
        k, weight = labels[i], weights[i]
        if weight > 0.0:
            sizes[k] += weight
            counts[k] += 1.0
            for j in range(features.shape[1]):
                sums[k, j] += weight * features[i, j]
