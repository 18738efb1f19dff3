//! The assembled matrix and its levels on sheets of two sizes, so that there are levels of every kind; with a tolerance that is met and
//! with one that is not. Blocks are among the solids.

use super::sheets::{VISCOUS, sheet};
use super::{Add, TOLERANCE};

pub fn multigrid(add: Add) {
    for integrator in ["implicit", "midpoint", "bdf2"] {
        let top = format!("integrator = \"{integrator}\"\npreconditioner = \"multigrid\"\ntime_step = 0.001");
        add(format!("sheet, multigrid, {integrator}"), sheet(&top, VISCOUS), 30, TOLERANCE);
        let loose = sheet(&top, VISCOUS).replace("tolerance = 1e-4", "tolerance = 0.5");
        add(format!("sheet, multigrid, {integrator}, done"), loose, 30, TOLERANCE);
        let fine = sheet(&top, VISCOUS).replace("cells = [8, 8]", "cells = [24, 24]");
        add(format!("fine sheet, multigrid, {integrator}"), fine, 8, TOLERANCE);
    }
}
