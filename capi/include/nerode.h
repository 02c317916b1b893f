/* The C interface of nerode: packed solutions of board games.
 *
 * Made by capi/tests/header.rs from the sources in capi/src; do not edit. The chapter "Embed it" of the book is an introduction.
 *
 * Every function that can fail returns a nerode_status. Handles and texts of the library are freed by the functions named with
 * them, and everything else belongs to the caller. If a call fails, the handles and texts that it stores are null, and other
 * results keep their contents. Using a handle that has been closed or freed is an error that cannot be recognised. Strings are UTF-8 with a length, so they need no null byte. Look-ups may run
 * in any number of threads on one handle.
 */

#ifndef NERODE_H
#define NERODE_H

#include <stddef.h>
#include <stdint.h>

/**
 * The version of the interface, and of every struct with a field `version`.
 */
#define NERODE_INTERFACE 1

/**
 * The result of a call.
 */
enum nerode_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Success.
     */
    NERODE_OK = 0,
    /**
     * An argument is null, is not UTF-8, or is out of range, or a struct has another version.
     */
    NERODE_ARGUMENT = 1,
    /**
     * A handle is null or a handle of another kind.
     */
    NERODE_HANDLE = 2,
    /**
     * The file, folder or sector does not exist.
     */
    NERODE_MISSING = 3,
    /**
     * The operating system or the source could not read.
     */
    NERODE_IO = 4,
    /**
     * A file is damaged, truncated, or was replaced while it was open.
     */
    NERODE_DAMAGED = 5,
    /**
     * A file has a version of its format that this library does not read.
     */
    NERODE_VERSION = 6,
    /**
     * A file was made under other rules of a game of this name.
     */
    NERODE_RULES = 7,
    /**
     * A file or folder does not contain a packed solution.
     */
    NERODE_CONTENTS = 8,
    /**
     * A position or move cannot be read, is not legal, or does not belong to the game.
     */
    NERODE_POSITION = 9,
    /**
     * Memory was exhausted.
     */
    NERODE_MEMORY = 10,
    /**
     * The library failed; the message describes how. Please report it.
     */
    NERODE_INTERNAL = 11,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nerode_status nerode_status;
#else
typedef int32_t nerode_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The positions that a solution covers.
 */
enum nerode_coverage
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Every board, whether it can be reached or not.
     */
    NERODE_ALL_BOARDS = 0,
    /**
     * The positions that play reaches from the start.
     */
    NERODE_REACHED = 1,
    /**
     * The positions of a care set.
     */
    NERODE_CARE_SET = 2,
    /**
     * The positions of some sectors of a morris game.
     */
    NERODE_SECTORS = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nerode_coverage nerode_coverage;
#else
typedef int32_t nerode_coverage;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The value of a position for the side to move.
 */
enum nerode_value
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The solution does not say.
     */
    NERODE_UNKNOWN = 0,
    /**
     * The side to move loses.
     */
    NERODE_LOSS = 1,
    /**
     * The game is drawn.
     */
    NERODE_DRAW = 2,
    /**
     * The side to move wins.
     */
    NERODE_WIN = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nerode_value nerode_value;
#else
typedef int32_t nerode_value;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What the field `depth` of an evaluation means.
 */
enum nerode_depth
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Nothing: the depth is not known, or the game is drawn.
     */
    NERODE_DEPTH_NONE = 0,
    /**
     * The exact number of plies to the end, if the winner hurries and the loser delays.
     */
    NERODE_DEPTH_EXACT = 1,
    /**
     * An upper bound of that number.
     */
    NERODE_DEPTH_AT_MOST = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nerode_depth nerode_depth;
#else
typedef int32_t nerode_depth;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The background of a drawing.
 */
enum nerode_ground
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A square for each place.
     */
    NERODE_SQUARES = 0,
    /**
     * A square for each place, every second one dark.
     */
    NERODE_CHEQUERED = 1,
    /**
     * Points that lines connect.
     */
    NERODE_LINES = 2,
    /**
     * A hexagon for each place, which is two files wide.
     */
    NERODE_HEXAGONS = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nerode_ground nerode_ground;
#else
typedef int32_t nerode_ground;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The figure on a place of a drawing.
 */
enum nerode_look
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * No figure.
     */
    NERODE_EMPTY = 0,
    /**
     * A round stone.
     */
    NERODE_DISC = 1,
    /**
     * The mark X.
     */
    NERODE_CROSS = 2,
    /**
     * The mark O.
     */
    NERODE_RING = 3,
    /**
     * A pawn.
     */
    NERODE_PAWN = 4,
    /**
     * An amazon.
     */
    NERODE_AMAZON = 5,
    /**
     * A blocked cell.
     */
    NERODE_BLOCK = 6,
    /**
     * An object of a heap.
     */
    NERODE_THING = 7,
    /**
     * A chess piece, whose English letter is in the field `letter`.
     */
    NERODE_MAN = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum nerode_look nerode_look;
