#!/bin/sh
# Compares counts of moves with those of rbg2cpp, the compiler of the authors of the language, and prints a row of CSV for each file.
# Usage: reference.sh PROGRAM RBG2CPP DEPTH FILE...
# RBG2CPP is its folder, with the program bin/rbg2cpp. A step of a file may take a minute.
set -u
program=$1
reference=$(realpath "$2")
depth=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "file,plies,paths,reference,same"
for file; do
    rm -f "$work"/*
    ours=$(timeout 60 "$program" perft "$file" --depth "$depth" --json --quiet 2>/dev/null |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["plies"][-1]["paths"])' 2>/dev/null)
    sed "s/DEPTH = 3/DEPTH = $depth/; s/DEPTH\*4/1000/" "$reference/test/perft.cpp" >"$work/perft.cpp"
    path=$(realpath "$file")
    theirs=$(
        cd "$work" && timeout 60 "$reference/bin/rbg2cpp" -o reasoner "$path" >/dev/null 2>&1 &&
            timeout 60 g++ -O1 -std=gnu++14 -include cstdint -include sys/types.h -o perft perft.cpp reasoner.cpp >/dev/null 2>&1 &&
            timeout 60 ./perft | sed -n 's/^Perft: //p'
    )
    case "$ours,$theirs" in
    ,* | *,) same="not compared" ;;
    *) if [ "$ours" = "$theirs" ]; then same=yes; else same=no; fi ;;
    esac
    echo "$(basename "$file"),$depth,$ours,$theirs,$same"
done
