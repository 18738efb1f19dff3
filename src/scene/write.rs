//! From a [`Scene`] back to TOML. What has its default value is left out.

mod nets;
mod rods;
mod solids;
mod text;

use super::{
    Bending, Camera, Cloth, ClothModel, ClothShape, Collider, ColliderShape, ColourBy, Corner, Edge, Expect,
    FORMAT, Fabric, Integrator, Keyframe, Limiter, Masses, NetShape, ParticleReference, Pin, Points,
    PointsShape, Range, Render, RodShape, Scene, SceneError, SceneErrorKind, Selector, SolidShape,
    SolverKind, StrainLimiting, Theme,
};
use glam::DVec3;
use std::path::PathBuf;
use text::{Text, array, inline, list, path, quoted, real, tuples, vector};

type Result<T> = std::result::Result<T, SceneError>;

impl Scene {
    /// The text of a scene file that reads back as this scene.
    ///
    /// Names that were made up for unnamed bodies are written. Meshes made in code have no file and are refused.
    pub fn to_toml(&self) -> Result<String> {
        self.to_text(Text::default())
    }

    /// The same with the numbers that have their default values, for those who want to see them all.
    pub fn to_whole_toml(&self) -> Result<String> {
        self.to_text(Text { whole: true, ..Text::default() })
    }

    fn to_text(&self, mut text: Text) -> Result<String> {
        let plain = Self::default();
        text.line("format", FORMAT);
        text.differs("title", quoted(&self.title), self.title.is_empty());
        text.differs("gravity", vector(self.gravity), self.gravity == plain.gravity);
        text.number("time_step", self.time_step, plain.time_step);
        text.differs("substeps", self.substeps, self.substeps == plain.substeps);
        text.differs("raise_substeps", self.raise_substeps, !self.raise_substeps);
        text.differs("frame_substeps", self.frame_substeps, self.frame_substeps == plain.frame_substeps);
        text.differs("iterations", self.iterations, self.iterations == plain.iterations);
        text.differs("solver", "\"jacobi\"", self.solver == SolverKind::Coloured);
        let integrator = match self.integrator {
            Integrator::Symplectic => "symplectic",
            Integrator::Forward => "forward",
            Integrator::Implicit => "implicit",
            Integrator::Midpoint => "midpoint",
            Integrator::Static => "static",
        };
        text.differs("integrator", quoted(integrator), self.integrator == plain.integrator);
        let (gradients, limiting) = (self.conjugate_gradients, self.strain_limiting);
        text.differs(
            "conjugate_gradients",
            stop(gradients.iterations, gradients.tolerance),
            gradients == plain.conjugate_gradients,
        );
        text.differs("strain_limiting", strain_limiting(&limiting), limiting == plain.strain_limiting);
        text.number("relaxation", self.relaxation, plain.relaxation);
        text.number("chebyshev", self.chebyshev, plain.chebyshev);
        text.number("damping", self.damping, plain.damping);
        text.number("duration", self.duration, plain.duration);
        text.differs("seed", self.seed, self.seed == plain.seed);
        if let Some(file) = &self.start_from {
            text.line("start_from", path(file)?);
        }
        if let Some(wind) = &self.wind {
            text.table("[wind]");
            text.line("velocity", vector(wind.velocity));
            text.line("density", real(wind.density));
            if let Some(gust) = wind.gust {
                let (amplitude, period) = (real(gust.amplitude), real(gust.period));
                text.line("gust", format!("{{ amplitude = {amplitude}, period = {period} }}"));
            }
        }
        camera(&mut text, &self.camera);
        render(&mut text, &self.render);
        for body in &self.cloth {
            cloth(&mut text, body)?;
        }
        for body in &self.points {
            points(&mut text, body);
        }
        for body in &self.rod {
            rods::rod(&mut text, body)?;
        }
        for body in &self.net {
            nets::net(&mut text, body)?;
        }
        for body in &self.solid {
            solids::solid(&mut text, body)?;
        }
        for body in &self.collider {
            collider(&mut text, body)?;
        }
        if let Some(expected) = &self.expect {
            expect(&mut text, expected);
        }
        Ok(text.lines)
    }

