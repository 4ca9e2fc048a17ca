from . import datasets as datasets
from .clusterers import FuzzyCMeans as FuzzyCMeans
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
from .pointprocess import (
    BayesClusterer as BayesClusterer,
    BayesLabeler as BayesLabeler,
    GaussianPointProcess as GaussianPointProcess,
    PartitionError as PartitionError,
    compare_clusterers as compare_clusterers,
)
from .posterior import PartitionPosterior as PartitionPosterior
from .soft import (
    SoftIndex as SoftIndex,
    soft_adjusted_rand as soft_adjusted_rand,
    soft_variation_of_information as soft_variation_of_information,
)
