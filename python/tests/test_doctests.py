"""The examples in the documentation of all classes and functions are correct."""

import doctest
import inspect
import pkgutil
from pathlib import Path

import nerode
import pytest

PARSER = doctest.DocTestParser()
FLAGS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS


def documented():
    """Returns all documented public items by name."""
    yield "nerode", nerode.__doc__
    for name in [*nerode.__all__, "open"]:
        thing = getattr(nerode, name)
        yield name, inspect.getdoc(thing)
        if inspect.isclass(thing):
            for part, member in vars(thing).items():
                if not part.startswith("__"):
                    # A static method carries its documentation, but the descriptor in the class does not.
                    text = getattr(member if not isinstance(member, staticmethod) else getattr(thing, part), "__doc__", None)
                    yield f"{name}.{part}", text


@pytest.mark.parametrize("name,text", [(name, text) for name, text in documented() if text and ">>>" in text])
def test_examples_show_what_happens(name, text):
    test = PARSER.get_doctest(text, {}, name, None, 0)
    failed, tried = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert tried > 0 and failed == 0


def test_everything_public_is_documented():
    missing = [name for name, text in documented() if not text and not name.split(".")[-1].startswith("_")]
    fields = {"PlyDone", "UnitSolved", "StepDone", "Family", "Step"}
    assert [name for name in missing if name.split(".")[0] not in fields] == []


def test_every_public_class_function_and_member_has_an_example():
    parts = [(name, text) for name, text in documented() if not name.split(".")[-1].startswith("_")]
    # Exceptions and the fields of reports are shown where they occur.
    shown = [
        (name, text)
        for name, text in parts
        if not (inspect.isclass(thing := getattr(nerode, name.split(".")[0], None)) and issubclass(thing, (Exception, tuple)))
        and name not in ("nerode", "Answers.NO_NUMBER", "Step.changes", "Step.when", "Step.then", "Step.label")
    ]
    assert len(shown) > 90
    assert [name for name, text in shown if ">>>" not in (text or "")] == []


def test_modules_import_nothing_heavy():
    import subprocess
    import sys

    code = "import sys, nerode; print([name for name in ('numpy', 'pandas', 'tqdm', 'polars', 'pyarrow', 'networkx', 'pyspiel', 'pettingzoo') if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"
    assert len(list(pkgutil.iter_modules([str(Path(nerode.__file__).parent)]))) > 5
