//! Amounts in text: numbers of things, bytes and times.

pub(in crate::cli) use nerode_games::grouped;

/// Formats a number with a noun in the singular or plural: `1 mismatch`, `2 mismatches`.
pub(in crate::cli) fn counted(n: u128, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// Formats a number of bytes in the largest suitable unit: `512 B`, `1.50 GiB`.
pub(in crate::cli) fn bytes(n: u64) -> String {
    indicatif::HumanBytes(n).to_string()
}

/// Formats a time in one or two units: `0.04 s`, `7.6 s`, `1 min 40 s`, `2 h 5 min`, `3 days`, `32 years`.
pub(in crate::cli) fn duration(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    const YEAR: f64 = 365.0 * DAY;
    if seconds < 0.995 {
        return format!("{seconds:.2} s");
    }
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    let pair =
        |parts: f64, unit: &str, part: &str| match (parts.round() as u64 / 60, parts.round() as u64 % 60) {
            (units, 0) => format!("{units} {unit}"),
            (units, parts) => format!("{units} {unit} {parts} {part}"),
        };
    match seconds {
        s if s < 59.5 => format!("{s:.0} s"),
        s if s < 3599.5 => pair(s, "min", "s"),
        s if s < 172_770.0 => pair(s / 60.0, "h", "min"),
        s if s < YEAR => format!("{:.0} days", s / DAY),
        s if s < 1e4 * YEAR => counted((s / YEAR).round() as u128, "year", "years"),
        _ => "more than 10 000 years".into(),
    }
}

/// Formats a number of positions per byte: with one decimal below 1 000, and in groups of digits from there on.
pub(in crate::cli) fn per_byte(ratio: f64) -> String {
    if ratio < 1000.0 { format!("{ratio:.1}") } else { grouped(ratio.round() as u128) }
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
            (0.04, "0.04 s"),
            (0.996, "1.0 s"),
            (7.6, "7.6 s"),
            (9.96, "10 s"),
            (59.6, "1 min"),
            (100.0, "1 min 40 s"),
            (3599.7, "1 h"),
            (7500.0, "2 h 5 min"),
            (172_799.0, "2 days"),
            (1e7, "116 days"),
            (1e9, "32 years"),
            (1e300, "more than 10 000 years"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
