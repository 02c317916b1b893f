/* The shortest useful program: the value of one position, `quick SOLUTION POSITION`. */
#include <nerode.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    nerode_probe *probe = NULL;
    nerode_text message = {NULL, 0};
    nerode_evaluation found = {.version = NERODE_INTERFACE};
    nerode_status status = nerode_open(argv[1], strlen(argv[1]), 16 << 20, &probe, &message);
    if (status == NERODE_OK) status = nerode_evaluate(probe, argv[2], strlen(argv[2]), &found, &message);
    if (status != NERODE_OK) fprintf(stderr, "%s\n", message.data);
    else if (found.value == NERODE_WIN && found.depth_kind == NERODE_DEPTH_EXACT) printf("a win in %u plies\n", (unsigned)found.depth);
    else if (found.value == NERODE_WIN) puts("a win");
    else puts(found.value == NERODE_LOSS ? "a loss" : found.value == NERODE_DRAW ? "a draw" : "unknown");
    nerode_text_free(&message);
    nerode_close(probe);
    return status;
}
