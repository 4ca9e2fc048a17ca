"""The report, by what stands in it; how it looks and feels is for `test_report_browser.py`."""

import base64
import hashlib
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import partita as pt
from partita._files import write_table
from partita.plot.arrangement import seriate
from partita.report import content as of_reports
from partita.report.charts import _density, _look, picture
from partita.report.content import make_content
from partita.report.sections import SECTIONS, ball_section, find_path
from partita.report.write import TEMPLATES, content_policy, facts, render, to_json


@pytest.fixture(scope="module")
def posterior():
    noisy, _ = pt.datasets.make_noisy_draws(n_items=40, n_draws=400, n_clusters=3, random_state=1)
    draws = noisy.draws.astype(int)
    draws[::7][draws[::7] == 2] = 1
    draws[::5, :6] += 3
    return pt.PartitionPosterior(draws, chains=np.repeat([0, 1], 200), items=[f"item {i}" for i in range(40)])


@pytest.fixture(scope="module")
def estimate(posterior):
    return pt.estimate_partition(posterior)


@pytest.fixture(scope="module")
def data():
    return pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["length", "width"])


@pytest.fixture(scope="module")
def content(posterior, estimate, data):
    return make_content(posterior, estimate=estimate, data=data)


@pytest.fixture(scope="module")
def page(content):
    return render(content)


def embedded(page, key):
    return json.loads(re.search(rf'id="data-{key}">(.*?)</script>', page, re.DOTALL)[1])


def test_tiles_say_how_large_the_ball_is_and_at_which_level(posterior, estimate):
    ball = facts(pt.summarize(posterior, estimate, level=0.9))[3]
    assert ball.meaning == "radius of the 90\xa0% credible ball"
    assert ball.value == f"{pt.credible_ball(posterior, estimate, level=0.9).radius:.2f} bits"


def test_the_ball_has_so_many_clusters_at_its_edges(content):
    ball = content.summary.ball
    fewest, most = np.unique(ball.upper[0]).size, np.unique(ball.lower[0]).size
    assert f"there are {fewest} (fewest) to {most} (most) clusters" in ball_section(content).lead


# What may stand in a page


def test_json_in_a_page_is_the_same_data_and_no_markup():
    value = {"</script>": ["<!--", "&amp;", "\u2028\u2029", 'a "b" \\'], "n": [1, 2.5, None]}
    text = to_json(value)
    assert json.loads(text) == value
    assert re.search("[<>&\u2028\u2029]", text) is None


def test_numbers_are_short_and_gaps_are_null():
    value = {"a": np.array([1 / 3, np.nan, np.inf]), "b": np.int64(7), "c": (np.float32(0.5), True)}
    assert to_json(value) == '{"a":[0.33333,null,null],"b":7,"c":[0.5,true]}'


def test_a_picture_holds_a_byte_for_each_number():
    from io import BytesIO

    from PIL import Image

    values = np.linspace(0, 1, 12).reshape(3, 4)
    head, body = picture(values).split(",")
    image = Image.open(BytesIO(base64.b64decode(body)))
    assert head == "data:image/png;base64"
    assert (image.mode, image.size) == ("P", (4, 3))
    assert np.asarray(image) == pytest.approx(values * 255, abs=0.5)


def test_scripts_are_known_by_their_hash(page):
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="(.*?)"', page)[1].replace("&#39;", "'")
    assert len(scripts) == 2
    for script in scripts:
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in policy.split("style-src")[0]
    assert content_policy(["other"]) != policy


# The page


def test_nothing_is_asked_of_the_network(page):
    ours = page.replace(re.findall(r"<script>(.*?)</script>", page, re.DOTALL)[0], "")
    assert re.findall(r"(?:src|href)\s*=\s*[\"'](?!#|data:)[^\"']*", ours) == []
    assert "url(" not in ours
    assert "@import" not in ours


def test_the_page_has_every_section_in_order(page, content):
    keys = [section.key for section in (make(content) for make in SECTIONS) if section]
    assert re.findall(r'<section id="(\w+)">', page) == keys
    assert keys == [
        "counts",
        "places",
        "readings",
        "profiles",
        "items",
        "ball",
        "flow",
        "similarity",
        "stability",
        "chains",
        "method",
    ]


