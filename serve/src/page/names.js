// The names of games, a line about their rules, and the appearance of their boards.

/** For each family or rules file: its name, and its rules in a line. */
const GAMES = {
  tictactoe: ["Tic-tac-toe", "Place marks in turn; a line of your marks wins."],
  breakthrough: ["Breakthrough", "Move pawns forward and capture diagonally; the first pawn on the far rank wins."],
  connect: ["Connect Four", "Drop discs into columns; four of yours in a line win."],
  othello: ["Othello", "Outflank discs to turn them over; the side with more discs wins."],
  amazons: ["Game of the Amazons", "Move like a queen, then shoot an arrow that blocks a square; the last side to move wins."],
  nim: ["Nim", "Take any number of objects from one heap; taking the last object wins."],
  morris: ["Morris", "Close a mill of three stones to capture a stone; a side with two stones has lost."],
  chess: ["Chess endgame", "Chess with few pieces; checkmate wins."],
  "rbg:alquerque": ["Alquerque", "Jump over stones to capture them."],
  "rbg:amazons": ["Game of the Amazons", "Move like a queen, then shoot an arrow that blocks a square."],
  "rbg:breakthrough": ["Breakthrough", "The first pawn on the far rank wins."],
  "rbg:clobber": ["Clobber", "Move onto an adjacent enemy stone; the last side to move wins."],
  "rbg:connectfour": ["Connect Four", "Drop discs into columns; four of yours in a line win."],
  "rbg:dashguti": ["Das guti", "Jump over stones to capture them."],
  "rbg:dodgem": ["Dodgem", "Drive your cars off the far edge, and block those of the other side."],
  "rbg:domineering": ["Domineering", "Place dominoes, one side vertically, the other horizontally; the last side to move wins."],
  "rbg:draughts": ["Draughts", "Jump over men to capture them; a side without a move has lost."],
  "rbg:foxandhounds": ["Fox and hounds", "The fox runs for the far edge, and the hounds enclose it."],
  "rbg:hex": ["Hex", "Connect your two edges with a chain of stones."],
  "rbg:hexapawn": ["Hexapawn", "Reach the far rank, or leave the other side without a move."],
  "rbg:knightthrough": ["Knightthrough", "The first knight on the far rank wins."],
  "rbg:laukatakati": ["Lau kata kati", "Jump over stones to capture them."],
  "rbg:mutorere": ["M\u016b t\u014drere", "Block all stones of the other side."],
  "rbg:pretwa": ["Pretwa", "Jump over stones to capture them."],
  "rbg:reversi": ["Reversi", "Outflank discs to turn them over; the side with more discs wins."],
  "rbg:tictactoe": ["Tic-tac-toe", "Place marks in turn; a line of your marks wins."],
};

const MORRIS = { three: "Three men\u2019s morris", six: "Six men\u2019s morris", nine: "Nine men\u2019s morris", eleven: "Eleven men\u2019s morris", twelve: "Twelve men\u2019s morris", morabaraba: "Morabaraba", lasker: "Lasker morris" };

/** The goal edges of hexagonal boards: for each direction of a side of the board, its owner. */
const EDGES = { "rbg:hex": { nw: "P1", se: "P1", ne: "P2", sw: "P2" } };

/** What each side plays in games whose rules do not name the sides. */
const PIECES = {
  tictactoe: ["crosses", "noughts"], breakthrough: ["white", "black"], othello: ["black", "white"], amazons: ["white", "black"], morris: ["white", "black"], chess: ["white", "black"],
};

/** Names of players that are colours, and the classes of their pieces. */
const COLOURS = ["red", "blue", "green", "yellow", "orange", "purple"];

/** Returns the name of a game, its parameters, and its rules in a line. */
export function gameOf(spec) {
  const [family, ...rest] = (spec ?? "").split(":");
  const key = family === "rbg" ? `rbg:${(rest[0] ?? "").split(/[,\s]/)[0]}` : family;
  const parameters = family === "rbg" ? rest.join(":").split(",").slice(1).join(", ") : rest.join(":").split(",").join(", ");
  const [name, line] = GAMES[key] ?? [key.replace(/^rbg:/, "").replace(/^.*\//, "").replace(/\.rbg$/, ""), "Rules from a file."];
  const variant = family === "morris" ? parameters.split(", ")[0] : "";
  const row = /row=(\d+)/.exec(parameters)?.[1];
  return {
    name: MORRIS[variant] ?? (family === "connect" && row && row !== "4" ? `Connect ${row}` : name), line,
    detail: parameters.replace(MORRIS[variant] ? variant : "", "").replace(/^, /, "").replace(/(\d)x(?=\d)/g, "$1\u202f\u00d7\u202f").replace(/start=.*/, "small board").replace("board=", "on "),
  };
}

/** Returns the whole name of a game in a line. */
export const titleOf = (spec) => [gameOf(spec).name, gameOf(spec).detail].filter(Boolean).join(" ");

/** Returns the appearance of a board that its picture does not contain. */
export function skinOf(spec, sides) {
  const family = (spec ?? "").split(":")[0], key = (spec ?? "").split(/[,\s]/)[0];
  const colours = {};
  for (const [at, side] of ["P1", "P2"].entries()) if (COLOURS.includes(sides?.[at])) colours[side] = sides[at];
  const isRack = family === "connect" || key === "rbg:connectfour";
  // The discs of the game as it is sold.
  if (isRack && !colours.P1 && !colours.P2) Object.assign(colours, { P1: "red", P2: "yellow" });
  const [P1, P2] = PIECES[family] ?? [];
  return { pieces: { P1, P2, ...colours }, isRack, isHeaps: family === "nim", isLine: ["connect", "tictactoe"].includes(family) || ["rbg:tictactoe", "rbg:connectfour"].includes(key), edges: EDGES[key] ?? null, colours };
}
