//! Input from a file instead of a user, so that tests can do what users do.
//!
//! One action a line; lengths in points from the window's top left, `#` begins a comment:
//!
//!   wait frames N | steps N          until so many frames or steps later
//!   wait loaded | error | no error   for a scene, a message, the end of a message
//!   wait settled             until all input so far has been obeyed and can be seen
//!   key NAME                 press a key, by egui's name: Space, Period, R, F1
//!   move WHERE               move the cursor; WHERE is `x y` or the name of a control, as `wind`, once it is there
//!   press WHERE, release     the left button
//!   click WHERE              both
//!   drag WHERE dx dy         press and move, without releasing
//!   wheel WHERE amount       scroll
//!   hold Ctrl | Shift | nothing   keys that stay down
//!   resize w h               the window; 0 0 minimises it
//!   screenshot FILE          the whole window as PNG
//!   save FILE                the scene as it runs
//!   copy FROM TO             replace a file, as an editor does
//!   lose device              as a driver that resets it
//!   print                    a line of JSON about the state to standard output
//!   print status             the same without measures of the state, at once, even in the middle of a step
//!   quit

use super::ViewerError;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Frames that a drag takes.
const DRAG_FRAMES: u32 = 8;
/// How long an action may wait before the script fails.
const PATIENCE: Duration = Duration::from_secs(180);
/// How far inside the part that can be seen a control has to be, in points.
const EDGE: f32 = 10.0;
/// Most that is scrolled at once, in points.
const MOST_SCROLL: f32 = 20_000.0;
/// Time between two frames in the eyes of egui [s].
const FRAME_SECONDS: f64 = 1.0 / 60.0;
/// Frames after which egui has passed on what it was told.
const INPUT_FRAMES: u32 = 2;

#[derive(Clone, Debug, PartialEq)]
enum Where {
    At(Pos2),
    Control(String),
}

#[derive(Clone, Debug, PartialEq)]
enum Action {
    Frames(u32),
    Steps(u64),
    Loaded,
    Error(bool),
    Settled,
    Key(Key),
    Move(Where),
    MoveBy(Vec2),
    Press,
    Release,
    Wheel(f32),
    Hold(Modifiers),
    Ask(Ask),
}

/// What a script wants of the window itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    Resize(u32, u32),
    Screenshot(PathBuf),
    Copy(PathBuf, PathBuf),
    LoseDevice,
    Save(String),
    Print,
    PrintStatus,
    /// Whether everything sent to the simulation has been obeyed.
    Echo,
    Quit,
}

/// What a script may wait for.
pub struct Progress {
    pub steps: u64,
    pub loaded: bool,
    pub error: bool,
    /// The answer to [`Ask::Echo`] has come.
    pub echoed: bool,
    /// Nothing that a script asked for is still under way.
    pub idle: bool,
}

/// A script under way.
pub struct Script {
    file: PathBuf,
    actions: Vec<(usize, Action)>,
    next: usize,
    frames: u32,
    /// Frames drawn since an echo came.
    settled: u32,
    /// Steps when the present action began to wait.
    steps: Option<u64>,
    cursor: Pos2,
    held: Modifiers,
    /// Where a control was that has to be scrolled to.
    scrolled: Option<Rect>,
    /// What egui takes for the time [s].
    time: f64,
    since: Instant,
}

impl Script {
    pub fn load(file: &Path) -> Result<Self, ViewerError> {
        let error = |line: usize, problem: String| ViewerError::Script { file: file.into(), line, problem };
        let text = std::fs::read_to_string(file).map_err(|problem| error(0, problem.to_string()))?;
        let mut actions = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            let parsed = parse(&words).ok_or_else(|| error(index + 1, format!("cannot do `{line}`")))?;
            actions.extend(parsed.into_iter().map(|action| (index + 1, action)));
        }
        Ok(Self {
            file: file.to_owned(),
            actions,
            next: 0,
            frames: 0,
            settled: 0,
            steps: None,
            cursor: Pos2::ZERO,
            held: Modifiers::NONE,
            scrolled: None,
            time: 0.0,
            since: Instant::now(),
        })
    }

    /// Feeds the input of a frame and returns what else is asked for. A script that has ended asks to quit.
    pub fn play(
        &mut self,
        progress: &Progress,
        controls: &HashMap<String, [Rect; 2]>,
        input: &mut RawInput,
    ) -> Result<Option<Ask>, ViewerError> {
        let Some((line, action)) = self.actions.get(self.next).cloned() else { return Ok(Some(Ask::Quit)) };
        let failed = |problem: String| ViewerError::Script { file: self.file.clone(), line, problem };
        // egui's own time goes by frames, so that a click on a loaded machine is no long press.
        self.time += FRAME_SECONDS;
        input.time = Some(self.time);
        if self.since.elapsed() > PATIENCE {
            return Err(failed("waited for three minutes in vain".into()));
        }
        if !progress.idle {
            return Ok(None);
        }
        let held = self.held;
        let button = |cursor, pressed| Event::PointerButton {
            pos: cursor,
            button: PointerButton::Primary,
            pressed,
            modifiers: held,
        };
        let mut ask = None;
        let done = match action {
            Action::Frames(count) => {
                self.frames += 1;
                self.frames >= count
            }
            Action::Steps(count) => {
                let start = *self.steps.get_or_insert(progress.steps);
                progress.steps >= start + count || progress.steps < start
            }
            Action::Loaded => progress.loaded,
            Action::Error(wanted) => progress.error == wanted,
            // Input becomes commands within two frames; what they did is shown in the frame after their echo.
            Action::Settled => {
                self.frames += 1;
                if self.frames == INPUT_FRAMES {
                    ask = Some(Ask::Echo);
                } else if self.frames > INPUT_FRAMES && progress.echoed && progress.loaded {
                    self.settled += 1;
                }
                self.settled > 0
            }
            Action::Key(key) => {
                for pressed in [true, false] {
                    input.events.push(Event::Key {
                        key,
                        physical_key: None,
                        pressed,
                        repeat: false,
                        modifiers: Modifiers::NONE,
                    });
                }
                true
            }
            Action::Move(place) => {
                self.cursor = match place {
                    Where::At(place) => place,
                    Where::Control(name) => match controls.get(&name) {
                        // Scrolls as a user does, and looks again when that has come to rest.
                        Some([rect, seen]) => {
                            let before = self.scrolled.replace(*rect);
                            if before.is_some_and(|before| before != *rect) {
                                return Ok(None);
                            }
                            if !seen.shrink(EDGE).contains(rect.center()) {
                                let away = seen.center().y - rect.center().y;
                                input.events.push(Event::PointerMoved(seen.center()));
                                input.events.push(wheel(away.clamp(-MOST_SCROLL, MOST_SCROLL)));
                                return Ok(None);
                            }
                            rect.center()
                        }
                        // It may be on its way.
                        None if self.since.elapsed() < PATIENCE / 2 => return Ok(None),
                        None => {
                            let mut names: Vec<&str> = controls.keys().map(String::as_str).collect();
                            names.sort_unstable();
                            let names = names.join(", ");
                            return Err(failed(format!("no control `{name}` in sight; there are: {names}")));
                        }
                    },
                };
                input.events.push(Event::PointerMoved(self.cursor));
                true
            }
            Action::MoveBy(step) => {
                self.cursor += step;
                input.events.push(Event::PointerMoved(self.cursor));
                true
            }
            Action::Press => {
                input.events.push(button(self.cursor, true));
                true
            }
            Action::Release => {
                input.events.push(button(self.cursor, false));
                true
            }
            Action::Wheel(amount) => {
                input.events.push(wheel(amount));
                true
            }
            Action::Hold(modifiers) => {
                self.held = modifiers;
                input.events.push(Event::ModifiersChanged(modifiers));
                true
            }
            Action::Ask(asked) => {
                ask = Some(asked);
                true
            }
        };
        if done {
            self.next += 1;
            self.frames = 0;
            self.settled = 0;
            self.scrolled = None;
            self.steps = None;
            self.since = Instant::now();
        }
        Ok(ask)
    }
}

