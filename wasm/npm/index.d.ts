/** A packed file in memory, or a source of parts of it. */
export type File = ArrayBuffer | ArrayBufferView | {
  /** The number of bytes. */
  readonly length: number;
  /**
   * Copies the bytes from `at` on into `to`, all of them, before it returns. It may throw, but it must not return a promise: in
   * Node, `fs.readSync` reads a file, and in a worker, a synchronous `XMLHttpRequest` makes a range request.
   */
  read(at: number, to: Uint8Array): void;
};

/** The module: its address, a response, its bytes, or the compiled module. */
export type ModuleSource = string | URL | Response | BufferSource | WebAssembly.Module;

/** `P1` moves first. */
export type Side = "P1" | "P2";

/** The value for the side to move: `unknown` if it is not decided, `not covered` if the solution says nothing about it. */
export type Category = "win" | "draw" | "loss" | "unknown" | "not covered";

/** What is known about a position, for the side to move. */
export interface Evaluation {
  position: string;
  side: Side;
  category: Category;
  /** The number of plies to the end under best play, or null for draws and if it is not known. */
  dtw: number | null;
  /** An upper bound of that number if it is not known exactly. */
  dtw_at_most?: number;
  /** The score of P1 under best play. */
  score?: number;
  /** The range of a value that is not known. */
  lower?: "win" | "draw" | "loss";
  upper?: "win" | "draw" | "loss";
}

/** A move. `category` and `dtw` are those of the side that moves next, so that `loss` is good for the side that moves. */
export interface Move extends Omit<Evaluation, "side"> {
  move: string;
  /** The places that the move changes, by number, if the picture was requested. */
  places?: { from: number | null; to: number; others: number[] };
}

/** A board and the pieces on it. */
export interface Picture {
  text: string;
  files?: string[];
  ranks?: string[];
  names?: string[];
  ground?: "squares" | "chequered" | "lines" | "hexagons";
  lines?: [number, number][];
  places?: { file: number; rank: number; figure: { look: string; owner: Side | null; light: boolean } | null }[];
  note?: string | null;
}

/** The answer for a position with all its moves, best first. */
export interface Answer extends Evaluation {
  game: string;
  legal: boolean;
  why_illegal?: string;
  game_over: boolean;
  winner?: Side;
  moves: Move[];
  picture?: Picture;
}

/** A solution and its game. */
export interface About {
  game: string;
  form: string;
  complete: boolean;
  rules: string;
  position_form: string;
  start: string;
  covers: string;
  depths: string;
  covers_start: boolean;
  begins_anywhere: boolean;
  sides: [string, string] | null;
  /** The names of the players that `choose` accepts. */
  players: string[];
}

/** Best play from a position. */
export interface Line extends Evaluation {
  line: Move[];
  /** The reason for the end of the line: the game is over, a draw repeats a position, or the value is not known. */
  end: "over" | "repetition" | "unknown";
  last: string;
}

/** The result of looking up the cells of a position. */
export interface CellEvaluation {
  /** The value for the side to move, or null if it is not known. */
  value: "win" | "draw" | "loss" | null;
  covered: boolean;
  depth: number | null;
  depthAtMost: number | null;
}

/** The contents of the cells of a position. */
export interface Cells {
  cells: Uint8Array;
  /** The side to move. */
  side: Side;
}

/** The answer to one of many positions that could not be read. */
export interface Failed {
  error: { detail: string; accepted?: string };
}

/** A request that has no answer. */
export class NerodeError extends Error {
  /** What would be accepted in place of a position that cannot be read or of an unknown player. */
  accepted?: string;
}

/** Loads the module, once. Calling it early hides the time that this takes. */
export function load(module?: ModuleSource): Promise<WebAssembly.Module>;

/**
 * A packed solution. All functions except `open` are synchronous and throw `NerodeError` for a position that cannot be read and
 * for a damaged file. Positions are texts in the notation of the game; `start` is the start position.
 */
export class Solution {
  /**
   * Opens what `nerode pack` has written: the files of a folder by name, or the file `reached.packed` alone.
   *
   * `cacheBytes` limits the memory for parts of packed values of reached positions and of sectors; the default is 16 MiB.
   */
  static open(files: Record<string, File>, options?: { module?: ModuleSource; cacheBytes?: number }): Promise<Solution>;
  /** Describes the solution and its game. */
  about(): About;
  /** Returns the value of a position and of its moves; with `picture`, also the board. `moves` have been made since `position`. */
  query(position?: string, options?: { moves?: string; any?: boolean; picture?: boolean }): Answer;
  /** Returns the value of a position. With `any`, it need not occur in play. */
  evaluate(position: string, options?: { any?: boolean }): Evaluation;
  /** Returns the values of many positions, with their moves if `moves` is set. A position that has none has an `error`. */
  evaluateAll(positions: string[], options?: { any?: boolean; moves?: boolean }):
    ((Evaluation & { moves?: Move[]; error?: undefined }) | Failed)[];
  /**
   * Looks up the contents of the cells, which is faster than a text. In built-in games on a board with places, the first cells
   * are the places of the picture in the same order, and 0 is an empty one. They are followed by what the picture does not
   * show, such as the stones in hand of both sides. In games from files, the first cell usually tells whose turn it is, and
   * squares that never change have no cell. `cells` returns those of a position, which can serve as a pattern.
   */
  evaluateCells(cells: Uint8Array, side: Side): CellEvaluation;
  /** Returns the cells of a position, as `evaluateCells` takes them, with the side to move. */
  cells(position?: string): Cells;
  /** Returns best play. */
  bestLine(position?: string, options?: { any?: boolean }): Line;
  /** Returns the move of a player after `moves` from `position`, or null if the game is over. */
  choose(player: string, options?: { position?: string; moves?: string[]; any?: boolean; seed?: number }): string | null;
  /** Returns the positions that differ by one change, for editors. */
  setup(position?: string): { position: string; why_illegal: string | null; other_side: string; changes: object[] };
  /** Returns a drawing of the board with the values of the moves, as SVG. */
  draw(position?: string): string;
  /** Frees the memory. */
  close(): void;
}
