"""Labels of a chunk of items drawn from their logits, and sums of their features by label."""

import math

import numpy as np

from .._jit import inlined, summing_kernel
from ..exponential import LOWEST, exp_from_lowest
from .counter_random import random_bits

NEGLIGIBLE = 1e-17  # labels with less than this share of the most probable one's probability are not drawn
TINY = 1e-150


@inlined
def weight_of(i, weights):
    """Weight of an item; where there are none, all count once."""
    return weights[i] if weights.size > 0 else 1.0


@summing_kernel
def choose_labels(logits, log_weights, weights, key, numbers, draw, labels):
    """Draw labels by their distribution functions, or take those given; log probability and entropy.

    ``logits`` have a row for each label, so that loops go over items and do several at a time; they are used up. Random
    numbers are a function of the key and an item's number. Items of weight zero are placed as if they counted once, and
    add nothing.
    """
    n_labels, n_items = logits.shape
    tops, totals, means, left = np.empty(n_items), np.empty(n_items), np.empty(n_items), np.empty(n_items)
    for i in range(n_items):
        tops[i], totals[i], means[i] = -np.inf, 0.0, 0.0
    for k in range(n_labels):
        for i in range(n_items):
            logits[k, i] += log_weights[k]
        for i in range(weights.size):
            logits[k, i] *= weights[i] if weights[i] > 0.0 else 1.0
        for i in range(n_items):
            tops[i] = max(tops[i], logits[k, i])
    log_probability = entropy = 0.0
    if not draw:
        for i in range(n_items):
            if weight_of(i, weights) > 0.0:
                log_probability += logits[labels[i], i] - tops[i]
    for k in range(n_labels):
        for i in range(n_items):
            gap = max(logits[k, i] - tops[i], LOWEST)
            share = exp_from_lowest(gap)
            logits[k, i] = share
            totals[i] += share
            means[i] += share * gap
    if draw:
        for i in range(n_items):
            left[i] = random_bits(key, numbers[i]) * 2.0**-53 * totals[i]
            labels[i] = 0
        for k in range(n_labels - 1):
            for i in range(n_items):
                left[i] -= logits[k, i]
                labels[i] += left[i] >= 0.0
    chosen = total = 1.0  # products, of which logarithms are taken now and then
    for i in range(n_items):
        if draw and logits[labels[i], i] < NEGLIGIBLE:  # the random number was 0, or rounding left something over
            labels[i] = 0
            while logits[labels[i], i] < 1.0:  # to the most probable
                labels[i] += 1
        if weight_of(i, weights) > 0.0:
            entropy -= means[i] / totals[i]
            chosen *= (logits[labels[i], i] if draw else 1.0) / totals[i]
            total *= totals[i]
            if chosen < TINY or total > 1.0 / TINY:
                log_probability += math.log(chosen)
                entropy += math.log(total)
                chosen = total = 1.0
    return log_probability + math.log(chosen), entropy + math.log(total)


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
