//! Memory of the device that the host accesses too, at the same addresses.
//!
//! A program's managed and pinned memory has one address for both sides. Addresses of the device have 32 bits, so the pages of
//! such an allocation are mapped into the process at just those addresses. The two sides have copies of their own: the device
//! receives the host's before a launch, and the host what the kernel has changed after it. Launches are complete when they
//! return, so between them the host's copy is the one that counts. Other threads of the host may write meanwhile: what a kernel
//! leaves alone stays theirs.

use crate::abi::Host;
use crate::error::{MEMORY_ALLOCATION, Outcome};
use reconverge::session::Gpu;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};

/// Bytes of the pages that are mapped; no processor that is supported has larger ones.
const PAGE: u32 = 0x1_0000;

unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        length: usize,
        access: c_int,
        flags: c_int,
        file: c_int,
        from: i64,
    ) -> *mut c_void;
    fn munmap(at: *mut c_void, length: usize) -> c_int;
}

/// Reading and writing; private, of no file, at the address, and only if nothing is there.
const ACCESS: c_int = 1 | 2;
const FLAGS: c_int = 0x02 | 0x20 | 0x10_0000;

/// The allocations that both sides access.
#[derive(Debug, Default)]
pub struct Managed {
    /// Their bytes, by address.
    ranges: BTreeMap<u32, u32>,
    /// How many allocations lie in each mapped page, by the page's address.
    pages: BTreeMap<u32, u32>,
    /// The contents that the device has received for the launch, by address.
    sent: BTreeMap<u32, Vec<u8>>,
}

impl Managed {
    /// Maps an allocation of the device, with the contents that it has there.
    ///
    /// # Errors
    /// Something else is at these addresses.
    pub fn add(&mut self, address: u32, size: u32, gpu: &mut Gpu<'_>) -> Outcome {
        let mut added = Vec::new();
        for page in pages(address, size) {
            if !self.pages.contains_key(&page) && !map(page) {
                added.into_iter().for_each(unmap);
                return Err(MEMORY_ALLOCATION);
            }
            if !self.pages.contains_key(&page) {
                added.push(page);
            }
        }
        for page in pages(address, size) {
            *self.pages.entry(page).or_default() += 1;
        }
        self.ranges.insert(address, size);
        let contents = gpu.bytes(address, size as usize);
        Host(address as usize).write(size as usize)?[..contents.len()].copy_from_slice(contents);
        Ok(())
    }

    /// Ends the mapping of an allocation, if there is one.
    pub fn remove(&mut self, address: u32) {
        let Some(size) = self.ranges.remove(&address) else {
            return;
        };
        self.sent.remove(&address);
        for page in pages(address, size) {
            if let Some(count) = self.pages.get_mut(&page) {
                *count -= 1;
                if *count == 0 {
                    self.pages.remove(&page);
                    unmap(page);
                }
            }
        }
    }

    /// The allocation that has an address: its start and bytes.
    pub fn at(&self, address: usize) -> Option<(u32, u32)> {
        let address = u32::try_from(address).ok()?;
        let (&start, &size) = self.ranges.range(..=address).next_back()?;
        (address - start < size).then_some((start, size))
    }

    /// Gives the device the host's contents.
    pub fn push(&mut self, gpu: &mut Gpu<'_>) {
        for (&address, &size) in &self.ranges {
            let place = gpu.memory().device_slice(address, size.into());
            if let (Some(place), Ok(bytes)) = (place, Host(address as usize).read(size as usize)) {
                place.copy_from_slice(bytes);
                let sent = self.sent.entry(address).or_default();
                sent.clear();
                sent.extend_from_slice(place);
                gpu.wrote(address, size.into());
            }
        }
    }

    /// Gives the host what the kernel has changed.
    pub fn pull(&self, gpu: &mut Gpu<'_>) {
        for (&address, sent) in &self.sent {
            let now = gpu.bytes(address, sent.len());
            for (start, end) in changes(sent, now) {
                if let Ok(place) = Host(address as usize + start).write(end - start) {
                    place.copy_from_slice(&now[start..end]);
                }
            }
        }
    }
}

/// Bytes that are compared at once.
const LINE: usize = 256;
/// Bytes of a word: a change is that of whole words.
const WORD: usize = 4;

/// The ranges of words that differ, in order.
fn changes(before: &[u8], now: &[u8]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let lines = before.chunks(LINE).zip(now.chunks(LINE)).enumerate();
    for (line, (before, now)) in lines.filter(|(_, (before, now))| before != now) {
        let words = before.chunks(WORD).zip(now.chunks(WORD)).enumerate();
        for (word, (_, now)) in words.filter(|(_, (before, now))| before != now) {
            let start = line * LINE + word * WORD;
            match found.last_mut() {
                Some((_, end)) if *end == start => *end += now.len(),
                _ => found.push((start, start + now.len())),
            }
        }
    }
    found
}

impl Drop for Managed {
    fn drop(&mut self) {
        self.pages.keys().copied().for_each(unmap);
    }
}

/// The addresses of the pages that a range touches.
fn pages(address: u32, size: u32) -> impl Iterator<Item = u32> {
    let last = address + size.saturating_sub(1);
    (address / PAGE..=last / PAGE).map(|page| page * PAGE)
}

/// Maps a page at its address; false if something is there.
fn map(page: u32) -> bool {
    let at = page as usize as *mut c_void;
    // SAFETY: the flags forbid to replace what is mapped there, so no memory that anyone uses changes.
    let found = unsafe { mmap(at, PAGE as usize, ACCESS, FLAGS, -1, 0) };
    if found != at && !std::ptr::eq(found, usize::MAX as *mut c_void) {
        // A kernel that does not know the flag has chosen another place.
        // SAFETY: the mapping was made just now, and nobody has its address.
        unsafe { munmap(found, PAGE as usize) };
    }
    found == at
}

/// Unmaps a page.
fn unmap(page: u32) {
    // SAFETY: `map` has made it, and its last allocation has been freed: a program must not use it any more.
    unsafe { munmap(page as usize as *mut c_void, PAGE as usize) };
}

/// The first address after the mapping that has an address readable; the address itself if none has.
pub fn mapping_end(address: usize) -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut end = address;
    for line in maps.lines() {
        let mut words = line.split(' ');
        let (range, rights) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let Some((first, last)) = range.split_once('-') else {
            continue;
        };
        let number = |text| usize::from_str_radix(text, 16).unwrap_or(0);
        // Neighbouring mappings of one file continue each other.
        if (number(first)..number(last)).contains(&end) && rights.starts_with('r') {
            end = number(last);
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_ranges_of_words() {
        let before = vec![0u8; 3 * LINE + 5];
        let mut now = before.clone();
        assert!(changes(&before, &now).is_empty());
        now[5] = 1;
        now[8] = 1;
        now[LINE - 1] = 1;
        now[LINE] = 1;
        now[3 * LINE + 4] = 1;
        let expected = [(4, 12), (LINE - 4, LINE + 4), (3 * LINE + 4, 3 * LINE + 5)];
        assert_eq!(changes(&before, &now), expected);
    }
}
