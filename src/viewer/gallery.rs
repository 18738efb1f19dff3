//! The built-in scenes with their thumbnails.

use super::Opened;
use super::state::Viewer;
use super::thumbnails;
use crate::scenes::{BUILT_IN, BuiltIn, GROUPS, opening};
use egui::{Color32, Context, Sense, TextureHandle, Ui, Vec2};
use std::collections::HashMap;
use std::path::Path;

/// Size of a thumbnail in the window, in points.
const SHOWN: Vec2 = Vec2::new(208.0, 130.0);

/// The thumbnails that have been shown so far.
#[derive(Default)]
pub struct Gallery {
    /// What names and descriptions have to contain.
    search: String,
    /// A file to open.
    file: String,
    pictures: HashMap<&'static str, Option<TextureHandle>>,
}

impl Gallery {
    /// The thumbnail of a scene, if it has one.
    fn picture(&mut self, ctx: &Context, name: &'static str) -> Option<&TextureHandle> {
        let load = || {
            let image = thumbnails::find(name)?;
            Some(ctx.load_texture(name, image, egui::TextureOptions::LINEAR))
        };
        self.pictures.entry(name).or_insert_with(load).as_ref()
    }
}

/// The gallery over the picture; a click opens a scene.
pub fn show(viewer: &mut Viewer, ctx: &Context) {
    if !viewer.show_gallery {
        return;
    }
    let mut chosen: Option<&'static BuiltIn> = None;
    let area = viewer.picture.shrink(28.0);
    let columns = ((area.width() / (SHOWN.x + 26.0)) as usize).clamp(1, 4);
    let wanted = viewer.gallery.search.to_lowercase();
    let found: Vec<&'static BuiltIn> = BUILT_IN.iter().filter(|scene| matches(scene, &wanted)).collect();
    let rows = BUILT_IN.len().div_ceil(columns);
    let mut open = true;
    egui::Window::new("Scenes")
        .anchor(egui::Align2::CENTER_CENTER, viewer.picture.center() - ctx.content_rect().center())
        .collapsible(false)
        .resizable(false)
        .open(&mut open)
        .min_height((area.height() - 60.0).min(rows as f32 * (SHOWN.y + 78.0) + 40.0))
        .show(ctx, |ui| {
            ui.label("Rods, nets, cloth, chains and soft solids, solved on the GPU or the CPU. Pick one and pull it with the mouse.");
            ui.horizontal(|ui| {
                let hint = "search: cloth, rope, wind …";
                ui.add(egui::TextEdit::singleline(&mut viewer.gallery.search).hint_text(hint).desired_width(180.0));
                if found.len() < BUILT_IN.len() {
                    ui.weak(format!("{} of {}", found.len(), BUILT_IN.len()));
                }
                ui.separator();
                let hint = "my_scene.toml, or drop a file";
                let line = egui::TextEdit::singleline(&mut viewer.gallery.file).hint_text(hint);
                let entered = ui.add(line.desired_width(200.0)).lost_focus();
                let entered = entered && ui.input(|input| input.key_pressed(egui::Key::Enter));
                let file = viewer.gallery.file.trim().to_owned();
                if (ui.button("Open").clicked() || entered) && !file.is_empty() {
                    viewer.open_file(Path::new(&file));
                }
            });
            ui.add_space(6.0);
            // As wide as the window: the wheel scrolls beside the cards too.
            let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
            scroll.max_height((area.height() - 118.0).max(120.0)).show(ui, |ui| {
                viewer.filling = ui.clip_rect();
                for group in GROUPS {
                    let scenes: Vec<_> = found.iter().copied().filter(|scene| scene.group() == group).collect();
                    if scenes.is_empty() {
                        continue;
                    }
                    ui.strong(group);
                    egui::Grid::new(group).num_columns(columns).spacing([14.0, 14.0]).show(ui, |ui| {
                        for (k, scene) in scenes.into_iter().enumerate() {
                            if card(viewer, ui, scene) {
                                chosen = Some(scene);
                            }
                            if (k + 1) % columns == 0 {
                                ui.end_row();
                            }
                        }
                    });
                    ui.add_space(10.0);
                }
            });
        });
    viewer.filling = egui::Rect::EVERYTHING;
    if !open {
        viewer.show_gallery = false;
    }
    if let Some(built_in) = chosen {
        match built_in.load() {
            Ok(scene) => viewer.open(Opened { name: built_in.name.into(), scene, file: None }),
            Err(error) => viewer.error = Some(error.to_string()),
        }
    }
}

