/* Wrong arguments, wrong handles, damaged and exchanged files, hosts that fail, and eight threads:
 * `faults VALUES REACHED SECTORS SCRATCH`, where VALUES and SECTORS are folders, REACHED is a file, and SCRATCH is a new file. */
#include <nerode.h>
#include <pthread.h>
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

/* Checks that a call fails with a status and a message. */
#define FAILS(expected, call)                                          \
    do {                                                               \
        nerode_text message = {NULL, 0};                               \
        CHECK((call) == (expected));                                   \
        CHECK(message.data && strlen(message.data) == message.length); \
        nerode_text_free(&message);                                    \
        CHECK(message.data == NULL && message.length == 0);            \
    } while (0)

#define CACHE (1 << 16)

struct file {
    unsigned char *bytes;
    size_t length;
};

static struct file read_file(const char *path) {
    FILE *in = fopen(path, "rb");
    CHECK(in && fseek(in, 0, SEEK_END) == 0);
    struct file file = {NULL, (size_t)ftell(in)};
    rewind(in);
    file.bytes = malloc(file.length + 1);
    CHECK(file.bytes && fread(file.bytes, 1, file.length, in) == file.length);
    fclose(in);
    return file;
}

static void write_file(const char *path, const unsigned char *bytes, size_t length) {
    FILE *out = fopen(path, "wb");
    CHECK(out && fwrite(bytes, 1, length, out) == length && fclose(out) == 0);
}

static nerode_probe *open_path(const char *path) {
    nerode_probe *probe;
    nerode_text message;
    CHECK(nerode_open(path, strlen(path), CACHE, &probe, &message) == NERODE_OK && probe);
    CHECK(message.data == NULL);
    return probe;
}

static char *start_of(const nerode_probe *probe) {
    nerode_text start;
    CHECK(nerode_start(probe, &start, NULL) == NERODE_OK);
    char *copy = malloc(start.length + 1);
    CHECK(copy);
    memcpy(copy, start.data, start.length + 1);
    nerode_text_free(&start);
    return copy;
}

