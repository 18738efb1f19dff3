//! Everything that holds energy or bears stress, on the device: the same as `measure::fields` looks at.

use super::drawing::Maker;
use super::error::RenderError;
use super::strain_elements::{Around, NOBODY};
use crate::measure::fields::{disc, frame_radii};
use crate::model::Model;
use crate::model::elements::Link;
use crate::solids::law::told;
use bytemuck::cast_slice;
use glam::{DQuat, DVec3};
use wgpu::BufferUsages as Usage;

/// `Held` in shaders/render/value_held.wgsl, which says what the numbers of each kind are.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Held {
    particles: [u32; 4],
    kind: [u32; 4],
    numbers: [[f32; 4]; 3],
}

const LINK: u32 = 0;
const HINGE: u32 = 1;
const ISOMETRIC: u32 = 2;
const AREA: u32 = 3;
const VOLUME: u32 = 4;
const MEMBRANE: u32 = 5;
const FOLD: u32 = 6;

/// `HeldTet` in shaders/render/value_tet.wgsl.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct HeldTet {
    particles: [u32; 4],
    kind: [u32; 4],
    rows: [[f32; 4]; 3],
    moduli: [f32; 4],
}

/// `Segment` in shaders/render/value_segment.wgsl.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Segment {
    particles: [u32; 2],
    frame: u32,
    penalised: u32,
    half_stiffness: [f32; 4],
    stress: [f32; 4],
}

/// `Joint` in shaders/render/value_joint.wgsl.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Joint {
    frames: [u32; 4],
    offsets: [[f32; 4]; 2],
    rest: [f32; 4],
    half_stiffness: [f32; 4],
}

/// Elements of four families; their values follow each other in one list.
pub(super) struct HeldElements {
    pub held: wgpu::Buffer,
    pub tets: wgpu::Buffer,
    pub segments: wgpu::Buffer,
    pub joints: wgpu::Buffer,
    /// Of the four families, in this order.
    pub counts: [u32; 4],
    pub values: wgpu::Buffer,
    pub around: Around,
    /// What joints tell the particle where they are.
    pub joint_values: wgpu::Buffer,
    pub joints_around: Around,
    pub inverse_masses: wgpu::Buffer,
}

impl HeldElements {
    pub fn new(device: &wgpu::Device, model: &Model) -> Result<Self, RenderError> {
        let (held, tets, segments) = (held(model), tets(model), segments(model));
        let (joints, joint_owners, joint_places) = joints(model);
        let members = held.iter().map(|element| &element.particles[..]);
        let members = members.chain(tets.iter().map(|tet| &tet.particles[..]));
        let members = members.chain(segments.iter().map(|segment| &segment.particles[..]));
        let members = members.chain(joint_owners.iter().map(|owners| &owners[..]));
        let counts = [held.len(), tets.len(), segments.len(), joints.len()].map(|count| count as u32);
        let masses = model.particles.masses.iter();
        let inverse_masses: Vec<f32> =
            masses.map(|m| if *m > 0.0 { (1.0 / m) as f32 } else { 0.0 }).collect();
        let make = Maker { device };
        let storage = Usage::STORAGE;
        let particle_count = model.particle_count();
        Ok(Self {
            around: Around::new(device, particle_count, members)?,
            joints_around: Around::new(device, particle_count, joint_places.iter().map(|place| &place[..]))?,
            held: make.filled("elements", cast_slice(&held), storage)?,
            tets: make.filled("elements", cast_slice(&tets), storage)?,
            segments: make.filled("elements", cast_slice(&segments), storage)?,
            joints: make.filled("elements", cast_slice(&joints), storage)?,
            values: make.empty(
                "values of elements",
                16 * counts.iter().copied().map(u64::from).sum::<u64>(),
                storage,
            )?,
            joint_values: make.empty("values of joints", 16 * joints.len() as u64, storage)?,
            inverse_masses: make.filled("masses", cast_slice(&inverse_masses), storage)?,
            counts,
        })
    }
}

/// What C² is multiplied by for a particle's share of C²/2α, one of so many; 0 for what is rigid.
fn share(compliance: f64, particles: usize) -> f32 {
    if compliance > 0.0 { (0.5 / compliance / particles as f64) as f32 } else { 0.0 }
}

