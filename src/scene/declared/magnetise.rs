//! The keys of cloth and solids that are magnets.

use super::super::keys::{Declared, End, Keys};
use super::super::{Follows, Magnetised};
use super::pin::selectors;
use crate::at;

impl Declared for Magnetised {
    fn declare(k: &mut Keys<Self>) {
        k.value("body", at!(body)).required().says("name of a cloth or a solid");
        k.at_most_one_of(at!(selector), selectors, &[]);
        k.value("remanence", at!(remanence))
            .within(End::At(-3.0), End::At(3.0), "from -3 to 3 T: 1 T are 10,000 gauss")
            .unit("T")
            .required()
            .says("remanent flux density, along the axes of the world, as the body is at the start");
        k.value("thickness", at!(thickness))
            .positive("m")
            .default("none")
            .says("of a sheet, which needs it: a moment is remanence × volume/μ₀");
        k.choice("follows", at!(follows), &Follows::NAMES)
            .says("what a moment turns with: `\"rotation\"`, or `\"deformation\"`, which also stretches it");
    }
}