def test_the_answer_is_the_estimate(page, estimate):
    answer = re.search(r'class="answer">(.*?)<', page)[1]
    *most, least = estimate.sizes
    assert answer == f"40 items form {estimate.n_clusters} clusters of {', '.join(map(str, most))} and {least} items."


def test_counts_are_probabilities(page, posterior):
    bars = embedded(page, "counts")["data"][0]
    for k, chance in zip(bars["x"], bars["y"], strict=True):
        assert chance == pytest.approx((posterior.n_clusters() == k).mean(), rel=1e-4)
    assert sum(bars["y"]) == pytest.approx(1, abs=1e-4)


def test_places_are_the_data(page, estimate, data):
    chart = embedded(page, "places")
    drawn = sorted((x, y) for trace in chart["data"] for x, y in zip(trace["x"], trace["y"], strict=True))
    assert np.array(drawn) == pytest.approx(np.array(sorted(map(tuple, data.to_numpy()))), rel=1e-4)
    assert [len(trace["x"]) for trace in chart["data"]] == estimate.sizes.tolist()
    assert chart["layout"]["xaxis"]["label"] == "length"


def test_the_table_is_that_of_certainty(page, content):
    table = embedded(page, "items")
    expected = content.summary.certainty.items
    assert [row[0] for row in table["rows"]] == expected.index.tolist()
    assert [row[1:6] for row in table["rows"]] == [pytest.approx(row, rel=1e-4) for row in expected.to_numpy()]
    of = dict(zip(content.names, content.stability.pointwise, strict=True))
    assert [row[6] for row in table["rows"]] == pytest.approx([of[row[0]] for row in table["rows"]], rel=1e-4)


@pytest.mark.parametrize("kind", ["upper", "lower", "horizontal"])
def test_the_slider_goes_through_the_ball_from_its_center_to_a_bound(posterior, content, kind):
    ball = content.summary.ball
    bound = getattr(ball, kind)[0]
    steps = find_path(posterior, ball, bound)
    vi = pt.VariationOfInformation()
    assert steps[0].labels.tolist() == ball.center.tolist()
    assert vi.between(steps[-1].labels, bound) == 0
    distances = [vi.between(ball.center, step.labels) for step in steps]
    assert distances == pytest.approx([step.distance for step in steps])
    assert distances == sorted(distances)
    assert distances[-1] <= ball.radius + 1e-9
    drawn = {row.tobytes() for row in posterior.draws}
    canonical = [pt.canonical(step.labels).astype(posterior.draws.dtype) for step in steps[1:]]
    assert {row.tobytes() for row in canonical} <= drawn
    assert len(steps) > 3
    assert [step.moved for step in steps] == [(step.labels != ball.center).sum() for step in steps]
    assert steps[-1].nearer == pytest.approx((ball.distances <= distances[-1] + 1e-9).mean())


def test_a_ball_of_one_partition_has_one_step():
    posterior = pt.PartitionPosterior([[0, 0, 1]] * 5)
    ball = pt.credible_ball(posterior, [0, 0, 1])
    assert len(find_path(posterior, ball, ball.upper[0])) == 1


def test_blocks_of_the_map_are_clusters(page, content):
    data = embedded(page, "similarity")
    order = seriate(content.summary.posterior, content.labels)
    widths = np.diff(data["edges"]) * 40
    assert widths == pytest.approx(content.summary.estimate.sizes[data["clusters"]])
    assert data["clusters"] == content.labels[order[np.round(np.array(data["edges"][:-1]) * 40).astype(int)]].tolist()


def test_chains_have_a_verdict_and_a_table(page, content):
    assert content.summary.diagnostics.verdict in page
    assert len(embedded(page, "chains")["data"]) == 2


def test_what_is_needed_to_compute_again_is_there(page):
    assert f"partita {pt.__version__}" in page
    assert "pt.write_report(posterior" in page


