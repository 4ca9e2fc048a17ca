from . import datasets as datasets, experimental as experimental, perturbation as perturbation
from .losses import (
    AdjustedRand as AdjustedRand,
    Binder as Binder,
    InformationDistance as InformationDistance,
    Loss as Loss,
    Misclassification as Misclassification,
    NormalizedInformationDistance as NormalizedInformationDistance,
    NormalizedVariationOfInformation as NormalizedVariationOfInformation,
    VariationOfInformation as VariationOfInformation,
    VariationOfInformationBound as VariationOfInformationBound,
    ZeroOne as ZeroOne,
)
from .partition import (
    all_partitions as all_partitions,
    bell_number as bell_number,
    canonical as canonical,
    hasse_edges as hasse_edges,
    join as join,
    match_labels as match_labels,
    meet as meet,
    merges as merges,
    refines as refines,
    sizes as sizes,
    splits as splits,
    stirling_number as stirling_number,
)
from .perturbation import (
    StabilityReport as StabilityReport,
    center_distances as center_distances,
    certainty_table as certainty_table,
    cluster_distances as cluster_distances,
    matched_stability as matched_stability,
    stability as stability,
)
from .posterior import PartitionPosterior as PartitionPosterior
from .selection import Selection as Selection, select_n_clusters as select_n_clusters
from .soft import (
    SoftIndex as SoftIndex,
    soft_adjusted_rand as soft_adjusted_rand,
    soft_variation_of_information as soft_variation_of_information,
)
