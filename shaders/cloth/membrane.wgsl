// Membrane forces at the corners of a triangle, one thread per triangle.
#import launch
#import green
#import stretch
#import sheet_law
#import times

const MEMBRANE_IMPLICIT: u32 = 1u;
const MEMBRANE_WHOLE: u32 = 2u;      // the whole stress in the stiffness
const MEMBRANE_ASSEMBLED: u32 = 8u;  // factors of the matrix

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;      // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;         // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> fabrics: array<vec4<f32>>;               // a₁₁, a₂₂, a₁₂, G [N/m]; viscous [N s/m]; law
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> residuals: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(6) var<storage, read> offsets: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(7) var<storage, read_write> corner_forces: array<vec4<f32>>;   // xyz [N]
@group(0) @binding(8) var<storage, read_write> corner_blocks: array<vec4<f32>>;   // xx, yy, zz; xy, yz, zx [kg]

@compute @workgroup_size(64)
fn membrane(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let corners = membrane_corners[t];
    let material = membrane_rest[2u * t];
    let elastic = fabrics[3u * corners.w];
    let viscous = fabrics[3u * corners.w + 1u];
    let law = fabrics[3u * corners.w + 2u];
    let xi = positions[corners.x].xyz;
    let ri = residuals[corners.x].xyz;
    let rj = residuals[corners.y].xyz;
    let rk = residuals[corners.z].xyz;
    let shape = sheet_stressed(
        green_gradient(
            material,
            (positions[corners.y].xyz - xi) + (rj - ri),
            (positions[corners.z].xyz - xi) + (rk - ri),
        ),
        material,
        elastic,
        law,
    );
    let rest = shape.rest;
    let f = shape.axes;
    let wi = offsets[corners.x].xyz - ri;
    let wj = offsets[corners.y].xyz - rj;
    let wk = offsets[corners.z].xyz - rk;
    let rate = 1.0 / launch.dt;
    let fdot = green_gradient(rest, (wj - wi) * rate, (wk - wi) * rate);

    let strain_rate = green_strain_change(f, fdot);
    let s = shape.stress + membrane_rest[2u * t + 1u].xyz;
    var p = green_product(f, s + green_stress(viscous, strain_rate));
    if (launch.flags & MEMBRANE_IMPLICIT) != 0u {
        let tau = launch.weight * launch.dt;
        var taut = s;
        if (launch.flags & MEMBRANE_WHOLE) == 0u { taut = green_tension(s); }
        taut *= shape.turning;
        p += times_reach() * (green_product(fdot, taut) + green_product(f, green_stress(shape.moduli, strain_rate)));
        let moduli = tau * (tau * shape.moduli + times_damping_share() * viscous);
        let square = tau * tau * taut;
        if (launch.flags & MEMBRANE_ASSEMBLED) != 0u {
            let place = launch.index + 7u * t;
            let cross = green_pair(rest, f, moduli, square, rest.xy, rest.zw);
            membrane_store(place, green_block(rest, f, moduli, square, rest.xy));
            corner_blocks[place + 2u] = vec4<f32>(cross[0], 0.0);
            corner_blocks[place + 3u] = vec4<f32>(cross[1], 0.0);
            corner_blocks[place + 4u] = vec4<f32>(cross[2], 0.0);
            membrane_store(place + 5u, green_block(rest, f, moduli, square, rest.zw));
        } else {
            let first = 2u * (3u * t);
            membrane_store(first, green_block(rest, f, moduli, square, -(rest.xy + rest.zw)));
            membrane_store(first + 2u, green_block(rest, f, moduli, square, rest.xy));
            membrane_store(first + 4u, green_block(rest, f, moduli, square, rest.zw));
        }
    }
    let force = green_corners(rest, p);
    let slot = launch.base + 3u * t;
    corner_forces[slot] = vec4<f32>(force[0] + force[1], 0.0);
    corner_forces[slot + 1u] = vec4<f32>(-force[0], 0.0);
    corner_forces[slot + 2u] = vec4<f32>(-force[1], 0.0);
}

fn membrane_store(slot: u32, block: mat2x3<f32>) {
    corner_blocks[slot] = vec4<f32>(block[0], 0.0);
    corner_blocks[slot + 1u] = vec4<f32>(block[1], 0.0);
}