fn held(model: &Model) -> Vec<Held> {
    let mut list = Vec::new();
    let mut add = |kind: u32, particles: &[u32], numbers: [[f32; 4]; 3]| {
        let corner = |k: usize| particles.get(k).copied().unwrap_or(NOBODY);
        list.push(Held { particles: [0, 1, 2, 3].map(corner), kind: [kind, 0, 0, 0], numbers });
    };
    let none = [0.0; 4];
    let pair = |a: f64, b: f32| [[a as f32, b, 0.0, 0.0], none, none];
    let thickness = |particle: u32| 2.0 * model.particles.radii[particle as usize];
    for (body, elements) in model.bodies.iter().zip(&model.elements) {
        let link_numbers = |link: &Link| {
            let sides = model.materials[link.material as usize];
            let [pulled, pushed] = sides.map(|compliance| share(link.factor * compliance, 2));
            let stress = sides.map(|compliance| match compliance > 0.0 {
                true if body.radius > 0.0 => 1.0 / (link.factor * compliance) / disc(body.radius),
                true => 1.0 / link.rest_length / compliance / thickness(link.ends[0]),
                false => 0.0,
            });
            [
                [link.rest_length as f32, pulled, pushed, 0.0],
                [stress[0] as f32, stress[1] as f32, 0.0, 0.0],
                none,
            ]
        };
        elements.links.iter().for_each(|link| add(LINK, &link.ends, link_numbers(link)));
        for hinge in &elements.hinges {
            add(HINGE, &hinge.particles, pair(hinge.rest_angle, share(hinge.compliance, 4)));
        }
        for hinge in &elements.isometric {
            let stiffness = [share(hinge.compliance, 4), 0.0, 0.0, 0.0];
            add(ISOMETRIC, &hinge.particles, [hinge.weights.map(|k| k as f32), stiffness, none]);
        }
        for area in &elements.areas {
            add(AREA, &area.particles, pair(area.rest_area, share(area.compliance, 3)));
        }
        for volume in &elements.volumes {
            add(VOLUME, &volume.particles, pair(volume.rest_volume, share(volume.compliance, 4)));
        }
        for membrane in &elements.membranes {
            let fabric = &model.fabrics[membrane.fabric as usize];
            let rest = membrane.inverse_rest.to_cols_array().map(|x| x as f32);
            let [corotational, wrinkles] =
                [fabric.corotational, fabric.tension_only].map(|is| f32::from(u8::from(is)));
            let thin = 1.0 / thickness(membrane.particles[0]);
            let size = [(membrane.rest_area() / 3.0) as f32, corotational, thin as f32, wrinkles];
            add(MEMBRANE, &membrane.particles, [rest, fabric.moduli().map(|x| x as f32), size]);
        }
        for fold in &elements.folds {
            add(FOLD, &fold.particles, pair(fold.rest_angle, (2.0 * fold.stiffness / 4.0) as f32));
        }
    }
    list
}

fn tets(model: &Model) -> Vec<HeldTet> {
    let all = model.elements.iter().flat_map(|elements| &elements.tets);
    all.map(|tet| {
        let (law, ignores_inversion, moduli) = told(&model.solid_materials[tet.material as usize]);
        let mut rows = tet.gradients.map(|g| g.as_vec3().extend(0.0).to_array());
        rows[0][3] = (tet.rest_volume / 4.0) as f32;
        let [a, b, c] = moduli.map(|x| x as f32);
        HeldTet {
            particles: tet.particles,
            kind: [law, u32::from(ignores_inversion), 0, 0],
            rows,
            moduli: [a, b, c, 0.0],
        }
    })
    .collect()
}

fn segments(model: &Model) -> Vec<Segment> {
    let explicit = model.explicit_frames();
    let frames = (0..).zip(&model.rods.frames).zip(frame_radii(model));
    frames
        .filter(|((_, frame), _)| !frame.is_wall())
        .map(|((k, frame), radius)| {
            let stiffness = (0.5 / frame.stretch_compliance).as_vec3();
            // A rod without a thickness has no stress.
            let stress = if radius > 0.0 { 1.0 / frame.stretch_compliance.z / disc(radius) } else { 0.0 };
            Segment {
                particles: frame.particles,
                frame: k,
                penalised: u32::from(explicit.contains(&k)),
                half_stiffness: stiffness.extend(frame.rest_length as f32).to_array(),
                stress: [stress as f32, 0.0, 0.0, 0.0],
            }
        })
        .collect()
}

/// The joints of rods and nets, the particles that share the energy of each, and the one where it is.
fn joints(model: &Model) -> (Vec<Joint>, Vec<[u32; 2]>, Vec<[u32; 1]>) {
    let (mut list, mut owners, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let frames = &model.rods.frames;
    let mut add = |[a, b]: [u32; 2], offsets: [DQuat; 2], rest: DVec3, compliance: DVec3, length: f64| {
        list.push(Joint {
            frames: [a, b, 0, 0],
            offsets: offsets.map(|q| q.as_quat().to_array()),
            rest: rest.as_vec3().extend((1.0 / length) as f32).to_array(),
            half_stiffness: (0.5 / compliance).as_vec3().extend(0.0).to_array(),
        });
    };
    for (k, frame) in (0..).zip(frames) {
        if let Some(joint) = frame.joint {
            add([k, k + 1], [DQuat::IDENTITY; 2], joint.rest, joint.compliance, joint.length);
            owners.push(frame.particles);
            places.push([frame.particles[1]]);
        }
    }
    for joint in &model.nets.joints {
        add(joint.frames, joint.offsets, joint.rest, joint.compliance, joint.length);
        owners.push(frames[joint.frames[1] as usize].particles);
        places.push([joint.particle]);
    }
    (list, owners, places)
}
