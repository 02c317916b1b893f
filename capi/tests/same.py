"""Compares the look-ups of the library with those of the program: `same.py FOUND EXPECTED`.

FOUND has lines `position, value, depth` with `<=` before a bound, and EXPECTED has the lines of `nerode query --batch`.
"""

import json
import sys


def main():
    found = [line.rstrip("\n").split("\t") for line in open(sys.argv[1], encoding="utf-8")]
    expected = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
    assert found and len(found) == len(expected), f"{len(found)} and {len(expected)} lines"
    for (position, value, depth), line in zip(found, expected):
        assert position == line["position"], f"{position} and {line['position']}"
        assert value == line["category"], f"{position}: {value}, not {line['category']}"
        plies = line.get("dtw")
        if depth.startswith("<="):
            # The program searches for exact depths, and lowers a bound where its time does not suffice.
            known = line["dtw_at_most"] if plies is None else plies
            assert known <= int(depth[2:]), f"{position}: depth {depth}, not {known}"
        elif value in ("win", "loss"):
            assert plies == int(depth), f"{position}: depth {depth}, not {plies}"
    print(f"{len(found)} positions agree")


if __name__ == "__main__":
    main()