static void arguments(const char *values) {
    nerode_probe *probe = open_path(values), *none;
    char *start = start_of(probe);
    size_t length = strlen(start);
    nerode_evaluation found = {.version = NERODE_INTERFACE};
    nerode_moves *moves;
    nerode_text text;

    FAILS(NERODE_MISSING, nerode_open("no/such/folder", 14, CACHE, &none, &message));
    CHECK(none == NULL);
    FAILS(NERODE_CONTENTS, nerode_open(".", 1, CACHE, &none, &message));
    FAILS(NERODE_ARGUMENT, nerode_open(NULL, 5, CACHE, &none, &message));
    FAILS(NERODE_ARGUMENT, nerode_open(values, strlen(values), CACHE, NULL, &message));
    FAILS(NERODE_ARGUMENT, nerode_open(values, (size_t)-1, CACHE, &none, &message));
    FAILS(NERODE_ARGUMENT, nerode_open("\xff", 1, CACHE, &none, &message));
    FAILS(NERODE_ARGUMENT, nerode_open_bytes(NULL, 7, CACHE, &none, &message));
    FAILS(NERODE_DAMAGED, nerode_open_bytes(NULL, 0, CACHE, &none, &message));
    FAILS(NERODE_ARGUMENT, nerode_open_source(NULL, CACHE, &none, &message));

    FAILS(NERODE_ARGUMENT, nerode_evaluate(probe, NULL, 4, &found, &message));
    FAILS(NERODE_ARGUMENT, nerode_evaluate(probe, start, length, NULL, &message));
    FAILS(NERODE_ARGUMENT, nerode_evaluate(probe, "\xc3(", 2, &found, &message));
    FAILS(NERODE_POSITION, nerode_evaluate(probe, "nonsense", 8, &found, &message));
    FAILS(NERODE_POSITION, nerode_evaluate(probe, "", 0, &found, &message));
    found.version = 99;
    FAILS(NERODE_ARGUMENT, nerode_evaluate(probe, start, length, &found, &message));
    found.version = NERODE_INTERFACE;
    unsigned char board[64] = {0};
    nerode_description about = {.version = NERODE_INTERFACE};
    CHECK(nerode_describe(probe, &about, NULL) == NERODE_OK && about.num_cells <= sizeof board);
    CHECK(about.coverage == NERODE_ALL_BOARDS && about.is_complete && about.has_depths);
    CHECK(nerode_evaluate_board(probe, board, about.num_cells, 1, &found, NULL) == NERODE_OK && found.is_covered);
    FAILS(NERODE_ARGUMENT, nerode_evaluate_board(probe, board, about.num_cells, 3, &found, &message));
    FAILS(NERODE_POSITION, nerode_evaluate_board(probe, board, about.num_cells - 1, 1, &found, &message));
    FAILS(NERODE_POSITION, nerode_evaluate_board(probe, board, 0, 1, &found, &message));
    uint32_t side = 0;
    CHECK(nerode_cells(probe, start, length, board, about.num_cells, &side, NULL) == NERODE_OK && side == 1);
    FAILS(NERODE_ARGUMENT, nerode_cells(probe, start, length, board, about.num_cells - 1, &side, &message));
    FAILS(NERODE_ARGUMENT, nerode_cells(probe, start, length, NULL, about.num_cells, &side, &message));
    FAILS(NERODE_ARGUMENT, nerode_cells(probe, start, length, board, about.num_cells, NULL, &message));
    FAILS(NERODE_POSITION, nerode_cells(probe, "nonsense", 8, board, about.num_cells, &side, &message));
    FAILS(NERODE_HANDLE, nerode_cells(NULL, start, length, board, about.num_cells, &side, &message));
    CHECK(strchr(nerode_version(), '.') != NULL);
    board[0] = 200;
    FAILS(NERODE_POSITION, nerode_evaluate_board(probe, board, about.num_cells, 1, &found, &message));
    FAILS(NERODE_POSITION, nerode_play(probe, start, length, "a1a9", 4, &text, &message));
    CHECK(text.data == NULL);
    CHECK(nerode_why_illegal(probe, start, length, &text, NULL) == NERODE_OK && text.data == NULL);
    CHECK(nerode_game(probe, &text, NULL) == NERODE_OK && strlen(text.data) == text.length);
    nerode_text_free(&text);
    nerode_text_free(&text);
    nerode_text_free(NULL);
    CHECK(nerode_rules(probe, &text, NULL) == NERODE_OK && text.length > 20);
    nerode_text_free(&text);

    /* Handles of another kind, and pointers to something else. */
    CHECK(nerode_query(probe, start, length, &moves, NULL) == NERODE_OK);
    uint64_t other[8] = {0};
    FAILS(NERODE_HANDLE, nerode_evaluate(NULL, start, length, &found, &message));
    FAILS(NERODE_HANDLE, nerode_evaluate((nerode_probe *)moves, start, length, &found, &message));
    FAILS(NERODE_HANDLE, nerode_evaluate((nerode_probe *)other, start, length, &found, &message));
    FAILS(NERODE_HANDLE, nerode_evaluate((nerode_probe *)((char *)other + 1), start, length, &found, &message));
    CHECK(nerode_close((nerode_probe *)moves) == NERODE_HANDLE);
    CHECK(nerode_moves_free((nerode_moves *)probe) == NERODE_HANDLE);
    CHECK(nerode_drawing_free((nerode_drawing *)moves) == NERODE_HANDLE);
    CHECK(nerode_close(NULL) == NERODE_OK && nerode_moves_free(NULL) == NERODE_OK);
    size_t count = 0;
    CHECK(nerode_moves_count(moves, &count) == NERODE_OK && count > 0);
    CHECK(nerode_moves_count(NULL, &count) == NERODE_HANDLE);
    CHECK(nerode_moves_count(moves, NULL) == NERODE_ARGUMENT);
    nerode_move move = {.version = NERODE_INTERFACE};
    CHECK(nerode_moves_get(moves, count, &move) == NERODE_ARGUMENT);
    CHECK(nerode_moves_get(moves, (size_t)-1, &move) == NERODE_ARGUMENT);
    CHECK(nerode_moves_get(moves, 0, &move) == NERODE_OK && move.text_length > 0);
    move.version = 0;
    CHECK(nerode_moves_get(moves, 0, &move) == NERODE_ARGUMENT);
    CHECK(nerode_moves_free(moves) == NERODE_OK);

    nerode_drawing *drawing;
    CHECK(nerode_draw(probe, start, length, &drawing, NULL) == NERODE_OK && drawing);
    nerode_drawing_description drawn = {.version = NERODE_INTERFACE};
    CHECK(nerode_drawing_describe(drawing, &drawn) == NERODE_OK && drawn.num_places == about.num_cells);
    CHECK(drawn.num_files * drawn.num_ranks == drawn.num_places && drawn.num_lines == 0);
    size_t figures = 0, from, to;
    for (size_t i = 0; i < drawn.num_places; i++) {
        nerode_place place = {.version = NERODE_INTERFACE};
        CHECK(nerode_drawing_place(drawing, i, &place) == NERODE_OK);
        CHECK(place.file < drawn.num_files && place.rank < drawn.num_ranks && place.name_length == 2);
        figures += place.look == NERODE_PAWN && (place.owner == 1 || place.owner == 2);
    }
    nerode_place place = {.version = NERODE_INTERFACE};
    CHECK(figures > 0 && nerode_drawing_place(drawing, drawn.num_places, &place) == NERODE_ARGUMENT);
    CHECK(nerode_drawing_line(drawing, 0, &from, &to) == NERODE_ARGUMENT);
    CHECK(nerode_drawing_free(drawing) == NERODE_OK);
    free(start);
    CHECK(nerode_close(probe) == NERODE_OK);
}

