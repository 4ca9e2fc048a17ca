"""A page for each script in examples/: what it is about, its code, what it prints and the figures it writes."""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sphinx.application import Sphinx

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = """# Examples

Runnable scripts, one idea each: `python examples/01_first_posterior.py`. What they print and draw here is from the
build of these pages.
"""


def page(script: Path, folder: Path, run: bool) -> str:
    """The page of one script; its figures go into ``folder``."""
    code = f"```{{literalinclude}} ../../examples/{script.name}\n:language: python\n:lines: 3-\n```"
    printed, figures = results(script, folder) if run else ("", [])
    shown = " ".join(f'![{figure}]({script.stem}-{figure}){{width="49%"}}' for figure in figures)
    output = f"It prints:\n\n```text\n{printed}\n```" if printed else ""
    return "\n\n".join([f"# {title(script)}", about(script), shown, code, output])


def title(script: Path) -> str:
    """03_figures.py is about Figures."""
    return script.stem[3:].replace("_", " ").capitalize()


def about(script: Path) -> str:
    """What the script says of itself."""
    return (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or "").strip()


def results(script: Path, folder: Path) -> tuple[str, list[str]]:
    """What the script prints, and its figures, in the order in which they were drawn."""
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "NO_COLOR": "1"}
        command = [sys.executable, str(script)]
        done = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{script.name} failed:\n{done.stderr}")
        drawn = sorted(Path(scratch).rglob("*.png"), key=lambda path: path.stat().st_mtime_ns)
        for figure in drawn:
            shutil.copy(figure, folder / f"{script.stem}-{figure.name}")
    return done.stdout.strip(), [figure.name for figure in drawn]


def write(app: Sphinx) -> None:
    """Make the pages anew."""
    folder = Path(app.srcdir) / "examples"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    scripts = sorted(EXAMPLES.glob("[0-9]*.py"))
    for script in scripts:
        (folder / f"{script.stem}.md").write_text(page(script, folder, app.config.run_examples), encoding="utf-8")
    entries = "\n".join(f"- [{title(script)}]({script.stem}.md): {about(script)}" for script in scripts)
    names = "\n".join(script.stem for script in scripts)
    index = f"{HEAD}\n{entries}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    (folder / "index.md").write_text(index, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the pages before Sphinx looks for pages; ``-D run_examples=0`` shows the code alone."""
    app.add_config_value("run_examples", True, "env", bool)
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
