//! Arithmetic rounded downwards: the result to nearest, one step lower where it is above the exact
//! one. Rounding upwards and towards zero are made of these by negation.
//!
//! Decides exactly if it is above. For `f32` it computes in `f64`, where products are exact and the
//! error of a sum is known. For `f64` it uses the sign of a sum of a few terms without rounding
//! error (Shewchuk, "Adaptive precision floating-point arithmetic", 1997), scaled so that nothing
//! overflows or vanishes.

/// The sum and its rounding error (Knuth's two-sum); exact unless it overflows.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// The product and its rounding error; exact unless it over- or underflows.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, libm::fma(a, b, -product))
}

fn lower32(nearest: f32, above: bool) -> f32 {
    if above { nearest.next_down() } else { nearest }
}

fn lower64(nearest: f64, above: bool) -> f64 {
    if above { nearest.next_down() } else { nearest }
}

/// A sum that is exactly zero: -0 unless both terms are +0.
fn zero_sum(a: f64, b: f64) -> f64 {
    if a.is_sign_positive() && b.is_sign_positive() { 0.0 } else { -0.0 }
}

/// `a + b` for terms that are exact in `f64`, of which `nearest` is the rounded sum.
fn sum32(a: f64, b: f64, nearest: f32) -> f32 {
    let (sum, error) = two_sum(a, b);
    if sum == 0.0 {
        return zero_sum(a, b) as f32;
    }
    let wide = f64::from(nearest);
    lower32(nearest, wide > sum || wide == sum && error < 0.0)
}

pub(crate) fn add32(a: f32, b: f32) -> f32 {
    sum32(a.into(), b.into(), a + b)
}

/// `nearest` is `a * b + c`, rounded once.
pub(crate) fn fma32(a: f32, b: f32, c: f32, nearest: f32) -> f32 {
    sum32(f64::from(a) * f64::from(b), c.into(), nearest)
}

pub(crate) fn mul32(a: f32, b: f32) -> f32 {
    let nearest = a * b;
    lower32(nearest, f64::from(nearest) > f64::from(a) * f64::from(b))
}

pub(crate) fn div32(a: f32, b: f32) -> f32 {
    let nearest = a / b;
    let (back, a) = (f64::from(nearest) * f64::from(b), f64::from(a));
    lower32(nearest, if b.is_sign_positive() { back > a } else { back < a })
}

pub(crate) fn sqrt32(a: f32, up: bool) -> f32 {
    let nearest = a.sqrt();
    let (square, a) = (f64::from(nearest) * f64::from(nearest), f64::from(a));
    match up {
        true if square < a => nearest.next_up(),
        true => nearest,
        false => lower32(nearest, square > a),
    }
}

pub(crate) fn narrow(a: f64) -> f32 {
    lower32(a as f32, f64::from(a as f32) > a)
}

pub(crate) fn add64(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if sum == 0.0 {
        return zero_sum(a, b);
    }
    if sum == f64::INFINITY {
        return lower64(sum, a.is_finite() && b.is_finite());
    }
    // Dekker's form, which does not overflow where the sum does not.
    let (large, small) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
    lower64(sum, small - (sum - large) < 0.0)
}

/// A number as a mantissa of a size in [0.5, 1) and an exponent.
fn split(a: f64) -> (f64, i32) {
    libm::frexp(a)
}

/// The sign of the sum of all terms, which may be zero, exactly.
fn sign_of_sum(terms: [f64; 4]) -> f64 {
    let mut parts = [0.0; 4];
    for (count, &term) in terms.iter().enumerate() {
        let mut carried = term;
        for part in &mut parts[..count] {
            (carried, *part) = two_sum(carried, *part);
        }
        parts[count] = carried;
    }
    parts.into_iter().rev().find(|&part| part != 0.0).unwrap_or(0.0)
}

fn is_usual(a: f64) -> bool {
    a.is_finite() && a != 0.0
}

pub(crate) fn mul64(a: f64, b: f64) -> f64 {
    let nearest = a * b;
    if !is_usual(a) || !is_usual(b) || nearest.is_infinite() {
        return lower64(nearest, nearest == f64::INFINITY && a.is_finite() && b.is_finite());
    }
    let ((a, i), (b, j)) = (split(a), split(b));
    let (product, error) = two_product(a, b);
    let scaled = libm::scalbn(nearest, -(i + j));
    lower64(nearest, sign_of_sum([product, error, -scaled, 0.0]) < 0.0)
}

/// Compares `a * b`, of usual numbers, with `c`, of like size: less (-1), equal (0) or more (1).
fn compare_product(a: f64, b: f64, c: f64) -> f64 {
    let ((a, i), (b, j), (c, k)) = (split(a), split(b), split(c));
    let (product, error) = two_product(a, b);
    sign_of_sum([product, error, -libm::scalbn(c, k - i - j), 0.0])
}

pub(crate) fn div64(a: f64, b: f64) -> f64 {
    let nearest = a / b;
    if !is_usual(a) || !is_usual(b) {
        return nearest;
    }
    let negative = a.is_sign_negative() != b.is_sign_negative();
    if !is_usual(nearest) {
        // Beyond the greatest, or between zero and the least.
        return lower64(nearest, negative == (nearest == 0.0));
    }
    let beyond = compare_product(nearest, b, a);
    lower64(nearest, if b > 0.0 { beyond > 0.0 } else { beyond < 0.0 })
}

pub(crate) fn sqrt64(a: f64, up: bool) -> f64 {
    let nearest = a.sqrt();
    if !is_usual(nearest) {
        return nearest;
    }
    let beyond = compare_product(nearest, nearest, a);
    match up {
        true if beyond < 0.0 => nearest.next_up(),
        true => nearest,
        false => lower64(nearest, beyond > 0.0),
    }
}

pub(crate) fn fma64(a: f64, b: f64, c: f64) -> f64 {
    /// Terms whose exponents differ by more cannot touch: the smaller is less than a quarter of the
    /// last place of the larger, or of its product.
    const APART: i32 = 200;
    let nearest = libm::fma(a, b, c);
    if !is_usual(a) || !is_usual(b) {
        return if a.is_finite() && b.is_finite() { add64(a * b, c) } else { nearest };
    }
    if c == 0.0 {
        return mul64(a, b);
    }
    if !c.is_finite() {
        return nearest;
    }
    if nearest.is_infinite() {
        return lower64(nearest, nearest > 0.0);
    }
    let ((x, i), (y, j), (z, k)) = (split(a), split(b), split(c));
    let distance = (k - i - j).clamp(-APART, APART);
    if distance == APART {
        // The product is far below the last place of `c`, and `c` is nearest.
        return lower64(nearest, x.is_sign_negative() != y.is_sign_negative());
    }
    let (product, error) = two_product(x, y);
    // If a term is far below, only its sign counts, not its place.
    let addend = libm::scalbn(z, distance);
    let scaled = libm::scalbn(nearest, -(i + j));
    let sign = sign_of_sum([product, error, addend, -scaled]);
    if nearest == 0.0 && sign == 0.0 {
        return -0.0;
    }
    lower64(nearest, sign < 0.0)
}