#else
typedef int32_t nerode_look;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The data of a drawing of a board. Any number of threads may read it at the same time.
 */
typedef struct nerode_drawing nerode_drawing;

/**
 * A list of moves. Any number of threads may read it at the same time.
 */
typedef struct nerode_moves nerode_moves;

/**
 * A packed solution that is open. Any number of threads may use it at the same time, except to close it.
 */
typedef struct nerode_probe nerode_probe;

/**
 * A text of the library: UTF-8, followed by a null byte that `length` does not count. The caller frees it with
 * `nerode_text_free` and changes neither field.
 */
typedef struct nerode_text {
    /**
     * The bytes, or null in place of a text.
     */
    char *data;
    /**
     * The number of bytes.
     */
    size_t length;
} nerode_text;

/**
 * A source of files, such as range requests of a host. Set `version` to `NERODE_INTERFACE`.
 *
 * Several threads may call the functions at the same time. A function returns `NERODE_OK`, `NERODE_MISSING` if no file has
 * the name, or any other code if it fails. It must not throw exceptions. Names are UTF-8 and not terminated by a null byte.
 */
typedef struct nerode_source {
    /**
     * `NERODE_INTERFACE`.
     */
    uint32_t version;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * A pointer that the functions receive. It must stay valid until the solution is closed.
     */
    void *context;
    /**
     * Stores the number of bytes of a file in `bytes`.
     */
    int32_t (*length)(void *context, const char *name, size_t name_length, uint64_t *bytes);
    /**
     * Stores the `count` bytes of a file from byte `at` on in `bytes`.
     */
    int32_t (*read)(void *context,
                    const char *name,
                    size_t name_length,
                    uint64_t at,
                    uint8_t *bytes,
                    size_t count);
} nerode_source;

/**
 * The properties of a solution. Set `version` to `NERODE_INTERFACE` before the call.
 */
typedef struct nerode_description {
    /**
     * `NERODE_INTERFACE`.
     */
    uint32_t version;
    /**
     * The positions that it covers.
     */
    nerode_coverage coverage;
    /**
     * 1 if every covered position has a value, and otherwise 0.
     */
    uint32_t is_complete;
    /**
     * 1 if it contains exact depths or bounds of them, and otherwise 0.
     */
    uint32_t has_depths;
    /**
     * The number of cells of a board.
     */
    size_t num_cells;
} nerode_description;

/**
 * The evaluation of a position. Set `version` to `NERODE_INTERFACE` before the call.
 */
typedef struct nerode_evaluation {
    /**
     * `NERODE_INTERFACE`.
     */
    uint32_t version;
    /**
     * 1 if the solution covers the position, and otherwise 0. The value of other positions may follow from the rules.
     */
    uint32_t is_covered;
    /**
     * The value for the side to move.
     */
    nerode_value value;
    /**
     * The meaning of `depth`.
     */
    nerode_depth depth_kind;
    /**
     * The number of plies to the end of the game.
     */
    uint32_t depth;
    /**
     * The worst value that is possible, which is `value` if that is known.
     */
    nerode_value least;
    /**
     * The best value that is possible.
     */
    nerode_value most;
    /**
     * 0.
     */
    uint32_t reserved;
} nerode_evaluation;

/**
 * A move of a list. The texts belong to the list. Set `version` to `NERODE_INTERFACE` before the call.
 */
typedef struct nerode_move {
    /**
     * `NERODE_INTERFACE`.
     */
    uint32_t version;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * The evaluation for the side that makes the move.
     */
    struct nerode_evaluation evaluation;
    /**
     * The move in the notation of the game: UTF-8, not terminated by a null byte.
     */
    const char *text;
    /**
     * The number of bytes of `text`.
     */
    size_t text_length;
    /**
     * The position after the move: UTF-8, not terminated by a null byte.
     */
    const char *position;
    /**
     * The number of bytes of `position`.
     */
    size_t position_length;
} nerode_move;

/**
 * The properties of a drawing. Set `version` to `NERODE_INTERFACE` before the call.
 */
