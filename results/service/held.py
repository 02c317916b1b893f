"""held.py ID LIST PID: requests ten positions, each 250 times a second for 15 seconds, with hey."""

import random
import re
import subprocess
import sys

from common import BASE, at, cpu

solution, pid = sys.argv[1], sys.argv[3]
with open(sys.argv[2]) as file:
    positions = file.read().splitlines()
random.seed(3)
before = cpu(pid)
# hey asks one address: so ten of it run at the same time.
runs = [
    subprocess.Popen(["hey", "-z", "15s", "-c", "2", "-q", "125", BASE + at(solution, position)], stdout=subprocess.PIPE, text=True)
    for position in random.sample(positions, 10)
]
rate, worst, statuses = 0.0, 0.0, set()
for run in runs:
    text = run.communicate()[0]
    rate += float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    worst = max(worst, float(re.search(r"99% in ([\d.]+)", text).group(1)))
    statuses.update(re.findall(r"\[(\d+)\]\s+\d+ responses", text))
print(f"{rate:.0f} a second; 99 % under {worst * 1000:.1f} ms (the worst of ten); statuses {sorted(statuses)}; {cpu(pid) - before:.2f} s of processor time")
