use std::fs;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use nerode_games::{Game, Side, Value};

use super::*;
use nerode_oracle::{Control, ExplicitTable, solve};

fn solved() -> (Arc<dyn Game>, ExplicitTable) {
    let game = nerode_games::registry::open("tictactoe:2x2,k=2").unwrap();
    let interrupt = AtomicBool::new(false);
    let control = Control { memory_limit: 1 << 20, interrupt: &interrupt, progress: &mut |_, _| () };
    let solution = solve(&*game, "tictactoe:2x2,k=2", control).unwrap();
    (game, solution)
}

fn pool() -> &'static rayon::ThreadPool {
    static POOL: LazyLock<rayon::ThreadPool> =
        LazyLock::new(|| rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap());
    &POOL
}

fn all_rows<'a>(game: &'a dyn Game, solution: &'a ExplicitTable) -> impl Iterator<Item = Result<Row>> + 'a {
    Side::BOTH.into_iter().flat_map(move |side| {
        let codes = solution.codes(side).iter().copied().map(Ok);
        rows_of(game, solution.indexer(), side, codes, true, pool())
    })
}

/// Returns rows of every kind, for two positions per side.
fn mixed() -> Vec<Row> {
    let row =
        |side, index, value, dtw| Row { ply: None, side, index, position: "a,\"b\"".to_string(), value, dtw };
    vec![
        row(Side::P1, 0, Some(Value::Win), Some(3)),
        row(Side::P1, 1, None, None),
        row(Side::P2, 0, Some(Value::Draw), None),
        row(Side::P2, 1, Some(Value::Loss), None),
    ]
}

fn export(format: Format, rows: Vec<Row>) -> (tempfile::TempDir, Result<Exported>) {
    let dir = tempfile::tempdir().unwrap();
    let exported = write_rows(&dir.path().join("rows"), format, Order::Boards(2), rows.into_iter().map(Ok));
    (dir, exported)
}

#[test]
fn rows_are_the_table_with_texts_that_read_back() {
    let (game, solution) = solved();
    let mut rows = 0;
    for row in all_rows(&*game, &solution) {
        let row = row.unwrap();
        let found = solution.get(row.side, row.index).unwrap();
        assert_eq!((row.value, row.dtw.map(u32::from)), (found.value(), found.depth()));
        let position = game.parse_position(&row.position).unwrap();
        assert_eq!(position.side, row.side);
        assert_eq!(solution.indexer().index_of(&position.board), Some(row.index));
        rows += 1;
    }
    assert_eq!(rows, 2 * 81);
    let too_many = std::iter::repeat_n(0, 82).map(Ok);
    assert!(rows_of(&*game, solution.indexer(), Side::P1, too_many, false, pool()).last().unwrap().is_err());
}

/// Checks rows that several threads make in several batches.
#[test]
fn many_rows_come_in_order() {
    let game = nerode_games::registry::open("nim:3x40").unwrap();
    let indexer = nerode_oracle::Indexer::new(game.as_ref(), "nim:3x40").unwrap();
    let boards = indexer.num_positions();
    let codes = (0..boards).map(|index| Ok((index % 7) as u16));
    let rows = rows_of(game.as_ref(), &indexer, Side::P1, codes, true, pool());
    let mut next = 0;
    for row in rows {
        let row = row.unwrap();
        let board = game.parse_position(&row.position).unwrap().board;
        let expected = nerode_solver::outcome::code16::outcome((next % 7) as u16);
        assert_eq!((row.index, indexer.index_of(&board)), (next, Some(next)));
        assert_eq!((row.value, row.dtw.map(u32::from)), (expected.value(), expected.depth()));
        next += 1;
    }
    assert_eq!(next, boards);
    let mut codes = (0..50_000).map(Ok).chain([Err(Error::Interrupted)]).chain((0..9).map(Ok));
    let rows = rows_of(game.as_ref(), &indexer, Side::P1, &mut codes, false, pool());
    assert_eq!(rows.take_while(Result::is_ok).count(), 50_000);
}

#[test]
fn csv_is_text_with_a_line_of_names() {
    let (dir, exported) = export(Format::Csv, mixed());
    let text = fs::read_to_string(dir.path().join("rows")).unwrap();
    let expected = "side,index,position,value,dtw\n\
        P1,0,\"a,\"\"b\"\"\",win,3\n\
        P1,1,\"a,\"\"b\"\"\",unknown,\n\
        P2,0,\"a,\"\"b\"\"\",draw,\n\
        P2,1,\"a,\"\"b\"\"\",loss,\n";
    assert_eq!(text, expected);
    assert_eq!(exported.unwrap(), Exported { rows: 4, bytes: expected.len() as u64 });
}

