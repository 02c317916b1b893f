#!/bin/sh
# Solves and checks the games of solves.csv, and counts moves for perft.csv. Usage: command.sh PROGRAM DIRECTORY
# Games that are not solved in 15 minutes are omitted.
set -u
program=$1
runs=$2
here=$(dirname "$0")
solve() {
    name=$1
    shift
    timeout 900 "$program" solve "$@" --run-dir "$runs/$name" --threads 1 --memory 6GiB --json --quiet || return 0
    timeout 900 "$program" verify "$runs/$name" --threads 1 --memory 4GiB --quiet
}
solve tictactoe rbg:tictactoe
solve dodgem rbg:dodgem
solve connectfour rbg:connectfour
solve hex4x4 rbg:hex
solve hex5x5 rbg:hex --board 5x5
solve foxandhounds rbg:foxandhounds
solve reversi-meet rbg:reversi --method meet --plies 40
solve knightthrough4x4 rbg:knightthrough --board 4x4
solve knightthrough4x5 rbg:knightthrough --board 4x5
solve knightthrough5x5 rbg:knightthrough
solve knightthrough6x5 rbg:knightthrough --board 6x5
solve breakthrough4x4 rbg:breakthrough --board 4x4
solve breakthrough4x5 rbg:breakthrough --board 4x5
solve breakthrough5x5 rbg:breakthrough
solve clobber4x4 rbg:clobber --board 4x4
solve clobber4x5 rbg:clobber --board 4x5
solve amazons-1each rbg:amazons --start .b../4/4/..w._white
solve amazons-2each rbg:amazons --start .b../b.../...w/..w._white --method meet
solve draughts4x4 rbg:draughts --board 4x4 --start .b.b/4/4/w.w._black
solve draughts5x5-3each rbg:draughts --board 5x5 --start b.b.b/5/5/5/w.w.w_black --method meet
solve draughts6x6-3each rbg:draughts --bound quiet=5 --start .b.b.b/6/6/6/6/w.w.w._black --method meet
for bound in 2 5 10 20; do
    solve "laukatakati$bound" rbg:laukatakati --bound "quiet=$bound" --method meet
    solve "dashguti$bound" rbg:dashguti --bound "quiet=$bound" --method meet
done
solve laukatakati-free "$here/laukatakati-free.rbg"
solve pretwa3each rbg:pretwa --bound quiet=10 --start .............bbwwwb_white --method meet
solve pretwa6each rbg:pretwa --bound quiet=5 --start .......bbwwwbbbwwwb_white --method meet
solve alquerque3each rbg:alquerque --bound quiet=5 --start b.b.b...............w.w.w_white --method meet
for game in tictactoe connectfour breakthrough knightthrough clobber amazons reversi hex dodgem foxandhounds laukatakati pretwa dashguti \
    alquerque draughts; do
    "$program" perft "rbg:$game" --depth 4
    "$program" reach "rbg:$game" --plies 4 --threads 1 --memory 3GiB
done
