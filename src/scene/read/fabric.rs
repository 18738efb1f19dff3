//! The keys of finite-element sheets.

use super::super::document::{Table, overwrite};
use super::super::{Cloth, ClothModel, FABRICS, Integrator, Limiter};
use super::Result;

pub(super) const FABRIC_KEYS: &[&str] = &[
    "preset",
    "weft_modulus",
    "warp_modulus",
    "shear_modulus",
    "poisson_ratio",
    "dilation_viscosity",
    "shear_viscosity",
    "bending_damping",
    "limits",
];
pub(super) const INTEGRATORS: &[(&str, Integrator)] = &[
    ("symplectic", Integrator::Symplectic),
    ("forward", Integrator::Forward),
    ("implicit", Integrator::Implicit),
    ("midpoint", Integrator::Midpoint),
    ("static", Integrator::Static),
];
pub(super) const LIMITING_KEYS: &[&str] = &["method", "iterations", "tolerance", "visit", "rate"];
/// Whether the later iterations of strain limits visit only what can have gone beyond.
pub(super) const VISITS: &[(&str, bool)] = &[("all", false), ("active", true)];
pub(super) const LIMITERS: &[(&str, Limiter)] =
    &[("impulses", Limiter::Impulses), ("filter", Limiter::Filter), ("edges", Limiter::Edges)];

/// Reads `model` and `fabric`. A preset also gives the sheet's density and bending stiffness, which the sheet's own
/// keys then replace.
pub(super) fn read(t: &Table, cloth: &mut Cloth) -> Result<()> {
    let models =
        [("net", ClothModel::Net), ("green", ClothModel::Green), ("corotational", ClothModel::Corotational)];
    if let Some(model) = t.choice("model", &models)? {
        cloth.model = model;
    }
    if cloth.model == ClothModel::Net {
        return t.refuse(&["fabric", "pattern"], "goes with `model = \"green\"`");
    }
    t.refuse(
        &["stretch_stiffness", "compression_stiffness", "shear_stiffness", "area_stiffness", "tethers"],
        "goes with `model = \"net\"`; a sheet of triangles has a `fabric`",
    )?;
    let presets = FABRICS.map(|preset| (preset.name, preset));
    let mut name = None;
    if t.is_string("fabric") {
        name = t.choice("fabric", &presets)?;
    } else if let Some(f) = t.table("fabric", FABRIC_KEYS)? {
        name = f.choice("preset", &presets)?;
        if let Some(preset) = name {
            cloth.fabric = preset.fabric;
        }
        let fabric = &mut cloth.fabric;
        overwrite!(fabric from f:
            number {
                weft_modulus, warp_modulus, shear_modulus, poisson_ratio, dilation_viscosity, shear_viscosity, bending_damping
            }
        );
        if let Some(l) = f.table("limits", &["weft", "warp", "shear"])? {
            let limits = &mut cloth.fabric.limits;
            limits.weft = l.numbers("weft")?.unwrap_or(limits.weft);
            limits.warp = l.numbers("warp")?.unwrap_or(limits.warp);
            overwrite!(limits from l: number { shear });
        }
    }
    if let Some(preset) = name {
        if t.is_string("fabric") {
            cloth.fabric = preset.fabric;
        }
        cloth.density = preset.density;
        cloth.bending_stiffness = preset.bending_stiffness;
    }
    Ok(())
}
