//! The full matrix: every example at a small size, on every machine, under every mechanism and every pair of
//! mechanisms of different slots, held against the interpreter. The suite runs a slice of it, which changes with the
//! commit; `--bin matrix` runs all of it.

use crate::examples::{DIVERGENT, EXAMPLES};
use crate::generate::Random;
use crate::oracle::{Failure, Variant};
use reconverge::execute::ModelName;
use reconverge_simulator::{MachineInfo, MechanismInfo, load_machine, machines, mechanisms};
use std::collections::BTreeMap;
use std::process::Command;

/// The environment variable that chooses the slice: a hexadecimal number.
pub const SEED: &str = "RECONVERGE_SEED";

/// Slots whose mechanisms decide about instructions and paths, not only about time.
const FUNCTIONAL: [&str; 3] = ["divergence", "lane-permutation", "affine"];

/// The machines and mechanisms of the matrix, and those that do not go together.
pub struct Matrix {
    /// The variants that each program runs in.
    pub variants: Vec<Variant>,
    /// Settings that the machine refuses, and why.
    pub refused: Vec<(String, String)>,
}

/// Every program of the matrix: a path below `examples`.
pub fn programs() -> Vec<&'static str> {
    EXAMPLES.iter().chain(DIVERGENT).map(|(path, _)| *path).collect()
}

/// The settings that select a mechanism on a machine, such that it is exact.
fn selected(variant: Variant, mechanism: &MechanismInfo) -> Variant {
    let exactly = mechanism.exactly().iter();
    let variant = exactly.fold(variant, |variant, (key, value)| variant.set(key, value));
    // A mechanism of caches fills the slot of both levels.
    let keys = match mechanism.slot {
        "replacement" => ["l1.replacement", "l2.replacement"],
        "granularity" => ["granularity", "l2.granularity"],
        "allocation" => ["allocation", "l2.allocation"],
        _ => return variant.set(mechanism.setting_key(), mechanism.name),
    };
    keys.iter().fold(variant, |variant, key| variant.set(key, mechanism.name))
}

/// A machine, with room for several paths a warp where warps are many.
fn on(model: ModelName, machine: &str) -> Variant {
    let variant = Variant::new(model, machine);
    match machine {
        "tiny" => {
            // Its largest block has 512 threads, and a scheduler has room for 128 paths.
            let variant = variant.set("sm.schedulers", "4").set("sm.warps", "128");
            let all = mechanisms();
            let has_slots =
                |info: &&MechanismInfo| info.options.iter().any(|(option, _)| *option == "slots");
            let keys = all.iter().filter(has_slots).map(|info| format!("{}.slots", info.name));
            keys.fold(variant, |variant, key| variant.set(&key, "2"))
        }
        _ => variant,
    }
}

/// The core that mechanisms around registers need.
const COLLECTORS: [(&str, &str); 2] =
    [("sm.operand-delivery", "collectors"), ("sm.dependences", "scoreboard")];

/// Every mechanism by itself on `gtx480`, with time.
pub fn every_mechanism() -> Vec<Variant> {
    let of = |mechanism| selected(on(ModelName::Timing, "gtx480"), mechanism);
    mechanisms().iter().map(of).collect()
}

impl Matrix {
    /// The part of the matrix in which a mechanism of one of these slots is selected; without slots all of it.
    pub fn of_slots(slots: &[String]) -> Matrix {
        Matrix::of(candidates(slots))
    }

    /// So many settings of the whole matrix, chosen by a seed: machines take a minute to load them all.
    pub fn sample(seed: u64, count: usize) -> Matrix {
        let mut all = candidates(&[]);
        let mut random = Random::new(seed);
        let count = count.min(all.len());
        for at in 0..count {
            let other = at + random.below(all.len() - at);
            all.swap(at, other);
        }
        all.truncate(count);
        Matrix::of(all)
    }

