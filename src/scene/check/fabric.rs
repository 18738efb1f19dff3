//! The values of finite-element sheets.

use super::super::error::SceneError;
use super::super::{
    Bending, Cloth, ClothModel, ClothShape, ConjugateGradients, Limiter, StrainLimiting, StrainLimits, limits,
};
use super::Check;
use super::numbers::{not_negative, positive, whole, within};

pub(super) fn check(body: &Cloth) -> Check {
    if body.model == ClothModel::Net {
        return Ok(());
    }
    if matches!(body.bending, Bending::Isometric | Bending::Distance) {
        return Err(SceneError::value(
            "bending",
            "goes with `model = \"net\"`; a sheet of triangles bends by \"dihedral\" or \"none\"",
        ));
    }
    if let Some(unit) = body.pattern {
        positive("pattern", unit, "m")?;
        if matches!(body.shape, ClothShape::Grid { .. } | ClothShape::Disc { .. }) {
            return Err(SceneError::value(
                "pattern",
                "goes with `mesh`; grids and discs are cut flat anyway",
            ));
        }
    }
    fabric(body).map_err(|e| e.inside("fabric"))
}

pub(super) fn gradients(settings: &ConjugateGradients) -> Check {
    whole("iterations", settings.iterations, 1, limits::ITERATIONS)?;
    let tolerance = settings.tolerance;
    within("tolerance", tolerance, tolerance > 0.0 && tolerance < 1.0, "greater than 0 and less than 1")
}

pub(super) fn limiting(settings: &StrainLimiting) -> Check {
    whole("iterations", settings.iterations, 1, limits::ITERATIONS)?;
    let tolerance = settings.tolerance;
    within("tolerance", tolerance, tolerance > 0.0 && tolerance < 1.0, "greater than 0 and less than 1")?;
    within("rate", settings.rate, settings.rate > 0.0, "greater than 0")?;
    if settings.active_set && settings.method != Limiter::Filter {
        return Err(SceneError::value("visit", "= \"active\" goes with `method = \"filter\"`"));
    }
    Ok(())
}

/// A sheet at rest must be within its limits, or it would never come to rest.
fn strain_limits(limits: &StrainLimits) -> Check {
    for (key, [low, high]) in [("weft", limits.weft), ("warp", limits.warp)] {
        let low_holds = low <= 0.0 && (low > -1.0 || low == f64::NEG_INFINITY);
        if !(low_holds && high >= 0.0) {
            return Err(SceneError::value(
                key,
                format_args!(
                    "is [{low}, {high}]; the lowest strain must be between −1 and 0, or −inf, and the highest 0 or more"
                ),
            ));
        }
    }
    within("shear", limits.shear, limits.shear >= 0.0, "0 or more")
}

fn fabric(body: &Cloth) -> Check {
    let fabric = &body.fabric;
    positive("weft_modulus", fabric.weft_modulus, "N/m")?;
    positive("warp_modulus", fabric.warp_modulus, "N/m")?;
    positive("shear_modulus", fabric.shear_modulus, "N/m")?;
    let limit = fabric.poisson_limit();
    within(
        "poisson_ratio",
        fabric.poisson_ratio,
        fabric.poisson_ratio.abs() < limit,
        &format!(
            "between −{limit:.3} and {limit:.3}, the root of warp_modulus/weft_modulus, or stretching gains energy"
        ),
    )?;
    not_negative("dilation_viscosity", fabric.dilation_viscosity, "N s/m")?;
    not_negative("shear_viscosity", fabric.shear_viscosity, "N s/m")?;
    not_negative("bending_damping", fabric.bending_damping, "s")?;
    strain_limits(&fabric.limits).map_err(|e| e.inside("limits"))
}
