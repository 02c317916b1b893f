//! The command `nerode order GAME`.

use anyhow::Result;
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::{number, plies};
use super::hints::advised;
use super::output::{Outcome, Output, counted, grouped, table};
use super::resources::ResourceArgs;
use crate::registry;
use nerode_solver::solve::order::{Measured, Orders, Sifted};

/// Which orders are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodArg {
    /// The named orders and the given ones
    Named,
    /// Also orders derived from the best of these, by moving one layer at a time to its best place
    Sift,
}

/// The default number of orders that sifting solves: eight passes over a board of 16 cells.
const BUDGET: u32 = 2000;

/// Arguments of `order`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as breakthrough:3x4; every order requires a separate solve, so use a small board
    game: String,
    /// The orders to compare
    #[arg(long, value_enum, default_value_t = MethodArg::Named)]
    method: MethodArg,
    /// Another order to compare with the named ones, such as one adapted from a smaller board: cells:C,C,...; may be
    /// repeated
    #[arg(long)]
    order: Vec<String>,
    /// The maximum number of orders that the search solves (--method sift only) [default: 2000]
    #[arg(long, value_parser = number(0..=u32::MAX))]
    budget: Option<u32>,
    /// The maximum number of retrograde plies [default: to the end]
    #[arg(long, value_name = "N", value_parser = plies, allow_negative_numbers = true)]
    plies: Option<u32>,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// The states that a solution needs under several letter orders.
#[derive(JsonSchema, Serialize)]
pub(super) struct Compared {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The orders, the best one first.
    orders: Vec<Measured>,
    /// The result of the search, or null unless it was requested.
    sift: Option<Sifted>,
    #[serde(skip)]
    board: String,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    if args.budget.is_some() && args.method != MethodArg::Sift {
        return Err(advised("--budget only applies to the search for an order", "add --method sift"));
    }
    let game = registry().open(&args.game)?;
    let resources = args.resources.resolve()?;
    let progress = out.progress("order");
    let (mut solves, mut least) = (0u32, None);
    let mut watch = |one: &Measured| {
        solves += 1;
        let total = one.num_states.map(|states| states.total);
        least = least.into_iter().chain(total).min();
        let best = least.map_or_else(|| "none".into(), |least| counted(u128::from(least), "state", "states"));
        progress.message(format!(
            "{}, best so far: {best}",
            counted(solves.into(), "order tried", "orders tried")
        ));
    };
    let mut search = Orders::new(registry(), &args.game, args.plies, &resources, &mut watch);
    let orders = search.compare(&args.order)?;
    let sift = match (args.method, orders.first()) {
        (MethodArg::Sift, Some(best)) => Some(search.sift(best, args.budget.unwrap_or(BUDGET))?),
        _ => None,
    };
    progress.finish();
    let board = sift.as_ref().map_or(String::new(), |found| game.draw_texts(&layers(&found.best.cells)));
    out.result(&Compared { game: game.spec(), orders, sift, board }, text)?;
    Ok(Outcome::Done)
}

/// Returns, for every cell, the layer that contains it.
fn layers(cells: &[usize]) -> Vec<String> {
    let mut layers = vec![String::new(); cells.len()];
    for (layer, &cell) in cells.iter().enumerate() {
        layers[cell] = layer.to_string();
    }
    layers
}

fn text(compared: &Compared) -> String {
    let solved = compared.orders.first().and_then(|best| best.num_states);
    let reached = solved.map_or(String::new(), |s| {
        format!(" at ply {}{}", s.plies, if s.complete { ", complete" } else { "" })
    });
    let mut lines = format!("{}: states of W and L{reached}\n\n", compared.game);
    let mut rows: Vec<Vec<String>> = compared.orders.iter().map(|one| row(&one.order, one)).collect();
    if let Some(found) = &compared.sift {
        rows.insert(0, row("sifted", &found.best));
    }
    lines += &table(&["order", "total", "largest", "W P1", "W P2", "L P1", "L P2"], &rows);
    if let Some(found) = &compared.sift {
        lines += &format!(
            "\nsifted from  {}: {}, {}, {}\norder        {}\nlayer of each cell\n{}",
            found.start.order,
            counted(found.solves.into(), "order solved", "orders solved"),
            counted(found.passes.into(), "pass", "passes"),
            if found.settled { "no layer has a better place" } else { "the budget is exhausted" },
            found.best.order,
            compared.board
        );
    }
    lines
}

fn row(name: &str, one: &Measured) -> Vec<String> {
    let numbers = match one.num_states {
        Some(s) => vec![s.total, s.largest, s.win.p1, s.win.p2, s.loss.p1, s.loss.p2],
        None => return vec![name.to_string(), "does not fit".to_string()],
    };
    let numbers = numbers.into_iter().map(|n| grouped(u128::from(n)));
    std::iter::once(name.to_string()).chain(numbers).collect()
}
