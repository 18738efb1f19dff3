//! What is measured. A new capability adds its lines here and, if need be, its builder to [`super::scenes`].

use super::scenes::{
    Regime, bars, bending, block, cloud_on_mesh, cloud_on_shapes, cloud_on_springs, fabric, flag, grid, hung,
    iron, limited, magnets, nets, on_ball, rags, rods, solid, solid_implicit, solid_multigrid, untouched,
};
use super::work::{
    Work, constraints, fill_surface, identify, limit_iterations, magnet_pairs, particles, pins, scan,
    segments, sort, sum, tetrahedra, triangles,
};
use sinew::meshing::Shape as Body;
use sinew::meshing::generate::icosphere;
use sinew::scene::Bending::{Dihedral, Isometric};
use sinew::scene::Integrator::{Implicit, Symplectic};
use sinew::scene::Limiter::{Filter, Impulses};
use sinew::scene::SolidModel::{Corotational, Position, Springs, Strain};
use sinew::scene::SolverKind::{Coloured, Jacobi};
use sinew::scene::{NetMethod, RodMethod};

/// What a row's time is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Constraint,
    Particle,
    Pin,
    Segment,
    Element,
    Triangle,
    Tetrahedron,
    Pair,
}

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Self::Constraint => "constraint",
            Self::Particle => "particle",
            Self::Pin => "pin",
            Self::Segment => "segment",
            Self::Element => "element",
            Self::Triangle => "triangle",
            Self::Tetrahedron => "tet",
            Self::Pair => "pair",
        }
    }
}

/// How a case's size is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Particles along each side of a sheet.
    Square,
    /// Cells along each side of a block.
    Cube,
    /// Particles or elements altogether.
    List,
}

/// The sizes of a case, from small to large, and why these.
#[derive(Debug)]
pub struct Sizes {
    pub shape: Shape,
    pub list: &'static [u32],
    pub why: &'static str,
}

const GRIDS: &Sizes = &Sizes {
    shape: Shape::Square,
    list: &[64, 128, 256, 512],
    why: "from 24 thousand constraints, which fit a core's cache, to 1.6 million, which fit none",
};
const TOUCHING: &Sizes = &Sizes {
    shape: Shape::Square,
    list: &[64, 128],
    why: "sheets of 8 and 32 thousand triangles, of which other programs take 71 to 425 and 533 to 1,459 ms a frame",
};
const SHEETS: &Sizes = &Sizes {
    shape: Shape::Square,
    list: &[64, 256],
    why: "sizes of cloth-grid, to see what the law adds: one fits a core's cache, the other does not",
};
const FABRICS: &Sizes =
    &Sizes { shape: Shape::Square, list: &[46, 91, 182, 363], why: "4, 16, 65 and 262 thousand triangles" };
const BLOCKS: &Sizes = &Sizes {
    shape: Shape::Cube,
    list: &[16, 32],
    why: "24 thousand tetrahedra fit a core's cache, 197 thousand do not",
};
const CLOUDS: &Sizes = &Sizes {
    shape: Shape::List,
    list: &[65_536, 262_144],
    why: "the particles of cloth grids of 256² and 512²",
};
const LISTS: &Sizes = &Sizes {
    shape: Shape::List,
    list: &[65_536, 1_000_000],
    why: "16 workgroups, little more than the cost of a pass, and the million that others quote",
};

const CELLS: &Sizes = &Sizes {
    shape: Shape::Cube,
    list: &[8, 16, 32, 64],
    why: "cells along the longest side: from a body for a game to one for a study",
};
const SAMPLES: &Sizes = &Sizes {
    shape: Shape::Cube,
    list: &[8, 16],
    why: "cells along a side of the cube that is pushed: 2,560 and 20,480 tetrahedra",
};
const ROD: &Sizes = &Sizes {
    shape: Shape::List,
    list: &[50, 100, 1000, 10_000, 100_000],
    why: "segments of one rod, which one thread walks: its time should grow with its length",
};
const RODS: &Sizes =
    &Sizes { shape: Shape::List, list: &[100, 1000], why: "rods of 100 segments: a wig and a head of hair" };

const SOLIDS: &Sizes = &Sizes {
    shape: Shape::Cube,
    list: &[6, 13, 27, 58],
    why: "1, 11, 98 and 976 thousand tetrahedra, five to a cell",
};

