//! Changes of a scene that can be taken back one by one.

use crate::scene::Scene;

/// Most changes that are kept.
const MOST: usize = 100;

/// The scene as it was before each change.
#[derive(Default)]
pub struct Undo {
    earlier: Vec<Scene>,
    present: Option<Scene>,
    /// Counts presses of buttons and keys: all that a drag changes is one change.
    presses: u64,
    /// The press to which the last change belongs.
    changed_by: u64,
}

impl Undo {
    /// Begins with a scene as it is in its file.
    pub fn begin(&mut self, scene: &Scene) {
        let presses = self.presses;
        *self = Self { present: Some(scene.clone()), presses, changed_by: presses, ..Self::default() };
    }

    pub fn press(&mut self) {
        self.presses += 1;
    }

    /// The scene is another one now.
    pub fn change(&mut self, scene: &Scene) {
        let Some(present) = self.present.as_mut().filter(|present| *present != scene) else { return };
        let before = std::mem::replace(present, scene.clone());
        if self.earlier.is_empty() || self.changed_by != self.presses {
            self.earlier.push(before);
            self.earlier.drain(..self.earlier.len().saturating_sub(MOST));
        }
        self.changed_by = self.presses;
    }

    /// The scene before the last change.
    pub fn back(&mut self) -> Option<Scene> {
        let scene = self.earlier.pop()?;
        self.present = Some(scene.clone());
        Some(scene)
    }

    pub fn is_empty(&self) -> bool {
        self.earlier.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_is_one_change() {
        let with = |damping: f64| Scene { damping, ..Scene::default() };
        let mut undo = Undo::default();
        undo.begin(&with(0.0));
        assert!(undo.back().is_none());
        for (press, damping) in [(true, 1.0), (false, 1.5), (false, 2.0), (true, 3.0)] {
            if press {
                undo.press();
            }
            undo.change(&with(damping));
        }
        undo.change(&with(3.0));
        let back: Vec<f64> = std::iter::from_fn(|| undo.back()).map(|scene| scene.damping).collect();
        assert_eq!(back, [2.0, 0.0]);
        assert!(undo.is_empty());
        // The first change after going back is kept, too.
        undo.change(&with(4.0));
        assert_eq!(undo.back().map(|scene| scene.damping), Some(0.0));
    }
}
