// Light from the open sky on both sides of every mesh vertex: ambient occlusion from real visibility. Where meshes are
// dense and time is short, vertices are lit and coloured here too, and pixels only mix what they find at the corners.
#import view
#import lights
#import sky_visibility
#import key_shadow
#import shading
#import fabric
#import colour_map

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> skies: array<vec4<f32>>;     // along the normal and against it: 1 faces an open sky
@group(0) @binding(5) var sky_map: texture_depth_2d;
@group(0) @binding(6) var key_map: texture_depth_2d;
@group(0) @binding(7) var shadow_sampler: sampler_comparison;
@group(0) @binding(8) var<storage, read> scalars: array<f32>;
@group(0) @binding(9) var<storage, read> bodies: array<vec4<f32>>;          // albedo, w: 1 for cloth
@group(0) @binding(10) var<storage, read> vertex_bodies: array<u32>;        // of each particle
@group(0) @binding(11) var<storage, read_write> colours: array<vec4<u32>>;  // 16 bits each: red, green, blue, 1 in front, then behind

@group(0) @binding(12) var<storage, read> lit_vertices: array<u32>;         // those that need colours or light

override LIT: bool = false;    // whether colours are asked for

const SPREAD = 1.7;
const OFFSET_TEXELS = 1.5;     // a vertex looks from this far off its own surface

@compute @workgroup_size(64)
fn sky(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    var i = id.y * groups.x * 64u + id.x;
    if LIT {
        if i >= arrayLength(&lit_vertices) { return; }
        i = lit_vertices[i];
    }
    if i >= view.counts.y { return; }
    let p = vertices[i].xyz;
    let normal = normals[i].xyz;
    let radius = normals[i].w;
    let loose = all(normal == vec3(0.0));     // a point or a line has no side
    let spread = select(SPREAD, 0.0, LIT);     // neighbours of a dense mesh blur it
    var sum = vec2(0.0);
    var open = 0.0;
    for (var k = 0u; k < view.counts.w; k++) {
        let direction = lights.sky[k].direction;
        let texel = lights.sky[k].size.z;
        let cosine = dot(normal, direction.xyz);
        let side = normal * sign(cosine);
        let offset = select(side + direction.xyz, direction.xyz * (1.0 + radius / texel), loose);
        let light = direction.w * sky_visible(k, p + offset * OFFSET_TEXELS * texel, side, spread);
        sum += light * select(max(vec2(cosine, -cosine), vec2(0.0)), vec2(0.5), loose);
        open += direction.w * select(dot(view.up.xyz, direction.xyz), 0.5, loose);
    }
    let skies_here = sum / open;
    skies[i] = vec4(skies_here, 0.0, 0.0);
    if LIT {
        if i < min(view.counts.x, arrayLength(&vertex_bodies)) { colours[i] = lit(i, p, normal, skies_here); }
    }
}

// What pixels show on either side of a vertex.
fn lit(i: u32, p: vec3<f32>, normal: vec3<f32>, sky: vec2<f32>) -> vec4<u32> {
    let body = bodies[vertex_bodies[i]];
    let to_eye = normalize(view.eye.xyz - p);
    var own = body.rgb;
    var back = fabric_back(body);
    if view.scalar_range.z > 0.0 && i < arrayLength(&scalars) {
        own = colour_map((scalars[i] - view.scalar_range.x) * view.scalar_range.y);
        back = own;
    }
    let key = key_visible(p, normal, vec2(0.0));
    let front = develop_smooth(shade(fabric(body.w, own, surface_normal(normal, 1.0, to_eye), to_eye, key, sky.x)));
    let behind = develop_smooth(shade(fabric(body.w, back, surface_normal(normal, -1.0, to_eye), to_eye, key, sky.y)));
    return vec4(pack2x16unorm(front.xy), pack2x16unorm(vec2(front.z, 1.0)),
        pack2x16unorm(behind.xy), pack2x16unorm(vec2(behind.z, 1.0)));
}
