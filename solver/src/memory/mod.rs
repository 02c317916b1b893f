//! The memory of this process: the amount that it holds, its division between the engine and other data, and the guard
//! that keeps it under a cap.

mod guard;
mod process;
mod share;

pub use guard::MemoryGuard;
pub use process::{available_memory, held_bytes, peak_rss_bytes};
pub use share::{engine_share, left_by_program, left_for_engine, usable_memory};