typedef struct nerode_drawing_description {
    /**
     * `NERODE_INTERFACE`.
     */
    uint32_t version;
    /**
     * The background of the places.
     */
    nerode_ground ground;
    /**
     * The number of files.
     */
    size_t num_files;
    /**
     * The number of ranks.
     */
    size_t num_ranks;
    /**
     * The number of places.
     */
    size_t num_places;
    /**
     * The number of lines between places.
     */
    size_t num_lines;
} nerode_drawing_description;

/**
 * A place of a drawing. The name belongs to the drawing. Set `version` to `NERODE_INTERFACE` before the call.
 */
typedef struct nerode_place {
    /**
     * `NERODE_INTERFACE`.
     */
    uint32_t version;
    /**
     * The file, counted from 0 at the left.
     */
    uint32_t file;
    /**
     * The rank, counted from 0 at the bottom.
     */
    uint32_t rank;
    /**
     * The figure.
     */
    nerode_look look;
    /**
     * The side that owns the figure: 1, 2, or 0 for neither.
     */
    uint32_t owner;
    /**
     * 1 for a light figure, and 0 for a dark one.
     */
    uint32_t is_light;
    /**
     * The Unicode number of the letter of a chess piece, and otherwise 0.
     */
    uint32_t letter;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * The name of the place: UTF-8, not terminated by a null byte.
     */
    const char *name;
    /**
     * The number of bytes of `name`.
     */
    size_t name_length;
} nerode_place;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns `NERODE_INTERFACE` as the library was compiled with. A program that was compiled with another header must not use
 * the library.
 */
uint32_t nerode_interface_version(void);

/**
 * Returns the version of the library, such as `0.1.0`, as a text that ends in a null byte and is never freed.
 */
const char *nerode_version(void);

/**
 * Opens a packed solution on disk: the folder that `nerode pack` writes, or its file `reached.packed`.
 *
 * `cache_bytes` is the memory for parts of packed values of reached positions and of sectors of a morris game; 16777216 is a
 * good choice. Values as automata are read completely. On success, `out` receives a handle that the caller frees with
 * `nerode_close`, and on failure null. `message` may be null. Otherwise, it receives a text that the caller frees with
 * `nerode_text_free`: the reason of a failure, or no text. Threads: any.
 *
 * ```c
 * nerode_probe *probe;
 * nerode_text message;
 * if (nerode_open("4x5/values", 10, 16777216, &probe, &message) != NERODE_OK) {
 *     fprintf(stderr, "%s\n", message.data);
 *     nerode_text_free(&message);
 * }
 * ```
 *
 * # Safety
 * `path` leads to `path_length` bytes, and `out` and `message` are null or lead to memory that may be written.
 */
nerode_status nerode_open(const char *path,
                          size_t path_length,
                          uint64_t cache_bytes,
                          struct nerode_probe **out,
                          struct nerode_text *message);

/**
 * Opens packed values of reached positions in memory: the bytes of a file `reached.packed`, which are copied.
 *
 * Results, failures and threads are those of `nerode_open`.
 *
 * # Safety
 * `bytes` leads to `count` bytes, and `out` and `message` are null or lead to memory that may be written.
 */
nerode_status nerode_open_bytes(const uint8_t *bytes,
                                size_t count,
                                uint64_t cache_bytes,
                                struct nerode_probe **out,
                                struct nerode_text *message);

/**
 * Opens a packed solution whose files the caller reads, such as by range requests. The files have the names that
 * `nerode pack` gives them.
 *
 * The struct is copied; its context must stay valid until the solution is closed. Results, failures and threads are those of
 * `nerode_open`.
 *
 * # Safety
 * `source` is null or leads to a struct whose functions behave as described there, and `out` and `message` are null or lead to
 * memory that may be written.
 */
nerode_status nerode_open_source(const struct nerode_source *source,
                                 uint64_t cache_bytes,
                                 struct nerode_probe **out,
                                 struct nerode_text *message);

/**
 * Closes a solution and frees its memory. A null pointer is accepted.
 *
 * Threads: no other thread may use the handle, and none may use it afterwards.
 *
 * # Safety
 * `probe` is null or a handle that is open.
 */
nerode_status nerode_close(struct nerode_probe *probe);

/**
 * Frees a text of the library and sets it to no text. Null pointers are accepted.
 *
 * # Safety
 * `text` is null or leads to a text that the library has stored there.
 */
void nerode_text_free(struct nerode_text *text);

/**
 * Stores the properties of a solution.
 *
 * Messages and failures are those of `nerode_open`. Threads: any.
 *
 * # Safety
 * `probe` is null or a handle that is open, and `out` and `message` are null or lead to memory that may be written.
 */
nerode_status nerode_describe(const struct nerode_probe *probe,
                              struct nerode_description *out,
                              struct nerode_text *message);

