//! `qsort` and `bsearch`, whose comparison is a function of the program: the algorithms, given a
//! function that compares the elements at two addresses.
//!
//! `qsort` is the merge sort of glibc: the comparisons that it makes, their order, and that equal
//! elements keep their order are the same; the elements are moved at the end.

use super::environment::Environment;
use reconverge_compiler::check::builtin::Builtin;

/// Arguments of `bsearch`, which has most.
pub const MOST_ARGUMENTS: usize = 5;

/// Why sorting stops: the comparison did not return, or an access that failed as address, size and
/// whether it writes.
#[derive(Debug)]
pub enum Trouble<S> {
    /// The comparison stopped.
    Stop(S),
    /// The access.
    Fault((u32, u64, bool)),
}

/// Compares the elements at two addresses.
pub type Compare<'c, E, S> = dyn FnMut(&mut E, u32, u32) -> Result<i32, S> + 'c;

/// Returns true if a function of the library calls one of the program.
pub fn calls_back(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::Qsort | Builtin::Bsearch)
}

/// The function of the program, an argument of the call.
pub fn comparison(builtin: Builtin, arguments: &[u64; MOST_ARGUMENTS]) -> usize {
    let index = if builtin == Builtin::Qsort { 3 } else { 4 };
    arguments[index] as usize
}

/// Runs one of them; the result of the call.
///
/// # Errors
/// The reason to stop.
pub fn run<E: Environment, S>(
    builtin: Builtin,
    arguments: &[u64; MOST_ARGUMENTS],
    env: &mut E,
    compare: &mut Compare<'_, E, S>,
) -> Result<u64, Trouble<S>> {
    let [a, b, c, d, _] = *arguments;
    match builtin {
        Builtin::Qsort => sort(Array::new(env, a, b, c, true)?, env, compare).map(|()| 0),
        _ => search(a as u32, Array::new(env, b, c, d, false)?, env, compare),
    }
}

/// Elements in memory.
#[derive(Clone, Copy)]
struct Array {
    base: u32,
    count: u32,
    size: u32,
}

impl Array {
    fn new<E: Environment, S>(
        env: &mut E,
        base: u64,
        count: u64,
        size: u64,
        write: bool,
    ) -> Result<Array, Trouble<S>> {
        let fault = Trouble::Fault((base as u32, count.saturating_mul(size), write));
        let total = count.checked_mul(size).and_then(|total| u32::try_from(total).ok());
        let Some(total) = total else {
            return Err(fault);
        };
        if total == 0 {
            return Ok(Array { base: 0, count: 0, size: 0 });
        }
        // Both for the whole array, before anything is compared.
        if env.read(base as u32, total).is_none()
            || write && env.write(base as u32, total).is_none()
        {
            return Err(fault);
        }
        Ok(Array { base: base as u32, count: count as u32, size: size as u32 })
    }

    fn at(self, index: u32) -> u32 {
        self.base.wrapping_add(index.wrapping_mul(self.size))
    }
}

fn sort<E: Environment, S>(
    array: Array,
    env: &mut E,
    compare: &mut Compare<'_, E, S>,
) -> Result<(), Trouble<S>> {
    let mut order: Vec<u32> = (0..array.count).collect();
    merge(&mut order, array, env, compare).map_err(Trouble::Stop)?;
    let total = array.count * array.size;
    let fault = || Trouble::Fault((array.base, total.into(), true));
    let old = env.read(array.base, total).ok_or_else(fault)?.to_vec();
    let new = env.write(array.base, total).ok_or_else(fault)?;
    let size = array.size.max(1) as usize;
    for (place, &from) in new.chunks_exact_mut(size).zip(&order) {
        let from = from as usize * size;
        place.copy_from_slice(&old[from..from + size]);
    }
    Ok(())
}

fn merge<E: Environment, S>(
    order: &mut [u32],
    array: Array,
    env: &mut E,
    compare: &mut Compare<'_, E, S>,
) -> Result<(), S> {
    if order.len() < 2 {
        return Ok(());
    }
    let (left, right) = order.split_at_mut(order.len() / 2);
    merge(left, array, env, compare)?;
    merge(right, array, env, compare)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if compare(env, array.at(left[i]), array.at(right[j]))? <= 0 {
            merged.push(left[i]);
            i += 1;
        } else {
            merged.push(right[j]);
            j += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    order.copy_from_slice(&merged);
    Ok(())
}

fn search<E: Environment, S>(
    key: u32,
    array: Array,
    env: &mut E,
    compare: &mut Compare<'_, E, S>,
) -> Result<u64, Trouble<S>> {
    let (mut low, mut high) = (0, array.count);
    while low < high {
        let middle = low + (high - low) / 2;
        let place = array.at(middle);
        match compare(env, key, place).map_err(Trouble::Stop)? {
            0 => return Ok(place.into()),
            ..0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(0)
}
