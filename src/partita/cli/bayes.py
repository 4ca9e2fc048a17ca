"""``partita bayes``: the clustering that misplaces fewest items, and how many it is expected to misplace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    Output,
    Quiet,
    Seed,
    answer,
    app,
    command_line,
    friendly_errors,
    note,
    split_names,
    write_run,
)

if TYPE_CHECKING:
    import pandas as pd

    from ..pointprocess import BayesClusterer


@app.command()
def bayes(
    data: Data,
    k: Annotated[int, typer.Option(help="Number of clusters.")] = 2,
    sizes: Annotated[
        str | None, typer.Option(help="Sizes of the clusters, if they are known, separated by commas.")
    ] = None,
    search: Annotated[
        str, typer.Option(help="exact, pmax, pseed, pseed-fast, pseed-faster, posterior; auto goes by how many items.")
    ] = "auto",
    output: Output = Path("out"),
    index: Index = None,
    columns: Columns = None,
    drop: Drop = None,
    decimal: Decimal = None,
    header: Header = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: Json = False,
    _: Quiet = False,
) -> None:
    """Find the clustering into K Gaussian clusters that misplaces fewest items, and say how many it will misplace.

    Columns of numbers are used, their gaps filled. Writes labels.csv, errors.csv (the expected share of misplaced
    items, beside that of k-means) and run.json, and draws.npz where labels are drawn: among more items than can be
    enumerated.

    Example: partita bayes data.csv --k 2 -o out/

    Example: partita bayes data.csv --k 2 --sizes 12,8 --search exact --columns length,width
    """
    with friendly_errors():
        from .._files import write_table
        from ..pointprocess import BayesClusterer, GaussianPointProcess
        from ..tables import encode_numbers, read_data

        table, notes = read_data(data, index, split_names(columns), drop=drop or (), decimal=decimal, header=header)
        numbers, more = encode_numbers(table, categories=False)
        for line in [*notes, *more]:
            note(line)
        process = GaussianPointProcess.from_data(numbers, k, _read_sizes(sizes))
        fit = BayesClusterer(process, search, n_jobs=jobs, random_state=seed).fit(numbers)
        labels, errors = _tables(fit, numbers, k, seed)
        output.mkdir(parents=True, exist_ok=True)
        write_table(output / "labels.csv", labels)
        write_table(output / "errors.csv", errors)
        written = ["labels.csv", "errors.csv"]
        mixed = None
        if fit.search_ == "posterior":
            fit.posterior_.save(output / "draws.npz")
            written.append("draws.npz")
            mixed = fit.diagnostics_.mixed
            if not mixed:
                note(fit.diagnostics_.verdict)
        else:
            (output / "draws.npz").unlink(missing_ok=True)  # of other data
        write_run(output, {"command": command_line(), "k": k, "seed": seed, "search": fit.search_}, written)
        words = _words(fit, labels, errors)
        facts = {
            "n_items": len(labels),
            "sizes": labels.value_counts().sort_index().tolist(),
            "expected_error": fit.error_,
            "error_bounds": list(fit.error_bounds_),
            "error_std": fit.error_std_ if fit.search_ == "posterior" else None,
            "kmeans_error": float(errors["expected_error"].iloc[1]),
            "certified": fit.certified_,
            "search": fit.search_,
            "mixed": mixed,
            "words": words,
            "files": [*written, "run.json"],
            "folder": str(output),
        }
        answer(facts, f"{words}\nWritten to {output}: {', '.join(sorted([*written, 'run.json']))}", as_json)


def _read_sizes(text: str | None) -> list[int] | None:
    names = split_names(text)
    if names is None:
        return None
    if not all(name.isdecimal() for name in names):
        raise ValueError(f"sizes must be whole numbers separated by commas: got {text!r}.")
    return [int(name) for name in names]


def _tables(fit: BayesClusterer, numbers: pd.DataFrame, k: int, seed: int) -> tuple[pd.Series, pd.DataFrame]:
    """The labels by item, and the errors of the clusterer and of k-means."""
    import pandas as pd
    from sklearn.cluster import KMeans

    from ..decide.result import sort_by_size

    rival = KMeans(k, n_init=10, random_state=seed).fit_predict(numbers)
    rows = [fit.partition_error(labels) for labels in (fit.labels_, rival)]
    names = pd.Index(["bayes", "k-means"], name="clusterer")
    errors = pd.DataFrame(rows, index=names, columns=["expected_error", "lower", "upper"])
    return pd.Series(sort_by_size(fit.labels_), index=numbers.index.rename("item"), name="cluster"), errors


def _words(fit: BayesClusterer, labels: pd.Series, errors: pd.DataFrame) -> str:
    from ..decide.words import plural

    sizes = labels.value_counts().sort_index().tolist()
    own, rival = 100 * errors["expected_error"]
    doubt = f" (standard error {100 * fit.error_std_:.1g} %)" if fit.search_ == "posterior" else ""
    proof = " No partition into so many clusters misplaces fewer." if fit.certified_ else ""
    clusters = f"{plural(len(labels), 'item')} in {plural(len(sizes), 'cluster')} of {', '.join(map(str, sizes))}."
    misplaced = f"An expected {own:.1f} % of the items are misplaced{doubt}, of k-means {rival:.1f} %"
    return f"{clusters} {misplaced} (search: {fit.search_}).{proof}"
