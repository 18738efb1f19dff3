// The tension of a cable along the points that it runs through, one thread per cable. src/loads/tension.rs has the equation.
#import launch
#import angle

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> strengths: array<f32>;              // s [N]
@group(0) @binding(2) var<storage, read> tendons: array<vec4<u32>>;          // points: first, end; load; first stretch
@group(0) @binding(3) var<storage, read> tendon_friction: array<f32>;        // μ
@group(0) @binding(4) var<storage, read> tendon_points: array<u32>;          // particles
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;        // xyz [m]
@group(0) @binding(6) var<storage, read_write> tensions: array<f32>;         // of each stretch between two points [N]

@compute @workgroup_size(64)
fn tension(@builtin(global_invocation_id) id: vec3<u32>) {
    let tendon = launch_id(id);
    if tendon >= launch.count { return; }
    let law = tendons[tendon];
    var pull = strengths[law.z];
    for (var k = law.x; k + 1u < law.y; k++) {
        tensions[law.w + k - law.x] = pull;
        if k + 2u < law.y {
            let here = positions[tendon_points[k + 1u]].xyz;
            let u = here - positions[tendon_points[k]].xyz;
            let v = positions[tendon_points[k + 2u]].xyz - here;
            pull *= exp(-tendon_friction[tendon] * angle_atan2(length(cross(u, v)), dot(u, v)));
        }
    }
}
