import gzip
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import partita as pt
from partita.posterior import io

DRAWS = [[0, 0, 1, 2], [0, 1, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1]]
ITEMS = ["ant", "bee, small", "<b>cat</b>", "=1+1"]
SUFFIXES = ["csv", "npz", "parquet", "nc"]


def same(a, b):
    assert (a.draws == b.draws).all()
    assert a.draws.dtype == b.draws.dtype
    for name in ("weights", "chains"):
        mine, other = getattr(a, name), getattr(b, name)
        assert (mine is None) == (other is None)
        assert mine is None or (mine == other).all()
    assert a.items == b.items


FULL = {
    "plain": {},
    "weights": dict(weights=[0.1, 0.2, 1 / 3, 0.7]),
    "chains": dict(chains=[5, 5, 9, 9]),
    "items": dict(items=ITEMS),
    "all": dict(weights=[1, 2, 3, 4], chains=[0, 1, 0, 1], items=ITEMS),
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("extra", FULL.values(), ids=FULL)
def test_round_trip_through_files_loses_nothing(tmp_path, suffix, extra):
    post = pt.PartitionPosterior(DRAWS, **extra)
    post.save(tmp_path / f"draws.{suffix}")
    same(pt.PartitionPosterior.load(tmp_path / f"draws.{suffix}"), post)
    same(pt.PartitionPosterior.from_any(str(tmp_path / f"draws.{suffix}")), post)
    assert [p.name for p in tmp_path.iterdir()] == [f"draws.{suffix}"]


@pytest.mark.parametrize("extra", FULL.values(), ids=FULL)
def test_round_trip_through_arviz_loses_nothing(extra):
    post = pt.PartitionPosterior(DRAWS, **extra)
    same(pt.PartitionPosterior.from_any(post.to_arviz()), post)


NAMES = [
    ["0", "1", "2", "3"],
    ["a b", " a", "a ", "\ta"],
    ["a;b;c;d", "e;f;g", "#", "# x"],
    [".a", "..", ".", ".Chain"],
    ["chain", "draw", "Iteration", "weight"],
    ["NA", "nan", "Unnamed: 0", "None"],
    ['"', "'", "a\nb", "\ra"],
    ["1.0", "-1", "1e5", "é✓"],
]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("items", NAMES, ids=repr)
def test_names_of_all_kinds_come_back_as_they_were(tmp_path, suffix, items):
    for extra in ({}, dict(weights=[1, 2, 3, 4], chains=[0, 1, 0, 1])):
        post = pt.PartitionPosterior(DRAWS, items=items, **extra)
        post.save(tmp_path / f"draws.{suffix}")
        same(pt.PartitionPosterior.from_any(tmp_path / f"draws.{suffix}"), post)


@pytest.mark.parametrize("name", ["", ".chain", ".draw", ".iteration", ".weight", ".0", "a\0"])
def test_names_that_files_cannot_hold_are_refused(name):
    with pytest.raises(ValueError, match="items must have names that are not empty and not set apart for files: got"):
        pt.PartitionPosterior([[0, 1]], items=["a", name])


@pytest.mark.parametrize("suffix", ["CSV", "NPZ", "NPY", "Parquet", "NC"])
def test_suffixes_may_be_in_capitals(tmp_path, suffix):
    post = pt.PartitionPosterior(DRAWS)
    post.save(tmp_path / f"draws.{suffix}")
    assert [p.name for p in tmp_path.iterdir()] == [f"draws.{suffix}"]
    same(pt.PartitionPosterior.load(tmp_path / f"draws.{suffix}"), post)


def test_npy_keeps_draws_and_refuses_to_drop_the_rest(tmp_path):
    post = pt.PartitionPosterior(DRAWS)
    post.save(tmp_path / "draws.npy")
    same(pt.PartitionPosterior.load(tmp_path / "draws.npy"), post)
    with pytest.raises(ValueError, match=r"must keep the weights and items: got '.npy'. Use '.npz'."):
        pt.PartitionPosterior(DRAWS, weights=[1] * 4, items=ITEMS).save(tmp_path / "more.npy")
    assert [p.name for p in tmp_path.iterdir()] == ["draws.npy"]


class InferenceData(Mapping):
    """Groups as ArviZ before 1 holds them: attributes, and a mapping too."""

    def __init__(self, **groups):
        self.__dict__.update(groups)

    def __getitem__(self, name):
        return self.__dict__[name]

    def __iter__(self):
        return iter(self.__dict__)

    def __len__(self):
        return len(self.__dict__)


@pytest.mark.parametrize(
    "extra", [dict(), dict(chains=[0, 0, 1, 1], items=ITEMS), dict(weights=[1, 2, 3, 4])], ids=repr
)
def test_round_trip_through_arviz_before_1_loses_nothing(extra, monkeypatch):
    monkeypatch.setattr(io, "version", lambda _: "0.23.4")
    monkeypatch.setitem(sys.modules, "arviz", SimpleNamespace(InferenceData=InferenceData))
    post = pt.PartitionPosterior(DRAWS, **extra)
    given = post.to_arviz()
    assert isinstance(given, InferenceData)
    same(pt.PartitionPosterior.from_any(given), post)


def test_the_arviz_that_is_installed_reads_what_it_is_given():
    arviz = pytest.importorskip("arviz", reason="needs ArviZ itself, of either generation")
    draws = np.random.default_rng(0).integers(3, size=(2, 50, 6))
    post = pt.PartitionPosterior.from_any(draws)
    same(pt.PartitionPosterior.from_any(post.to_arviz()), post)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of an item that is always in the first cluster
        assert len(arviz.summary(post.to_arviz())) == 6
    make = arviz.from_dict
    made = make(posterior={"z": draws}) if arviz.__version__.startswith("0.") else make({"posterior": {"z": draws}})
    same(pt.PartitionPosterior.from_any(made), post)


def test_uneven_chains_cannot_go_to_arviz():
    with pytest.raises(ValueError, match="chains must have the same number of draws for ArviZ: got 1, 3"):
        pt.PartitionPosterior(DRAWS, chains=[0, 1, 1, 1]).to_arviz()


def test_arrays_lists_tables_and_dicts_are_read_alike():
    plain = pt.PartitionPosterior(DRAWS)
    one_based = np.array(DRAWS) + 1
    for source in (DRAWS, one_based, one_based.astype(float) * 10, [np.array(d) for d in DRAWS], tuple(DRAWS)):
        same(pt.PartitionPosterior.from_any(source), plain)
    same(pt.PartitionPosterior.from_any(pd.DataFrame(DRAWS)), plain)
    same(pt.PartitionPosterior.from_any({"z": DRAWS, "mu": [1, 2]}), plain)
    same(pt.PartitionPosterior.from_any({"c": one_based, "mu": [1, 2]}, var="c"), plain)
    same(pt.PartitionPosterior.from_any({"only": DRAWS}), plain)
    same(pt.PartitionPosterior.from_any(plain), plain)


def test_three_dimensions_are_chains_by_draws_by_items():
    cube = np.array(DRAWS).reshape(2, 2, 4)
    post = pt.PartitionPosterior.from_any(cube)
    assert post.chains.tolist() == [0, 0, 1, 1]
    same(
        pt.PartitionPosterior.from_any({"draws": cube, "items": ITEMS}),
        pt.PartitionPosterior(DRAWS, None, [0, 0, 1, 1], ITEMS),
    )


def test_tables_carry_items_chains_and_weights():
    table = pd.DataFrame(DRAWS, columns=ITEMS)
    same(pt.PartitionPosterior.from_any(table), pt.PartitionPosterior(DRAWS, items=ITEMS))
    index = pd.MultiIndex.from_product([[0, 1], [0, 1]], names=["chain", "draw"])
    same(
        pt.PartitionPosterior.from_any(pd.DataFrame(DRAWS, index=index)),
        pt.PartitionPosterior(DRAWS, chains=[0, 0, 1, 1]),
    )
    table[".weight"] = [1.0, 1, 1, 5]
    assert pt.PartitionPosterior.from_any(table).weights == pytest.approx([1 / 8, 1 / 8, 1 / 8, 5 / 8])


def test_xarray_dimensions_may_come_in_any_order():
    import xarray as xr

    cube = np.array(DRAWS).reshape(2, 2, 4)
    array = xr.DataArray(cube, dims=["chain", "draw", "bird"], coords={"bird": ITEMS, "chain": [0, 1]})
    expected = pt.PartitionPosterior(DRAWS, chains=[0, 0, 1, 1], items=ITEMS)
    same(pt.PartitionPosterior.from_any(array), expected)
    same(pt.PartitionPosterior.from_any(array.transpose("bird", "draw", "chain")), expected)
    same(pt.PartitionPosterior.from_any(array.to_dataset(name="z")), expected)
    flat = xr.DataArray(DRAWS, dims=["draw", "item"])
    same(pt.PartitionPosterior.from_any(flat), pt.PartitionPosterior(DRAWS))
    same(pt.PartitionPosterior.from_any(array.to_dataset(name="only")), expected)
    with pytest.raises(ValueError, match="var must name one of the variables c, d: got 'z'"):
        pt.PartitionPosterior.from_any(xr.Dataset({"c": array, "d": array}))


def test_xarray_samples_may_be_stacked_and_items_numbered():
    import xarray as xr

    cube = np.array(DRAWS).reshape(2, 2, 4)
    array = xr.DataArray(cube, dims=["chain", "draw", "bird"], coords={"bird": [5, 6, 7, 8], "chain": [3, 4]})
    expected = pt.PartitionPosterior(DRAWS, chains=[3, 3, 4, 4], items=[5, 6, 7, 8])
    same(pt.PartitionPosterior.from_any(array), expected)
    same(pt.PartitionPosterior.from_any(array.stack(sample=("chain", "draw"))), expected)
    same(
        pt.PartitionPosterior.from_any(array.assign_coords(bird=range(4)).sel(chain=3)),
        pt.PartitionPosterior(DRAWS[:2]),
    )


def test_xarray_without_draws_is_refused():
    import xarray as xr

    with pytest.raises(ValueError, match=r"draws must hold at least one draw of at least one item: got shape \(0, 3\)"):
        pt.PartitionPosterior.from_any(xr.DataArray(np.zeros((0, 5, 3)), dims=["chain", "draw", "bird"]))


@pytest.mark.parametrize("dims", [("chain", "draw"), ("row", "bird"), ("draw", "bird", "time")])
def test_xarray_dimensions_that_are_no_draws_of_items_are_named(dims):
    import xarray as xr

    array = xr.DataArray(np.zeros([2] * len(dims)), dims=dims)
    message = f"var must have one dimension of items beside chain, draw or sample: got {', '.join(dims)}."
    with pytest.raises(ValueError, match=message):
        pt.PartitionPosterior.from_any(array)


def test_subclasses_of_tables_are_tables_and_a_series_is_not():
    class Table(pd.DataFrame):
        pass

    Table.__module__ = "elsewhere"
    same(pt.PartitionPosterior.from_any(Table(DRAWS, columns=ITEMS)), pt.PartitionPosterior(DRAWS, items=ITEMS))
    with pytest.raises(TypeError, match="source must be a table with one draw per row: got a Series"):
        pt.PartitionPosterior.from_any(pd.Series([0, 1]))


@pytest.mark.parametrize("name", ["weights", "chains", "items"])
def test_what_goes_with_the_draws_has_their_number(name):
    with pytest.raises(ValueError, match=f"{name} must hold 4 values, as the draws in 'z' do: got 3"):
        pt.PartitionPosterior.from_any({"z": np.array(DRAWS), name: [1, 2, 3]})
    same(  # a model's own variable of that name
        pt.PartitionPosterior.from_any({"z": np.array(DRAWS), name: np.zeros((4, 3))}), pt.PartitionPosterior(DRAWS)
    )


def test_a_table_with_a_name_too_few_is_refused(tmp_path):
    (tmp_path / "draws.csv").write_text("a,b,c\n0,0,1,1\n0,1,1,1\n")
    with pytest.raises(ValueError, match="header must name each of the 4 columns: got 3 names"):
        pt.PartitionPosterior.from_any(tmp_path / "draws.csv")


def test_masked_draws_are_missing():
    masked = np.ma.masked_equal(np.array(DRAWS).reshape(2, 2, 4), 2)
    for source in (masked, list(masked), masked[0], {"z": masked}):
        with pytest.raises(ValueError, match="draws must not have missing values: got masked ones"):
            pt.PartitionPosterior.from_any(source)


def test_lists_of_chains_are_chains():
    expected = pt.PartitionPosterior(DRAWS, chains=[0, 1, 1, 1])
    same(pt.PartitionPosterior.from_any([DRAWS[:1], DRAWS[1:]]), expected)
    same(pt.PartitionPosterior.from_any([np.array(DRAWS[:1]), np.array(DRAWS[1:])]), expected)
    with pytest.raises(ValueError, match="draws must label the same items in every chain: got 4, 2 items"):
        pt.PartitionPosterior.from_any([DRAWS, [[0, 1]]])


def test_a_dict_lends_weights_chains_and_items_only_where_they_fit():
    cube = np.array(DRAWS).reshape(2, 2, 4)
    fitting = {"z": cube, "weights": [[1, 2], [3, 4]], "items": ITEMS}
    same(pt.PartitionPosterior.from_any(fitting), pt.PartitionPosterior(DRAWS, [1, 2, 3, 4], [0, 0, 1, 1], ITEMS))
    other = {"z": cube, "weights": np.ones((2, 2, 3)), "chains": 2}
    same(pt.PartitionPosterior.from_any(other), pt.PartitionPosterior(DRAWS, chains=[0, 0, 1, 1]))


def test_legacy_inference_data_is_read_by_its_posterior_group():
    import xarray as xr

    class InferenceData:
        posterior = xr.Dataset({"z": (("chain", "draw", "item"), np.array(DRAWS).reshape(2, 2, 4))})

    assert pt.PartitionPosterior.from_any(InferenceData()).chains.tolist() == [0, 0, 1, 1]


TEXTS = {
    "bare numbers": ("0,0,1,2\n0,1,1,1\n0,0,0,1\n0,1,0,1\n", None),
    "one-based": ("1,1,2,3\n1,2,2,2\n1,1,1,2\n1,2,1,2\n", None),
    "floats": ("0.0,0.0,1.0,2.0\n0,1,1,1\n0,0,0,1\n0,1,0,1\n", None),
    "semicolons": ("0;0;1;2\n0;1;1;1\n0;0;0;1\n0;1;0;1\n", None),
    "tabs": ("0\t0\t1\t2\n0\t1\t1\t1\n0\t0\t0\t1\n0\t1\t0\t1\n", None),
    "spaces": ("0 0 1 2\n0 1 1 1\n0 0 0 1\n0 1 0 1\n", None),
    "byte order mark": ("\ufeff0,0,1,2\n0,1,1,1\n0,0,0,1\n0,1,0,1\n", None),
    "header": ("a,b,c,d\n0,0,1,2\n0,1,1,1\n0,0,0,1\n0,1,0,1\n", ("a", "b", "c", "d")),
    "r": ('"","V1","V2","V3","V4"\n"1",1,1,2,3\n"2",1,2,2,2\n"3",1,1,1,2\n"4",1,2,1,2\n', ("V1", "V2", "V3", "V4")),
    "pandas": (",0,1,2,3\n0,0,0,1,2\n1,0,1,1,1\n2,0,0,0,1\n3,0,1,0,1\n", None),
    "row names": (",a,b,c,d\nx,0,0,1,2\ny,0,1,1,1\nz,0,0,0,1\nw,0,1,0,1\n", ("a", "b", "c", "d")),
    "aligned": ("  0   0   1   2\n  0   1   1   1\n  0   0   0   1\n  0   1   0   1\n", None),
    "write.table": ('"V 1" "b" "c" "d"\n"1" 1 1 2 3\n"2" 1 2 2 2\n"3" 1 1 1 2\n"4" 1 2 1 2\n', ("V 1", "b", "c", "d")),
    "spaced names": ("a b,b,c,d e f g h\n0,0,1,2\n0,1,1,1\n0,0,0,1\n0,1,0,1\n", ("a b", "b", "c", "d e f g h")),
    "trailing separators": ("0,0,1,2,\n0,1,1,1,\n0,0,0,1,\n0,1,0,1,\n", None),
    "trailing, named": ("a,b,c,d,\n0,0,1,2,\n0,1,1,1,\n0,0,0,1,\n0,1,0,1,\n", ("a", "b", "c", "d")),
    "trailing, below": ("a,b,c,d\n0,0,1,2,\n0,1,1,1,\n0,0,0,1,\n0,1,0,1,\n", ("a", "b", "c", "d")),
    "comments": ("# z\n\na,#b,c,d\n# z\n0,0,1,2\n0,1,1,1\n#\n0,0,0,1\n0,1,0,1\n# end\n", ("a", "#b", "c", "d")),
    "blank lines first": ("\n  \n0,0,1,2\n0,1,1,1\n0,0,0,1\n0,1,0,1\n", None),
    "windows": ("a,b,c,d\r\n0,0,1,2\r\n0,1,1,1\r\n0,0,0,1\r\n0,1,0,1\r\n", ("a", "b", "c", "d")),
    "sample is an item": ("sample,b,c,d\n0,0,1,2\n0,1,1,1\n0,0,0,1\n0,1,0,1\n", ("sample", "b", "c", "d")),
    "tidybayes": (
        ".chain\t.iteration\ta\tb\tc\td\n"
        + "".join(f"0\t{m}\t{a}\t{b}\t{c}\t{d}\n" for m, (a, b, c, d) in enumerate(DRAWS)),
        ("a", "b", "c", "d"),
    ),
}


@pytest.mark.parametrize(("text", "items"), TEXTS.values(), ids=TEXTS)
def test_text_files_as_people_have_them(tmp_path, text, items):
    (tmp_path / "my draws.csv").write_bytes(text.encode())
    chains = [0] * 4 if ".chain" in text else None
    same(pt.PartitionPosterior.from_any(tmp_path / "my draws.csv"), pt.PartitionPosterior(DRAWS, None, chains, items))
    (tmp_path / "draws.csv.gz").write_bytes(gzip.compress(text.encode()))
    same(pt.PartitionPosterior.from_any(tmp_path / "draws.csv.gz"), pt.PartitionPosterior(DRAWS, None, chains, items))


def test_what_numpy_aligns_is_read_right(tmp_path):
    np.savetxt(tmp_path / "draws.txt", np.array(DRAWS) * 50, fmt="%3d", header="labels")
    same(pt.PartitionPosterior.from_any(tmp_path / "draws.txt"), pt.PartitionPosterior(DRAWS))


@pytest.mark.parametrize("names", [("Chain", "draw"), ("chain", "Iteration")])
def test_columns_that_other_programs_keep_about_draws_are_no_items(tmp_path, names):
    table = pd.DataFrame(DRAWS, columns=list("abcd"))
    table.insert(0, names[1], range(4))
    table[names[0]] = [3, 3, 4, 4]
    expected = pt.PartitionPosterior(DRAWS, chains=[3, 3, 4, 4], items="abcd")
    table.to_csv(tmp_path / "draws.csv", index=False)
    table.to_parquet(tmp_path / "draws.parquet")
    for source in (table, tmp_path / "draws.csv", tmp_path / "draws.parquet"):
        with pytest.warns(UserWarning, match=f"{names[1]}, {names[0]}: read as metadata, not as items"):
            same(pt.PartitionPosterior.from_any(source), expected)


def test_latin_1_is_read_and_said(tmp_path):
    (tmp_path / "draws.csv").write_bytes("é,b\n0,1\n".encode("latin-1"))
    with pytest.warns(UserWarning, match="draws.csv must be UTF-8: it is not, and was read as Latin-1"):
        assert pt.PartitionPosterior.from_any(tmp_path / "draws.csv").items == ("é", "b")
    (tmp_path / "draws.csv").write_bytes(",a,b\né,0,1\n".encode("latin-1"))
    with pytest.warns(UserWarning, match="read as Latin-1"):
        assert pt.PartitionPosterior.from_any(tmp_path / "draws.csv").items == ("a", "b")


def test_an_unnamed_index_or_header_is_left_out_with_a_warning(tmp_path):
    (tmp_path / "index.csv").write_text("".join(f"{m + 1},0,0,1,2\n" for m in range(9)))
    with pytest.warns(UserWarning, match="the first column counts the rows and was left out"):
        assert pt.PartitionPosterior.from_any(tmp_path / "index.csv").draws.tolist() == [[0, 0, 1, 2]] * 9
    (tmp_path / "header.csv").write_text("0,1,2,3\n0,0,1,2\n0,1,1,1\n0,0,0,1\n0,1,0,1\n")
    with pytest.warns(UserWarning, match="the first row counts the columns and was read as a header"):
        same(pt.PartitionPosterior.from_any(tmp_path / "header.csv"), pt.PartitionPosterior(DRAWS))


@pytest.mark.parametrize("text", ["1,2,3\n1,1,2\n", "0,1,2\n0,0,1\n0,1,2\n", "0,1,0\n1,1,1\n2,0,2\n"])
def test_labels_that_happen_to_count_are_kept(tmp_path, text):
    (tmp_path / "draws.csv").write_text(text)
    rows = [[int(cell) for cell in line.split(",")] for line in text.split()]
    same(pt.PartitionPosterior.from_any(tmp_path / "draws.csv"), pt.PartitionPosterior(rows))


BAD_TEXTS = {
    "0,,2\n0,1,1\n": "draws must not have missing values: got nan for draw 0, item 1.",
    "0,NA,2\n0,1,1\n": "draws must not have missing values: got nan for draw 0, item 1.",
    "a,b,c\n0,1,\n0,1,\n": "draws must not have missing values: got nan for draw 0, item 2.",
    "a,b,c\n0,1\n": "bad.csv: header must name each of the 2 columns: got 3 names.",
    "a\n0,1,2\n": "bad.csv: header must name each of the 3 columns: got 1 names.",
    "a,,c\n0,1,2\n": "items must have names that are not empty and not set apart for files: got ''.",
    "": "bad.csv: draws must hold at least one draw: the file is empty.",
    "0,1,2\n0,1\n": "draws must not have missing values: got nan for draw 1, item 2.",
    "0,1\n0,1,2\n": "bad.csv must be a whole .csv file: ",
    "a,b\n0,x\n": "draws must be whole numbers: got x for item 1.",
    "a,b\n": "draws must hold at least one draw of at least one item: got shape (0, 2).",
}


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS.items())
def test_text_that_holds_no_draws_is_refused(tmp_path, text, message):
    (tmp_path / "bad.csv").write_text(text)
    with pytest.raises(ValueError) as error:
        pt.PartitionPosterior.from_any(tmp_path / "bad.csv")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("suffix", ["npz", "parquet", "nc", "npy"])