/**
 * Stores the canonical spec of the game, such as `breakthrough:4x5`, as a text that the caller frees.
 *
 * # Safety
 * As for `nerode_describe`.
 */
nerode_status nerode_game(const struct nerode_probe *probe,
                          struct nerode_text *out,
                          struct nerode_text *message);

/**
 * Stores the rules of the game in words, as a text that the caller frees.
 *
 * # Safety
 * As for `nerode_describe`.
 */
nerode_status nerode_rules(const struct nerode_probe *probe,
                           struct nerode_text *out,
                           struct nerode_text *message);

/**
 * Stores the start position in the notation of the game, as a text that the caller frees.
 *
 * # Safety
 * As for `nerode_describe`.
 */
nerode_status nerode_start(const struct nerode_probe *probe,
                           struct nerode_text *out,
                           struct nerode_text *message);

/**
 * Stores value and depth of a position, which is given in the notation of the game.
 *
 * A value that the solution does not contain is inferred from the moves as far as possible; `is_covered` tells whether it is
 * contained. Messages are those of `nerode_open`. Fails with `NERODE_POSITION`, `NERODE_DAMAGED`, `NERODE_IO` or
 * `NERODE_MISSING`. Threads: any.
 *
 * ```c
 * nerode_evaluation found = {.version = NERODE_INTERFACE};
 * const char *position = "bb/../ww b";
 * if (nerode_evaluate(probe, position, strlen(position), &found, NULL) == NERODE_OK && found.value == NERODE_WIN
 *     && found.depth_kind == NERODE_DEPTH_EXACT)
 *     printf("win in %u plies\n", (unsigned)found.depth);
 * ```
 *
 * # Safety
 * `probe` is null or a handle that is open, `position` leads to `position_length` bytes, and `out` and `message` are null or
 * lead to memory that may be written.
 */
nerode_status nerode_evaluate(const struct nerode_probe *probe,
                              const char *position,
                              size_t position_length,
                              struct nerode_evaluation *out,
                              struct nerode_text *message);

/**
 * Stores value and depth of a position, which is given by the contents of its cells and the side to move, 1 or 2.
 *
 * This is the fastest look-up, because no text is read. In built-in games on a board with places, the first cells are the
 * places of a drawing in the same order, and 0 is an empty one, such as 1 for a piece of the first side and 2 for one of the
 * second. They are followed by what the drawing does not show, such as the stones in hand of both sides. In games from
 * files, the first cell usually tells whose turn it is, and squares that never change have no cell. `nerode_cells` stores the
 * cells of a position, which can serve as a pattern. Otherwise the same as `nerode_evaluate`.
 *
 * # Safety
 * `probe` is null or a handle that is open, `board` leads to `num_cells` bytes, and `out` and `message` are null or lead to
 * memory that may be written.
 */
nerode_status nerode_evaluate_board(const struct nerode_probe *probe,
                                    const uint8_t *board,
                                    size_t num_cells,
                                    uint32_t side,
                                    struct nerode_evaluation *out,
                                    struct nerode_text *message);

/**
 * Stores the contents of the cells of a position, as `nerode_evaluate_board` takes them, and the side to move, 1 or 2.
 *
 * `num_cells` is the number of cells, which `nerode_describe` stores. Fails with `NERODE_ARGUMENT` if it is another number,
 * and with `NERODE_POSITION` if the text is not a position. Messages are those of `nerode_open`. Threads: any.
 *
 * ```c
 * uint8_t board[9]; // tic-tac-toe 3x3: 0 empty, 1 a cross, 2 a ring, from the lower left to the upper right
 * uint32_t side;
 * nerode_evaluation found = {.version = NERODE_INTERFACE};
 * if (nerode_cells(probe, "3/3/3 x", 7, board, 9, &side, NULL) == NERODE_OK) {
 *     board[4] = 1; // a cross in the centre
 *     nerode_evaluate_board(probe, board, 9, 2, &found, NULL);
 * }
 * ```
 *
 * # Safety
 * `probe` is null or a handle that is open, `position` leads to `position_length` bytes, `board` leads to `num_cells` bytes
 * that may be written, and `side` and `message` are null or lead to memory that may be written.
 */
nerode_status nerode_cells(const struct nerode_probe *probe,
                           const char *position,
                           size_t position_length,
                           uint8_t *board,
                           size_t num_cells,
                           uint32_t *side,
                           struct nerode_text *message);

/**
 * Stores the legal moves of a position with their evaluations, the best move first, as a list that the caller frees with
 * `nerode_moves_free`. The list is empty if the game is over.
 *
 * Messages and failures are those of `nerode_evaluate`; on failure, `out` receives null. Threads: any.
 *
 * # Safety
 * As for `nerode_evaluate`.
 */
