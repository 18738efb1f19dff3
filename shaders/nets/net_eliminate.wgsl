// Newton's system of a net, one workgroup per net. src/nets/net_eliminate.rs has the equations.
#import launch
#import ldl

const LANES: u32 = 64u;
const BACK: u32 = 1u;    // substitute, from the last of the rounds to the first

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> net_systems: array<vec2<u32>>;          // first round, end
@group(0) @binding(2) var<storage, read> net_rounds: array<vec4<u32>>;           // first column, end; first block, end
@group(0) @binding(3) var<storage, read> net_columns: array<vec4<u32>>;          // constraint; first block; first product, end
@group(0) @binding(4) var<storage, read> net_blocks: array<vec4<u32>>;           // row, column; first product, end
@group(0) @binding(5) var<storage, read> net_products: array<vec2<u32>>;         // blocks (i, k), (j, k)
@group(0) @binding(6) var<storage, read_write> net_factors: array<vec4<f32>>;    // E, U
@group(0) @binding(7) var<storage, read_write> net_rows: array<vec4<f32>>;       // …; A, then 1/D and L; r, then z, then Δλ; …

fn factor_at(at: u32) -> mat3x3<f32> {
    return mat3x3<f32>(net_factors[at].xyz, net_factors[at + 1u].xyz, net_factors[at + 2u].xyz);
}

fn store(at: u32, m: mat3x3<f32>) {
    net_factors[at] = vec4<f32>(m[0], 0.0);
    net_factors[at + 1u] = vec4<f32>(m[1], 0.0);
    net_factors[at + 2u] = vec4<f32>(m[2], 0.0);
}

// Dⱼ, and zⱼ.
fn eliminate_diagonal(j: u32) {
    let column = net_columns[j];
    let row = 11u * column.x;
    var d = mat3x3<f32>(net_rows[row + 1u].xyz, net_rows[row + 2u].xyz, net_rows[row + 3u].xyz);
    let scale = vec3<f32>(d[0].x, d[1].y, d[2].z);
    var y = net_rows[row + 4u].xyz;
    for (var p = column.z; p < column.w; p++) {
        let block = net_products[p].x;
        let e = factor_at(6u * block);
        d -= e * factor_at(6u * block + 3u);
        y -= e * net_rows[11u * net_blocks[block].y + 4u].xyz;
    }
    let factor = ldl_factor(d, scale);
    net_rows[row + 1u] = vec4<f32>(factor.inverse_pivots, 0.0);
    net_rows[row + 2u] = vec4<f32>(factor.lower, 0.0);
    net_rows[row + 4u] = vec4<f32>(ldl_solve(factor, y), 0.0);
}

// Eᵢⱼ and Uᵢⱼ.
fn eliminate_block(n: u32) {
    let block = net_blocks[n];
    var e = factor_at(6u * n);
    for (var p = block.z; p < block.w; p++) {
        let product = net_products[p];
        e -= factor_at(6u * product.x) * factor_at(6u * product.y + 3u);
    }
    let row = 11u * block.y;
    let factor = Ldl(net_rows[row + 1u].xyz, net_rows[row + 2u].xyz);
    store(6u * n, e);
    store(6u * n + 3u, ldl_solve_columns(factor, transpose(e)));
}

// Δλⱼ.
fn substitute(j: u32) {
    let row = 11u * net_columns[j].x;
    var x = net_rows[row + 4u].xyz;
    for (var n = net_columns[j].y; n < net_columns[j + 1u].y; n++) {
        x -= factor_at(6u * n + 3u) * net_rows[11u * net_blocks[n].x + 4u].xyz;
    }
    net_rows[row + 4u] = vec4<f32>(x, 0.0);
}

@compute @workgroup_size(64)
fn net_eliminate(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let system = launch_group(group, LANES);
    if system >= launch.count { return; }
    let whole = net_systems[launch.first + system];
    let rounds = min(vec2<u32>(whole.x + launch.base, whole.x + launch.index), whole.yy);
    if (launch.flags & BACK) != 0u {
        for (var round = rounds.y; round > rounds.x; round--) {
            let range = net_rounds[round - 1u];
            for (var j = range.x + lane; j < range.y; j += LANES) { substitute(j); }
            storageBarrier();
        }
        return;
    }
    for (var round = rounds.x; round < rounds.y; round++) {
        let range = net_rounds[round];
        for (var j = range.x + lane; j < range.y; j += LANES) { eliminate_diagonal(j); }
        storageBarrier();
        for (var n = range.z + lane; n < range.w; n += LANES) { eliminate_block(n); }
        storageBarrier();
    }
}
