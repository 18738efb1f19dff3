//! A model that was cut: made anew, from the geometry that the cuts leave.

use crate::model::{Model, ModelError, Source};
use crate::scene::Cut;

impl Model {
    /// The model that cuts make of this one, each by the numbers that those before it leave.
    pub fn cut(&self, cuts: &[Cut]) -> Result<Self, ModelError> {
        self.made_of(self.source.cut(cuts)?)
    }

    /// The model that the scene began with, and these cuts.
    pub fn with_journal(&self, journal: &[Cut]) -> Result<Self, ModelError> {
        self.made_of(self.source.whole().cut(journal)?)
    }

    fn made_of(&self, source: Source) -> Result<Self, ModelError> {
        let mut model = super::model(source)?;
        // Gravity and wind may have been changed since.
        model.settings = self.settings.clone();
        Ok(model)
    }
}
