//! Moments of triangles and tetrahedra: how they go along with the deformation, and what forces on the corners that makes.
//!
//!   W = −m·B        f_c = −∂W/∂x_c        F = Σ (x_c − x₀) ⊗ g_c
//!
//! m = R m₀ of the rotation in F = R S: a change of F turns it by ω, and δW = −ω·T with the torque T = m × B. Of a tetrahedron
//!
//!   (tr S − S) Rᵀω = Σ g_c × Rᵀδx_c        f_c = R [(tr S − S)⁻¹ RᵀT × g_c]
//!
//! Of a triangle S is of two rows, and its normal n turns with its plane; h_c is the gradient of the barycentric coordinate in the plane as it is:
//!
//!   f_c = (T·n/tr S) R (g_c turned by a right angle) + n (h_c · (n × T))
//!
//! m = F m₀, where that is asked for: f_c = (m₀·g_c) B, and of the normal part of a triangle, which stays as long as it is, −m₀₃ n (h_c·B). Either way the forces
//! add up to none and their torques to T. The pull of an uneven field, ∇(m·B), is shared by the corners.

use crate::math::{Mat3, Quat, Real, Vec3};
use crate::solids::rotation::{SMALLEST, extract};

/// The last corner of a triangle.
pub const NO_CORNER: u32 = u32::MAX;
/// Records of `soft_rest` and `soft_places` for each cell.
pub const REST: usize = 4;
pub const PLACES: usize = 3;
/// tr S − S counts as flat below this determinant, for S of size 1.
const FLAT: f64 = 1e-6;

/// A cell as it is at rest.
pub struct Rest<R> {
    pub gradients: [Vec3<R>; 3],
    /// [A m²].
    pub moment: Vec3<R>,
    /// Whether the moment goes with F.
    pub stretches: bool,
}

/// A triangle as it is deformed.
struct Sheet<R> {
    /// Columns of F.
    axes: [Vec3<R>; 2],
    normal: Vec3<R>,
    /// Columns of R.
    turned: [Vec3<R>; 2],
    trace: R,
    /// Columns of F C⁻¹: h_c = Σ of these times g_c.
    dual: [Vec3<R>; 2],
}

impl<R: Real> Sheet<R> {
    /// Nothing if it is flat to a line.
    #[inline(always)]
    fn new(rest: &Rest<R>, [d, e, _]: [Vec3<R>; 3]) -> Option<Self> {
        let [g, h, _] = rest.gradients;
        let (a, b) = (d * g.x + e * h.x, d * g.y + e * h.y);
        let across = a.cross(b);
        let j = across.length();
        if j == R::ZERO {
            return None;
        }
        let (aa, ab, bb) = (a.dot(a), a.dot(b), b.dot(b));
        let trace = (aa + bb + j + j).sqrt();
        // R = F S⁻¹ = F (C + J)⁻¹ tr S, and det(C + J) = J (tr S)².
        let share = R::ONE / (j * trace);
        let turned = [(a * (bb + j) - b * ab) * share, (b * (aa + j) - a * ab) * share];
        let square = R::ONE / (j * j);
        let dual = [(a * bb - b * ab) * square, (b * aa - a * ab) * square];
        Some(Self { axes: [a, b], normal: across / j, turned, trace, dual })
    }

    #[inline(always)]
    fn moment(&self, rest: &Rest<R>) -> Vec3<R> {
        let [a, b] = if rest.stretches { self.axes } else { self.turned };
        a * rest.moment.x + b * rest.moment.y + self.normal * rest.moment.z
    }

    #[inline(always)]
    fn corner(&self, rest: &Rest<R>, g: Vec3<R>, field: Vec3<R>) -> Vec3<R> {
        let h = self.dual[0] * g.x + self.dual[1] * g.y;
        let n = self.normal;
        if rest.stretches {
            return field * (rest.moment.x * g.x + rest.moment.y * g.y) - n * (rest.moment.z * h.dot(field));
        }
        let torque = self.moment(rest).cross(field);
        let within = (self.turned[1] * g.x - self.turned[0] * g.y) * (torque.dot(n) / self.trace);
        within + n * h.dot(n.cross(torque))
    }
}

#[inline(always)]
fn gradient<R: Real>(rest: &Rest<R>, [d, e, f]: [Vec3<R>; 3]) -> Mat3<R> {
    let [g, h, i] = rest.gradients;
    let column = |pick: fn(Vec3<R>) -> R| d * pick(g) + e * pick(h) + f * pick(i);
    Mat3::new(column(|v| v.x), column(|v| v.y), column(|v| v.z))
}

#[inline(always)]
fn unturned<R: Real>() -> Quat<R> {
    Quat { x: R::ZERO, y: R::ZERO, z: R::ZERO, w: R::ONE }
}

/// The moment in the world, and the rotation of a tetrahedron; `edges` lead from the first corner to the others.
#[inline(always)]
pub fn moment<R: Real>(rest: &Rest<R>, edges: [Vec3<R>; 3], is_sheet: bool) -> (Vec3<R>, Quat<R>) {
    if is_sheet {
        let moment = Sheet::new(rest, edges).map_or(Vec3::ZERO, |sheet| sheet.moment(rest));
        return (moment, unturned());
    }
    let f = gradient(rest, edges);
    if rest.stretches {
        return (f.apply(rest.moment), unturned());
    }
    let [g, h, i] = rest.gradients;
    let (turn, _) = extract(f, [-(g + h + i), g, h, i], SMALLEST, unturned(), 0);
    (turn.rotate(rest.moment), turn)
}

/// The forces on corners 1 to 3 in a field [N]; that on the first is what makes their sum nothing.
#[inline(always)]
pub fn forces<R: Real>(
    rest: &Rest<R>,
    edges: [Vec3<R>; 3],
    is_sheet: bool,
    turn: Quat<R>,
    field: Vec3<R>,
) -> [Vec3<R>; 3] {
    if is_sheet {
        let Some(sheet) = Sheet::new(rest, edges) else { return [Vec3::ZERO; 3] };
        let [g, h, _] = rest.gradients;
        return [sheet.corner(rest, g, field), sheet.corner(rest, h, field), Vec3::ZERO];
    }
    if rest.stretches {
        return rest.gradients.map(|g| field * rest.moment.dot(g));
    }
    let axes = turn.matrix();
    let s = axes.transposed_times(gradient(rest, edges));
    let size = s.x.x + s.y.y + s.z.z;
    let scale = R::ONE / size.abs().max(R::of(1e-30));
    let half = R::of(-0.5);
    let (xx, yy, zz) = (size - s.x.x, size - s.y.y, size - s.z.z);
    let (xy, yz, zx) = ((s.x.y + s.y.x) * half, (s.y.z + s.z.y) * half, (s.z.x + s.x.z) * half);
    let cofactors = Mat3::new(
        Vec3::new(yy * zz - yz * yz, yz * zx - xy * zz, xy * yz - zx * yy),
        Vec3::new(yz * zx - xy * zz, xx * zz - zx * zx, xy * zx - yz * xx),
        Vec3::new(xy * yz - zx * yy, xy * zx - yz * xx, xx * yy - xy * xy),
    );
    let determinant = xx * cofactors.x.x + xy * cofactors.x.y + zx * cofactors.x.z;
    if (determinant * scale * scale * scale).abs() < R::of(FLAT) {
        return [Vec3::ZERO; 3];
    }
    let torque = axes.apply_transposed(turn.rotate(rest.moment).cross(field));
    let y = cofactors.apply(torque) / determinant;
    rest.gradients.map(|g| axes.apply(y.cross(g)))
}
