//! Bodies of clusters of every kind, stretched and twisted, that flow.

use super::{Add, TOLERANCE};

pub fn clusters(add: Add) {
    add(
        "clusters that flow".into(),
        scene("radius = 0.15, compliance = 2e-6, plastic = { limit = 0.01, rate = 300 }"),
        1,
        TOLERANCE,
    );
    let gradient = "mode = \"linear\", rotation = \"gradient\", radius = 0.2, compliance = 2e-6";
    add("linear clusters".into(), scene(gradient), 1, TOLERANCE);
    add("quadratic clusters".into(), scene("mode = \"quadratic\", radius = 0.25"), 1, TOLERANCE);
}

fn scene(clusters: &str) -> String {
    format!(
        r#"
format = 1
substeps = 8
iterations = 3
[[solid]]
box = {{ size = [0.6, 0.3, 0.2], cells = [6, 3, 2] }}
start = {{ stretch = [1.4, 0.7, 1.2], twist = 70 }}
rotation = [30, 50, 20]
velocity = [0.3, -1, 0.4]
clusters = {{ {clusters} }}
[[solid.pin]]
indices = [0, 5]
"#
    )
}
