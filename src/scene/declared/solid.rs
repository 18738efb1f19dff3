//! The keys of solids.

use super::super::keys::{Check, Declared, End, Keys, Lens, Variants, of, within};
use super::super::{
    ClusterDamping, Inversion, Load, SceneError, SceneErrorKind, Solid, SolidDamping, SolidMaterial,
    SolidModel, SolidShape, SolidStart, SpringDamping, SpringPenalty, Torque,
};
use super::pin::{pins, selector};
use super::{colour, friction, name, placement};
use crate::at;
use crate::limits;
use crate::meshing::{MOST_CELLS, Shape};

/// Default cells of the lattice along the longest side of a surface or shape that is filled.
const RESOLUTION: u32 = 16;
const SCATTER: &[(&str, bool)] = &[("none", false), ("box", true)];
const YES: &[(&str, bool)] = &[("no", false), ("yes", true)];

impl Declared for Solid {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name));
        k.one_of(at!(shape), shapes);
        k.checking(tetrahedra);
        placement(k, [at!(position), at!(rotation), at!(velocity), at!(spin)], at!(scale));
        k.table("start", at!(start))
            .default("undeformed")
            .says("how it is deformed when it is let go, about the middle of its local bounds");
        k.flat(at!(material));
        k.choice("model", at!(model), &SolidModel::NAMES)
            .panel()
            .says("forces: `\"linear\"`, `\"corotational\"`, `\"neo_hookean\"` or `\"springs\"` (a baseline whose moduli depend on the mesh); constraints (XPBD): `\"position\"` (volume and shape) or `\"strain\"` (stretches and shears)");
        k.maybe("clusters", at!(clusters))
            .default("none")
            .says("shape matching in place of the tetrahedra's law ([clusters.md](clusters.md))");
        k.reading(|t, solid| match solid.clusters {
            None => Ok(()),
            Some(_) => t.refuse(
                &["model", "youngs_modulus", "poisson_ratio", "inversion", "penalty"],
                "goes with tetrahedra; `clusters` holds this body together",
            ),
        });
        k.choice("inversion", at!(inversion), &Inversion::NAMES)
            .says("which stretch of an inverted `\"corotational\"` tetrahedron is negative; `\"ignore\"` leaves it inverted");
        k.reading(|t, solid| match solid.model {
            SolidModel::Corotational => Ok(()),
            _ => t.refuse(&["inversion"], "goes with `model = \"corotational\"`"),
        });
        k.table("penalty", at!(penalty))
            .default("by E and ν")
            .says("what holds faces and volumes of `\"springs\"`");
        k.reading(|t, solid| match solid.model {
            SolidModel::Springs => Ok(()),
            _ => t.refuse(&["penalty"], "goes with `model = \"springs\"`"),
        });
        k.table("damping", at!(damping)).default("none").says("what slows its deformation down");
        k.value("thickness", at!(thickness))
            .not_negative("m")
            .says("twice the distance that its vertices keep from colliders");
        friction(k, at!(friction));
        colour(k, at!(colour), "from a palette");
        k.list("load", at!(load), limits::PINS, "load")
            .default("none")
            .says("forces on vertices chosen like those of pins");
        pins(k, at!(pin));
    }
}

