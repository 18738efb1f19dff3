//! What is drawn over the picture at places of the scene: the probe, the pull of the hand, contacts, the forces of what holds, and
//! in a corner the axes with a scale.

use super::state::Viewer;
use super::units;
use crate::export::si;
use crate::render::Camera;
use egui::{Align2, Color32, Context, FontId, Painter, Pos2, Rect, Stroke, Vec2};
use glam::DVec3;

const PROBE: Color32 = Color32::from_rgb(30, 120, 220);
const PULL: Color32 = Color32::from_rgb(220, 60, 40);
const CONTACT: Color32 = Color32::from_rgb(255, 170, 40);
const FORCE: Color32 = Color32::from_rgb(30, 150, 90);
/// Of x, y and z, as in other programs.
const AXES: [Color32; 3] =
    [Color32::from_rgb(200, 60, 50), Color32::from_rgb(70, 150, 50), Color32::from_rgb(60, 100, 210)];
/// Length of the line at a contact, in points.
const CONTACT_LENGTH: f32 = 14.0;
/// Length of the arrow of the largest force, in points.
const FORCE_LENGTH: f32 = 70.0;
/// Length of an axis that lies in the picture, in points.
const AXIS_LENGTH: f32 = 24.0;
/// The scale is at most this long, in points.
const SCALE_LENGTH: f32 = 110.0;

/// From the scene to the window.
struct Projection {
    lens: Camera,
    picture: Rect,
}

impl Projection {
    fn at(&self, x: DVec3) -> Option<Pos2> {
        let [width, height] = [self.picture.width(), self.picture.height()].map(|side| side.max(1.0) as u32);
        let [x, y] = self.lens.project(x.as_vec3(), width, height)?;
        Some(self.picture.min + Vec2::new(x, y))
    }

    /// A direction of the world in the picture, and how far it lies in it.
    fn direction(&self, x: DVec3) -> Vec2 {
        let [right, up, _] = self.lens.axes().map(|axis| axis.as_dvec3());
        Vec2::new(x.dot(right) as f32, -x.dot(up) as f32)
    }
}

/// All marks of the present state.
pub fn show(viewer: &Viewer, ctx: &Context) {
    let Some(camera) = viewer.camera.filter(|_| viewer.drawing.is_some()) else { return };
    let to = Projection { lens: camera.lens(), picture: viewer.picture };
    let painter = ctx.layer_painter(egui::LayerId::background()).with_clip_rect(viewer.picture);
    contacts(viewer, &to, &painter);
    forces(viewer, &to, &painter);
    if let Some(at) = viewer.picked.as_ref().and_then(|picked| to.at(picked.position)) {
        painter.circle_stroke(at, 6.5, Stroke::new(3.5, Color32::from_white_alpha(200)));
        painter.circle_stroke(at, 6.5, Stroke::new(2.0, PROBE));
        painter.circle_filled(at, 1.8, PROBE);
    }
    if let Some(pull) = viewer.pull
        && let (Some(from), Some(end)) = (to.at(pull.from), to.at(pull.to))
    {
        painter.line_segment([from, end], Stroke::new(2.0, PULL));
        painter.circle_filled(from, 3.0, PULL);
        painter.circle_stroke(end, 4.0, Stroke::new(2.0, PULL));
        label(&painter, end + Vec2::new(9.0, -9.0), Align2::LEFT_BOTTOM, &si(pull.force, "N"), PULL);
    }
    if viewer.axes {
        axes(&to, &painter, ctx.global_style().visuals.text_color());
    }
}

/// Text on a ground that keeps it readable over everything.
fn label(painter: &Painter, at: Pos2, align: Align2, text: &str, colour: Color32) {
    let layout = painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.0), colour);
    let rect = align.anchor_size(at, layout.size());
    painter.rect_filled(rect.expand(2.0), 3.0, Color32::from_white_alpha(210));
    painter.galley(rect.min, layout, colour);
}

