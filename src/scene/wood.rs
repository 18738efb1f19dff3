//! Kinds of wood: round numbers for clear, straight-grained pieces at 12 % moisture.
//!
//! Moduli, densities and strengths after the tables of the Wood Handbook (Forest Products Laboratory 2010, chapter 5), fracture energies
//! of the order that the literature has for softwoods and hardwoods (Smith, Landis, Gong 2003). A board from a shop scatters by a
//! quarter around such numbers.

use super::Composite;
use glam::DVec3;

/// A kind of wood whose numbers are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wood {
    #[default]
    Spruce,
    DouglasFir,
    Oak,
    Balsa,
}

/// What a wood is made of, along the grain (L), away from the pith (R) and around it (T).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WoodProperties {
    /// [kg/m³].
    pub density: f64,
    /// E_L, E_R, E_T [Pa].
    pub youngs_modulus: DVec3,
    /// G_LR, G_LT, G_RT [Pa].
    pub shear_modulus: DVec3,
    /// Along the grain and across it [Pa].
    pub tension_strength: [f64; 2],
    /// The same.
    pub compression_strength: [f64; 2],
    /// Of shear along the grain, and of rolling fibres over each other [Pa].
    pub shear_strength: [f64; 2],
    /// Of breaking fibres, of opening a split and of sliding along it [J/m²].
    pub fracture_energy: [f64; 3],
}

impl Wood {
    /// Every wood with its name in a scene file.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("spruce", Self::Spruce),
        ("douglas_fir", Self::DouglasFir),
        ("oak", Self::Oak),
        ("balsa", Self::Balsa),
    ];

    /// Its numbers.
    pub fn properties(self) -> WoodProperties {
        let giga = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) * 1e9;
        let (density, youngs_modulus, shear_modulus) = match self {
            Self::Spruce => (400.0, giga(10.0, 0.78, 0.43), giga(0.64, 0.61, 0.03)),
            Self::DouglasFir => (500.0, giga(13.4, 0.91, 0.67), giga(0.86, 1.05, 0.09)),
            Self::Oak => (680.0, giga(12.3, 2.0, 0.89), giga(1.06, 0.8, 0.3)),
            Self::Balsa => (160.0, giga(3.4, 0.16, 0.05), giga(0.18, 0.13, 0.02)),
        };
        let mega = |values: [f64; 2]| values.map(|value| value * 1e6);
        let (tension, compression, shear, fracture_energy) = match self {
            Self::Spruce => ([90.0, 2.6], [39.0, 4.0], [8.0, 3.0], [10e3, 250.0, 900.0]),
            Self::DouglasFir => ([105.0, 2.3], [50.0, 5.5], [7.8, 3.0], [12e3, 250.0, 900.0]),
            Self::Oak => ([120.0, 5.5], [51.0, 7.4], [13.8, 5.0], [20e3, 500.0, 1500.0]),
            Self::Balsa => ([30.0, 1.0], [15.0, 1.0], [2.0, 0.8], [3e3, 90.0, 300.0]),
        };
        WoodProperties {
            density,
            youngs_modulus,
            shear_modulus,
            tension_strength: mega(tension),
            compression_strength: mega(compression),
            shear_strength: mega(shear),
            fracture_energy,
        }
    }
}

impl WoodProperties {
    /// The longest cells along each axis that break by less than all they store, 2 E G/f² [m].
    pub fn longest_cell(&self) -> DVec3 {
        let longest = |axis: usize| {
            let place = usize::from(axis > 0);
            2.0 * self.youngs_modulus[axis] * self.fracture_energy[place]
                / self.tension_strength[place].powi(2)
        };
        DVec3::new(longest(0), longest(1), longest(2))
    }
}

impl Composite {
    /// The numbers of its wood, with those that the scene gives instead.
    pub fn properties(&self) -> WoodProperties {
        let wood = self.wood.properties();
        WoodProperties {
            density: self.density.unwrap_or(wood.density),
            youngs_modulus: self.youngs_modulus.unwrap_or(wood.youngs_modulus),
            shear_modulus: self.shear_modulus.unwrap_or(wood.shear_modulus),
            tension_strength: self.tension_strength.unwrap_or(wood.tension_strength),
            compression_strength: self.compression_strength.unwrap_or(wood.compression_strength),
            shear_strength: self.shear_strength.unwrap_or(wood.shear_strength),
            fracture_energy: self.fracture_energy.unwrap_or(wood.fracture_energy),
        }
    }
}
