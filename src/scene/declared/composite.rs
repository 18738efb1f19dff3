//! The keys of bodies of bonded cells.

use super::super::keys::{Check, Declared, End, Keys, Variants, corners, of, within};
use super::super::{Axes, Composite, CompositeShape, Crack, Pin, SceneError, Wood};
use super::pin::pins;
use super::{colour, friction, name, placement};
use crate::at;
use crate::limits;
use crate::meshing::Shape;
use glam::DVec3;

const STRENGTH: &[(&str, bool)] = &[("full", false), ("reduced", true)];
const YES: &[(&str, bool)] = &[("no", false), ("yes", true)];

impl Declared for Composite {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name));
        k.one_of(at!(shape), shapes);
        k.value("cell", at!(cell)).positive("m").says(
            "edges of a cell: along the grain, radially, tangentially; a box along its grain is divided into cells of about that size",
        );
        k.value("grain", at!(grain))
            .finite("")
            .says("direction of the fibres in the local frame; its length does not matter");
        k.value("radial", at!(radial))
            .finite("")
            .default("y, or z where the grain runs along y")
            .says("direction away from the pith, as far as it is across the grain");
        k.checking(directions);
        placement(k, [at!(position), at!(rotation), at!(velocity), at!(spin)], at!(scale));
        k.choice("wood", at!(wood), &Wood::NAMES)
            .says("whose numbers are taken where none are given ([wood.md](wood.md) has them)");
        k.value("density", at!(density))
            .positive("kg/m³")
            .default("of the wood")
            .slider(50.0, 2e3)
            .says("mass per volume");
        k.value("youngs_modulus", at!(youngs_modulus))
            .positive("Pa")
            .default("of the wood")
            .says("E along the grain, radially, tangentially");
        k.value("shear_modulus", at!(shear_modulus))
            .positive("Pa")
            .default("of the wood")
            .says("G in the planes LR, LT and RT");
        k.value("tension_strength", at!(tension_strength))
            .positive("Pa")
            .default("of the wood")
            .says("along the grain and across it");
        k.value("compression_strength", at!(compression_strength))
            .positive("Pa")
            .default("of the wood")
            .says("stress at which it yields, along the grain and across it");
        k.value("shear_strength", at!(shear_strength))
            .positive("Pa")
            .default("of the wood")
            .says("of sliding along the grain, and of rolling fibres over each other");
        k.value("fracture_energy", at!(fracture_energy))
            .positive("J/m²")
            .default("of the wood")
            .says("of breaking fibres, of opening a split along them, and of sliding along it");
        k.choice("breaks", at!(breaks), YES).says("`\"no\"`: it is elastic whatever happens");
        k.choice("strength", at!(reduced), STRENGTH).says(
            "`\"reduced\"` gives cells that are too long for the strength as much less of it as keeps the fracture energy",
        );
        k.value("scatter", at!(scatter))
            .within(End::At(0.0), End::At(0.5), "from 0 to 0.5")
            .slider(0.0, 0.5)
            .says("coefficient of variation of the strengths of faces, by the scene's `seed`");
        k.value("rounds", at!(rounds))
            .whole(1, 64)
            .says("most rounds of solving and breaking in a substep; they end when nothing more breaks");
        k.choice("clamped", at!(clamped), YES).says(
            "whether cells that a pin holds may not turn either; `\"no\"` makes a hinge of a row of them",
        );
        k.list("crack", at!(crack), limits::PINS, "crack")
            .default("none")
            .says("boxes in world space: faces whose middle starts inside are open from the start");
        friction(k, at!(friction));
        colour(k, at!(colour), "from a palette");
        pins(k, at!(pin));
        k.checking(firmly_held);
    }
}

/// Springs and rails act on particles one by one, and cells are solved together.
fn firmly_held(body: &Composite) -> Check {
    let is_firm = |pin: &Pin| pin.compliance == 0.0 && pin.axes == Axes::All;
    match body.pin.iter().position(|pin| !is_firm(pin)) {
        Some(pin) => {
            let message = format!(
                "has as its number {} one with `compliance` or `axes`; what is bonded to cells holds rigidly: leave these keys out",
                pin + 1
            );
            Err(SceneError::value("pin", message))
        }
        None => Ok(()),
    }
}

