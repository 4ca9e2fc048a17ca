"""Every reader of files, with the bytes of a file that it can read: the fuzzer damages them."""

import functools
import gzip
import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from cases import DRAWS, Case, X

import partita as pt
from partita.tables import read_data

FOLDER = Path(tempfile.mkdtemp())
SETTINGS = dict(n_chains=1, n_draws=8, n_warmup=4, n_jobs=1, random_state=0)


def written(write):
    """The bytes of a file that a function writes."""
    path = Path(tempfile.mkdtemp()) / "file"
    write(path)
    return path.read_bytes()


@functools.cache
def bytes_of(name):
    """A file that can be read, by the end of its name."""
    table = pd.DataFrame(X, columns=["a", "b"])
    draws = pt.PartitionPosterior(DRAWS, items=None if name == "draws.npy" else list("abcdefgh"))
    if name.startswith("draws"):
        suffix = name.removeprefix("draws")
        path = FOLDER / f"whole{suffix.removesuffix('.gz')}"
        draws.save(path)
        return gzip.compress(path.read_bytes()) if suffix.endswith(".gz") else path.read_bytes()
    if name == "run.checkpoint":
        path = Path(tempfile.mkdtemp()) / "run"
        pt.BayesianMixture("gaussian-diagonal", **SETTINGS, checkpoint=path).fit(X)
        return path.read_bytes()
    return {
        "data.csv": lambda: table.to_csv(index=False).encode(),
        "data.tsv": lambda: table.to_csv(index=False, sep="\t").encode(),
        "data.csv.gz": lambda: gzip.compress(table.to_csv(index=False).encode()),
        "data.npz": lambda: written(lambda path: np.savez(path.open("wb"), X=X)),
        "data.npy": lambda: written(lambda path: np.save(path.open("wb"), X)),
        "data.parquet": lambda: written(table.to_parquet),
        "pairs.csv": lambda: b"one,two,weight\n0,1,2.5\n2,3,\n",
        "labels.csv": lambda: b"item,cluster\na,0\nb,0\nc,0\nd,0\ne,1\nf,1\ng,1\nh,1\n",
        "run.json": lambda: json.dumps({"command": "partita", "level": 0.9, "metric": "vi", "notes": ["n"]}).encode(),
    }[name]()


def place(name, content):
    path = FOLDER / name
    path.write_bytes(content)
    return path


def resume(path):
    for beside in FOLDER.glob("run.checkpoint?*"):
        beside.unlink()
    whole = pt.BayesianMixture("gaussian-diagonal", **SETTINGS).fit(X)
    resumed = pt.BayesianMixture("gaussian-diagonal", **SETTINGS, checkpoint=path, resume=True).fit(X)
    assert (whole.posterior_.draws == resumed.posterior_.draws).all(), "other draws"


def report(name):
    def read(path):
        folder = Path(tempfile.mkdtemp())
        (folder / "draws.npz").write_bytes(bytes_of("draws.npz"))
        for other in ("labels.csv", "run.json", "data.csv"):
            (folder / other).write_bytes(bytes_of(other))
        (folder / name).write_bytes(path.read_bytes())
        pt.report_folder(folder)

    return read


READERS = {
    **{
        f"draws{suffix}": pt.PartitionPosterior.from_any
        for suffix in (".csv", ".csv.gz", ".npz", ".npy", ".parquet", ".nc")
    },
    **{f"data{suffix}": read_data for suffix in (".csv", ".tsv", ".csv.gz", ".npz", ".npy", ".parquet")},
    "pairs.csv": lambda path: pt.Constraints(path, n_items=8),
    "run.checkpoint": resume,
}
IN_FOLDERS = ("draws.npz", "labels.csv", "run.json", "data.csv")
N_RARE = 0.1  # share of damaged files that go through a whole report
FILES = {
    name: Case(lambda content, name=name, read=read: read(place(name, content)), {}) for name, read in READERS.items()
}
FILES |= {
    f"report {name}": Case(lambda content, name=name: report(name)(place(name, content)), {}) for name in IN_FOLDERS
}
