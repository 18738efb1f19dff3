// Neo-Hookean tetrahedra as XPBD constraints on volume and shape, one thread per tetrahedron of one colour.
#import launch
#import world
#import iterate
#import elasticity

const POSITION_THIN: f32 = 1e-12;   // squared size of the cofactors of a line or a point

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> position_corners: array<vec4<u32>>;            // particles
@group(0) @binding(3) var<storage, read> position_rest: array<vec4<f32>>;               // g₁, 1/(λ V); g₂, 1/(μ V); g₃, 1 + μ/λ
@group(0) @binding(4) var<storage, read_write> position_lambdas: array<vec4<f32>>;      // λ of volume and of shape, the ones before
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;                   // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;               // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> corrections: array<vec4<f32>>;           // xyz [m]

@compute @workgroup_size(64)
fn tet_position(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let k = launch.first + number;
    let i = position_corners[k];
    let x0 = positions[i.x];
    let x1 = positions[i.y];
    let x2 = positions[i.z];
    let x3 = positions[i.w];
    let o0 = offsets[i.x];
    let o1 = offsets[i.y];
    let o2 = offsets[i.z];
    let o3 = offsets[i.w];
    let g1 = position_rest[3u * k];
    let g2 = position_rest[3u * k + 1u];
    let g3 = position_rest[3u * k + 2u];
    let f = elasticity_gradient(
        g1.xyz, g2.xyz, g3.xyz,
        (x1.xyz - x0.xyz) + (o1.xyz - o0.xyz),
        (x2.xyz - x0.xyz) + (o2.xyz - o0.xyz),
        (x3.xyz - x0.xyz) + (o3.xyz - o0.xyz),
    );
    // The first multipliers are large; their gradients are those of the start of the substep.
    var base = f;
    if launch.index == 0u {
        base = elasticity_gradient(g1.xyz, g2.xyz, g3.xyz, x1.xyz - x0.xyz, x2.xyz - x0.xyz, x3.xyz - x0.xyz);
    }
    var h = mat3x3<f32>(cross(base[1], base[2]), cross(base[2], base[0]), cross(base[0], base[1]));
    // A line or a point is pushed apart as it lies at rest.
    if elasticity_dot(h, h) < POSITION_THIN { h = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0); }
    let size = sqrt(elasticity_dot(base, base));
    var d = mat3x3<f32>();
    if size > 0.0 { d = base * (1.0 / size); }

    let h1 = h * g1.xyz;
    let h2 = h * g2.xyz;
    let h3 = h * g3.xyz;
    let h0 = -(h1 + h2 + h3);
    let d1 = d * g1.xyz;
    let d2 = d * g2.xyz;
    let d3 = d * g3.xyz;
    let d0 = -(d1 + d2 + d3);
    let hh = o0.w * dot(h0, h0) + o1.w * dot(h1, h1) + o2.w * dot(h2, h2) + o3.w * dot(h3, h3);
    let hd = o0.w * dot(h0, d0) + o1.w * dot(h1, d1) + o2.w * dot(h2, d2) + o3.w * dot(h3, d3);
    let movable = hh > 0.0;
    var share = 0.0;
    if movable { share = hd / hh; }
    let s0 = d0 - share * h0;
    let s1 = d1 - share * h1;
    let s2 = d2 - share * h2;
    let s3 = d3 - share * h3;
    let ss = o0.w * dot(s0, s0) + o1.w * dot(s1, s1) + o2.w * dot(s2, s2) + o3.w * dot(s3, s3);

    let rate = 1.0 / (world.dt * world.dt);
    let tilde_h = g1.w * rate;
    let tilde_d = g2.w * rate;
    var before = vec4<f32>();
    if launch.index > 0u { before = position_lambdas[k]; }
    let volume = (dot(f[0], cross(f[1], f[2])) - g3.w) + tilde_h * before.x;
    let shape = sqrt(elasticity_dot(f, f)) + tilde_d * before.y;
    var dl_h = 0.0;
    var dl_d = 0.0;
    if movable {
        let gain = 1.0 / (hh + tilde_h);
        dl_d = (hd * gain * volume - shape) / (tilde_d + ss + hd * share * tilde_h * gain);
        dl_h = -(volume + hd * dl_d) * gain;
    }
    if iterate_keeps() {
        let dl = vec2<f32>(dl_h, dl_d) * world.relaxation;
        position_lambdas[k] = vec4<f32>(mix(before.zw, before.xy + dl, launch.weight), before.xy);
    }
    move_corner(4u * number, i.x, o0, x0.w, dl_h * h0 + dl_d * d0);
    move_corner(4u * number + 1u, i.y, o1, x1.w, dl_h * h1 + dl_d * d1);
    move_corner(4u * number + 2u, i.z, o2, x2.w, dl_h * h2 + dl_d * d2);
    move_corner(4u * number + 3u, i.w, o3, x3.w, dl_h * h3 + dl_d * d3);
}

// Tetrahedra of one colour may share what cannot move; that is not written.
fn move_corner(slot: u32, i: u32, offset: vec4<f32>, w: f32, pull: vec3<f32>) {
    if w > 0.0 || (launch.flags & ITERATE_JACOBI) != 0u {
        iterate_apply(slot, i, offset, (w * world.relaxation) * pull);
    }
}
