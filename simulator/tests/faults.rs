//! The errors of bad kernels and launches.

use crate::support::Run;
use reconverge_isa::table::{OperandKind, TABLE, Unit};
use reconverge_isa::{Dest, Guard, Instruction, Op, Operand, Pred, Reg, Space, ValueKind, Width};
use reconverge_simulator::{Fault, LimitKind, Model, TrapKind, WaitReason};

fn message(code: &str) -> String {
    Run::code(code).fault().to_string()
}

#[test]
fn out_of_bounds() {
    let code = "mov.b32 r0, tid.x\n mul.i32 r0, r0, 2048\n add.i32 r0, r0, 0x10000000\n\
                ld.global.b32 r1, [r0]\n exit";
    assert_eq!(
        message(code),
        "out-of-bounds read of 4 bytes at address 0x10001000, offset 4096 of an allocation of 4096 \
         bytes, in block (0,0,0) thread (2,0,0) at instruction 3"
    );
}

#[test]
fn before_an_allocation() {
    assert_eq!(
        message("mov.b32 r0, 0xffffff8\n st.global.b32 [r0], r1\n exit"),
        "out-of-bounds write of 4 bytes at address 0x0ffffff8, 8 bytes before an allocation of 4096 \
         bytes, in block (0,0,0) thread (0,0,0) at instruction 1"
    );
}

#[test]
fn null_pointer() {
    assert_eq!(
        message("ld.generic.b32 r1, [r0+4]\n exit"),
        "out-of-bounds read of 4 bytes at address 0x00000004, a null pointer, in block (0,0,0) \
         thread (0,0,0) at instruction 0"
    );
}

#[test]
fn beyond_shared_memory() {
    let code = "mov.b32 r0, 0x1000400\n st.shared.b32 [r0], r1\n exit";
    assert_eq!(
        message(code),
        "out-of-bounds write of 4 bytes at offset 1024 of 1024 bytes of shared memory, in block \
         (0,0,0) thread (0,0,0) at instruction 1"
    );
}

#[test]
fn beyond_local_memory() {
    assert_eq!(
        message("mov.b32 r0, 0x2000000\n ld.local.b32 r1, [r0-4]\n exit"),
        "out-of-bounds read of 4 bytes at offset -4 of 64 bytes of local memory, in block (0,0,0) \
         thread (0,0,0) at instruction 1"
    );
}

#[test]
fn misaligned() {
    let code = "mov.b32 r0, tid.x\n add.i32 r0, r0, 0x10000000\n ld.global.u16 r1, [r0]\n exit";
    assert_eq!(
        message(code),
        "misaligned read of 2 bytes at address 0x10000001, in block (0,0,0) thread (1,0,0) at \
         instruction 2"
    );
}

#[test]
fn other_traps() {
    let cases = [
        ("mov.b32 r0, 0x3000000\n st.generic.b32 [r0], r1\n exit", "write to constant memory"),
        ("mov.b32 r0, 0x80000000\n ld.generic.b32 r1, [r0]\n exit", "read of host memory"),
        ("ld.const.b32 r1, [r0]\n exit", "of constant memory"),
        ("div.s32 r0, r1, r2\n exit", "integer division by zero"),
        ("rem.u64 r0:1, r2:3, r4:5\n exit", "integer division by zero"),
    ];
    for (code, expected) in cases {
        let found = message(code);
        assert!(found.contains(expected), "{code}: {found}");
    }
    // A 64-bit divisor whose low word is zero is not zero.
    let mut fine = Run::code("mov.b32 r3, 1\n div.u64 r0:1, r4:5, r2:3\n exit");
    fine.timing();
}

#[test]
fn the_lowest_thread_traps() {
    let code = "mov.b32 r0, tid.x\n sub.i32 r0, r0, 2\n div.s32 r1, r0, r0\n exit";
    let Fault::Trap(trap) = Run::code(code).block(7).fault() else { panic!("it traps") };
    assert_eq!((trap.kind, trap.thread), (TrapKind::DivisionByZero, [2, 0, 0]));
}

#[test]
fn barrier_in_one_side_of_a_branch() {
    let code = "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 1\n @p0 bra T !reconverge J\n bra J\n\
                T: bar.sync\n J: exit";
    assert_eq!(
        message(code),
        "deadlock: no thread can make progress\n  block (0,0,0) warp 0 thread (0,0,0) at \
         instruction 4: waits at a barrier for 3 threads of its block, of which 3 of its own warp \
         cannot go on before it"
    );
}