/// Whether a scene has all words in its name, its description or its kinds of bodies.
fn matches(scene: &BuiltIn, wanted: &str) -> bool {
    const KINDS: [&str; 7] = ["cloth", "rod", "net", "solid", "rigid", "points", "wind"];
    let name = scene.name.replace('_', " ");
    let mut text = format!("{name} {}", scene.summary()).to_lowercase();
    for kind in KINDS {
        if scene.text.contains(&format!("[{kind}]")) {
            text += " ";
            text += kind;
        }
    }
    wanted.split_whitespace().all(|word| text.contains(word))
}

/// One scene: picture, name and what it shows. Returns whether it was clicked.
fn card(viewer: &mut Viewer, ui: &mut Ui, scene: &BuiltIn) -> bool {
    let height = SHOWN.y + 64.0;
    let (rect, response) = ui.allocate_exact_size(Vec2::new(SHOWN.x, height), Sense::click());
    viewer.mark(&format!("scene {}", scene.name), rect);
    let visuals = ui.style().interact(&response);
    let (fill, stroke) = (ui.visuals().extreme_bg_color, visuals.bg_stroke);
    ui.painter().rect(rect, 6.0, fill, stroke, egui::StrokeKind::Outside);
    let picture = egui::Rect::from_min_size(rect.min, SHOWN);
    ui.painter().rect_filled(picture, 4.0, Color32::from_gray(24));
    match viewer.gallery.picture(ui.ctx(), scene.name) {
        Some(texture) => {
            egui::Image::from_texture((texture.id(), SHOWN)).corner_radius(4.0).paint_at(ui, picture);
        }
        None => {
            let (font, colour) = (egui::FontId::proportional(17.0), Color32::from_gray(150));
            let name = scene.name.replace('_', " ");
            ui.painter().text(picture.center(), egui::Align2::CENTER_CENTER, name, font, colour);
        }
    }
    let text = egui::Rect::from_min_max(picture.left_bottom(), rect.max).shrink2(Vec2::new(8.0, 5.0));
    let layout = egui::Layout::top_down(egui::Align::Min);
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(text).layout(layout));
    inner.shrink_clip_rect(text);
    inner.style_mut().interaction.selectable_labels = false;
    inner.strong(scene.name.replace('_', " "));
    inner.label(egui::RichText::new(scene.summary()).small());
    // What a card has no room for, and what to try.
    response.on_hover_text(opening(scene.text)).clicked()
}

/// Opens a scene file that was dropped onto the window.
pub fn take_dropped(viewer: &mut Viewer, ctx: &Context) {
    let dropped = ctx.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_owned()));
    if let Some(path) = dropped {
        viewer.open_file(&path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_found_by_name_kind_and_description() {
        let found = |wanted: &str| {
            let scenes = BUILT_IN.iter().filter(|scene| matches(scene, wanted));
            scenes.map(|scene| scene.name).collect::<Vec<_>>()
        };
        assert_eq!(found("").len(), BUILT_IN.len());
        assert!(found("flag").contains(&"flag"));
        assert!(found("solid").contains(&"twisted_bar") && !found("solid").contains(&"flag"));
        assert_eq!(found("cloth sphere nothing"), [""; 0]);
    }

    #[test]
    fn every_scene_is_in_a_group_of_the_gallery() {
        for scene in BUILT_IN {
            assert!(GROUPS.contains(&scene.group()), "{}: {}", scene.name, scene.group());
            assert!(opening(scene.text).contains("\nTry: "), "{}", scene.name);
        }
        let group = |name: &str| crate::scenes::find(name).map(BuiltIn::group);
        assert_eq!(group("flag"), Some("Cloth"));
        assert_eq!(group("hammock"), Some("Together"));
        assert_eq!(group("compass"), Some("Magnets"));
        assert!(GROUPS.iter().all(|group| BUILT_IN.iter().any(|scene| scene.group() == *group)));
    }
}
