//! Small scenes that between them run every kernel, each with bodies of one kind, so that none of them sets the scale for
//! others.

mod arranged;
mod bonds;
mod clusters;
mod contact;
mod links;
mod loads;
mod multigrid;
mod rigid;
mod rods;
mod sheets;
mod solids;
mod stretched;

use crate::Stage;
use sinew::compute::Run;
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::solver::{Cores, Families, Solver};

/// Makes a stage when its turn comes.
pub type Make = Box<dyn FnOnce() -> Stage + Send>;

/// f32 rounding after one pass.
const TOLERANCE: f64 = 1e-5;
/// Every scene. A new kernel is reached by a scene that runs it, in the file of its family, or by a new file and a line here.
pub fn all() -> Vec<Make> {
    let mut all: Vec<Make> = Vec::new();
    let mut add = |name: String, text: String, substeps: u32, tolerance: f64| {
        all.push(Box::new(move || stage(name, &text, substeps, tolerance)));
    };
    links::links(&mut add);
    links::ties(&mut add);
    loads::loads(&mut add);
    sheets::sheets(&mut add);
    multigrid::multigrid(&mut add);
    solids::solids(&mut add);
    clusters::clusters(&mut add);
    bonds::bonds(&mut add);
    rods::rods(&mut add);
    rods::nets(&mut add);
    contact::contact(&mut add);
    rigid::rigid(&mut add);
    all.extend(arranged::arranged());
    for make in [links::by_hand, links::alarmed, rods::walked, sheets::collapsed, stretched::stretched] {
        all.push(Box::new(make));
    }
    all
}

/// Adds a scene: its name, its text, the substeps before it is looked at, and the tolerance.
type Add<'a> = &'a mut dyn FnMut(String, String, u32, f64);

/// A scene with the passes of a device, under way for some substeps.
fn stage(name: String, text: &str, substeps: u32, tolerance: f64) -> Stage {
    let (_, solver) = prepared(&name, text);
    of_solver(name, solver, substeps, tolerance)
}

fn of_solver(name: String, solver: Solver, substeps: u32, tolerance: f64) -> Stage {
    let before = vec![Run { passes: solver.substep(), times: substeps }];
    let Solver { buffers, passes, .. } = solver;
    Stage { name, buffers, passes, before, tolerance, prepare: Box::new(|_| {}) }
}

fn prepared(name: &str, text: &str) -> (Model, Solver) {
    let scene =
        Scene::parse(text, format!("{name}.toml"), "").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let model = Model::new(&scene).unwrap_or_else(|error| panic!("{name}: {error}"));
    let solver = Solver::interactive(&model, &Families::standard(), Cores::Many)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    (model, solver)
}
