"""The page of the command line, written from the code at every build."""

import re
from pathlib import Path

import typer
from sphinx.application import Sphinx
from typer.cli import get_docs_for_click

from partita.cli import app as cli

HEAD = """# Command line

This page is made from the code. `partita COMMAND --help` says the same in a terminal.
"""


def command_reference() -> str:
    """Every command, argument and option, in Markdown."""
    command = typer.main.get_command(cli)
    text = get_docs_for_click(obj=command, ctx=typer.Context(command, info_name="partita"), name="partita")
    for name, sub in command.commands.items():  # what the list cuts short
        text = re.sub(rf"^\* `{name}`: .*$", f"* `{name}`: {sub.help.splitlines()[0]}", text, flags=re.MULTILINE)
    text = re.sub(r"^(?:Example|Start with): (.*)$", r"```console\n$ \1\n```", text, flags=re.MULTILINE)
    return HEAD + text.partition("\n")[2]


def write(app: Sphinx) -> None:
    """Write the page where Sphinx reads it, if it would change."""
    page, text = Path(app.srcdir) / "commands.md", command_reference()
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the page before Sphinx looks for pages."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
