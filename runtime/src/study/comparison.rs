//! The distance between our values and those of a reference, over all programs.

use super::file::Mean;
use serde::Serialize;

/// The agreement of some configurations' values with those of a reference.
#[derive(Serialize, Debug, Clone)]
pub struct Comparison {
    /// The expression of the reference.
    pub reference: String,
    /// Programs whose reference is less are shown and not counted.
    pub least: f64,
    /// By configuration.
    pub compared: Vec<Compared>,
    /// (program, its reference, ours by configuration), each program once.
    pub points: Vec<(String, f64, Vec<Option<f64>>)>,
}

/// One configuration beside the reference.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct Compared {
    /// Its label.
    pub configuration: String,
    /// The number of programs that count.
    pub programs: usize,
    /// The mean over programs of |ours - reference| / reference, in percent.
    pub error: Option<f64>,
    /// The geometric mean over programs of ours / reference.
    pub factor: Option<f64>,
    /// The error of ours / `factor`: the part that one common factor does not explain.
    pub error_without_factor: Option<f64>,
    /// Pearson's correlation coefficient of values, -1 to 1; none of fewer than two programs, or where all are alike.
    pub correlation: Option<f64>,
    /// That of their logarithms.
    pub correlation_of_logarithms: Option<f64>,
}

/// The titles of [`Compared::cells`].
pub const TITLES: [&str; 7] = [
    "configuration",
    "programs",
    "mean absolute error",
    "ours / reference, geometric mean",
    "error without this factor",
    "correlation",
    "correlation of logarithms",
];

impl Compared {
    /// Compares pairs (reference, ours), all above zero.
    pub fn of(configuration: &str, pairs: &[(f64, f64)]) -> Compared {
        let factor = Mean::Geometric.of(&Vec::from_iter(pairs.iter().map(|(x, y)| y / x)));
        let error = |factor: f64| {
            let relative = pairs.iter().map(|(x, y)| (y / factor - x).abs() / x * 100.0);
            Mean::Arithmetic.of(&Vec::from_iter(relative))
        };
        let logarithms: Vec<_> = pairs.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        Compared {
            configuration: configuration.to_owned(),
            programs: pairs.len(),
            error: error(1.0),
            factor,
            error_without_factor: factor.and_then(error),
            correlation: pearson(pairs),
            correlation_of_logarithms: pearson(&logarithms),
        }
    }

    /// As they are written.
    pub fn cells(&self) -> Vec<String> {
        let percent = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.1} %"));
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.3}"));
        vec![
            self.configuration.clone(),
            self.programs.to_string(),
            percent(self.error),
            number(self.factor),
            percent(self.error_without_factor),
            number(self.correlation),
            number(self.correlation_of_logarithms),
        ]
    }
}

/// Pearson's correlation coefficient.
fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        pairs.iter().map(|(x, y)| of(x - mean_x, y - mean_y)).sum()
    };
    let of_both = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    (pairs.len() > 1 && of_both > 0.0).then(|| sum(&|x, y| x * y) / of_both)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: Option<f64>, expected: f64) -> bool {
        value.is_some_and(|value| (value - expected).abs() < 1e-9)
    }

    /// Three programs, by hand. References 1, 2, 4 and ours 2, 2, 2: errors 100, 0 and 50 %, ratios 2, 1, 1/2.
    #[test]
    fn three_programs() {
        let same = Compared::of("a", &[(1.0, 2.0), (2.0, 2.0), (4.0, 2.0)]);
        assert!(close(same.error, 50.0) && close(same.factor, 1.0), "{same:?}");
        assert_eq!((same.correlation, same.correlation_of_logarithms), (None, None));
        // Means 2 and 4; deviations -1, 0, 1 and -1, -2, 3: 4 / sqrt(2 * 14).
        let pairs = [(1.0, 3.0), (2.0, 2.0), (3.0, 7.0)];
        assert!(close(pearson(&pairs), 4.0 / 28.0_f64.sqrt()));
        // A factor of 3 alone: error 200 %, none without it, and perfect correlation.
        let scaled = Compared::of("a", &[(1.0, 3.0), (2.0, 6.0), (8.0, 24.0)]);
        assert!(close(scaled.error, 200.0) && close(scaled.factor, 3.0), "{scaled:?}");
        assert!(close(scaled.error_without_factor, 0.0) && close(scaled.correlation, 1.0));
        // Logarithms 0, 1, 2 and 2, 1, 0.
        let falling = Compared::of("a", &[(1.0, 4.0), (2.0, 2.0), (4.0, 1.0)]);
        assert!(close(falling.correlation_of_logarithms, -1.0), "{falling:?}");
    }

    #[test]
    fn too_few() {
        let none = Compared::of("a", &[]);
        assert_eq!(
            (none.programs, none.error, none.factor, none.correlation),
            (0, None, None, None)
        );
        let one = Compared::of("a", &[(2.0, 3.0)]);
        assert!(close(one.error, 50.0) && one.correlation.is_none());
        assert_eq!(one.cells()[2..], ["50.0 %", "1.500", "0.0 %", "-", "-"]);
    }
}
