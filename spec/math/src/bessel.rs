//! The modified Bessel functions of the first kind of orders 0 and 1.

use std::f64::consts::PI;

/// From here on the asymptotic series is exact to the last place.
const FAR: f64 = 20.0;
/// `exp` overflows a little later, the functions later still.
const HIGH: f64 = 700.0;

/// A number kept as the sum of two.
#[derive(Clone, Copy)]
struct Pair {
    high: f64,
    low: f64,
}

fn renormalised(high: f64, low: f64) -> Pair {
    let sum = high + low;
    Pair { high: sum, low: low - (sum - high) }
}

fn product(a: Pair, b: Pair) -> Pair {
    let high = a.high * b.high;
    let low = libm::fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high);
    renormalised(high, low)
}

fn quotient(a: Pair, whole: f64) -> Pair {
    let high = a.high / whole;
    let rest = libm::fma(-high, whole, a.high) + a.low;
    renormalised(high, rest / whole)
}

fn sum(a: Pair, b: Pair) -> Pair {
    let high = a.high + b.high;
    let part = high - a.high;
    let lost = (a.high - (high - part)) + (b.high - part);
    renormalised(high, lost + (a.low + b.low))
}

/// The power series (Abramowitz and Stegun, 9.6.10), of positive terms that grow first and each of
/// which is made of the one before: in twice the digits, or their errors would add up.
fn near(x: f64, order: f64) -> f64 {
    let half = x / 2.0;
    let start = Pair { high: half, low: 0.0 };
    let square = product(start, start);
    let mut term = if order == 0.0 { Pair { high: 1.0, low: 0.0 } } else { start };
    let mut all = term;
    for k in 1..200 {
        let k = f64::from(k);
        term = quotient(product(term, square), k * (k + order));
        all = sum(all, term);
        if term.high < all.high * 1e-18 {
            break;
        }
    }
    all.high
}

/// The asymptotic series (Abramowitz and Stegun, 9.7.1).
fn far(x: f64, order: f64) -> f64 {
    let square = 4.0 * order * order;
    let (mut all, mut term) = (0.0, 1.0);
    let mut terms = Vec::with_capacity(64);
    for k in 1..64 {
        let k = f64::from(k);
        let odd = 2.0 * k - 1.0;
        terms.push(term);
        let next: f64 = -term * (square - odd * odd) / (k * 8.0 * x);
        if next.abs() >= f64::abs(term) || next.abs() < 1e-19 {
            break;
        }
        term = next;
    }
    // The smallest first.
    for term in terms.into_iter().rev() {
        all += term;
    }
    let scale = all / libm::sqrt(2.0 * PI * x);
    if x < HIGH {
        return libm::exp(x) * scale;
    }
    let root = libm::exp(x / 2.0);
    root * scale * root
}

fn of(x: f64, order: f64) -> f64 {
    if !x.is_finite() || x == 0.0 {
        return if x == 0.0 { 1.0 - order } else { x * x };
    }
    if x < FAR { near(x, order) } else { far(x, order) }
}

/// Modified Bessel function of the first kind, order 0.
pub fn i0(x: f64) -> f64 {
    of(x.abs(), 0.0)
}

