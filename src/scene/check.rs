//! Is every value in its range? Nothing here reads a file or takes memory.

use super::bodies::{inside_body, label, particle_limit, subject};
use super::error::{SceneError, SceneErrorKind};
use super::keys::{Check, Declared};
use super::{Collider, ColliderShape, KINDS, Scene};
use crate::limits;
use std::collections::HashMap;

pub(super) fn scene(scene: &Scene) -> Check {
    Scene::keys().check(scene)?;
    counts(scene)?;
    names(scene)?;
    contact_names(scene)?;
    join_names(scene)?;
    load_names(scene)?;
    probe_names(scene)?;
    for (i, body) in scene.numbered_bodies() {
        body.check().map_err(|e| inside_body(e, i, body))?;
    }
    for (i, body) in scene.collider.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("collider", i, &subject("collider", i, Some(&body.name)));
        collider(body).map_err(here)?;
    }
    Ok(())
}

pub(super) fn collider(collider: &Collider) -> Check {
    Collider::keys().check(collider)?;
    match collider.shape {
        // Made in code, it has no keys.
        ColliderShape::Triangles { resolution, .. } => {
            super::keys::Rule::Whole(4, limits::RESOLUTION).whole("resolution", resolution, "")
        }
        _ => Ok(()),
    }
}

fn counts(scene: &Scene) -> Check {
    let bodies = scene.bodies().count();
    if bodies == 0 {
        let kinds: Vec<_> = KINDS.iter().map(|kind| format!("`[[{}]]`", kind.name)).collect();
        let (last, others) = kinds.split_last().expect("there are kinds of bodies");
        let message = format!("the scene has no bodies; add {} or {last}", others.join(", "));
        return Err(SceneError::new(SceneErrorKind::Key, message));
    }
    for (what, count, limit) in
        [("bodies", bodies, limits::BODIES), ("colliders", scene.collider.len(), limits::COLLIDERS)]
    {
        if count > limit {
            let message = format!("{count} {what}; the limit is {limit}");
            return Err(SceneError::new(SceneErrorKind::Limit, message));
        }
    }
    let mut total = 0u64;
    for (i, body) in scene.numbered_bodies() {
        total = total.saturating_add(body.particle_count());
        particle_limit(body.shape_key(), total).map_err(|e| inside_body(e, i, body))?;
    }
    Ok(())
}

/// Pairs of bodies that touch name bodies.
fn contact_names(scene: &Scene) -> Check {
    let names: Vec<String> =
        scene.numbered_bodies().map(|(i, body)| label(body.name(), body.kind(), i)).collect();
    for (i, pair) in scene.contact.iter().flat_map(|contact| &contact.pair).enumerate() {
        for (key, name) in [("first", &pair.first), ("second", &pair.second)] {
            if !names.contains(name) {
                let message = format!("is `{name}`, which is no body; there are: {}", names.join(", "));
                let error = SceneError::at(SceneErrorKind::Reference, key, message);
                return Err(error.inside_entry("pair", i, &format!("pair {}", i + 1)).inside("contact"));
            }
        }
    }
    Ok(())
}

/// Attachments and seams have names of their own, and so have joints.
fn join_names(scene: &Scene) -> Check {
    let attachments = scene.attach.iter().enumerate().map(|(i, join)| ("attach", i, join.name.as_str()));
    let seams = scene.seam.iter().enumerate().map(|(i, join)| ("seam", i, join.name.as_str()));
    unique(attachments.chain(seams))?;
    unique(scene.joint.iter().enumerate().map(|(i, joint)| ("joint", i, joint.name.as_str())))
}

/// So have loads, and fields.
fn load_names(scene: &Scene) -> Check {
    let loads = scene.load.iter().enumerate().map(|(i, load)| ("load", i, load.name.as_str()));
    let tendons = scene.tendon.iter().enumerate().map(|(i, tendon)| ("tendon", i, tendon.name.as_str()));
    unique(loads.chain(tendons))?;
    unique(scene.field.iter().enumerate().map(|(i, field)| ("field", i, field.name.as_str())))
}

/// So have probes.
fn probe_names(scene: &Scene) -> Check {
    unique(scene.probe.iter().enumerate().map(|(i, probe)| ("probe", i, probe.name.as_str())))
}

/// Every name is short, printable and unique.
fn names(scene: &Scene) -> Check {
    let bodies = scene.numbered_bodies().map(|(i, body)| (body.kind(), i, body.name()));
    let colliders = scene.collider.iter().enumerate().map(|(i, body)| ("collider", i, body.name.as_str()));
    unique(bodies.chain(colliders))
}

fn unique<'a>(list: impl Iterator<Item = (&'static str, usize, &'a str)>) -> Check {
    let mut seen: HashMap<String, (&str, usize)> = HashMap::new();
    for (kind, i, name) in list {
        let name = label(name, kind, i);
        let here = |e: SceneError| e.inside_entry(kind, i, &format!("{kind} {}", i + 1));
        if name.chars().count() > limits::NAME_LENGTH || name.chars().any(char::is_control) {
            let message = format!("must have at most {} printable characters", limits::NAME_LENGTH);
            return Err(here(SceneError::value("name", message)));
        }
        if let Some((kind, i)) = seen.get(&name) {
            let message =
                format!("is `{name}`, which is also the name of {kind} {}; names must differ", i + 1);
            return Err(here(SceneError::at(SceneErrorKind::Reference, "name", message)));
        }
        seen.insert(name, (kind, i));
    }
    Ok(())
}
