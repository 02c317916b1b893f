//! Growth as a CSV file: a row for each set and step, and an empty field for a number that is not known.

use std::io::{Read, Write};
use std::path::Path;

use csv::StringRecord;

use super::{Growth, Measure, Row, Step};
use nerode_solver::error::{Error, Result};

/// The columns before those of the measures.
const SOLUTION: &str = "solution";
const SET: &str = "set";
const LABEL: &str = "label";

/// Writes all rows. Columns without a number are left out.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn write(growths: &[Growth], out: &mut dyn Write, path: &Path) -> Result<()> {
    let measures: Vec<Measure> = Measure::ALL
        .into_iter()
        .filter(|measure| growths.iter().any(|growth| growth.measures().contains(measure)))
        .collect();
    let has_label = growths.iter().flat_map(|growth| &growth.rows).any(|row| row.label.is_some());
    let step = growths.first().map_or(Step::Ply, |growth| growth.step).to_string();
    let mut file = csv::Writer::from_writer(out);
    let mut header = vec![SOLUTION, SET, &step];
    header.extend(has_label.then_some(LABEL));
    header.extend(measures.iter().map(|measure| measure.name()));
    let failed = |e: csv::Error| Error::io(path, e.into());
    file.write_record(&header).map_err(failed)?;
    for growth in growths {
        for row in &growth.rows {
            let mut fields = vec![growth.solution.clone(), row.set.clone(), row.step.to_string()];
            fields.extend(has_label.then(|| row.label.clone().unwrap_or_default()));
            fields.extend(measures.iter().map(|&measure| field(row, measure)));
            file.write_record(&fields).map_err(failed)?;
        }
    }
    file.flush().map_err(|e| Error::io(path, e))
}

fn field(row: &Row, measure: Measure) -> String {
    let count = match measure {
        Measure::New => row.new,
        Measure::Positions => row.positions,
        Measure::States => row.states,
        Measure::Bytes => row.bytes,
        Measure::Seconds => return row.seconds.map(|seconds| seconds.to_string()).unwrap_or_default(),
    };
    count.map(|count| count.to_string()).unwrap_or_default()
}

/// Reads rows by the names of their columns: the step `ply`, `sector` or `layer`, and at least one measure; also `solution`, `set` and
/// `label`, if there are such columns. `name` is the name of the solution if it has no column. Other columns are ignored.
///
/// # Errors
/// Returns [`Error::Corrupt`] for a file that is not such a table.
pub fn read(file: impl Read, path: &Path, name: &str) -> Result<Vec<Growth>> {
    let corrupt = |reason: String| Error::corrupt(path, reason);
    let unreadable = |e: csv::Error| corrupt(format!("not a CSV file: {e}"));
    let mut table = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
    let header = table.headers().map_err(unreadable)?.clone();
    let column = |name: &str| header.iter().position(|column| column == name);
    let steps = [Step::Ply, Step::Sector, Step::Layer];
    let Some((step, step_column)) =
        steps.into_iter().find_map(|step| column(&step.to_string()).map(|at| (step, at)))
    else {
        return Err(corrupt(format!("it has no column 'ply', 'sector' or 'layer' but {}", joined(&header))));
    };
    let measures: Vec<(Measure, usize)> = Measure::ALL
        .into_iter()
        .filter_map(|measure| column(measure.name()).map(|at| (measure, at)))
        .collect();
    if measures.is_empty() {
        let names = Measure::ALL.map(Measure::name).join(", ");
        return Err(corrupt(format!("it has no column of numbers ({names}) but {}", joined(&header))));
    }
    let [solution, set, label] = [SOLUTION, SET, LABEL].map(column);
    let mut growths: Vec<(String, Vec<Row>)> = Vec::new();
    for record in table.records() {
        let record = record.map_err(unreadable)?;
        let text = |at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or_default();
        let line = record.position().map_or(0, csv::Position::line);
        let bad = |at: usize| {
            corrupt(format!("line {line}: '{}' is not a number", record.get(at).unwrap_or_default()))
        };
        let mut row = Row {
            set: text(set).to_string(),
            step: text(Some(step_column)).parse().map_err(|_| bad(step_column))?,
            label: Some(text(label)).filter(|label| !label.is_empty()).map(String::from),
            ..Row::default()
        };
        for &(measure, at) in &measures {
            if !text(Some(at)).is_empty() {
                store(&mut row, measure, text(Some(at))).ok_or_else(|| bad(at))?;
            }
        }
        let solution = Some(text(solution)).filter(|name| !name.is_empty()).unwrap_or(name);
        match growths.iter_mut().find(|(name, _)| name == solution) {
            Some((_, rows)) => rows.push(row),
            None => growths.push((solution.to_string(), vec![row])),
        }
    }
    if growths.is_empty() {
        return Err(corrupt("it has no rows".into()));
    }
    Ok(growths.into_iter().map(|(solution, rows)| Growth::new(solution, step, rows)).collect())
}

