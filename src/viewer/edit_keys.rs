//! Controls for bodies of any kind, from the declarations of their keys: name, unit and range.

use super::edit::row;
use super::state::Viewer;
use super::units;
use crate::scene::keys::{Declared, End, Meta, Slot, Visit};
use crate::scene::{Body, ClothModel, Collider, Scene};
use egui::{DragValue, Slider, SliderClamping, Ui};

/// A value that a person chose.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Chosen {
    Number(f64),
    Word(usize),
}

/// The values of a body that are changed most. Returns whether the scene changed.
pub fn panel(viewer: &mut Viewer, ui: &mut Ui, scene: &mut Scene, name: &str) -> bool {
    // A sheet has the keys of one of two models.
    let is_net = |cloth: &crate::scene::Cloth| cloth.name == name && cloth.model == ClothModel::Net;
    let (net, triangles) = (scene.cloth.iter().any(is_net), scene.cloth.iter().any(|c| c.name == name));
    let of_net = ["stretch_stiffness", "shear_stiffness"];
    let is_shown = |at: &str, meta: &Meta| {
        meta.panel && !(net && at.starts_with("fabric.")) && !(triangles && !net && of_net.contains(&at))
    };
    change(scene, name, |at, meta, slot| {
        if !is_shown(at, meta) {
            return None;
        }
        let short = title(at);
        match (slot, meta.slider) {
            (Slot::Real(value), Some(ends)) if value.is_finite() => {
                let mut new = *value;
                slide(viewer, ui, &short, meta, slider(&mut new, ends));
                (new != *value).then_some(Chosen::Number(new))
            }
            (Slot::Word { words, chosen, .. }, _) => {
                let mut new = chosen;
                // Several words may need more than one line of the panel.
                row(ui, &short, |ui| {
                    ui.horizontal_wrapped(|ui| {
                        for (i, word) in words.iter().enumerate() {
                            ui.selectable_value(&mut new, i, *word).on_hover_text(meta.doc);
                        }
                    });
                });
                (new != chosen).then_some(Chosen::Word(new))
            }
            _ => None,
        }
    })
}

/// All numbers of a body. Returns whether the scene changed.
pub fn all(ui: &mut Ui, scene: &mut Scene, name: &str) -> bool {
    change(scene, name, |at, meta, slot| {
        let (value, slot_is_whole) = match slot {
            Slot::Real(value) => (*value, false),
            Slot::Whole(value) => (f64::from(*value), true),
            Slot::Word { .. } => return None,
        };
        if !value.is_finite() {
            return None;
        }
        let mut new = value;
        let speed = (0.01 * value.abs()).max(1e-9);
        let (low, high) = ends(meta);
        let mut drag = DragValue::new(&mut new).speed(speed).range(low..=high);
        drag = match slot_is_whole {
            true => drag.max_decimals(0).suffix(suffix(meta)),
            false => drag.custom_formatter(shown(meta)).custom_parser(read(meta)),
        };
        row(ui, at, |ui| ui.add(drag).on_hover_text(meta.doc));
        (new != value).then_some(Chosen::Number(new))
    })
}

/// A slider over the declared ends, in powers of ten if they are far apart.
pub fn slider(value: &mut f64, [low, high]: [f64; 2]) -> Slider<'_> {
    /// Ratio of the ends from which on a linear slider would have no place for small values.
    const FAR: f64 = 30.0;
    let slider = Slider::new(value, low..=high);
    match low {
        0.0 if high < 1.0 => slider.logarithmic(true).smallest_positive(1e-9),
        low => slider.logarithmic(low > 0.0 && high > FAR * low),
    }
}

/// A slider with its name before it and its unit behind; values outside its range stay until it is moved.
fn slide(viewer: &mut Viewer, ui: &mut Ui, name: &str, meta: &Meta, slider: Slider) {
    row(ui, name, |ui| {
        let slider = slider.clamping(SliderClamping::Edits);
        let response = ui.add(slider.custom_formatter(shown(meta)).custom_parser(read(meta)));
        viewer.mark(name, response.on_hover_text(meta.doc).rect);
    });
}

/// Values with unit and prefix.
fn shown(meta: &Meta) -> impl Fn(f64, std::ops::RangeInclusive<usize>) -> String + use<> {
    let unit = meta.unit;
    move |value, _| units::show(value, unit)
}

/// What is typed, with unit and prefix or without.
fn read(meta: &Meta) -> impl Fn(&str) -> Option<f64> + use<> {
    let unit = meta.unit;
    move |text| units::read(text, unit)
}

fn suffix(meta: &Meta) -> String {
    match meta.unit {
        "" => String::new(),
        "degrees" => "°".to_owned(),
        unit => format!(" {unit}"),
    }
}

fn ends(meta: &Meta) -> (f64, f64) {
    let (low, high) = meta.rule.ends();
    let end = |end: End, none: f64| match end {
        End::None => none,
        End::At(x) | End::Beyond(x) => x,
    };
    (end(low, f64::NEG_INFINITY), end(high, f64::INFINITY))
}

/// A key in words: `fabric.weft_modulus` is "weft modulus".
fn title(at: &str) -> String {
    at.rsplit('.').next().unwrap_or(at).replace('_', " ")
}

