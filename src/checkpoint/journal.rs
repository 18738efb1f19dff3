//! The cuts of a checkpoint: their number, u32, and for each its body; the number of copies and each as particle and
//! share, f64; the number of cells and each as kind (0 segment, 1 triangle, 2 tetrahedron), number, count of corners and
//! the corners. All but the shares are u32.

use super::CheckpointError;
use super::file::Source;
use crate::scene::{CellKind, Copy, Cut, CutCell};

pub(super) fn encode(journal: &[Cut]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let number = |bytes: &mut Vec<u8>, number: u32| bytes.extend(number.to_le_bytes());
    number(&mut bytes, journal.len() as u32);
    for cut in journal {
        number(&mut bytes, cut.body);
        number(&mut bytes, cut.copies.len() as u32);
        for copy in &cut.copies {
            number(&mut bytes, copy.of);
            bytes.extend(copy.share.to_le_bytes());
        }
        number(&mut bytes, cut.cells.len() as u32);
        for cell in &cut.cells {
            number(&mut bytes, cell.kind as u32);
            number(&mut bytes, cell.number);
            number(&mut bytes, cell.corners.len() as u32);
            cell.corners.iter().for_each(|&corner| number(&mut bytes, corner));
        }
    }
    bytes
}

/// Reads a journal. What it says may be nonsense: whoever makes the cuts finds out.
pub(super) fn decode(source: &mut Source) -> Result<Vec<Cut>, CheckpointError> {
    // No list is believed to be as long as it claims before its entries have been read.
    let mut journal = Vec::new();
    for _ in 0..source.u32()? {
        let mut cut = Cut { body: source.u32()?, ..Cut::default() };
        for _ in 0..source.u32()? {
            let of = source.u32()?;
            cut.copies.push(Copy { of, share: f64::from_le_bytes(source.array()?) });
        }
        for _ in 0..source.u32()? {
            let [kind, number, count] = [source.u32()?, source.u32()?, source.u32()?];
            let Some(&kind) = CellKind::ALL.get(kind as usize) else {
                return Err(source.damaged(format!("it has cut a cell of the unknown kind {kind}")));
            };
            let mut corners = Vec::new();
            for _ in 0..count {
                corners.push(source.u32()?);
            }
            cut.cells.push(CutCell { kind, number, corners });
        }
        journal.push(cut);
    }
    Ok(journal)
}
