//! What joins particles: the elements of each constraint family, before they are sorted for a solver.

/// Compliances of a distance link in tension and compression per shape factor [m/N]; negative: slack.
pub type LinkMaterial = [f64; 2];

/// A link that offers no resistance in one direction.
pub const SLACK: f64 = -1.0;

/// A distance link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub ends: [u32; 2],
    /// L [m].
    pub rest_length: f64,
    /// Compliance per material compliance: length² over the area of sheet that the link stands for.
    pub factor: f64,
    pub material: u32,
    /// The coloured solver takes a body's links of one rank after those of lower ones.
    pub rank: u32,
}

impl Link {
    /// Its length at rest [m] and its compliance stretched and compressed [m/N].
    pub fn rest(&self, materials: &[LinkMaterial]) -> [f64; 3] {
        let [stretched, compressed] = materials[self.material as usize].map(|alpha| alpha * self.factor);
        [self.rest_length, stretched, compressed]
    }
}

/// A dihedral hinge: two opposite vertices, then the shared edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    pub particles: [u32; 4],
    /// θ₀ [rad].
    pub rest_angle: f64,
    /// [rad/(N m)].
    pub compliance: f64,
}

/// A hinge of quadratic bending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IsometricHinge {
    pub particles: [u32; 4],
    pub weights: [f64; 4],
    /// [m/N].
    pub compliance: f64,
}

/// A triangle that keeps its area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub particles: [u32; 3],
    /// A₀ [m²].
    pub rest_area: f64,
    /// [m³/N].
    pub compliance: f64,
}

/// A tetrahedron that keeps its volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    pub particles: [u32; 4],
    /// V₀ [m³].
    pub rest_volume: f64,
    /// [m⁵/N].
    pub compliance: f64,
}

/// A particle held at a point that may move and let go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    pub particle: u32,
    /// Where it is held at the start [m].
    pub anchor: glam::DVec3,
    /// The mass it gets back on release.
    pub inverse_mass: f64,
    /// Index of its track, if it moves.
    pub track: Option<u32>,
    /// When it lets go [s]; infinite: never.
    pub release: f64,
    /// 0 holds rigidly [m/N].
    pub compliance: f64,
    /// Axes along which it holds: 1 for x, 2 for y, 4 for z.
    pub axes: u32,
}

/// All axes.
const ALL_AXES: u32 = 7;

impl Pin {
    /// 1 for the axes along which it holds, 0 for the others.
    pub fn held_axes(&self) -> glam::DVec3 {
        glam::DVec3::from_array([0, 1, 2].map(|axis| f64::from(self.axes >> axis & 1)))
    }

    pub fn is_rigid(&self) -> bool {
        self.compliance == 0.0 && self.axes == ALL_AXES
    }
}

/// A triangle of a finite-element sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Membrane {
    pub particles: [u32; 3],
    /// D⁻¹, D the edges at rest in material axes, weft first [1/m].
    pub inverse_rest: glam::DMat2,
    /// Index of [`super::Model::fabrics`].
    pub fabric: u32,
}

/// A hinge of a finite-element sheet: two opposite vertices, then the shared edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    pub particles: [u32; 4],
    /// c: twice the moment per angle when flat [N m].
    pub stiffness: f64,
    /// θ₀ [rad].
    pub rest_angle: f64,
    /// [N m s].
    pub damping: f64,
}

/// A tetrahedron of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tet {
    pub particles: [u32; 4],
    /// Rows of the inverse rest shape: the gradients of the barycentric coordinates of corners 1, 2 and 3 [1/m].
    pub gradients: [glam::DVec3; 3],
    /// V [m³].
    pub rest_volume: f64,
    /// Index of [`super::Model::solid_materials`].
    pub material: u32,
    /// Its place among the body's tetrahedra, as the user counts them.
    pub number: u32,
}

/// All elements of one body, by the model's particle numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elements {
    pub links: Vec<Link>,
    pub hinges: Vec<Hinge>,
    pub isometric: Vec<IsometricHinge>,
    pub areas: Vec<Area>,
    pub volumes: Vec<Volume>,
    pub membranes: Vec<Membrane>,
    pub folds: Vec<Fold>,
    /// Tetrahedra, all of one law.
    pub tets: Vec<Tet>,
}

impl Elements {
    /// Constraints; membranes and folds are forces, and tetrahedra are as their law says.
    pub fn count(&self) -> usize {
        self.links.len() + self.hinges.len() + self.isometric.len() + self.areas.len() + self.volumes.len()
    }

    /// Puts elements in the order of their particles, so that neighbours in memory are neighbours in space.
    pub fn sort(&mut self) {
        self.links.sort_by_key(|e| e.ends);
        self.hinges.sort_by_key(|e| e.particles);
        self.isometric.sort_by_key(|e| e.particles);
        self.areas.sort_by_key(|e| e.particles);
        self.volumes.sort_by_key(|e| e.particles);
        self.membranes.sort_by_key(|e| e.particles);
        self.folds.sort_by_key(|e| e.particles);
        self.tets.sort_by_key(|e| e.particles);
    }
}
