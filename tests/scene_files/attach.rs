//! Attachments and seams in scene files.

use sinew::scene::Scene;

/// Two bodies and an attachment, whose last lines a case replaces.
const JOINED: &str = "format = 1\n[[cloth]]\nname = \"sheet\"\ngrid = { size = [1, 1], cells = [2, 2] }\n\
    [[points]]\nname = \"ball\"\npoints = [[0, 0, 0.5]]\nmass = 1\n[[attach]]\n";

#[test]
fn attachments_and_seams_that_join_nothing_are_refused_with_their_cure() {
    let ends = "a = { body = \"ball\" }\nb = { body = \"sheet\" }\n";
    let cases = [
        (
            "a = { body = \"bal\" }\nb = { body = \"sheet\" }",
            "10: attach 1: a: `body` is \"bal\", and no body has that name; did you mean `ball`?",
        ),
        ("a = { body = \"ball\" }", "9: attach 1: missing key `b`"),
        (
            "a = { body = \"ball\", box = { min = [5, 5, 5], max = [6, 6, 6] } }\nb = { body = \"sheet\" }",
            "10: attach 1: a: `box` contains no particle; the body starts within [0, 0, 0.5] to [0, 0, 0.5]",
        ),
        (
            "a = { body = \"ball\", edge = \"top\" }\nb = { body = \"sheet\" }",
            "10: attach 1: a: `edge` needs a grid or a disc; use `indices`, `box` or `nearest`",
        ),
        (
            "a = { body = \"sheet\", edge = \"top\", at = [0, 0, 0] }\nb = { body = \"ball\" }",
            "10: attach 1: a: `at` is a point of its own; select particles, or give `at`",
        ),
        (
            "a = { body = \"sheet\", edge = \"top\" }\nb = { body = \"sheet\" }",
            "11: attach 1: `b` is the same body as `a`, whose nearest points are its own; select particles in `b`",
        ),
        (
            "a = { body = \"sheet\", indices = [3] }\nb = { body = \"sheet\", indices = [3] }",
            "11: attach 1: `b` joins particle 3 to itself",
        ),
        (
            &format!("{ends}within = 0.1"),
            "12: attach 1: `within` finds nothing: the nearest points start 0.5 m apart; allow at least that",
        ),
        (&format!("{ends}within = nan"), "12: attach 1: `within` is NaN m; it must be 0 or more"),
        (&format!("{ends}compliance = -1"), "12: attach 1: `compliance` is -1 m/N; it must be 0 or more"),
        (
            &format!("{ends}damping = 3"),
            "12: attach 1: `damping` damps a spring, and this attachment is rigid; give it a `compliance`",
        ),
        (&format!("{ends}break_force = 0"), "12: attach 1: `break_force` is 0 N; it must be greater than 0"),
        (
            "a = { body = \"sheet\", edge = \"top\" }\nb = { body = \"ball\" }\nby = \"order\"",
            "12: attach 1: `by` joins 3 points with 1; select as many, or use \"nearest\"",
        ),
        (
            &format!("{ends}[[seam]]\na = {{ body = \"sheet\", edge = \"top\" }}\nb = {{ body = \"ball\" }}"),
            "13: seam 1: `a` and `b` are 3 and 1 particles; a seam needs at least two of each",
        ),
        (
            &format!(
                "{ends}[[seam]]\na = {{ body = \"sheet\", edge = \"top\" }}\nb = {{ body = \"sheet\", edge = \"top\" }}"
            ),
            "14: seam 1: `b` is the same row of particles as `a`",
        ),
        (
            &format!(
                "name = \"x\"\n{ends}[[seam]]\nname = \"x\"\na = {{ body = \"sheet\", edge = \"top\" }}\nb = {{ body = \"sheet\", edge = \"left\" }}"
            ),
            "14: seam 1: `name` is `x`, which is also the name of attach 1; names must differ",
        ),
    ];
    for (lines, wanted) in cases {
        let text = format!("{JOINED}{lines}\n");
        let error = Scene::parse(&text, "test.toml", "").unwrap_err().to_string();
        assert_eq!(error, format!("test.toml:{wanted}"), "{text}");
    }
}

#[test]
fn attachments_are_written_as_they_were_read() {
    let text = format!(
        "{JOINED}name = \"peg\"\na = {{ body = \"ball\", at = [0, 0, 0.4] }}\nb = {{ body = \"sheet\", edge = \"top\" }}\n\
         compliance = 1e-3\nrelease = 2.0\n[[seam]]\na = {{ body = \"sheet\", edge = \"left\" }}\n\
         b = {{ body = \"sheet\", edge = \"right\" }}\nreverse = true\n"
    );
    let scene = Scene::parse(&text, "test.toml", "").unwrap();
    assert_eq!((scene.attach.len(), scene.seam.len()), (1, 1));
    let written = scene.to_toml().unwrap();
    assert_eq!(Scene::parse(&written, "written.toml", "").unwrap(), scene, "{written}");
}