#[test]
fn who_has_come_to_the_meeting_place_waits_there() {
    // The side that is empty has nothing to run while the other waits at the barrier.
    let code = "mov.b32 r0, tid.x\n setp.ge.s32 p0, r0, 1\n @p0 bra J !reconverge J\n bar.sync\n\
                J: exit";
    assert_eq!(
        message(code),
        "deadlock: no thread can make progress\n  block (0,0,0) warp 0 thread (0,0,0) at \
         instruction 3: waits at a barrier for 3 threads of its block, of which 3 of its own warp \
         cannot go on before it"
    );
}

#[test]
fn convergence_barriers_come_off_but_count_as_instructions() {
    // Places in faults are those of the program, barriers included.
    let code = "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 1\n bssy b0, J\n @p0 bra T !reconverge J\n\
                bra J\n T: bar.sync\n J: bsync b0\n exit";
    assert!(message(code).contains("thread (0,0,0) at instruction 5: waits"), "{}", message(code));
    let code = "mov.b32 r0, tid.x\n setp.lt.u32 p0, r0, 2 !last 0\n bssy b0, J\n\
                @p0 bra J !reconverge J\n add.i32 r1, r0, 1\nJ: bsync b0\n exit";
    let found = message(code);
    assert!(found.contains("instruction 1 was the last"), "{found}");
    assert!(found.ends_with("at instruction 4"), "{found}");
}

#[test]
fn exited_threads_do_not_hold_a_barrier() {
    let code = "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 5\n @p0 exit\n bar.sync\n exit";
    Run::code(code).block(8).timing();
}

/// Lanes of a warp take a lock one after the other; the holder waits for the others at the end of
/// the loop, so that it never releases it. The book's Figure 3.5.
const SPIN_LOCK: &str = "mov.b32 r0, 0x10000000\n mov.b32 r2, 1\n\
    L: atom.cas.b32.global r1, [r0], r2, 0\n\
    setp.ne.i32 p0, r1, 0\n @p0 bra L !reconverge U\n U: atom.exch.b32.global _, [r0], 0\n exit";

#[test]
fn spin_lock_within_a_warp() {
    let Fault::Deadlock { waiters, paths, .. } = Run::code(SPIN_LOCK).fault() else {
        panic!("it is a deadlock")
    };
    assert_eq!((waiters.len(), paths), (1, 1));
    assert_eq!(waiters[0].reason, WaitReason::Spin { holds_back: 1 });
    assert_eq!(waiters[0].threads, 3);
}

#[test]
fn spin_lock_across_warps() {
    // One thread a warp: no deadlock.
    let mut run = Run::code(SPIN_LOCK).set("sm.warp-width", "1").block(8);
    run.timing();
    run.launch(Model::Functional).expect("it ends");
}

#[test]
fn endless_loop() {
    let Fault::Deadlock { waiters, .. } = Run::code("L: bra L").fault() else {
        panic!("it is a deadlock")
    };
    assert_eq!(waiters[0].reason, WaitReason::Spin { holds_back: 0 });
}

#[test]
fn endless_counting_meets_the_limit() {
    // The state recurs only after 2³² turns: not found, and not needed.
    let mut run = Run::code("L: add.i32 r0, r0, 1\n bra L");
    run.limits.instructions = 300_000;
    let limit = Fault::Limit { limit: LimitKind::Instructions, value: 300_000 };
    assert_eq!(run.fault(), limit);
    run.limits.cycles = 10_000;
    let fault = run.launch(Model::Timing).expect_err("it does not end");
    assert_eq!(fault.to_string(), "the limit of 10000 cycles was reached");
}

#[test]
fn a_long_loop_is_not_a_livelock() {
    let code = "mov.b32 r0, 400000\n L: add.i32 r0, r0, -1\n setp.gt.s32 p0, r0, 0\n\
                @p0 bra L !reconverge E\n E: exit";
    let mut run = Run::code(code);
    run.limits.patience = 1000;
    run.timing();
    run.launch(Model::Functional).expect("it ends");
}

#[test]
fn does_not_fit() {
    let fit = |run: Run| run.clone().fault().to_string();
    let run = Run::code("exit").set("sm.warps", "8").block(33);
    assert_eq!(fit(run), "a block needs 33 threads, an SM has 32");
    let run = Run::code("exit").set("sm.shared-memory", "512");
    assert_eq!(fit(run), "a block needs 1024 bytes of shared memory, an SM has 512");
    let run = Run::code("exit").set("sm.registers", "40").block(8);
    assert_eq!(fit(run), "a block needs 64 registers, an SM has 40");
}

