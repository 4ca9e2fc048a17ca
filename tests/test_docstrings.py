"""Docstrings say what else there is, how it is computed and where that comes from, as numpydoc reads them."""

import inspect

import pytest

import partita as pt

validate = pytest.importorskip("numpydoc.validate")

MOST_LACKING = 0.1  # share of public names that may lack a section that applies
SECTIONS = ("See Also", "Notes", "References")
# Results, contracts, and what is no more than its first line.
WITHOUT_ALGORITHM = """
Certainty CredibleBall Diagnostics JointCore PartitionError PartitionEstimate PosteriorSummary Selection SoftIndex
StabilityResult stability.SampledAssignment datasets.MixtureData datasets.ShapedMixture experimental.PathEstimate
experimental.SweepEstimate Loss PartitionPosterior stability.ScaleDistribution canonical sizes refines costs.total
TableLoss TableSumLoss sample_constraints datasets.make_noisy_draws report_folder write_report summarize
"""


def public_names():
    """Every public name once, below ``partita``, with what it stands for."""
    modules = [name for name in pt.__all__ if inspect.ismodule(getattr(pt, name))]
    yield from ((name, getattr(pt, name)) for name in pt.__all__ if name not in modules)
    for module in modules:
        inner = {name: getattr(getattr(pt, module), name) for name in getattr(pt, module).__all__}
        yield from (
            (f"{module}.{name}", thing) for name, thing in inner.items() if thing is not getattr(pt, name, None)
        )


PUBLIC = dict(public_names())


def lacking(name, docstring):
    """Sections that apply to a name and that its docstring does not have; figures show, and compute nothing."""
    shows = name.startswith("plot.") or name in WITHOUT_ALGORITHM.split()
    return [section for section in (SECTIONS[:1] if shows else SECTIONS) if not docstring[section]]


def parsed(name):
    return validate.Validator(validate.get_doc_object(PUBLIC[name])).doc


def test_few_public_names_lack_a_section():
    found = {name: sections for name in PUBLIC if (sections := lacking(name, parsed(name)))}
    assert len(found) <= MOST_LACKING * len(PUBLIC), found


def test_a_missing_section_would_be_noticed():
    complete = {"See Also": ["meet"], "Notes": ["greedy"], "References": ["Binder (1978)"]}
    assert lacking("meet", complete) == []
    assert lacking("meet", complete | {"Notes": []}) == ["Notes"]
    assert lacking("plot.plot_hasse", complete | {"Notes": [], "See Also": []}) == ["See Also"]


def resolve(name, module):
    """What a name in a See Also section stands for: a public name, as on the page of ``module``; else None."""
    thing = pt
    full = name.removeprefix("partita.") if name.startswith("partita.") else f"{module}{name}"
    for part in full.split("."):
        thing = getattr(thing, part, None)
    return thing


@pytest.mark.parametrize("name", PUBLIC)
def test_what_to_see_also_exists(name):
    module = name.rpartition(".")[0]
    prefix = f"{module}." if module else ""
    mentioned = [other for others, _ in parsed(name)["See Also"] for other, _ in others]
    assert [other for other in mentioned if resolve(other, prefix) is None] == []


def test_a_name_that_does_not_exist_would_be_noticed():
    assert resolve("meet", "") is pt.meet
    assert resolve("meat", "") is None
    assert resolve("partita.meet", "plot.") is pt.meet
    assert resolve("meet", "plot.") is None
