"""What goes wrong, as exceptions. The messages say what happened and what to do."""

from __future__ import annotations


class Error(Exception):
    """Whatever the engine refuses or fails at."""


class BadGame(Error, ValueError):
    """No game of that name, with those parameters, in that letter order."""


class BadPosition(Error, ValueError):
    """No position of the game."""


class BadMove(Error, ValueError):
    """No legal move of the position."""


class BadRules(Error, ValueError):
    """Rules in a text that are wrong, or descriptions of a game that contradict each other."""


class BadShape(Error, ValueError):
    """No shape, or sets of different shapes."""


class BadWord(Error, ValueError):
    """No word of the shape, or none of the set."""


class BadMoves(Error, ValueError):
    """Steps that do not fit their shape."""


class BadPattern(Error, ValueError):
    """No regular expression, or one whose automaton is too large."""


class NotSolvable(Error, ValueError):
    """What a game, or a set of options, does not allow."""


class TooManyWords(Error, OverflowError):
    """More words than 128 bits can count."""


class OutOfMemory(Error, MemoryError):
    """More memory than is allowed would be needed."""


class FileError(Error, OSError):
    """Reading or writing failed."""


class DiskFull(FileError):
    """There is no room for what is to be written."""


class DamagedFile(FileError):
    """A file that is damaged, or of another version."""


class OtherRules(FileError):
    """A directory that was made under other rules."""


class DirectoryError(FileError):
    """A directory that holds something else than what is looked for, or is to be written."""


class Busy(DirectoryError):
    """Another process writes the same."""


class NotFinished(Error):
    """A solve that has more to do before it can be asked."""


class NoSuchSet(Error, LookupError):
    """A set that the solution does not have."""


class NoSuchSector(Error, LookupError):
    """A sector that the game or the solution does not have."""