fn wheel(amount: f32) -> Event {
    Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: Vec2::new(0.0, amount),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    }
}

fn parse(words: &[&str]) -> Option<Vec<Action>> {
    let (name, rest) = match words {
        [] => return Some(Vec::new()),
        [name, rest @ ..] => (*name, rest),
    };
    let ask = |ask| Some(vec![Action::Ask(ask)]);
    match (name, rest) {
        ("wait", ["frames", count]) => Some(vec![Action::Frames(count.parse().ok()?)]),
        ("wait", ["steps", count]) => Some(vec![Action::Steps(count.parse().ok()?)]),
        ("wait", ["loaded"]) => Some(vec![Action::Loaded]),
        ("wait", ["error"]) => Some(vec![Action::Error(true)]),
        ("wait", ["no", "error"]) => Some(vec![Action::Error(false)]),
        ("wait", ["settled"]) => Some(vec![Action::Settled]),
        ("key", [key]) => Some(vec![Action::Key(Key::from_name(key)?)]),
        ("move", place) => Some(vec![Action::Move(whither(place)?)]),
        ("press", place) => Some(vec![Action::Move(whither(place)?), Action::Press]),
        ("release", []) => Some(vec![Action::Release]),
        // A control has to be under the cursor for a frame before it takes a click.
        ("click", place) => {
            let place = Action::Move(whither(place)?);
            Some(vec![place, Action::Frames(1), Action::Press, Action::Release])
        }
        ("drag", [place @ .., dx, dy]) => {
            let by = Vec2::new(dx.parse().ok()?, dy.parse().ok()?) / DRAG_FRAMES as f32;
            let mut actions = vec![Action::Move(whither(place)?), Action::Frames(1), Action::Press];
            actions.extend((0..DRAG_FRAMES).map(|_| Action::MoveBy(by)));
            Some(actions)
        }
        ("wheel", [place @ .., amount]) => {
            Some(vec![Action::Move(whither(place)?), Action::Frames(1), Action::Wheel(amount.parse().ok()?)])
        }
        ("hold", ["Ctrl"]) => Some(vec![Action::Hold(Modifiers::CTRL | Modifiers::COMMAND)]),
        ("hold", ["Shift"]) => Some(vec![Action::Hold(Modifiers::SHIFT)]),
        ("hold", ["nothing"]) => Some(vec![Action::Hold(Modifiers::NONE)]),
        ("resize", [w, h]) => ask(Ask::Resize(w.parse().ok()?, h.parse().ok()?)),
        ("screenshot", [file]) => ask(Ask::Screenshot(file.into())),
        ("copy", [from, to]) => ask(Ask::Copy(from.into(), to.into())),
        ("save", [file]) => ask(Ask::Save((*file).into())),
        ("lose", ["device"]) => ask(Ask::LoseDevice),
        ("print", []) => ask(Ask::Print),
        ("print", ["status"]) => ask(Ask::PrintStatus),
        ("quit", []) => ask(Ask::Quit),
        _ => None,
    }
}

fn whither(words: &[&str]) -> Option<Where> {
    if let [x, y] = words
        && let (Ok(x), Ok(y)) = (x.parse(), y.parse())
    {
        return Some(Where::At(Pos2::new(x, y)));
    }
    (!words.is_empty()).then(|| Where::Control(words.join(" ")))
}