#[test]
fn bad_launches() {
    let mut run = Run::code("exit");
    run.grid = [0, 1, 1];
    assert_eq!(run.fault().to_string(), "bad launch: a grid of 0 × 1 × 1 blocks is empty");
    run.grid = [u32::MAX, 65535, 65535];
    assert!(run.fault().to_string().contains("too large"));
    run.grid = [1, 1, 1];
    run.block = [u32::MAX, u32::MAX, u32::MAX];
    assert!(run.fault().to_string().contains("too large"));
    run.block = [4, 1, 1];
    run.program.kernels[0].max_threads = 2;
    assert!(run.fault().to_string().contains("launch bounds"));
}

#[test]
fn bad_programs() {
    let mut run = Run::code("add.i32 r0, r0, r0\n exit");
    run.program.kernels[0].registers = 0;
    assert_eq!(
        run.fault().to_string(),
        "bad program: instruction 0: source `a`: the kernel has no register 0"
    );
    let mut run = Run::code("exit");
    run.program.kernels[0].code.clear();
    assert_eq!(run.fault().to_string(), "bad program: instruction 0: the kernel has no code");
    let mut run = Run::code("bra L\n L: exit");
    run.program.kernels[0].code[0].target = 7;
    assert!(run.fault().to_string().contains("target 7 is outside of the code"));
}

/// Numbers for random programs.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn operand(&mut self, kind: Option<ValueKind>) -> Operand {
        let bases = [0, 0x1000000, 0x2000000, 0x3000000, 0x10000000, 0x80000000];
        match (kind, self.below(8)) {
            (None, _) => Operand::None,
            (Some(ValueKind::Predicate), n) => {
                Operand::Pred { predicate: Pred(n as u8 % 2), negated: n > 3 }
            }
            (Some(_), 0) => Operand::Imm(bases[self.below(6) as usize] + self.below(64)),
            (Some(_), 1) => Operand::Const(self.below(3) as u16 * 4),
            (Some(kind), n) => Operand::Reg(Reg(n as u8 & !(kind.registers().max(1) - 1))),
        }
    }

    fn instruction(&mut self, code: u32) -> Instruction {
        // The models differ in the clock and in SMs. Lanes of a random program rarely meet at a matrix.
        let ops = TABLE.iter().filter(|row| {
            ![Op::Clock, Op::SmIndex, Op::SmCount].contains(&row.op) && !row.op.is_matrix()
        });
        let chosen = self.below(3) == 0;
        let ops: Vec<Op> = ops
            .filter(|row| !chosen || matches!(row.unit, Unit::Memory | Unit::Control))
            .map(|row| row.op)
            .collect();
        let mut new = Instruction::new(ops[self.below(ops.len() as u32) as usize]);
        new.space = Space::ALL[self.below(5) as usize].0;
        new.width = Width::ALL[self.below(Width::ALL.len() as u32) as usize].0;
        new.target = self.below(code);
        new.annotations.reconverge = Some(self.below(code + 1)).filter(|&pc| pc < code);
        if self.below(3) == 0 && new.op != Op::Barrier {
            new.guard = Some(Guard { predicate: Pred(0), negated: self.below(2) == 0 });
        }
        let kind = |kind: &OperandKind| match kind {
            OperandKind::Value(kind) => *kind,
            kind => kind.value(new.width),
        };
        let row = new.op.row();
        new.sources = [0, 1, 2].map(|i| self.operand(row.sources.get(i).map(|(_, of)| kind(of))));
        new.dest = match self.operand(row.result.as_ref().map(kind)) {
            Operand::Reg(reg) => Dest::Reg(reg),
            Operand::Pred { predicate, .. } => Dest::Pred(predicate),
            _ => Dest::None,
        };
        new
    }
}

#[test]
fn what_came_before_a_trap_stands() {
    // A store and an atomic take place although the same epoch ends with a trap; a later store does not.
    let code = "mov.b32 r0, 0x10000000\n st.global.b32 [r0+64], r0\n atom.add.i32.global r1, [r0], 5\n\
                mov.b32 r2, 0x1ffff00\n st.shared.b32 [r2], r0\n st.global.b32 [r0+128], r0\n exit";
    for model in [Model::Functional, Model::Timing] {
        let mut run = Run::code(code).block(1);
        run.launch(model).expect_err("it is out of bounds");
        let words = run.words();
        assert_eq!([words[0], words[16], words[32]], [5, 0x1000_0000, 0], "{model:?}");
    }
}

