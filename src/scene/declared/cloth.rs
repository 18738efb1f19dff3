//! The keys of sheets.

use super::super::keys::{Check, Declared, End, Keys, Variants, of};
use super::super::{Bending, Cloth, ClothModel, ClothShape, SceneError, SceneErrorKind, TetheredTo, Tethers};
use super::fabric;
use super::pin::pins;
use super::{colour, friction, name, placement};
use crate::at;

const MODELS: &[(&str, ClothModel)] =
    &[("net", ClothModel::Net), ("green", ClothModel::Green), ("corotational", ClothModel::Corotational)];
const BENDING: &[(&str, Bending)] = &[
    ("isometric", Bending::Isometric),
    ("dihedral", Bending::Dihedral),
    ("distance", Bending::Distance),
    ("none", Bending::None),
];
const TETHERED_TO: &[(&str, TetheredTo)] = &[("nearest", TetheredTo::Nearest), ("every", TetheredTo::Every)];
/// Two corners of a right triangle that approach each other by this part of its short sides leave it a height.
const MOST_IRREGULAR: f64 = 0.3;

impl Declared for Cloth {
    fn declare(k: &mut Keys<Self>) {
        k.base(base);
        name(k, at!(name));
        k.one_of(at!(shape), shapes);
        placement(k, [at!(position), at!(rotation), at!(velocity), at!(spin)], at!(scale));
        k.choice("model", at!(model), MODELS)
            .says("`\"net\"`: a net of distance links; `\"green\"`: finite elements with a `fabric`, see below; `\"corotational\"`: the same with a law linear in the stretch, to compare with");
        k.reading(fabric::of_model);
        k.short_table("fabric", at!(fabric), "preset")
            .default("the defaults below")
            .says("what a sheet of triangles is made of: a preset, or a table of numbers");
        k.reading(fabric::preset);
        k.value("density", at!(density)).positive("kg/m²").slider(0.02, 2.0).says("mass per area");
        k.value("thickness", at!(thickness)).not_negative("m").says("distance that contacts keep");
        k.value("irregular", at!(irregular))
            .within(End::At(0.0), End::At(MOST_IRREGULAR), "from 0 to 0.3, so that no triangle turns over")
            .says("of a `grid` or `disc`: inner particles are moved at rest by up to this part of their shortest edge, so that the triangles favour no direction");
        k.checking(irregular);
        colour(k, at!(colour), "from a palette");
        k.value("stretch_stiffness", at!(stretch_stiffness))
            .stiffness("N/m")
            .slider(1.0, 1e5)
            .says("membrane stiffness in tension; `inf` is inextensible, 0 is none");
        k.value("compression_stiffness", at!(compression_stiffness))
            .stiffness("N/m")
            .default("`stretch_stiffness`")
            .says("membrane stiffness in compression");
        k.value("shear_stiffness", at!(shear_stiffness))
            .stiffness("N/m")
            .slider(0.1, 1e4)
            .says("membrane stiffness in shear");
        k.value("area_stiffness", at!(area_stiffness))
            .stiffness("N/m")
            .says("k of the energy k (A − A₀)² / (2 A₀) of each triangle; 0 is off");
        k.choice("bending", at!(bending), BENDING)
            .panel()
            .says("`\"dihedral\"`: the angle between triangles; `\"isometric\"`: quadratic in the curvature, for sheets that stretch little; `\"distance\"`: links across two cells or triangles; `\"none\"`");
        k.value("bending_stiffness", at!(bending_stiffness))
            .not_negative("N·m")
            .slider(1e-7, 1.0)
            .says("resistance to bending; for `bending = \"distance\"` in N/m");
        k.value("pattern", at!(pattern))
            .positive("m")
            .default("none")
            .says("of a `mesh` with a `fabric`: metres per unit of its texture coordinates, which are then the sewing pattern");
        k.checking(fabric::law);
        k.maybe("tethers", at!(tethers))
            .default("none")
            .says("no particle gets further from a pin than the sheet at rest allows; needs a pin");
        k.checking(|cloth| match cloth.tethers.is_some() && cloth.pin.is_empty() {
            true => Err(SceneError::at(
                SceneErrorKind::Reference,
                "tethers",
                "lead to the pins, but there are none; add `[[cloth.pin]]`",
            )),
            false => Ok(()),
        });
        k.value("coarse_links", at!(coarse_links))
            .says("of a `grid`: before its links are solved, threads of coarser and coarser nets pull it together where they are too long; a fine sheet then keeps its length in a few substeps");
        k.checking(|cloth| match cloth.coarse_links && !matches!(cloth.shape, ClothShape::Grid { .. }) {
            true => Err(SceneError::value(
                "coarse_links",
                "goes with `grid`, whose threads it follows; leave it out and take more substeps, or `tethers`",
            )),
            false => Ok(()),
        });
        k.value("drag", at!(drag))
            .not_negative("")
            .slider(0.0, 3.0)
            .says("aerodynamic drag coefficient in the `[wind]`");
        k.value("lift", at!(lift))
            .not_negative("")
            .slider(0.0, 1.5)
            .says("aerodynamic lift coefficient in the `[wind]`");
        friction(k, at!(friction));
        pins(k, at!(pin));
    }
}

