//! Shape matching: clusters of particles that keep their shapes.

/// How a body is held together by clusters of its particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clusters {
    /// How a cluster may deform.
    pub mode: ClusterMode,
    /// Particles within this distance of a cluster's centre are its members [m]; one cluster of all of them if not given.
    pub radius: Option<f64>,
    /// Distance between the centres of clusters [m]; by default half the radius.
    pub spacing: Option<f64>,
    /// Distance of a particle from where its cluster wants it, over the acceleration that this costs [s²].
    pub compliance: f64,
    /// β: share of the linear or quadratic map that fits best in where the members are pulled to; the rest is rigid.
    pub freedom: f64,
    /// Whether linear and quadratic maps keep the volume.
    pub keep_volume: bool,
    /// Which rotation a cluster takes.
    pub rotation: ClusterRotation,
    /// What stays of a large deformation.
    pub plastic: Option<Plastic>,
}

impl Default for Clusters {
    fn default() -> Self {
        Self {
            mode: ClusterMode::default(),
            radius: None,
            spacing: None,
            compliance: 0.0,
            freedom: 0.5,
            keep_volume: true,
            rotation: ClusterRotation::default(),
            plastic: None,
        }
    }
}

/// How a cluster may deform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClusterMode {
    /// Not at all.
    #[default]
    Rigid,
    /// By stretch and shear.
    Linear,
    /// By bending and twist too.
    Quadratic,
}

impl ClusterMode {
    /// Every mode with its name in a scene file.
    pub const NAMES: [(&'static str, Self); 3] =
        [("rigid", Self::Rigid), ("linear", Self::Linear), ("quadratic", Self::Quadratic)];
}

/// Which rotation a cluster takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClusterRotation {
    /// The one that brings the rest shape nearest to the members.
    #[default]
    Fit,
    /// That of the deformation gradient.
    Gradient,
}

impl ClusterRotation {
    /// Every rotation with its name in a scene file.
    pub const NAMES: [(&'static str, Self); 2] = [("fit", Self::Fit), ("gradient", Self::Gradient)];
}

/// When and how far the rest shapes of clusters flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plastic {
    /// Size of the deviatoric strain that is still elastic.
    pub limit: f64,
    /// Share of what is beyond it that flows per time [1/s]; infinite: all at once.
    pub rate: f64,
    /// The most that a rest shape changes, as the size of its strain.
    pub most: f64,
}

impl Default for Plastic {
    fn default() -> Self {
        Self { limit: 0.1, rate: f64::INFINITY, most: 1.0 }
    }
}
