//! The TOML scene format: what the user wrote, checked.
