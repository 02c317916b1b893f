//! Code shared by fuzz targets and tests. See `entries`.

pub mod entries;