fn shapes(v: &mut Variants<SolidShape>) {
    let filled = "goes with what is filled: `surface`, `ball`, `cylinder`, `torus` or `rabbit`";
    v.table("box", "around the local origin; five tetrahedra to a cell", SolidShape::default, |k| {
        k.value("size", of!(SolidShape::Box, size)).positive("m").required().says("extent along x, y and z");
        k.value("cells", of!(SolidShape::Box, cells))
            .whole(1, u32::MAX)
            .required()
            .says("cells along x, y and z");
    })
    .refuse(&["resolution"], filled);
    let doc = "tetrahedra from a file: Gmsh (`.msh`, versions 2.2 and 4.1, ASCII) or TetGen (`.node` with `.ele`); physical groups, regions and boundary markers become groups to pin";
    v.beside(
        "mesh",
        doc,
        || SolidShape::File { file: Default::default() },
        |k| {
            k.value("mesh", of!(SolidShape::File, file)).required().says("a file of tetrahedra");
        },
    )
    .refuse(&["resolution"], filled);
    let doc = "a surface (`.obj`, `.ply`, `.stl`), filled with tetrahedra; holes, flipped and overlapping triangles are allowed ([meshing.md](meshing.md))";
    v.beside(
        "surface",
        doc,
        || SolidShape::Surface { file: Default::default(), resolution: RESOLUTION },
        |k| {
            k.value("surface", of!(SolidShape::Surface, file))
                .required()
                .says("a file with a surface to fill");
            resolution(k, of!(SolidShape::Surface, resolution));
        },
    );
    fn fill(shape: Shape) -> SolidShape {
        SolidShape::Filled { shape, resolution: RESOLUTION }
    }
    v.table(
        "ball",
        "a ball around the local origin, filled",
        || fill(Shape::Ball { radius: 0.5 }),
        |k| {
            let lens = of!(in SolidShape::Filled { shape: Shape::Ball { radius }, .. } => radius);
            k.value("radius", lens).positive("m").required().says("of the ball");
        },
    )
    .when(|s| matches!(s, SolidShape::Filled { shape: Shape::Ball { .. }, .. }))
    .also(|k| resolution(k, of!(SolidShape::Filled, resolution)));
    let start = || fill(Shape::Cylinder { radius: 0.2, height: 1.0 });
    v.table("cylinder", "a cylinder around the y-axis, filled", start, |k| {
        let lens = of!(in SolidShape::Filled { shape: Shape::Cylinder { radius, .. }, .. } => radius);
        k.value("radius", lens).positive("m").required().says("of the cylinder");
        let lens = of!(in SolidShape::Filled { shape: Shape::Cylinder { height, .. }, .. } => height);
        k.value("height", lens).positive("m").required().says("along y");
    })
    .when(|s| matches!(s, SolidShape::Filled { shape: Shape::Cylinder { .. }, .. }))
    .also(|k| resolution(k, of!(SolidShape::Filled, resolution)));
    let start = || fill(Shape::Torus { major: 0.3, minor: 0.1 });
    v.table("torus", "a torus around the y-axis, filled", start, |k| {
        let lens = of!(in SolidShape::Filled { shape: Shape::Torus { minor, .. }, .. } => minor);
        k.value("minor", lens).positive("m").required().says("radius of the tube");
        let lens = of!(in SolidShape::Filled { shape: Shape::Torus { major, .. }, .. } => major);
        k.value("major", lens)
            .unit("m")
            .required()
            .says("radius of the tube's centre line; more than `minor`");
        k.checking(|shape| match *shape {
            SolidShape::Filled { shape: Shape::Torus { major, minor }, .. } => {
                let wanted = "greater than `minor`, or the hole closes";
                within("major", major, major > minor && major.is_finite(), wanted)
            }
            _ => Ok(()),
        });
    })
    .when(|s| matches!(s, SolidShape::Filled { shape: Shape::Torus { .. }, .. }))
    .also(|k| resolution(k, of!(SolidShape::Filled, resolution)));
    let doc = "a rabbit that sits on the local origin and looks along x, filled";
    v.table(
        "rabbit",
        doc,
        || fill(Shape::Rabbit { height: 0.5 }),
        |k| {
            let lens = of!(in SolidShape::Filled { shape: Shape::Rabbit { height }, .. } => height);
            k.value("height", lens).positive("m").required().says("along y");
        },
    )
    .when(|s| matches!(s, SolidShape::Filled { shape: Shape::Rabbit { .. }, .. }))
    .also(|k| resolution(k, of!(SolidShape::Filled, resolution)));
    v.in_code("mesh");
}

fn resolution(k: &mut Keys<SolidShape>, lens: Lens<SolidShape, u32>) {
    k.value("resolution", lens).whole(1, MOST_CELLS).says("cells along the longest side of what is filled");
}

