//! Bytes of host memory that were copied from device memory which no one has written.

use std::collections::BTreeMap;
use std::ops::Range;

/// Ranges of host memory, each with the place in device memory that it was copied from.
#[derive(Debug, Default)]
pub(super) struct Unwritten {
    /// By start: the end, and the device address.
    ranges: BTreeMap<u32, (u32, u32)>,
}

impl Unwritten {
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Bytes from a device address on have been copied to a range.
    pub fn add(&mut self, range: Range<u32>, from: u32) {
        if !range.is_empty() {
            self.remove(range.clone());
            self.ranges.insert(range.start, (range.end, from));
        }
    }

    /// A range is written.
    pub fn remove(&mut self, range: Range<u32>) {
        for (part, from) in self.overlaps(range.clone()) {
            let Some((start, (end, first))) = self.ranges.range(..=part.start).next_back() else {
                continue;
            };
            let (start, end, first) = (*start, *end, *first);
            self.ranges.remove(&start);
            if start < part.start {
                self.ranges.insert(start, (part.start, first));
            }
            if part.end < end {
                self.ranges.insert(part.end, (end, from + (part.end - part.start)));
            }
        }
    }

    /// Copies the state of a range to another one.
    pub fn copy(&mut self, to: u32, from: Range<u32>) {
        let parts = self.overlaps(from.clone());
        self.remove(to..to.saturating_add(from.end - from.start));
        for (part, device) in parts {
            let start = to + (part.start - from.start);
            self.add(start..start + (part.end - part.start), device);
        }
    }

    /// The parts of a range that are not written, each with the place in device memory that it was copied from.
    pub fn overlaps(&self, range: Range<u32>) -> Vec<(Range<u32>, u32)> {
        let before = self.ranges.range(..range.start).next_back();
        let parts = before.into_iter().chain(self.ranges.range(range.clone()));
        parts
            .filter_map(|(&start, &(end, from))| {
                let part = start.max(range.start)..end.min(range.end);
                (!part.is_empty()).then(|| (part.clone(), from + (part.start - start)))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_and_copied() {
        let mut unwritten = Unwritten::default();
        unwritten.add(100..200, 1000);
        unwritten.remove(120..130);
        assert_eq!(unwritten.overlaps(110..140), [(110..120, 1010), (130..140, 1030)]);
        unwritten.copy(500, 115..135);
        assert_eq!(unwritten.overlaps(0..1000).len(), 4);
        assert_eq!(unwritten.overlaps(500..600), [(500..505, 1015), (515..520, 1030)]);
        unwritten.copy(505, 120..130);
        assert_eq!(unwritten.overlaps(505..515), []);
        unwritten.remove(0..1000);
        assert!(unwritten.is_empty());
    }
}
