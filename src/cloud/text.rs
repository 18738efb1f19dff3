//! Text with a point a line: x, y, z, separated by commas, semicolons or white space. What follows on a line is ignored.

use super::{Cloud, CloudError};
use crate::limits::{self, excerpt};
use glam::DVec3;

pub(super) fn parse(bytes: &[u8]) -> Result<Cloud, CloudError> {
    let malformed = |line: usize, message: String| CloudError::Malformed { line: Some(line), message };
    let text = str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
        malformed(line, "is not text; is it another kind of file?".into())
    })?;
    let mut cloud = Cloud::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '/']) {
            continue;
        }
        let words = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|w| !w.is_empty());
        let mut numbers = words.map(|word| word.parse::<f64>().map_err(|_| word));
        let first: Result<Vec<f64>, &str> = numbers.by_ref().take(3).collect();
        match first {
            Ok(x) if x.len() == 3 => cloud.points.push(DVec3::new(x[0], x[1], x[2])),
            Ok(x) => {
                return Err(malformed(index + 1, format!("{} numbers where x, y and z belong", x.len())));
            }
            // The names of the columns.
            Err(_) if cloud.points.is_empty() && index == 0 => {}
            Err(word) => return Err(malformed(index + 1, format!("`{}` is not a number", excerpt(word)))),
        }
        if cloud.points.len() as u64 > limits::PARTICLES {
            return Err(CloudError::TooLarge { count: cloud.points.len() as u64, limit: limits::PARTICLES });
        }
    }
    Ok(cloud)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_may_be_named_and_separated_in_several_ways() {
        let cloud = parse(b"x,y,z,intensity\n1,2,3,0.5\n# a remark\n4; 5; 6\n7 8\t9\n").unwrap();
        assert_eq!(cloud.points, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]].map(DVec3::from));
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
        let error = parse(b"1 2 3\n4 five 6\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2: `five` is not a number");
        let error = parse(b"1 2 3\n4 5\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2: 2 numbers where x, y and z belong");
    }
}
