"""What a user types into the search box leads somewhere: to the glossary, and from there to a page that treats it."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
TYPED = """
posterior similarity matrix, PSM, co-clustering, label switching, burn-in, warm-up, thinning, convergence, R-hat,
effective sample size, Chinese restaurant process, CRP, EPPF, exchangeable, stick-breaking, contingency table,
sufficient statistics, conjugate prior, missing data, standardizing, outliers, full covariance,
number of clusters too large, consensus clustering, ensemble, Leiden, membership probability, silhouette, gap statistic,
must-link, cannot-link, semi-supervised, medoid, credible interval of K, posterior predictive check, LOO
"""
PHRASES = [phrase.strip() for phrase in TYPED.replace("\n", " ").split(",")]


def entries(page):
    """Terms, in lower case, with all the terms and the text of their entry."""
    found = {}
    for body in re.findall(r"^```\{glossary\}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL):
        for terms, text in re.findall(r"((?:^\S.*\n)+)((?:^  .*\n)+)", body, flags=re.MULTILINE):
            names = terms.lower().splitlines()
            found.update(dict.fromkeys(names, (names, text)))
    return found


def treated_on(phrase, glossary, pages):
    """Pages that the phrase's entry links to and that use one of its words; of a long phrase, all of its words."""
    names, text = glossary[phrase.lower()]
    linked = [page for page in re.findall(r"\]\(([\w/-]+\.md)", text) if page in pages]

    def is_used(name, page):
        return name in pages[page] or all(word in pages[page] for word in name.split())

    return [page for page in linked if any(is_used(name, page) for name in names)]


GLOSSARY = entries((DOCS / "glossary.md").read_text(encoding="utf-8"))
PAGES = {path.name: path.read_text(encoding="utf-8").lower() for path in DOCS.glob("*.md")}


@pytest.mark.parametrize("phrase", PHRASES)
def test_every_phrase_leads_to_a_page_that_treats_it(phrase):
    assert treated_on(phrase, GLOSSARY, PAGES)


def test_a_phrase_that_leads_nowhere_would_be_noticed():
    glossary = entries("```{glossary}\nBurn-in\nwarm-up\n  Left out ([chains](chains.md)).\n```\n")
    assert treated_on("burn-in", glossary, {"chains.md": "a warm-up"}) == ["chains.md"]
    assert treated_on("burn-in", glossary, {"chains.md": "nothing of the kind"}) == []
    assert treated_on("burn-in", glossary, {}) == []
    assert "thinning" not in glossary


GUIDES = ("index", "tour", "draws", "losses", "number", "constraints", "report", "chains", "style")


@pytest.mark.parametrize("name", GUIDES)
def test_the_pages_link_to_the_glossary(name):
    assert re.search(r"\]\(glossary\.md|\{term\}`", PAGES[f"{name}.md"])


def test_functions_of_r_are_named():
    text = PAGES["glossary.md"]
    r_names = ("psm", "salso", "minVI", "credibleball", "mcclust", "BNPmix", "comp.psm", "minbinder", "maxpear")
    assert [name for name in r_names if name.lower() not in text] == []
