"""The exceptions of the package. Their messages explain what happened and how to fix it."""

from __future__ import annotations


class Error(Exception):
    """The base class of all errors."""


class BadGame(Error, ValueError):
    """The name, the parameters or the letter order of a game is invalid."""


class BadPosition(Error, ValueError):
    """A position does not belong to the game."""


class BadMove(Error, ValueError):
    """A move is not legal in the position."""


class BadRules(Error, ValueError):
    """The text of the rules is invalid, or two descriptions of a game contradict each other."""


class BadShape(Error, ValueError):
    """A shape is invalid, or sets have different shapes."""


class BadWord(Error, ValueError):
    """A word does not fit the shape, or is not in the set."""


class BadMoves(Error, ValueError):
    """Steps do not fit their shape."""


class BadPattern(Error, ValueError):
    """A regular expression is invalid, or its automaton is too large."""


class NotSolvable(Error, ValueError):
    """The game does not support the options, or the options exclude each other."""


class TooManyWords(Error, OverflowError):
    """The number of words does not fit into 128 bits."""


class OutOfMemory(Error, MemoryError):
    """The operation needs more memory than is allowed."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class DiskFull(FileError):
    """The disk does not have enough free space."""


class DamagedFile(FileError):
    """A file is damaged or has another version."""


class OtherRules(FileError):
    """A directory was created under other rules."""


class DirectoryError(FileError):
    """A directory contains something other than what is expected, or cannot be replaced."""


class Busy(DirectoryError):
    """Another process is writing to the same directory."""


class NotFinished(Error):
    """A solve is unfinished and cannot be queried yet."""


class NoSuchSet(Error, LookupError):
    """The solution does not have the set."""


class NoSuchSector(Error, LookupError):
    """The game or the solution does not have the sector."""
