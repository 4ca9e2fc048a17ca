"""What commands share: exit codes, one sentence for an error, names in a list."""

import io
import json
import os
import signal
import sys
import threading

import pytest
import typer

from partita import _progress
from partita.cli.app import (
    EXIT_CODES,
    _choose_progress,
    _show_version,
    answer,
    app as application,
    command_line,
    friendly_errors,
    note,
    split_names,
)


def raising(error):
    def fail():
        with friendly_errors("Nothing was kept."):
            raise error

    return fail


def terminated():
    with friendly_errors("Nothing was kept."):
        os.kill(os.getpid(), signal.SIGTERM)
        signal.sigtimedwait([], 5)


@pytest.mark.parametrize(
    ("fail", "code", "said"),
    [
        (raising(ValueError("k must be 2.")), 2, "Error: k must be 2.\n"),
        (raising(TypeError("no")), 2, "Error: no\n"),
        (raising(OSError("no")), 2, "Error: no\n"),
        (raising(MemoryError("no")), 2, "Error: no\n"),
        (raising(ImportError("no")), 2, "Error: no\n"),
        (raising(KeyboardInterrupt()), 130, "\nNothing was kept.\n"),
        (terminated, 143, "\nNothing was kept.\n"),
    ],
)
def test_errors_end_with_a_sentence_and_a_code(capsys, fail, code, said):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(typer.Exit) as ended:
        fail()
    assert ended.value.exit_code == code
    assert capsys.readouterr().err == said
    assert signal.getsignal(signal.SIGTERM) is before


class Gone(io.StringIO):
    def fileno(self):
        return 77


def test_output_that_nobody_reads_ends_quietly(monkeypatch, capsys):
    moved = []
    with monkeypatch.context() as patched:
        patched.setattr(os, "dup2", lambda _, to: moved.append(to))
        patched.setattr(sys, "stdout", Gone())
        with pytest.raises(typer.Exit) as ended:
            raising(BrokenPipeError())()
    assert ended.value.exit_code == 141
    assert moved == [77]
    assert capsys.readouterr().err == ""


def test_every_code_is_explained():
    assert sorted(EXIT_CODES) == [0, 2, 130, 141, 143]
    for code, meaning in EXIT_CODES.items():
        assert f"{code}, {meaning}" in application.info.epilog


def test_other_errors_are_bugs_and_show():
    with pytest.raises(ZeroDivisionError):
        raising(ZeroDivisionError())()
    assert application.pretty_exceptions_enable is False
    assert application.info.no_args_is_help is True


def test_another_thread_may_run_a_command():
    codes = []

    def run():
        try:
            raising(ValueError("no"))()
        except typer.Exit as ended:
            codes.append(ended.exit_code)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert codes == [2]


def test_answers_are_for_people_or_for_machines(capsys):
    answer({"k": 3}, "Three.", False)
    answer({"k": 3}, "Three.", True)
    note("Beside.")
    out, err = capsys.readouterr()
    assert (out, err) == (f"Three.\n{json.dumps({'k': 3})}\n", "Beside.\n")


def test_names_are_separated_by_commas():
    assert split_names(None) is None
    assert split_names(" a, b,,c ") == ["a", "b", "c"]


def test_the_command_is_written_as_typed(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/bin/partita", "cluster", "my data.csv", "--resume"])
    assert command_line() == "partita cluster 'my data.csv' --resume"
    assert command_line("--resume") == "partita cluster 'my data.csv'"


@pytest.mark.parametrize("quiet", [True, False])
def test_quiet_says_nothing_of_progress_while_the_command_runs(quiet):
    before = dict(_progress._shown)
    with typer.Context(typer.main.get_command(application)) as context:
        _choose_progress(context, quiet)
        assert _progress._shown == {"bars": not quiet, "lines": not quiet}
    assert _progress._shown == before


def test_the_version_is_printed_where_it_is_wanted(capsys):
    _show_version(False)
    assert capsys.readouterr().out == ""
    with pytest.raises(typer.Exit):
        _show_version(True)
    assert capsys.readouterr().out.startswith("partita ")
