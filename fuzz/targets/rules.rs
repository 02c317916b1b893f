//! The reader of rules on any bytes: it ends, and what it reads it writes so that the same is read again.
//!
//! `cargo +nightly fuzz run rules -- -max_len=4096 -timeout=10 -dict=fuzz/rules.dict`
#![no_main]

use libfuzzer_sys::fuzz_target;
use nerode_games::rbg::read;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match read("fuzz", text) {
        Ok(book) => {
            let canonical = book.canonical();
            let again = read("canonical", &canonical).unwrap_or_else(|error| panic!("{error}\n{canonical}"));
            assert_eq!(again.canonical(), canonical);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
