//! The `nerode` program: see `nerode --help` and the README.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    nerode::main()
}
