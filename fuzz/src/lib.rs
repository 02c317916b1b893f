//! What fuzz targets and tests share: see `entries`.

pub mod entries;
