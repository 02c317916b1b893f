//! Sites without a server: the files of the page, and the documents about a solution that the page reads from files.
//!
//! All other documents are created in the browser, by the module that `nerode-wasm` builds.

use std::collections::BTreeMap;
use std::sync::Arc;

use nerode_games::Position;
use nerode_report::documents::{Answer, SCHEMA_VERSION};
use nerode_solver::error::{Error, Result};
use nerode_solver::stored::{SampleFilter, Solution};
use serde::Serialize;

use super::api;
use super::assets;
use super::problem::Problem;
use super::work::Wanted;

/// The number of random positions of a solution.
const SAMPLE: usize = 500;
/// The number of random positions of a sector.
const SAMPLE_OF_SECTOR: usize = 8;
/// The seed of the random positions.
const SEED: u64 = 1;

/// The scripts that only sites have.
const SCRIPTS: [(&str, &str); 3] = [
    ("site.js", include_str!("site.js")),
    ("source.js", include_str!("source.js")),
    ("worker.js", include_str!("worker.js")),
];

/// Returns the files of the page by name, except the module and its script `nerode.js`.
#[must_use]
pub fn page() -> Vec<(&'static str, String)> {
    let served = assets::files().map(|(name, text)| match name {
        "index.html" => (name, index(text)),
        _ => (name, text.to_string()),
    });
    served.chain(SCRIPTS.map(|(name, text)| (name, text.to_string()))).collect()
}

/// Returns the page with the first script of a site. The scripts are requested in advance.
fn index(page: &str) -> String {
    let modules = SCRIPTS.map(|(name, _)| match name {
        "worker.js" => "<link rel=\"preload\" as=\"fetch\" crossorigin href=\"data/site.json\">".to_string(),
        name => format!("<link rel=\"modulepreload\" href=\"{name}\">"),
    });
    let own = "<script type=\"module\" src=\"site.js\"></script>";
    page.replace(
        "<script type=\"module\" src=\"main.js\"></script>",
        &format!("{}\n{own}", modules.join("\n")),
    )
}

/// A packed file of a solution.
#[derive(Clone, Debug, Serialize)]
pub struct PackedFile {
    /// Its name in the folder.
    pub name: String,
    /// The number of bytes.
    pub bytes: u64,
}

/// A solution in the index of a site.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    id: String,
    game: String,
    form: String,
    complete: bool,
    ply_so_far: Option<u32>,
    not_yet: Option<String>,
    /// The digest of the packed solution, which makes browsers fetch changed files again.
    version: String,
    files: Vec<PackedFile>,
}

impl Listed {
    /// Describes a packed solution with its files.
    #[must_use]
    pub fn new(id: &str, packed: &Solution, files: Vec<PackedFile>) -> Self {
        Self {
            id: id.into(),
            game: packed.game().spec(),
            form: packed.form(),
            complete: packed.is_complete(),
            ply_so_far: None,
            not_yet: None,
            version: packed.digest().into(),
            files,
        }
    }
}

/// The index of a site.
#[derive(Serialize)]
struct Index<'a> {
    schema_version: u32,
    solutions: &'a [Listed],
}

/// Returns the index `site.json`.
///
/// # Errors
/// Returns [`Error::Rules`] if a document cannot be written as JSON.
pub fn site_index(solutions: &[Listed]) -> Result<Vec<u8>> {
    json(&Index { schema_version: SCHEMA_VERSION, solutions })
}

/// Random positions that can occur in play and in which the game is not over.
#[derive(Default, Serialize)]
struct Sample {
    positions: Vec<String>,
    sectors: BTreeMap<String, Vec<String>>,
}

/// Returns the documents about a solution by name. Statistics and random positions come from `source`, which may have sets that
/// the packed solution lacks.
///
/// Cost: that of the statistics, and some thousand look-ups.
///
/// # Errors
/// Returns the errors of queries.
pub fn documents(
    id: &str,
    packed: &Arc<Solution>,
    source: &Arc<Solution>,
) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let game = packed.game();
    let unanswered = |problem: Problem| Error::Rules { game: game.spec(), reason: problem.into_detail() };
    let mut about = api::about_of(id.into(), packed).map_err(unanswered)?;
    // Sets are not part of a site, and neither are the automata of them.
    about.has_sets = false;
    let first = game.parse_position(&about.begin)?;
    let first = Answer::new(&***packed, &packed.query(&first)?, None, true);
    let stats = api::stats_of(source, &Wanted::default()).map_err(unanswered)?;
    Ok(vec![
        ("about.json", json(&about)?),
        ("first.json", json(&first)?),
        ("stats.json", json(&stats)?),
        ("sample.json", json(&sample(source)?)?),
    ])
}

fn sample(solution: &Solution) -> Result<Sample> {
    let game = solution.game();
    let is_played = |position: &Position| api::is_played(game, position);
    let drawn = |count: usize, sector: Option<&str>| -> Result<Vec<String>> {
        let filter = SampleFilter { sector, value: None, accepts: Some(&is_played) };
        let found = solution.sample_where(count, SEED, &filter)?.unwrap_or_default();
        let mut texts: Vec<String> = found.iter().map(|position| game.format_position(position)).collect();
        texts.sort();
        texts.dedup();
        Ok(texts)
    };
    let of_sector = |sector: String| Ok((sector.clone(), drawn(SAMPLE_OF_SECTOR, Some(&sector))?));
    let sectors = solution.sectors()?.into_iter().map(of_sector).collect::<Result<_>>()?;
    Ok(Sample { positions: drawn(SAMPLE, None)?, sectors })
}

fn json<T: Serialize>(document: &T) -> Result<Vec<u8>> {
    serde_json::to_vec(document).map_err(|error| Error::Rules {
        game: String::new(),
        reason: format!("a document is not JSON: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scripts of a site are files of the site, and every address is relative.
    #[test]
    fn a_site_names_its_own_files_relative_to_itself() {
        let files = page();
        let text = |name: &str| files.iter().find(|file| file.0 == name).map(|file| file.1.as_str()).unwrap();
        assert!(
            text("index.html").contains("src=\"site.js\"") && !text("index.html").contains("src=\"main.js\"")
        );
        for (name, text) in &files {
            for module in text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()) {
                let is_there = module == "nerode.js" || files.iter().any(|file| file.0 == module);
                assert!(is_there, "{name}: {module}");
            }
            for absolute in ["href=\"/", "src=\"/", "fetch(\"/", "from \"/"] {
                assert!(!text.contains(absolute), "{name}: {absolute}");
            }
        }
    }
}
