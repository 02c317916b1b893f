"""Opens the files of nerode in plain Python and counts their contents: a reader written from docs/src/formats.md alone.

`python3 examples/read_sets.py FILE...` prints a line of JSON for each automaton, value map, table, sector, packed sector, file of
packed positions, or file of bounds. Packed positions do not contain the numbers of letters, so an automaton of the game comes first.
"""
import json, subprocess, sys
from collections import Counter
from math import comb, prod
try:
    from compression.zstd import decompress
except ImportError:  # before Python 3.14
    def decompress(frame):
        return subprocess.run(["zstd", "-dcq"], input=frame, stdout=subprocess.PIPE, check=True).stdout

class Bytes:
    def __init__(self, data): self.data, self.at = data, 0
    def number(self, length): return int.from_bytes(self.take(length), "little")
    def numbers(self, count, length): return [self.number(length) for _ in range(count)]
    def text(self): return self.take(self.number(8)).decode()
    def list(self, item): return [item() for _ in range(self.number(8))]
    def take(self, length):
        self.at += length
        if self.at > len(self.data): raise ValueError("the file is truncated")
        return self.data[self.at - length:self.at]
class Bits(Bytes):
    def number(self, width):  # from the lowest bit of each byte up
        start, self.at = self.at, self.at + width
        return int.from_bytes(self.data[start // 8:(self.at + 7) // 8], "little") >> start % 8 & (1 << width) - 1
def split(targets, letters): return [targets[at:at + letters] for at in range(0, len(targets), letters)]
def layer(data, letters, constants):  # the rows of its states
    states = data.number(4)
    symbols, low = decompress(data.take(data.number(4))), Bits(data.take(data.number(4)))
    newest, previous, followers, targets = constants - 1, 0, {}, []
    for place in range(states * letters):
        symbol = symbols[place % letters * states + place // letters]
        column, z = (previous, place % letters % 8), symbol // 2
        if symbol == 0: target = newest = newest + 1
        elif symbol >= 64: target = 191 + low.number(16) if symbol == 255 else symbol - 64
        else:
            distance = (1 << z - 1) + low.number(z - 1) if z else 0
            target = followers.get(column, constants) + (-distance if symbol % 2 else distance)
        if target >= constants: followers[column] = target
        targets.append(previous := target)
    return split(targets, letters)
def words(root, letters, layers, constants):  # the number of words for each constant; other targets are states
    below, of = [], lambda target, at: below[target - constants] if target >= constants else Counter({target: prod(letters[at:])})
    for at in range(len(layers), 0, -1): below = [sum((of(target, at) for target in row), Counter()) for row in layers[at - 1]]
    return of(root, 0)
def automaton(data, is_map=False):
    LETTERS[:] = data.numbers(data.number(4), 2)
    codes = data.numbers(data.number(4), 2) if is_map else [0, 1]
    root, layers = data.number(4), [layer(data, n, len(codes)) for n in LETTERS]
    counts, states = words(root, LETTERS, layers, len(codes)), sum(map(len, layers))
    counts, kind = ({codes[n]: counts[n] for n in counts}, "value map") if is_map else (counts[1], "automaton")
    return {"kind": kind, "words": counts, "states": states}
def table(data, version):
    value = lambda code: {0: "draw", 65533: "loss", 65534: "win", 65535: "unknown"}.get(code, ["win", "loss"][code % 2])
    header, counts, plies = Bytes(data.take(data.number(4))), Counter(), []
    found = {"kind": f"table, version {version}", "game": header.text()}
    header.text(), version == 3 and header.number(1) and header.text(), header.text(), version > 1 and header.text()
    if version == 1:
        header.list(lambda: header.number(2)), header.list(lambda: header.list(lambda: header.number(1)))
        counts.update(map(value, data.numbers(2 * header.number(8), 2)))
    elif version == 2:
        header.take(17)
        for number, length in header.list(lambda: header.numbers(2, 8)):
            plies.append(opened(Bytes(data.take(length)))["words"])
            counts.update(map(value, data.numbers(number, 2)))
    else:
        _, key = header.list(lambda: header.number(2)), header.number(4)
        counts.update(value(int.from_bytes(data.take(key + 2)[key:], "little")) for _ in range(header.number(8)))
    return {**found, "plies": plies, "positions": counts}
def sector(data):
    header = Bytes(data.take(data.number(4)))
    found = {"kind": "sector", "game": header.text(), "fingerprint": header.text(), "sector": header.numbers(4, 1)}
    width, slots = header.number(1), header.number(8)
    lengths = Bytes(data.data[len(data.data) - 32 - 4 * -(-slots * width // 262144):-32])
    codes = Bytes(b"".join(decompress(data.take(n)) for n in lengths.numbers(len(lengths.data) // 4, 4)))
    names = {(1 << 8 * width) - 1: "hole", (1 << 8 * width) - 2: "draw"}
    return {**found, "slots": Counter(names.get(code, ["loss", "win"][code % 2]) for code in codes.numbers(slots, width))}
def packed_sector(data):
    rules, sector, (root, _, probe, points) = data.take(32), data.numbers(4, 1), data.numbers(4, 1)
    _, free, stones, classes = data.take(points), points - sector[root], sector[1 - root], data.number(4)
    codes, common, last = data.numbers(data.number(2), 2), data.numbers(2, 2), min(free, 5)
    rare = [n for n in range(len(codes)) if n not in common]
    states = {(p, s): data.number(4) for p in range(free, last - 1, -1) for s in range(stones + 1)}
    inner = [(p, s) for p, s in states if p > last and s]  # these stages have two edges a state
    spans = [(classes, (free, stones))] + [(states[p, s], (p - 1, s - stone)) for p, s in inner for stone in (0, 1)]
    edges, width = sum(edges for edges, _ in spans), (len(codes) - 1).bit_length()
    row_bits = width * sum(states[last, s] * comb(last, s) for s in range(stones + 1))
    pages = split(range(-(-edges // 2048) + -(-row_bits // 16384)), 128)
    data.take(8 * len(spans) + 8 * len(pages))
    pages = [(len(page), Bytes(data.take(8 + 8 * len(page) + 8 * -(-len(page) // 4))[8 + 8 * len(page):])) for page in pages]
    lengths = [length for number, page in pages for length in page.numbers(number, 2)]
    at, newest, targets = -1, Counter(), []
    for count, stage in spans:  # codes are negative: ~n is the code with the number n
        targets.append([])
        for at in range(at + 1, at + 1 + count):
            if at % 2048 == 0:
                block = Bytes(data.take(8 * lengths.pop(0))[16:])
                marks, pointers = block.numbers(2 * -(-min(2048, edges - at) // 64), 8), Bits(block.data[block.at:])
            high, low = (word >> at % 64 & 1 for word in marks[at % 2048 // 64 * 2:at % 2048 // 64 * 2 + 2])
            number = pointers.number(max(len(rare) + states[stage] - 1, 0).bit_length()) - len(rare) if high and low else 0
            targets[-1].append(~common[low] if not high else newest[stage] if not low else number if number >= 0 else ~rare[number])
            newest[stage] += high > low
    rows = Bits(data.take(8 * sum(lengths)))
    row = lambda s: Counter(codes[n] for n in rows.numbers(comb(last, s), width))
    counts = {(last, s): [row(s) for _ in range(states[last, s])] for s in range(stones + 1)}
    of = lambda n, stage: counts[stage][n] if n >= 0 else Counter({codes[~n]: comb(*stage)})
    for p, s in reversed(inner):
        stone, empty = targets.pop(), targets.pop()
        counts[p, s] = [of(a, (p - 1, s)) + of(b, (p - 1, s - 1)) for a, b in zip(empty, stone)]
    found = sum((of(n, (free, stones)) for n in targets[0]), Counter())
    return {"kind": "packed sector", "sector": sector, "probe": probe, "root": root, "words": found}
def packed_map(data, at, length, index_length, _):
    index, targets, base, layers = Bytes(data[at + length:at + length + index_length]), [], 0, []
    codes, states = index.take(index.number(1)), index.numbers(len(LETTERS), 4)
    edges = sum(count * letters for count, letters in zip(states, LETTERS))
    for size in index.numbers(-(-edges // 2048), 2):
        block, number, at = Bytes(data[at:at + size]), min(2048, edges - len(targets)), at + size
        newest, first, width, few = block.number(4), block.number(4), block.number(1), block.number(1)
        high, low, pointers = *(Bits(block.take(-(-number // 8))) for _ in (0, 1)), Bits(block.data[block.at:])
        for mark in (2 * high.number(1) + low.number(1) for _ in range(number)):
            pointer, newest = pointers.number(width) if mark == 3 else 0, newest + (mark == 2)
            targets.append([~0, ~1, newest, ~(2 + pointer) if pointer < few else first + pointer - few][mark])
    for count, letters in zip(states, LETTERS):
        base, rows, targets = base + count, targets[:count * letters], targets[count * letters:]
        layers.append(split([~n if n < 0 else n - base + len(codes) for n in rows], letters))
    return {codes[n]: count for n, count in words(len(codes) if edges else 0, LETTERS, layers, len(codes)).items()}
def packed_positions(data):
    end = len(data.data) - 68
    header = Bytes(data.data[end - int.from_bytes(data.data[end:end + 4], "little"):end])
    game, *_ = header.text(), header.text(), header.text(), header.text(), header.take(5), header.list(lambda: header.numbers(header.number(8), 2))
    plies = header.list(lambda: (header.number(1) and header.number(4), header.number(4), header.number(4)))
    maps = [packed_map(data.data, *place) for place in header.list(lambda: (header.numbers(4, 8), header.take(32))[0])]
    return {"kind": "packed positions", "game": game, "plies": [[maps[n] for n in ply[1:]] for ply in plies]}
def opened(data):
    if data.data[:4] == b"\x28\xb5\x2f\xfd":  # a zstd frame
        names = ["not reached", "win", "draw", "loss", "win or draw", "draw or loss", "unknown"]
        return {"kind": "bounds", "slots": Counter(names[code] for code in decompress(data.data))}
    magic, version = data.take(8), data.number(4)
    readers = {(b"NERODTBL", n): lambda data: table(data, version) for n in (1, 2, 3)} | {
        (b"NERODFA\n", 2): automaton, (b"NERODVM\n", 2): lambda data: automaton(data, True), (b"NERODSEC", 2): sector,
        (b"NERODSF\n", 2): packed_sector, (b"NERODRPK", 1): packed_positions}
    if (magic, version) not in readers: raise ValueError("this is not a file of a known kind and version")
    return readers[magic, version](data)
LETTERS = []  # the number of letters of each layer of the last automaton
for path in sys.argv[1:]:
    with open(path, "rb") as file: print(json.dumps({"file": path, **opened(Bytes(file.read()))}))
