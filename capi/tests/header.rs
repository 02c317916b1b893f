//! `include/nerode.h` is what cbindgen makes of the sources. With the environment variable `NERODE_WRITE` set, the test writes the
//! header instead.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;

#[test]
fn the_header_is_that_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let sources = cbindgen::Builder::new().with_config(config).with_src(root.join("src/types.rs"));
    let sources = sources.with_src(root.join("src/abi.rs"));
    let mut made = Vec::new();
    sources.generate().unwrap().write(&mut made);
    let (path, made) = (root.join("include/nerode.h"), String::from_utf8(made).unwrap());
    if std::env::var_os("NERODE_WRITE").is_some() {
        fs::write(&path, made).unwrap();
        return;
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == made, "include/nerode.h is out of date: run NERODE_WRITE=1 cargo test --test header");
}
