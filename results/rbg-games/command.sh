#!/bin/sh
# Solves and checks the games of solves.csv, counts moves for perft.csv. Usage: command.sh PROGRAM DIRECTORY
set -eu
program=$1
runs=$2
solve() {
    name=$1
    shift
    "$program" solve "$@" --run-dir "$runs/$name" --threads 1 --memory 6GiB --json --quiet
    "$program" verify "$runs/$name" --threads 1 --memory 4GiB --quiet
}
solve tictactoe rbg:tictactoe
solve dodgem rbg:dodgem
solve connectfour rbg:connectfour
solve hex4x4 rbg:hex
solve foxandhounds rbg:foxandhounds
solve reversi-meet rbg:reversi --method meet --plies 40
solve knightthrough4x4 rbg:knightthrough --board 4x4
solve knightthrough4x5 rbg:knightthrough --board 4x5
solve knightthrough5x5 rbg:knightthrough
solve breakthrough4x5 rbg:breakthrough --board 4x5
solve breakthrough5x5 rbg:breakthrough
solve laukatakati2 rbg:laukatakati --bound quiet=2
solve dashguti2 rbg:dashguti --bound quiet=2
for game in tictactoe connectfour breakthrough knightthrough clobber amazons reversi hex dodgem foxandhounds laukatakati pretwa dashguti \
    alquerque draughts; do
    "$program" perft "rbg:$game" --depth 4
    "$program" reach "rbg:$game" --plies 4 --threads 1 --memory 3GiB
done
