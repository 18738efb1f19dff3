//! The lines and words of a text file, with errors that name the line and a cure.

use std::str::FromStr;

use crate::limits::{self, excerpt};

/// What is wrong with a file, where, and what would help.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// From 1, unless the whole file is meant.
    pub line: Option<usize>,
    pub problem: String,
    pub cure: String,
}

impl Problem {
    pub fn new(line: Option<usize>, problem: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { line, problem: problem.into(), cure: cure.into() }
    }

    /// The file ends where it should go on.
    pub fn truncated(line: usize, missing: &str) -> Self {
        Self::new(
            Some(line),
            format!("the file ends before {missing}"),
            "it was cut off; export or copy it again",
        )
    }
}

/// More named groups than a mesh may have.
pub fn too_many_groups(line: usize) -> Problem {
    let problem = format!("more than {} different groups", limits::GROUPS);
    Problem::new(Some(line), problem, "join groups")
}

/// The lines that are not blank.
pub struct Lines<'a> {
    rest: &'a str,
    number: usize,
    /// Lines that start with this are passed over; empty: none.
    comment: &'static str,
}

/// A line and what has not been read of it yet.
pub struct Line<'a> {
    pub number: usize,
    pub text: &'a str,
    words: std::str::SplitWhitespace<'a>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str, comment: &'static str) -> Self {
        Self { rest: text, number: 0, comment }
    }

    /// The line that was read last.
    pub fn number(&self) -> usize {
        self.number
    }

    pub fn next(&mut self) -> Option<Line<'a>> {
        while !self.rest.is_empty() {
            let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
            self.rest = rest;
            self.number += 1;
            let mut text = line.trim();
            if !self.comment.is_empty() {
                text = text.split(self.comment).next().unwrap_or_default().trim_end();
            }
            if !text.is_empty() {
                return Some(Line { number: self.number, text, words: text.split_whitespace() });
            }
        }
        None
    }

    /// The next line, which must be there.
    pub fn need(&mut self, what: &str) -> Result<Line<'a>, Problem> {
        let number = self.number;
        self.next().ok_or_else(|| Problem::truncated(number, what))
    }

    /// Checks a promised count before memory is taken for it: against a limit, and against the lines of at least
    /// `least` bytes that the rest of the file can hold.
    pub fn check_count(&self, what: &str, count: u64, limit: u64, least: u64) -> Result<usize, Problem> {
        if count > limit {
            return Err(Problem::new(
                Some(self.number),
                format!("promises {count} {what}; the limit is {limit}"),
                "make the mesh coarser or split it",
            ));
        }
        let bytes = self.rest.len() as u64;
        // The last line may lack its end.
        if count.saturating_mul(least) > bytes + 1 {
            return Err(Problem::new(
                Some(self.number),
                format!("promises {count} {what}, but the file has only {bytes} more bytes"),
                "it was cut off or the count is wrong; export or copy it again",
            ));
        }
        Ok(count as usize)
    }
}

impl<'a> Line<'a> {
    pub fn problem(&self, problem: impl Into<String>, cure: impl Into<String>) -> Problem {
        Problem::new(Some(self.number), problem, cure)
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str, Problem> {
        self.words
            .next()
            .ok_or_else(|| Problem::new(Some(self.number), format!("{what} is missing"), "complete the line"))
    }

    /// The words that have not been read yet.
    pub fn words(&mut self) -> &mut std::str::SplitWhitespace<'a> {
        &mut self.words
    }

    fn parse<T: FromStr>(&mut self, what: &str, cure: &str) -> Result<T, Problem> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.problem(format!("`{}` is not {what}", excerpt(word)), cure))
    }

    /// A count, tag or number, none of which is negative.
    pub fn uint(&mut self, what: &str) -> Result<u64, Problem> {
        self.parse(what, "write a whole number that is not negative")
    }

    pub fn int(&mut self, what: &str) -> Result<i64, Problem> {
        self.parse(what, "write a whole number")
    }

    pub fn real(&mut self, what: &str) -> Result<f64, Problem> {
        let value: f64 = self.parse(what, "write a number")?;
        if value.is_finite() {
            return Ok(value);
        }
        Err(self.problem(format!("{what} is not finite"), "write a finite number"))
    }

    pub fn point(&mut self) -> Result<glam::DVec3, Problem> {
        Ok(glam::DVec3::new(
            self.real("the x-coordinate")?,
            self.real("the y-coordinate")?,
            self.real("the z-coordinate")?,
        ))
    }
}