/// Modified Bessel function of the first kind, order 1, which is odd.
pub fn i1(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        return x;
    }
    libm::copysign(of(x.abs(), 1.0), x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units in the last place between a value and what is nearest to the exact one.
    fn off(value: f64, exact: f64) -> u64 {
        value.to_bits().abs_diff(exact.to_bits())
    }

    /// Arguments with the values nearest to the exact ones, from 60 digits of the power series.
    const KNOWN: &[(f64, f64, f64)] = &[
        (1e-300, 1.0, 5e-301),
        (1e-09, 1.0, 5e-10),
        (0.01, 1.0000250001562505, 0.005000062500260418),
        (0.063182, 1.0009982403052617, 0.031606766393514826),
        (0.1, 1.0025015629340956, 0.050062526047092694),
        (0.5, 1.0634833707413236, 0.2578943053908963),
        (0.644691, 1.1066371332094311, 0.3393849594865414),
        (0.763376, 1.1510784900970417, 0.4101745926250151),
        (0.850424, 1.1891439318136638, 0.46482825925552945),
        (0.871224, 1.1989518899004825, 0.47827038514819814),
        (0.917699, 1.2218876285482168, 0.5088782997649438),
        (1.0, 1.2660658777520084, 0.565159103992485),
        (2.0, 2.2795853023360673, 1.590636854637329),
        (2.815788, 4.209787715976855, 3.348410956740414),
        (3.626699, 8.211249844382051, 6.958684944195134),
        (3.75, 9.118945860844567, 7.780015229824416),
        (4.030927, 11.608031610102952, 10.037479350438886),
        (5.0, 27.239871823604446, 24.335642142450528),
        (5.577188, 45.78208030910656, 41.444014514540775),
        (6.497982, 106.09581468793776, 97.5510297639413),
        (6.563431, 112.67958718643409, 103.70006796559154),
        (6.65075, 122.11425875201108, 112.51759393805389),
        (6.862867, 148.5138805182143, 137.22203457198043),
        (6.925996, 157.4378300054173, 145.58214981693487),
        (6.992534, 167.43298860404985, 154.95064362265438),
        (7.5, 268.16131151518937, 249.58436542268814),
        (7.652071, 308.9671687287808, 288.00753044829196),
        (8.693448, 819.3844829261053, 770.7087722515057),
        (9.980856, 2765.0474098925556, 2622.642470171128),
        (10.0, 2815.7166284662544, 2670.9883037012546),
        (11.436127, 11050.807795050787, 10556.012401186892),
        (12.5, 30596.335155785153, 29345.74964207113),
        (12.663497, 35792.51673815328, 34348.86932381476),
        (12.983012, 48644.08019182927, 46731.451709291156),
        (13.136628, 56381.5715812194, 54191.21158181223),
        (13.361616, 69997.91490047194, 67325.35952440985),
        (13.484732, 78799.19743879004, 75818.66329894177),
        (13.788104, 105523.09101847772, 101621.40039691841),
        (14.863053, 297565.76257584844, 287374.4146110393),
        (14.874367, 300834.9897417044, 290539.6610923296),
        (15.0, 339649.3732979139, 328124.9219702064),
        (16.242374, 1129825.118402996, 1094472.9999104457),
        (16.69363, 1749613.5910018121, 1696373.1128430443),
        (17.5, 3825965.2494124128, 3714992.01768522),
        (19.0, 16446190.44061171, 16007373.785836995),
        (19.268831, 21366043.776181787, 20804023.360217616),
        (19.547789, 28035637.26930293, 27308849.73115898),
        (19.999, 43515848.29718873, 42413558.08930483),
        (20.0, 43558282.559553534, 42454973.38512777),
        (20.5, 70922869.83431701, 69170831.67918438),
        (21.644532, 216723414.2567691, 211656279.04865023),
        (21.646201, 217076956.97201404, 212001951.96514723),
        (22.0, 306692993.64036477, 299639606.877379),
        (22.868402, 716706393.8947535, 700856796.1493688),
        (22.913239, 748830532.1151353, 732303313.9376329),
        (23.661701, 1557321651.58999, 1524050131.179232),
        (25.0, 5774560606.4663105, 5657865129.878701),
        (25.072953, 6202441866.312472, 6077468147.817128),
        (25.127339, 6541944422.640543, 6410418385.742003),
        (25.423012, 8740767393.059956, 8567099371.70734),
        (25.798396, 12628784343.52514, 12381555393.945272),
        (27.042824, 42803507357.215195, 42004501336.38362),
        (28.174475, 130006035580.90396, 127677633450.1843),
        (28.358121, 155702721720.4038, 152932322104.9541),
        (29.776302, 627354815667.7856, 616728765879.1456),
        (30.0, 781672297823.9775, 768532038938.957),
        (50.0, 2.9325537838493362e+20, 2.903078590103557e+20),
        (75.0, 1.7226390780358048e+31, 1.7111160152965292e+31),
        (100.0, 1.0737517071310738e+42, 1.0683693903381625e+42),
        (250.0, 9.45753855984955e+106, 9.43860449151557e+106),
        (500.0, 2.504809476570078e+215, 2.5023034121761e+215),
        (699.9, 1.3841322008319211e+302, 1.383143040014402e+302),
        (700.0, 1.5295933476718737e+302, 1.5285003902339006e+302),
        (705.0, 2.2620505526554727e+304, 2.260445691777057e+304),
        (710.0, 3.345334558619656e+306, 3.3429778585097626e+306),
        (713.9, 1.6481551866951379e+308, 1.6470004499232343e+308),
    ];

    #[test]
    fn values_are_near_the_exact_ones() {
        let worst = |of: fn(f64) -> f64, exact: fn(&(f64, f64, f64)) -> f64| {
            KNOWN.iter().map(|known| off(of(known.0), exact(known))).max()
        };
        let (zero, one) = (worst(i0, |known| known.1), worst(i1, |known| known.2));
        assert!(zero <= Some(2) && one <= Some(2), "{zero:?} {one:?}");
    }

    #[test]
    fn ends_are_right() {
        assert_eq!((i0(0.0), i1(0.0), i0(-2.0), i1(-2.0)), (1.0, 0.0, i0(2.0), -i1(2.0)));
        assert!(i1(-0.0).is_sign_negative());
        assert_eq!(
            (i0(f64::NEG_INFINITY), i1(f64::NEG_INFINITY)),
            (f64::INFINITY, f64::NEG_INFINITY)
        );
        assert!(i0(f64::NAN).is_nan() && i1(f64::NAN).is_nan());
        assert!(i0(713.98).is_finite() && i0(714.0) == f64::INFINITY);
    }
}
