// What a bond leaves, and the blocks of the matrix that follow from it. src/bonds/bond_system.rs has the formulas; the kernel binds
// `bond_blocks`.

const BOND_BLOCK: u32 = 12u;
const BOND_MIXED: u32 = 3u;
const BOND_TURNING: u32 = 6u;
const BOND_FORCE: u32 = 9u;
const BOND_MOMENT: u32 = 10u;
const BOND_ARM: u32 = 11u;

// [v]x, which maps a to v × a.
fn bond_cross(v: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(0.0, v.z, -v.y, -v.z, 0.0, v.x, v.y, -v.x, 0.0);
}

fn bond_matrix(bond: u32, first: u32) -> mat3x3<f32> {
    let k = BOND_BLOCK * bond + first;
    return mat3x3<f32>(bond_blocks[k].xyz, bond_blocks[k + 1u].xyz, bond_blocks[k + 2u].xyz);
}

struct BondPart {
    tt: mat3x3<f32>,
    tr: mat3x3<f32>,
    rt: mat3x3<f32>,
    rr: mat3x3<f32>,
}

// The blocks of rows of a cell at arm `a` and columns of one at arm `c`.
fn bond_part(bond: u32, a: vec3<f32>, c: vec3<f32>) -> BondPart {
    let tt = bond_matrix(bond, 0u);
    let tr = bond_matrix(bond, BOND_MIXED);
    let rr = bond_matrix(bond, BOND_TURNING);
    let up = bond_cross(a);
    let right = bond_cross(-c);
    let moved = tt * right + tr;
    let turned = transpose(tr);
    return BondPart(tt, moved, up * tt + turned, up * moved + (turned * right + rr));
}
