//! The contents of the L2 between launches, on `tiny`: four sets of four lines of 128 bytes, one slice.

use crate::support::Run;
use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::{Fault, Machine, Report, SecondLevel, load_machine};

/// Threads load a word of each of the lines 0 to 3.
const LOADS: &str = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n ld.global.b32 r1, [r0+128]\n\
                     ld.global.b32 r1, [r0+256]\n ld.global.b32 r1, [r0+384]\n add.i32 r1, r1, r1\n exit";

/// Threads store their words of the lines 0 to 3: 16 bytes of a sector of each.
const STORES: &str = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 2\n add.i32 r0, r0, 0x10000000\n\
                      st.global.b32 [r0], r0\n st.global.b32 [r0+128], r0\n st.global.b32 [r0+256], r0\n\
                      st.global.b32 [r0+384], r0\n exit";

fn machine(more: &[(&str, &str)]) -> Machine {
    let kept = [("l2.between-launches", "kept")];
    let sets: Vec<_> =
        kept.iter().chain(more).map(|(key, value)| (key.to_string(), value.to_string())).collect();
    load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"))
}

/// A machine that keeps its second level, and that.
fn kept(more: &[(&str, &str)]) -> (Machine, SecondLevel) {
    let machine = machine(more);
    let second_level = SecondLevel::of(&machine).expect("it keeps it");
    (machine, second_level)
}

/// A launch of some code after others.
fn after((machine, second_level): &mut (Machine, SecondLevel), code: &str) -> Report {
    let mut run = Run::code(code);
    run.machine = machine.clone();
    run.after(second_level)
}

/// Addresses of so many bytes of global memory from an offset on.
fn global(offset: u32, bytes: u32) -> std::ops::Range<u32> {
    GLOBAL_BASE + offset..GLOBAL_BASE + offset + bytes
}

#[test]
fn a_launch_finds_what_the_one_before_has_left() {
    let flushed = Run::code(LOADS).timing();
    assert!(SecondLevel::of(&load_machine("tiny", &[]).unwrap()).is_none());
    let mut kept = kept(&[]);
    // The first one finds nothing, and is the same to the last counter.
    assert_eq!(after(&mut kept, LOADS), flushed);
    let second = after(&mut kept, LOADS);
    let s = &second.statistics;
    assert_eq!((s.l2_hits, s.l2_misses, s.dram_read_bytes), (4, 0, 0));
    // It has not brought the lines, but used them: as many sectors as the first.
    assert_eq!((s.l2_lines, s.l2_sectors_used, s.l2_fills), (4, 4, 0));
    assert_eq!(flushed.statistics.l2_sectors_used, 4);
    assert!(second.cycles < flushed.cycles);
    // The first level is empty all the same.
    assert_eq!((s.l1_hits, s.l1_misses), (0, 4));
}

#[test]
fn what_is_dirty_is_written_when_a_later_launch_evicts_it() {
    let mut kept = kept(&[]);
    let first = after(&mut kept, STORES).statistics;
    assert_eq!((first.l2_writes, first.l2_write_backs, first.dram_write_bytes), (4, 0, 0));
    // Lines 4 to 19: four more of each set, which evict line 0 of set 0 and so on.
    let others: String =
        (4..20).map(|line| format!("ld.global.b32 r1, [r0+{}]\n", 128 * line)).collect();
    let others = format!("mov.b32 r0, 0x10000000\n {others} exit");
    let second = after(&mut kept, &others).statistics;
    assert_eq!((second.l2_writes, second.l2_write_backs), (0, 4));
    assert_eq!(second.dram_write_bytes, 4 * 32);
    assert_eq!((second.l2_lines, second.l2_sectors_used), (16, 16));
    let third = after(&mut kept, LOADS).statistics;
    assert_eq!((third.l2_hits, third.l2_misses, third.l2_write_backs), (0, 4, 0));
}

#[test]
fn sectors_written_in_part_are_completed_by_a_later_launch() {
    let mut kept = kept(&[]);
    after(&mut kept, STORES);
    let s = after(&mut kept, LOADS).statistics;
    assert_eq!((s.l2_hits, s.l2_misses, s.l2_sectors_completed), (0, 4, 4));
    let s = after(&mut kept, LOADS).statistics;
    assert_eq!((s.l2_hits, s.l2_sectors_completed), (4, 0));
}

