//! The response of this program, on the same bodies: its passes, one substep at a time.

use super::Response;
use super::heap::Heap;
use crate::compute::{
    ComputeError, CpuExecutor, Data, Element, Executor, Launch, Passes, Role, Rows, Run, Tables, Transaction,
};
use crate::contact::driven::Driven;
use crate::contact::surfaces::{Surfaces, areas, elements, skins};
use crate::contact::touch::STIFFNESS;
use crate::particles::{World, finish, predict};
use glam::DVec3;

const SWEEPS: u32 = 6;

/// The response, ready for one heap.
pub struct Springs {
    tables: Tables,
    passes: Passes,
    executor: CpuExecutor<f64>,
}

impl Springs {
    pub fn new(heap: &Heap, h: f64) -> Result<Self, ComputeError> {
        let used: Vec<u32> =
            heap.triangles.iter().flatten().chain(heap.segments.iter().flatten()).copied().collect();
        let points: Vec<u32> = (0..heap.x.len() as u32).filter(|p| !used.contains(p)).collect();
        let elements = elements(&heap.triangles, &heap.segments, &points, |p| heap.bodies[p as usize]);
        let count = heap.body_count();
        let rest: Vec<[f64; 4]> = heap.x.iter().map(|x| x.extend(heap.radius).to_array()).collect();
        // Bodies that keep their shape do not touch themselves.
        let rule = |a: u32, b: u32| [if a == b { -1.0 } else { heap.friction }, heap.friction, -1.0, 0.0];
        let surfaces = Surfaces {
            skins: skins(&elements, &heap.x),
            areas: areas(&elements, &rest),
            tangles: vec![[0; 2]; heap.x.len()],
            elements,
            rest,
            bodies: heap.bodies.clone(),
            body_count: count,
            rules: (0..count).flat_map(|a| (0..count).map(move |b| rule(a, b))).collect(),
            stiffness: STIFFNESS * f64::from(SWEEPS),
            driven: Driven::default(),
            sweeps: SWEEPS,
            capacity: 0,
        };
        let mut tables = Tables::new();
        tables.table("particles", Rows::Fixed(heap.x.len() as u32))?;
        let all = |w: &dyn Fn(usize) -> f64, x: &dyn Fn(usize) -> DVec3| -> Vec<[f64; 4]> {
            (0..heap.x.len()).map(|p| x(p).extend(w(p)).to_array()).collect()
        };
        tables.real4s("positions", Role::State, all(&|p| heap.inverse_masses[p], &|p| heap.x[p]))?;
        tables.real4s("velocities", Role::State, all(&|_| 0.0, &|_| DVec3::ZERO))?;
        tables.real4s("residuals", Role::State, all(&|_| 1.0, &|_| DVec3::ZERO))?;
        tables.real4s("offsets", Role::Scratch, all(&|_| 0.0, &|_| DVec3::ZERO))?;
        let world = World { keep: 1.0, relaxation: 1.0, ..World::default() };
        tables.add("world", Element::Real, Role::Uniform, Data::Reals(world.values()))?;
        tables.uints("clock", Role::State, vec![0])?;
        surfaces.add_tables(&mut tables)?;
        let mut passes = Passes::with_dt(h);
        let launch = Launch::over(heap.x.len() as u32);
        passes.run(&tables, &predict::KERNEL, launch)?;
        surfaces.detect(&mut passes, &mut tables, "offsets")?;
        surfaces.project(&mut passes, &tables, 0, "offsets", |_, _| Ok(()))?;
        surfaces.guard(&mut passes, &tables, "offsets")?;
        passes.run(&tables, &finish::KERNEL, launch)?;
        surfaces.end_of_step(&mut passes, &tables)?;
        passes.link(&mut tables)?;
        let executor = CpuExecutor::new(&tables, &passes);
        Ok(Self { tables, passes, executor })
    }

    fn step(&mut self, heap: &Heap, v: &[DVec3]) -> Result<Vec<DVec3>, ComputeError> {
        let columns = ["positions", "velocities"].map(|name| self.tables.find(name));
        let [Some(positions), Some(velocities)] = columns else { return Ok(v.to_vec()) };
        let x = heap.x.iter().zip(&heap.inverse_masses);
        let placed = x.flat_map(|(x, w)| x.extend(*w).to_array()).collect();
        self.executor.write(positions, &Data::Reals(placed))?;
        let wanted = v.iter().flat_map(|v| v.extend(0.0).to_array()).collect();
        self.executor.write(velocities, &Data::Reals(wanted))?;
        let mut transaction = Transaction::begin(&mut self.executor, &self.tables)?;
        loop {
            self.executor.execute(&[Run { passes: 0..self.passes.list.len(), times: 1 }])?;
            if transaction.end(&mut self.executor, &mut self.tables)?.is_some() {
                break;
            }
        }
        let v = self.executor.read(velocities)?;
        Ok(v.reals().chunks_exact(4).map(DVec3::from_slice).collect())
    }
}

impl Response for Springs {
    fn name(&self) -> &'static str {
        "springs"
    }

    fn respond(&mut self, heap: &Heap, v: &[DVec3], _: f64) -> Vec<DVec3> {
        // What cannot be computed is not there: a heap of a few hundred particles has room for all that it makes.
        self.step(heap, v).unwrap_or_else(|_| vec![DVec3::NAN; v.len()])
    }
}
