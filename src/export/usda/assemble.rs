//! From the spool to the USDA text, prim by prim, one sample in memory at a time.

use std::{fmt::Write as _, io::Write as _, path::Path};

use super::{
    Furniture, Prim, UsdaOptions,
    furniture::{StageTexture, material_path, materials},
    spool::{Sample, Spool},
    text::{Names, push_number, push_triple, quoted},
    topology::{Kind, extent, normals},
};
use crate::export::{AtomicFile, ExportError};

pub(super) fn write(
    path: &Path,
    options: UsdaOptions,
    furniture: &Furniture,
    spool: &mut Spool,
) -> Result<(), ExportError> {
    let mut names = Names::default();
    spool.prims().iter().for_each(|prim| drop(names.take(&prim.identifier)));
    let scope = names.take("materials");
    let mut stage = Stage { path, options, file: AtomicFile::create(path)?, spool, scope };
    stage.write_head()?;
    for index in 0..stage.spool.prims().len() {
        let prim = stage.spool.prims()[index].clone();
        stage.write_prim(&prim, index, &furniture.textures)?;
    }
    let prims = stage.spool.prims().iter().map(|prim| (&*prim.identifier, prim.colour));
    let text = materials(&stage.scope, &prims.collect::<Vec<_>>());
    stage.put(&text)?;
    stage.put(&furniture.text(&mut names, |time| stage.time_code(time)))?;
    stage.put("}\n")?;
    stage.file.commit()
}

struct Stage<'a> {
    path: &'a Path,
    options: UsdaOptions,
    file: AtomicFile,
    spool: &'a mut Spool,
    /// Where the materials are.
    scope: String,
}

