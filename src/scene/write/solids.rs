//! Solids as TOML.

use super::super::{
    Inversion, SceneError, SceneErrorKind, Solid, SolidDamping, SolidMaterial, SolidModel, SolidShape,
    SolidStart, SpringPenalty, Torque,
};
use super::{Result, Text, colour, inline, path, pins, quoted, real, selector, vector};
use crate::meshing::Shape;

pub(super) fn solid(text: &mut Text, solid: &Solid) -> Result<()> {
    let plain = Solid::default();
    text.table("[[solid]]");
    text.differs("name", quoted(&solid.name), solid.name.is_empty());
    match &solid.shape {
        SolidShape::Box { size, cells } => {
            text.line("box", inline([("size", vector(*size)), ("cells", format!("{cells:?}"))]));
        }
        SolidShape::File { file } => text.line("mesh", path(file)?),
        SolidShape::Surface { file, resolution } => {
            text.line("surface", path(file)?);
            text.line("resolution", resolution.to_string());
        }
        SolidShape::Filled { shape, resolution } => {
            text.line(shape.name(), measures(shape));
            text.line("resolution", resolution.to_string());
        }
        SolidShape::Tets(_) => {
            return Err(SceneError::new(
                SceneErrorKind::Mesh,
                format!("solid `{}` is a mesh made in code, which a scene file cannot hold", solid.name),
            ));
        }
    }
    text.vector("position", solid.position, plain.position);
    text.vector("rotation", solid.rotation, plain.rotation);
    text.number("scale", solid.scale, plain.scale);
    text.vector("velocity", solid.velocity, plain.velocity);
    text.differs("start", start(&solid.start), solid.start == plain.start);
    let SolidMaterial { youngs_modulus, poisson_ratio, density } = solid.material;
    text.number("youngs_modulus", youngs_modulus, plain.material.youngs_modulus);
    text.number("poisson_ratio", poisson_ratio, plain.material.poisson_ratio);
    text.number("density", density, plain.material.density);
    text.differs("model", word(&SolidModel::NAMES, solid.model), solid.model == plain.model);
    text.differs("inversion", word(&Inversion::NAMES, solid.inversion), solid.inversion == plain.inversion);
    text.differs("penalty", penalty(&solid.penalty), solid.penalty == plain.penalty);
    text.differs("damping", damping(&solid.damping), solid.damping == plain.damping);
    text.number("thickness", solid.thickness, plain.thickness);
    text.number("friction", solid.friction, plain.friction);
    colour(text, solid.colour);
    pins(text, "[[solid.pin]]", &solid.pin);
    for load in &solid.load {
        text.table("[[solid.load]]");
        selector(text, &load.selector);
        text.line("force", vector(load.force));
    }
    Ok(())
}

fn word<T: PartialEq>(names: &[(&str, T)], value: T) -> String {
    let name = names.iter().find(|(_, named)| *named == value).map_or("", |(name, _)| name);
    quoted(name)
}

fn penalty(penalty: &SpringPenalty) -> String {
    let volume = penalty.volume.map(|volume| ("volume", real(volume)));
    inline([("area", real(penalty.area))].into_iter().chain(volume))
}

fn damping(damping: &SolidDamping) -> String {
    let numbers = [("mass", damping.mass), ("stiffness", damping.stiffness), ("point", damping.point)];
    let mut entries: Vec<_> = numbers.into_iter().map(|(key, value)| (key, real(value))).collect();
    if let Some(spring) = damping.spring {
        let text = inline([
            ("coefficient", real(spring.coefficient)),
            ("sweeps", spring.sweeps.to_string()),
            ("projected", quoted(if spring.projected { "yes" } else { "no" })),
        ]);
        entries.push(("spring", text));
    }
    for (key, cluster) in [("global", damping.global), ("local", damping.local)] {
        if let Some(cluster) = cluster {
            let torque = word(&Torque::NAMES, cluster.torque);
            entries.push((key, inline([("rate", real(cluster.rate)), ("torque", torque)])));
        }
    }
    inline(entries)
}

fn start(start: &SolidStart) -> String {
    let scatter = if start.scatter { "box" } else { "none" };
    inline([("stretch", vector(start.stretch)), ("twist", real(start.twist)), ("scatter", quoted(scatter))])
}

fn measures(shape: &Shape) -> String {
    match *shape {
        Shape::Box { size } => inline([("size", vector(size))]),
        Shape::Ball { radius } => inline([("radius", real(radius))]),
        Shape::Cylinder { radius, height } => inline([("radius", real(radius)), ("height", real(height))]),
        Shape::Torus { major, minor } => inline([("major", real(major)), ("minor", real(minor))]),
        Shape::Rabbit { height } => inline([("height", real(height))]),
    }
}
