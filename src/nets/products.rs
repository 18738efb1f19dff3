//! The products of the nets' elimination, in buffers that every device can bind.
//!
//! A net of 40 × 40 meshes has 33 million, 254 MiB. A pass needs those of its own rounds only, so rounds stand together and a
//! new buffer begins where the last would become too large.

use crate::compute::{ComputeError, Role, Tables};
use crate::model::elimination::Elimination;
use std::ops::Range;

/// Rounds of the nets that one pass eliminates, and the buffer that has their products.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub rounds: Range<u32>,
    pub buffer: String,
}

/// Where the products of each column and of each block of a net begin in their buffer.
pub struct Starts {
    pub columns: Vec<u32>,
    pub blocks: Vec<u32>,
}

/// Products in one buffer: somewhat less than the 128 MiB that every device can bind.
const MOST: usize = (120 << 20) / size_of::<[u32; 2]>();

/// Adds the products of all nets, piece by piece.
pub fn add(
    plans: &[Elimination],
    pieces: Vec<Range<u32>>,
    buffers: &mut Tables,
) -> Result<(Vec<Piece>, Vec<Starts>), ComputeError> {
    let (pieces, starts, lists) = divide(plans, pieces, MOST);
    for (number, list) in lists.into_iter().enumerate() {
        buffers.uint2s(&name(number), Role::Model, list)?;
    }
    Ok((pieces, starts))
}

fn name(number: usize) -> String {
    if number == 0 { "net_products".into() } else { format!("net_products_{}", number + 1) }
}

/// The columns and the blocks of some rounds, which follow upon each other.
fn part(plan: &Elimination, rounds: &Range<u32>) -> (Range<usize>, Range<usize>) {
    let end = plan.rounds.len();
    let own = &plan.rounds[(rounds.start as usize).min(end)..(rounds.end as usize).min(end)];
    let (Some(first), Some(last)) = (own.first(), own.last()) else { return (0..0, 0..0) };
    let columns = first.start as usize..last.end as usize;
    let list = &plan.columns[columns.clone()];
    let (Some(first), Some(last)) = (list.first(), list.last()) else { return (0..0, 0..0) };
    (columns, first.blocks.start as usize..last.blocks.end as usize)
}

/// The pieces with their buffers, the places of all products, and the buffers of `most` products at the most, unless a single
/// piece has more.
fn divide(
    plans: &[Elimination],
    pieces: Vec<Range<u32>>,
    most: usize,
) -> (Vec<Piece>, Vec<Starts>, Vec<Vec<[u32; 2]>>) {
    let mut starts: Vec<Starts> = plans
        .iter()
        .map(|plan| Starts { columns: vec![0; plan.columns.len()], blocks: vec![0; plan.blocks.len()] })
        .collect();
    let (mut lists, mut list) = (Vec::new(), Vec::<[u32; 2]>::new());
    let mut divided = Vec::with_capacity(pieces.len());
    for rounds in pieces {
        let counts = plans.iter().map(|plan| {
            let (columns, blocks) = part(plan, &rounds);
            let of_columns = plan.columns[columns].iter().map(|column| column.products.len());
            let of_blocks = plan.blocks[blocks].iter().map(|block| block.products.len());
            of_columns.sum::<usize>() + of_blocks.sum::<usize>()
        });
        if !list.is_empty() && list.len() + counts.sum::<usize>() > most {
            lists.push(std::mem::take(&mut list));
        }
        let mut first_block = 0;
        for (plan, starts) in plans.iter().zip(&mut starts) {
            let (columns, blocks) = part(plan, &rounds);
            let mut place = |own: &Range<u32>| {
                let start = list.len() as u32;
                let pairs = &plan.products[own.start as usize..own.end as usize];
                list.extend(pairs.iter().map(|pair| pair.map(|block| first_block + block)));
                start
            };
            columns.for_each(|j| starts.columns[j] = place(&plan.columns[j].products));
            blocks.for_each(|n| starts.blocks[n] = place(&plan.blocks[n].products));
            first_block += plan.blocks.len() as u32;
        }
        divided.push(Piece { rounds, buffer: name(lists.len()) });
    }
    lists.push(list);
    (divided, starts, lists)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::scene::{Net, NetShape, Scene};

    /// However small the buffers, each column and each block finds its own products in the buffer of its piece.
    #[test]
    fn products_are_found_in_the_buffer_of_their_piece() {
        let net = |cells| Net {
            shape: NetShape::Grid { size: [1.0, 1.0], cells: [cells, 4], segments: 2 },
            ..Net::default()
        };
        let scene = Scene { net: vec![net(3), net(6)], ..Scene::default() };
        let model = Model::new(&scene).unwrap();
        let plans = &model.nets.eliminations;
        let count = plans.iter().map(|plan| plan.rounds.len() as u32).max().unwrap();
        let pieces = || (0..count).step_by(2).map(|start| start..(start + 2).min(count)).collect::<Vec<_>>();
        let total: usize = plans.iter().map(|plan| plan.products.len()).sum();
        for most in [1, total / 3, total] {
            let (divided, starts, lists) = divide(plans, pieces(), most);
            assert_eq!(lists.iter().map(Vec::len).sum::<usize>(), total);
            assert_eq!(lists.len() == 1, most == total, "{} buffers of {most}", lists.len());
            for piece in &divided {
                let list = &lists[(0..lists.len()).find(|&number| name(number) == piece.buffer).unwrap()];
                let mut first_block = 0;
                for (plan, starts) in plans.iter().zip(&starts) {
                    let (columns, blocks) = part(plan, &piece.rounds);
                    let own = columns.map(|j| (starts.columns[j], &plan.columns[j].products));
                    for (start, products) in
                        own.chain(blocks.map(|n| (starts.blocks[n], &plan.blocks[n].products)))
                    {
                        let found = &list[start as usize..start as usize + products.len()];
                        let expected = &plan.products[products.start as usize..products.end as usize];
                        let expected = expected.iter().map(|pair| pair.map(|block| first_block + block));
                        assert!(found.iter().copied().eq(expected));
                    }
                    first_block += plan.blocks.len() as u32;
                }
            }
        }
    }
}
