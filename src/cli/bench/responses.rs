//! `sinew bench --table responses`: ways to respond to contact, beside each other on four scenes.

use sinew::contact::responses::compare;

/// Steps of each scene.
const STEPS: u32 = 60;
const QUICK: u32 = 20;

/// Prints the table.
pub fn print_table(quick: bool) {
    let steps = if quick { QUICK } else { STEPS };
    say!(
        "responses to contact, {steps} steps of a 600th of a second, bodies that keep their shape, f64 on the host"
    );
    say!(
        "  {:<12} {:<14} {:>13} {:>9} {:>8} {:>10} {:>10} {:>9}",
        "scene",
        "response",
        "intersections",
        "crossings",
        "depth",
        "momentum",
        "speed",
        "ms/step"
    );
    for row in compare(steps) {
        let outcome = row.outcome;
        let momentum = outcome.momentum.map_or("-".into(), |change| format!("{change:.1e}"));
        say!(
            "  {:<12} {:<14} {:>13} {:>9} {:>7.1}% {:>10} {:>10.4} {:>9.3}",
            row.scene,
            row.response,
            outcome.intersections,
            outcome.crossings,
            1e2 * outcome.depth,
            momentum,
            outcome.speed,
            row.time
        );
    }
    say!(
        "\nintersections: in the worst state    depth: of the thickness    momentum: change of the sum as a share    speed: left at the end, m/s"
    );
    say!("springs: what scenes run with    volumetric: only where surfaces enclose something");
}
