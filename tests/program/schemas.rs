//! Every document that the program prints matches the JSON Schema that `nerode schema` prints for it, and the schemas
//! describe every field.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::program::{ends, first_document, run_program, with_run};
use crate::common::scratch;
use serde_json::{Value, json};

/// Returns the schemas that the program prints, by name.
fn printed() -> BTreeMap<String, Value> {
    serde_json::from_str(&ends(scratch().path(), 0, &["schema"])).unwrap()
}

/// Returns all schemas by name, modified so that they only allow the fields that they describe.
fn schemas() -> BTreeMap<String, Value> {
    let mut all = printed();
    all.values_mut().for_each(|schema| close(schema, false));
    all
}

/// Forbids fields that a schema does not describe. The schemas themselves allow them, because later versions may add
/// some. A `part` describes an object together with the schema that contains it.
fn close(schema: &mut Value, part: bool) {
    let Value::Object(fields) = schema else {
        schema.as_array_mut().into_iter().flatten().for_each(|item| close(item, part));
        return;
    };
    let has_fields = fields.contains_key("properties") && fields.contains_key("type");
    for (key, value) in &mut *fields {
        match key.as_str() {
            "properties" | "$defs" => {
                value.as_object_mut().unwrap().values_mut().for_each(|it| close(it, false))
            }
            "oneOf" | "anyOf" | "allOf" => close(value, part || has_fields),
            _ => close(value, false),
        }
    }
    if has_fields && !part {
        fields.entry("unevaluatedProperties").or_insert(json!(false));
    }
}

/// Asserts that a document matches the schema `name`.
fn assert_fits(schemas: &BTreeMap<String, Value>, name: &str, document: &Value, what: &[&str]) {
    let schema = schemas.get(name).unwrap_or_else(|| panic!("'nerode schema' prints none for {name}"));
    let validator = jsonschema::draft202012::new(schema).unwrap();
    let wrong: Vec<String> =
        validator.iter_errors(document).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(wrong.is_empty(), "{what:?} does not match the schema {name}: {wrong:#?}\n{document:#}");
}

/// Collects the places of the fields that a schema does not describe. The description of a variant of an enum may be that
/// of its only field.
fn undescribed(schema: &Value, place: &str, missing: &mut Vec<String>) {
    if let Some(fields) = schema["properties"].as_object() {
        let is_described = |field: &Value| field["description"].is_string() || field["const"].is_string();
        let by_variant = fields.len() == 1 && schema["description"].is_string();
        let fields = fields.iter().filter(|(_, field)| !by_variant && !is_described(field));
        missing.extend(fields.map(|(name, _)| format!("{place}.{name}")));
    }
    match schema {
        Value::Object(all) => {
            all.iter().for_each(|(key, value)| undescribed(value, &format!("{place}/{key}"), missing));
        }
        Value::Array(all) => all.iter().for_each(|value| undescribed(value, place, missing)),
        _ => {}
    }
}

#[test]
fn every_schema_is_valid_and_describes_every_field() {
    let dir = scratch();
    for (name, schema) in printed() {
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        let mut missing = Vec::new();
        undescribed(&schema, &name, &mut missing);
        assert!(missing.is_empty() && schema["title"].is_string(), "no description of {missing:?}");
        assert_eq!(serde_json::from_str::<Value>(&ends(dir.path(), 0, &["schema", &name])).unwrap(), schema);
    }
}

