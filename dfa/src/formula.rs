//! Boolean functions of an image and a few side sets. They can be evaluated when only some inputs are known, and
//! compiled to circuits of operations.

/// The information about one input: its residual is empty, full, or neither.
pub(crate) const FALSE: u8 = 0;
pub(crate) const TRUE: u8 = 1;
pub(crate) const OPEN: u8 = 2;

/// The maximum number of side sets of a formula.
pub const MAX_SIDES: usize = 4;

/// The information about the value of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluation {
    /// The value is constant, regardless of the open inputs.
    Constant(bool),
    /// The value equals the first side set.
    FirstSide,
    /// The value depends on these open inputs, given as bits.
    Depends(u32),
}

/// The function `f(image, side_0, side_1, ...)` as a truth table. Bit `i` is the value for the assignment in which
/// input `j` is bit `j` of `i`; the image is input 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Formula {
    table: u32,
    inputs: usize,
}

impl Formula {
    /// Tabulates `f` over the image and `num_sides` side sets.
    pub(crate) fn new(num_sides: usize, f: &dyn Fn(bool, &[bool]) -> bool) -> Self {
        let inputs = num_sides + 1;
        let mut table = 0;
        for i in 0..1u32 << inputs {
            let sides: Vec<bool> = (1..inputs).map(|j| i >> j & 1 == 1).collect();
            table |= u32::from(f(i & 1 == 1, &sides)) << i;
        }
        Self { table, inputs }
    }

    /// Creates a formula from a truth table. Returns `None` if the table has values for more side sets.
    pub(crate) fn of_table(num_sides: usize, table: u32) -> Option<Self> {
        let inputs = num_sides + 1;
        let fits = inputs >= 5 || table >> (1 << inputs) == 0;
        fits.then_some(Self { table, inputs })
    }

    /// Returns the truth table.
    pub(crate) fn table(&self) -> u32 {
        self.table
    }

    /// Passes the contents of the formula to `to`.
    pub(crate) fn add_to(&self, to: &mut impl FnMut(&[u32])) {
        to(&[self.table, self.inputs as u32]);
    }

    /// Returns `true` if the value depends on the image when the side sets have these values.
    pub(crate) fn asks_for_image(&self, sides: &[bool]) -> bool {
        let assignment = sides.iter().rev().fold(0, |bits, &side| bits << 1 | u32::from(side)) << 1;
        self.table >> assignment & 1 != self.table >> (assignment | 1) & 1
    }

    /// Returns the truth table in which input i is replaced by input `order[i]`.
    fn in_order(&self, order: &[usize]) -> u32 {
        let moved = |i: u32| order.iter().enumerate().fold(0, |old, (to, &from)| old | (i >> to & 1) << from);
        (0..1u32 << self.inputs).fold(0, |table, i| table | (self.table >> moved(i) & 1) << i)
    }

    /// Restricts the truth table to the known inputs. Returns the mask of the possible assignments, and the values at
    /// them.
    fn restrict(&self, known: &[u8]) -> (u32, u32) {
        // Bit i of the mask is set if assignment i agrees with the known inputs.
        let mut possible = 0;
        for i in 0..1u32 << self.inputs {
            let fits = known.iter().enumerate().all(|(j, &k)| k == OPEN || i >> j & 1 == u32::from(k));
            possible |= u32::from(fits) << i;
        }
        (possible, self.table & possible)
    }

    /// Determines what the known inputs imply about the value.
    pub(crate) fn evaluate(&self, known: &[u8]) -> Evaluation {
        let (possible, values) = self.restrict(known);
        if values == 0 {
            return Evaluation::Constant(false);
        }
        if values == possible {
            return Evaluation::Constant(true);
        }
        if (0..1u32 << self.inputs).filter(|i| possible >> i & 1 == 1).all(|i| values >> i & 1 == i >> 1 & 1)
        {
            return Evaluation::FirstSide;
        }
        let mut depends = 0;
        for j in (0..self.inputs).filter(|&j| known[j] == OPEN) {
            let differs = (0..1u32 << self.inputs)
                .filter(|i| i >> j & 1 == 0 && possible >> i & 1 == 1)
                .any(|i| values >> i & 1 != values >> (i | 1 << j) & 1);
            depends |= u32::from(differs) << j;
        }
        Evaluation::Depends(depends)
    }
}

/// The results of [`Formula::evaluate`] for every combination of known inputs, indexed by a number in base 3.
pub(crate) struct Table(Vec<Evaluation>);

impl Table {
    pub(crate) fn new(formula: &Formula) -> Self {
        let count = 3usize.pow(formula.inputs as u32);
        let known = |mut number: usize| -> Vec<u8> {
            (0..formula.inputs)
                .map(|_| {
                    let digit = (number % 3) as u8;
                    number /= 3;
                    digit
                })
                .collect()
        };
        Self((0..count).map(|n| formula.evaluate(&known(n))).collect())
    }

    /// Returns the evaluation for `known`, in which the image comes first.
    #[inline]
    pub(crate) fn get(&self, known: &[u8]) -> Evaluation {
        let number = known.iter().rev().fold(0, |n, &k| 3 * n + usize::from(k));
        self.0[number]
    }
}

/// A formula as the operations that remain after Shannon expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Circuit {
    /// The same value for all inputs.
    Constant(bool),
    /// The first circuit where the input is 1, and the second one elsewhere.
    Choose(usize, Box<Circuit>, Box<Circuit>),
}