/* Truncated files, files with a changed byte, and a file that is replaced while it is open: errors or the right answer. */
static void damage(const char *reached, const char *scratch) {
    struct file good = read_file(reached);
    nerode_probe *probe;
    CHECK(nerode_open_bytes(good.bytes, good.length, 0, &probe, NULL) == NERODE_OK);
    char *start = start_of(probe);
    nerode_evaluation expected = {.version = NERODE_INTERFACE}, found = expected;
    CHECK(nerode_evaluate(probe, start, strlen(start), &expected, NULL) == NERODE_OK);
    CHECK(expected.value != NERODE_UNKNOWN && expected.is_covered);
    CHECK(nerode_close(probe) == NERODE_OK);

    for (size_t length = 0; length < good.length; length += 1 + length / 50) {
        nerode_text message;
        nerode_status status = nerode_open_bytes(good.bytes, length, CACHE, &probe, &message);
        CHECK(status == NERODE_DAMAGED && probe == NULL && message.data);
        nerode_text_free(&message);
    }
    write_file(scratch, good.bytes, good.length / 2);
    FAILS(NERODE_DAMAGED, nerode_open(scratch, strlen(scratch), CACHE, &probe, &message));

    size_t refused = 0;
    for (size_t at = 0; at < good.length; at += 97) {
        good.bytes[at] ^= 0x10;
        if (nerode_open_bytes(good.bytes, good.length, 0, &probe, NULL) == NERODE_OK) {
            nerode_status status = nerode_evaluate(probe, start, strlen(start), &found, NULL);
            CHECK(status == NERODE_DAMAGED || (status == NERODE_OK && found.value == expected.value));
            refused += status != NERODE_OK;
            CHECK(nerode_close(probe) == NERODE_OK);
        } else {
            refused++;
        }
        good.bytes[at] ^= 0x10;
    }
    CHECK(refused > 0);

    write_file(scratch, good.bytes, good.length);
    CHECK(nerode_open(scratch, strlen(scratch), 0, &probe, NULL) == NERODE_OK);
    CHECK(nerode_evaluate(probe, start, strlen(start), &found, NULL) == NERODE_OK && found.value == expected.value);
    unsigned char *noise = calloc(good.length, 1);
    CHECK(noise);
    write_file(scratch, noise, good.length);
    /* The look-up of the start may come from the cache, but those of the moves cannot. */
    nerode_moves *moves;
    FAILS(NERODE_DAMAGED, nerode_query(probe, start, strlen(start), &moves, &message));
    CHECK(moves == NULL);
    write_file(scratch, noise, 10);
    FAILS(NERODE_DAMAGED, nerode_query(probe, start, strlen(start), &moves, &message));
    write_file(scratch, good.bytes, good.length);
    CHECK(nerode_evaluate(probe, start, strlen(start), &found, NULL) == NERODE_OK && found.value == expected.value);
    CHECK(nerode_close(probe) == NERODE_OK);
    free(noise);
    free(good.bytes);
    free(start);
}

/* A host: a folder whose files are read by callbacks, which may fail. */
struct host {
    const char *folder;
    int fails;
    uint64_t claims;
};

static FILE *open_named(const struct host *host, const char *name, size_t length) {
    char path[4096];
    CHECK(snprintf(path, sizeof path, "%s/%.*s", host->folder, (int)length, name) < (int)sizeof path);
    return fopen(path, "rb");
}

static int32_t host_length(void *context, const char *name, size_t length, uint64_t *bytes) {
    struct host *host = context;
    FILE *in = open_named(host, name, length);
    if (!in) return NERODE_MISSING;
    fseek(in, 0, SEEK_END);
    *bytes = host->claims ? host->claims : (uint64_t)ftell(in);
    fclose(in);
    return NERODE_OK;
}

static int32_t host_read(void *context, const char *name, size_t length, uint64_t at, uint8_t *bytes, size_t count) {
    struct host *host = context;
    FILE *in = host->fails ? NULL : open_named(host, name, length);
    if (!in) return NERODE_IO;
    size_t read = fseek(in, (long)at, SEEK_SET) == 0 ? fread(bytes, 1, count, in) : 0;
    fclose(in);
    return read == count ? NERODE_OK : NERODE_IO;
}

