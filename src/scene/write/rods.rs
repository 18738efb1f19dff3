//! Rods as TOML.

use super::super::{
    AttachedWeight, Copies, Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodSection, RodShape,
};
use super::{Result, Text, array, colour, inline, list, path, pins, quoted, real, selector, track, vector};
use glam::DVec3;

pub(super) fn rod(text: &mut Text, rod: &Rod) -> Result<()> {
    let plain = Rod::default();
    text.table("[[rod]]");
    text.differs("name", quoted(&rod.name), rod.name.is_empty());
    shape(text, &rod.shape)?;
    text.vector("position", rod.position, plain.position);
    text.vector("rotation", rod.rotation, plain.rotation);
    text.number("scale", rod.scale, plain.scale);
    text.vector("velocity", rod.velocity, plain.velocity);
    colour(text, rod.colour);
    material(text, &rod.material);
    match rod.rest {
        RodRest::Shape => {}
        RodRest::Straight => text.line("rest", quoted("straight")),
        RodRest::Curved(rest) => {
            text.line("rest_curvature", list(&[rest.x, rest.y]));
            text.line("rest_twist", real(rest.z));
        }
    }
    if let Some(normal) = rod.normal {
        text.line("normal", vector(normal));
    }
    text.number("twist", rod.twist, plain.twist);
    let method = match rod.method {
        RodMethod::Direct => "direct",
        RodMethod::Coloured => "coloured",
        RodMethod::Jacobi => "jacobi",
        RodMethod::Corde => "corde",
    };
    text.differs("method", quoted(method), rod.method == plain.method);
    text.differs("start", end(&rod.start), rod.start == plain.start);
    text.differs("end", end(&rod.end), rod.end == plain.end);
    text.differs("copies", copies(&rod.copies), rod.copies == plain.copies);
    text.number("drag", rod.drag, plain.drag);
    text.number("friction", rod.friction, plain.friction);
    weights(text, "[[rod.weight]]", &rod.weight);
    pins(text, "[[rod.pin]]", &rod.pin);
    Ok(())
}

pub(super) fn weights(text: &mut Text, header: &str, weights: &[AttachedWeight]) {
    for weight in weights {
        text.table(header);
        selector(text, &weight.selector);
        text.line("mass", real(weight.mass));
    }
}

fn shape(text: &mut Text, shape: &RodShape) -> Result<()> {
    match shape {
        RodShape::Line { from, to, segments } => {
            text.line("from", vector(*from));
            text.line("to", vector(*to));
            text.line("segments", segments);
        }
        RodShape::Polyline { points, segments } => {
            text.line("points", array(points.iter().map(|x| vector(*x))));
            if let Some(segments) = segments {
                text.line("segments", segments);
            }
        }
        RodShape::Spline { points, segments } => {
            text.line("spline", array(points.iter().map(|x| vector(*x))));
            text.line("segments", segments);
        }
        RodShape::File { file, segments } => {
            let file = ("file", path(file)?);
            let segments = segments.map(|n| ("segments", n.to_string()));
            text.line("lines", inline([file].into_iter().chain(segments)));
        }
        RodShape::Helix { radius, pitch, turns, segments } => {
            let numbers = [("radius", radius), ("pitch", pitch), ("turns", turns)];
            let numbers = numbers.into_iter().map(|(key, value)| (key, real(*value)));
            text.line("helix", inline(numbers.chain([("segments", segments.to_string())])));
        }
    }
    Ok(())
}

pub(super) fn material(text: &mut Text, material: &RodMaterial) {
    if let Some((name, _)) = RodMaterial::PRESETS.iter().find(|(_, preset)| preset == material) {
        text.differs("material", quoted(name), *material == RodMaterial::default());
        return;
    }
    match material.shear_modulus {
        Some(modulus) => {
            // Poisson's ratio then has no effect and no key; it is that of the preset.
            let same = |preset: &RodMaterial| preset.poisson_ratio == material.poisson_ratio;
            if let Some((name, _)) = RodMaterial::PRESETS.iter().find(|(_, preset)| same(preset)) {
                text.line("material", quoted(name));
            }
            text.line("shear_modulus", real(modulus));
        }
        None => text.line("poisson_ratio", real(material.poisson_ratio)),
    }
    text.line("radius", real(material.radius));
    text.line("density", real(material.density));
    // It also puts aside a preset's modulus of stretch.
    text.line("youngs_modulus", real(material.youngs_modulus));
    if let Some(modulus) = material.stretch_modulus {
        text.line("stretch_modulus", real(modulus));
    }
    if let Some(stiffness) = material.shear_stiffness {
        text.line("shear_stiffness", real(stiffness));
    }
    if material.section == RodSection::Printed {
        text.line("section", quoted("printed"));
    }
    if let Some(factor) = material.frame_inertia {
        text.line("frame_inertia", real(factor));
    }
    text.number("stretch_friction", material.stretch_friction, 0.0);
    text.number("bend_friction", material.bend_friction, 0.0);
}

fn end(end: &RodEnd) -> String {
    let hold = match end.hold {
        Hold::Free => "free",
        Hold::Pinned => "pinned",
        Hold::Clamped => "clamped",
        Hold::Framed => "framed",
    };
    let mut entries = vec![("hold", quoted(hold))];
    if !end.motion.is_empty() {
        entries.push(("motion", track(&end.motion)));
    }
    if let Some(pivot) = end.pivot {
        entries.push(("pivot", vector(pivot)));
    }
    if let Some(release) = end.release {
        entries.push(("release", real(release)));
    }
    if end.weight != 0.0 {
        entries.push(("weight", real(end.weight)));
    }
    let loads = [("force", end.force), ("torque", end.torque)];
    entries.extend(loads.into_iter().filter(|(_, v)| *v != DVec3::ZERO).map(|(key, v)| (key, vector(v))));
    inline(entries)
}

fn copies(copies: &Copies) -> String {
    let steps = array(copies.steps.iter().map(|step| vector(*step)));
    inline([("count", format!("{:?}", copies.count)), ("steps", steps)])
}