    /// The same scene with meshes named by their full paths, so that its file may lie anywhere.
    pub fn with_full_paths(&self) -> Self {
        let full = |file: &mut PathBuf| {
            if let Ok(absolute) = std::path::absolute(&*file) {
                *file = absolute;
            }
        };
        let mut scene = self.clone();
        scene.start_from.iter_mut().for_each(full);
        for cloth in &mut scene.cloth {
            if let ClothShape::Mesh { file, .. } = &mut cloth.shape {
                full(file);
            }
        }
        for rod in &mut scene.rod {
            if let RodShape::File { file, .. } = &mut rod.shape {
                full(file);
            }
        }
        for net in &mut scene.net {
            if let NetShape::File { file, .. } = &mut net.shape {
                full(file);
            }
        }
        for collider in &mut scene.collider {
            if let ColliderShape::Mesh { file, .. } = &mut collider.shape {
                full(file);
            }
        }
        for solid in &mut scene.solid {
            if let SolidShape::File { file } | SolidShape::Surface { file, .. } = &mut solid.shape {
                full(file);
            }
        }
        scene
    }
}

fn camera(text: &mut Text, camera: &Camera) {
    let plain = Camera::default();
    if *camera == plain {
        return;
    }
    text.table("[camera]");
    for (key, value) in [("eye", camera.eye), ("target", camera.target)] {
        if let Some(value) = value {
            text.line(key, vector(value));
        }
    }
    text.vector("up", camera.up, plain.up);
    text.number("field_of_view", camera.field_of_view, plain.field_of_view);
    text.number("orbit", camera.orbit, plain.orbit);
}

fn render(text: &mut Text, render: &Render) {
    let plain = Render::default();
    if *render == plain {
        return;
    }
    text.table("[render]");
    text.differs("size", format!("{:?}", render.size), render.size == plain.size);
    text.number("frames_per_second", render.frames_per_second, plain.frames_per_second);
    match render.colour {
        ColourBy::Body => {}
        ColourBy::Velocity => text.line("colour", "\"velocity\""),
        ColourBy::Strain => text.line("colour", "\"strain\""),
        ColourBy::Stretch => text.line("colour", "\"stretch\""),
        ColourBy::Bend => text.line("colour", "\"bend\""),
        ColourBy::Twist => text.line("colour", "\"twist\""),
        ColourBy::Weft => text.line("colour", "\"weft\""),
        ColourBy::Warp => text.line("colour", "\"warp\""),
        ColourBy::Shear => text.line("colour", "\"shear\""),
        ColourBy::Stress => text.line("colour", "\"stress\""),
        ColourBy::Energy => text.line("colour", "\"energy\""),
        ColourBy::Error => text.line("colour", "\"error\""),
        ColourBy::Frame => text.line("colour", "\"frame\""),
    }
    if let Some(range) = render.range {
        text.line("range", list(&range));
    }
    match render.ground {
        Some(height) => text.differs("ground", real(height), render.ground == plain.ground),
        None => text.line("ground", false),
    }
    text.differs("theme", "\"dark\"", render.theme == Theme::Light);
}

fn cloth(text: &mut Text, cloth: &Cloth) -> Result<()> {
    let plain = Cloth::default();
    text.table("[[cloth]]");
    text.differs("name", quoted(&cloth.name), cloth.name.is_empty());
    match &cloth.shape {
        ClothShape::Grid { size, cells } => {
            text.line("grid", format!("{{ size = {}, cells = {cells:?} }}", list(size)));
        }
        ClothShape::Disc { radius, rings } => {
            text.line("disc", format!("{{ radius = {}, rings = {rings} }}", real(*radius)));
        }
        ClothShape::Mesh { file, scale } => {
            text.line("mesh", format!("{{ file = {}, scale = {} }}", path(file)?, real(*scale)));
        }
        ClothShape::Triangles(_) => return Err(in_code(&cloth.name)),
    }
    text.vector("position", cloth.position, plain.position);
    text.vector("rotation", cloth.rotation, plain.rotation);
    text.number("scale", cloth.scale, plain.scale);
    text.vector("velocity", cloth.velocity, plain.velocity);
    text.number("density", cloth.density, plain.density);
    text.number("thickness", cloth.thickness, plain.thickness);
    text.number("irregular", cloth.irregular, plain.irregular);
    colour(text, cloth.colour);
    match cloth.model {
        ClothModel::Net => net(text, cloth),
        ClothModel::Green | ClothModel::Corotational => {
            let is_green = cloth.model == ClothModel::Green;
            text.line("model", quoted(if is_green { "green" } else { "corotational" }));
            text.line("fabric", fabric(&cloth.fabric));
            if let Some(unit) = cloth.pattern {
                text.line("pattern", real(unit));
            }
        }
    }
    let law = match cloth.bending {
        Bending::Isometric => "isometric",
        Bending::Dihedral => "dihedral",
        Bending::Distance => "distance",
        Bending::None => "none",
    };
    text.differs("bending", quoted(law), cloth.bending == plain.bending);
    text.number("bending_stiffness", cloth.bending_stiffness, plain.bending_stiffness);
    text.number("drag", cloth.drag, plain.drag);
    text.number("lift", cloth.lift, plain.lift);
    text.number("friction", cloth.friction, plain.friction);
    pins(text, "[[cloth.pin]]", &cloth.pin);
    Ok(())
}

