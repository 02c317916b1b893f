#!/usr/bin/env python3
"""Ranks games by leverage: rank.py [NAME@]FILE.json ... prints two tables and writes reach.csv and forms.csv in its folder.

Reads JSON documents of the program, which differ in their fields: from `reach` and `solve --method meet` the positions and states
of R_i by ply; from `compare` the bytes of every form (the game is NAME if it is given, and otherwise that of the document).
The exponent is that of paper 004, section 5.2: ln(states) / ln(positions) of the reachable set with the most states.
"""
import csv
import json
import math
import pathlib
import sys


def exponent(states, positions):
    return math.log(states) / math.log(positions) if positions > 1 else float("nan")


def fitted(points):
    """Slope of ln(states) over ln(positions): what a further ply of growth costs, a constant factor left out."""
    points = [(math.log(p), math.log(s)) for p, s in points if p > 1 and s > 0]
    mean = [sum(point[i] for point in points) / len(points) for i in (0, 1)]
    over = sum((x - mean[0]) * (y - mean[1]) for x, y in points)
    under = sum((x - mean[0]) ** 2 for x, _ in points)
    return over / under if under else float("nan")


def reach_row(document, path):
    from_ply = document.get("legal_from")
    plies = [p for p in document["plies"] if from_ply is None or p["ply"] < from_ply]
    points = [(int(p["positions"]), int(p["num_states"])) for p in plies]
    top = max(range(len(points)), key=lambda i: points[i][1])
    positions, states = points[top]
    return {
        "game": document["game"],
        "order": document.get("order", ""),
        "plies": len(points) - 1,
        "ply": plies[top]["ply"],
        "positions": positions,
        "states": states,
        "positions_per_state": round(positions / states, 3),
        "exponent": round(exponent(states, positions), 3),
        "slope_up_to_there": round(fitted(points[: top + 1]), 3),
        "source": path.name,
    }


# Names of forms, and longer ones that records made before November 2026 have.
FORMS = {
    "automata": "automaton",
    "automaton on disk": "automaton",
    "bdd": "bdd",
    "BDD": "bdd",
    "2-bit": "explicit_2_bits",
    "2 bits/position": "explicit_2_bits",
    "run-length": "run_length",
    "zstd": "zstd",
}


def forms_row(document, name):
    row = {"game": name}
    for form in document["forms"]:
        for name, column in FORMS.items():
            if form["form"].startswith(name) and form["bytes"] is not None:
                row[column] = int(form["bytes"])
                if column == "automaton":
                    row["positions_per_byte"] = form["positions_per_byte"]
    others = [row[c] for c in ("bdd", "explicit_2_bits", "run_length", "zstd") if c in row]
    if others and "automaton" in row:
        row["best_other_by_automaton"] = round(min(others) / row["automaton"], 2)
    return row


def emit(rows, name):
    here = pathlib.Path(__file__).resolve().parent
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with open(here / name, "w", newline="") as out:
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for row in rows:
        cells = [row.get(c, "") for c in columns]
        cells = [f"{c:.4g}" if isinstance(c, float) else str(c) for c in cells]
        print("| " + " | ".join(cells) + " |")
    print()


def main():
    reach, forms = [], []
    for argument in sys.argv[1:]:
        name, _, file = argument.rpartition("@")
        path = pathlib.Path(file)
        document = json.loads(path.read_text())
        if "forms" in document:
            forms.append(forms_row(document, name or document["game"]))
        elif document.get("plies"):
            reach.append(reach_row(document, path))
        else:
            sys.exit(f"{path}: neither a reach, a meet nor a compare document")
    if reach:
        emit(sorted(reach, key=lambda row: row["exponent"]), "reach.csv")
    if forms:
        emit(sorted(forms, key=lambda row: -row.get("positions_per_byte", 0)), "forms.csv")


if __name__ == "__main__":
    main()
