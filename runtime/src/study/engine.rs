//! Running the points that a store lacks.

use super::plan::Plan;
use super::point::{Outcome, Point};
use super::store::{Corrupt, Entry, Store};
use crate::interruption::Interruption;
use anyhow::{Context, Result};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Duration;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Points at a time; 0 for one per processor.
    pub jobs: usize,
    /// Runs points that the store has, too.
    pub fresh: bool,
    /// Only this part of the points: (index, of how many).
    pub shard: Option<(u64, u64)>,
    /// Asks to stop.
    pub interruption: Interruption,
}

/// An event while points are run.
pub enum Event<'a> {
    /// So many points are to be had.
    All(usize),
    /// A point's file in the store is damaged; the point is run again.
    Corrupt(&'a Point, &'a Corrupt),
    /// A point is being run.
    Begins,
    /// It is not any more.
    Ends,
    /// A point is done: now, or it was in the store, or another process has done it.
    Done(&'a Point, &'a Outcome),
    /// A point is lost: its results could not be written, or running it went wrong within this program.
    Lost(&'a Point, &'a str),
}

/// The outcomes of a study's points after a run.
#[derive(Debug, Default)]
pub struct Ran {
    /// By identity.
    pub outcomes: BTreeMap<String, Outcome>,
    /// Points that were run now.
    pub run: usize,
    /// Points whose results are lost.
    pub lost: usize,
    /// True if a stop was requested before all was done.
    pub interrupted: bool,
}

/// The pause before another look for points that others run.
const PAUSE: Duration = Duration::from_millis(300);

/// Runs the missing points; several processes may do so in one store.
///
/// # Errors
/// The store cannot be written at all, or threads cannot be started.
pub fn run(plan: &Plan, store: &Store, how: &Run, watch: &(dyn Fn(Event) + Sync)) -> Result<Ran> {
    let mut left = match how.shard {
        Some((index, of)) => plan.shard(index, of),
        None => plan.distinct(),
    };
    watch(Event::All(left.len()));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(how.jobs)
        .build()
        .context("cannot start threads")?;
    let ran = Mutex::new(Ran::default());
    let mut fresh = how.fresh;
    while !left.is_empty() && !how.interruption.is_requested() {
        let each = |&point: &&Point| -> Result<bool> {
            if how.interruption.is_requested() {
                return Ok(true);
            }
            one(point, store, fresh, how, watch, &ran)
        };
        let taken: Vec<bool> =
            pool.install(|| left.par_iter().with_max_len(1).map(each).collect::<Result<_>>())?;
        let mut taken = taken.into_iter();
        left.retain(|_| taken.next().unwrap_or(false));
        // A result that another process has just made is as fresh as ours.
        fresh = false;
        if !left.is_empty() && !how.interruption.is_requested() {
            std::thread::sleep(PAUSE);
        }
    }
    let mut ran = ran.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    ran.interrupted = how.interruption.is_requested() && !left.is_empty();
    Ok(ran)
}

/// Has one point done; whether another process is at it.
fn one(
    point: &Point,
    store: &Store,
    fresh: bool,
    how: &Run,
    watch: &(dyn Fn(Event) + Sync),
    ran: &Mutex<Ran>,
) -> Result<bool> {
    let keep = |outcome: Outcome, is_new: bool| {
        watch(Event::Done(point, &outcome));
        let mut ran = ran.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        ran.run += usize::from(is_new);
        ran.outcomes.insert(point.identity.clone(), outcome);
    };
    let lose = |why: &str| {
        watch(Event::Lost(point, why));
        ran.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).lost += 1;
    };
    let _lease = match store.take(&point.identity, fresh)? {
        Entry::Done(outcome) => {
            keep(named(*outcome, point), false);
            return Ok(false);
        }
        Entry::Taken => return Ok(true),
        Entry::Free(lease, corrupt) => {
            if let Some(corrupt) = corrupt {
                watch(Event::Corrupt(point, &corrupt));
            }
            lease
        }
    };
    watch(Event::Begins);
    // One faulty point is not to cost the others.
    let came = catch_unwind(AssertUnwindSafe(|| point.run(&how.interruption)));
    watch(Event::Ends);
    // The last cycles of a stopped run may have gone without its mechanisms.
    if how.interruption.is_requested() {
        return Ok(true);
    }
    match came {
        Ok(Some(outcome)) => match store.put(&point.identity, &outcome) {
            Ok(()) => keep(outcome, true),
            Err(error) => {
                lose(&format!("{error:#}"));
            }
        },
        Ok(None) => return Ok(true),
        Err(_) => lose("a fault of this program; please report it"),
    }
    Ok(false)
}

/// An outcome of the same point under another name.
fn named(mut outcome: Outcome, point: &Point) -> Outcome {
    outcome.provenance = point.provenance.clone();
    outcome
}
