// The strains of each element: a triangle of a sheet, a link or a segment of a rod, or a tetrahedron.
#import values

struct Element {
    particles: vec4<u32>,       // those it does not have are NOBODY
    rest: array<vec4<f32>, 3>,  // x: the length [m]; or D⁻¹ of a triangle by columns; or of a tetrahedron by rows [1/m]
}

const THIRD_OF_A_TURN = 2.0943951;

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(2) var<storage, read> elements: array<Element>;
@group(0) @binding(3) var<storage, read_write> element_strains: array<vec4<f32>>;   // weft, warp, shear; w: the largest of either sign

// Of the stretch U of F = R U: U₁₁ − 1, U₂₂ − 1, U₁₂.
fn sheet_strains(b: vec3<f32>, c: vec3<f32>, rest: vec4<f32>) -> vec3<f32> {
    let f1 = b * rest.x + c * rest.y;
    let f2 = b * rest.z + c * rest.w;
    let c11 = dot(f1, f1);
    let c22 = dot(f2, f2);
    let c12 = dot(f1, f2);
    let s = length(cross(f1, f2));
    let t = sqrt(c11 + c22 + 2.0 * s);
    return select(vec3(-1.0, -1.0, 0.0), vec3((c11 + s) / t - 1.0, (c22 + s) / t - 1.0, c12 / t), t > 0.0);
}

// The largest |s − 1| of the principal stretches s of F, by the eigenvalues of FᵀF − 1.
fn solid_strain(f: mat3x3<f32>) -> f32 {
    let e = transpose(f) * f - mat3x3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let mean = (e[0].x + e[1].y + e[2].z) / 3.0;
    let d = vec3(e[0].x, e[1].y, e[2].z) - mean;
    let o = vec3(e[0].y, e[1].z, e[2].x);
    let p = sqrt((dot(d, d) + 2.0 * dot(o, o)) / 6.0);
    let determinant = d.x * (d.y * d.z - o.y * o.y) - o.x * (o.x * d.z - o.y * o.z) + o.z * (o.x * o.y - d.y * o.z);
    let cube = 2.0 * p * p * p;
    let angle = acos(clamp(select(0.0, determinant / cube, cube > 0.0), -1.0, 1.0)) / 3.0;
    let most = sqrt(max(1.0 + mean + 2.0 * p * cos(angle), 0.0));
    let least = sqrt(max(1.0 + mean + 2.0 * p * cos(angle + THIRD_OF_A_TURN), 0.0));
    let turned = dot(f[0], cross(f[1], f[2])) < 0.0;
    return max(abs(most - 1.0), abs(select(least, -least, turned) - 1.0));
}

@compute @workgroup_size(64)
fn value_element(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.element_count { return; }
    let element = elements[i];
    let a = positions[element.particles.x].xyz;
    let b = positions[element.particles.y].xyz - a;
    if element.particles.z == NOBODY {
        element_strains[i] = vec4(0.0, 0.0, 0.0, abs(length(b) / element.rest[0].x - 1.0));
        return;
    }
    let c = positions[element.particles.z].xyz - a;
    if element.particles.w == NOBODY {
        let strains = sheet_strains(b, c, element.rest[0]);
        element_strains[i] = vec4(strains, max(max(abs(strains.x), abs(strains.y)), abs(strains.z)));
        return;
    }
    let d = positions[element.particles.w].xyz - a;
    let rows = mat3x3(element.rest[0].xyz, element.rest[1].xyz, element.rest[2].xyz);
    element_strains[i] = vec4(0.0, 0.0, 0.0, solid_strain(mat3x3(b, c, d) * transpose(rows)));
}
