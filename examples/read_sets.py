"""Opens the files of nerode in plain Python and counts what they contain: a reader written from docs/src/formats.md alone.

    python3 examples/read_sets.py FILE...

Reads automata (.dfa), value maps (.map), tables (.tbl) and sectors (.sector), and prints a line of JSON for each file. Digests
are not checked; `nerode verify` checks them. Needs Python 3.14, or the program zstd.
"""

import json
import subprocess
import sys
from collections import Counter
from math import prod


def decompressed(frame):
    """Returns the content of a zstd frame."""
    try:
        from compression.zstd import decompress
        return decompress(frame)
    except ImportError:
        return subprocess.run(["zstd", "-dcq"], input=frame, stdout=subprocess.PIPE, check=True).stdout


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        self.at += length
        if self.at > len(self.data):
            raise ValueError("the file is truncated")
        return self.data[self.at - length:self.at]

    def number(self, length):
        return int.from_bytes(self.take(length), "little")

    def numbers(self, count, length):
        return [self.number(length) for _ in range(count)]

    def text(self):
        return self.take(self.number(8)).decode()

    def list(self, item):
        return [item() for _ in range(self.number(8))]


def layer(data, letters, constants):
    """Returns the rows of a layer: the targets of each state."""
    states = data.number(4)
    symbols = decompressed(data.take(data.number(4)))
    low = data.take(data.number(4))
    newest, previous, followers, rows, at = constants - 1, 0, {}, [], 0
    for state in range(states):
        row = []
        for letter in range(letters):
            symbol = symbols[letter * states + state]
            column = (previous, letter % min(letters, 8))
            predicted = followers.get(column, constants)
            width = 16 if symbol == 255 else max(symbol // 2 - 1, 0) if symbol < 64 else 0
            extra = int.from_bytes(low[at // 8:at // 8 + 5], "little") >> at % 8 & (1 << width) - 1
            at += width
            distance = (1 << width) + extra if symbol > 1 else 0
            target = predicted + (-distance if symbol % 2 else distance)
            if symbol == 0:
                target = newest = newest + 1
            elif symbol >= 64:
                target = 191 + extra if symbol == 255 else symbol - 64
            if target >= constants:
                followers[column] = target
            row.append(previous := target)
        rows.append(row)
    return rows


def words_by_code(data, letters, root, constants):
    """Returns the number of words for each constant, and the number of states."""
    layers = [layer(data, n, constants) for n in letters]
    sums = []  # for each state of the layer below, a counter of its words by constant

    def words(target, layer):
        return sums[target - constants] if target >= constants else Counter({target: prod(letters[layer:])})

    for above in range(len(layers) - 1, -1, -1):
        sums = [sum((words(target, above + 1) for target in row), Counter()) for row in layers[above]]
    return words(root, 0), sum(map(len, layers))


def automaton(data):
    words, states = words_by_code(data, data.numbers(data.number(4), 2), data.number(4), 2)
    return {"kind": "automaton", "words": words[1], "states": states}


def value_map(data):
    letters, codes = [data.numbers(data.number(4), 2) for _ in range(2)]
    words, states = words_by_code(data, letters, data.number(4), len(codes))
    return {"kind": "value map", "words": {codes[n]: words[n] for n in sorted(words)}, "states": states}


def value(code):
    return {0: "draw", 65533: "loss", 65534: "win", 65535: "unknown"}.get(code, ["win", "loss"][code % 2])


def table(data, version):
    header = Bytes(data.take(data.number(4)))
    found, counts = {"kind": f"table, version {version}", "game": header.text()}, Counter()
    if version == 1:
        header.text(), header.text()
        header.list(lambda: header.number(2)), header.list(lambda: header.list(lambda: header.number(1)))
        counts.update(map(value, data.numbers(2 * header.number(8), 2)))
    elif version == 2:
        header.text(), header.text(), header.text(), header.number(1), header.numbers(2, 8)
        plies, found["plies"] = header.list(lambda: header.numbers(2, 8)), []
        for number, length in plies:
            found["plies"].append(opened(Bytes(data.take(length)))["words"])
            counts.update(map(value, data.numbers(number, 2)))
    else:
        header.text(), header.number(1) and header.text(), header.text(), header.text()
        header.list(lambda: header.number(2))
        key = header.number(4)
        counts.update(value(int.from_bytes(data.take(key + 2)[key:], "little")) for _ in range(header.number(8)))
    return {**found, "positions": counts}


def sector(data):
    header = Bytes(data.take(data.number(4)))
    found = {"kind": "sector", "game": header.text(), "fingerprint": header.text(), "sector": header.numbers(4, 1)}
    width, slots = header.number(1), header.number(8)
    blocks = -(-slots * width // 262144)
    lengths = Bytes(data.data[len(data.data) - 32 - 4 * blocks:]).numbers(blocks, 4)
    codes = Bytes(b"".join(decompressed(data.take(length)) for length in lengths)).numbers(slots, width)
    names = {(1 << 8 * width) - 1: "hole", (1 << 8 * width) - 2: "draw"}
    return {**found, "slots": Counter(names.get(code, ["loss", "win"][code % 2]) for code in codes)}


def opened(data):
    """Returns a description of a file of any kind."""
    kind = magic, version = data.take(8), data.number(4)
    if magic == b"NERODTBL" and version in (1, 2, 3):
        return table(data, version)
    readers = {(b"NERODFA\n", 2): automaton, (b"NERODVM\n", 2): value_map, (b"NERODSEC", 2): sector}
    if kind not in readers:
        raise ValueError("this is not a file of a known kind and version")
    return readers[kind](data)


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        print(json.dumps({"file": path, **opened(Bytes(file.read()))}))