impl Stage<'_> {
    fn put(&mut self, text: &str) -> Result<(), ExportError> {
        self.file.write_all(text.as_bytes()).map_err(ExportError::io(self.path, "write"))
    }

    /// Multiples of the frame time become whole numbers in spite of rounding.
    fn time_code(&self, time: f64) -> f64 {
        let code = time * self.options.frames_per_second;
        let whole = code.round();
        let is_whole = (code - whole).abs() < 1e-6;
        // Adding zero turns -0 into 0.
        (if is_whole { whole } else { code }) + 0.0
    }

    fn write_head(&mut self) -> Result<(), ExportError> {
        let frames = self.spool.frames();
        let first = frames.first().map_or(0.0, |f| self.time_code(f.time));
        let last = frames.last().map_or(0.0, |f| self.time_code(f.time));
        let rate = self.options.frames_per_second;
        let version = env!("CARGO_PKG_VERSION");
        self.put(&format!(
            "#usda 1.0\n(\n    doc = \"sinew {version}\"\n    defaultPrim = \"sinew\"\n    \
             startTimeCode = {first}\n    endTimeCode = {last}\n    timeCodesPerSecond = {rate}\n    \
             framesPerSecond = {rate}\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n\
             def Xform \"sinew\"\n{{\n"
        ))
    }

    fn write_prim(
        &mut self,
        prim: &Prim,
        index: usize,
        textures: &[StageTexture],
    ) -> Result<(), ExportError> {
        let schema = match prim.kind {
            Kind::Mesh => "Mesh",
            Kind::Curves => "BasisCurves",
            Kind::Points => "Points",
        };
        let mut text = format!(
            "    def {schema} \"{}\" (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n        customData = {{\n            string name = {}\n        \
             }}\n    )\n    {{\n        color3f[] primvars:displayColor = [",
            prim.identifier,
            quoted(&prim.body_name)
        );
        push_triple(&mut text, prim.colour);
        text.push_str("] (\n            interpolation = \"constant\"\n        )\n");
        let _ = writeln!(
            text,
            "        rel material:binding = <{}>",
            material_path(&self.scope, &prim.identifier)
        );
        if prim.is_guide {
            text.push_str("        uniform token purpose = \"guide\"\n");
        }
        match prim.kind {
            Kind::Mesh => text.push_str(
                "        uniform bool doubleSided = 1\n        \
                 uniform token subdivisionScheme = \"none\"\n",
            ),
            Kind::Curves => {
                text.push_str("        uniform token type = \"linear\"\n");
                push_widths(&mut text, prim.width);
            }
            Kind::Points => push_widths(&mut text, prim.width),
        }
        self.put(&text)?;
        match prim.kind {
            Kind::Mesh => {
                self.write_numbers("faceVertexCounts", index, |v| vec![3; v.len() / 3])?;
                self.write_numbers("faceVertexIndices", index, |v| v)?;
                if let Some(texture) = textures.iter().find(|texture| texture.body == prim.body_name) {
                    self.write_texture(texture, index)?;
                }
            }
            Kind::Curves => self.write_numbers("curveVertexCounts", index, |v| v)?,
            Kind::Points => {}
        }
        self.write_points(prim, index)?;
        self.put("    }\n")
    }

    /// Texture coordinates, unless triangles come or go: then it is not known which one has which.
    fn write_texture(&mut self, texture: &StageTexture, index: usize) -> Result<(), ExportError> {
        let topologies = self.spool.frames().iter().filter_map(|frame| frame.samples[index].topology);
        if topologies.collect::<Vec<_>>().iter().any(|block| block.count as usize != texture.corners.len()) {
            return Ok(());
        }
        let mut text = String::from("        texCoord2f[] primvars:st = [");
        for (i, [u, v]) in texture.corners.iter().enumerate() {
            text.push_str(if i == 0 { "(" } else { ", (" });
            push_number(&mut text, *u);
            text.push_str(", ");
            push_number(&mut text, *v);
            text.push(')');
        }
        text.push_str("] (\n            interpolation = \"faceVarying\"\n        )\n");
        self.put(&text)
    }

    /// A plain value if it never changes, time samples otherwise.
    fn write_numbers(
        &mut self,
        name: &str,
        index: usize,
        convert: fn(Vec<u32>) -> Vec<u32>,
    ) -> Result<(), ExportError> {
        let samples: Vec<_> =
            self.spool.frames().iter().filter_map(|f| Some((f.time, f.samples[index].topology?))).collect();
        if let [(_, block)] = samples[..] {
            let numbers = convert(self.spool.read_numbers(block)?);
            return self.put(&format!("        int[] {name} = {}\n", list(&numbers)));
        }
        self.put(&format!("        int[] {name}.timeSamples = {{\n"))?;
        for (time, block) in samples {
            let numbers = convert(self.spool.read_numbers(block)?);
            let code = self.time_code(time);
            self.put(&format!("            {code}: {},\n", list(&numbers)))?;
        }
        self.put("        }\n")
    }

    fn write_points(&mut self, prim: &Prim, index: usize) -> Result<(), ExportError> {
        let samples: Vec<(f64, Sample)> =
            self.spool.frames().iter().map(|f| (f.time, f.samples[index])).collect();
        // A mesh has no width beyond its points.
        let margin = match prim.kind {
            Kind::Mesh => 0.0,
            Kind::Curves | Kind::Points => 0.5 * prim.width,
        };
        let mut extents = String::new();
        self.put("        point3f[] points.timeSamples = {\n")?;
        for (time, sample) in &samples {
            let points = self.spool.read_points(sample.points)?;
            let code = self.time_code(*time);
            self.put(&line(code, &points, push_triple))?;

            let [low, high] = extent(&points);
            let _ = write!(extents, "            {code}: [");
            push_triple(&mut extents, low.map(|x| x - margin));
            extents.push_str(", ");
            push_triple(&mut extents, high.map(|x| x + margin));
            extents.push_str("],\n");
        }
        self.put("        }\n        float3[] extent.timeSamples = {\n")?;
        self.put(&extents)?;
        self.put("        }\n")?;
        // Only whole: renderers blur by velocities, and a frame without would stand still.
        if !samples.is_empty() && samples.iter().all(|(_, s)| s.velocities.count == s.points.count) {
            self.put("        vector3f[] velocities.timeSamples = {\n")?;
            for (time, sample) in &samples {
                let velocities = self.spool.read_points(sample.velocities)?;
                self.put(&line(self.time_code(*time), &velocities, push_triple))?;
            }
            self.put("        }\n")?;
        }
        if prim.kind == Kind::Mesh && !prim.is_guide {
            self.write_normals(&samples)?;
        }
        Ok(())
    }

    /// Without them a mesh of triangles is drawn in facets.
    fn write_normals(&mut self, samples: &[(f64, Sample)]) -> Result<(), ExportError> {
        self.put(
            "        normal3f[] normals (\n            interpolation = \"vertex\"\n        )\n        \
             normal3f[] normals.timeSamples = {\n",
        )?;
        let mut faces = Vec::new();
        for (time, sample) in samples {
            if let Some(topology) = sample.topology {
                faces = self.spool.read_numbers(topology)?;
            }
            let points = self.spool.read_points(sample.points)?;
            let text = line(self.time_code(*time), &normals(&points, &faces), push_direction);
            self.put(&text)?;
        }
        self.put("        }\n")
    }
}

/// A sample of an array of triples.
fn line(code: f64, values: &[[f32; 3]], push: fn(&mut String, [f32; 3])) -> String {
    let mut text = format!("            {code}: [");
    for (i, &value) in values.iter().enumerate() {
        text.push_str(if i == 0 { "" } else { ", " });
        push(&mut text, value);
    }
    text + "],\n"
}

/// Three decimals do for a direction, and files stay small.
fn push_direction(text: &mut String, direction: [f32; 3]) {
    push_triple(text, direction.map(|x| (1e3 * x).round() / 1e3 + 0.0));
}

fn push_widths(text: &mut String, width: f32) {
    text.push_str("        float[] widths = [");
    push_number(text, width);
    text.push_str("] (\n            interpolation = \"constant\"\n        )\n");
}

fn list(numbers: &[u32]) -> String {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    format!("[{}]", words.join(", "))
}
