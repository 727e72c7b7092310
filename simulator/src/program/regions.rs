//! The regions of a launch's code, for a register file that loads their registers before they
//! begin.

use std::ops::Range;

use reconverge_isa::region_rules::{accessed, check_regions, evicted, occupancy, result_registers};
use reconverge_isa::{EVICTS_RESULT, Kernel, Region, RegisterSet};

/// The capacity of a register file that holds only the registers of the regions that paths are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionCapacity {
    /// Registers that a region of the code may hold at once.
    pub region_registers: u32,
    /// Banks.
    pub banks: u32,
    /// Registers of warps that each bank holds.
    pub bank_entries: u32,
    /// Its name in messages.
    pub unit: &'static str,
    /// The settings that enlarge it, in messages.
    pub settings: &'static str,
}

/// A region.
#[derive(Clone, Debug)]
pub(crate) struct CodeRegion {
    /// Its first instruction.
    pub(crate) start: u32,
    /// The registers loaded before it begins, those it accesses, and those that no thread needs
    /// when it begins.
    pub(crate) preloads: RegisterSet,
    pub(crate) accesses: RegisterSet,
    pub(crate) erasures: RegisterSet,
}

/// A fault in a kernel's regions, at an instruction.
#[derive(Debug)]
pub(crate) struct Misfit {
    pub(crate) pc: u32,
    pub(crate) problem: String,
}

/// The regions of a kernel's code.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    regions: Vec<CodeRegion>,
    /// By instruction of the stream that is not affine: its region, its accesses, and its
    /// evictions.
    of: Vec<u32>,
    accesses: Vec<RegisterSet>,
    evictions: Vec<RegisterSet>,
    /// For each region how many registers it holds at once at most by bank, if it is in bank 0 where the warp's first register is.
    needs: Vec<Vec<u32>>,
}

impl Regions {
    /// The regions of a kernel, if it has some; or their fault, at an instruction.
    pub(crate) fn new(kernel: &Kernel) -> Result<Option<Regions>, Misfit> {
        let mut misfit = None;
        check_regions(kernel, &mut |index, problem| {
            let pc = index.unwrap_or(0) as u32;
            misfit.get_or_insert(Misfit { pc, problem });
        });
        match misfit {
            Some(misfit) => Err(misfit),
            None if kernel.record.regions.is_empty() => Ok(None),
            None => Ok(Some(Regions::of(kernel))),
        }
    }

    /// The regions of a kernel without known ones: each instruction is one.
    pub(crate) fn single(kernel: &Kernel) -> Regions {
        let code = kernel.main_code();
        let mut cut = Kernel { code: code.to_vec(), ..Kernel::default() };
        for (start, instruction) in (0..).zip(code) {
            let sources = (0..3).flat_map(|operand| {
                reconverge_isa::region_rules::source_registers(instruction, operand)
            });
            // The lanes that a result leaves unchanged are not known.
            let all: RegisterSet = sources.chain(result_registers(instruction)).collect();
            let preloads = all.iter().map(|register| register as u8).collect();
            cut.record.regions.push(Region { start, preloads, erasures: Vec::new() });
            cut.record.evictions.push(0b111 | EVICTS_RESULT);
        }
        Regions::of(&cut)
    }

    fn of(kernel: &Kernel) -> Regions {
        let code = kernel.main_code();
        let mut found = Regions {
            accesses: code.iter().map(|it| accessed(it).collect()).collect(),
            evictions: code
                .iter()
                .zip(&kernel.record.evictions)
                .map(|(it, &bits)| evicted(it, bits).collect())
                .collect(),
            ..Regions::default()
        };
        for (index, region) in kernel.record.regions.iter().enumerate() {
            let Range { start, end } = kernel.region_code(index);
            found.of.resize(end, index as u32);
            let set =
                |registers: &[u8]| registers.iter().map(|&register| u16::from(register)).collect();
            found.regions.push(CodeRegion {
                start: region.start,
                preloads: set(&region.preloads),
                accesses: found.accesses[start..end].iter().flat_map(|set| set.iter()).collect(),
                erasures: set(&region.erasures),
            });
        }
        found
    }

    /// Computes the needs of each region in `banks` banks.
    fn fit(&mut self, kernel: &Kernel, banks: usize) {
        let needs = |index: usize| {
            let code = kernel.region_code(index);
            let Region { preloads, .. } = &kernel.record.regions[index];
            let evictions = &kernel.record.evictions[code.clone()];
            occupancy(&kernel.code[code], preloads, evictions, banks)
        };
        self.needs = match kernel.record.regions.is_empty() {
            false => (0..self.regions.len()).map(needs).collect(),
            true => {
                let by_bank = |region: &CodeRegion| {
                    let mut most = vec![0; banks];
                    region
                        .accesses
                        .iter()
                        .for_each(|register| most[usize::from(register) % banks] += 1);
                    most
                };
                self.regions.iter().map(by_bank).collect()
            }
        };
    }

    /// The region that an instruction is in; none of an affine stream's.
    #[inline]
    pub(crate) fn at(&self, pc: u32) -> Option<u32> {
        self.of.get(pc as usize).copied()
    }

    /// A region, given that there is one of that number.
    #[inline]
    pub(crate) fn get(&self, region: u32) -> &CodeRegion {
        &self.regions[region as usize]
    }

    /// The most registers that a region holds at once, by bank: register `r` counts in bank `r`
    /// modulo banks.
    #[inline]
    pub(crate) fn needs(&self, region: u32) -> &[u32] {
        self.needs.get(region as usize).map_or(&[], |needs| needs)
    }

    /// The registers that an instruction evicts.
    #[inline]
    pub(crate) fn evicts(&self, pc: u32) -> RegisterSet {
        self.evictions.get(pc as usize).copied().unwrap_or_default()
    }

    /// The registers held by a path that arrives at an instruction of its region, which need not be
    /// the first: paths part and meet within regions.
    pub(crate) fn held_at(&self, pc: u32) -> RegisterSet {
        let Some(region) = self.at(pc).map(|region| self.get(region)) else {
            return RegisterSet::default();
        };
        let mut held = region.preloads;
        for before in region.start..pc {
            self.accesses[before as usize].iter().for_each(|register| _ = held.insert(register));
            self.evictions[before as usize].iter().for_each(|register| _ = held.remove(register));
        }
        held
    }

    /// The region that begins with an instruction, if one does.
    #[inline]
    pub(crate) fn begins(&self, pc: u32) -> Option<&CodeRegion> {
        let region = self.get(self.at(pc)?);
        (region.start == pc).then_some(region)
    }

    /// The same regions with their needs in the banks of a register file; one that does not fit is
    /// an error.
    pub(crate) fn fitted(
        mut self,
        kernel: &Kernel,
        capacity: RegionCapacity,
    ) -> Result<Regions, Misfit> {
        let RegionCapacity { banks, bank_entries, unit, settings, .. } = capacity;
        self.fit(kernel, banks as usize);
        for (region, needs) in self.regions.iter().zip(&self.needs) {
            let most = needs.iter().copied().max().unwrap_or(0);
            if most > bank_entries {
                let problem = format!(
                    "its region needs {most} registers of one bank of {unit}, which has {bank_entries}: compile it for this machine, \
                     or set {settings}"
                );
                return Err(Misfit { pc: region.start, problem });
            }
        }
        Ok(self)
    }
}
