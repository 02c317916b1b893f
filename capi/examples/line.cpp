// Prints the principal variation of a packed solution from its start position: `line SOLUTION`.
#include <nerode.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

// Throws the message of a failure.
void check(nerode_status status, nerode_text &message) {
    if (status == NERODE_OK) return;
    std::string text = message.data ? message.data : "failed";
    nerode_text_free(&message);
    throw std::runtime_error(text);
}

struct Close {
    void operator()(nerode_probe *probe) const { nerode_close(probe); }
    void operator()(nerode_moves *moves) const { nerode_moves_free(moves); }
};

std::unique_ptr<nerode_probe, Close> open(const std::string &path) {
    nerode_probe *probe = nullptr;
    nerode_text message;
    check(nerode_open(path.data(), path.size(), 16 << 20, &probe, &message), message);
    return std::unique_ptr<nerode_probe, Close>(probe);
}

std::unique_ptr<nerode_moves, Close> line(const nerode_probe &probe, const std::string &position) {
    nerode_moves *moves = nullptr;
    nerode_text message;
    check(nerode_line(&probe, position.data(), position.size(), 100, &moves, &message), message);
    return std::unique_ptr<nerode_moves, Close>(moves);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "usage: line SOLUTION\n";
        return 2;
    }
    try {
        auto probe = open(argv[1]);
        nerode_text start, message;
        check(nerode_start(probe.get(), &start, &message), message);
        auto moves = line(*probe, std::string(start.data, start.length));
        nerode_text_free(&start);
        std::size_t count = 0;
        nerode_moves_count(moves.get(), &count);
        for (std::size_t i = 0; i < count; i++) {
            nerode_move move{};
            move.version = NERODE_INTERFACE;
            nerode_moves_get(moves.get(), i, &move);
            std::cout << (i ? " " : "") << std::string(move.text, move.text_length);
        }
        std::cout << "\n";
    } catch (const std::exception &error) {
        std::cerr << "line: " << error.what() << "\n";
        return 1;
    }
}
