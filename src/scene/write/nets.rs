//! Nets as TOML.

use super::super::{JointStrain, Junctions, Net, NetMethod, NetRest, NetShape};
use super::rods::{material, weights};
use super::{Result, Text, colour, in_code, inline, list, path, pins, quoted, real};

pub(super) fn net(text: &mut Text, net: &Net) -> Result<()> {
    let plain = Net::default();
    text.table("[[net]]");
    text.differs("name", quoted(&net.name), net.name.is_empty());
    shape(text, net)?;
    text.vector("position", net.position, plain.position);
    text.vector("rotation", net.rotation, plain.rotation);
    text.number("scale", net.scale, plain.scale);
    text.vector("velocity", net.velocity, plain.velocity);
    colour(text, net.colour);
    material(text, &net.material);
    text.differs("rest", quoted("straight"), net.rest != NetRest::Straight);
    match net.junctions {
        Junctions::Hub => {}
        Junctions::Pairs => text.line("junctions", quoted("pairs")),
        Junctions::Shared => text.line("junctions", quoted("shared")),
    }
    text.differs("strain", quoted("darboux"), net.strain != JointStrain::Darboux);
    text.number("joint_stiffness", net.joint_stiffness, plain.joint_stiffness);
    let method = match net.method {
        NetMethod::Direct => "direct",
        NetMethod::Coloured => "coloured",
        NetMethod::Jacobi => "jacobi",
        NetMethod::Corde => "corde",
    };
    text.differs("method", quoted(method), net.method == plain.method);
    text.number("drag", net.drag, plain.drag);
    text.number("friction", net.friction, plain.friction);
    text.differs("clamps", quoted("frames"), net.clamps == plain.clamps);
    weights(text, "[[net.weight]]", &net.weight);
    pins(text, "[[net.pin]]", &net.pin);
    pins(text, "[[net.clamp]]", &net.clamp);
    Ok(())
}

fn shape(text: &mut Text, net: &Net) -> Result<()> {
    let counts = |counts: &[u32; 2]| format!("{counts:?}");
    let (key, entries) = match &net.shape {
        NetShape::Ring { radius, segments, twist } => (
            "ring",
            vec![("radius", real(*radius)), ("segments", segments.to_string()), ("twist", real(*twist))],
        ),
        NetShape::Grid { size, cells, segments } => {
            ("grid", vec![("size", list(size)), ("cells", counts(cells)), ("segments", segments.to_string())])
        }
        NetShape::Web { radius, spokes, rings, segments } => (
            "web",
            vec![
                ("radius", real(*radius)),
                ("spokes", spokes.to_string()),
                ("rings", rings.to_string()),
                ("segments", segments.to_string()),
            ],
        ),
        NetShape::Tree { length, levels, branches, angle, ratio, thinning, segments } => (
            "tree",
            vec![
                ("length", real(*length)),
                ("levels", levels.to_string()),
                ("branches", branches.to_string()),
                ("angle", real(*angle)),
                ("ratio", real(*ratio)),
                ("thinning", real(*thinning)),
                ("segments", segments.to_string()),
            ],
        ),
        NetShape::Truss { size, bays, segments } => (
            "truss",
            vec![("size", list(size)), ("bays", bays.to_string()), ("segments", segments.to_string())],
        ),
        NetShape::Globe { radius, meridians, segments } => (
            "globe",
            vec![
                ("radius", real(*radius)),
                ("meridians", meridians.to_string()),
                ("segments", segments.to_string()),
            ],
        ),
        NetShape::Mail { rings, radius, segments } => (
            "mail",
            vec![("rings", counts(rings)), ("radius", real(*radius)), ("segments", segments.to_string())],
        ),
        NetShape::File { file, segments } => {
            ("graph", vec![("file", path(file)?), ("segments", segments.to_string())])
        }
        NetShape::Graph(_) => return Err(in_code(&net.name)),
    };
    text.line(key, inline(entries));
    Ok(())
}