/// A dot where a particle touches something, and a line the way it is pushed.
fn contacts(viewer: &Viewer, to: &Projection, painter: &Painter) {
    let scale = f64::from(to.lens.distance()) * 0.02;
    for [x, push] in viewer.contacts.iter().filter(|_| viewer.watch.contacts) {
        let (Some(at), Some(end)) = (to.at(*x), to.at(*x + scale * *push)) else { continue };
        let way = (end - at).normalized() * (end - at).length().min(CONTACT_LENGTH);
        painter.line_segment([at, at + way], Stroke::new(1.5, CONTACT));
        painter.circle_filled(at, 2.0, CONTACT);
    }
}

/// Arrows of the forces of pins and colliders on what they hold, the largest at full length.
fn forces(viewer: &Viewer, to: &Projection, painter: &Painter) {
    let largest = viewer.forces.iter().map(|held| held.force.length()).fold(0.0, f64::max);
    if largest == 0.0 {
        return;
    }
    for held in &viewer.forces {
        let Some(at) = to.at(held.at) else { continue };
        let way = to.direction(held.force / largest) * FORCE_LENGTH;
        painter.circle_filled(at, 2.5, FORCE);
        if way.length() > 2.0 {
            painter.arrow(at, way, Stroke::new(2.0, FORCE));
        }
        // The force of a plane is told at its own place, which need not be where it is touched.
        let text = format!("{}: {}", held.name, si(held.force.length(), "N"));
        label(painter, at + way + Vec2::new(6.0, 0.0), Align2::LEFT_CENTER, &text, FORCE);
    }
}

/// The axes of the world, and a length at the distance of what the camera looks at.
fn axes(to: &Projection, painter: &Painter, ink: Color32) {
    let centre = to.picture.left_top() + Vec2::new(38.0, 40.0);
    for ((axis, name), colour) in [(DVec3::X, "x"), (DVec3::Y, "y"), (DVec3::Z, "z")].into_iter().zip(AXES) {
        let way = to.direction(axis) * AXIS_LENGTH;
        painter.line_segment([centre, centre + way], Stroke::new(2.0, colour));
        let end = centre + way + way.normalized() * 7.0;
        painter.text(end, Align2::CENTER_CENTER, name, FontId::proportional(12.0), colour);
    }
    let height = f64::from(2.0 * to.lens.distance() * (0.5 * to.lens.field_of_view).tan());
    let per_metre = f64::from(to.picture.height()) / height;
    let length = round_below(f64::from(SCALE_LENGTH) / per_metre);
    let (left, y) = (to.picture.left() + 84.0, to.picture.top() + 46.0);
    let right = left + (length * per_metre) as f32;
    if !right.is_finite() {
        return;
    }
    let stroke = Stroke::new(1.5, ink);
    painter.line_segment([Pos2::new(left, y), Pos2::new(right, y)], stroke);
    for x in [left, right] {
        painter.line_segment([Pos2::new(x, y - 4.0), Pos2::new(x, y + 4.0)], stroke);
    }
    let middle = Pos2::new(0.5 * (left + right), y - 4.0);
    painter.text(middle, Align2::CENTER_BOTTOM, units::show(length, "m"), FontId::proportional(12.0), ink);
}

/// The largest of 1, 2 and 5 times a power of ten that is not above a length.
fn round_below(most: f64) -> f64 {
    let power = 10f64.powf(most.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|length| *length <= most).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::round_below;

    #[test]
    fn scales_are_round() {
        let lengths = [0.99, 1.0, 4.9, 7.0, 0.034, 1e-5].map(round_below);
        for (found, round) in lengths.into_iter().zip([0.5, 1.0, 2.0, 5.0, 0.02, 1e-5]) {
            assert!((found / round - 1.0).abs() < 1e-9, "{found} instead of {round}");
        }
    }
}
