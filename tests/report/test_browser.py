"""The report in a real browser, as a reader meets it."""

import os
import shutil
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import partita as pt

if os.environ.get("CI") == "true":
    from playwright import sync_api
else:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: the report was not tried in a browser")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]  # as containers need it

HOSTILE = [
    '<img src=x onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script>",
    '=HYPERLINK("http://example.com","click")',
    "<a href='javascript:window.hacked=1'>x</a>",
    "{{ 7 * 7 }}",
    "line\u2028separator",
]


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Of 130 items in two chains, some with names that would like to be markup, on two columns likewise."""
    noisy, _ = pt.datasets.make_noisy_draws(n_items=130, n_draws=400, n_clusters=4, random_state=1)
    draws, rng = noisy.draws.astype(int), np.random.default_rng(0)
    for m in np.flatnonzero(rng.random(400) < 0.2):
        draws[m, draws[m] == 3] = 2
    for m in np.flatnonzero(rng.random(400) < 0.2):
        draws[m, :20] += 4 * (draws[m, :20] == 0)
    names = [*HOSTILE, *(f"item {i}" for i in range(130 - len(HOSTILE)))]
    posterior = pt.PartitionPosterior(draws, chains=np.repeat([0, 1], 200), items=names)
    path = tmp_path_factory.mktemp("report") / "a report.html"
    data = pd.DataFrame(rng.normal(size=(130, 2)), columns=[HOSTILE[0], HOSTILE[1]])
    pt.write_report(posterior, path, data=data, title=HOSTILE[1], command=f"partita cluster '{HOSTILE[0]}.csv'")
    return path


@pytest.fixture(scope="module")
def open_page(browser, report):
    """Opens the report, watched: errors and requests are collected."""

    def open_(**options):
        usual = {"viewport": {"width": 1100, "height": 900}, "reduced_motion": "reduce"}
        page = browser.new_page(**(usual | options))
        page.troubles, page.requests = [], []
        page.on("console", lambda message: message.type in {"error", "warning"} and page.troubles.append(message.text))
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(report.as_uri())
        page.wait_for_selector("#ball-chart .point")
        return page

    return open_


@pytest.fixture(scope="module")
def opened(open_page):
    return open_page(color_scheme="light")


@pytest.fixture
def page(opened):
    """The report as it was opened, whatever was done to it before."""
    opened.fill("#search", "")
    opened.check("input[name=way][value='0']")
    opened.locator("#step").fill("0")
    return opened


def column(page, number):
    return page.eval_on_selector_all(f"#table tbody td:nth-child({number})", "cells => cells.map(c => c.textContent)")


def test_nothing_goes_wrong_and_nothing_is_fetched(page, report):
    assert page.troubles == []
    assert [url for url in page.requests if not url.startswith(("data:", "blob:"))] == [report.as_uri()]


def test_a_script_that_is_not_ours_would_not_run(open_page):
    page = open_page()
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=data:, onerror=\"window.hacked=1\">')")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.hacked=1'}))")
    page.wait_for_timeout(100)
    assert page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in trouble for trouble in page.troubles)


def test_the_answer_comes_first(page):
    assert page.text_content(".answer").startswith("130 items form 4 clusters of ")
    top = page.locator(".answer").bounding_box()
    assert top["y"] + top["height"] < 450


def test_the_table_sorts_both_ways(page):
    margins = [float(value) for value in column(page, 6)]
    assert len(margins) == 100  # and a button for the others
    assert margins == sorted(margins)  # the most doubtful first
    page.click("#table th:nth-child(3) button")
    page.click("#table th:nth-child(3) button")
    certainties = [float(value) for value in column(page, 3)]
    assert certainties == sorted(certainties, reverse=True)
    assert page.get_attribute("#table th:nth-child(3)", "aria-sort") == "descending"
    page.click("#table th:nth-child(1) button")
    numbered = [name for name in column(page, 1) if name.startswith("item ")]
    assert numbered == sorted(numbered, key=lambda name: int(name.split()[1]))


def test_the_table_finds_and_shows_all(page):
    if page.locator("#more").is_visible():
        page.click("#more")
    assert len(column(page, 1)) == 130
    page.fill("#search", "item 12")
    assert sorted(column(page, 1)) == ["item 12", "item 120", "item 121", "item 122", "item 123"]
    assert page.text_content("#found") == "5 of 130 items"
    page.fill("#search", "cluster 2")
    assert set(column(page, 2)) == {"2"}
    page.fill("#search", "no such item")
    assert column(page, 1) == []


def marker_colors(page):
    return page.eval_on_selector_all("#ball-chart .point", "points => points.map(p => p.getAttribute('fill'))")


def test_the_slider_goes_from_the_estimate_to_the_edge(page):
    slider, center = page.locator("#step"), marker_colors(page)
    assert page.text_content("#where") == "The estimate: 4 clusters."
    last = int(slider.get_attribute("max"))
    assert last >= 3
    slider.focus()
    distances = []
    for _ in range(last):
        page.keyboard.press("ArrowRight")
        distances.append(float(page.text_content("#where").split(", ")[1].split(" bits")[0]))
    assert distances == sorted(distances)
    assert marker_colors(page) != center
    edge = marker_colors(page)
    page.check("input[name=way][value='1']")
    assert marker_colors(page) != edge
    slider.fill("0")
    assert marker_colors(page) == center


def test_readings_are_looked_at_one_at_a_time(page):
    choices = page.locator("input[name=reading]")
    assert choices.count() >= 2
    said, colors = [], []
    for number in range(choices.count()):
        page.check(f"input[name=reading][value='{number}']")
        said.append(page.text_content("#reading"))
        colors.append(
            page.eval_on_selector_all("#readings-chart .point", "all => all.map(p => p.getAttribute('fill'))")
        )
    assert len(set(said)) == len(said)
    assert all(words.startswith("With probability ") for words in said)
    assert all(len(shown) == 130 for shown in colors)
    assert colors[0] != colors[1]
    ringed = page.eval_on_selector_all("#readings-chart .point", "all => all.map(p => p.getAttribute('stroke'))")
    moved = sum(one != other for one, other in zip(colors[0], colors[-1], strict=True))
    assert sum(stroke != "none" for stroke in ringed) == moved
    page.check("input[name=reading][value='0']")


def drawn_points(page):
    fills = "points => points.map(p => getComputedStyle(p).fill)"
    return page.eval_on_selector_all("#ball-chart .point", fills)


def test_the_slider_changes_the_picture(page):
    before = drawn_points(page)
    page.locator("#step").fill(page.get_attribute("#step", "max"))
    page.wait_for_timeout(200)
    after = drawn_points(page)
    assert len(before) == len(after) == 130
    assert before != after


def test_light_and_dark_follow_the_reader(page):
    tick, paper = page.locator("#counts .xtick text").first, page.locator("body")
    sync_api.expect(tick).to_have_css("fill", "rgb(29, 36, 48)")
    sync_api.expect(paper).to_have_css("background-color", "rgb(255, 255, 255)")
    page.emulate_media(color_scheme="dark")
    sync_api.expect(tick).to_have_css("fill", "rgb(231, 235, 240)")
    sync_api.expect(paper).to_have_css("background-color", "rgb(20, 23, 28)")
    page.emulate_media(color_scheme="light")
    assert page.troubles == []


def test_a_phone_scrolls_one_way_only(open_page):
    page = open_page(viewport={"width": 390, "height": 800}, is_mobile=True, has_touch=True)
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert all(chart.bounding_box()["width"] <= width for chart in page.locator(".chart").all())
    assert page.troubles == []


def test_on_a_phone_the_contents_stay_in_reach(open_page):
    page = open_page(viewport={"width": 390, "height": 800}, is_mobile=True, has_touch=True)
    contents = page.locator("nav")
    assert contents.bounding_box()["height"] < 64  # one line
    page.locator("nav a", has_text="Who is with whom").evaluate("link => link.click()")
    page.wait_for_timeout(300)
    assert abs(contents.bounding_box()["y"]) < 1
    heading = page.locator("#similarity h2").bounding_box()
    assert contents.bounding_box()["height"] <= heading["y"] < 200
    current = page.locator("nav a[aria-current]")
    assert current.text_content() == "Who is with whom"
    place = current.bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 390


def test_a_block_of_the_map_is_read_out(page):
    page.locator("#similarity-frame").scroll_into_view_if_needed()
    page.locator("#similarity-frame").hover(position={"x": 5, "y": 5})
    assert page.text_content("#pair").startswith("Two items of cluster ")
    assert page.locator("#similarity-frame b").count() == 4


def test_hostile_names_are_shown_and_do_nothing(page):
    page.fill("#search", "")
    if page.locator("#more").is_visible():
        page.click("#more")
    assert set(HOSTILE) <= set(column(page, 1))
    assert page.title() == HOSTILE[1]
    assert HOSTILE[0] in page.text_content("#method pre")
    _point_at_every_item(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 1  # the map
    assert page.locator("a[href^='javascript']").count() == 0
    assert page.troubles == []


def _point_at_every_item(page):
    """Have the chart say what it knows of each hostile item."""
    texts = page.evaluate("JSON.parse(document.getElementById('data-places').textContent).data.map(t => t.text)")
    places = [text for trace in texts for text in trace]
    odd = [i for i, text in enumerate(places) if not text.startswith("item ")]
    assert len(odd) == len(HOSTILE)
    said = set()
    for i in odd:
        page.locator("#chart-places .point").nth(i).hover(force=True)
        sync_api.expect(page.locator("#chart-places .tip")).to_contain_text("cluster")
        said.add(page.text_content("#chart-places .tip b"))
    assert {places[i].split("\n")[0] for i in odd} & said  # others may lie on top of one


def test_a_cluster_can_be_hidden_and_shown(page):
    key, points = page.locator("#chart-places .legend button").first, page.locator("#chart-places .point")
    everyone = points.count()
    key.click()
    assert key.get_attribute("aria-pressed") == "false"
    assert points.count() < everyone
    key.press("Enter")  # by keyboard, too
    assert points.count() == everyone


def test_a_rectangle_is_looked_at_closer(page):
    plot, back = page.locator("#chart-places .chart"), page.locator("#chart-places .tools button").first
    plot.scroll_into_view_if_needed()
    assert back.is_hidden()
    before = page.locator("#chart-places .xtick text").all_text_contents()
    area = plot.bounding_box()
    page.mouse.move(area["x"] + 200, area["y"] + 100)
    page.mouse.down()
    page.mouse.move(area["x"] + 300, area["y"] + 200)
    page.mouse.up()
    assert page.locator("#chart-places .xtick text").all_text_contents() != before
    back.click()
    assert page.locator("#chart-places .xtick text").all_text_contents() == before


def test_charts_and_the_table_become_files(page, tmp_path):
    saved = {}
    for name in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.locator("#chart-places .tools button", has_text=name).click()
        saved[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[name])
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(tmp_path / "items.csv")
    drawing = ElementTree.parse(saved["SVG"]).getroot()
    assert sum(node.get("class") == "point" for node in drawing.iter()) == 130
    assert "var(" not in saved["SVG"].read_text()
    assert saved["PNG"].read_bytes().startswith(b"\x89PNG")
    table = pd.read_csv(tmp_path / "items.csv", keep_default_na=False)
    assert set(HOSTILE) <= set(table["item"])
    assert len(table) == 130
    assert page.troubles == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_readers_of_the_screen_find_no_obstacle(open_page, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page(color_scheme=scheme)
    assert [found["id"] for found in axe.run(page).response["violations"]] == []
    page.evaluate("document.querySelector('.chart').removeAttribute('aria-label')")
    assert "role-img-alt" in [found["id"] for found in axe.run(page).response["violations"]]  # what it would have found
