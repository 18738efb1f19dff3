// Contacts of one rigid body with what does not move, solved together. src/rigid/touching.rs says how.
#import rigid

const TOUCHING_MOST: u32 = 16u;
const TOUCHING_SWEEPS: u32 = 8u;

struct TouchingContact {
    normal: vec3<f32>,     // unit vector towards the body
    arm: vec3<f32>,        // from the centre of mass [m]
    gap: f32,              // along the normal at the end of the substep, negative inside [m]
    way: vec3<f32>,        // displacement of the substep relative to what is touched [m]
    friction: f32,
    push: f32,             // λ [kg m]
    grip: vec3<f32>,       // λₜ [kg m]
}

var<private> touching: array<TouchingContact, TOUCHING_MOST>;
var<private> touching_count: u32;
var<private> touching_moved: vec3<f32>;     // Δ [m]
var<private> touching_turned: vec3<f32>;    // θ [rad]

// Adds a contact; where there is no room, instead of the shallowest if that is shallower.
fn touching_add(contact: TouchingContact) {
    if touching_count < TOUCHING_MOST {
        touching[touching_count] = contact;
        touching_count += 1u;
        return;
    }
    var shallowest = 0u;
    for (var k = 1u; k < TOUCHING_MOST; k++) {
        if touching[k].gap > touching[shallowest].gap { shallowest = k; }
    }
    if contact.gap < touching[shallowest].gap { touching[shallowest] = contact; }
}

// Leaves Δ and θ.
fn touching_solve(body: RigidMotion) {
    let w = body.x.w;
    var moved = vec3<f32>(0.0);
    var turned = vec3<f32>(0.0);
    for (var sweep = 0u; sweep < TOUCHING_SWEEPS; sweep++) {
        for (var k = 0u; k < touching_count; k++) {
            let contact = touching[k];
            let n = contact.normal;
            let r = contact.arm;
            let lever = cross(r, n);
            let response = rigid_inverse_inertia(body, lever);
            let weight = w + dot(lever, response);
            var push = contact.push;
            if weight > 0.0 {
                let gap = contact.gap + dot(n, moved) + dot(lever, turned);
                push = max(contact.push - gap / weight, 0.0);
                let change = push - contact.push;
                touching[k].push = push;
                moved += n * (w * change);
                turned += response * change;
            }
            let way = contact.way + moved + cross(turned, r);
            let along = way - n * dot(n, way);
            let slip = length(along);
            if slip > 0.0 {
                let direction = along / slip;
                let across = cross(r, direction);
                let inertia = w + dot(across, rigid_inverse_inertia(body, across));
                if inertia > 0.0 {
                    let wanted = contact.grip - direction * (slip / inertia);
                    let most = contact.friction * push;
                    let size = length(wanted);
                    let grip = wanted * select(1.0, most / size, size > most);
                    let change = grip - contact.grip;
                    touching[k].grip = grip;
                    moved += change * w;
                    turned += rigid_inverse_inertia(body, cross(r, change));
                }
            }
        }
    }
    touching_moved = moved;
    touching_turned = turned;
}

// Turns solved contacts into those of a bounce. Whether there is any.
fn touching_bounce(e: f32, slow: f32) -> bool {
    var any = false;
    for (var k = 0u; k < touching_count; k++) {
        let contact = touching[k];
        let approach = dot(contact.normal, contact.way);
        let way = contact.way + touching_moved + cross(touching_turned, contact.arm);
        let hits = contact.push > 0.0 && approach < -slow;
        touching[k].way = way;
        touching[k].gap = select(1.0, dot(contact.normal, way) + e * approach, hits);
        touching[k].friction = select(0.0, contact.friction, hits);
        touching[k].push = 0.0;
        touching[k].grip = vec3<f32>(0.0);
        any = any || hits;
    }
    return any;
}
