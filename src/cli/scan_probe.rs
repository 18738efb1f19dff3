//! `sinew scan --probe`: what a probe would do to the body of a scene, scanned, with a file for `sinew identify`.

use super::scan::ScanArgs;
use super::{print, scene_argument};
use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;
use glam::{DQuat, DVec3};
use sinew::cloud::{Cloud, write_ply};
use sinew::export::{AtomicFile, Image};
use sinew::glam;
use sinew::identify::{Body, Footprint, NoBody, Pushed, body_of_scene, push};
use sinew::meshing::tet_mesh::TetMesh;
use sinew::meshing::triangle_mesh::TriangleMesh;
use sinew::scan::{DepthCamera, Pose, Sensor, Surfaces};
use std::f64::consts::TAU;
use std::io::Write;
use std::path::Path;

/// A probe that pushes.
#[derive(Args)]
#[command(next_help_heading = "A probe that pushes the scene's solid")]
pub struct ProbeArgs {
    /// Push the solid here, against its surface, and scan what that does; may be given several times. The views look along the push.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_negative_numbers = true)]
    pub probe: Vec<DVec3>,
    /// Forces, one after the other [N].
    #[arg(
        long,
        value_name = "FORCE,…",
        value_delimiter = ',',
        requires = "probe",
        default_value = "10,30,50"
    )]
    force: Vec<f64>,
    /// Radius of the probe's tip [m].
    #[arg(long, value_name = "LENGTH", requires = "probe", default_value_t = 0.02)]
    tip: f64,
    /// Which solid, if the scene has several.
    #[arg(long, value_name = "NAME", requires = "probe")]
    body: Option<String>,
    /// Scan what the body's own mesh does, not one twice as fine.
    #[arg(long, requires = "probe")]
    same_mesh: bool,
}

fn point(text: &str) -> Result<DVec3, String> {
    let parts: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match parts.as_deref() {
        Some(&[x, y, z]) if [x, y, z].iter().all(|c| c.abs() < 1e6) => Ok(DVec3::new(x, y, z)),
        _ => Err("must be three numbers in metres, such as 0,0.15,0".into()),
    }
}

/// How far the views are off the line of the push.
const ASIDE: f64 = 0.6;

/// Pushes, looks and writes.
pub fn write(args: &ScanArgs) -> anyhow::Result<()> {
    let probe = &args.probe;
    ensure!(
        probe.force.iter().all(|f| *f > 0.0 && f.is_finite()),
        "--force: all forces must be above zero, as a probe pushes"
    );
    ensure!(
        probe.tip > 0.0 && probe.tip < 1e3,
        "--tip {} is not above zero; give its radius in metres",
        probe.tip
    );
    let (scene, name) = scene_argument::load(&args.scene)?;
    let (body, mesh, solid) = body_of_scene(&scene, probe.body.as_deref()).map_err(|error| match error {
        NoBody::Key(message) => anyhow!("{name}: {message}"),
        NoBody::Unfit(error) => anyhow!("{name}: {error}"),
    })?;
    let mut solids = scene.scene().solid.iter().zip(&scene.geometry().solids);
    let found = solids.find(|(_, geometry)| geometry.name == solid);
    let material = found.context("the solid is one of the scene's")?.0.material;
    let moduli = [material.youngs_modulus, material.poisson_ratio];
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("making the folder {}", args.out.display()))?;
    let mut pictures = Vec::new();
    let mut samples = String::new();
    let mut truth = Vec::new();
    let still = TriangleMesh {
        positions: body.skin.embedding.apply(&body.rest),
        triangles: body.skin.triangles.clone(),
        texture_coordinates: None,
    };
    for (place, &touch) in probe.probe.iter().enumerate() {
        let direction = inwards(&still, touch)?;
        let footprint =
            Footprint::new(&body, touch, direction, probe.tip).map_err(|e| anyhow!("--probe: {e}"))?;
        if place == 0 {
            let seen = look(args, &still, &footprint, u64::MAX)?;
            write_ply(
                args.out.join("undeformed.ply"),
                &seen.0,
                &[format!("{solid} of {name}, not pushed [m]")],
            )?;
        }
        for &force in &probe.force {
            let Pushed { skin, depth } = pushed(&body, &mesh, moduli, &footprint, force, probe)
                .with_context(|| format!("pushing with {force} N"))?;
            let number = truth.len();
            let (cloud, picture) = look(args, &skin, &footprint, number as u64)?;
            let file = format!("sample_{number:02}.ply");
            write_ply(
                args.out.join(&file),
                &cloud,
                &[format!("{solid} of {name}, pushed with {force} N [m]")],
            )?;
            print(format_args!("{file}: {} points, {:.2} mm deep", cloud.points.len(), 1e3 * depth))?;
            let [t, f] =
                [footprint.centre, direction * force].map(|v| format!("[{:e}, {:e}, {:e}]", v.x, v.y, v.z));
            samples +=
                &format!("\n[[sample]]\ntouch = {t}\nforce = {f}\ndepth = {depth:e}\nscan = \"{file}\"\n");
            truth.push(serde_json::json!({ "scan": file, "force": force, "depth": depth }));
            pictures.push(picture);
        }
    }
    let scene = match Path::new(&args.scene).canonicalize() {
        Ok(path) if path.is_file() => path.to_string_lossy().into_owned(),
        _ => name.clone(),
    };
    let text = format!(
        "# Written by `sinew scan --probe`; docs/acquisition.md tells what the keys mean.\nformat = 1\n\n[object]\nscene = {scene:?}\n\
        body = {solid:?}\n\n[probe]\nradius = {}\n# These scans see no tip.\nhidden = 0\n\n[scanner]\nundeformed = \"undeformed.ply\"\n{samples}",
        probe.tip
    );
    AtomicFile::write_with(args.out.join("probe.toml"), |file| file.write_all(text.as_bytes()))?;
    let truth = serde_json::json!({
        "scene": name, "body": solid, "youngs_modulus": moduli[0], "poisson_ratio": moduli[1], "noise": args.noise, "samples": truth,
    });
    let truth = serde_json::to_string_pretty(&truth)? + "\n";
    AtomicFile::write_with(args.out.join("truth.json"), |file| file.write_all(truth.as_bytes()))?;
    super::scan::write_pictures(&args.out, &pictures)
}

