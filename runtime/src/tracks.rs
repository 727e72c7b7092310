//! The tracks that pages and traces show from samples over time.

use reconverge_simulator::{Component, Energy, EnergyTable, Statistics};

/// The values of a track, by name.
pub type Values = Vec<(&'static str, Option<f64>)>;

/// A track of values over time: its name, and its values of a sample; none where they are
/// undefined, such as the hit rate of a cache that was not accessed.
#[derive(Clone, Copy, Debug)]
pub struct Track {
    /// Its name.
    pub name: &'static str,
    /// Its values for a sample.
    pub values: fn(&Statistics, Option<&EnergyTable>) -> Values,
}

/// All tracks, in the order in which they are shown.
pub const TRACKS: &[Track] = &[
    Track { name: "IPC", values: |s, _| vec![("warp instructions per cycle", s.ipc())] },
    Track {
        name: "resident warps",
        values: |s, _| vec![("% of those that fit", s.occupancy().map(|share| 100.0 * share))],
    },
    Track {
        name: "issue slots",
        values: |s, _| {
            let share = |slots: u64| 100.0 * slots as f64 / s.issue_slots.max(1) as f64;
            s.slot_reasons()
                .into_iter()
                .map(|(reason, slots)| (reason, Some(share(slots))))
                .collect()
        },
    },
    Track {
        name: "hit rates",
        values: |s, _| {
            let percent = |share: Option<f64>| share.map(|share| 100.0 * share);
            vec![("L1", percent(s.l1_hit_rate())), ("L2", percent(s.l2_hit_rate()))]
        },
    },
    Track {
        name: "DRAM",
        values: |s, _| {
            let per_cycle = |bytes: u64| Some(bytes as f64 / s.cycles.max(1) as f64);
            vec![
                ("bytes read per cycle", per_cycle(s.dram_read_bytes)),
                ("bytes written per cycle", per_cycle(s.dram_write_bytes)),
            ]
        },
    },
    Track {
        name: "power",
        values: |s, energy| {
            let Some(table) = energy else {
                return Vec::new();
            };
            let energy = table.energy(s);
            let watts = |joules: fn(&Energy) -> f64| {
                energy.as_ref().map(|energy| joules(energy) / energy.seconds)
            };
            vec![
                ("W", watts(Energy::joules)),
                ("of these DRAM", watts(|energy| energy.of(Component::Dram))),
                ("static", watts(|energy| energy.of(Component::Static))),
            ]
        },
    },
];