def test_a_truncated_file_is_refused(tmp_path, suffix):
    path = tmp_path / f"draws.{suffix}"
    rng = np.random.default_rng(0)
    pt.PartitionPosterior(rng.integers(9, size=(100, 50))).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ValueError, match=rf"draws.{suffix} must be a whole .{suffix} file: .* Is it truncated\?"):
        pt.PartitionPosterior.load(path)


def test_objects_inside_numpy_files_are_never_unpickled(tmp_path):
    np.save(tmp_path / "evil.npy", np.array([[0, None]], object), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle=False") as error:
        pt.PartitionPosterior.load(tmp_path / "evil.npy")
    assert "truncated" not in str(error.value)


def test_a_file_one_may_not_read_is_said_to_be_that(tmp_path, monkeypatch):
    def cannot_link_graph(path):
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "draws.csv").write_text("0,1\n")
    monkeypatch.setattr(io, "read_text", cannot_link_graph)
    with pytest.raises(PermissionError, match="Permission denied"):
        pt.PartitionPosterior.load(tmp_path / "draws.csv")


def test_only_the_asked_for_variable_is_read_from_netcdf(tmp_path, monkeypatch):
    import xarray as xr

    variables = {"z": (("draw", "item"), DRAWS), "mu": (("draw", "big"), np.zeros((4, 1000)))}
    xr.Dataset(variables).to_netcdf(tmp_path / "many.nc", engine="h5netcdf")
    read = []
    to_numpy = xr.DataArray.to_numpy
    monkeypatch.setattr(xr.DataArray, "to_numpy", lambda array: (read.append(array.name), to_numpy(array))[1])
    monkeypatch.setattr(xr.DataTree, "load", lambda _: pytest.fail("all was loaded"))
    same(pt.PartitionPosterior.from_any(tmp_path / "many.nc"), pt.PartitionPosterior(DRAWS))
    assert read == ["z"]