/// Stores a number in the row. Returns `None` if `text` is not a number.
fn store(row: &mut Row, measure: Measure, text: &str) -> Option<()> {
    let slot = match measure {
        Measure::New => &mut row.new,
        Measure::Positions => &mut row.positions,
        Measure::States => &mut row.states,
        Measure::Bytes => &mut row.bytes,
        Measure::Seconds => {
            let seconds: f64 = text.parse().ok()?;
            row.seconds = Some(seconds).filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
            return row.seconds.map(|_| ());
        }
    };
    *slot = Some(text.parse().ok()?);
    Some(())
}

fn joined(header: &StringRecord) -> String {
    header.iter().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    fn read_text(text: &str) -> Result<Vec<Growth>> {
        read(text.as_bytes(), Path::new("a.csv"), "a")
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut largest = row("W-P1", 3, u128::MAX);
        largest.label = Some("a, \"b\"".into());
        largest.seconds = Some(0.1);
        let growths = [
            Growth::new("nim:3x7".into(), Step::Ply, vec![row("W-P1", 0, 5), largest]),
            Growth::new("mü".into(), Step::Ply, vec![row("R", 2, 0)]),
        ];
        let mut file = Vec::new();
        write(&growths, &mut file, Path::new("a.csv")).unwrap();
        let text = String::from_utf8(file).unwrap();
        assert!(text.starts_with("solution,set,ply,label,new,positions,states,seconds\n"), "{text}");
        assert_eq!(read_text(&text).unwrap(), growths);
    }

    #[test]
    fn tables_of_others_are_read() {
        let growths = read_text("machine,ply, states\nx,1,20\nx,2,\n").unwrap();
        assert_eq!(growths.len(), 1);
        assert_eq!((growths[0].solution.as_str(), growths[0].step), ("a", Step::Ply));
        let states: Vec<_> = growths[0].rows.iter().map(|row| (row.step, row.states)).collect();
        assert_eq!(states, [(1, Some(20)), (2, None)]);
    }

    #[test]
    fn what_is_wrong_with_a_table_is_said() {
        for (text, reason) in [
            ("", "no column 'ply'"),
            ("set,states\nR,1\n", "no column 'ply', 'sector' or 'layer' but set, states"),
            ("ply,set\n1,R\n", "no column of numbers"),
            ("ply,states\n", "no rows"),
            ("ply,states\n1,-3\n", "line 2: '-3' is not a number"),
            ("ply,states\n1,3\nx,3\n", "line 3: 'x' is not a number"),
            ("ply,seconds\n1,inf\n", "'inf' is not a number"),
            ("ply,states\n1\n", "not a CSV file"),
        ] {
            let error = read_text(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert!(read(&[0xff, b',', 0xfe][..], Path::new("a.csv"), "a").is_err());
    }
}