fn pushed(
    body: &Body,
    mesh: &TetMesh,
    moduli: [f64; 2],
    footprint: &Footprint,
    force: f64,
    probe: &ProbeArgs,
) -> anyhow::Result<Pushed> {
    Ok(push(body, mesh, moduli, footprint, force, !probe.same_mesh)?)
}

/// Against the surface at a place.
fn inwards(still: &TriangleMesh, touch: DVec3) -> anyhow::Result<DVec3> {
    let nearest = (0..still.triangles.len())
        .map(|t| still.corners(t))
        .min_by(|a, b| {
            let away = |t: &[DVec3; 3]| sinew::meshing::triangle_tree::distance_squared(touch, t);
            away(a).total_cmp(&away(b))
        })
        .context("the body has no surface")?;
    let normal = (nearest[1] - nearest[0]).cross(nearest[2] - nearest[0]).normalize_or_zero();
    if normal == DVec3::ZERO {
        bail!("the surface has no direction at {touch}; push elsewhere");
    }
    // Exactly along an axis where the surface is across it but for rounding.
    let snapped = DVec3::from(normal.to_array().map(|c| if c.abs() < 1e-9 { 0.0 } else { c })).normalize();
    Ok(-snapped)
}

/// All views of a body in one cloud, in the frame of the scene, and the first one's picture.
fn look(
    args: &ScanArgs,
    skin: &TriangleMesh,
    footprint: &Footprint,
    number: u64,
) -> anyhow::Result<(Cloud, Image)> {
    let surfaces = Surfaces::of_mesh(skin, [205, 170, 110]).context("the body has no surface")?;
    let (middle, radius) = (surfaces.middle(), surfaces.radius());
    let back = -footprint.direction;
    let mut all = Cloud::default();
    let mut first = None;
    for view in 0..args.views {
        let seed =
            args.seed.wrapping_mul(1009).wrapping_add(number.wrapping_mul(101)).wrapping_add(view.into());
        let sensor = Sensor { resolution: args.resolution, noise: args.noise, seed };
        let around = DQuat::from_axis_angle(back, TAU * f64::from(view) / f64::from(args.views));
        let from = (back + around * (back.any_orthonormal_vector() * ASIDE)).normalize();
        let pose = Pose::looking(middle + 4.0 * radius * from, middle, 0.0, radius);
        let seen = DepthCamera { sensor, pose }.look(&surfaces);
        all.points.extend(seen.cloud.points.iter().map(|x| pose.matrix().transform_point3(*x)));
        all.normals.extend(seen.cloud.normals.iter().map(|n| pose.rotation * *n));
        first.get_or_insert(seen.picture);
    }
    ensure!(!all.points.is_empty(), "no view saw anything; raise --resolution");
    Ok((all, first.context("there is a view")?))
}
