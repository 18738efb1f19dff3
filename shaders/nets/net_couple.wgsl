// The blocks beside the diagonal of Newton's system of a net, one thread per block. src/nets/net_couple.rs has the equations.
#import launch
#import strain

const PARTICLE: u32 = 1u;
const FRAME: u32 = 2u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> net_blocks: array<vec4<u32>>;           // row, column; …
@group(0) @binding(2) var<storage, read> net_couplings: array<vec4<u32>>;        // 1 particle, 2 frame; body; roles of row and column
@group(0) @binding(3) var<storage, read> net_rows: array<vec4<f32>>;             // …; gradients
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> rod_rest: array<vec4<f32>>;             // …; inverse inertia [1/(kg m²)]
@group(0) @binding(6) var<storage, read_write> net_factors: array<vec4<f32>>;    // E; …

// ∂C/∂φ of a constraint for a frame in a role.
fn gradient(constraint: u32, role: u32) -> mat3x3<f32> {
    let at = 11u * constraint;
    if role == 0u { return strain_cross(net_rows[at + 6u].xyz); }
    if role == 1u { return mat3x3<f32>(-net_rows[at + 5u].xyz, -net_rows[at + 6u].xyz, -net_rows[at + 7u].xyz); }
    return mat3x3<f32>(net_rows[at + 8u].xyz, net_rows[at + 9u].xyz, net_rows[at + 10u].xyz);
}

@compute @workgroup_size(64)
fn net_couple(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let n = launch.first + launch_id(id);
    let pair = net_blocks[n].xy;
    let coupling = net_couplings[n];
    var block = mat3x3<f32>();
    if coupling.x == PARTICLE {
        let r = quat_conjugate(net_rows[11u * pair.x + 5u]);
        let c = net_rows[11u * pair.y + 5u];
        let w = select(-1.0, 1.0, coupling.z == coupling.w) * positions[coupling.y].w;
        block = mat3x3<f32>(
            quat_rotate(r, quat_rotate(c, vec3<f32>(w, 0.0, 0.0))),
            quat_rotate(r, quat_rotate(c, vec3<f32>(0.0, w, 0.0))),
            quat_rotate(r, quat_rotate(c, vec3<f32>(0.0, 0.0, w))),
        );
    } else if coupling.x == FRAME {
        let weights = rod_rest[4u * coupling.y + 3u].xyz;
        block = strain_scale_columns(gradient(pair.x, coupling.z), weights) * transpose(gradient(pair.y, coupling.w));
    }
    net_factors[6u * n] = vec4<f32>(block[0], 0.0);
    net_factors[6u * n + 1u] = vec4<f32>(block[1], 0.0);
    net_factors[6u * n + 2u] = vec4<f32>(block[2], 0.0);
}