def test_an_estimator_tells_its_settings_and_seed():
    X, _ = pt.datasets.make_quadrants(n_items=30)
    mixture = pt.BayesianMixture(n_chains=2, n_draws=60, n_warmup=20, random_state=11).fit(X)
    content = make_content(mixture, data=X)
    page = render(content)
    assert content.seed == 11
    assert content.summary.estimate is mixture.estimate_
    assert content.summary.diagnostics is mixture.diagnostics_
    assert "random_state=11," in page
    assert "BayesianMixture" in page


# Whatever comes


@pytest.mark.parametrize("draws", [[[0]] * 3, [[0, 0, 0]] * 9, [[0, 1, 2]] * 9, [[0, 1], [0, 0]], [[0, 0, 1]]], ids=str)
def test_small_and_certain_posteriors_are_reported(draws):
    assert "</html>" in render(make_content(pt.PartitionPosterior(draws)))


def test_weighted_draws_have_no_chains():
    posterior = pt.PartitionPosterior([[0, 0, 1], [0, 1, 1]], weights=[0.3, 0.7])
    assert "there are no chains to compare" in render(make_content(posterior))


def test_categories_and_gaps_are_drawn_but_have_no_distances():
    data = pd.DataFrame({"a": [1.0, None, 2.0, 3.0], "b": list("xyxx")})
    content = make_content(pt.PartitionPosterior([[0, 0, 1, 1]] * 20 + [[0, 0, 0, 1]] * 9), data=data)
    assert content.stability is None
    assert "average stability of" in render(content)


def test_very_many_clusters_and_long_names_do_not_fill_the_page():
    names = [f"{'long ' * 60}{i}" for i in range(250)]
    posterior = pt.PartitionPosterior([range(250), [0, *range(249)]] * 4, items=names)
    page = render(make_content(posterior, estimate=range(250)))
    (trace,) = embedded(page, "places")["data"]
    assert len(trace["color"]) == 250
    assert max(map(len, trace["text"])) < 150
    assert embedded(page, "similarity")["between"] is None


def test_bare_labels_are_an_estimate():
    content = make_content(pt.PartitionPosterior([[0, 0, 1, 1]] * 20), estimate=[9, 9, 5, 5])
    assert content.labels.tolist() == [1, 1, 0, 0]
    assert content.summary.estimate.expected_loss == 0


def test_a_stability_of_other_items_is_refused(posterior):
    report = pt.assess_stability([[1.0, 5.0], [4.0, 1.0]], theta=2.0)
    with pytest.raises(ValueError, match="stability must be about the same 40 items: got 2"):
        make_content(posterior, stability=report)


@pytest.mark.slow
def test_two_thousand_items_stay_below_eight_megabytes(tmp_path):
    noisy, truth = pt.datasets.make_noisy_draws(n_items=2000, n_draws=200, n_clusters=12, random_state=0)
    names = [f"a rather long name for item {i}" for i in range(2000)]
    posterior = pt.PartitionPosterior(noisy.draws, items=names)
    X = np.random.default_rng(0).normal(size=(2000, 5))
    pt.write_report(posterior, tmp_path / "report.html", data=X, estimate=truth)
    assert (tmp_path / "report.html").stat().st_size < 8_000_000


def test_clusters_are_described_by_the_columns_of_the_data():
    rng, labels = np.random.default_rng(0), np.repeat([0, 1], 15)
    table = pd.DataFrame({"mass<b>": rng.normal(size=30) + 9 * labels, "noise": rng.normal(size=30)})
    page = render(make_content(np.array([labels] * 20), data=table))
    assert "What distinguishes them" in page
    assert "Cluster 0, 15 items: low mass&lt;b&gt; (" in page
    assert "What distinguishes them" not in render(make_content(np.array([labels] * 20)))


def test_other_readings_are_shown_where_one_partition_hides_them():
    one = np.repeat([0, 1, 2], 10)
    draws = np.array([one] * 60 + [np.minimum(one, 1)] * 40)
    names = [f"item <{i}>" for i in range(30)]
    page = render(make_content(pt.PartitionPosterior(draws, items=names)))
    assert "Two readings, 60 % and 40 %; they differ on 10 of 30 items." in page
    assert "<td>60\xa0%</td><td>3</td><td>10, 10, 10</td>" in page
    assert "between readings, ringed above: item &lt;20&gt;, item &lt;21&gt;" in page
    shown = embedded(page, "readings")
    assert [len(set(labels)) for labels in shown["labels"]] == [3, 2]
    assert shown["labels"][0] == pt.summarize(draws).estimate.labels.tolist()  # colors of the other charts
    assert "Other readings" not in render(make_content(np.array([one] * 60)))


