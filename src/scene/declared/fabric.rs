//! The keys of finite-element sheets, and of what integrates and limits them.

use super::super::document::Table;
use super::super::keys::describe::Type;
use super::super::keys::{Check, Declared, End, Keys, within};
use super::super::{
    Bending, Cloth, ClothModel, ClothShape, ConjugateGradients, FABRICS, Fabric, FabricPreset, Limiter,
    SceneError, StrainLimiting, StrainLimits,
};
use crate::at;
use crate::limits;

type Result<T> = std::result::Result<T, SceneError>;

const LIMITERS: &[(&str, Limiter)] =
    &[("impulses", Limiter::Impulses), ("filter", Limiter::Filter), ("edges", Limiter::Edges)];
/// Whether the later iterations of strain limits visit only what can have gone beyond.
const VISITS: &[(&str, bool)] = &[("all", false), ("active", true)];
/// How the colours of strain limits follow each other, by whether the order is random.
const ORDERS: &[(&str, bool)] = &[("alternating", false), ("random", true)];
/// When strain limits act in a substep, by whether that is before contacts.
const PLACES: &[(&str, bool)] = &[("last", false), ("before_contacts", true)];

impl Declared for Fabric {
    fn declare(k: &mut Keys<Self>) {
        let names = FABRICS.iter().map(|preset| preset.name).collect();
        k.odd("preset", Type::Word(names), read_preset, |_| None)
            .default("none")
            .says("round numbers of the right size; sets all of the below, and the sheet's `density` and `bending_stiffness` unless it has its own");
        let modulus = |k: &mut Keys<Self>, name, lens, says| {
            k.value(name, lens).positive("N/m").slider(1.0, 1e5).says(says);
        };
        modulus(k, "weft_modulus", at!(weft_modulus), "force per width and strain along the weft");
        modulus(k, "warp_modulus", at!(warp_modulus), "force per width and strain along the warp");
        modulus(k, "shear_modulus", at!(shear_modulus), "stress per twice the shear strain");
        k.value("poisson_ratio", at!(poisson_ratio)).says(
            "ν of E_weft ν = a₁₂ (1 − ν² E_weft/E_warp); its size must be below √(warp_modulus/weft_modulus)",
        );
        k.checking(|fabric| {
            let limit = fabric.poisson_limit();
            let wanted = format!(
                "between −{limit:.3} and {limit:.3}, the root of warp_modulus/weft_modulus, or stretching gains energy"
            );
            within("poisson_ratio", fabric.poisson_ratio, fabric.poisson_ratio.abs() < limit, &wanted)
        });
        k.value("dilation_viscosity", at!(dilation_viscosity))
            .not_negative("N s/m")
            .says("λ of the viscous stress λ tr(Ė) + 2 μ Ė");
        k.value("shear_viscosity", at!(shear_viscosity))
            .not_negative("N s/m")
            .says("μ of the viscous stress");
        k.value("bending_damping", at!(bending_damping))
            .not_negative("s")
            .says("damping of bending by this time times its stiffness");
        k.value("tension_only", at!(tension_only)).says(
            "whether it gives way to pressing in its plane at no cost, as a sheet that wrinkles finely does (a tension field): for bags and balloons whose triangles are larger than their wrinkles",
        );
        k.checking(is_isotropic_if_it_wrinkles);
        k.table("limits", at!(limits)).default("none").says("strains that the sheet does not exceed");
    }
}

/// Share by which moduli may differ from those of an isotropic fabric.
const ISOTROPIC: f64 = 1e-3;

/// The directions of stress and strain are the same in isotropic fabrics only, and the tension field relies on that.
fn is_isotropic_if_it_wrinkles(fabric: &Fabric) -> Check {
    let differs = |x: f64, wanted: f64| (x - wanted).abs() > ISOTROPIC * wanted;
    let shear = fabric.isotropic_shear_modulus();
    if fabric.tension_only
        && (differs(fabric.warp_modulus, fabric.weft_modulus) || differs(fabric.shear_modulus, shear))
    {
        let message = format!(
            "is for isotropic fabrics: `warp_modulus` = `weft_modulus` and `shear_modulus` = weft_modulus/(2 + 2ν), here {shear:.6}"
        );
        return Err(SceneError::value("tension_only", message));
    }
    if fabric.tension_only && fabric.limits != StrainLimits::NONE {
        return Err(SceneError::value("tension_only", "goes without `limits`, which are along the threads"));
    }
    Ok(())
}

fn read_preset(t: &Table, key: &str, fabric: &mut Fabric) -> Result<()> {
    if let Some(preset) = named(t, key)? {
        *fabric = preset.fabric;
    }
    Ok(())
}

fn named(t: &Table, key: &str) -> Result<Option<FabricPreset>> {
    t.choice(key, &FABRICS.map(|preset| (preset.name, preset)))
}

