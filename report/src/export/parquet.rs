//! Rows as a Parquet file: `side`, `position` and `value` are text, `index` is an unsigned 64-bit integer, and `dtw` is
//! an unsigned 16-bit integer or null. In lists of reached positions, the first column is `ply`, an unsigned 32-bit
//! integer.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::Compression;
use ::parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;

use super::rows::{Order, Row, value_name};
use nerode_solver::error::{Error, Result};

/// The number of rows that are held in memory and written as one row group.
const GROUP: usize = 1 << 16;

/// The first column of a list of reached positions.
const PLY: &str = "required int32 ply (INTEGER(32, false));";

const COLUMNS: &str = "required binary side (STRING);
    required int64 index (INTEGER(64, false));
    required binary position (STRING);
    required binary value (STRING);
    optional int32 dtw (INTEGER(16, false));";

type Out<'a> = SerializedFileWriter<&'a mut (dyn Write + Send)>;

/// Writes the rows and returns their number.
pub(super) fn put(
    out: &mut (dyn Write + Send),
    path: &Path,
    order: Order<'_>,
    rows: impl Iterator<Item = Result<Row>>,
) -> Result<u64> {
    let failed = |error: ParquetError| Error::io(path, std::io::Error::other(error));
    let has_ply = matches!(order, Order::Plies(_));
    let schema = format!("message positions {{ {} {COLUMNS} }}", if has_ply { PLY } else { "" });
    let schema = Arc::new(parse_message_type(&schema).map_err(failed)?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut out = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
    let mut group = Vec::with_capacity(GROUP);
    let mut written = 0;
    for row in rows {
        group.push(row?);
        written += 1;
        if group.len() == GROUP {
            write_group(&mut out, &group, has_ply).map_err(failed)?;
            group.clear();
        }
    }
    if !group.is_empty() {
        write_group(&mut out, &group, has_ply).map_err(failed)?;
    }
    out.close().map_err(failed)?;
    Ok(written)
}

/// Writes one row group, column by column in the order of the schema.
fn write_group(out: &mut Out<'_>, rows: &[Row], has_ply: bool) -> std::result::Result<(), ParquetError> {
    let mut group = out.next_row_group()?;
    if has_ply {
        let plies: Vec<i32> = rows.iter().map(|row| row.ply.unwrap_or(0).cast_signed()).collect();
        write_column::<Int32Type>(&mut group, &plies, None)?;
    }
    write_texts(&mut group, rows.iter().map(|row| row.side.to_string()))?;
    // An unsigned column is stored as the signed integer with the same bits.
    let indices: Vec<i64> = rows.iter().map(|row| row.index.cast_signed()).collect();
    write_column::<Int64Type>(&mut group, &indices, None)?;
    write_texts(&mut group, rows.iter().map(|row| row.position.clone()))?;
    write_texts(&mut group, rows.iter().map(|row| value_name(row.value).to_string()))?;
    let present: Vec<i16> = rows.iter().map(|row| i16::from(row.dtw.is_some())).collect();
    let depths: Vec<i32> = rows.iter().filter_map(|row| row.dtw.map(i32::from)).collect();
    write_column::<Int32Type>(&mut group, &depths, Some(&present))?;
    group.close()?;
    Ok(())
}

type Group<'a, 'b> = SerializedRowGroupWriter<'a, &'b mut (dyn Write + Send)>;

fn write_texts(
    group: &mut Group<'_, '_>,
    texts: impl Iterator<Item = String>,
) -> std::result::Result<(), ParquetError> {
    let values: Vec<ByteArray> = texts.map(|text| ByteArray::from(text.into_bytes())).collect();
    write_column::<ByteArrayType>(group, &values, None)
}

/// Writes the next column. If values of the column are optional, `present` has a 1 for each row with a value.
fn write_column<T: ::parquet::data_type::DataType>(
    group: &mut Group<'_, '_>,
    values: &[T::T],
    present: Option<&[i16]>,
) -> std::result::Result<(), ParquetError> {
    let column = group.next_column()?;
    let mut column =
        column.ok_or_else(|| ParquetError::General("more columns than the schema has".to_string()))?;
    column.typed::<T>().write_batch(values, present, None)?;
    column.close()
}