#[test]
fn what_the_host_writes_is_there_as_after_stores() {
    let mut all = kept(&[]);
    all.1.written(global(0, 512));
    let s = after(&mut all, LOADS).statistics;
    assert_eq!((s.l2_hits, s.l2_misses, s.l2_writes), (4, 0, 0));
    // One byte of a sector is none of the others: the line is here, and has to be completed.
    let mut byte = kept(&[]);
    byte.1.written(global(130, 1));
    let s = after(&mut byte, LOADS).statistics;
    assert_eq!((s.l2_hits, s.l2_misses, s.l2_sectors_completed), (0, 4, 1));
    // If more is written than fits, the last part stays: lines 4 to 19 of 20.
    let mut much = kept(&[]);
    much.1.written(global(0, 20 * 128));
    let s = after(&mut much, LOADS).statistics;
    // The lines that these four evict had not been written back.
    assert_eq!((s.l2_hits, s.l2_misses, s.l2_write_backs), (0, 4, 4));
    // Nothing at all is nothing.
    let mut none = kept(&[]);
    none.1.written(global(0, 0));
    assert_eq!(after(&mut none, LOADS), Run::code(LOADS).timing());
}

#[test]
fn constants_that_the_host_writes_are_there() {
    let code = ".kernel k\n.registers 8\nmov.b32 r0, 0x3000100\n ld.const.b32 r1, [r0]\n exit";
    let launch = |written: bool| {
        let (machine, mut second_level) = kept(&[("constant.size", "128")]);
        if written {
            second_level.written(0x300_0100..0x300_0120);
        }
        let mut run = Run::new(code, "tiny");
        (run.machine, run.constant) = (machine, vec![0; 1024]);
        let s = run.after(&mut second_level).statistics;
        assert_eq!(s.constant_misses, 1);
        (s.l2_hits, s.l2_misses)
    };
    // A line of that cache has two sectors.
    assert_eq!(launch(false), (0, 1));
    assert_eq!(launch(true), (0, 1));
    let whole = kept(&[("constant.size", "128"), ("constant.line", "32")]);
    let (machine, mut second_level) = whole;
    second_level.written(0x300_0100..0x300_0120);
    let mut run = Run::new(code, "tiny");
    (run.machine, run.constant) = (machine, vec![0; 1024]);
    assert_eq!(run.after(&mut second_level).statistics.l2_hits, 1);
}

#[test]
fn each_kernel_has_code_of_its_own() {
    let mut kept = kept(&[("instruction-cache.size", "256")]);
    let hits = |kept: &mut (Machine, SecondLevel), name: &str| {
        let text = format!(".kernel {name}\n.registers 8\nadd.i32 r0, r0, r0\n exit");
        let mut run = Run::new(&text, "tiny");
        run.machine = kept.0.clone();
        let s = run.after(&mut kept.1).statistics;
        (s.l2_hits, s.l2_misses)
    };
    assert_eq!(hits(&mut kept, "one"), (0, 1));
    assert_eq!(hits(&mut kept, "two"), (0, 1));
    assert_eq!(hits(&mut kept, "one"), (1, 0));
    assert_eq!(hits(&mut kept, "two"), (1, 0));
}

#[test]
fn a_launch_that_fails_leaves_lines_too() {
    let mut kept = kept(&[]);
    let code = format!("{}\n ld.global.b32 r1, [r1]\n exit", LOADS.replace("\n exit", ""));
    let mut run = Run::code(&code);
    run.machine = kept.0.clone();
    assert!(matches!(run.fault_after(&mut kept.1), Fault::Trap(_)));
    assert_eq!(after(&mut kept, LOADS).statistics.l2_hits, 4);
}

#[test]
fn a_second_level_without_size_keeps_nothing() {
    let mut kept = kept(&[("l2.size", "0")]);
    kept.1.written(global(0, 512));
    let first = after(&mut kept, LOADS);
    assert_eq!(first, after(&mut kept, LOADS));
    assert_eq!(first.statistics.l2_hits, 0);
}

#[test]
fn another_machines_is_refused() {
    let (_, mut second_level) = kept(&[("l2.partitions", "2"), ("l2.size", "4096")]);
    let fault = Run::code(LOADS).fault_after(&mut second_level);
    assert_eq!(
        fault,
        Fault::BadLaunch("the second level that is lent is another machine's".to_owned())
    );
}

#[test]
fn a_wrong_value_is_refused() {
    let sets = [("l2.between-launches".to_owned(), "keep".to_owned())];
    let error = load_machine("tiny", &sets).expect_err("it is wrong");
    assert!(error.contains("`l2.between-launches`"), "{error}");
    assert!(error.contains("expected `flushed` or `kept`"), "{error}");
    let error = load_machine("base = \"tiny\"\nl2.between-launches = 1", &[]).expect_err("wrong");
    assert!(error.contains("`l2.between-launches` is 1; it must be a text in quotes"), "{error}");
}
