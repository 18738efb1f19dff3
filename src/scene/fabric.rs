//! What a finite-element sheet is made of, in the numbers of a textile laboratory.

/// How a sheet resists stretching and shearing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClothModel {
    /// A net of distance links.
    #[default]
    Net,
    /// Triangles with Green strain and an orthotropic linear law (St. Venant–Kirchhoff).
    Green,
    /// Triangles with a law that is linear in the strain left when their rotation is taken out: the baseline of Thomaszewski 2010.
    Corotational,
}

/// How the forces of finite elements are integrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Integrator {
    /// Velocities from the forces at the start of a substep: keeps energy, needs small substeps.
    Symplectic,
    /// Velocities from the forces at the end of a substep (backward Euler, one linearisation): stable at any step, and
    /// takes energy away.
    #[default]
    Implicit,
    /// Velocities from the forces in the middle of a substep (one linearisation): keeps the energy of small vibrations.
    Midpoint,
    /// Positions from the velocities and velocities from the forces of the start of a substep (forward Euler): every vibration
    /// grows that is not damped enough. For comparison.
    Explicit,
    /// Backward differentiation of second order, by Newton's method with a search along its steps: stable, and keeps most of the energy of a
    /// swing at large steps.
    Bdf2,
    /// No motion: every substep is a step of Newton's method towards the balance of forces.
    Static,
}

impl Integrator {
    /// Whether every substep solves a system of equations.
    pub fn solves(self) -> bool {
        matches!(self, Self::Implicit | Self::Midpoint | Self::Bdf2 | Self::Static)
    }

    /// Steps of Newton's method in a substep, unless the scene says how many.
    pub fn newton_steps(self) -> u32 {
        if self == Self::Bdf2 { 2 } else { 1 }
    }
}

/// How conjugate gradients are preconditioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preconditioner {
    /// As [`Preconditioner::Multigrid`], without levels for bodies that need few iterations anyway.
    #[default]
    Auto,
    /// By the inverse of each particle's own block. All bodies have the same scalars.
    Jacobi,
    /// By levels of ever fewer nodes, of a matrix put together in every substep. Bodies have scalars of their own.
    Multigrid,
}

/// When conjugate gradients stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConjugateGradients {
    /// Most iterations of a substep.
    pub iterations: u32,
    /// Largest residual, relative to that of the start, in the norm of the preconditioner.
    pub tolerance: f64,
}

impl Default for ConjugateGradients {
    fn default() -> Self {
        Self { iterations: 100, tolerance: 1e-4 }
    }
}

/// How far a sheet's strains may go: U − 1 along weft and warp, and U₁₂ in shear, of the stretch U.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrainLimits {
    /// Lowest and highest; infinite does not limit.
    pub weft: [f64; 2],
    /// Lowest and highest; infinite does not limit.
    pub warp: [f64; 2],
    /// Largest of either sign; half the change of the angle between the threads [rad], about. Infinite does not limit.
    pub shear: f64,
}

impl StrainLimits {
    /// No limits.
    pub const NONE: Self = Self {
        weft: [f64::NEG_INFINITY, f64::INFINITY],
        warp: [f64::NEG_INFINITY, f64::INFINITY],
        shear: f64::INFINITY,
    };

    /// By how much strains (weft, warp, shear) are beyond the limits; 0 within.
    pub fn violation(&self, [weft, warp, shear]: [f64; 3]) -> f64 {
        let beyond = |x: f64, [low, high]: [f64; 2]| (x - high).max(low - x).max(0.0);
        beyond(weft, self.weft).max(beyond(warp, self.warp)).max(beyond(shear, [-self.shear, self.shear]))
    }
}

/// By what strain limits are enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Limiter {
    /// Impulses of the triangles that are remembered from substep to substep.
    #[default]
    Impulses,
    /// Corrections of the triangles' velocities that begin anew in every substep (Thomaszewski 2010, sec. 3.3).
    Filter,
    /// Corrections of the triangles' edges, all with the smaller of the limits of weft and warp in tension: the baseline.
    Edges,
}

/// How strain limits are enforced. The order of corrections follows the scene's `solver`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrainLimiting {
    pub method: Limiter,
    /// Most iterations of a substep.
    pub iterations: u32,
    /// Strain by which a triangle may be beyond its limits.
    pub tolerance: f64,
    /// Whether the iterations of [`Limiter::Filter`] after the first visit only triangles that were corrected, and their
    /// neighbours. Saves work on large sheets of which little is at its limits.
    pub active_set: bool,
    /// Whether colours come in another order in each iteration, or there and back.
    pub random_order: bool,
    /// Whether constraints and contacts come after the limits of a substep and may stretch what they have brought back, or before
    /// them.
    pub before_contacts: bool,
    /// Largest change of a strain in one substep; what is faster is slowed down after contacts. Infinite does not limit.
    pub rate: f64,
}

