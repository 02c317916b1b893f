//! The command `nerode schema [NAME]`, which prints the JSON Schemas of the documents that the program prints.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};

use super::output::{Document, Message, Outcome, ProgressLine, print};
use super::{
    analyse, bounds, check, compare, diff, estimate, export, games, import, info, line, list, man, matches,
    order, pack, perft, plan, play, prove, query, reach, sectors, solve, stats, unit, verify,
};

/// Arguments of `schema`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The command whose document to describe; or batch (a line of 'query --batch'), error (errors, warnings and notes) or progress
    /// [default: all, as one object]
    #[arg(value_parser = PossibleValuesParser::new(DOCUMENTS.iter().map(|kind| kind.name)), hide_possible_values = true)]
    name: Option<String>,
}

/// A kind of document.
struct Kind {
    /// Its name: the command that prints it, unless several kinds come from one command.
    name: &'static str,
    /// The command that prints it, or `None` if every command may print it.
    command: Option<&'static str>,
    /// The forms that it takes.
    forms: &'static [Form],
}

/// Returns the schema of a form of a document, with all fields.
type Form = fn(&mut SchemaGenerator) -> Schema;

const fn of(name: &'static str, forms: &'static [Form]) -> Kind {
    Kind { name, command: Some(name), forms }
}

/// The forms of the results of `solve` and `resume`.
const SOLVED: &[Form] = &[
    form::<solve::text::Solved>,
    form::<solve::table::Solved>,
    form::<solve::reached::Solved>,
    form::<solve::sectors::SectorsSolved>,
    form::<solve::sector_sets::Solved>,
    form::<solve::score::Scored>,
    form::<solve::nimbers::Solved>,
];

/// All kinds of documents.
const DOCUMENTS: &[Kind] = &[
    of("analyse", &[form::<analyse::Analysis>]),
    Kind {
        name: "batch",
        command: Some("query"),
        forms: &[form::<query::batch::Line<'static>>, form::<query::batch::Refusal<'static>>],
    },
    of("bounds", &[form::<bounds::Stored>, form::<bounds::StoredDepths>]),
    of("check", &[form::<check::Checked>]),
    of("compare", &[form::<compare::Compared>, form::<sectors::compare::Compared>]),
    of("diff", &[form::<diff::lines::Diff>, form::<diff::solutions::SolutionDiff>]),
    Kind { name: "error", command: None, forms: &[form::<Message>] },
    of("estimate", &[form::<estimate::Report>, form::<estimate::Next>]),
    of("export", &[form::<export::Written>, form::<sectors::export::Written>]),
    of("games", &[form::<games::Games>]),
    of("import", &[form::<import::Imported>]),
    of("info", &[form::<info::game::Info>, form::<info::directory::Info>, form::<list::Listed>]),
    of("line", &[form::<line::Line>]),
    of("list", &[form::<list::Listed>]),
    of("man", &[form::<man::Pages>]),
    of("match", &[form::<matches::Match>]),
    of("order", &[form::<order::Compared>]),
    of("pack", &[form::<pack::Written>, form::<sectors::pack::Packed>]),
    of("perft", &[form::<perft::Counted>]),
    of("plan", &[form::<plan::Plan>]),
    of("play", &[form::<play::table::Left>]),
    Kind { name: "progress", command: None, forms: &[form::<ProgressLine<'static>>] },
    #[cfg(feature = "plots")]
    of("plot", &[form::<super::plot::Plotted>]),
    of("prove", &[form::<prove::Proof>]),
    of("query", &[form::<query::answer::Answer>]),
    of("reach", &[form::<reach::Reached>]),
    of("resume", SOLVED),
    #[cfg(feature = "serve")]
    of("serve", &[form::<super::serve::Started>]),
    #[cfg(feature = "serve")]
    of("site", &[form::<super::site::Site>]),
    of("solve", SOLVED),
    of(
        "stats",
        &[
            form::<stats::Stats>,
            form::<sectors::stats::SectorStats>,
            form::<sectors::sets_stats::SetsStats>,
            form::<stats::scores::ScoreStats>,
            form::<nerode_report::listing::ListingSummary>,
        ],
    ),
    of("unit", &[form::<unit::sector::UnitSolved>, form::<unit::ply::PlyUnits>]),
    of("verify", &[form::<verify::report::Verified>]),
];

/// Returns the schema of a document whose body is a `T`, with the description of `T`.
fn form<T: JsonSchema + Serialize>(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = Document::<T>::json_schema(generator);
    if let Some(description) = T::json_schema(generator).remove("description") {
        schema.insert("description".into(), description);
    }
    schema
}

impl Kind {
    /// Returns the schema, in which the forms are alternatives.
    fn schema(&self) -> Schema {
        let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let form = |form: &Form| {
            let mut schema = form(&mut generator);
            if let (Some(name), Some(field)) = (self.command, schema.pointer_mut("/properties/command")) {
                *field = json!({ "const": name, "description": "The command that printed the document." });
            }
            schema
        };
        let mut forms: Vec<Schema> = self.forms.iter().map(form).collect();
        let mut schema = match forms.len() {
            1 => forms.remove(0),
            _ => json_schema!({ "anyOf": forms }),
        };
        schema.insert("$schema".into(), json!(SchemaSettings::draft2020_12().meta_schema));
        schema.insert("title".into(), json!(self.name));
        let definitions = generator.take_definitions(true);
        if !definitions.is_empty() {
            schema.insert("$defs".into(), definitions.into());
        }
        RecursiveTransform(join_lines).transform(&mut schema);
        schema
    }
}

/// Joins the lines of the description, which is wrapped in the source.
fn join_lines(schema: &mut Schema) {
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let all = DOCUMENTS.iter().filter(|kind| args.name.as_ref().is_none_or(|name| name == kind.name));
    let schemas: BTreeMap<&str, Schema> = all.map(|kind| (kind.name, kind.schema())).collect();
    let text = match &args.name {
        Some(name) => serde_json::to_string_pretty(&schemas[name.as_str()])?,
        None => serde_json::to_string_pretty(&schemas)?,
    };
    print((text + "\n").as_bytes())?;
    Ok(Outcome::Done)
}