/// What only a net of links has.
fn net(text: &mut Text, cloth: &Cloth) {
    let plain = Cloth::default();
    text.number("stretch_stiffness", cloth.stretch_stiffness, plain.stretch_stiffness);
    if let Some(stiffness) = cloth.compression_stiffness {
        text.line("compression_stiffness", real(stiffness));
    }
    text.number("shear_stiffness", cloth.shear_stiffness, plain.shear_stiffness);
    text.number("area_stiffness", cloth.area_stiffness, plain.area_stiffness);
    if let Some(tethers) = cloth.tethers {
        text.line("tethers", format!("{{ slack = {} }}", real(tethers.slack)));
    }
}

fn fabric(fabric: &Fabric) -> String {
    let numbers = [
        ("weft_modulus", fabric.weft_modulus),
        ("warp_modulus", fabric.warp_modulus),
        ("shear_modulus", fabric.shear_modulus),
        ("poisson_ratio", fabric.poisson_ratio),
        ("dilation_viscosity", fabric.dilation_viscosity),
        ("shear_viscosity", fabric.shear_viscosity),
        ("bending_damping", fabric.bending_damping),
    ];
    let limits = &fabric.limits;
    let (weft, warp, shear) = (list(&limits.weft), list(&limits.warp), real(limits.shear));
    let limits = ("limits", format!("{{ weft = {weft}, warp = {warp}, shear = {shear} }}"));
    inline(numbers.into_iter().map(|(key, value)| (key, real(value))).chain([limits]))
}

/// When an iteration stops.
fn stop(iterations: u32, tolerance: f64) -> String {
    inline([("iterations", iterations.to_string()), ("tolerance", real(tolerance))])
}

fn strain_limiting(limiting: &StrainLimiting) -> String {
    let method = match limiting.method {
        Limiter::Impulses => "impulses",
        Limiter::Filter => "filter",
        Limiter::Edges => "edges",
    };
    inline([
        ("method", quoted(method)),
        ("iterations", limiting.iterations.to_string()),
        ("tolerance", real(limiting.tolerance)),
        ("visit", quoted(if limiting.active_set { "active" } else { "all" })),
        ("rate", real(limiting.rate)),
    ])
}

fn points(text: &mut Text, points: &Points) {
    let plain = Points::default();
    text.table("[[points]]");
    text.differs("name", quoted(&points.name), points.name.is_empty());
    match &points.shape {
        PointsShape::Chain { from, to, links, mass } => {
            let (from, to, mass) = (vector(*from), vector(*to), real(*mass));
            text.line("chain", format!("{{ from = {from}, to = {to}, links = {links}, mass = {mass} }}"));
        }
        PointsShape::List { points, masses, links, triangles, tetrahedra } => {
            text.line("points", array(points.iter().map(|x| vector(*x))));
            match masses {
                Masses::Each(mass) => text.line("mass", real(*mass)),
                Masses::List(masses) => text.line("masses", list(masses)),
            }
            text.differs("links", tuples(links), links.is_empty());
            text.differs("triangles", tuples(triangles), triangles.is_empty());
            text.differs("tetrahedra", tuples(tetrahedra), tetrahedra.is_empty());
        }
    }
    text.vector("position", points.position, plain.position);
    text.vector("rotation", points.rotation, plain.rotation);
    text.number("scale", points.scale, plain.scale);
    text.vector("velocity", points.velocity, plain.velocity);
    colour(text, points.colour);
    text.number("radius", points.radius, plain.radius);
    text.number("compliance", points.compliance, plain.compliance);
    if let Some(compliance) = points.compression_compliance {
        text.line("compression_compliance", real(compliance));
    }
    text.number("area_compliance", points.area_compliance, plain.area_compliance);
    text.number("volume_compliance", points.volume_compliance, plain.volume_compliance);
    text.number("friction", points.friction, plain.friction);
    pins(text, "[[points.pin]]", &points.pin);
}

fn selector(text: &mut Text, selector: &Selector) {
    match selector {
        Selector::Corners(corners) => {
            let name = |corner: &Corner| match corner {
                Corner::TopLeft => "\"top_left\"".to_owned(),
                Corner::TopRight => "\"top_right\"".to_owned(),
                Corner::BottomLeft => "\"bottom_left\"".to_owned(),
                Corner::BottomRight => "\"bottom_right\"".to_owned(),
            };
            text.line("corners", array(corners.iter().map(name)));
        }
        Selector::Edge(edge) => {
            let name = match edge {
                Edge::Top => "top",
                Edge::Bottom => "bottom",
                Edge::Left => "left",
                Edge::Right => "right",
                Edge::Rim => "rim",
            };
            text.line("edge", quoted(name));
        }
        Selector::Indices(indices) => text.line("indices", format!("{indices:?}")),
        Selector::Box { min, max } => {
            text.line("box", format!("{{ min = {}, max = {} }}", vector(*min), vector(*max)));
        }
        Selector::Group(name) => text.line("group", quoted(name)),
        Selector::Nearest(point) => text.line("nearest", vector(*point)),
    }
}

