//! Special registers.

use super::kernel::Kernel;
use crate::ir::Value;
use reconverge_isa::{Op, Special};

impl Kernel<'_, '_> {
    /// The value of a special register, of 32 bits or 64; `None` for other names.
    pub fn special(&mut self, name: &str, part: &str) -> Option<Value> {
        let axis = match part {
            "y" => 1,
            "z" => 2,
            _ => 0,
        };
        use Special as S;
        // The fourth dimension has extent 1.
        match (name, part) {
            ("%tid" | "%ctaid", "w") => return Some(self.builder.word(0)),
            ("%ntid" | "%nctaid", "w") => return Some(self.builder.word(1)),
            _ => {}
        }
        let of_axis = |kinds: [S; 3]| kinds[axis];
        let hardware = match name {
            "%tid" => of_axis([S::TidX, S::TidY, S::TidZ]),
            "%ntid" => of_axis([S::NtidX, S::NtidY, S::NtidZ]),
            "%ctaid" => of_axis([S::CtaidX, S::CtaidY, S::CtaidZ]),
            "%nctaid" => of_axis([S::NctaidX, S::NctaidY, S::NctaidZ]),
            "WARP_SZ" => S::WarpSize,
            "%dynamic_smem_size" => S::DynamicShared,
            _ => return self.composed(name),
        };
        Some(self.builder.special(hardware))
    }

    fn composed(&mut self, name: &str) -> Option<Value> {
        Some(match name {
            "%laneid" => self.lane(),
            "%warpid" => {
                let (thread, width) = (self.thread(), self.builder.special(Special::WarpSize));
                self.builder.compute(Op::DivU32, &[thread, width])
            }
            "%nwarpid" => {
                let all = self.threads();
                let width = self.builder.special(Special::WarpSize);
                let one = self.builder.word(1);
                let rest = self.builder.compute(Op::Sub, &[width, one]);
                let up = self.builder.compute(Op::Add, &[all, rest]);
                self.builder.compute(Op::DivU32, &[up, width])
            }
            "%smid" => self.builder.collective(Op::SmIndex, &[]),
            "%nsmid" => self.builder.collective(Op::SmCount, &[]),
            "%gridid" => self.builder.word(0),
            "%total_smem_size" => {
                let fixed = self.builder.word(self.static_shared().next_multiple_of(16));
                let dynamic = self.builder.special(Special::DynamicShared);
                self.builder.compute(Op::Add, &[fixed, dynamic])
            }
            "%lanemask_eq" => self.lane_bit(),
            "%lanemask_lt" => {
                let (bit, one) = (self.lane_bit(), self.builder.word(1));
                self.builder.compute(Op::Sub, &[bit, one])
            }
            "%lanemask_le" => {
                let above = self.bits_above();
                self.builder.compute(Op::Not, &[above])
            }
            "%lanemask_gt" => self.bits_above(),
            "%lanemask_ge" => {
                let (bit, zero) = (self.lane_bit(), self.builder.word(0));
                self.builder.compute(Op::Sub, &[zero, bit])
            }
            "%clock64" | "%globaltimer" => self.builder.collective(Op::Clock, &[]),
            "%clock" | "%globaltimer_lo" => {
                let clock = self.builder.collective(Op::Clock, &[]);
                self.builder.compute(Op::Low, &[clock])
            }
            "%clock_hi" | "%globaltimer_hi" => {
                let clock = self.builder.collective(Op::Clock, &[]);
                self.builder.compute(Op::High, &[clock])
            }
            _ => return None,
        })
    }

    /// Threads per block.
    pub fn threads(&mut self) -> Value {
        let threads = [Special::NtidX, Special::NtidY, Special::NtidZ]
            .map(|special| self.builder.special(special));
        let plane = self.builder.compute(Op::Mul, &threads[..2]);
        self.builder.compute(Op::Mul, &[plane, threads[2]])
    }

    /// The thread's number in its block: x is counted fastest.
    pub fn thread(&mut self) -> Value {
        use Special as S;
        let [x, y, z, wide, high] =
            [S::TidX, S::TidY, S::TidZ, S::NtidX, S::NtidY].map(|it| self.builder.special(it));
        let rows = self.builder.compute(Op::Mad, &[z, high, y]);
        self.builder.compute(Op::Mad, &[rows, wide, x])
    }

    /// The thread's number in its warp. Machines may have warps of any width.
    pub fn lane(&mut self) -> Value {
        let (thread, width) = (self.thread(), self.builder.special(Special::WarpSize));
        self.builder.compute(Op::RemU32, &[thread, width])
    }

    fn lane_bit(&mut self) -> Value {
        let (one, lane) = (self.builder.word(1), self.lane());
        self.builder.compute(Op::Shl, &[one, lane])
    }

    /// Every bit above the thread's own.
    fn bits_above(&mut self) -> Value {
        let (two, lane) = (self.builder.word(2), self.lane());
        let bit = self.builder.compute(Op::Shl, &[two, lane]);
        let zero = self.builder.word(0);
        self.builder.compute(Op::Sub, &[zero, bit])
    }
}
