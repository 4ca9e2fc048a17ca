"""The changes that the mutation run makes are the ones it says, and it finds the tests of a module."""

import ast
import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent


def load(name):
    sys.path.insert(0, str(HERE))
    try:
        spec = importlib.util.spec_from_file_location(f"mutation_{name}", HERE / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(HERE))


def test_each_change_is_small_and_parses():
    source = 'def f(a: "int" = 1):\n    """Say 3 < 4."""\n    return a * 2 if a < 3 and True else f"{a + 1}" + "x"\n'
    found = load("mutate").mutants(source)
    changed = {mutant.shown(source).replace(" ", "") for mutant in found}
    assert 'returna/2ifa<3andTrueelsef"{a+1}"+"x"' in changed
    assert 'returna*2ifa<=3andTrueelsef"{a+1}"+"x"' in changed
    assert 'returna*2ifa<3andFalseelsef"{a+1}"+"x"' in changed
    assert not any("4" in mutant.old or '"3 <' in mutant.apply(source) for mutant in found if mutant.line == 2)
    for mutant in found:
        compile(mutant.apply(source), "mutant", "exec")


def test_every_module_has_tests_to_be_run_against():
    run = load("run")
    for kernels in (False, True):
        for name in run.modules(kernels):
            assert all((run.ROOT / path).exists() for path in run.tests_of(name, run.ROOT)), name
    assert next(run.tests_of("decide/estimate.py", run.ROOT)) == "tests/decide/test_estimate.py"
    assert list(run.tests_of("pointprocess/search/pseed.py", run.ROOT)) == [
        "tests/pointprocess/test_search.py",
        "tests/pointprocess",
        "tests/test_laws.py",
        "tests/test_exact.py",
    ]


def test_the_tests_that_enter_a_changed_function_are_chosen_the_quickest_first():
    run, known = load("run"), {
        "slow": (9.0, ["a.py:f"]),
        "other": (1.0, ["a.py:C.g", "b.py:f"]),
        "quick": (2.0, ["a.py:f", "a.py:C.g"]),
        "elsewhere": (3.0, ["any"]),
    }  # fmt: skip
    assert run.choose_tests(known, "a.py", "f") == ["quick", "elsewhere", "slow"]
    assert run.choose_tests(known, "a.py", "") == ["other", "quick", "elsewhere", "slow"]
    assert run.choose_tests(known, "_kernels/a.py", "f") == ["other", "quick", "elsewhere", "slow"]


def test_a_line_is_in_the_function_whose_body_holds_it():
    source = (
        "A = 1\n"
        "def f(\n    a=2,\n):\n    if a:\n        return a\n"
        "class C:\n    b = 3\n    def g(self):\n        def h():\n            return 4\n        return h\n"
    )
    tree, function_at = ast.parse(source), load("mutate").function_at
    named = {line: function_at(tree, line) for line in (1, 3, 6, 8, 11, 12)}
    assert named == {1: "", 3: "", 6: "f", 8: "", 11: "C.g.<locals>.h", 12: "C.g"}


def test_what_was_compiled_from_a_changed_kernel_and_from_those_that_import_it_is_left_behind(tmp_path):
    run, kernels = load("run"), tmp_path / "src" / "partita" / "_kernels"
    kernels.mkdir(parents=True)
    for name, imported in {"a": "", "b": "from .a import f\n", "c": "from ..x.b import g\n", "d": ""}.items():
        (kernels / f"{name}.py").write_text(imported)
        (tmp_path / "old").mkdir(exist_ok=True)
        (tmp_path / "old" / f"{name}.f-1.py311.nbi").write_text("")
    run.copy_compiled(tmp_path / "old", tmp_path / "new", tmp_path, "_kernels/a.py")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["d.f-1.py311.nbi"]


def test_changes_are_listed_by_their_line_or_by_what_they_come_after():
    run, source = load("run"), "zip(a, b, strict=True)\nx = 1 + 2\n"
    first, *others = load("mutate").mutants(source)
    listed = {("plot/*", "strict=True~"): "one length", ("a.py", "x = 1 - 2"): "why not"}
    assert run.changes_nothing(listed, "plot/b.py", first, source)
    assert not run.changes_nothing(listed, "a.py", first, source)
    assert [mutant.old for mutant in others if run.changes_nothing(listed, "a.py", mutant, source)] == ["+"]


def test_listed_changes_have_reasons():
    assert all(reason for reason in load("run").read_listed().values())