fn pins(text: &mut Text, header: &str, pins: &[Pin]) {
    for pin in pins {
        text.table(header);
        selector(text, &pin.selector);
        text.differs("except", format!("{:?}", pin.except), pin.except.is_empty());
        text.number("compliance", pin.compliance, 0.0);
        motion(text, &pin.motion);
        if let Some(pivot) = pin.pivot {
            text.line("pivot", vector(pivot));
        }
        if let Some(release) = pin.release {
            text.line("release", real(release));
        }
    }
}

fn motion(text: &mut Text, keyframes: &[Keyframe]) {
    text.differs("motion", track(keyframes), keyframes.is_empty());
}

fn track(keyframes: &[Keyframe]) -> String {
    let keyframe = |k: &Keyframe| {
        let (offset, rotation) = (vector(k.offset), vector(k.rotation));
        format!("\n    {{ time = {}, offset = {offset}, rotation = {rotation} }}", real(k.time))
    };
    array(keyframes.iter().map(keyframe))
}

fn collider(text: &mut Text, collider: &Collider) -> Result<()> {
    let plain = Collider::default();
    text.table("[[collider]]");
    text.differs("name", quoted(&collider.name), collider.name.is_empty());
    match &collider.shape {
        ColliderShape::Plane { normal, offset } => {
            text.line("plane", format!("{{ normal = {}, offset = {} }}", vector(*normal), real(*offset)));
        }
        ColliderShape::Sphere { radius } => text.line("sphere", format!("{{ radius = {} }}", real(*radius))),
        ColliderShape::Box { size } => text.line("box", format!("{{ size = {} }}", vector(*size))),
        ColliderShape::Capsule { radius, length } => {
            text.line("capsule", format!("{{ radius = {}, length = {} }}", real(*radius), real(*length)));
        }
        ColliderShape::Mesh { file, scale, resolution } => {
            let (file, scale) = (path(file)?, real(*scale));
            text.line("mesh", format!("{{ file = {file}, scale = {scale}, resolution = {resolution} }}"));
        }
        ColliderShape::Triangles { .. } => return Err(in_code(&collider.name)),
    }
    text.vector("position", collider.position, plain.position);
    text.vector("rotation", collider.rotation, plain.rotation);
    text.number("friction", collider.friction, plain.friction);
    colour(text, collider.colour);
    motion(text, &collider.motion);
    if let Some(pivot) = collider.pivot {
        text.line("pivot", vector(pivot));
    }
    Ok(())
}

fn expect(text: &mut Text, expect: &Expect) {
    text.table("[expect]");
    let numbers = [
        ("at", expect.at),
        ("max_stretch", expect.max_stretch),
        ("max_speed", expect.max_speed),
        ("max_violation", expect.max_violation),
        ("max_inverted", expect.max_inverted),
    ];
    for (key, value) in numbers {
        if let Some(value) = value {
            text.line(key, real(value));
        }
    }
    let ranges = [
        ("energy", expect.energy),
        ("kinetic_energy", expect.kinetic_energy),
        ("lowest", expect.lowest),
        ("highest", expect.highest),
    ];
    for (key, Range { min, max }) in ranges {
        let ends = format!("{{ min = {}, max = {} }}", real(min), real(max));
        text.differs(key, ends, Range { min, max } == Range::ALL);
    }
    for particle in &expect.particle {
        text.table("[[expect.particle]]");
        text.line("body", quoted(&particle.body));
        match particle.particle {
            ParticleReference::Index(index) => text.line("index", index),
            ParticleReference::Nearest(point) => text.line("nearest", vector(point)),
        }
        text.differs("min", vector(particle.min), particle.min == DVec3::NEG_INFINITY);
        text.differs("max", vector(particle.max), particle.max == DVec3::INFINITY);
    }
}

fn colour(text: &mut Text, colour: Option<[f64; 3]>) {
    if let Some(colour) = colour {
        text.line("colour", list(&colour));
    }
}

fn in_code(name: &str) -> SceneError {
    let message = format!("`{name}` has a mesh made in code; write it to a file first");
    SceneError::new(SceneErrorKind::Mesh, message)
}
