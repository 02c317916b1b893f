//! The document `openapi.json`, which describes all requests and answers for programs.

use std::sync::OnceLock;

use axum::Json;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::{answer, batch, choose, offers, positions, sample, sets, shared, solutions, stats};
use crate::problem::Problem;
use nerode_report::documents::{About, Answer, Choice, Line, Setup};

/// The media type of batches.
const LINES: &str = "application/x-ndjson";

pub(super) async fn document() -> Json<&'static Value> {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    Json(DOCUMENT.get_or_init(describe))
}

fn describe() -> Value {
    let mut document = Document::new();
    document
        .get("/solutions", "solutions")
        .about("Lists the served solutions with the ids that other requests use.")
        .returns::<solutions::Solutions>(200);
    document
        .get("/offers", "offers")
        .about("Lists the small games that can be solved here, and the progress of the requested solves.")
        .returns::<offers::Offers>(200);
    document
        .request("post", "/offers", "solve")
        .about("Starts to solve an offered game. The solution is served immediately, as far as it has been computed.")
        .accepts::<offers::Wish>("application/json")
        .returns::<offers::Begun>(202);
    document
        .get("/offers/{id}", "solve_progress")
        .about("Returns the progress of a requested solve.")
        .returns::<offers::Begun>(200);
    document
        .request("delete", "/offers/{id}", "cancel")
        .about("Cancels a requested solve. It ends shortly after the response, and another one can then be requested.")
        .returns::<offers::Begun>(202);
    document
        .get("/{id}", "position")
        .about("Returns the value, the depth and all moves of a position.")
        .takes::<answer::Ask>()
        .returns::<Answer>(200);
    document
        .request("post", "/{id}", "positions")
        .about(
            "Returns the value and the depth of many positions: one JSON line for each line of the request, in the same \
             order. A line is a position as text, as a JSON string, or as `{\"position\": ...}`. A blank line is answered \
             with an error.",
        )
        .takes::<batch::How>()
        .accepts::<String>(LINES)
        .returns_as::<batch::BatchLine>(200, LINES);
    document.get("/{id}/about", "about").about("Describes a solution and its game.").returns::<About>(200);
    document
        .get("/{id}/line", "line")
        .about("Returns best play from a position to the end of the game.")
        .takes::<shared::PlayedPosition>()
        .returns::<Line>(200);
    document
        .get("/{id}/sample", "sample")
        .about(
            "Returns random positions that the solution covers, with equal probabilities. Unless `legal` is set, some of \
             them may not occur in play. If legal positions or those of a category are rare, positions of random games \
             are added.",
        )
        .takes::<sample::Ask>()
        .returns::<sample::Sample>(200);
    document
        .get("/{id}/positions", "positions_of_depth")
        .about("Returns a page of all positions of a value and depth, in the order of their words.")
        .takes::<positions::Ask>()
        .returns::<positions::Page>(200);
    document
        .get("/{id}/stats", "stats")
        .about("Returns counts, sets by ply, and the longest wins and losses. They are computed once and cached.")
        .returns::<stats::Stats>(200);
    document
        .get("/{id}/board", "board")
        .about(
            "Returns an SVG drawing of the board and the values of all moves. Unless `any` is set, a position that cannot \
             occur in play is drawn without values.",
        )
        .takes::<shared::PlayedPosition>()
        .returns_as::<String>(200, "image/svg+xml");
    document
        .get("/{id}/setup", "setup")
        .about("Lists the positions that result from changing one thing in a position.")
        .takes::<shared::AtPosition>()
        .returns::<Setup>(200);
    document
        .get("/{id}/choose", "choose")
        .about("Returns the move that a player chooses.")
        .takes::<choose::Ask>()
        .returns::<Choice>(200);
    document
        .get("/{id}/sets/{set}", "set")
        .about("Returns a set as an automaton, and the run of a position through it.")
        .takes::<shared::AtPosition>()
        .returns::<sets::Automaton>(200);
    document.finish()
}

/// The document, as far as it has been written.
struct Document {
    paths: Map<String, Value>,
    schemas: SchemaGenerator,
}

