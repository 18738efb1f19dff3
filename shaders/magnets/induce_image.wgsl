// The product of the matrix of induction with r; one thread a row. src/magnets/induction.rs has the equations.
#import induction
#import launch
#import quat

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_cells: array<vec4<u32>>;          // first of its body, end, table, node; place, counts, magnet
@group(0) @binding(2) var<storage, read> induced_rest: array<vec4<f32>>;           // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
@group(0) @binding(3) var<storage, read> induced_table: array<vec4<f32>>;          // N by offset: xx, yy, zz; xy, yz, zx
@group(0) @binding(4) var<storage, read> induced_places: array<vec4<f32>>;         // [m], w = radius [m]; grid against world
@group(0) @binding(5) var<storage, read> induced_residuals: array<vec4<f32>>;      // r
@group(0) @binding(6) var<storage, read> induced_sides: array<vec4<f32>>;          // [A m²]
@group(0) @binding(7) var<storage, read> induced_counts: array<u32>;               // done, iterations of this substep, of all, the most, unfinished
@group(0) @binding(8) var<storage, read_write> induced_images: array<vec4<f32>>;   // w

fn image_place(cell: u32) -> vec3<i32> {
    let place = induced_cells[2u * cell + 1u].x;
    return vec3<i32>(vec3<u32>(place & 255u, (place >> 8u) & 255u, place >> 16u));
}

// Of cells of other bodies, seen by a ball.
fn image_between(place: vec4<f32>, first: u32, end: u32) -> vec3<f32> {
    var sum = vec3<f32>(0.0);
    for (var j = first; j < end; j++) {
        let other = induced_places[INDUCTION_RECORDS * j];
        sum += induction_dipole(place.xyz - other.xyz, place.w + other.w, induced_sides[j].xyz);
    }
    return sum;
}

@compute @workgroup_size(64)
fn induce_image(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count || induced_counts[0] != 0u { return; }
    let cell = induced_cells[2u * i];
    let counts = induced_cells[2u * i + 1u].y;
    let here = image_place(i);
    var within = vec3<f32>(0.0);
    for (var j = cell.x; j < cell.y; j++) {
        let offset = image_place(j) - here;
        let size = vec3<u32>(abs(offset));
        let entry = 2u * (cell.z + size.x + (counts & 0xffffu) * (size.y + (counts >> 16u) * size.z));
        let mirror = select(vec3<f32>(1.0), vec3<f32>(-1.0), offset < vec3<i32>(0));
        let v = induced_residuals[j].xyz * mirror;
        let straight = induced_table[entry].xyz;
        let oblique = induced_table[entry + 1u].xyz;
        let image = straight * v
            + vec3<f32>(
                oblique.x * v.y + oblique.z * v.z,
                oblique.x * v.x + oblique.y * v.z,
                oblique.z * v.x + oblique.y * v.y,
            );
        within += image * mirror;
    }
    let place = induced_places[INDUCTION_RECORDS * i];
    let between = image_between(place, 0u, cell.x) + image_between(place, cell.y, launch.count);
    let back = quat_conjugate(induced_places[INDUCTION_RECORDS * i + 1u]);
    let own = induced_rest[INDUCTION_RECORDS * i];
    let image = (induced_residuals[i].xyz * own.x + within * own.y) * (own.z * own.z)
        - quat_rotate(back, between) * (own.y * own.z);
    induced_images[i] = vec4<f32>(image, 0.0);
}
