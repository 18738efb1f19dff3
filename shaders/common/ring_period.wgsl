// When the rings around edges are looked at. See `src/solids/rings.rs`.

const RING_PERIOD: u32 = 16u;    // substeps from one look to the next

fn ring_is_due(clock: u32) -> bool {
    return clock % RING_PERIOD == 0u;
}
