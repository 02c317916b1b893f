#!/usr/bin/env python3
"""Prints the rules of impartial NoGo on a board: `nogo.py WIDTH HEIGHT > FILE.rbg`. Both players place stones of either colour, every group
must keep an empty point next to it, and a player who cannot move loses."""

import sys

width, height = map(int, sys.argv[1:])


def place(own, other):
    return (
        f"{{e}} [{own}] {{? (next {{{own}}})* next {{e}}}}\n"
        f"      {{! next {{{other}}} {{! (next {{{other}}})* next {{e}}}}}}"
    )


print(
    f"""#players = one(1), two(1)
#pieces = e, w, b
#variables =
#board = rectangle(up,down,left,right, {"".join("[" + ",".join("e" * width) + "]" for _ in range(height))})

#anywhere = ((left* + right*) (up* + down*))
#next = (up + down + left + right)

#turn(me; you) =
  ->me anywhere (
      {place("w", "b")}
    + {place("b", "w")}
  )
  ->> [$ me = 1, you = 0]

#rules = [$ two = 1] (turn(one; two) turn(two; one))*"""
)
