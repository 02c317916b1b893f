"""batches.py ID LIST PID: measures positions per second in batches, with and without moves."""

import sys
import time

from common import ask, cpu, mebibytes

solution, pid = sys.argv[1], sys.argv[3]
with open(sys.argv[2], "rb") as file:
    once = file.read()
body = once * (4_000_000 // len(once))
count = body.count(b"\n")
for how in ("", "?moves=true"):
    rates = []
    for _ in range(3):
        begun, before = time.time(), cpu(pid)
        status, _, answer = ask(f"/api/v1/{solution}{how}", body)
        assert status == 200 and answer.count(b"\n") == count
        rates.append((count / (time.time() - begun), count / (cpu(pid) - before)))
    by_clock, by_cpu = sorted(rates)[1]
    print(f"{count} positions{' with all moves' if how else ''}: {by_clock:.0f} a second, {by_cpu:.0f} a second of processor time; {mebibytes(pid)} MiB")