    /// The settings that their machines take.
    fn of(candidates: Vec<Variant>) -> Matrix {
        let mut matrix = Matrix { variants: Vec::new(), refused: Vec::new() };
        candidates.into_iter().for_each(|variant| matrix.add(variant));
        matrix
    }

    /// Adds a variant, with operand collectors if it needs them, unless the machine refuses it.
    fn add(&mut self, variant: Variant) {
        let loads = |variant: &Variant| load_machine(&variant.machine, &variant.sets);
        if loads(&variant).is_ok() {
            self.variants.push(variant);
            return;
        }
        let mut collected = variant;
        collected.sets.extend(COLLECTORS.map(|(key, value)| (key.to_owned(), value.to_owned())));
        match loads(&collected) {
            Ok(_) => self.variants.push(collected),
            Err(why) => self.refused.push((name(&collected), why)),
        }
    }

    /// The number of runs of the matrix.
    pub fn cells(&self) -> usize {
        self.variants.len() * programs().len()
    }

    /// Some runs, all different, chosen by a seed: by program, its variants.
    pub fn slice(&self, seed: u64, count: usize) -> BTreeMap<&'static str, Vec<Variant>> {
        let programs = programs();
        let mut random = Random::new(seed);
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < count.min(self.cells()) {
            let cell = random.below(self.cells());
            if !chosen.contains(&cell) {
                chosen.push(cell);
            }
        }
        let mut slice: BTreeMap<_, Vec<Variant>> = BTreeMap::new();
        for cell in chosen {
            let variant = &self.variants[cell / programs.len()];
            slice.entry(programs[cell % programs.len()]).or_default().push(variant.clone());
        }
        slice
    }
}

/// The settings of the matrix, or of its part in which a mechanism of one of some slots is selected; a machine may refuse them.
fn candidates(slots: &[String]) -> Vec<Variant> {
    let is_wanted = |chosen: &[&MechanismInfo]| {
        slots.is_empty() || chosen.iter().any(|info| slots.iter().any(|slot| slot == info.slot))
    };
    let mut candidates = Vec::new();
    let all = mechanisms();
    for MachineInfo { name: machine, .. } in machines() {
        for model in [ModelName::Functional, ModelName::Timing] {
            if is_wanted(&[]) {
                candidates.push(on(model, &machine));
            }
            let used = |info: &&MechanismInfo| {
                model == ModelName::Timing || FUNCTIONAL.contains(&info.slot)
            };
            let used: Vec<&MechanismInfo> = all.iter().filter(used).collect();
            for (at, first) in used.iter().enumerate() {
                let alone = selected(on(model, &machine), first);
                if is_wanted(&[first]) {
                    candidates.push(alone.clone());
                }
                let others = used[at + 1..].iter().filter(|other| other.slot != first.slot);
                for second in others.filter(|second| is_wanted(&[first, second])) {
                    candidates.push(selected(alone.clone(), second));
                }
            }
        }
    }
    candidates
}

/// A variant in a line: `gtx480 timing scheduler=two-level`.
pub fn name(variant: &Variant) -> String {
    let sets = variant.sets.iter().map(|(key, value)| format!(" {key}={value}"));
    format!("{} {}{}", variant.machine, variant.model.name(), sets.collect::<String>())
}

/// The seed of the slice: [`SEED`] if it is set, otherwise the commit's first digits; zero without git.
///
/// # Errors
/// [`SEED`] is no hexadecimal number.
pub fn seed() -> Result<u64, String> {
    if let Ok(text) = std::env::var(SEED) {
        return u64::from_str_radix(&text, 16).map_err(|error| format!("{SEED}={text}: {error}"));
    }
    let git = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let commit = git.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let digits = commit.unwrap_or_default();
    Ok(digits.get(..12).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0))
}

/// The fault of a program of the matrix, and how to reproduce it.
pub fn complaint(program: &str, failure: &Failure) -> String {
    format!("{program} on {}: {}", name(&failure.variant), failure.what)
}
