//! The morris family: nine men's morris and its relatives, with the rules as options of the spec.
//!
//! Cells: the points of the board in the order of [`crate::morris::Board`] (0 empty, 1 stone of P1, 2 stone of P2),
//! then the number of stones that P1 has in hand, then that of P2.
//!
//! The explicit description plays with [`crate::morris::play`]. The symbolic description shares the board and the
//! options with it, but none of the rules.

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::game::{Game, SolvedBy};
use crate::layer::LayerInfo;
use crate::layout::{Layout, names};
use crate::maps::{SideSwap, Symmetry};
use crate::morris::{Preset, Rules};
use crate::spec::{FamilyInfo, Spec};

mod explicit;
mod options;
mod orders;
#[cfg(feature = "sets")]
mod sector;
#[cfg(feature = "sets")]
mod symbolic;
mod text;
#[cfg(feature = "sets")]
mod turns;
#[cfg(feature = "sets")]
mod view;

#[cfg(feature = "sets")]
pub use sector::SectorMoves;
#[cfg(feature = "sets")]
pub(crate) use sector::sector_moves;

/// The registry entry of the morris family.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "morris",
    parameters: "PRESET[,OPTION=VALUE...] (preset nine, lasker, morabaraba, three, five, six, seven, eleven or \
        twelve; stones=A-B or N, 3 to 12 per side that fit on the board; capture=always|protected; take=1|2; \
        phases=separate|mixed; fly=yes|no; fullboard=loss|draw; for three diagonals=yes|no)",
    defaults: "stones of the preset, capture=always, take=1, phases=separate (lasker: mixed), fly=yes (three, \
        five, six, seven: no), fullboard=loss, diagonals=yes",
    example: "morris:six",
    usual: "morris:nine",
    in_reach: Some("morris:six"),
    small: &["morris:three"],
    layers: "one per point, letters: empty, white stone (P1), black stone (P2); then two for the stones in \
        hand of P1 and P2",
    note: "place stones, then move them; three in a row capture a stone; a side with fewer than three stones \
        or without a legal turn loses",
    build: |spec, order| Ok(Arc::new(Morris::new(spec, order)?)),
    orders: |spec| Ok(names(&orders::named(&options::read(spec)?.1.board))),
};

const EMPTY: u8 = 0;
const WHITE: u8 = 1;
const BLACK: u8 = 2;

#[derive(Debug)]
struct Morris {
    preset: &'static Preset,
    rules: Rules,
    cell_states: Vec<u16>,
    shape: Shape,
    layout: Layout,
}

impl Morris {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let (preset, rules) = options::read(spec)?;
        Self::of(preset, rules, order)
    }

    /// Creates the game with these rules, which belong to `preset`.
    fn of(preset: &'static Preset, rules: Rules, order: Option<&str>) -> Result<Self> {
        let mut cell_states = vec![3; rules.board.num_points()];
        cell_states.extend(rules.stones.map(|stones| u16::from(stones) + 1));
        let layout = Layout::choose(orders::named(&rules.board), order)?;
        let shape = Shape::new(layout.cells().iter().map(|&cell| cell_states[cell]).collect())?;
        Ok(Self { preset, rules, cell_states, shape, layout })
    }

    fn num_points(&self) -> usize {
        self.rules.board.num_points()
    }
}

impl Game for Morris {
    fn spec(&self) -> String {
        format!("morris:{}{}", self.preset.name, options::differences(self.preset, &self.rules))
    }

    fn rules(&self) -> String {
        options::in_words(&self.rules)
    }

    fn rules_version(&self) -> u32 {
        options::RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        options::named(&self.rules)
    }

    fn solved_by(&self) -> SolvedBy<'_> {
        SolvedBy::Sectors(&self.rules)
    }

    /// Returns the symmetries of the board, which leave the hands in place.
    fn symmetries(&self) -> Vec<Symmetry> {
        let num_points = self.num_points();
        let boards = self.rules.board.symmetries().iter();
        let with_hands = boards.map(|board| {
            let mut image: Vec<usize> = board.iter().map(|&point| usize::from(point)).collect();
            let name = symmetry_name(&image);
            image.extend([num_points, num_points + 1]);
            Symmetry { name, image }
        });
        with_hands.filter(|symmetry| symmetry.name != IDENTITY).collect()
    }

    /// Returns the map that changes the colour of stones and exchanges the hands, if both sides have equally many stones.
    fn side_swap(&self) -> Option<SideSwap> {
        let [first, second] = self.rules.stones;
        if first != second {
            return None;
        }
        let num_points = self.num_points();
        let mut image: Vec<usize> = (0..num_points).collect();
        image.extend([num_points + 1, num_points]);
        let mut contents = vec![vec![EMPTY, BLACK, WHITE]; num_points];
        contents.extend([(0..=first).collect(), (0..=second).collect()]);
        Some(SideSwap { image, contents })
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let num_points = self.num_points();
        let layer = |&cell: &usize| match self.rules.board.labels().get(cell) {
            Some(label) => {
                LayerInfo { label: (*label).to_string(), letters: ["*", "O", "@"].map(String::from).into() }
            }
            None => LayerInfo {
                label: ["hand O", "hand @"][cell - num_points].to_string(),
                letters: (0..self.cell_states[cell]).map(|stones| stones.to_string()).collect(),
            },
        };
        self.layout.cells().iter().map(layer).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}

const IDENTITY: &str = "identity";

/// Returns the name of the symmetry `image` of a board, which is determined by the images of the left and the upper
/// left point of the outer ring.
fn symmetry_name(image: &[usize]) -> String {
    let (left, corner) = (image[0], image[1]);
    let turned = (corner + 8 - left) % 8 == 1;
    let of_ring = match (left % 8, turned) {
        (0, true) => "",
        (2, true) => "three-quarter-turn",
        (4, true) => "half-turn",
        (_, true) => "quarter-turn",
        (0, false) => "flip",
        (2, false) => "anti-transpose",
        (4, false) => "mirror",
        (_, false) => "transpose",
    };
    match (left < 8, of_ring) {
        (true, "") => IDENTITY.to_string(),
        (true, name) => name.to_string(),
        (false, "") => "inside-out".to_string(),
        (false, name) => format!("inside-out-{name}"),
    }
}
