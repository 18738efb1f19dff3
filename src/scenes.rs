//! The scenes that come with the program, embedded so that they run from anywhere.

/// A scene that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    pub name: &'static str,
    pub text: &'static str,
    /// A PNG file, drawn by scripts/thumbnails.sh, so that the gallery is there at once.
    #[cfg(feature = "viewer")]
    pub thumbnail: &'static [u8],
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        &[ $( BuiltIn {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/", $name, ".toml")),
            #[cfg(feature = "viewer")]
            thumbnail: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/thumbnails/", $name, ".png")),
        } ),* ]
    };
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[ $( ($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/", $path))) ),* ]
    };
}

/// The scenes of the folder `scenes`.
pub static BUILT_IN: &[BuiltIn] = built_in![
    "airbag",
    "ball_net_cloth",
    "balloons",
    "bed_sheet",
    "bonsai",
    "capstan",
    "caught_balls",
    "chain_curtain",
    "chain_mail",
    "cilia",
    "climbing_net",
    "cloth_on_rope",
    "cloth_on_sphere",
    "clothesline",
    "coiled_rope",
    "compass",
    "crane",
    "cube_tower",
    "curled_wire",
    "curtain",
    "double_fisherman",
    "drape",
    "fabrics",
    "flag",
    "foam_probe",
    "gripper",
    "hair",
    "hammock",
    "helix_spring",
    "hundred_thousand",
    "iron",
    "jelly",
    "layers",
    "levitron",
    "limits_bar",
    "limits_disc",
    "limits_series",
    "limits_slide",
    "limits_swing",
    "linen",
    "long_hair",
    "magnetic_flag",
    "marble_run",
    "million",
    "over_pole",
    "overhand",
    "pendulums",
    "plectoneme",
    "puppet",
    "rabbit_on_steps",
    "reef",
    "ribbons",
    "rod_stack",
    "rope_swing",
    "skirt",
    "soft_blocks",
    "solid_cantilever",
    "solid_recovery",
    "spheroid",
    "spinning_tops",
    "springboard",
    "steam_engine",
    "steel_cantilever",
    "stiff_and_soft",
    "superconductor",
    "tablecloth",
    "tendon_finger",
    "tent",
    "three_methods",
    "tori",
    "tree_wind",
    "truss",
    "turning_ball",
    "twisted_bar",
    "twisted_cable",
    "wing_nut",
    "wound_spiral",
    "zajac_ring",
];

/// The files that built-in scenes refer to, by their paths as the scenes write them.
static FILES: &[(&str, &str)] = files![
    "graphs/bonsai.graph",
    "meshes/handle.obj",
    "meshes/ring_magnet.obj",
    "meshes/skirt.obj",
    "meshes/tent.obj",
    "meshes/top.obj"
];

/// The text of a file of a built-in scene.
pub fn file(path: &std::path::Path) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| std::path::Path::new(name) == path).map(|(_, text)| *text)
}

/// The built-in scene of a name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|scene| scene.name == name)
}

/// Groups of the gallery, in its order.
pub const GROUPS: [&str; 7] = [
    "Together",
    "Cloth",
    "Ropes, rods and nets",
    "Soft solids",
    "Rigid bodies",
    "Magnets",
    "Chains and particles",
];

/// The opening comment of a scene file: what it shows and what to try, a paragraph a line.
pub fn opening(text: &str) -> String {
    let comments = text.lines().map_while(|line| line.trim().strip_prefix('#'));
    comments.map(str::trim).collect::<Vec<_>>().join("\n")
}

impl BuiltIn {
    /// The first of the groups of the gallery that it belongs to.
    pub fn group(&self) -> &'static str {
        let has = |kind: &str| self.text.lines().any(|line| line.trim() == format!("[[{kind}]]"));
        let ropes = has("rod") || has("net");
        let kinds = [has("cloth"), ropes, has("points"), has("solid"), has("rigid")];
        let several = kinds.into_iter().filter(|kind| *kind).count() > 1;
        match kinds {
            _ if self.text.contains("remanence") || self.text.contains("magnet") => "Magnets",
            _ if several => "Together",
            [true, ..] => "Cloth",
            [_, true, ..] => "Ropes, rods and nets",
            [_, _, true, ..] => "Chains and particles",
            [_, _, _, true, _] => "Soft solids",
            _ => "Rigid bodies",
        }
    }

    /// What the scene shows: the first sentence of its opening comment.
    pub fn summary(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_file_is_built_in_and_says_what_it_shows_and_what_to_try() {
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let name = path.file_stem().unwrap().to_str().unwrap();
                let scene = find(name).unwrap_or_else(|| panic!("{name} is not built in"));
                assert!(scene.text.starts_with("# "), "{name} does not begin with what it shows");
                assert!(scene.text.contains("# Try: "), "{name} does not say what to try");
            }
        }
    }
}
