//! `sinew bench --table contact`: what contact between bodies costs, and where.
//!
//! A sheet lies flat and falls freely: lists are made, and nothing touches. Then a sheet with contact with itself drapes over a ball, as other programs are measured. Kernels are
//! timed one by one in every step; detection is what makes lists, the response what pushes, the guard what holds back.

use super::statistics::growth_exponent;
use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};

/// Vertices along an edge.
const SIZES: [u32; 4] = [32, 64, 128, 256];
/// How many of them `--quick` takes.
const QUICK: usize = 2;
/// The largest that is draped.
const DRAPED: u32 = 128;
const SUBSTEPS: u32 = 10;
/// Steps until the flat sheet has moved, and steps of a drape.
const FALLING: u32 = 6;
const DRAPING: u32 = 60;
/// Kernels by the beginnings of their names.
const DETECTION: [&str; 8] =
    ["near_", "corner_list", "touch_rule", "touch_recall", "touch_keep", "scan_", "sort_", "list_"];
const RESPONSE: [&str; 4] = ["touch_measure", "touch_share", "touch_push", "touch_apply"];
const GUARD: [&str; 1] = ["guard_"];

/// What steps of a scene cost.
#[derive(Default)]
struct Cost {
    /// Of a frame, and of it by kernels that detect, push and hold [ms].
    frame: f64,
    detection: f64,
    response: f64,
    guard: f64,
    /// Lists made a frame.
    lists: f64,
    /// In the last list.
    pairs: f64,
    elements: f64,
}

fn scene(n: u32, contact: &str, ball: &str) -> anyhow::Result<Scene> {
    let cells = n - 1;
    let text = format!(
        "format = 1\nsubsteps = {SUBSTEPS}\ndamping = 0.2\n{contact}[[cloth]]\nname = \"sheet\"\n\
         grid = {{ size = [1, 1], cells = [{cells}, {cells}] }}\nposition = [0, 0.31, 0]\nrotation = [90, 0, 0]\n\
         density = 0.2\nstretch_stiffness = 1000\nshear_stiffness = 60\nbending = \"dihedral\"\nbending_stiffness = 1e-5\n\
         thickness = {}\nfriction = 0.3\n{ball}",
        0.25 / f64::from(cells)
    );
    Ok(Scene::parse(&text, "bench", ".")?)
}

/// Prints the table.
pub fn print_table(quick: bool) -> anyhow::Result<()> {
    let sizes = &SIZES[..if quick { QUICK } else { SIZES.len() }];
    say!("contact between bodies, {SUBSTEPS} substeps of 1/60 s, CPU f32; ms a frame");
    say!(
        "  {:<14} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7} {:>9} {:>15} {:>13}",
        "sheet",
        "frame",
        "without",
        "detection",
        "response",
        "guard",
        "lists",
        "pairs",
        "ns/element,list",
        "ns/pair,guard"
    );
    let ball = "[[collider]]\nname = \"ball\"\nsphere = { radius = 0.3 }\nfriction = 0.3\n";
    for (name, steps, ball, most) in [("flat", FALLING, "", u32::MAX), ("on a ball", DRAPING, ball, DRAPED)] {
        let mut times = Vec::new();
        for &n in sizes.iter().filter(|n| **n <= most) {
            let without = cost(&scene(n, "", ball)?, steps)?;
            let with = cost(&scene(n, "[contact]\n", ball)?, steps)?;
            let substeps = f64::from(SUBSTEPS);
            say!(
                "  {:<14} {:>8.1} {:>8.1} {:>9.1} {:>9.1} {:>7.1} {:>7.1} {:>9.0} {:>15.0} {:>13.1}",
                format!("{name} {n}²"),
                with.frame,
                without.frame,
                with.detection,
                with.response,
                with.guard,
                with.lists,
                with.pairs,
                1e6 * with.detection / (with.lists * with.elements).max(1.0),
                1e6 * with.guard / (substeps * with.pairs).max(1.0)
            );
            times.push((with.elements, with.detection / with.lists.max(1.0)));
        }
        if let Some(exponent) = growth_exponent(&times) {
            say!("  the time of a list grows with the number of elements to the power {exponent:.2}");
        }
    }
    say!("\nlists: made in a frame    without: the same scene without contact between bodies");
    Ok(())
}

/// Means of the steps of a scene.
fn cost(scene: &Scene, steps: u32) -> anyhow::Result<Cost> {
    let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32))?;
    let (mut cost, share) = (Cost::default(), 1.0 / f64::from(steps));
    for _ in 0..steps {
        for (kernel, milliseconds) in simulation.profile_step()? {
            let is = |group: &[&str]| group.iter().any(|start| kernel.starts_with(start));
            cost.frame += share * milliseconds;
            if is(&DETECTION) {
                cost.detection += share * milliseconds;
            } else if is(&RESPONSE) {
                cost.response += share * milliseconds;
            } else if is(&GUARD) {
                cost.guard += share * milliseconds;
            }
        }
    }
    let made = simulation.family_measures()?.into_iter().find(|measure| measure.name == "lists_made");
    cost.lists = share * made.map_or(0.0, |measure| measure.value);
    if let Some(starts) = simulation.solver().buffers.find("near_before_starts") {
        let starts = simulation.executor().read(starts)?;
        cost.elements = starts.uints().len().saturating_sub(1) as f64;
        cost.pairs = starts.uints().last().map_or(0.0, |&count| f64::from(count));
    }
    Ok(cost)
}
