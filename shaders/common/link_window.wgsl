// Projects the links of a walk while going from particle to particle, the last thirteen at hand.
// src/constraints/link_window.rs says how. The kernel binds `world`, `link_nodes`, `link_rests`, `positions` and `offsets` and
// has window_lambdas and window_keep.
#import distance_law

const WINDOW_ABREAST: u32 = 8u;             // walks stored side by side
const WINDOW_REST: u32 = 5u;                // vectors of `link_rests` a cell
const WINDOW_NOBODY: u32 = 0xffffffffu;     // a round that comes to no particle

struct WindowPoint {
    x: vec4<f32>,         // xyz [m], w = 1/mass [1/kg], also for the solver
    offset: vec3<f32>,    // [m]
    particle: u32,
}

// λ of the links of a cell [N s²].
struct WindowLambdas {
    near: vec4<f32>,    // that span one, two, three and four steps
    far: vec2<f32>,     // five and eight
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
    rates: vec2<f32>,    // 1/dt² [1/s²], relaxation
    p0: ptr<function, WindowPoint>,
    p1: ptr<function, WindowPoint>,
    p2: ptr<function, WindowPoint>,
    p3: ptr<function, WindowPoint>,
    p4: ptr<function, WindowPoint>,
    p5: ptr<function, WindowPoint>,
    p6: ptr<function, WindowPoint>,
    p7: ptr<function, WindowPoint>,
    p8: ptr<function, WindowPoint>,
    p9: ptr<function, WindowPoint>,
    p10: ptr<function, WindowPoint>,
    p11: ptr<function, WindowPoint>,
    p12: ptr<function, WindowPoint>,
) {
    // One that cannot move may be at hand elsewhere, too.
    if (*p0).x.w > 0.0 { offsets[(*p0).particle] = vec4<f32>((*p0).offset, (*p0).x.w); }
    let node = link_nodes[cell];
    let somebody = node != WINDOW_NOBODY;
    let particle = select(0u, node, somebody);
    // Nothing of a particle that another walk may be changing, or that has become non-finite, may get in here.
    let x = select(vec4<f32>(0.0), positions[particle], somebody);
    *p0 = WindowPoint(x, select(vec3<f32>(0.0), offsets[particle].xyz, somebody), particle);
    let lengths = link_rests[WINDOW_REST * cell];
    let stretched = link_rests[WINDOW_REST * cell + 1u];
    let compressed = link_rests[WINDOW_REST * cell + 2u];
    let far = link_rests[WINDOW_REST * cell + 3u];
    let far_compressed = link_rests[WINDOW_REST * cell + 4u];
    let lambdas = window_lambdas(cell);
    let one = window_link(p11, p10, vec3<f32>(lengths.x, stretched.x, compressed.x), lambdas.near.x, rates);
    let two = window_link(p4, p2, vec3<f32>(lengths.y, stretched.y, compressed.y), lambdas.near.y, rates);
    let three = window_link(p12, p9, vec3<f32>(lengths.z, stretched.z, compressed.z), lambdas.near.z, rates);
    let four = window_link(p7, p3, vec3<f32>(lengths.w, stretched.w, compressed.w), lambdas.near.w, rates);
    let five = window_link(p6, p1, vec3<f32>(far.x, far.z, far_compressed.x), lambdas.far.x, rates);
    let eight = window_link(p8, p0, vec3<f32>(far.y, far.w, far_compressed.y), lambdas.far.y, rates);
    window_keep(cell, WindowLambdas(
        lambdas.near + vec4<f32>(one, two, three, four),
        lambdas.far + vec2<f32>(five, eight),
    ));
}

// The rounds come in thirteens, of which the last come to nobody.
fn window_walk(first: u32, rounds: u32) {
    let nobody = WindowPoint(vec4<f32>(0.0), vec3<f32>(0.0), 0u);
    // Read here once: software adapters fetch what they read in a loop again for each lane.
    let rates = vec2<f32>(1.0 / (world.dt * world.dt), world.relaxation);
    var a = nobody;
    var b = nobody;
    var c = nobody;
    var d = nobody;
    var e = nobody;
    var f = nobody;
    var g = nobody;
    var h = nobody;
    var i = nobody;
    var j = nobody;
    var k = nobody;
    var l = nobody;
    var m = nobody;
    for (var t = 0u; t < rounds; t += 13u) {
        let cell = first + WINDOW_ABREAST * t;
        window_round(cell, rates, &a, &m, &l, &k, &j, &i, &h, &g, &f, &e, &d, &c, &b);
        window_round(cell + WINDOW_ABREAST, rates, &b, &a, &m, &l, &k, &j, &i, &h, &g, &f, &e, &d, &c);
        window_round(cell + 2u * WINDOW_ABREAST, rates, &c, &b, &a, &m, &l, &k, &j, &i, &h, &g, &f, &e, &d);
        window_round(cell + 3u * WINDOW_ABREAST, rates, &d, &c, &b, &a, &m, &l, &k, &j, &i, &h, &g, &f, &e);
        window_round(cell + 4u * WINDOW_ABREAST, rates, &e, &d, &c, &b, &a, &m, &l, &k, &j, &i, &h, &g, &f);
        window_round(cell + 5u * WINDOW_ABREAST, rates, &f, &e, &d, &c, &b, &a, &m, &l, &k, &j, &i, &h, &g);
        window_round(cell + 6u * WINDOW_ABREAST, rates, &g, &f, &e, &d, &c, &b, &a, &m, &l, &k, &j, &i, &h);
        window_round(cell + 7u * WINDOW_ABREAST, rates, &h, &g, &f, &e, &d, &c, &b, &a, &m, &l, &k, &j, &i);
        window_round(cell + 8u * WINDOW_ABREAST, rates, &i, &h, &g, &f, &e, &d, &c, &b, &a, &m, &l, &k, &j);
        window_round(cell + 9u * WINDOW_ABREAST, rates, &j, &i, &h, &g, &f, &e, &d, &c, &b, &a, &m, &l, &k);
        window_round(cell + 10u * WINDOW_ABREAST, rates, &k, &j, &i, &h, &g, &f, &e, &d, &c, &b, &a, &m, &l);
        window_round(cell + 11u * WINDOW_ABREAST, rates, &l, &k, &j, &i, &h, &g, &f, &e, &d, &c, &b, &a, &m);
        window_round(cell + 12u * WINDOW_ABREAST, rates, &m, &l, &k, &j, &i, &h, &g, &f, &e, &d, &c, &b, &a);
    }
}
