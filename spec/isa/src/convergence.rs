//! Taking convergence barriers out of a kernel, for machines that find the places where paths meet in
//! `!reconverge`.

use crate::placement::Placement;
use crate::program::{AffineStream, Kernel, Record};
use crate::region::Region;

/// A kernel without `bssy` and `bsync`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stripped {
    /// The remaining code, with every place in it moved.
    pub kernel: Kernel,
    /// The index that each instruction had.
    pub origin: Vec<u32>,
}

/// The regions of a kernel whose instructions have moved. A region without instructions is removed;
/// the next one takes over its erasures.
fn moved_regions(kernel: &Kernel, moved: impl Fn(u32) -> u32) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    for region in &kernel.record.regions {
        let mut region = Region { start: moved(region.start), ..region.clone() };
        if let Some(empty) = regions.pop_if(|before| before.start == region.start) {
            region.erasures.extend(empty.erasures);
            region.erasures.sort_unstable();
            region.erasures.dedup();
            region.erasures.retain(|register| !region.preloads.contains(register));
        }
        regions.push(region);
    }
    regions
}

/// Removes the convergence barriers of a kernel; `None` if it has none. A reference to a removed
/// instruction becomes one to the next remaining instruction.
pub fn strip(kernel: &Kernel) -> Option<Stripped> {
    let kept = |index: &usize| !kernel.code[*index].has_barrier();
    let origin: Vec<usize> = (0..kernel.code.len()).filter(kept).collect();
    if origin.len() == kernel.code.len() {
        return None;
    }
    let moved = |index: u32| origin.partition_point(|&from| from < index as usize) as u32;
    let code = origin.iter().map(|&from| {
        let mut instruction = kernel.code[from];
        if instruction.has_target() {
            instruction.target = moved(instruction.target);
        }
        let meet = &mut instruction.annotations.reconverge;
        *meet = meet.map(moved);
        instruction.hints = instruction.hints.moved(moved);
        instruction
    });
    let lines = origin.iter().filter_map(|&from| kernel.lines.get(from).copied());
    let affine = kernel.affine.map(|affine| AffineStream { entry: moved(affine.entry), ..affine });
    // A strand that begins with a removed instruction begins with the next that is left.
    let placements = origin.iter().enumerate().filter_map(|(at, &from)| {
        let placement = *kernel.record.placements.get(from)?;
        let first = at.checked_sub(1).map_or(0, |before| origin[before] + 1);
        let strand =
            kernel.record.placements[first..=from].iter().any(|placement| placement.strand);
        Some(Placement { strand, ..placement })
    });
    // Convergence barriers have no control bits, so nothing is lost with them.
    let control_bits =
        origin.iter().filter_map(|&from| kernel.record.control_bits.get(from).copied());
    let evictions = origin.iter().filter_map(|&from| kernel.record.evictions.get(from).copied());
    let kernel = Kernel {
        code: code.collect(),
        lines: lines.collect(),
        record: Record {
            placements: placements.collect(),
            regions: moved_regions(kernel, moved),
            evictions: evictions.collect(),
            long_lived: kernel.record.long_lived,
            control_bits: control_bits.collect(),
            uniform: kernel.record.uniform,
        },
        affine,
        ..kernel.clone()
    };
    Some(Stripped { kernel, origin: origin.into_iter().map(|from| from as u32).collect() })
}
