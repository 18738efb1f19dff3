//! `sinew plan`: through a curtain or around it.

use crate::program::Place;

/// A wall from the side of a room almost to the other, and a curtain in its doorway.
const SCENE: &str = r#"
format = 1
substeps = 4
damping = 0.5

[[cloth]]
name = "curtain"
grid = { size = [1.2, 1.8], cells = [6, 9] }
position = [3, 1.0, 1.2]
rotation = [0, 90, 0]
density = 0.3
[[cloth.pin]]
edge = "top"

[[collider]]
name = "wall by the door"
box = { size = [0.1, 1.9, 0.6] }
position = [3, 0.95, 0.25]

[[collider]]
name = "long wall"
box = { size = [0.1, 1.9, 1.4] }
position = [3, 0.95, 2.55]
"#;

const ROOM: &str = r#"
format = 1
scene = "scene.toml"
[robot]
radius = 0.22
height = 1.0
speed = 1.0
[plan]
low = [0, 0]
high = [6, 4]
soft = ["curtain"]
trade_off = 0.1
samples = 200
neighbours = 10
directions = 4
offsets = 3
settle = 0.2
"#;

/// Metres, and joules times metres, of the path that was found.
fn path(said: &str) -> [f64; 2] {
    let line = said.lines().find(|line| line.contains("through soft bodies, cost")).expect(said);
    let mut numbers = line.split([' ', ',']).filter_map(|word| word.parse().ok());
    [numbers.next().unwrap(), numbers.next().unwrap()]
}

#[test]
fn a_robot_goes_through_a_curtain_if_that_is_cheaper_than_the_way_around() {
    let place = Place::new();
    place.write("scene.toml", SCENE);
    place.write("room.toml", ROOM);
    place.fail("plan room.toml --from 1,1.2 --to 5,1.2", &["--costs", "--precompute"]);
    place.succeed("plan room.toml --precompute costs --backend cpu");
    let plan = "plan room.toml --costs costs --from 1,1.2 --to 5,1.2";
    let straight = place.succeed(&format!("{plan} --csv path.csv --png plan.png")).out;
    let [length, energy] = path(&straight);
    assert!(length < 5.0 && energy > 0.01, "{straight}");
    assert!(place.text("path.csv").starts_with("distance,x,z,cost\n0,1,1.2,0\n"));
    let around = place.succeed(&format!("{plan} --trade-off 0.999")).out;
    let [length, energy] = path(&around);
    assert!(length > 5.5 && energy == 0.0, "{around}");
    place.fail("plan room.toml --costs costs --from 3,0.2 --to 5,1.2", &["wall by the door", "free place"]);
    place.fail("plan room.toml --costs costs --from 1,1.2 --to 50,1.2", &["goal", "outside of the floor"]);
    // Costs belong to one body, robot and grid.
    place.write("room.toml", ROOM.replace("radius = 0.22", "radius = 0.3"));
    place.fail(plan, &["costs"]);
}
