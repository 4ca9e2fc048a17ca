from . import (
    costs as costs,
    datasets as datasets,
    experimental as experimental,
    perturbation as perturbation,
    plot as plot,
)
from .certainty import Certainty as Certainty, assess_certainty as assess_certainty
from .clusterers import (
    BayesianMixture as BayesianMixture,
    BregmanKMeans as BregmanKMeans,
    COPKMeans as COPKMeans,
    FuzzyCMeans as FuzzyCMeans,
    GeneralizedBayesClustering as GeneralizedBayesClustering,
    KDissimilarities as KDissimilarities,
    LocalityPreservingProjection as LocalityPreservingProjection,
    LocallyAdaptiveClustering as LocallyAdaptiveClustering,
    LocallyWeightedClustering as LocallyWeightedClustering,
    MPCKMeans as MPCKMeans,
    cost_table as cost_table,
)
from .components import (
    Bernoulli as Bernoulli,
    Categorical as Categorical,
    Gaussian as Gaussian,
    Poisson as Poisson,
    Product as Product,
)
from .constraints import Constraints as Constraints, sample_constraints as sample_constraints
from .core import CertainCore as CertainCore
from .credible import CredibleBall as CredibleBall, credible_ball as credible_ball
from .diagnostics import Diagnostics as Diagnostics, diagnose as diagnose
from .estimate import PartitionEstimate as PartitionEstimate, estimate_partition as estimate_partition
from .hyperpriors import Gamma as Gamma, Geometric as Geometric, ShiftedPoisson as ShiftedPoisson
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
from .pointprocess import (
    BayesClusterer as BayesClusterer,
    BayesLabeler as BayesLabeler,
    GaussianPointProcess as GaussianPointProcess,
    PartitionError as PartitionError,
    compare_clusterers as compare_clusterers,
)
from .posterior import PartitionPosterior as PartitionPosterior
from .priors import (
    DirichletProcess as DirichletProcess,
    FiniteDirichlet as FiniteDirichlet,
    MixtureOfFiniteMixtures as MixtureOfFiniteMixtures,
    PitmanYor as PitmanYor,
)
from .report import report_folder as report_folder, write_report as write_report
from .selection import Selection as Selection, select_n_clusters as select_n_clusters
from .soft import (
    SoftIndex as SoftIndex,
    soft_adjusted_rand as soft_adjusted_rand,
    soft_variation_of_information as soft_variation_of_information,
)
from .suggestion import suggest_pairs as suggest_pairs

__version__: str
