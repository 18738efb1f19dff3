//! One renderer for the window and for PNG frames.
