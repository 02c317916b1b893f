"""Work units of nerode as tasks of a Dask cluster.

A task calls the program ``nerode`` for one unit, on a folder that all machines share. A unit is a file: one that is finished is
never done again, and one that is done twice has the same bytes. So nothing is lost with a worker, the scheduler or the driver but the
units under work.
"""

from .plies import solve_plies
from .program import Program
from .sectors import solve_sectors
from .tasks import Settings, UnitFailed

__all__ = ["Program", "Settings", "UnitFailed", "solve_plies", "solve_sectors"]
