"""The posterior similarity matrix."""

from __future__ import annotations

import numpy as np

from ...plot.palette import cluster_color
from ...plot.seriation import block_edges, seriate, similarity_image
from ..content import Content
from ..embed import picture
from ..section import Section

MOST_PIXELS, MOST_ITEMS, MOST_BLOCKS = 700, 2800, 200


def make(content: Content) -> Section:
    """The similarity matrix as a picture, in blocks, with the mean of the block that one points at."""
    labels = content.labels
    order = seriate(content.summary.posterior, labels)
    edges = block_edges(labels, order)
    clusters = labels[order[edges[:-1]]]
    kept = order[np.unique(np.linspace(0, order.size - 1, min(order.size, MOST_ITEMS)).astype(np.int64))]
    between = content.summary.certainty.between.to_numpy()
    data = {
        "edges": edges / labels.size,
        "clusters": clusters,
        "colors": [cluster_color(int(cluster)) for cluster in clusters],
        "between": between[np.ix_(clusters, clusters)] if clusters.size <= MOST_BLOCKS else None,
    }
    image = picture(similarity_image(content.summary.posterior, kept, MOST_PIXELS))
    return Section("similarity", "Who is with whom", _in_words(content), "similarity.html", data, {"image": image})


def _in_words(content: Content) -> str:
    within = content.summary.certainty.clusters["within"].to_numpy()
    pairs = np.flatnonzero(content.summary.estimate.sizes > 1)
    if not pairs.size:
        return "No two items share a cluster."
    worst = int(pairs[within[pairs].argmin()])
    return f"The loosest cluster is {worst}: two of its items are together with probability {within[worst]:.2f}."
