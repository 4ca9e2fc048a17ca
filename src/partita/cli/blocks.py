"""Tables that are read by blocks on the command line, and the Dask cluster that their labels are drawn on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

ALLOCATOR = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")
KEPT = 2**28  # bytes that a worker keeps for its next arrays, where Dask would have it give back all but 2**16
LEAST_COPIES = 6  # a table and what is made of it on the way to draws


def reads_by_blocks(path: Path, engine: str) -> bool:
    """Whether a table is read by blocks: a parquet file for a Dask cluster, or one too large for memory."""
    if path.suffix.lower() != ".parquet" or not path.is_file():
        return False
    if engine == "dask":
        return True
    import psutil
    from pyarrow.parquet import ParquetFile

    try:
        found = ParquetFile(path).metadata
    except (OSError, ValueError):  # said where it is read
        return False
    return bool(8 * LEAST_COPIES * found.num_rows * found.num_columns > psutil.virtual_memory().available)


def read_by_blocks(
    path: Path, engine: str, without: dict[str, Any], used: dict[str, Any], n_chains: int, n_draws: int
) -> tuple[Any, pd.DataFrame, list[str]] | None:
    """A table by blocks, the rows that say what its columns are, and notes; None where it is read as a whole.

    No option of ``without`` may be given for a table by blocks; ``used`` says which columns are.
    """
    if not reads_by_blocks(path, engine):
        return None
    from ..clusterers._sampling import plan_room
    from ..tables.blocks import read_data_blocks

    for name, value in without.items():
        if value not in (None, False):
            got = f"{name.replace('_', '-')} must be left out for a table that is read by blocks"
            raise ValueError(f"{got}: got {str(value)!r}.")
    table, judged, notes = read_data_blocks(path, **used)
    gigabytes = 8e-9 * table.n_rows * judged.shape[1]
    notes.append(
        f"Read by blocks: {table.n_rows} rows, which take up to {gigabytes:.2g} GB among temporary files; columns are "
        f"judged on {len(judged)} rows spread evenly."
    )
    notes.append(plan_room(table.n_rows, table.n_rows, 0, n_chains, n_draws, by_blocks=True).words)
    return table, judged, notes


@contextmanager
def dask_client(jobs: int) -> Iterator[None]:
    """A Dask client: of the cluster that Dask's settings name, or of processes here."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        install = 'pip install "partita[dask]"'
        raise ImportError(f"engine must be one whose library is installed: got 'dask'. Try {install}.") from None
    import logging

    from joblib import effective_n_jobs

    if dask.config.get("scheduler-address", None):
        with Client():
            yield
        return
    dask.config.set({f"distributed.nanny.pre-spawn-environ.{name}": KEPT for name in ALLOCATOR})
    options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    with LocalCluster(n_workers=effective_n_jobs(jobs), processes=True, **options) as cluster, Client(cluster):
        yield
