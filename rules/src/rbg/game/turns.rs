//! The texts of turns: finding the turn that a text means, and naming the turn of a position.

use std::collections::BTreeSet;

use super::super::book::Rulebook;
use super::super::compile::{Begin, Plan, Standing};
use super::super::turns::{Given, PASSES, TurnKey, texts};

/// A turn of a side.
#[derive(Debug)]
struct Known {
    node: usize,
    /// The beginnings, of which the first one is named in texts.
    begins: Vec<TurnKey>,
    /// The text that distinguishes the turn from others of the side.
    text: String,
}

/// The turns of both sides.
#[derive(Debug)]
pub(super) struct Turns([Vec<Known>; 2]);

/// The parts of a position's text that say whose turn begins where.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) given: Given,
    /// If `true`, the side to move passes.
    pub(super) passes: bool,
}

impl Turns {
    pub(super) fn new(book: &Rulebook, plan: &Plan, squares: &[String]) -> Self {
        let key = |begin: &Begin| TurnKey::new(book, begin.switch, begin.square, &begin.scores);
        Self([0, 1].map(|side| {
            let found = plan.turns(side).into_iter().map(|(node, named, begins)| {
                let named = key(named);
                let mut others: Vec<TurnKey> =
                    begins.into_iter().map(key).filter(|other| *other != named).collect();
                others.sort_unstable();
                (node, [vec![named], others].concat())
            });
            let found: Vec<(usize, Vec<TurnKey>)> = found.collect();
            let named: Vec<&TurnKey> = found.iter().map(|(_, begins)| &begins[0]).collect();
            let texts = texts(book, squares, &named);
            let known = |((node, begins), text)| Known { node, begins, text };
            found.into_iter().zip(texts).map(known).collect()
        }))
    }

    fn text_at(&self, side: usize, node: usize) -> &str {
        self.0[side].iter().find(|known| known.node == node).map_or("", |known| known.text.as_str())
    }

    /// Returns the text of a standing of `side`, unless the game is over.
    pub(super) fn text(&self, side: usize, standing: Standing) -> String {
        match standing {
            Standing::Turn(node) => self.text_at(side, node).to_string(),
            Standing::Wait(node) => {
                format!("{PASSES} {}", self.text_at(1 - side, node)).trim_end().to_string()
            }
            Standing::Over(_) | Standing::Nothing => String::new(),
        }
    }

    /// Returns `true` if the turns of some side differ.
    pub(super) fn differ(&self) -> bool {
        self.0.iter().any(|turns| turns.len() > 1)
    }

    /// Returns the letter of the status that a request means for `side`. `held` contains the contents of squares, followed by those
    /// of variables.
    ///
    /// # Errors
    /// Returns a description of the problem if no turn or more than one turn fits.
    pub(super) fn letter(
        &self,
        plan: &Plan,
        side: usize,
        request: &Request,
        held: &[u32],
        with: impl FnOnce() -> BTreeSet<(usize, TurnKey)>,
    ) -> Result<usize, String> {
        let mover = if request.passes { 1 - side } else { side };
        let given = &request.given;
        let named = |known: &&Known| given.fits(&known.begins[0]);
        let any = |known: &&Known| known.begins.iter().any(|begin| given.fits(begin));
        let letter = |known: &Known| plan.letter_at(side, mover, known.node);
        let turns = self.0[mover].iter().filter(|known| letter(known).is_some());
        let mut fitting: Vec<&Known> = turns.clone().filter(named).collect();
        if fitting.is_empty() {
            fitting = turns.filter(any).collect();
        }
        // Each condition counts only if a turn satisfies it, because a text may give any position.
        let mut prefer = |condition: &dyn Fn(&Known) -> bool| {
            if fitting.iter().any(|known| condition(known)) {
                fitting.retain(|known| condition(known));
            }
            fitting.len() > 1
        };
        if prefer(&|known| letter(known).is_some_and(|letter| plan.may_occur(side, letter, held))) {
            let (with, player) = (with(), plan.players[mover]);
            prefer(&|known| known.begins.iter().any(|begin| with.contains(&(player, begin.clone()))));
            prefer(&|known| plan.is_start(held) || !plan.begins_only_games(mover, known.node));
        }
        match fitting.as_slice() {
            [known] => letter(known).ok_or_else(|| "this side never has such a turn".into()),
            [] if request.passes => Err(format!("this side never {PASSES} before such a turn")),
            [] => Err("this side never has such a turn".into()),
            several => {
                let list: Vec<&str> = several.iter().map(|known| known.text.as_str()).collect();
                Err(format!("several turns can begin here; add one of: {}", list.join("; ")))
            }
        }
    }
}
