//! Words of the USDA grammar: identifiers, strings and numbers.

use std::collections::HashSet;

/// Prim identifiers: ASCII letters, digits and underscores, unique among siblings.
///
/// Newer USD takes some Unicode identifiers, older readers none; the body's own name is kept as a string.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    pub fn take(&mut self, wanted: &str) -> String {
        let mut plain: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !plain.contains(|c: char| c != '_') {
            plain = "body".into();
        }
        if plain.starts_with(|c: char| c.is_ascii_digit()) {
            plain.insert(0, '_');
        }
        let numbered = (2..).map(|n| format!("{plain}_{n}"));
        let name = std::iter::once(plain.clone())
            .chain(numbered)
            .find(|name| !self.0.contains(name))
            .expect("an endless list of names has a free one");
        self.0.insert(name.clone());
        name
    }
}

/// A double-quoted string on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // Other control characters have no escape that all readers share.
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Appends a number: the shortest text that reads back as the same f32, or `nan`, `inf`, `-inf`.
pub(super) fn push_number(text: &mut String, value: f32) {
    use std::fmt::Write;
    let size = value.abs();
    // Writing to a `String` cannot fail.
    let _ = if value.is_nan() {
        write!(text, "nan")
    } else if size == 0.0 || (1e-4..1e7).contains(&size) || value.is_infinite() {
        write!(text, "{value}")
    } else {
        write!(text, "{value:e}")
    };
}

/// Appends `(x, y, z)`.
pub(super) fn push_triple(text: &mut String, [x, y, z]: [f32; 3]) {
    text.push('(');
    push_number(text, x);
    text.push_str(", ");
    push_number(text, y);
    text.push_str(", ");
    push_number(text, z);
    text.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_valid_and_unique() {
        let mut names = Names::default();
        let wanted = ["flag", "flag", "2nd", "a b", "a.b", "😀", "", "flag_2", "名前"];
        let taken: Vec<String> = wanted.iter().map(|w| names.take(w)).collect();
        let expected = ["flag", "flag_2", "_2nd", "a_b", "a_b_2", "body", "body_2", "flag_2_2", "body_3"];
        assert_eq!(taken, expected);
    }

    #[test]
    fn numbers_read_back_exactly_and_stay_short() {
        for value in [0.0, -0.0, 1.0, 0.1, -1e-30, 3.4e38, 1e-45, 123456.7] {
            let mut text = String::new();
            push_number(&mut text, value);
            assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits());
            assert!(text.len() < 16, "{text}");
        }
        let mut text = String::new();
        push_triple(&mut text, [f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        assert_eq!(text, "(nan, inf, -inf)");
    }

    #[test]
    fn strings_stay_on_one_line() {
        assert_eq!(quoted("a\"b\\c\nd\u{1}😀"), "\"a\\\"b\\\\c\\nd 😀\"");
    }
}
