"""``report_folder``: the report of a folder of results."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .._files import check_path, file_digest, read_whole
from .._typing import IntArray
from ..posterior import PartitionPosterior
from .content import make_content
from .write import write_content

if TYPE_CHECKING:
    import pandas as pd

DRAWS = ("draws.npz", "draws.parquet", "draws.csv", "draws.nc", "draws.npy")
DATA = ("data.parquet", "data.csv")
KNOWN = ("title", "command", "level", "metric", "notes")  # what run.json may say of the report itself


def report_folder(
    folder: str | os.PathLike[str], path: str | os.PathLike[str] | None = None, *, data: Any = None
) -> Path:
    """Write the report of a folder of results, as ``partita cluster`` leaves one.

    Parameters
    ----------
    folder : path
        Holds draws (``draws.npz``) and, where they were kept, the labels (``labels.csv``), the data (``data.csv`` or
        ``data.parquet``, items in the same order) and how it was computed (``run.json``: ``command``, ``seed``,
        ``level``, ``metric``, ``title``, ``notes``, ``settings``; ``files``: what belongs to it, by digest). What is
        missing is computed again or left out; a file of another run is refused.
    path : path, optional
        Where to write: ``report.html`` in the folder when left out.
    data : array-like or DataFrame, optional
        The data, where the folder does not hold them.

    Returns
    -------
    path : Path
        The page.

    See Also
    --------
    write_report : from a result in memory.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import partita as pt
    >>> posterior, truth = pt.datasets.make_noisy_draws(n_items=30)
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> posterior.save(folder / "draws.npz")
    >>> pt.report_folder(folder).name
    'report.html'
    """
    folder = check_path("folder", folder)
    posterior, labels, run = read_results(folder, DATA if data is None else ())
    content = make_content(
        posterior,
        data=_read_data(folder) if data is None else data,
        estimate=labels,
        **{name: run[name] for name in KNOWN if name in run},
    )
    settings = run.get("settings", {})
    summary = replace(content.summary, settings=settings if isinstance(settings, dict) else {})
    content = replace(content, summary=summary, seed=run.get("seed"))
    written = folder / "report.html" if path is None else check_path("path", path)
    write_content(content, written)
    return written


class Results(NamedTuple):
    """What a folder holds: the draws, the estimate's labels where they were kept, and how it was computed."""

    posterior: PartitionPosterior
    labels: IntArray | None
    run: dict[str, Any]


def read_results(folder: Path, others: Sequence[str] = ()) -> Results:
    """Draws, labels and run of a folder; these and the other files named must belong to one run."""
    draws = _find_draws(folder)
    run = _read_run(folder / "run.json")
    _check_belongs(folder, run, [draws.name, "labels.csv", *others])
    posterior = PartitionPosterior.from_any(draws)
    return Results(posterior, _read_labels(folder / "labels.csv", posterior), run)


def _find_draws(folder: Path) -> Path:
    if not folder.is_dir():
        raise FileNotFoundError(f"folder must be a folder: got {str(folder)!r}.")
    found = next((folder / name for name in DRAWS if (folder / name).is_file()), None)
    if found is None:
        there = ", ".join(sorted(entry.name for entry in folder.iterdir())) or "nothing"
        raise FileNotFoundError(f"folder must hold draws, such as draws.npz: got {there}.")
    return found


def _check_belongs(folder: Path, run: dict[str, Any], names: Sequence[str]) -> None:
    """Refuse files that are not those of the run, where it names its own."""
    own = run.get("files")
    if not isinstance(own, dict):
        return
    for name in names:
        if (folder / name).is_file() and own.get(name) != file_digest(folder / name):
            got = f"another {name}" if name in own else f"{name}, which run.json does not name"
            help_ = (
                "Pass data that belong to it (in the shell --data)."
                if name in DATA
                else "Remove run.json to report what is there without it."
            )
            raise ValueError(f"folder must hold files of one run: got {got}. {help_}")


def _read_labels(path: Path, posterior: PartitionPosterior) -> Any:
    """Labels in the order of the items; None where there are none."""
    import pandas as pd

    if not path.is_file():
        return None
    table = read_whole("labels.csv", path, lambda: pd.read_csv(path, index_col=0, dtype=str, keep_default_na=False))
    same_items = posterior.items is None or set(table.index) == set(posterior.items)
    if "cluster" not in table or len(table) != posterior.n_items or not same_items:
        got = f"{len(table)} rows, the first for {table.index[0]!r}" if len(table) else "none"
        raise ValueError(f"labels.csv must have a cluster for each of the {posterior.n_items} items: got {got}.")
    clusters = table["cluster"] if posterior.items is None else table["cluster"].loc[list(posterior.items)]
    return read_whole("labels.csv", path, lambda: pd.to_numeric(clusters).to_numpy())


def _read_data(folder: Path) -> pd.DataFrame | None:
    import pandas as pd

    found = next((folder / name for name in DATA if (folder / name).is_file()), None)
    if found is None:
        return None
    if found.suffix == ".parquet":
        return read_whole("data", found, lambda: pd.read_parquet(found))
    return read_whole("data", found, lambda: pd.read_csv(found, index_col=0))


def _read_run(path: Path) -> dict[str, Any]:
    """What is known of how it was computed."""
    if not path.is_file():
        return {}
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"run.json must be JSON: {error}.") from None
    if not isinstance(run, dict):
        raise ValueError(f"run.json must hold names and values: got {type(run).__name__}.")
    return run
