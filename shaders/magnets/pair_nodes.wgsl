// The force and the torques between two magnets, made of dipoles; one thread for each node of one of them.
#import launch

const PAIR_MU: f32 = 1e-7;    // μ₀/4π [T m/A]

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> pair_rows: array<vec2<u32>>;              // node of one magnet, the other magnet
@group(0) @binding(2) var<storage, read> magnets: array<vec4<u32>>;                // particles whose mean is the centre, frame, first node
@group(0) @binding(3) var<storage, read> magnet_nodes: array<vec4<u32>>;           // magnet, the branch above, the first node not below, 1 for a cell
@group(0) @binding(4) var<storage, read> node_places: array<vec4<f32>>;            // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> magnet_loads: array<vec4<f32>>;     // force on the other [N], torques on the one and the other [N m]

fn pair_centre(magnet: vec4<u32>) -> vec3<f32> {
    return (positions[magnet.x].xyz + positions[magnet.y].xyz) * 0.5;
}

// Whether the ball at `middle` sees the node from far enough.
fn pair_is_far(node: u32, middle: vec4<f32>) -> bool {
    let place = node_places[2u * node];
    return length(middle.xyz - place.xyz) - middle.w >= place.w;
}

@compute @workgroup_size(64)
fn pair_nodes(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let node = pair_rows[i].x;
    let other = magnets[pair_rows[i].y];
    let own = magnet_nodes[node];
    let between = pair_centre(other) - pair_centre(magnets[own.x]);
    let middle = vec4<f32>(between + node_places[2u * other.w].xyz, node_places[2u * other.w + 1u].w);
    var acts = own.w == 1u || pair_is_far(node, middle);
    var below = node;
    var above = own.y;
    while acts && above != below {
        acts = !pair_is_far(above, middle);
        below = above;
        above = magnet_nodes[below].y;
    }
    var force = vec3<f32>(0.0);
    var on_one = vec3<f32>(0.0);
    var on_other = vec3<f32>(0.0);
    var n = other.w;
    let end = magnet_nodes[n].z;
    let place = node_places[2u * node].xyz;
    let a = node_places[2u * node + 1u];
    while acts && n < end {
        let there = node_places[2u * n];
        let b = node_places[2u * n + 1u];
        let r = between + there.xyz - place;
        let size = length(r);
        if magnet_nodes[n].w != 1u && size < there.w {
            n++;
            continue;
        }
        n = magnet_nodes[n].z;
        if size == 0.0 { continue; }
        let direction = r / size;
        let distance = max(size, a.w + b.w);
        let share = size / distance;
        let field = PAIR_MU / (distance * distance * distance);
        let an = dot(a.xyz, direction);
        let bn = dot(b.xyz, direction);
        let torque = field * share * share;
        let f = (b.xyz * an + a.xyz * bn + direction * (dot(a.xyz, b.xyz) - 5.0 * an * bn))
            * (3.0 * field / distance * share);
        force += f;
        on_one += cross(a.xyz, 3.0 * bn * direction - b.xyz) * torque - cross(place, f);
        on_other += cross(b.xyz, 3.0 * an * direction - a.xyz) * torque + cross(there.xyz, f);
    }
    magnet_loads[3u * i] = vec4<f32>(force, 0.0);
    magnet_loads[3u * i + 1u] = vec4<f32>(on_one, 0.0);
    magnet_loads[3u * i + 2u] = vec4<f32>(on_other, 0.0);
}