#[test]
fn random_programs_end_the_same_way_in_both_models() {
    let mut random = Random(1);
    let mut faults = std::collections::BTreeMap::new();
    let start = Run::code("exit");
    for turn in 0..4000 {
        let mut run = start.clone();
        run.block = [1 + random.below(10), 1, 1];
        let kernel = &mut run.program.kernels[0];
        kernel.parameter_bytes = 16;
        let exit = kernel.code[0];
        kernel.code = (0..12).map(|_| random.instruction(13)).collect();
        kernel.code.push(exit);
        run.limits.instructions = 2000;
        run.limits.patience = 200;
        let mut timing = run.clone();
        let functional = run.launch(Model::Functional).map(|_| ());
        let timed = timing.launch(Model::Timing).map(|_| ());
        let name = |end: &Result<(), Fault>| match end {
            Ok(()) => "completes".to_string(),
            Err(fault) => fault.to_string().split([':', ' ']).next().unwrap_or("").to_string(),
        };
        // Warps race, so that memory and the thread that traps first may differ with several.
        if run.block[0] <= 4 {
            assert_eq!(functional, timed, "turn {turn}");
            assert!(run.global == timing.global, "turn {turn}: memory differs");
        }
        *faults.entry(name(&functional)).or_insert(0) += 1;
    }
    for end in ["completes", "out-of-bounds", "misaligned", "deadlock", "integer", "write"] {
        assert!(faults.get(end).is_some_and(|&count| count > 5), "{end}: {faults:?}");
    }
}

#[test]
fn broken_claims() {
    let claim = |code: &str| Run::code(code).block(8).fault().to_string();
    let uniform = claim("mov.b32 r0, tid.x !uniform\n exit");
    assert!(uniform.contains("claims that this is uniform"), "{uniform}");
    let affine = claim("mov.b32 r0, tid.x\n mul.i32 r1, r0, r0 !affine\n exit");
    assert!(affine.contains("claims that this is affine"), "{affine}");
    let branch = claim(
        "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 2\n @p0 bra J !reconverge J !uni\n mov.b32 r1, 1\n J: exit",
    );
    assert!(branch.contains("claims that this is a uniform branch"), "{branch}");
    Run::code("mov.b32 r0, tid.x !affine\n shl.b32 r1, r0, 3 !affine\n exit").block(8).timing();
}

#[test]
fn masks_of_lanes_have_32_bits() {
    let code = "setp.eq.i32 p0, r0, 0\n vote.ballot r1, p0\n exit";
    assert_eq!(
        Run::code(code).set("sm.warp-width", "64").fault().to_string(),
        "bad program: instruction 1: `vote.ballot` has 32 bits for lanes; warps of this machine \
         have 64"
    );
}

#[test]
fn lanes_that_are_elsewhere() {
    // The lanes of the other side wait at the reconvergence point.
    let code = "mov.b32 r0, tid.x\n setp.lt.u32 p0, r0, 2\n @p0 bra L !reconverge M\n bra M\n\
                L:\n warp.sync 0xffffffff\n M:\n exit";
    assert_eq!(
        message(code),
        "warp operation whose mask 0xffffffff names lane 2, which does not execute it together with \
         this thread, in block (0,0,0) thread (0,0,0) at instruction 4"
    );
}

#[test]
fn lanes_meet_at_different_places() {
    let code = "mov.b32 r0, tid.x\n setp.lt.u32 p0, r0, 2\n @p0 bra L !reconverge M\n\
                warp.sync 0xffffffff\n bra M\n L:\n warp.sync 0xffffffff\n M:\n exit";
    for model in [Model::Functional, Model::Timing] {
        assert!(Run::code(code).launch(model).is_ok());
    }
}

#[test]
fn a_warp_waits_for_lanes_that_are_about_to_end() {
    // Those of the taken side need the others, which end first although they come second.
    let code = "mov.b32 r0, tid.x\n setp.lt.u32 p0, r0, 2\n @p0 bra L\n add.i32 r0, r0, 1\n exit\n\
                L:\n warp.sync 0xffffffff\n exit";
    for model in [Model::Functional, Model::Timing] {
        assert!(Run::code(code).launch(model).is_ok());
    }
}
