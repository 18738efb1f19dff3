// What is shown of every cell, one thread per cell.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> cell_starts: array<vec2<u32>>;       // where each cell's bonds begin, its place on the diagonal
@group(0) @binding(2) var<storage, read> cell_bonds: array<u32>;              // twice the bond, and 1 for its second cell
@group(0) @binding(3) var<storage, read> bond_blocks: array<vec4<f32>>;       // twelve per bond
@group(0) @binding(4) var<storage, read_write> damage: array<f32>;
@group(0) @binding(5) var<storage, read_write> utilisation: array<f32>;

@compute @workgroup_size(64)
fn cell_show(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let start = cell_starts[i].x;
    let end = cell_starts[i + 1u].x;
    var sum = 0.0;
    var load = 0.0;
    for (var s = start; s < end; s++) {
        let bond = 12u * (cell_bonds[s] >> 1u);
        sum += bond_blocks[bond + 10u].w;
        load = max(load, bond_blocks[bond + 9u].w);
    }
    damage[i] = sum / f32(max(end - start, 1u));
    utilisation[i] = load;
}