def test_hostile_text_is_escaped_wherever_it_comes_from():
    bad = '</script><img src=x onerror="hacked()">'
    posterior = pt.PartitionPosterior([[0, 0, 1], [0, 1, 1]] * 5, items=[bad, "b", "c"])
    data = pd.DataFrame({bad: [1.0, 2.0, 3.0], "y": [3.0, 1.0, 2.0]})
    page = render(make_content(posterior, data=data, title=bad, command=bad))
    assert bad not in page
    assert "<img src=x" not in page
    assert "&lt;/script&gt;&lt;img src=x onerror=&#34;hacked()&#34;&gt;" in page  # the title
    assert embedded(page, "items")["rows"][0][0] in {bad, "b", "c"}


def test_templates_escape_unless_they_say_otherwise():
    raw = [line for path in TEMPLATES.glob("*.html") for line in path.read_text().splitlines() if "| raw" in line]
    assert [re.search(r"{{ (\w+) \| raw }}", line)[1] for line in raw] == ["style", "charts", "script"]
    assert all("| safe" not in path.read_text() for path in TEMPLATES.glob("*.html"))


# Files


def test_the_page_is_written_whole_or_not_at_all(posterior, tmp_path, monkeypatch):
    path = tmp_path / "a folder" / "report.html"
    with pytest.raises(FileNotFoundError, match="path must lie in a folder that exists"):
        pt.write_report(posterior, path)
    path.parent.mkdir()
    path.write_text("before")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    with pytest.raises(OSError, match="No space left"):
        pt.write_report(posterior, path)
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in path.parent.iterdir()] == ["report.html"]


@pytest.fixture
def folder(posterior, estimate, tmp_path):
    """As `partita cluster` leaves one."""
    posterior.save(tmp_path / "draws.npz")
    write_table(tmp_path / "labels.csv", estimate.to_pandas())
    return tmp_path


def test_a_folder_is_reported_as_its_draws_and_labels(folder, estimate):
    path = pt.report_folder(folder)
    assert path == folder / "report.html"
    page = path.read_text(encoding="utf-8")
    assert f"40 items form {estimate.n_clusters} clusters of" in page
    assert "not known" in page  # the seed
    assert "are drawn near each other" in page


def test_a_folder_may_know_more(folder, data, tmp_path):
    data.to_csv(folder / "data.csv")
    run = {"command": "partita cluster plants.csv --seed 4", "seed": 4, "title": "Plants", "level": 0.8,
           "settings": {"component": "product"}, "another": 1}  # fmt: skip
    (folder / "run.json").write_text(json.dumps(run))
    page = pt.report_folder(folder, tmp_path / "elsewhere.html").read_text(encoding="utf-8")
    assert "<title>Plants</title>" in page
    assert "partita cluster plants.csv --seed 4" in page
    assert "level 0.8" in page
    assert embedded(page, "places")["layout"]["xaxis"]["label"] == "length"


def test_labels_are_found_by_name(folder, estimate):
    pt.report_folder(folder)
    before = embedded((folder / "report.html").read_text(encoding="utf-8"), "items")
    write_table(folder / "labels.csv", estimate.to_pandas()[::-1])
    pt.report_folder(folder)
    assert embedded((folder / "report.html").read_text(encoding="utf-8"), "items") == before


def test_a_folder_with_less_is_reported_too(folder):
    (folder / "labels.csv").unlink()
    assert pt.report_folder(folder).is_file()


