"""positions.py ID N: prints N positions of random games."""

import random
import sys

from common import at, document

solution, wanted = sys.argv[1], int(sys.argv[2])
random.seed(1)
found = set()
while len(found) < wanted:
    position = "start"
    for ply in range(60):
        answer = document(at(solution, position))
        if not answer["moves"]:
            break
        if ply:
            found.add(answer["position"])
        position = random.choice(answer["moves"])["position"]
for position in sorted(found):
    print(position)
