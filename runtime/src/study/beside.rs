//! The table of a figure beside a reference: the reference's values, ours, and their ratios.

use super::comparison::{Compared, Comparison};
use super::expression::{Expression, Scope};
use super::file::{Figure, Form, Mean};
use super::results::{Group, Results, Row, Table};
use anyhow::Result;
use std::collections::BTreeMap;

impl Results<'_> {
    /// The table of a figure that has a reference.
    ///
    /// # Errors
    /// An expression is wrong.
    pub(super) fn beside_reference(&self, figure: &Figure, reference: &str) -> Result<Table> {
        let columns = self.columns(figure)?;
        let expression = Expression::read(reference, &self.plan.file.metrics)?;
        let least = figure.least.unwrap_or(0.0);
        let none = BTreeMap::new();
        // Only values above zero have a ratio and a place on logarithmic axes.
        let above_zero = |value: &f64| *value > 0.0;
        let measured = |program: usize| {
            let columns = self.plan.reference.as_ref()?.of(&self.plan.programs[program].name)?;
            let scope = Scope { run: &none, base: &none, reference: columns };
            expression.value(scope).filter(above_zero)
        };
        let ours = |program: usize| -> Vec<Option<f64>> {
            let values = self.row_values(figure, &columns, program);
            values.into_iter().map(|value| value.filter(above_zero)).collect()
        };
        let mean = figure.mean.unwrap_or(Mean::Geometric);
        let mut groups = Vec::new();
        let mut points: BTreeMap<usize, (String, f64, Vec<Option<f64>>)> = BTreeMap::new();
        for (name, places) in self.groups(figure)? {
            let mut rows = Vec::new();
            let mut ratios = vec![Vec::new(); columns.len()];
            for at in places {
                let (x, y) = (measured(at), ours(at));
                let counts = x.is_some_and(|x| x >= least);
                for (ratios, y) in ratios.iter_mut().zip(&y).filter(|_| counts) {
                    ratios.extend(x.zip(*y).map(|(x, y)| y / x));
                }
                let name = self.plan.programs[at].name.clone();
                rows.push(row(name.clone(), x, &y, figure.form, counts));
                if let Some(x) = x {
                    points.insert(at, (name, x, y));
                }
            }
            let means: Vec<_> = ratios.iter().map(|ratios| mean.of(ratios)).collect();
            groups.push(Group {
                name,
                rows,
                mean: mean_row(mean.name(), &means),
                mean_name: mean.name(),
            });
        }
        if points.is_empty() {
            return Ok(without_values(figure));
        }
        let points: Vec<_> = points.into_values().collect();
        let compared = columns.iter().enumerate().map(|(column, (label, ..))| {
            let counted = points.iter().filter(|(_, x, _)| *x >= least);
            let pairs = counted.filter_map(|(_, x, y)| Some((*x, y[column]?)));
            Compared::of(label, &Vec::from_iter(pairs))
        });
        let compared: Vec<Compared> = compared.collect();
        Ok(Table {
            title: figure.title.clone(),
            about: figure.about.trim().to_owned(),
            value: figure.value.clone(),
            form: figure.form,
            columns: titles(&compared),
            largest: false,
            groups,
            chart: figure.chart,
            comparison: Some(Comparison {
                reference: reference.to_owned(),
                least,
                compared,
                points,
            }),
        })
    }
}

/// Stands in place of a table if the reference has no value for any program: it has the columns,
/// all empty.
fn without_values(figure: &Figure) -> Table {
    Table {
        title: figure.title.clone(),
        about: format!("{}\n\nThe reference has no values for this.", figure.about.trim()),
        value: figure.value.clone(),
        form: figure.form,
        columns: Vec::new(),
        largest: false,
        groups: Vec::new(),
        chart: false,
        comparison: None,
    }
}

fn titles(compared: &[Compared]) -> Vec<String> {
    let of = |one: &Compared| match compared.len() {
        1 => ["ours".to_owned(), "ours / reference".to_owned()],
        _ => [one.configuration.clone(), format!("{} / reference", one.configuration)],
    };
    std::iter::once("reference".to_owned()).chain(compared.iter().flat_map(of)).collect()
}

/// The reference, and of each configuration ours and the ratio, in parentheses if it does not count.
fn row(name: String, x: Option<f64>, ours: &[Option<f64>], form: Form, counts: bool) -> Row {
    let ratios = ours.iter().map(|y| x.zip(*y).map(|(x, y)| y / x));
    let pairs = ours.iter().copied().zip(ratios);
    let values: Vec<Option<f64>> =
        std::iter::once(x).chain(pairs.flat_map(|(y, ratio)| [y, ratio])).collect();
    let cell = |(at, value): (usize, &Option<f64>)| match value {
        None => "-".to_owned(),
        Some(ratio) if at > 0 && at % 2 == 0 => match counts {
            true => Form::Ratio.write(*ratio),
            false => format!("({})", Form::Ratio.write(*ratio)),
        },
        Some(value) => form.write(form.number(*value)),
    };
    let cells = values.iter().enumerate().map(cell).collect();
    Row { name, values, cells, largest: None }
}

/// The mean of ratios; times of several programs have none.
fn mean_row(name: &str, means: &[Option<f64>]) -> Row {
    let values: Vec<Option<f64>> =
        std::iter::once(None).chain(means.iter().flat_map(|mean| [None, *mean])).collect();
    let cell = |value: &Option<f64>| value.map_or(String::new(), |value| Form::Ratio.write(value));
    Row { name: name.to_owned(), cells: values.iter().map(cell).collect(), values, largest: None }
}