def test_what_is_wrong_with_a_folder_is_said(folder):
    with pytest.raises(FileNotFoundError, match="folder must be a folder"):
        pt.report_folder(folder / "nothing")
    (folder / "run.json").write_text("{")
    with pytest.raises(ValueError, match=r"run\.json must be JSON"):
        pt.report_folder(folder)
    (folder / "run.json").unlink()
    (folder / "labels.csv").write_text("item,cluster\na,0\n")
    with pytest.raises(
        ValueError, match=r"labels\.csv must have a cluster for each of the 40 items: got 1 rows, the first for 'a'"
    ):
        pt.report_folder(folder)
    (folder / "draws.npz").unlink()
    with pytest.raises(FileNotFoundError, match=r"folder must hold draws, such as draws\.npz: got labels\.csv"):
        pt.report_folder(folder)


def test_empty_columns_of_the_data_are_left_out_and_data_of_nothing_else_refused(tmp_path):
    draws, gap = [[0, 0, 1], [0, 1, 1]], [np.nan] * 3
    pt.write_report(draws, tmp_path / "report.html", data=pd.DataFrame({"a": [1.0, 2, 3], "b": gap, "c": [None] * 3}))
    assert (tmp_path / "report.html").exists()
    for data in (pd.DataFrame({"b": gap}), pd.DataFrame(index=range(3))):
        with pytest.raises(ValueError, match=r"must have .*column.*: got none"):
            pt.write_report(draws, tmp_path / "report.html", data=data)


def test_of_many_items_two_thirds_are_shown_evenly_and_the_doubtful_besides(posterior, estimate, monkeypatch):
    summary = pt.summarize(posterior, estimate)
    monkeypatch.setattr(of_reports, "MOST_POINTS", 40)
    assert of_reports.shown_items(summary).tolist() == list(range(40))
    monkeypatch.setattr(of_reports, "MOST_POINTS", 12)
    even = np.linspace(0, 39, 8).astype(int)
    doubtful = summary.certainty.item_numbers[: min(4, summary.certainty.n_doubtful)]
    assert of_reports.shown_items(summary).tolist() == sorted({*even.tolist(), *doubtful.tolist()})


def test_beyond_a_number_of_items_those_shown_are_placed_by_their_draws(posterior, estimate, monkeypatch):
    summary = pt.summarize(posterior, estimate)
    monkeypatch.setattr(of_reports, "MOST_POINTS", 12)
    monkeypatch.setattr(of_reports, "MOST_PLACED", 40)
    assert np.isfinite(of_reports._place_by_draws(summary).points).all()
    monkeypatch.setattr(of_reports, "MOST_PLACED", 39)
    points = of_reports._place_by_draws(summary).points
    assert points.shape == (40, 2)
    assert np.flatnonzero(np.isfinite(points).all(axis=1)).tolist() == of_reports.shown_items(summary).tolist()


def test_stability_is_assessed_unasked_of_few_distances(estimate, data, monkeypatch):
    n_distances = 40 * estimate.n_clusters
    monkeypatch.setattr(of_reports, "MOST_STABILITY", n_distances)
    assert of_reports._stability(data, estimate) is not None
    assert of_reports._stability(data.assign(width=np.nan), estimate) is None
    assert of_reports._stability(data.assign(width="wide"), estimate) is None
    assert of_reports._stability(None, estimate) is None
    monkeypatch.setattr(of_reports, "MOST_STABILITY", n_distances - 1)
    assert of_reports._stability(data, estimate) is None


def test_a_density_is_darkest_where_most_items_are():
    shown = _density(np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 0.0, 0.0, 2.0]))
    assert (shown["x"].tolist(), shown["y"].tolist()) == ([0, 1], [0, 2])
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(shown["href"].split(",")[1]))))
    assert pixels.shape == (90, 90, 4)
    assert (pixels[..., :3] == 128).all()
    assert pixels[89, 0, 3] == 150  # three items at the bottom left
    assert pixels[0, 89, 3] == 75  # one at the top right: log 2 is half of log 4
    assert (pixels[..., 3] > 0).sum() == 2


def test_items_of_one_cluster_share_a_look():
    assert _look(np.array([9]), True) == {"color": "#E69F00", "symbol": "square"}
    assert _look(np.array([0, 1]), False) == {"color": ["#0072B2", "#E69F00"], "symbol": ["circle", "circle"]}
    assert _look(np.array([], int), True) == {"color": [], "symbol": []}
