"""``partita cluster``: from a table to a posterior over partitions, its summary and its report."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .app import (
    Columns,
    Data,
    Decimal,
    Drop,
    Header,
    Index,
    Jobs,
    Json,
    Level,
    Output,
    Quiet,
    Seed,
    Standardize,
    app,
    command_line,
    friendly_errors,
    note,
    print_summary,
    split_names,
    write_run,
    write_tables,
)
from .blocks import dask_client, read_by_blocks

if TYPE_CHECKING:
    import pandas as pd

    from ..components import Component
    from ..constraints import Constraints
    from ..decide import PosteriorSummary
    from ..priors import PartitionPrior


MOST_KEPT = 20_000_000  # bytes of data that are copied beside the results
SHORT = {"gaussian": "gaussian-diagonal"}  # of one column every covariance is the same
ALIKE = 0.3  # share of variance from which rows of labels are taken for draws of one posterior
PLURAL = {"number": "numbers", "category": "categories", "count": "counts"}

Concentration = Annotated[
    float | None, typer.Option(help="Concentration of the prior; if left out 1 for mfm, else drawn from Gamma(1, 1).")
]


@app.command()
def cluster(
    data: Data,
    output: Output = Path("out"),
    index: Index = None,
    columns: Columns = None,
    column: Annotated[
        list[str] | None,
        typer.Option(help="NAME=COMPONENT: what a column is, such as mass=gaussian; may be given several times."),
    ] = None,
    drop: Drop = None,
    decimal: Decimal = None,
    header: Header = None,
    standardize: Standardize = False,
    component: Annotated[
        str, typer.Option(help="auto (columns of any kind), student, gaussian-diagonal, product, poisson ...")
    ] = "auto",
    prior: Annotated[str, typer.Option(help="mfm, dirichlet-process, pitman-yor or finite.")] = "mfm",
    concentration: Concentration = None,
    discount: Annotated[float, typer.Option(help="Discount of a Pitman-Yor process.")] = 0.25,
    max_components: Annotated[int, typer.Option(help="Components of a finite mixture (prior finite).")] = 10,
    k: Annotated[
        int | None, typer.Option(help="Exactly this many clusters, without a model: generalized Bayes for k-means.")
    ] = None,
    must_link: Annotated[Path | None, typer.Option(help="csv of pairs of items that share a cluster.")] = None,
    cannot_link: Annotated[Path | None, typer.Option(help="csv of pairs of items that do not.")] = None,
    sampler: Annotated[
        str, typer.Option(help="auto, collapsed (item by item) or blocked (all labels at once, for many items).")
    ] = "auto",
    engine: Annotated[
        str, typer.Option(help="Where the blocked sampler draws labels: threads, torch, or dask (parquet by blocks).")
    ] = "threads",
    loss: Annotated[
        str | None, typer.Option(help="vi, binder, misclassification ...; with --k least cost (map) if left out.")
    ] = None,
    level: Level = 0.95,
    chains: Annotated[int, typer.Option(help="Markov chains.")] = 4,
    draws: Annotated[int, typer.Option(help="Draws of each chain.")] = 1000,
    warmup: Annotated[
        str,
        typer.Option(
            help="Draws of each chain left out at its start; auto: until chains agree, at most 2400, and draws that "
            "resemble each other too much are thinned."
        ),
    ] = "auto",
    seed: Seed = 0,
    jobs: Jobs = -1,
    resume: Annotated[bool, typer.Option("--resume", help="Continue a run that was interrupted.")] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Continue from a damaged checkpoint with the draws before the damage.")
    ] = False,
    as_json: Json = False,
    _: Quiet = False,
) -> None:
    """Cluster a table with a Bayesian mixture whose number of clusters is unknown.

    Columns may hold numbers, counts, categories and missing entries. Writes labels, certainty, bounds, diagnostics,
    draws and report.html. Interrupt it at any time, and continue with --resume.

    Example: partita cluster data.csv -o out/ --index name --seed 1

    Example: partita cluster data.csv --column mass=gaussian --column sort=categorical --drop island

    Example: partita cluster data.csv --must-link same.csv --cannot-link different.csv

    Example: partita cluster data.csv --k 4 --columns length,width --standardize

    Example: partita cluster big.parquet --engine dask
    """
    kept = output / "checkpoint.partita"
    typed = command_line("--resume", "--repair")
    resumable = f"Interrupted. The draws so far are in {kept}; continue with:\n  {typed} --resume"
    with friendly_errors(resumable):
        from .. import decide
        from .._validation import check_level
        from ..clusterers import BayesianMixture, GeneralizedBayesClustering

        check_level(level)
        declared = parse_columns(column or [])
        if declared and k is not None:
            raise ValueError(
                f"column must be left out with --k, which has no components: got {next(iter(declared))!r}."
            )
        whole = {"index": index, "standardize": standardize}
        used = {"columns": split_names(columns), "drop": drop or (), "keep": list(declared)}
        without = whole | {"k": k, "must_link": must_link, "cannot_link": cannot_link}
        read = read_by_blocks(data, engine, without, used, chains, draws)
        if read is None:
            text = [name for name, kind in declared.items() if kind == "categorical"]
            read = _read_whole(data, text=text, decimal=decimal, header=header, **whole, **used)
        table, judged, notes = read
        notes += [f"Column {name!r} is left out, as asked." for name in drop or ()]
        notes += say_if_draws(judged)
        known = _read_constraints(must_link, cannot_link, table)
        run: dict[str, Any] = {
            "n_chains": chains,
            "n_draws": draws,
            "n_warmup": _read_warmup(warmup, k),
            "random_state": seed,
            "n_jobs": jobs,
            "checkpoint": kept,
            "resume": "repair" if repair else resume,
        }
        model: Any
        kinds: dict[str, str] = {}
        if k is None:
            chosen = make_component(component, declared, judged)
            kinds = describe_columns(chosen, judged)
            on_partitions = _make_prior(prior, concentration, discount, max_components)
            model = BayesianMixture(chosen, on_partitions, sampler=sampler, engine=engine, loss=loss or "vi", **run)
        else:
            model = GeneralizedBayesClustering(k, loss=loss or "map", **run)
        is_new = not output.exists()
        output.mkdir(parents=True, exist_ok=True)
        notes = say_columns(kinds) + notes
        for line in notes:
            note(line)
        try:
            with dask_client(jobs) if engine == "dask" else nullcontext():
                model.fit(table, constraints=known)
        except (ValueError, TypeError):
            if is_new and not any(output.iterdir()):
                output.rmdir()
            raise
        summary = decide.summarize(model, model.estimate_, level=level)
        _write(summary, table, output, {"seed": seed, "notes": notes, "columns": kinds})
        kept.unlink()
        print_summary(summary, output, as_json)


def _read_whole(path: Path, **options: Any) -> tuple[Any, pd.DataFrame, list[str]]:
    """A table in memory, twice, for all of its rows say what its columns are; and notes."""
    from ..tables import read_data

    table, notes = read_data(path, **options)
    return table, table, notes


def _read_warmup(given: str, k: int | None) -> int | str:
    """A number of draws, or ``auto``, which without a model is a thousand."""
    if given == "auto":
        return "auto" if k is None else 1000
    if not given.isdecimal():
        raise ValueError(f"warmup must be auto or a whole number: got {given!r}.")
    return int(given)


def _make_prior(name: str, concentration: float | None, discount: float, max_components: int) -> PartitionPrior:
    from .._validation import check_choice
    from ..priors import DirichletProcess, FiniteDirichlet, Gamma, MixtureOfFiniteMixtures, PitmanYor

    check_choice("prior", name, ("mfm", "dirichlet-process", "pitman-yor", "finite"))
    if name == "mfm":
        return MixtureOfFiniteMixtures() if concentration is None else MixtureOfFiniteMixtures(concentration)
    given = Gamma(1, 1) if concentration is None else concentration
    if name == "pitman-yor":
        return PitmanYor(given, discount)
    return FiniteDirichlet(max_components, given) if name == "finite" else DirichletProcess(given)


def _read_constraints(must_link: Path | None, cannot_link: Path | None, table: pd.DataFrame) -> Constraints | None:
    """Pairs of names where items have names, otherwise of row numbers from 0."""
    if must_link is None and cannot_link is None:
        return None
    from .._validation import item_names
    from ..constraints import Constraints

    names = item_names(table)
    return Constraints(
        () if must_link is None else must_link,
        () if cannot_link is None else cannot_link,
        len(table) if names is None else None,
        items=names,
    )


def _write(summary: PosteriorSummary, table: Any, output: Path, known: dict[str, Any]) -> None:
    """Draws, tables, how it was computed, and the report last, for it takes longest."""
    from .._files import write_table
    from ..report import write_report

    written = ["draws.npz", "labels.csv"]
    summary.posterior.save(output / "draws.npz")
    write_tables(summary, output)
    if hasattr(table, "memory_usage") and table.memory_usage(index=True, deep=True).sum() < MOST_KEPT:
        write_table(output / "data.csv", table)
        written.append("data.csv")
    command, level = command_line("--resume", "--repair"), summary.ball.level
    write_run(output, {"command": command, "level": level, **known}, written)
    write_report(summary, output / "report.html", data=table, command=command, notes=known["notes"])


def say_if_draws(table: pd.DataFrame) -> list[str]:
    """A sentence where a table looks like draws of partitions, or like clusterings side by side, and not like data."""
    import numpy as np

    from ..posterior.draws import row_agreement

    values = table.to_numpy()[:2000, :2000]
    if values.dtype.kind not in "iuf" or min(values.shape) < 5 or not (values == np.floor(values)).all():
        return []
    for rows, more in ((values, ""), (values.T, " --by columns")):
        labeled = all(np.unique(row).size == row.max() - row.min() + 1 and row.min() in (-1, 0, 1) for row in rows)
        if labeled and rows.shape[1] >= 20 and row_agreement(rows) > ALIKE:
            return [f"This looks like clusterings, not like data: did you mean partita summarize{more}?"]
    return []


def parse_columns(declared: Sequence[str]) -> dict[str, str]:
    """Names of components by column, from ``NAME=COMPONENT``."""
    pairs = {}
    for text in declared:
        name, is_declared, kind = text.rpartition("=")
        if not is_declared or not name or not kind:
            raise ValueError(f"column must be NAME=COMPONENT, such as mass=gaussian: got {text!r}.")
        pairs[name] = kind
    return pairs


def make_component(component: str, declared: dict[str, str], table: pd.DataFrame) -> Component:
    """The component by its name, or a product where columns are declared."""
    from .._validation import check_choice
    from ..components import COMPONENTS, Auto, Product, check_component

    if not declared:
        return check_component(component)
    for name in declared:
        if name not in table:
            there = ", ".join(map(str, table.columns))
            raise ValueError(f"column must be among those in use, {there}: got {name!r}.")
    names = [*SHORT, *(name for name in COMPONENTS if name not in ("auto", "product"))]
    chosen = {name: check_choice(f"column {name}", kind, names) for name, kind in declared.items()}
    columns = {name: COMPONENTS[SHORT.get(kind, kind)] for name, kind in chosen.items()}
    return Auto(columns) if component == "auto" else Product(columns)


def describe_columns(component: Component, table: pd.DataFrame) -> dict[str, str]:
    """What each column is taken for, or why it is left out, by name."""
    columns = component.describe(table) if hasattr(component, "describe") else ()
    found = {str(column.name): _in_words(column) for column in columns}
    if not columns or "declared" in found.values():
        kinds = {j: block.kind for block in component.encode(table).blocks for j in block.columns}
        encoded = {str(name): kinds.get(j, "left out") for j, name in enumerate(table.columns)}
        found = encoded | {name: kind for name, kind in found.items() if kind != "declared"}
    return found


def _in_words(column: Any) -> str:
    return f"{column.kind}: {column.reason}" if column.kind == "left out" and column.reason else str(column.kind)


def say_columns(kinds: dict[str, str]) -> list[str]:
    """A sentence for each kind, with the names of its columns, and one for each column left out."""
    by_kind: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        by_kind.setdefault(kind, []).append(name)
    taken = [
        f"Taken for {PLURAL.get(kind, kind)}: {', '.join(names)}."
        for kind, names in by_kind.items()
        if not kind.startswith("left out")
    ]
    return taken + [f"Column {name!r} is {kind}." for name, kind in kinds.items() if kind.startswith("left out")]
