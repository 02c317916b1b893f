//! Packed solutions of board games in browsers and Node: the crate `nerode-probe` as a WebAssembly module.
//!
//! The host passes requests as JSON and receives the documents that `nerode serve` sends for the same requests. It provides the
//! bytes of files through two functions, so that it may keep them in memory or fetch them when they are needed. `npm/index.js`
//! is the host for both browsers and Node.

#[cfg(target_arch = "wasm32")]
mod abi;
mod requests;

pub use requests::{Failure, answer};