/// Shows the values of a body and changes the one that was chosen. What its declaration refuses is not taken over: a drag ends
/// at the border.
fn change(
    scene: &mut Scene,
    name: &str,
    mut show: impl FnMut(&str, &Meta, Slot<'_>) -> Option<Chosen>,
) -> bool {
    let Some(mut target) = target(scene, name) else { return false };
    let (mut index, mut chosen) = (0, None);
    target.numbers(&mut |at, meta, slot| {
        chosen = show(at, meta, slot).map(|value| (index, value)).or(chosen);
        index += 1;
    });
    let Some((index, value)) = chosen else { return false };
    let old = set(&mut target, index, value);
    let holds = target.holds();
    if !holds {
        set(&mut target, index, old);
    }
    holds
}

/// What has numbers to change.
enum Target<'a> {
    Body(&'a mut dyn Body),
    Collider(&'a mut Collider),
}

impl Target<'_> {
    fn numbers(&mut self, visit: &mut Visit) {
        match self {
            Self::Body(body) => body.numbers(visit),
            Self::Collider(collider) => Collider::keys().numbers(collider, "", visit),
        }
    }

    /// Whether its declaration takes its values.
    fn holds(&self) -> bool {
        match self {
            Self::Body(body) => body.check().is_ok(),
            Self::Collider(collider) => Collider::keys().check(collider).is_ok(),
        }
    }
}

/// The body or the collider of a name.
fn target<'a>(scene: &'a mut Scene, name: &str) -> Option<Target<'a>> {
    if let Some(index) = scene.collider.iter().enumerate().position(|(i, collider)| collider.label(i) == name)
    {
        return Some(Target::Collider(&mut scene.collider[index]));
    }
    scene.bodies_mut().find(|body| body.name() == name).map(Target::Body)
}

/// Sets the value of a number in the order of [`Target::numbers`] and returns the old one.
fn set(target: &mut Target, wanted: usize, value: Chosen) -> Chosen {
    let (mut index, mut old) = (0, value);
    target.numbers(&mut |_, _, slot| {
        if index == wanted {
            old = match (slot, value) {
                (Slot::Real(place), Chosen::Number(new)) => Chosen::Number(std::mem::replace(place, new)),
                (Slot::Whole(place), Chosen::Number(new)) => {
                    let new = new.round().clamp(0.0, f64::from(u32::MAX)) as u32;
                    Chosen::Number(f64::from(std::mem::replace(place, new)))
                }
                (Slot::Word { chosen, set, .. }, Chosen::Word(new)) => {
                    set(new);
                    Chosen::Word(chosen)
                }
                (_, value) => value,
            };
        }
        index += 1;
    });
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let text = "format = 1\n[[cloth]]\nname = \"a\"\ngrid = { size = [1, 1], cells = [4, 4] }\n\
                    [[rod]]\nname = \"b\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 4\n";
        Scene::parse(text, "test", "").unwrap()
    }

    /// Sets what stands at a place, as a control does.
    fn put(scene: &mut Scene, name: &str, place: &str, value: Chosen) -> bool {
        change(scene, name, |at, _, _| (at == place).then_some(value))
    }

    #[test]
    fn a_number_is_changed_where_it_stands() {
        let mut scene = scene();
        for (place, value) in [("density", 0.7), ("friction", 0.2), ("grid.cells[1]", 6.2)] {
            assert!(put(&mut scene, "a", place, Chosen::Number(value)), "{place}");
        }
        let cloth = &scene.cloth[0];
        assert_eq!((cloth.density, cloth.friction), (0.7, 0.2));
        assert_eq!(cloth.shape, crate::scene::ClothShape::Grid { size: [1.0, 1.0], cells: [4, 6] });
        scene.collider.push(Collider::default());
        assert!(put(&mut scene, "collider 1", "friction", Chosen::Number(0.9)));
        assert!(!put(&mut scene, "collider 1", "friction", Chosen::Number(-1.0)));
        assert_eq!(scene.collider[0].friction, 0.9);
        assert!(put(&mut scene, "b", "method", Chosen::Word(2)));
        assert_eq!(scene.rod[0].method, crate::scene::RodMethod::Jacobi);
    }

    #[test]
    fn what_the_declaration_refuses_is_not_taken_over() {
        let (mut scene, before) = (scene(), scene());
        assert!(!put(&mut scene, "a", "density", Chosen::Number(-1.0)));
        assert!(!put(&mut scene, "a", "irregular", Chosen::Number(0.5)));
        assert!(!put(&mut scene, "nobody", "density", Chosen::Number(1.0)));
        assert_eq!(scene, before);
    }

    #[test]
    fn every_body_of_every_built_in_scene_has_controls_with_units() {
        for built_in in crate::scenes::BUILT_IN {
            let mut scene = Scene::parse(built_in.text, built_in.name, "").unwrap();
            for body in scene.bodies_mut() {
                let (mut units, mut panel) = (0, 0);
                body.numbers(&mut |_, meta, _| {
                    units += usize::from(!meta.unit.is_empty());
                    panel += usize::from(meta.panel);
                });
                assert!(units > 3 && panel > 1, "{}: {}", built_in.name, body.name());
            }
        }
    }

    #[test]
    fn titles_are_the_words_of_the_file() {
        let titles =
            ["youngs_modulus", "fabric.weft_modulus", "bending_stiffness", "area_compliance"].map(title);
        assert_eq!(titles, ["youngs modulus", "weft modulus", "bending stiffness", "area compliance"]);
    }
}
