/* Looks positions up in a packed solution: `lookup SOLUTION POSITION...`. Without positions, the start position is shown. */
#include <nerode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const VALUES[] = {"unknown", "loss", "draw", "win"};

/* Prints the message of a failure, frees it, and ends the program. */
static void fail(nerode_text *message) {
    fprintf(stderr, "lookup: %s\n", message->data ? message->data : "failed");
    nerode_text_free(message);
    exit(1);
}

/* Prints value and depth. */
static void print(const nerode_evaluation *found) {
    printf("%s", VALUES[found->value]);
    if (found->depth_kind == NERODE_DEPTH_EXACT) printf(" in %u", (unsigned)found->depth);
    if (found->depth_kind == NERODE_DEPTH_AT_MOST) printf(" in at most %u", (unsigned)found->depth);
}

static void show(const nerode_probe *probe, const char *position) {
    nerode_text message;
    nerode_evaluation found = {.version = NERODE_INTERFACE};
    if (nerode_evaluate(probe, position, strlen(position), &found, &message)) fail(&message);
    printf("%s: ", position);
    print(&found);
    printf("\n");

    nerode_moves *moves;
    if (nerode_query(probe, position, strlen(position), &moves, &message)) fail(&message);
    size_t count = 0;
    nerode_moves_count(moves, &count);
    for (size_t i = 0; i < count; i++) {
        nerode_move move = {.version = NERODE_INTERFACE};
        nerode_moves_get(moves, i, &move);
        printf("  %.*s: ", (int)move.text_length, move.text);
        print(&move.evaluation);
        printf("\n");
    }
    nerode_moves_free(moves);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: lookup SOLUTION [POSITION]...\n");
        return 2;
    }
    nerode_probe *probe;
    nerode_text message;
    if (nerode_open(argv[1], strlen(argv[1]), 16 << 20, &probe, &message)) fail(&message);
    for (int i = 2; i < argc; i++) show(probe, argv[i]);
    if (argc == 2) {
        nerode_text start;
        if (nerode_start(probe, &start, &message)) fail(&message);
        show(probe, start.data);
        nerode_text_free(&start);
    }
    nerode_close(probe);
    return 0;
}
