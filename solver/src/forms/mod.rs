//! A solution in other forms: as a list of values by position, and stored in ways that others use, to be compared.

pub mod compare;
pub mod represent;
pub mod tabulate;
