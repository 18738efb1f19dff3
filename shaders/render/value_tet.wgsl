// Energy and von Mises' stress of each tetrahedron. The same as src/solids/measure.rs on the host; `tet_held` is made of the list of
// laws (src/solids/law.rs).
#import values
#import tet_held

struct HeldTet {
    particles: vec4<u32>,
    kind: vec4<u32>,                 // x: the law's number in the list, y: 1 if it ignores inversion
    rows: array<vec4<f32>, 3>,       // of D⁻¹ [1/m]; w of the first: a quarter of the volume [m³]
    moduli: vec4<f32>,               // [Pa]
}

const FLAT = 1e-6;                   // volume over that at rest of what has no Cauchy stress
const LINEAR = 0u;                   // the law that has no rotation

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(2) var<storage, read> held_tets: array<HeldTet>;
@group(0) @binding(3) var<storage, read_write> element_values: array<vec4<f32>>;    // a particle's share of the energy [J], stress [Pa]

fn von_mises(stress: mat3x3<f32>) -> f32 {
    let s = 0.5 * (stress + transpose(stress));
    let mean = (s[0].x + s[1].y + s[2].z) / 3.0;
    let deviator = s - mat3x3(mean, 0.0, 0.0, 0.0, mean, 0.0, 0.0, 0.0, mean);
    return sqrt(1.5 * elasticity_dot(deviator, deviator));
}

@compute @workgroup_size(64)
fn value_tet(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.tet_count { return; }
    let tet = held_tets[i];
    let a = positions[tet.particles.x].xyz;
    let rows = mat3x3(tet.rows[0].xyz, tet.rows[1].xyz, tet.rows[2].xyz);
    let edges = mat3x3(positions[tet.particles.y].xyz - a, positions[tet.particles.z].xyz - a, positions[tet.particles.w].xyz - a);
    let at = TetDeformed(edges * transpose(rows), rows[0], rows[1], rows[2], tet.moduli.xyz, tet.kind.y == 1u);
    let held = tet_held(tet.kind.x, at);
    let j = elasticity_growth(at.f).volume + 1.0;
    var cauchy = held.stress;
    if abs(j) > FLAT {
        cauchy = held.stress * transpose(at.f) * (1.0 / j);
    } else if tet.kind.x != LINEAR {
        // A flat element has no Cauchy stress; P Rᵀ is what is left of it.
        cauchy = held.stress * transpose(tet_rotation(at));
    }
    element_values[values.held_count + i] = vec4(tet.rows[0].w * held.energy, von_mises(cauchy), 0.0, 0.0);
}