/// Refuses the keys of the other model.
pub(super) fn of_model(t: &Table, cloth: &mut Cloth) -> Result<()> {
    if cloth.model == ClothModel::Net {
        return t.refuse(&["fabric", "pattern"], "goes with `model = \"green\"`");
    }
    t.refuse(
        &[
            "stretch_stiffness",
            "compression_stiffness",
            "shear_stiffness",
            "area_stiffness",
            "tethers",
            "coarse_links",
        ],
        "goes with `model = \"net\"`; a sheet of triangles has a `fabric`",
    )
}

/// A preset also gives the sheet's density and bending stiffness, which the sheet's own keys then replace.
pub(super) fn preset(t: &Table, cloth: &mut Cloth) -> Result<()> {
    let preset = if t.is_string("fabric") {
        named(t, "fabric")?
    } else if let Some(inner) = t.table("fabric", &Fabric::keys().names())? {
        named(&inner, "preset")?
    } else {
        None
    };
    if let Some(preset) = preset {
        (cloth.density, cloth.bending_stiffness) = (preset.density, preset.bending_stiffness);
    }
    Ok(())
}

/// What goes with the law of a sheet.
pub(super) fn law(body: &Cloth) -> Check {
    if body.model == ClothModel::Net {
        return Ok(());
    }
    if matches!(body.bending, Bending::Isometric | Bending::Distance) {
        return Err(SceneError::value(
            "bending",
            "goes with `model = \"net\"`; a sheet of triangles bends by \"dihedral\" or \"none\"",
        ));
    }
    if body.pattern.is_some() && matches!(body.shape, ClothShape::Grid { .. } | ClothShape::Disc { .. }) {
        return Err(SceneError::value("pattern", "goes with `mesh`; grids and discs are cut flat anyway"));
    }
    Ok(())
}

impl Declared for StrainLimits {
    fn declare(k: &mut Keys<Self>) {
        let none = "none";
        k.value("weft", at!(weft)).default(none).says("lowest and highest strain along the weft");
        k.value("warp", at!(warp)).default(none).says("lowest and highest strain along the warp");
        k.checking(rest_is_within);
        k.value("shear", at!(shear))
            .within(End::At(0.0), End::None, "0 or more")
            .default(none)
            .says("largest shear, about half the change of the threads' angle in radians");
    }
}

impl Default for StrainLimits {
    fn default() -> Self {
        Self::NONE
    }
}

/// A sheet at rest must be within its limits, or it would never come to rest.
fn rest_is_within(limits: &StrainLimits) -> Check {
    for (key, [low, high]) in [("weft", limits.weft), ("warp", limits.warp)] {
        let low_holds = low <= 0.0 && (low > -1.0 || low == f64::NEG_INFINITY);
        if !(low_holds && high >= 0.0) {
            let message = format!(
                "is [{low}, {high}]; the lowest strain must be between −1 and 0, or −inf, and the highest 0 or more"
            );
            return Err(SceneError::value(key, message));
        }
    }
    Ok(())
}

const FRACTION: (End, End, &str) = (End::Beyond(0.0), End::Beyond(1.0), "greater than 0 and less than 1");

impl Declared for ConjugateGradients {
    fn declare(k: &mut Keys<Self>) {
        let (low, high, wanted) = FRACTION;
        k.value("iterations", at!(iterations))
            .whole(1, limits::ITERATIONS)
            .says("most iterations of a substep");
        k.value("tolerance", at!(tolerance))
            .within(low, high, wanted)
            .says("largest residual, relative to that of the start");
    }
}

impl Declared for StrainLimiting {
    fn declare(k: &mut Keys<Self>) {
        let (low, high, wanted) = FRACTION;
        k.choice("method", at!(method), LIMITERS)
            .says("`\"impulses\"` that are remembered from substep to substep; the `\"filter\"` of Thomaszewski 2010; or the baseline `\"edges\"`");
        k.value("iterations", at!(iterations))
            .whole(1, limits::ITERATIONS)
            .says("most iterations of a substep");
        k.value("tolerance", at!(tolerance))
            .within(low, high, wanted)
            .says("strain by which a triangle may be beyond its limits");
        k.choice("visit", at!(active_set), VISITS)
            .says("whether later iterations of the filter visit all triangles, or only those that can have gone beyond");
        k.choice("order", at!(random_order), ORDERS)
            .says("in which iterations visit the colours of triangles: there and back, or each in an order of its own, drawn once");
        k.choice("place", at!(before_contacts), PLACES)
            .says("`\"last\"`: nothing moves a sheet after its limits, which may push it into a collider; `\"before_contacts\"`: constraints and contacts come after them and may stretch it again");
        k.value("rate", at!(rate))
            .within(End::Beyond(0.0), End::None, "greater than 0")
            .says("largest change of a strain in one substep, after contacts");
        k.checking(|limiting| match limiting.active_set && limiting.method != Limiter::Filter {
            true => Err(SceneError::value("visit", "= \"active\" goes with `method = \"filter\"`")),
            false => Ok(()),
        });
    }
}
