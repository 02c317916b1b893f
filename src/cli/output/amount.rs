//! Amounts in text: numbers, numbers of things, bytes and times.

/// Formats a number in groups of three decimal digits, separated by spaces.
pub(in crate::cli) fn grouped(n: u128) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// Formats a number with a noun in the singular or plural: `1 mismatch`, `2 mismatches`.
pub(in crate::cli) fn counted(n: u128, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// Formats a number of bytes in the largest suitable unit: `512 B`, `1.50 GiB`.
pub(in crate::cli) fn bytes(n: u64) -> String {
    indicatif::HumanBytes(n).to_string()
}

/// Formats a time in its two largest units: `7.6 s`, `1 min 40 s`, `2 h 5 min`, `3 days 4 h`, `32 years`.
pub(in crate::cli) fn duration(seconds: f64) -> String {
    const DAY: u64 = 86_400;
    const YEAR: u64 = 365 * DAY;
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    let two = |n: u64, unit: (u64, &str), part: (u64, &str)| match n % unit.0 / part.0 {
        0 => format!("{} {}", n / unit.0, unit.1),
        parts => format!("{} {} {parts} {}", n / unit.0, unit.1, part.1),
    };
    // Rounding first keeps the smaller unit below the larger one.
    let rounded = |part: u64| (seconds / part as f64).round() as u64 * part;
    match seconds {
        s if s < 59.5 => format!("{s:.0} s"),
        s if s < 3599.5 => two(rounded(1), (60, "min"), (1, "s")),
        s if s < 172_770.0 => two(rounded(60), (3600, "h"), (60, "min")),
        s if s < YEAR as f64 => two(rounded(3600), (DAY, "days"), (3600, "h")),
        s if s < 1e4 * YEAR as f64 => counted((s / YEAR as f64).round() as u128, "year", "years"),
        _ => "more than 10 000 years".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1 234 567");
        assert_eq!(counted(1, "mismatch", "mismatches"), "1 mismatch");
        assert_eq!(counted(1000, "mismatch", "mismatches"), "1 000 mismatches");
    }

    #[test]
    fn times_have_at_most_two_units() {
        for (seconds, text) in [
            (0.04, "0.0 s"),
            (7.6, "7.6 s"),
            (9.96, "10 s"),
            (59.6, "1 min"),
            (100.0, "1 min 40 s"),
            (3599.7, "1 h"),
            (7500.0, "2 h 5 min"),
            (172_799.0, "2 days"),
            (270_000.0, "3 days 3 h"),
            (1e9, "32 years"),
            (1e300, "more than 10 000 years"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