/// The default, with the keys of the other model as they are: those are not written.
fn base(cloth: &Cloth) -> Cloth {
    let plain = Cloth { fabric: cloth.fabric, pattern: cloth.pattern, ..Cloth::default() };
    match cloth.model {
        ClothModel::Net => plain,
        ClothModel::Green | ClothModel::Corotational => Cloth {
            stretch_stiffness: cloth.stretch_stiffness,
            compression_stiffness: cloth.compression_stiffness,
            shear_stiffness: cloth.shear_stiffness,
            area_stiffness: cloth.area_stiffness,
            ..Cloth::default()
        },
    }
}

fn shapes(v: &mut Variants<ClothShape>) {
    let doc = "a rectangle in the local xy-plane around the origin, weft along x, warp along y; particle `j * (cells_x + 1) + i`, from the bottom left; diagonals alternate";
    v.table("grid", doc, ClothShape::default, |k| {
        k.value("size", of!(ClothShape::Grid, size)).positive("m").required().says("extent along x and y");
        k.value("cells", of!(ClothShape::Grid, cells))
            .whole(1, u32::MAX)
            .because("a grid needs at least one cell each way")
            .required()
            .says("cells along x and y; one more particle each way");
    });
    let doc = "a disc in the local xy-plane; particle 0 in the middle, then ring k of 6 k particles";
    v.table(
        "disc",
        doc,
        || ClothShape::Disc { radius: 0.5, rings: 20 },
        |k| {
            k.value("radius", of!(ClothShape::Disc, radius)).positive("m").required().says("of the rim");
            k.value("rings", of!(ClothShape::Disc, rings))
                .whole(1, u32::MAX)
                .required()
                .says("rings of particles");
        },
    );
    let doc = "two equal rectangles in the local xy-plane, one on the other, that share their edges: a bag to be filled; the particles of the upper sheet, as those of a `grid`, come first";
    let start = || ClothShape::Cushion { size: [1.0; 2], cells: [16; 2] };
    v.table("cushion", doc, start, |k| {
        k.value("size", of!(ClothShape::Cushion, size)).positive("m").required().says("extent along x and y");
        k.value("cells", of!(ClothShape::Cushion, cells))
            .whole(2, u32::MAX)
            .because("the two sheets share their edges and need something between them")
            .required()
            .says("cells along x and y of either sheet");
    });
    let doc = "a closed sphere around the local origin: a balloon";
    let start = || ClothShape::Sphere { radius: 0.5, level: 3 };
    v.table("sphere", doc, start, |k| {
        k.value("radius", of!(ClothShape::Sphere, radius)).positive("m").required().says("of the sphere");
        k.value("level", of!(ClothShape::Sphere, level))
            .whole(0, 8)
            .says("how often each of the 20 triangles is cut into four");
    });
    let doc = "a mesh file, see below; particles are numbered as in the file";
    v.table(
        "mesh",
        doc,
        || ClothShape::Mesh { file: Default::default(), scale: 1.0 },
        |k| {
            k.value("file", of!(ClothShape::Mesh, file)).required().says("relative to the scene file");
            k.value("scale", of!(ClothShape::Mesh, scale))
                .positive("")
                .says("size factor of the file's units");
        },
    )
    .short("file");
    v.in_code("mesh");
}

fn irregular(body: &Cloth) -> Check {
    if body.irregular > 0.0 && !matches!(body.shape, ClothShape::Grid { .. } | ClothShape::Disc { .. }) {
        let message = "is for `grid` and `disc`; a mesh has the triangles of its file";
        return Err(SceneError::value("irregular", message));
    }
    Ok(())
}

impl Declared for Tethers {
    fn declare(k: &mut Keys<Self>) {
        k.value("slack", at!(slack))
            .within(End::At(1.0), End::Beyond(f64::INFINITY), "at least 1 (the sheet's own length)")
            .says("largest distance over that along the sheet at rest");
        k.choice("to", at!(to), TETHERED_TO)
            .says("`\"nearest\"`: the nearest pinned particle; `\"every\"`: the nearest of every group of pinned particles that hang together, so that a sheet between two corners cannot sag too far either");
    }
}
