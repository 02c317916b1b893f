//! The C interface of [`nerode_probe`]: packed solutions of board games for programs in C and C++.
//!
//! The header `include/nerode.h` is made from the modules `types` and `abi`, which document every type and every function; a test
//! compares it with them. `abi` is the only module with unsafe code: it turns pointers into references, checks what can be checked,
//! and calls the safe functions of the other modules. No panic leaves it.

mod abi;
mod failure;
mod list;
mod types;
