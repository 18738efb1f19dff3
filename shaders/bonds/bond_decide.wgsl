// Whether a substep of bonded cells wants another round, one thread.
#import launch

const FIRST: u32 = 1u;
const AFTER: u32 = 2u;
const SMALL: f32 = 0.01;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> bond_change: array<f32>;          // the largest change of any bond
@group(0) @binding(2) var<storage, read_write> bond_counts: array<u32>;    // done, rounds, of all, the most, substeps that ran out
@group(0) @binding(3) var<storage, read_write> cg_counts: array<u32>;      // done, iterations, of all, the most, unfinished

@compute @workgroup_size(64)
fn bond_decide(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let changes = !(bond_change[0] < SMALL);
    if (launch.flags & AFTER) != 0u {
        if bond_counts[0] == 0u && changes { bond_counts[4] = bond_counts[4] + 1u; }
        return;
    }
    let is_first = (launch.flags & FIRST) != 0u;
    if cg_counts[0] == 0u && cg_counts[1] > 0u { cg_counts[4] = cg_counts[4] + 1u; }
    if !is_first && (bond_counts[0] != 0u || !changes) {
        bond_counts[0] = 1u;
        cg_counts[0] = 1u;
        return;
    }
    let rounds = select(bond_counts[1] + 1u, 1u, is_first);
    bond_counts[0] = 0u;
    bond_counts[1] = rounds;
    bond_counts[2] = bond_counts[2] + 1u;
    bond_counts[3] = max(bond_counts[3], rounds);
    cg_counts[0] = 0u;
    cg_counts[1] = 0u;
}
