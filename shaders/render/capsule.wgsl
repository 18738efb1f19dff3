// Lines and points as exact capsules: a quad on the screen, a ray cast in each pixel, depth written.
// Edges are smoothed by turning the covered share of the pixel into sample coverage; lines thinner than a pixel take
// samples by chance, so that many of them one behind the other cover what so many would.
#import view
#import lights
#import shading
#import key_shadow
#import colour_map

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> skies: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> scalars: array<f32>;
@group(0) @binding(5) var<storage, read> bodies: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> capsules: array<vec4<u32>>;     // ends, body, radius [m] as bits
@group(0) @binding(7) var key_map: texture_depth_2d;
@group(0) @binding(8) var shadow_sampler: sampler_comparison;

const THINNEST = 0.6;     // radius [pixel] below which a line fades instead of getting thinner

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) ndc: vec2<f32>,
    @location(1) @interpolate(flat) a: vec3<f32>,
    @location(2) @interpolate(flat) b: vec3<f32>,
    @location(3) @interpolate(flat) ends: vec4<f32>,       // scalar and sky of a, then of b
    @location(4) @interpolate(flat) body: vec4<f32>,
    @location(5) @interpolate(flat) size: vec4<f32>,       // radius [m], opacity, 1 to colour by scalar, chance of the line
}

struct Picture {
    @location(0) colour: vec4<f32>,
    @builtin(frag_depth) depth: f32,
    @builtin(sample_mask) samples: u32,
}

fn scalar_of(particle: u32) -> f32 {
    if particle >= arrayLength(&scalars) { return 0.0; }
    return (scalars[particle] - view.scalar_range.x) * view.scalar_range.y;
}

@vertex
fn vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Corner {
    let capsule = capsules[instance];
    let a = vertices[capsule.x];
    let b = vertices[capsule.y];
    let true_radius = bitcast<f32>(capsule.w);
    let half_screen = 0.5 * vec2(view.right.w, view.upward.w);

    // Both ends on the screen, in pixels, with a bound on the size of their balls there.
    let depth = vec2(dot(a.xyz - view.eye.xyz, view.forward.xyz), dot(b.xyz - view.eye.xyz, view.forward.xyz));
    let thinnest = THINNEST * view.forward.w * min(depth.x, depth.y);
    let radius = max(true_radius, thinnest);
    let clip_a = view.clip_from_world * vec4(a.xyz, 1.0);
    let clip_b = view.clip_from_world * vec4(b.xyz, 1.0);
    let near = min(depth.x, depth.y) - radius;
    let visible = near > 0.0 && min(a.w, b.w) > 0.0 && true_radius > 0.0;
    let pa = clip_a.xy / clip_a.w * half_screen;
    let pb = clip_b.xy / clip_b.w * half_screen;
    let stretch = vec2(distance(a.xyz, view.eye.xyz), distance(b.xyz, view.eye.xyz)) / depth;
    let balls = radius * stretch / (view.forward.w * max(depth - radius, vec2(1e-3 * radius))) + 1.0;

    let along = pb - pa;
    let length = length(along);
    let direction = select(vec2(1.0, 0.0), along / length, length > 1e-3);
    let start = min(-balls.x, length - balls.y);
    let end = max(balls.x, length + balls.y);
    let across = max(balls.x, balls.y);
    let t = select(start, end, (vertex & 1u) == 1u);
    let s = select(-across, across, (vertex & 2u) == 2u);
    let place = (pa + direction * t + vec2(-direction.y, direction.x) * s) / half_screen;

    let chance = f32((instance * 2654435769u) >> 8u) / 16777216.0;
    let use_scalar = select(0.0, 1.0, view.scalar_range.z > 0.0);
    let position = select(vec4(0.0, 0.0, -1.0, 1.0), vec4(place, 0.5, 1.0), visible);
    return Corner(position, place, a.xyz, b.xyz,
        vec4(scalar_of(capsule.x), skies[capsule.x].x, scalar_of(capsule.y), skies[capsule.y].x),
        bodies[capsule.z], vec4(radius, min(true_radius / max(thinnest, 1e-30), 1.0), use_scalar, chance));
}