impl Document {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let schemas = settings.with(|settings| settings.definitions_path = "/components/schemas".into());
        Self { paths: Map::new(), schemas: schemas.into_generator() }
    }

    fn get(&mut self, path: &'static str, id: &'static str) -> Request<'_> {
        self.request("get", path, id)
    }

    fn request(&mut self, method: &'static str, path: &'static str, id: &'static str) -> Request<'_> {
        let mut parameters = Vec::new();
        if path.contains("{id}") {
            let what = if path.starts_with("/offers") { "id of a solve" } else { "id of a solution" };
            parameters.push(in_path("id", what));
        }
        if path.contains("{set}") {
            parameters.push(in_path("set", "name of a set, as listed by the statistics"));
        }
        let operation = Map::from_iter([("operationId".to_string(), json!(id))]);
        Request { document: self, method, path, operation, parameters }
    }

    fn finish(mut self) -> Value {
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "nerode",
                "description": "Solved board games: value, depth and every move of any position.",
                "license": { "name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE") },
                "version": env!("CARGO_PKG_VERSION"),
            },
            "paths": self.paths,
            "components": { "schemas": self.schemas.take_definitions(true) },
        })
    }
}

fn in_path(name: &str, description: &str) -> Value {
    json!({ "name": name, "in": "path", "description": description, "required": true, "schema": { "type": "string" } })
}

/// A request that is being described.
struct Request<'a> {
    document: &'a mut Document,
    method: &'static str,
    path: &'static str,
    operation: Map<String, Value>,
    parameters: Vec<Value>,
}

impl Request<'_> {
    /// Sets the description, whose first sentence is the summary.
    fn about(mut self, text: &str) -> Self {
        let summary = text.split_inclusive(". ").next().unwrap_or(text).trim_end();
        self.operation.insert("summary".into(), json!(summary));
        self.operation.insert("description".into(), json!(text));
        self
    }

    /// Adds the fields of `Q` as parameters of the query.
    fn takes<Q: JsonSchema>(mut self) -> Self {
        let settings = SchemaSettings::draft2020_12().for_deserialize();
        let settings = settings.with(|settings| settings.inline_subschemas = true);
        let schema = settings.into_generator().into_root_schema_for::<Q>();
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let mut field = field.clone();
            let description = field.as_object_mut().and_then(|field| field.remove("description"));
            self.parameters.push(json!({
                "name": name,
                "in": "query",
                "description": description,
                "required": required.contains(&json!(name)),
                "schema": field,
            }));
        }
        self
    }

    /// Sets the body of the request.
    fn accepts<B: JsonSchema>(mut self, media_type: &str) -> Self {
        let content = self.content::<B>(media_type);
        self.operation.insert("requestBody".into(), json!({ "content": content, "required": true }));
        self
    }

    /// Adds the request, which is answered with a JSON document.
    fn returns<A: JsonSchema>(self, status: u16) {
        self.returns_as::<A>(status, "application/json");
    }

    /// Adds the request with its answer.
    fn returns_as<A: JsonSchema>(mut self, status: u16, media_type: &str) {
        let done = if status == 202 { "accepted" } else { "the answer" };
        let answer = json!({ "description": done, "content": self.content::<A>(media_type) });
        let mut responses = Map::from_iter([(status.to_string(), answer)]);
        if self.path.contains("{id}") || self.method != "get" {
            let content = self.content::<Problem>("application/problem+json");
            for status in ["4XX", "503"] {
                responses.insert(status.into(), json!({ "description": "the problem", "content": content }));
            }
        }
        if self.method == "get" && self.path.starts_with("/{id}") {
            responses.insert("304".into(), json!({ "description": "not modified" }));
        }
        self.operation.insert("parameters".into(), Value::Array(self.parameters));
        self.operation.insert("responses".into(), Value::Object(responses));
        let methods = self.document.paths.entry(format!("/api/v1{}", self.path)).or_insert_with(|| json!({}));
        methods[self.method] = Value::Object(self.operation);
    }

    fn content<T: JsonSchema>(&mut self, media_type: &str) -> Value {
        let schema: Schema = self.document.schemas.subschema_for::<T>();
        json!({ media_type: { "schema": schema } })
    }
}
