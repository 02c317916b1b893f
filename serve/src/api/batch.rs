//! The request `POST {id}`, which answers many positions with one JSON line each.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State as Shared;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::shared::{read, solution};
use crate::extract::{PathParams, QueryParams};
use crate::guard::too_large;
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::Weight;
use nerode_report::documents::Found;
use nerode_report::lines::Known;
use nerode_solver::stored::Solution;

/// The number of lines that are answered together.
const BLOCK: usize = 2048;
/// The number of consecutive lines that a thread answers.
const STRETCH: usize = 64;
/// The maximum number of answered blocks that wait to be sent.
const WAITING: usize = 2;
/// The time that a client may take to read a block.
const PATIENCE: Duration = Duration::from_secs(30);

/// The options of a batch.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct How {
    /// Whether to list all moves of each position.
    #[serde(default)]
    moves: bool,
    /// Whether to answer positions that cannot occur in play. By default, they are rejected with the reason.
    #[serde(default)]
    any: bool,
}

/// A line of the request: the position as a JSON string or in an object. Any other line is the position itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Text(String),
    Object(Line),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    position: String,
}

/// A line of the response.
#[derive(Serialize, JsonSchema)]
pub(super) struct BatchLine {
    /// The number of the line, counted from 1.
    line: usize,
    #[serde(flatten)]
    said: Said,
}

/// The answer to a line, or the reason why it has none.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Said {
    /// The evaluation of the position.
    Known(Found),
    /// The reason why the line has no answer.
    Refused { error: Problem },
}

fn position_in(text: &str) -> Outcome<String> {
    if text.is_empty() {
        return Err(Problem::blank_line());
    }
    if !text.starts_with(['"', '{']) {
        return Ok(text.to_string());
    }
    match serde_json::from_str(text) {
        Ok(Input::Text(position) | Input::Object(Line { position })) => Ok(position),
        Err(_) => Err(Problem::malformed("the line is neither a JSON string nor an object with a position")
            .accepting("{\"position\": \"start\"}")),
    }
}

fn answer(solution: &Solution, text: &str, how: How) -> Outcome<Found> {
    let game = solution.game();
    let position = read(Some(&position_in(text.trim())?), how.any, solution)?;
    let problem = |error| Problem::of(&error, game);
    if !how.moves {
        let known = Known::new(game, &position, &solution.infer(&position).map_err(problem)?);
        return Ok(Found::new(known));
    }
    let found = solution.query(&position).map_err(problem)?;
    Ok(Found::with_moves(game, &found))
}

/// Answers the lines of a block, as text.
fn block(solution: &Solution, first: usize, lines: &[&str], how: How) -> Vec<u8> {
    let stretch = |(at, lines): (usize, &[&str])| {
        let mut text = Vec::new();
        for (line, position) in (first + at * STRETCH..).zip(lines) {
            let said =
                answer(solution, position, how).map_or_else(|error| Said::Refused { error }, Said::Known);
            let line = BatchLine { line, said };
            if serde_json::to_writer(&mut text, &line).is_ok() {
                text.push(b'\n');
            }
        }
        text
    };
    let parts: Vec<Vec<u8>> = lines.par_chunks(STRETCH).enumerate().map(stretch).collect();
    parts.concat()
}

/// The client that waits for the answers to a batch.
struct Client {
    state: Arc<State>,
    runtime: Handle,
    to: mpsc::Sender<Bytes>,
    /// The permission to answer the first block.
    first: Option<OwnedSemaphorePermit>,
}

impl Client {
    /// Waits for permission to answer a block. Returns `None` if the client no longer waits.
    fn turn(&mut self) -> Option<OwnedSemaphorePermit> {
        let next = async {
            tokio::select! {
                () = self.to.closed() => None,
                turn = self.state.workers.heavy_turn() => turn,
            }
        };
        self.first.take().or_else(|| self.runtime.block_on(next))
    }

    /// Sends a block, and returns whether it was accepted.
    fn take(&self, block: Bytes) -> bool {
        let sent = self.runtime.block_on(tokio::time::timeout(PATIENCE, self.to.send(block)));
        matches!(sent, Ok(Ok(())))
    }
}

/// Answers all lines, block by block, as long as the client reads them. While it reads, other requests have their
/// turn.
fn answer_all(solution: &Solution, body: &Bytes, how: How, mut client: Client) {
    let text = String::from_utf8_lossy(body);
    let lines: Vec<&str> = text.lines().collect();
    for (at, taken) in lines.chunks(BLOCK).enumerate() {
        let Some(turn) = client.turn() else { return };
        let block = block(solution, at * BLOCK + 1, taken, how);
        drop(turn);
        if !client.take(block.into()) {
            return;
        }
    }
}

/// A response body that is produced on another thread.
struct Lines {
    blocks: mpsc::Receiver<Bytes>,
    /// The permission, held until the body has been sent.
    _place: OwnedSemaphorePermit,
}

impl hyper::body::Body for Lines {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>> {
        self.blocks.poll_recv(context).map(|block| block.map(|block| Ok(hyper::body::Frame::data(block))))
    }
}

pub(super) async fn post(
    Shared(state): Shared<Arc<State>>,
    PathParams(id): PathParams<String>,
    QueryParams(how): QueryParams<How>,
    body: Result<Bytes, BytesRejection>,
) -> Outcome<Response> {
    let solution = solution(&state, &id)?;
    let body = body.map_err(|refused| match refused.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(refused.body_text()),
        _ => Problem::malformed("the body cannot be read"),
    })?;
    let place = state.workers.batch().await?;
    let first = Some(state.workers.permit(Weight::Heavy).await?);
    let (to, from) = mpsc::channel(WAITING);
    let client = Client { state, runtime: Handle::current(), to, first };
    tokio::task::spawn_blocking(move || answer_all(&solution, &body, how, client));
    let mut response = Body::new(Lines { blocks: from, _place: place }).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    Ok(response)
}