impl Default for StrainLimiting {
    fn default() -> Self {
        Self {
            method: Limiter::default(),
            iterations: 100,
            tolerance: 1e-3,
            active_set: false,
            random_order: false,
            before_contacts: false,
            rate: f64::INFINITY,
        }
    }
}

/// The law of a finite-element sheet. Moduli are per width of cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fabric {
    /// Modulus along the weft [N/m].
    pub weft_modulus: f64,
    /// Modulus along the warp [N/m].
    pub warp_modulus: f64,
    /// Shear modulus [N/m].
    pub shear_modulus: f64,
    /// How much the warp narrows when the weft is stretched, times weft_modulus/warp_modulus: ν of E₁ν₁₂ = E₂ν₂₁.
    pub poisson_ratio: f64,
    /// λ of the viscous stress λ tr(Ė) + 2 μ Ė [N s/m].
    pub dilation_viscosity: f64,
    /// μ of the viscous stress [N s/m].
    pub shear_viscosity: f64,
    /// Damping of bending, as a time by which it is proportional to the stiffness [s].
    pub bending_damping: f64,
    /// Strains that it does not exceed.
    pub limits: StrainLimits,
    /// Whether it wrinkles as finely as it likes instead of being pressed together; for isotropic fabrics.
    pub tension_only: bool,
    /// Whether the law is that of [`ClothModel::Corotational`]; the sheet's `model` decides.
    pub corotational: bool,
}

impl Default for Fabric {
    fn default() -> Self {
        Self {
            weft_modulus: 300.0,
            warp_modulus: 300.0,
            shear_modulus: 75.0,
            poisson_ratio: 0.0,
            dilation_viscosity: 0.0,
            shear_viscosity: 0.0,
            bending_damping: 0.0,
            limits: StrainLimits::NONE,
            tension_only: false,
            corotational: false,
        }
    }
}

impl Fabric {
    /// a₁₁, a₂₂, a₁₂ and G of the law [N/m].
    pub fn moduli(&self) -> [f64; 4] {
        let (weft, warp, nu) = (self.weft_modulus, self.warp_modulus, self.poisson_ratio);
        // ν₁₂ ν₂₁ with E₁ ν₁₂ = E₂ ν₂₁.
        let free = 1.0 - nu * nu * weft / warp;
        [weft / free, warp / free, weft * nu / free, self.shear_modulus]
    }

    /// The same four of the viscous stress [N s/m].
    pub fn viscosities(&self) -> [f64; 4] {
        let (lambda, mu) = (self.dilation_viscosity, self.shear_viscosity);
        [lambda + 2.0 * mu, lambda + 2.0 * mu, lambda, mu]
    }

    /// The shear modulus that an isotropic fabric of this modulus and Poisson ratio has [N/m].
    pub fn isotropic_shear_modulus(&self) -> f64 {
        0.5 * self.weft_modulus / (1.0 + self.poisson_ratio)
    }

    /// The largest Poisson ratio, as a size, of a law whose energy is positive.
    pub fn poisson_limit(&self) -> f64 {
        (self.warp_modulus / self.weft_modulus).sqrt()
    }
}

/// A cloth known by name: round numbers of the right size, not the measurement of one piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FabricPreset {
    pub name: &'static str,
    pub fabric: Fabric,
    /// Mass per area [kg/m²].
    pub density: f64,
    /// [N·m].
    pub bending_stiffness: f64,
}

const fn preset(
    name: &'static str,
    [weft_modulus, warp_modulus, shear_modulus]: [f64; 3],
    poisson_ratio: f64,
    density: f64,
    bending_stiffness: f64,
) -> FabricPreset {
    // About a thousandth of a second of viscosity: a hand-sized piece stops ringing within a few swings.
    let shear_viscosity = 1e-3 * shear_modulus;
    let fabric = Fabric {
        weft_modulus,
        warp_modulus,
        shear_modulus,
        poisson_ratio,
        dilation_viscosity: 0.0,
        shear_viscosity,
        bending_damping: 1e-3,
        limits: StrainLimits::NONE,
        tension_only: false,
        corotational: false,
    };
    FabricPreset { name, fabric, density, bending_stiffness }
}

/// The cloths known by name.
pub const FABRICS: [FabricPreset; 5] = [
    preset("jersey", [100.0, 100.0, 30.0], 0.2, 0.18, 2e-6),
    preset("silk", [700.0, 500.0, 40.0], 0.1, 0.06, 3e-6),
    preset("cotton", [1200.0, 900.0, 80.0], 0.1, 0.13, 1e-5),
    preset("wool", [600.0, 400.0, 60.0], 0.1, 0.25, 2e-5),
    preset("denim", [4000.0, 2500.0, 300.0], 0.1, 0.40, 8e-5),
];
