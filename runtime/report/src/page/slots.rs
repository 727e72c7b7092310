//! Issue slots by reason, as stacked bars.

use plotters::style::RGBColor;
use reconverge_simulator::Statistics;
use serde::Serialize;
use std::fmt::Write;

/// The colours of the reasons, in the order of [`Statistics::slot_reasons`]. Frequent reasons have
/// colours that people with colour blindness can distinguish.
pub const COLORS: [RGBColor; 18] = [
    RGBColor(0, 114, 178),   // issued
    RGBColor(80, 160, 200),  // metadata
    RGBColor(160, 120, 60),  // register read
    RGBColor(0, 90, 90),     // throttled
    RGBColor(120, 94, 240),  // pipe busy
    RGBColor(150, 40, 40),   // load/store full
    RGBColor(230, 159, 0),   // arithmetic
    RGBColor(204, 121, 167), // control
    RGBColor(0, 158, 115),   // fetch
    RGBColor(213, 94, 0),    // memory
    RGBColor(255, 170, 110), // copies
    RGBColor(190, 190, 60),  // scoreboard
    RGBColor(220, 38, 127),  // early load
    RGBColor(100, 143, 90),  // dequeue
    RGBColor(60, 90, 60),    // enqueue
    RGBColor(86, 180, 233),  // barrier
    RGBColor(178, 178, 178), // inactive
    RGBColor(128, 128, 128), // idle
];

/// A reason in a legend.
#[derive(Serialize, Debug, PartialEq)]
pub struct Reason {
    /// Its name.
    pub name: &'static str,
    /// Its class in the style.
    pub class: String,
}

/// A part of a bar.
#[derive(Serialize, Debug, PartialEq)]
pub struct Segment {
    /// Its class in the style.
    pub class: String,
    /// Percent of the bar's length.
    pub width: String,
    /// The meaning of the segment.
    pub title: String,
}

fn class(reason: usize) -> String {
    format!("slot{reason}")
}

/// The style of all reasons.
pub fn style() -> String {
    let mut text = String::new();
    for (at, RGBColor(red, green, blue)) in COLORS.into_iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(text, ".{}{{background:#{red:02x}{green:02x}{blue:02x}}}", class(at));
    }
    text
}

/// The reasons that some slot has, in the order of the bars.
pub fn legend(statistics: &Statistics) -> Vec<Reason> {
    let all = statistics.slot_reasons().into_iter().enumerate();
    let some = all.filter(|(_, (_, slots))| *slots != 0);
    some.map(|(at, (name, _))| Reason { name, class: class(at) }).collect()
}

/// The slots of a part of a run as a bar, whose whole length is `length` of them; `whole` are all
/// slots that the titles' percentages are of.
pub fn bar(part: &Statistics, length: u64, whole: u64) -> Vec<Segment> {
    let all = part.slot_reasons().into_iter().enumerate();
    let some = all.filter(|(_, (_, slots))| *slots != 0);
    some.map(|(at, (name, slots))| Segment {
        class: class(at),
        width: hundredths(slots, length),
        title: format!("{name}: {} %", hundredths(slots, whole)),
    })
    .collect()
}

/// A share in percent with two digits.
pub fn hundredths(part: u64, whole: u64) -> String {
    format!("{:.2}", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_the_reasons_that_cost_something() {
        let part = Statistics {
            issue_slots: 40,
            slots_issued: 10,
            slots_memory: 30,
            ..Statistics::default()
        };
        assert_eq!(part.slot_reasons().len(), COLORS.len());
        let bar = bar(&part, 80, 400);
        let told: Vec<_> = bar.iter().map(|it| (it.width.as_str(), it.title.as_str())).collect();
        assert_eq!(told, [("12.50", "issued: 2.50 %"), ("37.50", "memory: 7.50 %")]);
        assert_eq!(legend(&part).len(), 2);
        assert!(bar.iter().all(|one| style().contains(&format!(".{}{{", one.class))));
    }
}