nerode_status nerode_query(const struct nerode_probe *probe,
                           const char *position,
                           size_t position_length,
                           struct nerode_moves **out,
                           struct nerode_text *message);

/**
 * Stores the principal variation from a position, at most `most` moves, as a list that the caller frees with
 * `nerode_moves_free`. Evaluations are those for the side that makes the move. The line of a draw ends with the move
 * that repeats a position.
 *
 * Messages and failures are those of `nerode_evaluate`; on failure, `out` receives null. Threads: any.
 *
 * # Safety
 * As for `nerode_evaluate`.
 */
nerode_status nerode_line(const struct nerode_probe *probe,
                          const char *position,
                          size_t position_length,
                          size_t most,
                          struct nerode_moves **out,
                          struct nerode_text *message);

/**
 * Stores the number of moves of a list.
 *
 * # Safety
 * `moves` is null or a list that has not been freed, and `out` is null or leads to memory that may be written.
 */
nerode_status nerode_moves_count(const struct nerode_moves *moves,
                                 size_t *out);

/**
 * Stores a move of a list, by its number from 0 on. Fails with `NERODE_ARGUMENT` if there are fewer. The texts stay valid until
 * the list is freed.
 *
 * # Safety
 * `moves` is null or a list that has not been freed, and `out` is null or leads to memory that may be written.
 */
nerode_status nerode_moves_get(const struct nerode_moves *moves,
                               size_t number,
                               struct nerode_move *out);

/**
 * Frees a list of moves. A null pointer is accepted.
 *
 * # Safety
 * `moves` is null or a list that has not been freed.
 */
nerode_status nerode_moves_free(struct nerode_moves *moves);

/**
 * Stores the position after a legal move, as a text that the caller frees. Positions and moves are in the notation of the game.
 *
 * Fails with `NERODE_POSITION` if the move is not legal; the message lists the legal moves. Threads: any.
 *
 * # Safety
 * As for `nerode_evaluate`, and `move_text` leads to `move_length` bytes.
 */
nerode_status nerode_play(const struct nerode_probe *probe,
                          const char *position,
                          size_t position_length,
                          const char *move_text,
                          size_t move_length,
                          struct nerode_text *out,
                          struct nerode_text *message);

/**
 * Stores the reason why a position certainly cannot occur in play, as a text that the caller frees, or no text if no such
 * reason is known. Threads: any.
 *
 * # Safety
 * As for `nerode_evaluate`.
 */
nerode_status nerode_why_illegal(const struct nerode_probe *probe,
                                 const char *position,
                                 size_t position_length,
                                 struct nerode_text *out,
                                 struct nerode_text *message);

/**
 * Stores the data of a drawing of a position, which the caller frees with `nerode_drawing_free`, or null if the game has no
 * picture. Failures are those of `nerode_evaluate`. Threads: any.
 *
 * # Safety
 * As for `nerode_evaluate`.
 */
nerode_status nerode_draw(const struct nerode_probe *probe,
                          const char *position,
                          size_t position_length,
                          struct nerode_drawing **out,
                          struct nerode_text *message);

/**
 * Stores the properties of a drawing.
 *
 * # Safety
 * `drawing` is null or a drawing that has not been freed, and `out` is null or leads to memory that may be written.
 */
nerode_status nerode_drawing_describe(const struct nerode_drawing *drawing,
                                      struct nerode_drawing_description *out);

/**
 * Stores a place of a drawing, by its number from 0 on. Fails with `NERODE_ARGUMENT` if there are fewer. The name stays valid
 * until the drawing is freed.
 *
 * # Safety
 * As for `nerode_drawing_describe`.
 */
nerode_status nerode_drawing_place(const struct nerode_drawing *drawing,
                                   size_t number,
                                   struct nerode_place *out);

/**
 * Stores the two places that a line of a drawing connects, by the number of the line from 0 on. Fails with `NERODE_ARGUMENT` if
 * there are fewer lines.
 *
 * # Safety
 * As for `nerode_drawing_describe`, where `from` and `to` are results.
 */
nerode_status nerode_drawing_line(const struct nerode_drawing *drawing,
                                  size_t number,
                                  size_t *from,
                                  size_t *to);

/**
 * Frees a drawing. A null pointer is accepted.
 *
 * # Safety
 * `drawing` is null or a drawing that has not been freed.
 */
nerode_status nerode_drawing_free(struct nerode_drawing *drawing);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NERODE_H */
