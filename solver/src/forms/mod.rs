//! Alternative representations of a solution for comparison: lists of values by position, and common storage formats.

pub mod compare;
pub mod represent;
pub mod tabulate;