const MAGNETS: &Sizes = &Sizes {
    shape: Shape::Cube,
    list: &[8, 16],
    why: "cells along the edges of two cubes: 262 thousand pairs, and 17 million",
};
const IRON: &Sizes = &Sizes {
    shape: Shape::Cube,
    list: &[4, 6, 10],
    why: "cells along the edge of a cube, which all act on each other",
};
const BARS: &Sizes =
    &Sizes { shape: Shape::List, list: &[10_000], why: "magnetised segments in the fields of eight bars" };

/// One substep of one iteration: forces and nothing else.
const ONE: Regime = Regime { substeps: 1, iterations: 1 };
const NETS: &Sizes = &Sizes {
    shape: Shape::Square,
    list: &[8, 19, 40],
    why: "meshes along each side of a climbing net: a coarse one, Spillmann & Teschner's (2009) dense one, and one four times as large",
};

/// Solved at once, a net of 40 × 40 meshes takes 70 ms a substep on a CPU, and a software driver a minute.
const SOLVED_NETS: &Sizes = &Sizes {
    shape: Shape::Square,
    list: &[8, 19, 28],
    why: "meshes along each side of a climbing net, to twice as many as Spillmann & Teschner's dense one has: the work grows with the cube",
};

/// Ten substeps of one iteration: the default of a scene.
const SUBSTEPS: Regime = Regime { substeps: 10, iterations: 1 };
/// One substep of twenty iterations: the multipliers are kept, and the solver is almost all of the time.
const ITERATIONS: Regime = Regime { substeps: 1, iterations: 20 };

/// As many substeps, of a step that explicit rods bear: the work does not depend on its length.
const EXPLICIT: Regime = SUBSTEPS;