impl Circuit {
    /// Creates the circuit that has the fewest operations over all orders of the inputs.
    pub(crate) fn new(formula: &Formula) -> Self {
        let mut best = Self::below(formula.table, &[]);
        let mut least = usize::MAX;
        for order in orders(formula.inputs) {
            let circuit = Self::below(formula.in_order(&order), &order);
            let cost = circuit.num_operations();
            if cost < least {
                (best, least) = (circuit, cost);
            }
        }
        best
    }

    /// Creates the circuit of a table over inputs with these names, beginning with the last one.
    fn below(table: u32, names: &[usize]) -> Self {
        let Some((&name, others)) = names.split_last() else { return Self::Constant(table & 1 == 1) };
        let half = 1 << others.len();
        let (low, high) =
            (Self::below(table, others), Self::below(table.checked_shr(half).unwrap_or(0), others));
        if low == high { low } else { Self::Choose(name, Box::new(high), Box::new(low)) }
    }

    /// Returns the number of set operations that [`crate::Store::combine`] performs for the circuit.
    fn num_operations(&self) -> usize {
        let Self::Choose(_, high, low) = self else { return 0 };
        let here = match (high.as_ref(), low.as_ref()) {
            (Self::Constant(true), Self::Constant(false)) => 0,
            (Self::Constant(true), _) | (_, Self::Constant(false)) => 1,
            // A difference is a single operation, whereas a complement is more expensive.
            (Self::Constant(false), Self::Choose(..)) => 1,
            (Self::Constant(_), _) | (_, Self::Constant(_)) => 2,
            _ => 3,
        };
        here + high.num_operations() + low.num_operations()
    }

    /// Evaluates the circuit on rows of words with 64 assignments per word, where `inputs[j]` is the row of input j.
    pub(crate) fn evaluate(&self, inputs: &[&[u64]], out: &mut [u64]) {
        let Self::Choose(j, high, low) = self else {
            return out.fill(if *self == Self::Constant(true) { u64::MAX } else { 0 });
        };
        let row = inputs[*j];
        match (high.as_ref(), low.as_ref()) {
            (Self::Constant(true), Self::Constant(false)) => out.copy_from_slice(row),
            (Self::Constant(false), Self::Constant(true)) => combine(out, row, |_, x| !x),
            (Self::Constant(value), rest) => {
                rest.evaluate(inputs, out);
                if *value { combine(out, row, |y, x| y | x) } else { combine(out, row, |y, x| y & !x) }
            }
            (rest, Self::Constant(value)) => {
                rest.evaluate(inputs, out);
                if *value { combine(out, row, |y, x| y | !x) } else { combine(out, row, |y, x| y & x) }
            }
            (high, low) => {
                let mut other = vec![0; out.len()];
                high.evaluate(inputs, &mut other);
                low.evaluate(inputs, out);
                for ((word, &x), &y) in out.iter_mut().zip(row).zip(&other) {
                    *word = x & y | !x & *word;
                }
            }
        }
    }
}

/// Returns all orders of the numbers below n.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |order: Vec<usize>| {
        (0..n).map(move |at| {
            let mut longer = order.clone();
            longer.insert(at, last);
            longer
        })
    };
    orders(last).into_iter().flat_map(insert).collect()
}

/// Computes `out = f(out, row)`, word by word.
#[inline]
fn combine(out: &mut [u64], row: &[u64], f: impl Fn(u64, u64) -> u64) {
    for (word, &x) in out.iter_mut().zip(row) {
        *word = f(*word, x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_decide_and_irrelevant_inputs_are_named() {
        // The formula means: won, or in the image and not over.
        let formula = Formula::new(2, &|image, sides| sides[0] || image && !sides[1]);
        let table = Table::new(&formula);
        assert_eq!(table.get(&[OPEN, TRUE, OPEN]), Evaluation::Constant(true));
        assert_eq!(table.get(&[FALSE, FALSE, OPEN]), Evaluation::Constant(false));
        assert_eq!(table.get(&[OPEN, FALSE, TRUE]), Evaluation::Constant(false));
        assert_eq!(table.get(&[OPEN, FALSE, FALSE]), Evaluation::Depends(1));
        assert_eq!(table.get(&[FALSE, OPEN, OPEN]), Evaluation::FirstSide);
        assert_eq!(table.get(&[TRUE, OPEN, OPEN]), Evaluation::Depends(6));
        assert_eq!(table.get(&[OPEN, OPEN, OPEN]), Evaluation::Depends(7));
        let negated = Table::new(&Formula::new(1, &|_, sides| !sides[0]));
        assert_eq!(negated.get(&[FALSE, OPEN]), Evaluation::Depends(2));
    }
    #[test]
    fn circuits_agree_with_their_formula_on_every_assignment() {
        for seed in 0..200u32 {
            let bits = seed.wrapping_mul(2_654_435_761);
            let formula = Formula::new(3, &|x, s| {
                bits >> (u32::from(x) | u32::from(s[0]) << 1 | u32::from(s[1]) << 2 | u32::from(s[2]) << 3)
                    & 1
                    == 1
            });
            let circuit = Circuit::new(&formula);
            for assignment in 0..16u32 {
                let inputs: Vec<[u64; 1]> = (0..4).map(|j| [u64::from(assignment >> j & 1)]).collect();
                let inputs: Vec<&[u64]> = inputs.iter().map(|i| i.as_slice()).collect();
                let mut out = [0];
                circuit.evaluate(&inputs, &mut out);
                assert_eq!(out[0] & 1, u64::from(formula.table >> assignment & 1), "{bits:x} {assignment}");
            }
        }
    }
}
