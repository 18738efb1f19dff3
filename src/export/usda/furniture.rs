//! What stands around the bodies in a USDA file, a camera and the obstacles, and what lies on them: texture coordinates, materials.

use super::text::{Names, push_number, push_triple, quoted};
use std::fmt::Write as _;

/// Rows of a matrix that acts on row vectors, as USD writes them: the last row is the translation [m].
pub type Rows = [[f64; 4]; 4];

/// A camera that stands still.
#[derive(Debug, Clone, PartialEq)]
pub struct StageCamera {
    /// From the camera, which looks along −z with y up, to the world.
    pub pose: Rows,
    /// Vertical opening [rad].
    pub field_of_view: f64,
    /// Width over height.
    pub aspect: f64,
}

/// An obstacle.
#[derive(Debug, Clone, PartialEq)]
pub struct StageObstacle {
    /// As the user wrote it: any UTF-8.
    pub name: String,
    /// Linear RGB, 0 to 1.
    pub colour: [f32; 3],
    pub shape: StageShape,
    /// Poses at times [s]; one of them if it stands still.
    pub poses: Vec<(f64, Rows)>,
}

/// The shape of an obstacle in its own frame [m].
#[derive(Debug, Clone, PartialEq)]
pub enum StageShape {
    Sphere {
        radius: f64,
    },
    Box {
        size: [f64; 3],
    },
    /// Along y; `length` is between the centres of the caps.
    Capsule {
        radius: f64,
        length: f64,
    },
    Mesh {
        points: Vec<[f32; 3]>,
        triangles: Vec<[u32; 3]>,
    },
}

/// Where a picture lies on a body's triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct StageTexture {
    /// Name of the body.
    pub body: String,
    /// A pair for each corner of each triangle, 0 to 1 along the longer side.
    pub corners: Vec<[f32; 2]>,
}

/// Camera, obstacles and textures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Furniture {
    pub camera: Option<StageCamera>,
    pub obstacles: Vec<StageObstacle>,
    pub textures: Vec<StageTexture>,
}

impl Furniture {
    /// The prims, for inside of the root. `time_code` turns seconds into time codes; names must be free.
    pub(super) fn text(&self, names: &mut Names, time_code: impl Fn(f64) -> f64) -> String {
        let mut text = String::new();
        if let Some(camera) = &self.camera {
            camera.write(&mut text, &names.take("camera"));
        }
        for obstacle in &self.obstacles {
            obstacle.write(&mut text, &names.take(&obstacle.name), &time_code);
        }
        text
    }
}

impl StageCamera {
    fn write(&self, text: &mut String, identifier: &str) {
        // Tenths of a unit, by which USD measures apertures; only their ratio to the focal length matters.
        const APERTURE: f64 = 24.0;
        let focal = 0.5 * APERTURE / (0.5 * self.field_of_view).tan();
        let _ = write!(
            text,
            "    def Camera \"{identifier}\"\n    {{\n        float focalLength = {focal}\n        \
             float horizontalAperture = {}\n        float verticalAperture = {APERTURE}\n        \
             float2 clippingRange = (0.001, 10000)\n        matrix4d xformOp:transform = {}\n        \
             uniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }}\n",
            APERTURE * self.aspect,
            matrix(&self.pose)
        );
    }
}

impl StageObstacle {
    fn write(&self, text: &mut String, identifier: &str, time_code: impl Fn(f64) -> f64) {
        let schema = match self.shape {
            StageShape::Sphere { .. } => "Sphere",
            StageShape::Box { .. } => "Cube",
            StageShape::Capsule { .. } => "Capsule",
            StageShape::Mesh { .. } => "Mesh",
        };
        let _ = write!(
            text,
            "    def {schema} \"{identifier}\" (\n        customData = {{\n            string name = {}\n            \
             bool collider = 1\n        }}\n    )\n    {{\n        color3f[] primvars:displayColor = [",
            quoted(&self.name)
        );
        push_triple(text, self.colour);
        text.push_str("] (\n            interpolation = \"constant\"\n        )\n");
        let mut order = "\"xformOp:transform\"".to_owned();
        match &self.shape {
            StageShape::Sphere { radius } => {
                let _ = writeln!(text, "        double radius = {radius}");
            }
            StageShape::Box { size: [x, y, z] } => {
                let _ =
                    writeln!(text, "        double size = 1\n        float3 xformOp:scale = ({x}, {y}, {z})");
                order += ", \"xformOp:scale\"";
            }
            StageShape::Capsule { radius, length } => {
                let _ = writeln!(
                    text,
                    "        uniform token axis = \"Y\"\n        double height = {length}\n        double radius = {radius}"
                );
            }
            StageShape::Mesh { points, triangles } => write_mesh(text, points, triangles),
        }
        match &self.poses[..] {
            [(_, pose)] => {
                let _ = writeln!(text, "        matrix4d xformOp:transform = {}", matrix(pose));
            }
            poses => {
                text.push_str("        matrix4d xformOp:transform.timeSamples = {\n");
                for (time, pose) in poses {
                    let _ = writeln!(text, "            {}: {},", time_code(*time), matrix(pose));
                }
                text.push_str("        }\n");
            }
        }
        let _ = writeln!(text, "        uniform token[] xformOpOrder = [{order}]\n    }}");
    }
}

fn write_mesh(text: &mut String, points: &[[f32; 3]], triangles: &[[u32; 3]]) {
    text.push_str("        uniform token subdivisionScheme = \"none\"\n        point3f[] points = [");
    for (i, &point) in points.iter().enumerate() {
        text.push_str(if i == 0 { "" } else { ", " });
        push_triple(text, point);
    }
    let list = |numbers: &mut dyn Iterator<Item = u32>| {
        numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(
        text,
        "]\n        int[] faceVertexCounts = [{}]\n        int[] faceVertexIndices = [{}]",
        list(&mut triangles.iter().map(|_| 3)),
        list(&mut triangles.iter().flatten().copied())
    );
}

fn matrix(rows: &Rows) -> String {
    let row = |row: &[f64; 4]| {
        let mut text = String::from("(");
        for (k, &value) in row.iter().enumerate() {
            text.push_str(if k == 0 { "" } else { ", " });
            push_number(&mut text, value as f32);
        }
        text + ")"
    };
    format!("( {} )", rows.iter().map(row).collect::<Vec<_>>().join(", "))
}

/// The scope with the materials of prims, by their identifiers, for the root.
pub(super) fn materials(scope: &str, prims: &[(&str, [f32; 3])]) -> String {
    let mut text = format!("    def Scope \"{scope}\"\n    {{\n");
    for (identifier, colour) in prims {
        let path = material_path(scope, identifier);
        let _ = write!(
            text,
            "        def Material \"{identifier}\"\n        {{\n            \
             token outputs:surface.connect = <{path}/surface.outputs:surface>\n\n            \
             def Shader \"surface\"\n            {{\n                \
             uniform token info:id = \"UsdPreviewSurface\"\n                color3f inputs:diffuseColor = "
        );
        push_triple(&mut text, *colour);
        let _ = write!(
            text,
            "\n                float inputs:roughness = {ROUGHNESS}\n                token outputs:surface\n            \
             }}\n        }}\n"
        );
    }
    text + "    }\n"
}

/// Of cloth, rope and rubber: matt.
const ROUGHNESS: f32 = 0.7;

pub(super) fn material_path(scope: &str, identifier: &str) -> String {
    format!("/sinew/{scope}/{identifier}")
}
