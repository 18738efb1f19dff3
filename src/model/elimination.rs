//! How a net is eliminated: columns, blocks and products in their order. [`crate::nets::elimination`] plans it.

use std::ops::Range;

/// How a constraint depends on a body that it shares with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A segment, on its frame.
    Segment = 0,
    /// A joint, on its first frame.
    First = 1,
    /// A joint, on its second frame.
    Second = 2,
    /// A segment, on the particle where it begins.
    Start = 3,
    /// A segment, on the particle where it ends.
    End = 4,
}

/// A body that two constraints share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coupling {
    /// A particle for segments that meet, a frame otherwise.
    pub body: u32,
    /// Of the row's constraint and of the column's.
    pub roles: [Role; 2],
}

/// A block below the diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Constraints: the row and the column.
    pub row: u32,
    pub column: u32,
    /// Nothing for a block that elimination creates.
    pub coupling: Option<Coupling>,
    /// Its products among all.
    pub products: Range<u32>,
}

/// A column of the elimination.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub constraint: u32,
    pub blocks: Range<u32>,
    /// The products of its diagonal block among all.
    pub products: Range<u32>,
}

/// The elimination of one net. Constraints are numbered as in `net_work`: segments by frame, then joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elimination {
    /// In the order of the rounds.
    pub columns: Vec<Column>,
    pub blocks: Vec<Block>,
    /// Pairs of blocks (i, k) and (j, k) whose product changes block (i, j).
    pub products: Vec<[u32; 2]>,
    /// Columns of each round, whose elimination is independent.
    pub rounds: Vec<Range<u32>>,
}
