/* Times look-ups of random boards: `rate SOLUTION COUNT`. Prints nanoseconds for one look-up and the number of wins, which
 * probe/examples/rate.rs prints for the same boards. */
#define _POSIX_C_SOURCE 199309L
#include <nerode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BOARDS = 1 << 16 };

static uint64_t state = 1;

static uint32_t number(uint32_t below) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    size_t count = strtoul(argv[2], NULL, 10);
    nerode_probe *probe;
    nerode_description about = {.version = NERODE_INTERFACE};
    if (nerode_open(argv[1], strlen(argv[1]), 256 << 20, &probe, NULL) || nerode_describe(probe, &about, NULL)) return 1;
    size_t cells = about.num_cells;
    uint8_t *boards = malloc(BOARDS * cells);
    if (!boards) return 1;
    for (size_t i = 0; i < BOARDS * cells; i++) boards[i] = (uint8_t)number(3);

    double best = 1e9;
    size_t won = 0;
    for (int round = 0; round < 5; round++) {
        struct timespec begin, end;
        won = 0;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (size_t i = 0; i < count; i++) {
            nerode_evaluation found = {.version = NERODE_INTERFACE};
            if (nerode_evaluate_board(probe, boards + i % BOARDS * cells, cells, 1, &found, NULL)) return 1;
            won += found.value == NERODE_WIN;
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double took = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
        if (took / (double)count < best) best = took / (double)count;
    }
    printf("%.1f ns, %zu won\n", best, won);
    free(boards);
    nerode_close(probe);
    return 0;
}