#[test]
fn npy_reads_back_with_its_shape() {
    let (dir, exported) = export(Format::Npy, mixed());
    let bytes = fs::read(dir.path().join("rows")).unwrap();
    assert_eq!(exported.unwrap(), Exported { rows: 4, bytes: bytes.len() as u64 });
    let array = npyz::NpyFile::new(&bytes[..]).unwrap();
    assert_eq!(array.shape(), [2, 2]);
    assert_eq!(array.into_vec::<i16>().unwrap(), [4, 0, 32767, -32766]);
    assert_eq!(bytes.len(), 128 + 4 * size_of::<i16>());
}

#[test]
fn npy_of_reached_positions_has_one_dimension() {
    for counts in [vec![1, 2, 1], vec![1, 0], vec![]] {
        let at = |ply: usize, index| Row { ply: Some(ply as u32), index, ..mixed()[0].clone() };
        let rows: Vec<Row> =
            (0..counts.len()).flat_map(|ply| (0..counts[ply]).map(move |index| at(ply, index))).collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows");
        let (number, order) = (rows.len(), Order::Plies(&counts));
        write_rows(&path, Format::Npy, order, rows.into_iter().map(Ok)).unwrap();
        let array = npyz::NpyFile::new(fs::File::open(path).unwrap()).unwrap();
        assert_eq!(array.shape(), [number as u64]);
        assert_eq!(array.into_vec::<i16>().unwrap(), vec![4; number]);
    }
}

#[test]
fn npy_refuses_holes_and_disorder() {
    let mut swapped = mixed();
    swapped.swap(1, 2);
    let mut short = mixed();
    short.pop();
    let mut long = mixed();
    long.push(long[3].clone());
    for rows in [swapped, short, long] {
        let (dir, exported) = export(Format::Npy, rows);
        assert!(matches!(exported, Err(Error::Mismatch { .. })));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn npy_numbers_are_distinct_and_keep_within_sixteen_bits() {
    let depths = (0..=32_764).map(Some);
    let mut codes = vec![npy_code(None, None), npy_code(Some(Value::Draw), None)];
    for value in [Value::Win, Value::Loss] {
        codes.push(npy_code(Some(value), None));
        codes.extend(depths.clone().map(|dtw| npy_code(Some(value), dtw)));
        assert_eq!(npy_code(Some(value), Some(32_765)), None);
        assert_eq!(npy_code(Some(value), Some(u16::MAX)), None);
    }
    let total = codes.len();
    let distinct: std::collections::HashSet<i16> = codes.into_iter().map(Option::unwrap).collect();
    assert_eq!(distinct.len(), total);
    assert_eq!(npy_code(None, Some(0)), None);
    assert_eq!(npy_code(Some(Value::Draw), Some(0)), None);
}

#[test]
fn an_error_among_the_rows_leaves_no_file() {
    for format in [Format::Csv, Format::Npy] {
        let dir = tempfile::tempdir().unwrap();
        let rows = mixed().into_iter().map(Ok).take(2).chain([Err(Error::Interrupted)]);
        let result = write_rows(&dir.path().join("rows"), format, Order::Boards(2), rows);
        assert!(matches!(result, Err(Error::Interrupted)));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(format.name().parse::<Format>().unwrap(), format);
    }
    assert!("xlsx".parse::<Format>().is_err());
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_refused_where_it_is_not_built_in() {
    let (_dir, exported) = export(Format::Parquet, mixed());
    assert!(exported.unwrap_err().to_string().contains("parquet"));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_reads_back_over_several_groups() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rows.parquet");
    let total = 150_000_u64;
    let row = |index: u64| {
        let mut row = mixed()[usize::try_from(index % 4).unwrap()].clone();
        row.index = u64::MAX - index;
        row
    };
    let exported = write_rows(&path, Format::Parquet, 0, (0..total).map(|index| Ok(row(index)))).unwrap();
    assert_eq!(exported.rows, total);
    let reader = SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(reader.num_row_groups(), 3);
    let mut read = 0;
    for (index, found) in (0..total).zip(reader.get_row_iter(None).unwrap()) {
        let expected = row(index);
        let fields: Vec<String> =
            found.unwrap().get_column_iter().map(|(name, field)| format!("{name}={field}")).collect();
        let dtw = expected.dtw.map_or("null".to_string(), |dtw| dtw.to_string());
        assert_eq!(fields[0], format!("side=\"{}\"", expected.side));
        assert_eq!(fields[1], format!("index={}", expected.index));
        assert_eq!(fields[2], format!("position=\"{}\"", expected.position));
        assert_eq!(fields[3], format!("value=\"{}\"", value_name(expected.value)));
        assert_eq!(fields[4], format!("dtw={dtw}"));
        read += 1;
    }
    assert_eq!(read, total);
}