impl Declared for Crack {
    fn declare(k: &mut Keys<Self>) {
        k.value("min", at!(min))
            .unit("m")
            .default("unlimited")
            .says("lowest corner; components may be `inf`");
        k.value("max", at!(max))
            .unit("m")
            .default("unlimited")
            .says("highest corner; components may be `inf`");
        k.checking(|crack| corners(crack.min, crack.max));
    }
}

fn directions(body: &Composite) -> Check {
    let grain = body.grain.length();
    if !(grain > 1e-12 && grain.is_finite()) {
        return Err(SceneError::value(
            "grain",
            "has no length; give the direction of the fibres, as [1, 0, 0]",
        ));
    }
    match body.radial {
        Some(radial) if radial.cross(body.grain).length() <= 1e-6 * grain * radial.length() => {
            let message =
                format!("is {radial}, along the grain; give a direction across it, or leave it out");
            Err(SceneError::value("radial", message))
        }
        _ => Ok(()),
    }
}

fn shapes(v: &mut Variants<CompositeShape>) {
    fn built(shape: Shape) -> CompositeShape {
        CompositeShape::Built(shape)
    }
    v.table(
        "box",
        "around the local origin",
        || built(Shape::Box { size: DVec3::ONE }),
        |k| {
            let lens = of!(in CompositeShape::Built(Shape::Box { size }) => size);
            k.value("size", lens).positive("m").required().says("extent along x, y and z");
        },
    )
    .when(|s| matches!(s, CompositeShape::Built(Shape::Box { .. })));
    v.table(
        "ball",
        "a ball around the local origin",
        || built(Shape::Ball { radius: 0.5 }),
        |k| {
            let lens = of!(in CompositeShape::Built(Shape::Ball { radius }) => radius);
            k.value("radius", lens).positive("m").required().says("of the ball");
        },
    )
    .when(|s| matches!(s, CompositeShape::Built(Shape::Ball { .. })));
    v.table(
        "cylinder",
        "a cylinder around the y-axis",
        || built(Shape::Cylinder { radius: 0.2, height: 1.0 }),
        |k| {
            let lens = of!(in CompositeShape::Built(Shape::Cylinder { radius, .. }) => radius);
            k.value("radius", lens).positive("m").required().says("of the cylinder");
            let lens = of!(in CompositeShape::Built(Shape::Cylinder { height, .. }) => height);
            k.value("height", lens).positive("m").required().says("along y");
        },
    )
    .when(|s| matches!(s, CompositeShape::Built(Shape::Cylinder { .. })));
    v.table(
        "torus",
        "a torus around the y-axis",
        || built(Shape::Torus { major: 0.3, minor: 0.1 }),
        |k| {
            let lens = of!(in CompositeShape::Built(Shape::Torus { minor, .. }) => minor);
            k.value("minor", lens).positive("m").required().says("radius of the tube");
            let lens = of!(in CompositeShape::Built(Shape::Torus { major, .. }) => major);
            k.value("major", lens)
                .unit("m")
                .required()
                .says("radius of the tube's centre line; more than `minor`");
            k.checking(|shape| match *shape {
                CompositeShape::Built(Shape::Torus { major, minor }) => {
                    let wanted = "greater than `minor`, or the hole closes";
                    within("major", major, major > minor && major.is_finite(), wanted)
                }
                _ => Ok(()),
            });
        },
    )
    .when(|s| matches!(s, CompositeShape::Built(Shape::Torus { .. })));
    v.table(
        "rabbit",
        "a rabbit that sits on the local origin and looks along x",
        || built(Shape::Rabbit { height: 0.5 }),
        |k| {
            let lens = of!(in CompositeShape::Built(Shape::Rabbit { height }) => height);
            k.value("height", lens).positive("m").required().says("along y");
        },
    )
    .when(|s| matches!(s, CompositeShape::Built(Shape::Rabbit { .. })));
    let doc = "a surface (`.obj`, `.ply`, `.stl`); holes, flipped and overlapping triangles are allowed";
    v.beside(
        "surface",
        doc,
        || CompositeShape::Surface { file: Default::default() },
        |k| {
            k.value("surface", of!(CompositeShape::Surface, file))
                .required()
                .says("a file with a surface to fill");
        },
    );
}
