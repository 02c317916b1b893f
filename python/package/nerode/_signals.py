"""Removes temporary folders when the process is asked to terminate."""

from __future__ import annotations

import signal
import threading
from typing import Any

from ._nerode import _remove_scratch


def watch() -> None:
    """Makes SIGTERM remove temporary folders before it terminates the process.

    A program that handles SIGTERM itself, or ignores it, keeps its handler. Only the main thread can install one, and Python calls it there
    between two instructions, so that a long call of another extension delays the end of the process.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return
    try:
        signal.signal(signal.SIGTERM, _terminate)
    except ValueError:
        # This is not the main interpreter of the process.
        return


def _terminate(number: int, _frame: Any) -> None:
    """Removes the folders and terminates the process as the default handler does."""
    _remove_scratch()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
