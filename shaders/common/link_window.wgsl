// Projects the links of a walk while going from particle to particle, the last eight at hand. src/constraints/link_window.rs
// says how. The kernel binds `world`, `link_nodes`, `link_rests`, `positions` and `offsets` and has window_lambdas and
// window_keep.
#import distance_law

const WINDOW_ABREAST: u32 = 8u;             // walks stored side by side
const WINDOW_NOBODY: u32 = 0xffffffffu;     // a round that comes to no particle

struct WindowPoint {
    x: vec4<f32>,         // xyz [m], w = 1/mass [1/kg], also for the solver
    offset: vec3<f32>,    // [m]
    particle: u32,
}

// Projects the link between two particles at hand; returns Δλ. `rest` is L, α stretched and α compressed.
fn window_link(near: ptr<function, WindowPoint>, far: ptr<function, WindowPoint>, rest: vec3<f32>, lambda: f32, rates: vec2<f32>) -> f32 {
    let wi = (*near).x.w;
    let wj = (*far).x.w;
    let d = ((*far).x.xyz - (*near).x.xyz) + ((*far).offset - (*near).offset);
    // Links that are not there have a negative length.
    let w = select(0.0, wi + wj, rest.x >= 0.0);
    let dl = rates.y * distance_law(d, w, rest.x, rest.yz, lambda, rates.x);
    (*near).offset -= wi * dl.xyz;
    (*far).offset += wj * dl.xyz;
    return dl.w;
}

// One round: the oldest particle is left for the next one. The numbers are ages.
fn window_round(
    cell: u32,
    half: u32,
    rates: vec2<f32>,    // 1/dt² [1/s²], relaxation
    p0: ptr<function, WindowPoint>,
    p1: ptr<function, WindowPoint>,
    p2: ptr<function, WindowPoint>,
    p3: ptr<function, WindowPoint>,
    p4: ptr<function, WindowPoint>,
    p5: ptr<function, WindowPoint>,
    p6: ptr<function, WindowPoint>,
    p7: ptr<function, WindowPoint>,
) {
    // One that cannot move may be at hand elsewhere, too.
    if (*p0).x.w > 0.0 { offsets[half + (*p0).particle] = vec4<f32>((*p0).offset, (*p0).x.w); }
    let node = link_nodes[cell];
    let somebody = node != WINDOW_NOBODY;
    let particle = select(0u, node, somebody);
    let x = positions[particle];
    *p0 = WindowPoint(vec4<f32>(x.xyz, select(0.0, x.w, somebody)), offsets[half + particle].xyz, particle);
    let lengths = link_rests[3u * cell];
    let stretched = link_rests[3u * cell + 1u];
    let compressed = link_rests[3u * cell + 2u];
    let lambdas = window_lambdas(cell);
    let a = window_link(p7, p6, vec3<f32>(lengths.x, stretched.x, compressed.x), lambdas.x, rates);
    let b = window_link(p3, p1, vec3<f32>(lengths.y, stretched.y, compressed.y), lambdas.y, rates);
    let c = window_link(p5, p2, vec3<f32>(lengths.z, stretched.z, compressed.z), lambdas.z, rates);
    let d = window_link(p4, p0, vec3<f32>(lengths.w, stretched.w, compressed.w), lambdas.w, rates);
    window_keep(cell, lambdas + vec4<f32>(a, b, c, d));
}

// The rounds come in eights, of which the last come to nobody. `half` is where the offsets begin.
fn window_walk(first: u32, rounds: u32, half: u32) {
    let nobody = WindowPoint(vec4<f32>(0.0), vec3<f32>(0.0), 0u);
    let rates = vec2<f32>(1.0 / (world.dt * world.dt), world.relaxation);
    var a = nobody;
    var b = nobody;
    var c = nobody;
    var d = nobody;
    var e = nobody;
    var f = nobody;
    var g = nobody;
    var h = nobody;
    for (var t = 0u; t < rounds; t += 8u) {
        let cell = first + WINDOW_ABREAST * t;
        window_round(cell, half, rates, &a, &h, &g, &f, &e, &d, &c, &b);
        window_round(cell + WINDOW_ABREAST, half, rates, &b, &a, &h, &g, &f, &e, &d, &c);
        window_round(cell + 2u * WINDOW_ABREAST, half, rates, &c, &b, &a, &h, &g, &f, &e, &d);
        window_round(cell + 3u * WINDOW_ABREAST, half, rates, &d, &c, &b, &a, &h, &g, &f, &e);
        window_round(cell + 4u * WINDOW_ABREAST, half, rates, &e, &d, &c, &b, &a, &h, &g, &f);
        window_round(cell + 5u * WINDOW_ABREAST, half, rates, &f, &e, &d, &c, &b, &a, &h, &g);
        window_round(cell + 6u * WINDOW_ABREAST, half, rates, &g, &f, &e, &d, &c, &b, &a, &h);
        window_round(cell + 7u * WINDOW_ABREAST, half, rates, &h, &g, &f, &e, &d, &c, &b, &a);
    }
}
