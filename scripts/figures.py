"""The figures of the README: `python scripts/figures.py` draws them anew into docs/figures (needs chromium)."""

import shutil
import tempfile
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image
from playwright.sync_api import sync_playwright

import partita as pt

FOLDER = Path(__file__).parents[1] / "docs" / "figures"
FOLDER.mkdir(exist_ok=True)

table, _ = pt.datasets.load_penguins()
mixture = pt.BayesianMixture(random_state=1).fit(table)

figure = Figure(figsize=(13, 4.2), layout="constrained")
left, middle, right = figure.subplots(1, 3)
pt.plot.plot_certainty(mixture, table[["bill_length_mm", "flipper_length_mm"]], ax=left)
pt.plot.plot_similarity(mixture, ax=middle)
pt.plot.plot_n_clusters(mixture, ax=right)
figure.savefig(FOLDER / "posterior.png", dpi=100)

with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
    folder = Path(scratch)
    pt.write_report(mixture, folder / "report.html", data=table, title="344 penguins")
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 640, "height": 700})
    page.goto((folder / "report.html").as_uri())
    page.wait_for_timeout(1500)
    page.screenshot(path=folder / "top.png")
    page.locator("#ball").scroll_into_view_if_needed()
    page.wait_for_timeout(1500)
    page.locator("#ball input[type=range]").fill("5")
    page.wait_for_timeout(500)
    page.locator("#ball").screenshot(path=folder / "ball.png")
    browser.close()
    parts = [Image.open(folder / name) for name in ("top.png", "ball.png")]
    both = Image.new("RGB", (sum(part.width for part in parts), 760), "white")
    both.paste(parts[0], (0, 0))
    both.paste(parts[1], (parts[0].width, 40))
    both.save(FOLDER / "report.png", optimize=True)
