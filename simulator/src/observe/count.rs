//! Counts of executed instructions, the same in both models.

use reconverge_isa::matrix::{Element, Matrix};
use reconverge_isa::{BranchTaint, Effect};

use crate::block::issued::Issued;
use crate::execute::lanes::count_lanes;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;

/// Counts an instruction, for both models.
#[inline(always)]
pub(crate) fn count(
    statistics: &mut Statistics,
    code: &Code,
    instruction: &Decoded,
    issued: &Issued,
) {
    let active = u64::from(count_lanes(issued.active));
    let lanes = match issued.mask & issued.active {
        mask if mask == issued.active => active,
        mask => u64::from(count_lanes(mask)),
    };
    let [of_unit, lanes_of_unit] = statistics.of_unit(instruction.unit);
    *of_unit += 1;
    *lanes_of_unit += lanes;
    statistics.acting_lanes += lanes;
    statistics.other_operands += u64::from(instruction.other_operands);
    statistics.predicated_off_instructions +=
        u64::from(issued.mask == 0 && instruction.effect != Effect::Branch);
    count_issued(statistics, code, 1, active, issued.paths);
    count_effect(statistics, code, instruction, issued, lanes);
}

/// Counts `count` instructions of a path with some active lanes, one of `paths` paths.
#[inline(always)]
pub(crate) fn count_issued(
    statistics: &mut Statistics,
    code: &Code,
    instructions: u64,
    active: u64,
    paths: u64,
) {
    statistics.warp_instructions += instructions;
    statistics.schedulable_paths += instructions * paths;
    statistics.thread_instructions += instructions * active;
    statistics.lane_slots += instructions * u64::from(code.shape.width);
}

/// Counts the effect of an instruction beside computing, in `lanes` lanes.
#[inline(always)]
pub(crate) fn count_effect(
    statistics: &mut Statistics,
    code: &Code,
    instruction: &Decoded,
    issued: &Issued,
    lanes: u64,
) {
    match instruction.effect {
        Effect::Compute | Effect::Divide | Effect::Exit | Effect::Bssy | Effect::Bsync => {}
        Effect::Enqueue | Effect::Depbar | Effect::AwaitCopies => {}
        Effect::Copy => {
            statistics.copy_instructions += 1;
            statistics.copied_bytes += lanes * u64::from(instruction.width.bytes());
        }
        Effect::Load => statistics.load_instructions += 1,
        Effect::Store => statistics.store_instructions += 1,
        Effect::Atomic => {
            statistics.atomic_instructions += 1;
            statistics.atomic_operations += lanes;
        }
        Effect::Branch => {
            statistics.branches += 1;
            let divergent = u64::from(issued.divergent);
            statistics.divergent_branches += divergent;
            statistics.taken_branch_lanes += lanes;
            match code.instructions[issued.pc as usize].annotations.taint {
                BranchTaint::Unknown => {}
                BranchTaint::Programmatic => {
                    statistics.programmatic_branches += 1;
                    statistics.divergent_programmatic_branches += divergent;
                }
                BranchTaint::Data => {
                    statistics.data_branches += 1;
                    statistics.divergent_data_branches += divergent;
                }
            }
        }
        Effect::Barrier | Effect::CountedBarrier => statistics.barriers += 1,
        Effect::Collective => match Matrix::of(instruction.op) {
            Some(matrix) => count_matrix(statistics, matrix),
            None => statistics.collectives += 1,
        },
    }
}

/// Counts the multiplications of a product of matrices.
#[cold]
fn count_matrix(statistics: &mut Statistics, matrix: &Matrix) {
    let counter = match matrix.a {
        Element::F16 | Element::Bf16 => &mut statistics.tensor_half_operations,
        Element::Tf32 => &mut statistics.tensor_tf32_operations,
        Element::E4m3 | Element::E5m2 => &mut statistics.tensor_f8_operations,
        Element::S8 | Element::U8 | Element::S4 | Element::U4 => {
            &mut statistics.tensor_integer_operations
        }
        Element::B1 => &mut statistics.tensor_bit_operations,
        Element::F64 => &mut statistics.tensor_double_operations,
    };
    *counter += 2 * matrix.multiply_adds();
}
