// What the shaders that make values for colours are told.
struct Values {
    particle_count: u32,
    element_count: u32,
    sheet_count: u32,           // elements that are triangles of sheets; they come first
    mode: u32,                  // of strains: 0 weft, 1 warp, 2 shear, 3 the largest of any element; of `value_gather`: see there
    held_count: u32,            // `element_values` are of constraints and sheets, then of
    tet_count: u32,             // tetrahedra,
    segment_count: u32,         // segments of rods,
    joint_count: u32,           // and joints of rods
}

const NOBODY = 0xffffffffu;     // a particle that an element does not have
