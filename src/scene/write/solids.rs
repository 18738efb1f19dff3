//! Solids as TOML.

use super::super::{
    Inversion, SceneError, SceneErrorKind, Solid, SolidMaterial, SolidModel, SolidShape, SolidStart,
};
use super::{Result, Text, colour, inline, path, pins, quoted, real, vector};
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
    text.number("thickness", solid.thickness, plain.thickness);
    text.number("friction", solid.friction, plain.friction);
    colour(text, solid.colour);
    pins(text, "[[solid.pin]]", &solid.pin);
    Ok(())
}

fn word<T: PartialEq>(names: &[(&str, T)], value: T) -> String {
    let name = names.iter().find(|(_, named)| *named == value).map_or("", |(name, _)| name);
    quoted(name)
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