pub static CASES: &[Case] = &[
    case("cloth-grid/coloured-10x1", GRIDS, |n| constraints(grid(n, Coloured, SUBSTEPS))),
    case("cloth-grid/coloured-1x20", GRIDS, |n| constraints(grid(n, Coloured, ITERATIONS))),
    case("cloth-grid/jacobi-10x1", GRIDS, |n| constraints(grid(n, Jacobi, SUBSTEPS))),
    case("cloth-grid/jacobi-1x20", GRIDS, |n| constraints(grid(n, Jacobi, ITERATIONS))),
    case("cloth-bending/dihedral-coloured", SHEETS, |n| constraints(bending(n, Dihedral, Coloured))),
    case("cloth-bending/dihedral-jacobi", SHEETS, |n| constraints(bending(n, Dihedral, Jacobi))),
    case("cloth-bending/isometric-coloured", SHEETS, |n| constraints(bending(n, Isometric, Coloured))),
    case("cloth-bending/isometric-jacobi", SHEETS, |n| constraints(bending(n, Isometric, Jacobi))),
    case("contact/without", TOUCHING, |n| triangles(bending(n, Dihedral, Coloured))),
    case("contact/nothing-touches", TOUCHING, |n| triangles(untouched(n))),
    case("contact/sheet-on-a-ball", TOUCHING, |n| triangles(on_ball(n))),
    case("cloth-fabric/symplectic", FABRICS, |n| triangles(fabric(n, Symplectic))),
    case("cloth-fabric/implicit", FABRICS, |n| triangles(fabric(n, Implicit))),
    case("cloth-fabric/multigrid", FABRICS, |n| triangles(hung(n))),
    case("cloth-limits/impulses-coloured", FABRICS, |n| limit_iterations(limited(n, Impulses, Coloured))),
    case("cloth-limits/impulses-jacobi", FABRICS, |n| limit_iterations(limited(n, Impulses, Jacobi))),
    case("cloth-limits/filter-coloured", FABRICS, |n| limit_iterations(limited(n, Filter, Coloured))),
    case("cloth-limits/filter-jacobi", FABRICS, |n| limit_iterations(limited(n, Filter, Jacobi))),
    case("volume/coloured", BLOCKS, |n| constraints(block(n, Coloured))),
    case("volume/jacobi", BLOCKS, |n| constraints(block(n, Jacobi))),
    case("solid/forces", SOLIDS, |n| tetrahedra(solid(n, Corotational, Coloured, ONE))),
    case("solid/springs", SOLIDS, |n| tetrahedra(solid(n, Springs, Coloured, ONE))),
    case("solid/implicit", SOLIDS, |n| tetrahedra(solid_implicit(n))),
    case("solid/multigrid", SOLIDS, |n| tetrahedra(solid_multigrid(n))),
    case("solid/xpbd-coloured-1x20", SOLIDS, |n| tetrahedra(solid(n, Position, Coloured, ITERATIONS))),
    case("solid/xpbd-jacobi-1x20", SOLIDS, |n| tetrahedra(solid(n, Position, Jacobi, ITERATIONS))),
    case("solid/strain-coloured-1x20", SOLIDS, |n| tetrahedra(solid(n, Strain, Coloured, ITERATIONS))),
    case("rod/direct", ROD, |n| segments(rods(1, n, RodMethod::Direct, SUBSTEPS))),
    case("rod/coloured", ROD, |n| segments(rods(1, n, RodMethod::Coloured, SUBSTEPS))),
    case("rod/jacobi", ROD, |n| segments(rods(1, n, RodMethod::Jacobi, SUBSTEPS))),
    case("rod/corde", ROD, |n| segments(rods(1, n, RodMethod::Corde, EXPLICIT))),
    case("rods-of-100/direct", RODS, |n| segments(rods(n, 100, RodMethod::Direct, SUBSTEPS))),
    case("rods-of-100/coloured", RODS, |n| segments(rods(n, 100, RodMethod::Coloured, SUBSTEPS))),
    case("rods-of-100/coloured-1x20", RODS, |n| segments(rods(n, 100, RodMethod::Coloured, ITERATIONS))),
    case("rods-of-100/jacobi", RODS, |n| segments(rods(n, 100, RodMethod::Jacobi, SUBSTEPS))),
    case("rods-of-100/corde", RODS, |n| segments(rods(n, 100, RodMethod::Corde, EXPLICIT))),
    case("net/direct", SOLVED_NETS, |n| segments(nets(n, NetMethod::Direct))),
    case("net/coloured", NETS, |n| segments(nets(n, NetMethod::Coloured))),
    case("net/jacobi", NETS, |n| segments(nets(n, NetMethod::Jacobi))),
    case("net/corde", NETS, |n| segments(nets(n, NetMethod::Corde))),
    case("magnets/pairs", MAGNETS, |n| magnet_pairs(magnets(n))),
    case("magnets/bars", BARS, |n| magnet_pairs(bars(n))),
    case("magnets/induced", IRON, |n| magnet_pairs(iron(n))),
    case("wind/flag", SHEETS, |n| particles(flag(n))),
    case("colliders/shapes", CLOUDS, |n| particles(cloud_on_shapes(n))),
    case("colliders/mesh", CLOUDS, |n| particles(cloud_on_mesh(n))),
    case("pins/springs", CLOUDS, |n| pins(cloud_on_springs(n))),
    case("meshing/ball", CELLS, |n| fill_surface(icosphere(0.5, 5), n)),
    case("meshing/rabbit", CELLS, |n| fill_surface(Body::Rabbit { height: 1.0 }.surface(32), n)),
    case("meshing/soup", CELLS, |n| fill_surface(rags(), n)),
    case("identify/pushed", SAMPLES, identify),
    case("primitives/sum", LISTS, sum),
    case("primitives/scan", LISTS, scan),
    case("primitives/sort", LISTS, sort),
];

/// One line of the bench: the same work at several sizes.
#[derive(Debug)]
pub struct Case {
    /// `group/variant`.
    pub name: &'static str,
    pub sizes: &'static Sizes,
    pub build: fn(u32) -> anyhow::Result<Work>,
}

const fn case(name: &'static str, sizes: &'static Sizes, build: fn(u32) -> anyhow::Result<Work>) -> Case {
    Case { name, sizes, build }
}

impl Case {
    /// The part of the name before the slash.
    pub fn group(&self) -> &'static str {
        self.name.split_once('/').map_or(self.name, |(group, _)| group)
    }

    /// What `--filter` looks at.
    pub fn row_name(&self, size: u32) -> String {
        format!("{}/{size}", self.name)
    }

    /// The size as a reader would write it.
    pub fn size_label(&self, size: u32) -> String {
        match self.sizes.shape {
            Shape::Square => format!("{size}²"),
            Shape::Cube => format!("{size}³"),
            Shape::List => size.to_string(),
        }
    }
}
