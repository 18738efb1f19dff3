// What a magnet that is a rigid body and a triangle or tetrahedron with a moment do to each other; one thread a pair.
#import launch

const PAIR_MU: f32 = 1e-7;    // μ₀/4π [T m/A]
const PAIR_PLACES: u32 = 3u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> soft_partners: array<u32>;                // magnets that are rigid bodies
@group(0) @binding(2) var<storage, read> magnets: array<vec4<u32>>;                // particles whose mean is the centre, frame, first node
@group(0) @binding(3) var<storage, read> magnet_nodes: array<vec4<u32>>;           // magnet, the branch above, the first node not below, 1 for a cell
@group(0) @binding(4) var<storage, read> node_places: array<vec4<f32>>;            // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> soft_places: array<vec4<f32>>;            // [m], w = radius [m]; moment [A m²]; quaternion
@group(0) @binding(7) var<storage, read_write> magnet_loads: array<vec4<f32>>;     // force on the magnet [N], B at the cell [T], torque about the magnet's centre [N m]

@compute @workgroup_size(64)
fn pair_soft(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let cell = PAIR_PLACES * (i % launch.index);
    let magnet = magnets[soft_partners[i / launch.index]];
    let place = soft_places[cell];
    let a = soft_places[cell + 1u].xyz;
    let between = (positions[magnet.x].xyz + positions[magnet.y].xyz) * 0.5 - place.xyz;
    var force = vec3<f32>(0.0);
    var field = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    var n = magnet.w;
    let end = magnet_nodes[n].z;
    while n < end {
        let there = node_places[2u * n];
        let r = between + there.xyz;
        let size = length(r);
        if magnet_nodes[n].w != 1u && size < there.w {
            n++;
            continue;
        }
        let b = node_places[2u * n + 1u];
        n = magnet_nodes[n].z;
        if size == 0.0 { continue; }
        let direction = r / size;
        let distance = max(size, place.w + b.w);
        let share = size / distance;
        let strength = PAIR_MU / (distance * distance * distance);
        let an = dot(a, direction);
        let bn = dot(b.xyz, direction);
        let fading = strength * share * share;
        let f = (b.xyz * an + a * bn + direction * (dot(a, b.xyz) - 5.0 * an * bn))
            * (3.0 * strength / distance * share);
        force += f;
        field += (direction * (3.0 * bn) - b.xyz) * fading;
        torque += cross(b.xyz, 3.0 * an * direction - a) * fading + cross(there.xyz, f);
    }
    let row = 3u * (launch.base + i);
    magnet_loads[row] = vec4<f32>(force, 0.0);
    magnet_loads[row + 1u] = vec4<f32>(field, 0.0);
    magnet_loads[row + 2u] = vec4<f32>(torque, 0.0);
}
