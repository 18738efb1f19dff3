//! From the clusters of a scene to their tables and passes.

use super::cluster_match::{
    GRADIENT, KEEPS_VOLUME, LAST, LAW, LINEAR, PULL, QUADRATIC, REST, REST_QUADRATIC, RIGID, STATE,
};
use super::{KERNELS, cluster_gather, cluster_match, fit, regions};
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::limits;
use crate::model::Model;
use crate::scene::{ClusterMode, ClusterRotation, Clusters};
use crate::step::{self, Columns, FamilyReport, Measure, Member, Stage, StageList, Step};
use glam::DVec3;

/// A rate at which everything flows at once in any substep [1/s].
const AT_ONCE: f64 = f32::MAX as f64;

/// Shape matching.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "clusters"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let bodies = bodies(model);
        if bodies.is_empty() {
            return Ok(());
        }
        let is_quadratic = bodies.iter().any(|body| body.clusters.mode == ClusterMode::Quadratic);
        let mut lists = Lists::new(if is_quadratic { REST_QUADRATIC } else { REST });
        for body in &bodies {
            body.add_to(model, &mut lists)?;
        }
        let (count, members) = (lists.starts.len() as u32 - 1, lists.members.len() as u32);
        let (clustered, starts, slots) = lists.memberships(model.particle_count());
        let (free, rows) = (clustered.len() as u32, lists.rows);
        let tables = &mut step.buffers;
        tables.uints("cluster_starts", Role::Model, lists.starts)?;
        tables.real4s("cluster_laws", Role::Model, lists.laws)?;
        let still = [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        tables.real4s("cluster_states", Role::State, still.repeat(count as usize))?;
        tables.gather("clusters", count, &["cluster_laws", "cluster_states"])?;
        tables.uints("cluster_members", Role::Model, lists.members)?;
        tables.real4s("member_rest", Role::Model, lists.rest)?;
        tables.real4s("member_pulls", Role::Scratch, vec![[0.0; 4]; (PULL * members) as usize])?;
        tables.gather("cluster_members", members, &["cluster_members", "member_rest", "member_pulls"])?;
        tables.refer("cluster_members", 1, "particles")?;
        tables.uints("clustered", Role::Model, clustered)?;
        tables.refer("clustered", 1, "particles")?;
        tables.uints("clustered_starts", Role::Model, starts)?;
        tables.uints("clustered_slots", Role::Model, slots)?;
        step.join(Passes { count, clustered: free, rows });
        Ok(())
    }

    fn measure(
        &self,
        _model: &Model,
        state: &mut dyn Columns,
        into: &mut Vec<Measure>,
    ) -> Result<(), ComputeError> {
        let Some(states) = state.column("cluster_states")? else { return Ok(()) };
        let rows = states.reals().chunks_exact(4 * STATE as usize);
        let most = rows.map(|row| {
            let entry = |i: usize| row[4 * (1 + i / 3) + i % 3] - f64::from(i.is_multiple_of(4));
            (0..9).map(|i| entry(i) * entry(i)).sum::<f64>().sqrt()
        });
        into.push(Measure { name: "cluster_flow".into(), unit: "", value: most.fold(0.0, f64::max) });
        Ok(())
    }
}

/// A body that is held together by clusters, by its own particle numbers.
struct Clustered<'m> {
    name: &'m str,
    clusters: &'m Clusters,
    /// At rest [m].
    places: &'m [DVec3],
    cells: &'m [[u32; 4]],
}

fn bodies(model: &Model) -> Vec<Clustered<'_>> {
    let (scene, geometry) = (model.source.scene().scene(), model.source.scene().geometry());
    let points = scene.points.iter().zip(&geometry.points).filter_map(|(points, shape)| {
        let clusters = points.clusters.as_ref()?;
        Some(Clustered { name: &shape.name, clusters, places: &shape.positions, cells: &shape.tetrahedra })
    });
    let solids = scene.solid.iter().zip(&geometry.solids).filter_map(|(solid, shape)| {
        let clusters = solid.clusters.as_ref()?;
        Some(Clustered { name: &shape.name, clusters, places: &shape.rest.vertices, cells: &shape.rest.tets })
    });
    points.chain(solids).collect()
}