/// Returns the commands that `--help` lists, except those that print no document.
fn commands(at: &Path) -> BTreeSet<String> {
    let help = ends(at, 0, &["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).map(str::to_string);
    // The output of 'engine' is described by the OpenAPI document of the service.
    names.filter(|name| !["help", "completions", "engine", "schema"].contains(&name.as_str())).collect()
}

/// The commands to run, in order, in one directory. Some of them create the input of later ones.
const RUNS: &[&str] = &[
    "games",
    "info nim:2x3",
    "info morris:three",
    "solve nim:2x3 --method retrograde --run-dir nim",
    "solve tictactoe:3x3 --method meet --run-dir meet",
    "solve breakthrough:2x4 --method retrograde --chains one --run-dir one",
    "solve breakthrough:2x5 --method retrograde --plies 3 --run-dir short",
    "solve nim:2x3 --engine table --out nim.tbl",
    "solve othello:3x3 --score --run-dir scores",
    "solve morris:three --run-dir three",
    "solve morris:six --sector 3-3-0-0 --run-dir six",
    "solve morris:six --engine sets --sector 3-3-0-0 --run-dir six-sets",
    "resume short",
    "unit short --list",
    "unit short",
    "resume meet",
    "resume three",
    "resume six-sets",
    "plan morris:six --run-dir six",
    "unit morris:six 3-3-0-0 --run-dir units",
    "unit morris:six 3-3-0-0 --run-dir units",
    "resume units",
    "solve morris:three --engine table --out three.tbl",
    "info nim",
    "info meet",
    "info three",
    "pack nim",
    "pack three --out packed",
    "info one",
    "info scores",
    "info six-sets",
    "info packed",
    "info nim/values",
    "estimate nim:2x3",
    "estimate breakthrough:3x4 --probe 1",
    "estimate morris:three",
    "estimate short",
    "query nim start",
    "query meet start",
    "query nim 0/0 P1",
    "query scores start",
    "query three start",
    "query nim.tbl start",
    "query nim/values start",
    "query packed start",
    "query six-sets start",
    "query six OO*OO***/@***@*@*_w_0-0 --search-plies 2",
    "query short start --search-plies 2",
    "query nim start --traps",
    "query three O*@*****/* w 2-2 --traps --trap-plies 3 --trap-model distance",
    "query packed start --traps --trap-plies 4",
    "play three --computer both --record three.txt",
    "analyse three three.txt",
    "play nim",
    "match perfect:nim random --openings 2 --log nim.jsonl",
    "line nim start",
    "line meet",
    "line scores",
    "line three",
    "line nim.tbl",
    "line nim/values",
    "line six-sets OO*O@***/@***@***_w_0-0",
    "stats nim",
    "stats meet --plies --layers",
    "plot meet --out meet.svg --csv meet.csv",
    "plot nim meet.csv --fit --x states --y bytes",
    "plot six-sets scores --x positions --out mixed.pdf",
    "stats nim --plies --layers --orbits",
    "stats one",
    "stats three",
    "stats six-sets",
    "stats scores",
    "verify nim",
    "verify nim --explicit --sample 5",
    "verify six --sets --sector 3-3-0-0",
    "verify three",
    "verify nim --last",
    "verify nim --values nim/values",
    "verify nim.tbl",
    "verify nim.tbl --sets",
    "compare nim",
    "compare six",
    "solve morris:nine --sector 3-3-0-0 --run-dir nine",
    "bounds six --placements 2 --search-plies 1",
    "bounds meet --plies 2",
    "prove short",
    "prove short --certificate short.proof",
    "prove short --check short.proof",
    "info meet",
    "compare meet",
    "stats meet --orbits",
    "stats nim --reachable",
    "export meet --format table --out meet.tbl",
    "stats meet.tbl",
    "query six start --search-plies 3",
    "export nine --format sec --out malom",
    "solve morris:nine --sector 3-3-0-0 --run-dir nine --ranked",
    "export nine --format sec2 --out ultra",
    "solve morris:three --run-dir ranked --ranked --check",
    "resume ranked",
    "query ranked start",
    "query ranked O*@*****/* w 2-2",
    "line ranked start",
    "stats ranked",
    "solve morris:nine,capture=protected --sector 3-3-0-0 --run-dir protected",
    "diff protected nine --examples 3",
    "import morris:nine malom/std_3_3_0_0.sec --run-dir back",
    "diff nim nim",
    "export nim --format csv --out nim.csv",
    "export nim --format dot --out nim.dot",
    "list .",
    "check rbg:tictactoe",
    "perft rbg:tictactoe --depth 5",
    "check rbg:breakthrough --canonical",
    "order nim:2x3",
    "order breakthrough:2x4 --method sift --budget 10",
    "reach nim:2x3",
    "reach breakthrough:3x4 --plies 2",
    "reach morris:three",
    "man pages",
    "site nim three scores --module module --out public",
];

#[test]
#[ignore = "slow: .ci/slow"]
fn every_document_is_what_its_schema_says() {
    let (dir, schemas) = (scratch(), schemas());
    let mut seen = BTreeSet::new();
    // A site copies the module, whatever it contains.
    std::fs::create_dir(dir.path().join("module")).unwrap();
    for name in ["nerode.wasm", "index.js"] {
        std::fs::write(dir.path().join("module").join(name), name).unwrap();
    }
    for line in RUNS {
        let words: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        let output = run_program(dir.path(), &words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let command = document["command"].as_str().unwrap();
        assert_fits(&schemas, command, &document, &words);
        seen.insert(command.to_string());
    }
    let served = first_document(dir.path(), &["serve", "nim", "three", "--port", "0", "--json"]);
    assert_fits(&schemas, "serve", &served, &["serve"]);
    seen.insert("serve".to_string());
    let unseen: Vec<String> = commands(dir.path()).into_iter().filter(|name| !seen.contains(name)).collect();
    assert!(unseen.is_empty(), "this test does not run {unseen:?}: add a line");
}

/// Lines of a batch are separate documents.
#[test]
fn every_line_of_a_batch_is_what_its_schema_says() {
    let (dir, schemas) = (with_run("nim:2x3", &[]), schemas());
    for more in [&[][..], &["--moves"]] {
        let arguments = [&["query", "run", "--batch"], more].concat();
        let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_nerode"))
            .current_dir(dir.path())
            .args(&arguments)
            .write_stdin(format!("1/2 P1\nnonsense\n0/0 P2\n\n{}\n", "1".repeat(100_000)))
            .output()
            .unwrap();
        let lines = String::from_utf8(run.stdout).unwrap();
        assert_eq!(lines.lines().count(), 5, "{lines}");
        for line in lines.lines() {
            assert_fits(&schemas, "batch", &serde_json::from_str(line).unwrap(), &arguments);
        }
    }
}

#[test]
fn errors_notes_and_progress_are_what_their_schemas_say() {
    let (dir, schemas) = (scratch(), schemas());
    std::fs::write(dir.path().join("wrong.rbg"), "#rules = (").unwrap();
    for words in [
        &["info", "foo", "--json"][..],
        &["--json"],
        &["solve", "--json", "--nonsense"],
        &["estimate", "absent", "--json"],
        &["check", "wrong.rbg", "--json"],
        &["solve", "breakthrough:3x4", "--method", "retrograde", "--progress", "json"],
        &["solve", "tictactoe:3x3", "--method", "meet", "-v", "--json"],
        &["verify", "runs/breakthrough_3x4", "--explicit", "--progress", "json"],
    ] {
        let output = run_program(dir.path(), words);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.is_empty(), "{words:?}");
        for line in errors.lines() {
            let said: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{words:?}: {e}: {line}"));
            let schema = if said.get("progress").is_some() { "progress" } else { "error" };
            assert_fits(&schemas, schema, &said, words);
        }
    }
}

/// A test that cannot fail would be useless.
#[test]
fn a_field_too_many_and_a_field_too_few_are_seen() {
    let schemas = schemas();
    let fits = |document: Value| {
        let documents = std::panic::catch_unwind(|| assert_fits(&schemas, "games", &document, &["games"]));
        documents.is_ok()
    };
    assert!(fits(json!({"schema_version": 1, "command": "games", "families": [], "rule_files": []})));
    assert!(!fits(json!({"schema_version": 1, "command": "games"})));
    assert!(!fits(
        json!({"schema_version": 1, "command": "games", "families": [], "rule_files": [], "more": 1})
    ));
    assert!(!fits(json!({"schema_version": 1, "command": "game", "families": [], "rule_files": []})));
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let dir = scratch();
    let said = ends(dir.path(), 0, &["man", "pages"]);
    assert!(said.contains("manual pages in pages"), "{said}");
    for name in commands(dir.path()) {
        let page = std::fs::read_to_string(dir.path().join(format!("pages/nerode-{name}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains(&name), "{name}");
    }
    let page = ends(dir.path(), 0, &["man"]);
    assert!(page.contains(".SH NAME") && page.contains("nerode"), "{page}");
}