static void sources(const char *folder, const char *same) {
    struct host host = {folder, 0, 0};
    nerode_source source = {NERODE_INTERFACE, 0, &host, host_length, host_read};
    nerode_probe *probe, *direct = open_path(same);
    CHECK(nerode_open_source(&source, CACHE, &probe, NULL) == NERODE_OK);
    char *start = start_of(direct);
    nerode_evaluation found = {.version = NERODE_INTERFACE}, expected = found;
    CHECK(nerode_evaluate(direct, start, strlen(start), &expected, NULL) == NERODE_OK);
    host.fails = 1;
    FAILS(NERODE_IO, nerode_evaluate(probe, start, strlen(start), &found, &message));
    host.fails = 0;
    host.claims = UINT64_MAX / 4;
    nerode_text message;
    nerode_status status = nerode_evaluate(probe, start, strlen(start), &found, &message);
    CHECK(status == NERODE_MEMORY || status == NERODE_DAMAGED);
    CHECK(message.data);
    nerode_text_free(&message);
    host.claims = 0;
    CHECK(nerode_evaluate(probe, start, strlen(start), &found, NULL) == NERODE_OK);
    CHECK(found.value == expected.value && found.depth == expected.depth);
    CHECK(nerode_close(probe) == NERODE_OK);

    source.version = 2;
    FAILS(NERODE_ARGUMENT, nerode_open_source(&source, CACHE, &probe, &message));
    source.version = NERODE_INTERFACE;
    source.read = NULL;
    FAILS(NERODE_ARGUMENT, nerode_open_source(&source, CACHE, &probe, &message));
    source.read = host_read;
    host.folder = "no/such/folder";
    FAILS(NERODE_CONTENTS, nerode_open_source(&source, CACHE, &probe, &message));
    free(start);
    CHECK(nerode_close(direct) == NERODE_OK);
}

/* The work of a thread: look-ups on a shared handle, in an order of its own. */
struct work {
    const nerode_probe *probe;
    char **positions;
    const nerode_evaluation *expected;
    size_t count, offset, wrong;
};

static void *look_up(void *argument) {
    struct work *work = argument;
    for (size_t i = 0; i < 20 * work->count; i++) {
        size_t at = (i * 7 + work->offset) % work->count;
        nerode_evaluation found = {.version = NERODE_INTERFACE};
        nerode_text message;
        const char *position = work->positions[at];
        nerode_status status = nerode_evaluate(work->probe, position, strlen(position), &found, &message);
        work->wrong += status != NERODE_OK || memcmp(&found, &work->expected[at], sizeof found) != 0;
        nerode_text_free(&message);
    }
    return NULL;
}

static void threads(const char *path) {
    enum { THREADS = 8, POSITIONS = 100 };
    nerode_probe *probe = open_path(path);
    char *positions[POSITIONS] = {start_of(probe)};
    nerode_evaluation expected[POSITIONS];
    size_t known = 1;
    for (size_t at = 0; at < known; at++) {
        nerode_moves *moves;
        size_t count;
        CHECK(nerode_query(probe, positions[at], strlen(positions[at]), &moves, NULL) == NERODE_OK);
        CHECK(nerode_moves_count(moves, &count) == NERODE_OK);
        for (size_t i = 0; i < count && known < POSITIONS; i++) {
            nerode_move move = {.version = NERODE_INTERFACE};
            CHECK(nerode_moves_get(moves, i, &move) == NERODE_OK);
            positions[known] = calloc(move.position_length + 1, 1);
            CHECK(positions[known]);
            memcpy(positions[known++], move.position, move.position_length);
        }
        CHECK(nerode_moves_free(moves) == NERODE_OK);
        expected[at] = (nerode_evaluation){.version = NERODE_INTERFACE};
        CHECK(nerode_evaluate(probe, positions[at], strlen(positions[at]), &expected[at], NULL) == NERODE_OK);
    }
    CHECK(nerode_close(probe) == NERODE_OK);
    /* A new handle, so that the threads read files at the same time. */
    probe = open_path(path);
    pthread_t running[THREADS];
    struct work work[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        work[i] = (struct work){probe, positions, expected, known, 13 * i, 0};
        CHECK(pthread_create(&running[i], NULL, look_up, &work[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_join(running[i], NULL) == 0);
        CHECK(work[i].wrong == 0);
    }
    for (size_t at = 0; at < known; at++) free(positions[at]);
    CHECK(nerode_close(probe) == NERODE_OK);
}

int main(int argc, char **argv) {
    CHECK(argc == 5 && nerode_interface_version() == NERODE_INTERFACE);
    arguments(argv[1]);
    damage(argv[2], argv[4]);
    sources(argv[1], argv[1]);
    sources(argv[3], argv[3]);
    threads(argv[1]);
    threads(argv[2]);
    threads(argv[3]);
    puts("all checks passed");
    return 0;
}
