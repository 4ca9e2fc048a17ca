"""One function per figure: each takes a result and, optionally, the axes to draw on, and returns the axes.

No window is opened and no global state is touched: ``ax.figure.savefig("figure.png")`` writes what was drawn. Titles
say the answer in words. Cluster k has the same color and the same marker in every figure.

Modules import only from layers with a smaller number:

    0  arrangement, canvas, subject
    1  chains, coarsening, coclustering, error, flow, hasse, n_clusters, partition, ppc, prior
    1  profiles, selection, weights
    2  certainty, credible_ball, density, fusion, inclusion, modes, parallel, similarity, stability, stability_map
"""

from .certainty import plot_certainty
from .chains import plot_chain_agreement, plot_traces
from .coarsening import plot_coarsening
from .coclustering import plot_ball_coclustering, plot_coclustering
from .credible_ball import plot_credible_ball
from .density import plot_density
from .error import plot_error
from .flow import plot_flow
from .fusion import plot_fusion
from .hasse import plot_hasse
from .inclusion import plot_inclusion
from .modes import plot_modes
from .n_clusters import plot_n_clusters
from .parallel import plot_parallel
from .partition import plot_partition
from .ppc import plot_ppc
from .prior import plot_prior
from .profiles import plot_profiles
from .selection import plot_selection
from .similarity import plot_similarity
from .stability import plot_stability
from .stability_map import plot_stability_map
from .weights import plot_weights

__all__ = [
    "plot_ball_coclustering",
    "plot_certainty",
    "plot_chain_agreement",
    "plot_coarsening",
    "plot_coclustering",
    "plot_credible_ball",
    "plot_density",
    "plot_error",
    "plot_flow",
    "plot_fusion",
    "plot_hasse",
    "plot_inclusion",
    "plot_modes",
    "plot_n_clusters",
    "plot_parallel",
    "plot_partition",
    "plot_ppc",
    "plot_prior",
    "plot_profiles",
    "plot_selection",
    "plot_similarity",
    "plot_stability",
    "plot_stability_map",
    "plot_traces",
    "plot_weights",
]