def test_only_the_asked_for_array_is_read_from_an_archive(tmp_path):
    np.savez(tmp_path / "many.npz", z=DRAWS, unreadable=np.array([None], object))
    same(pt.PartitionPosterior.from_any(tmp_path / "many.npz"), pt.PartitionPosterior(DRAWS))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("draws.xlsx", "path suffix must be one of .csv, "),
        ("absent.csv", "path must name a file: got 'absent.csv'."),
        ({"a": DRAWS, "b": DRAWS}, "var must name one of the arrays a, b: got 'z'."),
    ],
)
def test_unknown_sources_are_named(source, message):
    with pytest.raises((ValueError, FileNotFoundError)) as error:
        pt.PartitionPosterior.from_any(source)
    assert str(error.value).startswith(message)


def test_writing_into_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="path must lie in a folder that exists"):
        pt.PartitionPosterior(DRAWS).save(tmp_path / "nowhere" / "draws.npz")


def test_a_failed_write_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "draws.npz"
    pt.PartitionPosterior(DRAWS).save(path)
    before = path.read_bytes()

    def full_disk(partial, raw):
        partial.write_bytes(b"half of it")
        raise OSError("No space left on device")

    monkeypatch.setitem(io.WRITERS, ".npz", full_disk)
    with pytest.raises(OSError, match="No space left"):
        pt.PartitionPosterior([[0, 1]]).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["draws.npz"]


KILLED = """
import sys, time, partita as pt
from partita.posterior import io
def slow(partial, raw):
    partial.write_bytes(b"half of it")
    print("writing", flush=True)
    time.sleep(60)
io.WRITERS[".npz"] = slow
pt.PartitionPosterior([[0, 1]]).save(sys.argv[1])
"""


def test_a_process_that_dies_while_writing_leaves_the_old_file_whole(tmp_path):
    path = tmp_path / "draws.npz"
    pt.PartitionPosterior(DRAWS).save(path)
    before = path.read_bytes()
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, env=os.environ)
    assert child.stdout.readline() == b"writing\n"
    time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert path.read_bytes() == before


def test_a_header_that_promises_more_than_there_is_is_refused(tmp_path):
    path = tmp_path / "draws.npy"
    np.save(path, np.zeros((5, 4), np.int64))
    path.write_bytes(path.read_bytes().replace(b"(5, 4), }           ", b"(5, 999999999999), }"))
    with pytest.raises(ValueError, match=r"draws.npy must be a whole .npy file: its header promises more"):
        pt.PartitionPosterior.from_any(path)
