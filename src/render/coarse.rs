//! A coarser mesh of the same particles, for depth maps that would not resolve the fine one.
//!
//! Every vertex is joined to a seed a few edges away; a triangle whose corners have three seeds is kept, between the
//! seeds. Only the mesh's connections count, so that it is made once and follows whatever the particles do.

use std::collections::{HashMap, HashSet, VecDeque};

/// Vertices from which on it pays, and the edges from a seed to what it stands for.
const REACHES: [(usize, u32); 3] = [(200_000, 3), (30_000, 2), (8_000, 1)];

/// How many edges a seed may be from what it stands for; nothing where a mesh is small.
pub fn reach(vertex_count: usize) -> Option<u32> {
    REACHES.into_iter().find(|(least, _)| vertex_count >= *least).map(|(_, reach)| reach)
}

/// The triangles of a coarse mesh.
pub fn coarse(triangles: &[[u32; 3]], vertex_count: usize, reach: u32) -> Vec<[u32; 3]> {
    let seeds = seeds(triangles, vertex_count, reach);
    let mut known = HashSet::new();
    let kept = triangles.iter().filter_map(|corners| {
        let [a, b, c] = corners.map(|corner| seeds[corner as usize]);
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let is_triangle = sorted[0] != sorted[1] && sorted[1] != sorted[2];
        (is_triangle && known.insert(sorted)).then_some([a, b, c])
    });
    kept.collect()
}

/// The seed of each vertex. Seeds of the border come first and are on it, so that the outline stays.
fn seeds(triangles: &[[u32; 3]], vertex_count: usize, reach: u32) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut neighbours = vec![Vec::new(); vertex_count];
    let mut sides: HashMap<[u32; 2], u32> = HashMap::new();
    for &[a, b, c] in triangles {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            neighbours[p as usize].push(q);
            neighbours[q as usize].push(p);
            *sides.entry([p.min(q), p.max(q)]).or_default() += 1;
        }
    }
    let mut border: Vec<u32> =
        sides.into_iter().filter(|(_, n)| *n == 1).flat_map(|(ends, _)| ends).collect();
    border.sort_unstable();
    border.dedup();
    let mut seeds = vec![NONE; vertex_count];
    let mut waiting = VecDeque::new();
    for seed in border.into_iter().chain(0..vertex_count as u32) {
        if seeds[seed as usize] != NONE {
            continue;
        }
        seeds[seed as usize] = seed;
        waiting.push_back((seed, 0));
        while let Some((vertex, away)) = waiting.pop_front() {
            for &next in neighbours[vertex as usize].iter().filter(|_| away < reach) {
                if seeds[next as usize] == NONE {
                    seeds[next as usize] = seed;
                    waiting.push_back((next, away + 1));
                }
            }
        }
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarse_sheet_covers_what_the_fine_one_covers() {
        const SIDE: u32 = 200;
        let at = |i: u32, j: u32| j * (SIDE + 1) + i;
        let cells = (0..SIDE).flat_map(|j| (0..SIDE).map(move |i| (i, j)));
        let triangles: Vec<[u32; 3]> = cells
            .flat_map(|(i, j)| {
                [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
            })
            .collect();
        let count = at(SIDE, SIDE) as usize + 1;
        let coarse = coarse(&triangles, count, reach(count).unwrap());
        assert!(coarse.len() < triangles.len() / 6, "{} triangles", coarse.len());
        // Twice the area, with its sign: nothing is folded over and no hole is left but a little of the rim.
        let place = |v: u32| [(v % (SIDE + 1)) as i64, (v / (SIDE + 1)) as i64];
        let area: i64 = coarse
            .iter()
            .map(|corners| {
                let [a, b, c] = corners.map(place);
                (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
            })
            .sum();
        let whole = 2 * i64::from(SIDE * SIDE);
        assert!(area <= whole && area > whole - whole / 50, "{area} of {whole}");
    }

    #[test]
    fn a_small_mesh_stays_as_it_is() {
        assert_eq!(reach(3), None);
    }
}
