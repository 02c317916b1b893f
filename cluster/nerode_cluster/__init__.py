"""Work units of nerode as tasks of a Dask cluster.

A task calls the program ``nerode`` for one unit, on a folder that all machines share. The result of a unit is a file: a finished unit is
never computed again, and a unit that is computed twice has the same bytes. Therefore, if a worker, the scheduler or the driver dies, only
the units in progress are lost.
"""

from .plies import solve_plies
from .program import Program
from .sectors import solve_sectors
from .tasks import Settings, UnitFailed

__all__ = ["Program", "Settings", "UnitFailed", "solve_plies", "solve_sectors"]
