"""cpu.py PID COMMAND...: runs a command, and prints the processor time that the process used in the meantime."""

import subprocess
import sys
import time

from common import cpu, mebibytes

pid = sys.argv[1]
before, begun = cpu(pid), time.time()
subprocess.run(sys.argv[2:], check=True)
print(f"the service took {cpu(pid) - before:.2f} s of processor time in {time.time() - begun:.1f} s, and {mebibytes(pid)} MiB")
