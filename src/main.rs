//! The `sinew` program.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
