from . import costs as costs, datasets as datasets, experimental as experimental, plot as plot, stability as stability
from .clusterers import (
    BayesianMixture as BayesianMixture,
    BregmanKMeans as BregmanKMeans,
    CoarseningCurve as CoarseningCurve,
    COPKMeans as COPKMeans,
    FuzzyCMeans as FuzzyCMeans,
    GeneralizedBayesClustering as GeneralizedBayesClustering,
    KDissimilarities as KDissimilarities,
    LocalityPreservingProjection as LocalityPreservingProjection,
    LocallyAdaptiveClustering as LocallyAdaptiveClustering,
    LocallyWeightedClustering as LocallyWeightedClustering,
    MPCKMeans as MPCKMeans,
    calibrate_coarsening as calibrate_coarsening,
    compare_priors as compare_priors,
    cost_table as cost_table,
    sample_prior_tables as sample_prior_tables,
)
from .components import (
    Bernoulli as Bernoulli,
    Categorical as Categorical,
    Exponential as Exponential,
    Gaussian as Gaussian,
    Multinomial as Multinomial,
    Poisson as Poisson,
    Product as Product,
    Student as Student,
    VonMises as VonMises,
)
from .constraints import Constraints as Constraints, sample_constraints as sample_constraints
from .decide import (
    Certainty as Certainty,
    ClusterProfiles as ClusterProfiles,
    CredibleBall as CredibleBall,
    Diagnostics as Diagnostics,
    JointCore as JointCore,
    PartitionComparison as PartitionComparison,
    PartitionEstimate as PartitionEstimate,
    PartitionMode as PartitionMode,
    PartitionModes as PartitionModes,
    PosteriorSummary as PosteriorSummary,
    assess_certainty as assess_certainty,
    compare_partitions as compare_partitions,
    credible_ball as credible_ball,
    describe_clusters as describe_clusters,
    diagnose as diagnose,
    estimate_partition as estimate_partition,
    suggest_pairs as suggest_pairs,
    summarize as summarize,
    summarize_modes as summarize_modes,
)
from .ensembles import ensemble as ensemble
from .losses import (
    AdjustedRand as AdjustedRand,
    Binder as Binder,
    InformationDistance as InformationDistance,
    Loss as Loss,
    Misclassification as Misclassification,
    NormalizedInformationDistance as NormalizedInformationDistance,
    NormalizedVariationOfInformation as NormalizedVariationOfInformation,
    TableLoss as TableLoss,
    TableSumLoss as TableSumLoss,
    VariationOfInformation as VariationOfInformation,
    VariationOfInformationBound as VariationOfInformationBound,
    ZeroOne as ZeroOne,
)
from .partitions import (
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
from .posterior import PartitionPosterior as PartitionPosterior, SimilarityMatrix as SimilarityMatrix
from .priors import (
    DirichletProcess as DirichletProcess,
    FiniteDirichlet as FiniteDirichlet,
    Gamma as Gamma,
    Geometric as Geometric,
    MixtureOfFiniteMixtures as MixtureOfFiniteMixtures,
    PitmanYor as PitmanYor,
    ShiftedPoisson as ShiftedPoisson,
)
from .report import report_folder as report_folder, write_report as write_report
from .selection import Selection as Selection, select_n_clusters as select_n_clusters
from .stability import (
    SoftIndex as SoftIndex,
    StabilityResult as StabilityResult,
    assess_stability as assess_stability,
    center_distances as center_distances,
    cluster_distances as cluster_distances,
    compare_certainty as compare_certainty,
    matched_stability as matched_stability,
    soft_adjusted_rand as soft_adjusted_rand,
    soft_variation_of_information as soft_variation_of_information,
)

__version__: str
