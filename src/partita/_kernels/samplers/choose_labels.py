"""Labels of a chunk of items drawn from their logits, and sums of their features by label."""

import math

import numpy as np

from .._jit import inlined, summing_kernel
from .counter_random import random_bits

NEGLIGIBLE = -45.0  # log probabilities below this of the most probable label are taken for zero where labels are drawn


@inlined
def weight_of(i, weights):
    """Weight of an item; where there are none, all count once."""
    return weights[i] if weights.size > 0 else 1.0


@summing_kernel
def choose_labels(logits, log_weights, weights, key, numbers, draw, labels):
    """Draw labels by their distribution functions, or take those given; log probability and entropy.

    Random numbers are a function of the key and an item's number. Items of weight zero are placed as if they counted
    once, and add nothing. ``logits`` are used up.
    """
    n_items, n_labels = logits.shape
    log_probability = entropy = 0.0
    for i in range(n_items):
        weight, row = weight_of(i, weights), logits[i]
        power = weight if weight > 0.0 else 1.0
        top = -np.inf
        for k in range(n_labels):
            row[k] = (row[k] + log_weights[k]) * power
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
            left, k = random_bits(key, numbers[i]) * 2.0**-53 * total, 0
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
        k, weight = labels[i], weight_of(i, weights)
        if weight > 0.0:
            sizes[k] += weight
            counts[k] += 1.0
            for j in range(features.shape[1]):
                sums[k, j] += weight * features[i, j]
