// What the shaders that make values for colours are told.
struct Values {
    particle_count: u32,
    element_count: u32,
    sheet_count: u32,           // elements that are triangles of sheets; they come first
    mode: u32,                  // 0 weft, 1 warp, 2 shear, 3 the largest strain of any element
}
