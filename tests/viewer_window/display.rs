//! A display without a screen, for as long as a test needs it.

use std::io::BufRead;
use std::process::{Child, Command, Stdio};

/// An X server that draws into memory; it ends with this.
pub struct Display {
    server: Child,
    /// What `DISPLAY` must be, as `:99`.
    pub name: String,
}

impl Display {
    /// Starts a server on a number that nobody uses.
    pub fn open() -> Self {
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut server = server.unwrap_or_else(|error| {
            panic!(
                "tests of the window need Xvfb, and it did not start ({error}); scripts/test.sh installs it \
                 and runs all tests"
            )
        });
        let mut number = String::new();
        let output = server.stdout.take().expect("the output is piped");
        std::io::BufReader::new(output).read_line(&mut number).expect("Xvfb says its number");
        let number = number.trim();
        assert!(!number.is_empty(), "Xvfb ended without a display; scripts/test.sh installs what it needs");
        Self { server, name: format!(":{number}") }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // A server that is gone already needs no ending.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
