// The inverses of the blocks on the diagonal of a matrix, one thread per row.
#import launch
#import rows

const SMALLEST_PIVOT: f32 = 1e-6;   // share of a diagonal number

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> diagonal_places: array<u32>;           // of each row's block on the diagonal, if any
@group(0) @binding(2) var<storage, read> values: array<f32>;                    // nine per block
@group(0) @binding(3) var<storage, read_write> inverses: array<vec4<f32>>;      // xx, yy, zz; xy, yz, zx, two per row

fn reciprocal(pivot: f32, diagonal: f32) -> f32 {
    if pivot > SMALLEST_PIVOT * diagonal { return 1.0 / pivot; }
    return 0.0;
}

@compute @workgroup_size(64)
fn grid_invert(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let place = diagonal_places[i];
    var diagonal = vec3<f32>(0.0);
    var off = vec3<f32>(0.0);
    if place != 0xffffffffu {
        let first = rows_first_value(place);
        let xx = values[first];
        let xy = values[first + 32u];
        let zx = values[first + 64u];
        let yy = values[first + 128u];
        let yz = values[first + 160u];
        let zz = values[first + 256u];
        let d1 = reciprocal(xx, xx);
        let l21 = xy * d1;
        let l31 = zx * d1;
        let d2 = reciprocal(yy - l21 * xy, yy);
        let left = yz - l21 * zx;
        let l32 = left * d2;
        let d3 = reciprocal(zz - l31 * zx - l32 * left, zz);
        let m31 = l21 * l32 - l31;
        diagonal = vec3<f32>(d1 + l21 * l21 * d2 + m31 * m31 * d3, d2 + l32 * l32 * d3, d3);
        off = vec3<f32>(-(l21 * d2) - m31 * l32 * d3, -(l32 * d3), m31 * d3);
    }
    inverses[2u * i] = vec4<f32>(diagonal, 0.0);
    inverses[2u * i + 1u] = vec4<f32>(off, 0.0);
}