fn tetrahedra(body: &Solid) -> Check {
    let count = match &body.shape {
        SolidShape::Box { cells, .. } => {
            cells.map(u64::from).into_iter().fold(limits::TETS_PER_CELL, u64::saturating_mul)
        }
        SolidShape::Tets(mesh) => mesh.tets.len() as u64,
        // Counted where they are read or made.
        SolidShape::File { .. } | SolidShape::Surface { .. } | SolidShape::Filled { .. } => 0,
    };
    if count > limits::TETRAHEDRA {
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            Solid::keys().shape_key(body),
            format_args!("makes {count} tetrahedra; the limit is {}", limits::TETRAHEDRA),
        ));
    }
    Ok(())
}

impl Declared for SolidMaterial {
    fn declare(k: &mut Keys<Self>) {
        k.value("youngs_modulus", at!(youngs_modulus)).positive("Pa").slider(1e3, 1e9).says("E");
        k.value("poisson_ratio", at!(poisson_ratio))
            .within(
                End::At(0.0),
                End::Beyond(0.5),
                "at least 0 and below 0.5; at 0.5 nothing could change its volume (0.49 is rubber)",
            )
            .slider(0.0, 0.49)
            .says("ν");
        k.value("density", at!(density)).positive("kg/m³").slider(10.0, 2e4).says("ρ");
    }
}

impl Declared for SolidStart {
    fn declare(k: &mut Keys<Self>) {
        k.value("stretch", at!(stretch)).finite("").says("factors along the axes: 0 flattens, −1 mirrors");
        k.value("twist", at!(twist))
            .finite("degrees")
            .says("turn about x of one end against the other, growing evenly along x");
        k.choice("scatter", at!(scatter), SCATTER)
            .says("`\"box\"` puts every vertex at a random place within the bounds");
    }
}

impl Declared for SpringPenalty {
    fn declare(k: &mut Keys<Self>) {
        k.value("area", at!(area))
            .not_negative("Pa")
            .says("of the faces' areas, as energy per volume for a change by its own size");
        k.value("volume", at!(volume))
            .not_negative("Pa")
            .default("λ − μ, or 0 if that is negative")
            .says("of the volume likewise");
    }
}

impl Declared for SolidDamping {
    fn declare(k: &mut Keys<Self>) {
        k.value("mass", at!(mass)).not_negative("1/s").says("Rayleigh's, of all motion");
        k.value("stiffness", at!(stiffness)).not_negative("s").says("Rayleigh's, of the rate of strain");
        k.value("point", at!(point)).not_negative("kg/s").says("friction of every vertex with the world");
        k.maybe("spring", at!(spring)).default("none").says("dampers along the edges");
        k.maybe("global", at!(global)).default("none").says("towards the motion of the whole body");
        k.maybe("local", at!(local))
            .default("none")
            .says("in every tetrahedron towards its own motion; not with `\"edges\"`");
        k.checking(|damping| match damping.local.is_some_and(|local| local.torque == Torque::Edges) {
            true => {
                let error = SceneError::value("torque", "is \"edges\", which goes with `global` damping");
                Err(error.inside("local"))
            }
            false => Ok(()),
        });
    }
}

impl Declared for SpringDamping {
    fn declare(k: &mut Keys<Self>) {
        k.value("coefficient", at!(coefficient))
            .not_negative("kg/s")
            .required()
            .says("force per difference of velocity");
        k.value("sweeps", at!(sweeps)).whole(1, limits::DAMPING_SWEEPS).says("how often in a substep");
        k.choice("projected", at!(projected), YES)
            .says("`\"no\"` damps across the edge too, and spin with it");
    }
}

impl Declared for ClusterDamping {
    fn declare(k: &mut Keys<Self>) {
        k.value("rate", at!(rate))
            .unit("1/s")
            .within(End::At(0.0), End::None, "0 or more; `inf` stops everything in one substep")
            .required()
            .says("share of the velocities that is taken away per time");
        k.choice("torque", at!(torque), &Torque::NAMES).says("what spares the spin; `\"lost\"` does not");
    }
}

impl Declared for Load {
    fn declare(k: &mut Keys<Self>) {
        selector(k, at!(selector));
        k.value("force", at!(force))
            .finite("N")
            .required()
            .says("in all, shared like an even traction by the area of surface between the vertices");
    }
}