struct Hit {
    distance: f32,          // along the ray, or of the closest approach
    along: f32,             // 0 at a, 1 at b
}

fn ball(origin: vec3<f32>, ray: vec3<f32>, centre: vec3<f32>, radius: f32) -> f32 {
    let o = origin - centre;
    let b = dot(ray, o);
    let closest = o - ray * b;
    return -b - sqrt(max(radius * radius - dot(closest, closest), 0.0));
}

// The axis point x = a + s (b − a) and the ray point nearest to it are one radius apart on the side of the cylinder.
fn capsule_hit(origin: vec3<f32>, ray: vec3<f32>, a: vec3<f32>, b: vec3<f32>, radius: f32) -> Hit {
    let axis = b - a;
    let square = dot(axis, axis);
    let slant = dot(axis, ray);
    let o = origin - a;
    let spread = square - slant * slant;           // |axis × ray|²
    if spread > 1e-5 * square {
        let along = dot(axis, o);
        let half = square * dot(ray, o) - along * slant;
        let rest = square * (dot(o, o) - radius * radius) - along * along;
        let t = (-half - sqrt(max(half * half - spread * rest, 0.0))) / spread;
        let s = (along + t * slant) / square;
        if s > 0.0 && s < 1.0 { return Hit(t, s); }
        let end = select(0.0, 1.0, s >= 1.0);
        return Hit(ball(origin, ray, a + axis * end, radius), end);
    }
    let end = select(0.0, 1.0, slant < 0.0);
    return Hit(ball(origin, ray, a + axis * end, radius), end);
}

// The samples of a pixel that a line takes. Which ones differs from pixel to pixel and line to line, if it is thin.
fn covered_samples(coverage: f32, opacity: f32, pixel: vec2<f32>, chance: f32) -> u32 {
    let noise = fract(pixel_noise(pixel) + chance);
    let thin = opacity < 1.0;
    let samples = view.sampling.w;
    let count = u32(f32(samples) * coverage + select(0.5, noise, thin));
    let first = select(0u, u32(f32(samples) * fract(7.0 * noise)), thin);
    let mask = ((1u << count) - 1u) << first;
    return (mask | (mask >> samples)) & ((1u << samples) - 1u);
}

@fragment
fn fragment(corner: Corner) -> Picture {
    let pixel = corner.position.xy;
    let ray = view_ray(corner.ndc);
    let radius = corner.size.x;
    // Start near the capsule: seen from the eye, a thin rod drowns in rounding.
    let middle = 0.5 * (corner.a + corner.b);
    let origin = view.eye.xyz + ray * dot(middle - view.eye.xyz, ray);
    let hit = capsule_hit(origin, ray, corner.a, corner.b, radius);
    let p = origin + ray * hit.distance;
    let axis = mix(corner.a, corner.b, hit.along);
    let off = length(cross(axis - p, ray));
    let footprint = view.forward.w * dot(p - view.eye.xyz, view.forward.xyz);
    let coverage = clamp(0.5 + (radius - off) / footprint, 0.0, 1.0) * corner.size.y;
    let samples = covered_samples(coverage, corner.size.y, pixel, corner.size.w);
    if samples == 0u { discard; }

    let normal = normalize(p - axis);
    let scalar = mix(corner.ends.x, corner.ends.z, hit.along);
    let open = mix(corner.ends.y, corner.ends.w, hit.along);
    let sky = open * (0.5 + 0.5 * dot(normal, view.up.xyz));
    let albedo = mix(corner.body.rgb, colour_map(scalar), corner.size.z);
    let surface = Surface(albedo, normal, -ray, key_visible(p, normal, pixel), sky, 0.0, 1.0);
    let clip = view.clip_from_world * vec4(p, 1.0);
    return Picture(vec4(develop(shade(surface), pixel), 1.0), clamp(clip.z / clip.w, 0.0, 1.0), samples);
}
