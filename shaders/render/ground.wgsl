// The floor: soft shadows, a fine grid, and a horizon that dissolves into the backdrop.
#import view
#import lights
#import shading
#import key_shadow
#import ground_plane
#import ground_light

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var key_map: texture_depth_2d;
@group(0) @binding(3) var shadow_sampler: sampler_comparison;
@group(0) @binding(4) var ground_light_map: texture_2d<f32>;
@group(0) @binding(5) var ground_sampler: sampler;
@group(0) @binding(6) var ground_draft_map: texture_2d<f32>;      // radiance without the grid, over the whole picture

override DRAFT: bool = false;     // whether light is taken from that map

const LINE_WIDTH = 1.1;       // [pixel]
const CELL = 0.09;            // the smallest cell drawn, in viewing distances

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec3<f32>,                   // [m]
    @location(1) plane: vec2<f32>,                   // along the ground [m]
    @location(2) uv: vec2<f32>,                      // in the map of the sky's light
    @location(3) @interpolate(flat) cell: vec2<f32>, // the finer spacing of the grid [m], and how much of it is seen
}

@vertex
fn vertex(@builtin(vertex_index) vertex: u32) -> Corner {
    let uv = vec2(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
    let focus = view.focus.xyz + view.up.xyz * (view.up.w - dot(view.up.xyz, view.focus.xyz));
    let place = focus + ground_axes() * (uv * FADE_END * view.focus.w);
    // Cells are whole powers of ten; the finer ones come in as the camera comes closer.
    let level = log2(CELL * view.focus.w) / log2(10.0);
    let cell = vec2(pow(10.0, ceil(level)), 0.45 * smoothstep(0.0, 0.6, ceil(level) - level));
    return Corner(view.clip_from_world * vec4(place, 1.0), place, place * ground_axes(), ground_uv(place), cell);
}

// How much of the pixel the lines of a grid with this spacing cover.
fn grid(place: vec2<f32>, width: vec2<f32>, spacing: f32) -> f32 {
    let cell = place / spacing;
    let blur = width / spacing;
    let distance = abs(fract(cell - 0.5) - 0.5) / max(blur, vec2(1e-6));
    let line = clamp(0.5 * LINE_WIDTH + 0.5 - distance, vec2(0.0), vec2(1.0));
    // Lines closer together than a few pixels become an even tone, then nothing.
    let sparse = 1.0 - smoothstep(vec2(0.05), vec2(0.25), blur);
    return max(line.x * sparse.x, line.y * sparse.y);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let pixel = corner.position.xy;
    let p = corner.place;
    let plane = corner.plane;
    let width = max(fwidth(plane), vec2(1e-9));
    let far = ground_far(p);
    let lines = max(grid(plane, width, corner.cell.x) * corner.cell.y, grid(plane, width, 10.0 * corner.cell.x));
    let strength = view.grid_colour.w * lines * (1.0 - smoothstep(0.4, 2.5, far));

    var radiance = vec3(0.0);
    if DRAFT {
        let place = pixel / vec2(view.right.w, view.upward.w);
        let plain = textureSampleLevel(ground_draft_map, ground_sampler, place, 0.0).rgb;
        radiance = plain * mix(vec3(1.0), view.grid_colour.rgb / view.ground_colour.rgb, strength);
    } else {
        let albedo = mix(view.ground_colour.rgb, view.grid_colour.rgb, strength);
        let to_eye = normalize(view.eye.xyz - p);
        radiance = ground_radiance(p, to_eye, corner.uv, albedo, key_visible(p, view.up.xyz, pixel), far);
    }
    return vec4(develop(radiance, pixel), 1.0);
}
