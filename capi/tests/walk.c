/* Visits the first positions of a game in breadth-first order and prints each with its value and depth, for a comparison with the
 * program: `walk SOLUTION COUNT`. Every position is looked up by text, and its moves are compared with look-ups of their own. */
#include <nerode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

static const char *const VALUES[] = {"unknown", "loss", "draw", "win"};

static char *copy(const char *text, size_t length) {
    char *new = malloc(length + 1);
    CHECK(new);
    memcpy(new, text, length);
    new[length] = 0;
    return new;
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    size_t most = strtoul(argv[2], NULL, 10);
    nerode_probe *probe;
    CHECK(nerode_open(argv[1], strlen(argv[1]), 1 << 20, &probe, NULL) == NERODE_OK);
    nerode_description about = {.version = NERODE_INTERFACE};
    CHECK(nerode_describe(probe, &about, NULL) == NERODE_OK && about.num_cells > 0);

    char **positions = calloc(most, sizeof *positions);
    CHECK(positions);
    uint8_t *cells = malloc(about.num_cells);
    CHECK(cells);
    size_t known = 1;
    nerode_text text;
    CHECK(nerode_start(probe, &text, NULL) == NERODE_OK);
    positions[0] = copy(text.data, text.length);
    nerode_text_free(&text);

    for (size_t at = 0; at < known; at++) {
        const char *position = positions[at];
        nerode_evaluation found = {.version = NERODE_INTERFACE};
        CHECK(nerode_evaluate(probe, position, strlen(position), &found, NULL) == NERODE_OK);
        CHECK(found.least <= found.most && (found.value == NERODE_UNKNOWN || found.least == found.value));
        printf("%s\t%s\t%s%u\n", position, VALUES[found.value], found.depth_kind == NERODE_DEPTH_AT_MOST ? "<=" : "",
               (unsigned)found.depth);

        /* The cells are those of the text, and the look-up by cells is the same. */
        uint32_t side = 0;
        CHECK(nerode_cells(probe, position, strlen(position), cells, about.num_cells, &side, NULL) == NERODE_OK);
        nerode_evaluation by_cells = {.version = NERODE_INTERFACE};
        CHECK(nerode_evaluate_board(probe, cells, about.num_cells, side, &by_cells, NULL) == NERODE_OK);
        CHECK(by_cells.value == found.value && by_cells.depth == found.depth && by_cells.depth_kind == found.depth_kind);
        nerode_drawing *drawing;
        nerode_drawing_description drawn = {.version = NERODE_INTERFACE};
        CHECK(nerode_draw(probe, position, strlen(position), &drawing, NULL) == NERODE_OK);
        CHECK(nerode_drawing_describe(drawing, &drawn) == NERODE_OK && drawn.num_places <= about.num_cells);
        for (size_t i = 0; i < drawn.num_places; i++) {
            nerode_place place = {.version = NERODE_INTERFACE};
            CHECK(nerode_drawing_place(drawing, i, &place) == NERODE_OK);
            /* Games from files begin with a cell for the turn. */
            CHECK((cells[about.num_cells == drawn.num_places + 1 ? i + 1 : i] == 0) == (place.look == NERODE_EMPTY));
        }
        CHECK(nerode_drawing_free(drawing) == NERODE_OK);

        nerode_moves *moves;
        CHECK(nerode_query(probe, position, strlen(position), &moves, NULL) == NERODE_OK);
        size_t count;
        CHECK(nerode_moves_count(moves, &count) == NERODE_OK);
        for (size_t i = 0; i < count; i++) {
            nerode_move move = {.version = NERODE_INTERFACE};
            CHECK(nerode_moves_get(moves, i, &move) == NERODE_OK);
            CHECK(nerode_play(probe, position, strlen(position), move.text, move.text_length, &text, NULL) == NERODE_OK);
            CHECK(text.length == move.position_length && memcmp(text.data, move.position, text.length) == 0);
            nerode_evaluation after = {.version = NERODE_INTERFACE};
            CHECK(nerode_evaluate(probe, text.data, text.length, &after, NULL) == NERODE_OK);
            CHECK(after.value == NERODE_UNKNOWN ? move.evaluation.value == NERODE_UNKNOWN
                                                : (int)move.evaluation.value == 4 - (int)after.value);
            /* The best move comes first. */
            CHECK(i != 0 || found.value == NERODE_UNKNOWN || move.evaluation.value == found.value);
            if (known < most) {
                size_t same = 0;
                while (same < known && strcmp(positions[same], text.data) != 0) same++;
                if (same == known) positions[known++] = copy(text.data, text.length);
            }
            nerode_text_free(&text);
        }
        CHECK(nerode_moves_free(moves) == NERODE_OK);
    }
    for (size_t at = 0; at < known; at++) free(positions[at]);
    free(positions);
    free(cells);
    CHECK(nerode_close(probe) == NERODE_OK);
    return 0;
}
