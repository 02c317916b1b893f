"""one_by_one.py ID LIST N PID: measures the first answers of a service that has just started, in milliseconds."""

import http.client
import random
import sys
import time

from common import at, mebibytes

solution, count, pid = sys.argv[1], int(sys.argv[3]), sys.argv[4]
with open(sys.argv[2]) as file:
    positions = file.read().splitlines()
random.seed(2)
connection = http.client.HTTPConnection("127.0.0.1", 7980)
times = []
for position in random.sample(positions, count):
    begun = time.perf_counter()
    connection.request("GET", at(solution, position))
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    times.append((time.perf_counter() - begun) * 1000)
first, rest = times[0], sorted(times[1:])
print(f"first {first:.1f} ms; then half under {rest[len(rest) // 2]:.2f}, 99 % under {rest[int(len(rest) * 0.99)]:.1f}, all under {rest[-1]:.1f} ms; {mebibytes(pid)} MiB")