impl Clustered<'_> {
    /// Adds its clusters. Each member counts as a part of its particle, as large as there are clusters that share it.
    fn add_to(&self, model: &Model, lists: &mut Lists) -> Result<(), ComputeError> {
        let body = model
            .bodies
            .iter()
            .find(|body| body.name == self.name)
            .expect("bodies have the names of their shapes");
        let number = |own: u32| model.order.new_of_old[(body.particles.start + own) as usize];
        let regions = match self.clusters.radius {
            None => vec![(0..self.places.len() as u32).collect()],
            Some(radius) => {
                let spacing = self.clusters.spacing.unwrap_or(0.5 * radius);
                let room = limits::CLUSTER_MEMBERS - lists.members.len();
                regions::regions(self.places, self.cells, [radius, spacing], room).map_err(|_| {
                    let problem = format!(
                        "body `{}`: the clusters have more than {} members in all; make `radius` smaller or `spacing` larger",
                        self.name,
                        limits::CLUSTER_MEMBERS
                    );
                    ComputeError::Buffer { buffer: "cluster_members".into(), problem }
                })?
            }
        };
        let mut shares = vec![0u32; self.places.len()];
        regions.iter().flatten().for_each(|&p| shares[p as usize] += 1);
        let kind = match self.clusters.mode {
            ClusterMode::Rigid => RIGID,
            ClusterMode::Linear => LINEAR,
            ClusterMode::Quadratic => QUADRATIC,
        };
        for members in &regions {
            let places: Vec<DVec3> = members.iter().map(|&p| self.places[p as usize]).collect();
            let mass = |&p: &u32| model.particles.masses[number(p) as usize] / f64::from(shares[p as usize]);
            let masses: Vec<f64> = members.iter().map(mass).collect();
            let fit::Rest { mut law, members: rest } = fit::rest(&places, &masses, kind, lists.rows);
            self.complete(&mut law, kind);
            lists.laws.extend(law);
            lists.rest.extend(rest);
            lists.members.extend(members.iter().map(|&p| number(p)));
            lists.starts.push(lists.members.len() as u32);
        }
        Ok(())
    }

    fn complete(&self, law: &mut [[f64; 4]; LAW as usize], kind: u32) {
        let Clusters { compliance, freedom, keep_volume, rotation, plastic, .. } = *self.clusters;
        let gradient = if rotation == ClusterRotation::Gradient { GRADIENT } else { 0 };
        let volume = if keep_volume { KEEPS_VOLUME } else { 0 };
        law[0] = [f64::from(kind + gradient + volume), freedom, compliance, law[0][3]];
        if let Some(plastic) = plastic {
            (law[1][3], law[2][3], law[3][3]) = (plastic.limit, plastic.rate.min(AT_ONCE), plastic.most);
        }
    }
}

/// The clusters of all bodies.
struct Lists {
    /// Vectors of `rest` for each member.
    rows: u32,
    starts: Vec<u32>,
    laws: Vec<[f64; 4]>,
    members: Vec<u32>,
    rest: Vec<[f64; 4]>,
}

impl Lists {
    fn new(rows: u32) -> Self {
        Self { rows, starts: vec![0], laws: Vec::new(), members: Vec::new(), rest: Vec::new() }
    }

    /// The particles that are members, where the memberships of each begin, and those.
    fn memberships(&self, particles: usize) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let mut slots: Vec<Vec<u32>> = vec![Vec::new(); particles];
        for (slot, &particle) in self.members.iter().enumerate() {
            slots[particle as usize].push(slot as u32);
        }
        let (mut clustered, mut starts, mut list) = (Vec::new(), vec![0], Vec::new());
        for (particle, slots) in slots.into_iter().enumerate().filter(|(_, slots)| !slots.is_empty()) {
            clustered.push(particle as u32);
            list.extend(slots);
            starts.push(list.len() as u32);
        }
        (clustered, starts, list)
    }
}

/// The clusters of a model, ready to append their passes.
struct Passes {
    count: u32,
    clustered: u32,
    rows: u32,
}

impl Member for Passes {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let Stage::Project { iteration, last } = stage else { return Ok(()) };
        let flags = if last { LAST } else { 0 };
        let launch = Launch { index: iteration, flags, base: self.rows, ..Launch::over(self.count) };
        list.run_on_offsets(&cluster_match::KERNEL, launch)?;
        list.run_on_offsets(&cluster_gather::KERNEL, Launch::over(self.clustered))
    }

    fn report(&self) -> Vec<FamilyReport> {
        vec![FamilyReport { name: "cluster", count: self.count, colours: None }]
    }
}
