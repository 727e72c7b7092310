//! Commands of a channel, cycle by cycle, by hand.
//!
//! The channel: `tiny`'s, on one clock with the slice. rcd 10, rp 10, ras 25, rc 35, cl 10, wl 5, a
//! burst of 32 bytes 8, ccd 8 (10 in a group), rrd 4, wr 10, cdlr 5, rtp 5, turn 2; 29 of the
//! controller. Lines of 128 bytes are four bursts; a row has 8 lines; the row's neighbours are in the
//! other group: lines 0 to 7 in bank 0 (group 0), 8 to 15 in bank 2 (group 1), 16 to 23 in bank 1, 24
//! to 31 in bank 3, line 32 in the second row of bank 0. A request of cycle n can be served from
//! cycle n + 1 on.

use super::*;
use crate::machine::load::load_machine;
use crate::mechanisms::allocation::Token;

/// A channel with changed settings, without refresh by default.
fn channel(sets: &[(&str, &str)]) -> Dram {
    let all = [&[("dram.timing.refi", "0")], sets].concat();
    let sets: Vec<_> =
        all.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"));
    Dram::new(&machine).expect("it was checked")
}

/// One action of a test's cycle: reads with their marks, or writes, of some sectors of lines.
enum Do {
    Read(u32, u64, u8),
    /// As a read, for a warp with a token.
    TokenRead(u32, u64, u8),
    Write(u64, u8),
}
use Do::{Read, TokenRead, Write};

/// Runs to the end. Returns the reads with the cycles of their data.
fn run(channel: &mut Dram, mut plan: Vec<(u64, Do)>) -> Vec<(u64, u32)> {
    let mut done = Vec::new();
    plan.reverse();
    for now in 0..20_000 {
        channel.advance(now);
        while let Some(reader) = channel.done(now) {
            done.push((now, reader));
            channel.pop_done();
        }
        while plan.last().is_some_and(|(time, _)| *time == now) {
            match plan.pop() {
                Some((_, Read(reader, line, sectors))) => {
                    assert!(channel.has_read_room(), "{:?}", channel.log);
                    channel.push_read(reader, LineSectors { line, sectors }, Requester::NONE, now);
                }
                Some((_, TokenRead(reader, line, sectors))) => {
                    assert!(channel.has_read_room());
                    let by = Requester { token: Token::First, ..Requester::NONE };
                    channel.push_read(reader, LineSectors { line, sectors }, by, now);
                }
                Some((_, Write(line, sectors))) => {
                    assert!(channel.has_write_room());
                    channel.push_write(line, &Bytes::of(sectors), Requester::NONE);
                }
                None => {}
            }
        }
        if plan.is_empty() && channel.is_idle() {
            return done;
        }
    }
    panic!("it does not end: {:?}", channel.log)
}

const ACTIVATE: &str = "activate";
const PRECHARGE: &str = "precharge";
const READ: &str = "read";
const WRITE: &str = "write";

#[test]
fn a_closed_row() {
    // Activate 1, read 11 (rcd); data 21 (cl) to 29 (burst); 29 more: 58.
    let mut channel = channel(&[]);
    assert_eq!(run(&mut channel, vec![(0, Read(7, 0, 1))]), [(58, 7)]);
    assert_eq!(channel.log, [(1, ACTIVATE, 0), (11, READ, 0)]);
    let s = channel.statistics(59);
    assert_eq!((s.dram_row_hits, s.dram_row_misses, s.dram_activates), (0, 1, 1));
    assert_eq!((s.dram_read_bytes, s.dram_busy_cycles, s.dram_wait_cycles), (32, 8, 10));
    assert_eq!(s.dram_capacity_cycles, 59);
}

#[test]
fn an_open_row() {
    // As above; the second read arrives in 100 and is served in 101: data 111 to 119, 148.
    let mut channel = channel(&[]);
    let done = run(&mut channel, vec![(0, Read(0, 0, 1)), (100, Read(1, 3, 1))]);
    assert_eq!(done, [(58, 0), (148, 1)]);
    assert_eq!(channel.log, [(1, ACTIVATE, 0), (11, READ, 0), (101, READ, 0)]);
    assert_eq!(channel.statistics(149).dram_row_hits, 1);
}

#[test]
fn another_row_of_the_bank() {
    // Line 32 lies in bank 0, row 1. Precharge 101, activate 111 (rp), read 121; data 131 to 139, 168.
    let mut channel = channel(&[]);
    let done = run(&mut channel, vec![(0, Read(0, 0, 1)), (100, Read(1, 32, 1))]);
    assert_eq!(done, [(58, 0), (168, 1)]);
    assert_eq!(channel.log[2..], [(101, PRECHARGE, 0), (111, ACTIVATE, 0), (121, READ, 0)]);
}

#[test]
fn a_row_stays_open_for_a_while() {
    // Both arrive in 0: activate 1, read 11; precharge not before 26 (ras 25 after 1, later than
    // rtp 5 after 11), activate 36 (rp 10; rc 35 after 1 gives the same), read 46; data 56 to 64,
    // 93.
    let mut channel = channel(&[]);
    let done = run(&mut channel, vec![(0, Read(0, 0, 1)), (0, Read(1, 32, 1))]);
    assert_eq!(done, [(58, 0), (93, 1)]);
    let expected =
        [(1, ACTIVATE, 0), (11, READ, 0), (26, PRECHARGE, 0), (36, ACTIVATE, 0), (46, READ, 0)];
    assert_eq!(channel.log, expected);
}

#[test]
fn a_whole_line_in_a_group() {
    // Four bursts of one bank, ccd 10 in a group: 11, 21, 31, 41; the last data 51 to 59, 88.
    let mut channel = channel(&[]);
    assert_eq!(run(&mut channel, vec![(0, Read(0, 0, 15))]), [(88, 0)]);
    let reads = [11, 21, 31, 41].map(|time| (time, READ, 0));
    assert_eq!(channel.log[1..], reads);
    assert_eq!(channel.statistics(89).dram_busy_cycles, 32);
}

#[test]
fn banks_in_parallel() {
    // Lines 0 (bank 0, group 0) and 8 (bank 2, group 1): activate 1 and 5 (rrd 4), read 11 and 19 (ccd
    // 8; the second bank could at 15), data until 29 and 37: 58 and 66. One after the other: 58 + 47.
    let mut channel = channel(&[]);
    let done = run(&mut channel, vec![(0, Read(0, 0, 1)), (0, Read(1, 8, 1))]);
    assert_eq!(done, [(58, 0), (66, 1)]);
    let expected = [(1, ACTIVATE, 0), (5, ACTIVATE, 2), (11, READ, 0), (19, READ, 2)];
    assert_eq!(channel.log, expected);
}

#[test]
fn two_groups_take_turns() {
    // Two bursts each for bank 0 (group 0) and bank 2 (group 1): 11 for the first, which may
    // continue at 21 (ccd 10 in the group), the other at 19; then 27 for the older request, whose
    // group has rested for 16 cycles, and 35: a burst every 8 cycles, as fast as the bus.
    let mut channel = channel(&[]);
    run(&mut channel, vec![(0, Read(0, 0, 3)), (0, Read(1, 8, 3))]);
    let expected = [(11, READ, 0), (19, READ, 2), (27, READ, 0), (35, READ, 2)];
    assert_eq!(channel.log[2..], expected);
    // In one group, banks 0 and 1: every 10 cycles, though rows are open in both. Activate 1 and 5;
    // 11, 21 for the older one, 31, 41 for the other.
    let mut channel = self::channel(&[]);
    run(&mut channel, vec![(0, Read(0, 0, 3)), (0, Read(1, 16, 3))]);
    let expected = [(11, READ, 0), (21, READ, 0), (31, READ, 1), (41, READ, 1)];
    assert_eq!(channel.log[2..], expected);
}

#[test]
fn from_write_to_read() {
    // A write of bank 0: activate 1, write 11; data 16 (wl) to 24. A read of the open row of cycle 12
    // waits until 29 (cdlr 5 after 24); data 39 to 47, 76.
    let mut channel = channel(&[]);
    let done = run(&mut channel, vec![(0, Write(0, 1)), (12, Read(0, 1, 1))]);
    assert_eq!(done, [(76, 0)]);
    assert_eq!(channel.log, [(1, ACTIVATE, 0), (11, WRITE, 0), (29, READ, 0)]);
    assert_eq!(channel.statistics(77).dram_turnarounds, 1);
}

#[test]
fn from_read_to_write() {
    // Activate 1, read 11: data 21 to 29, the bus rests until 31 (turn 2); a write's data starts 5
    // cycles (wl) after it, so the command is at 26.
    let mut channel = channel(&[]);
    run(&mut channel, vec![(0, Read(0, 0, 1)), (0, Write(1, 1))]);
    assert_eq!(channel.log, [(1, ACTIVATE, 0), (11, READ, 0), (26, WRITE, 0)]);
}

#[test]
fn a_written_row_closes_late() {
    // Write 11, data 16 to 24, precharge 34 (wr 10; ras would allow 26), activate 44, read 54; data 64
    // to 72, 101.
    let mut channel = channel(&[]);
    let done = run(&mut channel, vec![(0, Write(0, 1)), (12, Read(0, 32, 1))]);
    assert_eq!(done, [(101, 0)]);
    let expected =
        [(1, ACTIVATE, 0), (11, WRITE, 0), (34, PRECHARGE, 0), (44, ACTIVATE, 0), (54, READ, 0)];
    assert_eq!(channel.log, expected);
}

#[test]
fn ready_rows_go_first() {
    // Row 0 is open (read 11). In 30 reads of row 1 and then of row 0 arrive: the later one is
    // served first, at 31; the earlier one closes the row at 36 (rtp 5), activates 46, reads 56.
    let mut channel = channel(&[]);
    let plan = vec![(0, Read(0, 0, 1)), (30, Read(1, 32, 1)), (30, Read(2, 1, 1))];
    let done = run(&mut channel, plan);
    assert_eq!(done.iter().map(|(_, reader)| *reader).collect::<Vec<_>>(), [0, 2, 1]);
    let expected = [(31, READ, 0), (36, PRECHARGE, 0), (46, ACTIVATE, 0), (56, READ, 0)];
    assert_eq!(channel.log[2..], expected);
}

#[test]
fn nobody_is_overtaken_for_ever() {
    // As above, with six reads of the open row and a limit of 50: the read of row 1, which arrives
    // in 31, is overtaken five times, at 31 to 71 (ccd 10). At 81 it is due: precharge (rtp 5 after
    // 71 is over), activate 91, read 101. The sixth waits for its row.
    let mut channel = channel(&[("dram.age-limit", "50"), ("dram.read-queue", "8")]);
    let mut plan = vec![(0, Read(0, 0, 1)), (30, Read(99, 32, 1))];
    plan.extend((0..6).map(|index| (30, Read(index, u64::from(index) + 1, 1))));
    run(&mut channel, plan);
    let expected = [
        (31, READ, 0),
        (41, READ, 0),
        (51, READ, 0),
        (61, READ, 0),
        (71, READ, 0),
        (81, PRECHARGE, 0),
        (91, ACTIVATE, 0),
        (101, READ, 0),
    ];
    assert_eq!(channel.log[2..10], expected);
}

#[test]
fn writes_wait_for_three() {
    // A drain starts with three writes and ends with one. Bank 0's row is open after the first
    // read. In 20 two writes and two reads arrive: the reads are served, at 21 and 31. In 32 a
    // third write starts a drain. Write not before 46 (31 + cl 10 + burst 8 + turn 2 - wl 5), then
    // 56; one is left. The read of 33 has waited: 74 (56 + wl 5 + burst 8 + cdlr 5). When it has
    // been served, nothing but the last write waits: 89 (74 + 15).
    let mut channel = channel(&[]);
    let plan = vec![
        (0, Read(0, 0, 1)),
        (20, Write(1, 1)),
        (20, Write(2, 1)),
        (20, Read(1, 3, 1)),
        (20, Read(2, 4, 1)),
        (32, Write(5, 1)),
        (33, Read(3, 6, 1)),
    ];
    run(&mut channel, plan);
    let expected = [
        (21, READ, 0),
        (31, READ, 0),
        (46, WRITE, 0),
        (56, WRITE, 0),
        (74, READ, 0),
        (89, WRITE, 0),
    ];
    assert_eq!(channel.log[2..], expected);
    assert_eq!(channel.statistics(100).dram_turnarounds, 3);
}

#[test]
fn a_read_that_has_waited_ends_a_drain() {
    // Three writes in 0 start a drain: activate 1, writes 11, 21; the read of cycle 1 would have to
    // wait for one of them, but after 5 cycles, at 7, it has waited long enough: it goes first, at 11.
    let mut channel = channel(&[("dram.age-limit", "5")]);
    let plan = vec![(0, Write(0, 1)), (0, Write(1, 1)), (0, Write(2, 1)), (1, Read(0, 3, 1))];
    run(&mut channel, plan);
    assert_eq!(channel.log[..2], [(1, ACTIVATE, 0), (11, READ, 0)]);
}

#[test]
fn reads_of_what_waits_to_be_written() {
    // The write waits after the read of bank 1 (activate 1); a read of its sectors returns after
    // the controller's 29; one of more sectors goes to memory.
    let mut channel = channel(&[]);
    let plan = vec![(0, Read(0, 16, 1)), (2, Write(0, 3)), (3, Read(1, 0, 2)), (3, Read(2, 0, 4))];
    let done = run(&mut channel, plan);
    assert_eq!(done[0], (32, 1));
    assert_eq!(channel.statistics(200).dram_forwards, 1);
    // Writes of one line join.
    let mut channel = self::channel(&[]);
    run(&mut channel, vec![(0, Write(0, 1)), (0, Write(0, 2))]);
    let s = channel.statistics(100);
    assert_eq!((s.dram_requests, s.dram_write_bytes, s.dram_busy_cycles), (1, 64, 16));
}

#[test]
fn refresh() {
    // A read every refi of 1000: activate 1, read 11. The read of 999 could be served at 1000, when the
    // refresh is due: all banks are closed at 1000, refreshed 1010 (rp), and it activates at 1060 (rfc
    // 50), reads 1070; data 1080 to 1088, 1117.
    let mut channel = channel(&[("dram.timing.refi", "1000")]);
    let done = run(&mut channel, vec![(0, Read(0, 0, 1)), (999, Read(1, 0, 1))]);
    assert_eq!(done, [(58, 0), (1117, 1)]);
    let expected =
        [(1000, "precharge all", 0), (1010, "refresh", 0), (1060, ACTIVATE, 0), (1070, READ, 0)];
    assert_eq!(channel.log[2..], expected);
    // One in 1000; at the end of 5001 cycles the five that are due count, and two rows were closed.
    let s = channel.statistics(5001);
    assert_eq!((s.dram_refreshes, s.dram_precharges, s.dram_row_misses), (5, 2, 2));
    assert_eq!(channel.statistics(5000).dram_refreshes, 4);
}

#[test]
fn a_refresh_waits_for_rows_that_must_stay_open() {
    // The read of 985: activate 986, read 996; the row may be closed at 1011 (ras 25), so that the
    // refresh is at 1021 and the read of 1005 activates at 1071.
    let mut channel = channel(&[("dram.timing.refi", "1000")]);
    run(&mut channel, vec![(985, Read(0, 0, 1)), (1005, Read(1, 0, 1))]);
    let expected = [
        (986, ACTIVATE, 0),
        (996, READ, 0),
        (1011, "precharge all", 0),
        (1021, "refresh", 0),
        (1071, ACTIVATE, 0),
    ];
    assert_eq!(channel.log[..5], expected);
}

#[test]
fn a_channel_that_rests_is_as_one_that_is_watched() {
    // 123 refreshes, one by one and at once; then a read.
    let (mut watched, mut rests) = (channel(&[("dram.timing.refi", "1000")]), None);
    watched.advance(10);
    watched.push_read(0, LineSectors { line: 0, sectors: 1 }, Requester::NONE, 10);
    for now in 11..123_040 {
        watched.advance(now);
        if now == 200 {
            let mut other = channel(&[("dram.timing.refi", "1000")]);
            other.advance(10);
            other.push_read(0, LineSectors { line: 0, sectors: 1 }, Requester::NONE, 10);
            other.advance(200);
            rests = Some(other);
        }
    }
    let mut rests = rests.expect("it was made");
    rests.advance(123_039);
    assert_eq!(watched.statistics(123_040), rests.statistics(123_040));
    for channel in [&mut watched, &mut rests] {
        // All rows are closed; the refresh of 123,000 lasts until 123,050.
        channel.push_read(1, LineSectors { line: 0, sectors: 1 }, Requester::NONE, 123_039);
        channel.advance(130_000);
        assert_eq!(channel.log.iter().rev().find(|entry| entry.1 == ACTIVATE).unwrap().0, 123_050);
    }
}

#[test]
fn a_faster_clock() {
    // The command clock at 2.5 times the slice's. A read of cycle 2 (command cycle 5) can be served
    // from 6 on: activate 6, read 16, data until 34, which is cycle 13.6 of the slice: 14, and 29: 43.
    let mut channel = channel(&[("dram.clock-mhz", "2.5")]);
    assert_eq!(run(&mut channel, vec![(2, Read(0, 0, 1))]), [(43, 0)]);
    assert_eq!(channel.log, [(6, ACTIVATE, 0), (16, READ, 0)]);
    assert_eq!(channel.statistics(44).dram_capacity_cycles, 110);
}

#[test]
fn events_are_never_late() {
    // Random requests, stepped cycle by cycle and only when the channel is due: the same commands.
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for clock in ["1", "0.7", "1.32"] {
        for limit in ["20", "500"] {
            let sets =
                [("dram.clock-mhz", clock), ("dram.age-limit", limit), ("dram.timing.refi", "900")];
            let (mut all, mut some) = (channel(&sets), channel(&sets));
            let (mut next, mut got) = (0, [Vec::new(), Vec::new()]);
            for now in 0..30_000 {
                all.advance(now);
                let request = random(8) == 0;
                let step = request || next <= now;
                if step {
                    some.advance(now);
                }
                for (channel, got) in [&mut all, &mut some].into_iter().zip(&mut got) {
                    while let Some(reader) = channel.done(now) {
                        got.push((now, reader));
                        channel.pop_done();
                    }
                }
                if request {
                    let (line, sectors) = (random(100), random(15) as u8 + 1);
                    let write = random(3) == 0;
                    assert_eq!(all.has_read_room(), some.has_read_room());
                    assert_eq!(all.has_write_room(), some.has_write_room());
                    for channel in [&mut all, &mut some] {
                        if write && channel.has_write_room() {
                            channel.push_write(line, &Bytes::of(sectors), Requester::NONE);
                        } else if !write && channel.has_read_room() {
                            channel.push_read(
                                now as u32,
                                LineSectors { line, sectors },
                                Requester::NONE,
                                now,
                            );
                        }
                    }
                }
                if step {
                    next = some.next_data().max(now + 1);
                }
            }
            assert!(got[0].len() > 150, "{}", got[0].len());
            assert_eq!(got[0], got[1]);
            assert_eq!(all.log[..some.log.len()], some.log);
            let s = all.statistics(30_000);
            assert_eq!(s.dram_row_hits + s.dram_row_misses, s.dram_requests);
            assert!(s.dram_busy_cycles <= s.dram_capacity_cycles);
            assert!(s.dram_read_bytes + s.dram_write_bytes <= 4 * s.dram_busy_cycles);
        }
    }
}

#[test]
fn bursts_of_sectors() {
    assert_eq!([1, 3, 5, 15].map(|sectors| bursts(sectors, 0)), [1, 2, 2, 4]);
    assert_eq!([1, 3, 5, 6, 15].map(|sectors| bursts(sectors, 1)), [1, 1, 2, 2, 2]);
    assert_eq!(bursts(0x81, 3), 1);
}

/// Figure 6.1 of Rhu's dissertation, the drawing of which is lost: deprioritised accesses (D) of the open row, and one
/// with priority (P) of another row of the bank. Lines 0, 1 and 2 are D's, line 32 is P's.
fn figure_6_1(scheduler: &str) -> (Vec<(u64, u32)>, u64, Dram) {
    let mut channel = channel(&[("dram-scheduler", scheduler)]);
    let plan =
        vec![(0, Read(0, 0, 1)), (1, Read(1, 1, 1)), (2, TokenRead(9, 32, 1)), (3, Read(2, 2, 1))];
    let done = run(&mut channel, plan);
    let activates = channel.statistics(1000).dram_activates;
    (done, activates, channel)
}

#[test]
fn figure_6_1c_an_open_row_goes_before_priority() {
    // Activate 1, read 11, 21, 31 (ccd 10 in a group), each there 47 later (cl 10, burst 8, controller 29).
    // Precharge 36 (rtp 5 after 31), activate 46, read 56: 103. P is served last.
    for scheduler in ["fr-fcfs", "frfp-fcfs"] {
        let (done, activates, _) = figure_6_1(scheduler);
        assert_eq!(done, [(58, 0), (68, 1), (78, 2), (103, 9)], "{scheduler}");
        assert_eq!(activates, 2, "{scheduler}");
    }
}

#[test]
fn figure_6_1d_priority_goes_first_and_one_more_row_is_opened() {
    // Until the row can be closed (26: ras 25 after 1) its requests are served: 11 and 21. Precharge 26, activate
    // 36, P's read 46: 93. Then the first row again: precharge 61 (ras), activate 71, read 81: 128.
    let (done, activates, channel) = figure_6_1("fp-frfcfs");
    assert_eq!(done, [(58, 0), (68, 1), (93, 9), (128, 2)]);
    assert_eq!(activates, 3);
    let commands = [(26, PRECHARGE, 0), (36, ACTIVATE, 0), (46, READ, 0), (61, PRECHARGE, 0)];
    assert_eq!(channel.log[3..7], commands);
}

#[test]
fn among_requests_of_open_rows_those_with_priority_go_first() {
    // All of one row: the second and third of them wait for the first one's read in 11. The one with a token
    // is served in 21, the other one, which is older, in 31.
    let plan = || vec![(0, Read(0, 0, 1)), (1, Read(1, 1, 1)), (2, TokenRead(9, 2, 1))];
    for scheduler in ["frfp-fcfs", "fp-frfcfs"] {
        let mut channel = channel(&[("dram-scheduler", scheduler)]);
        let done = run(&mut channel, plan());
        // The token overtakes both: they are served in 21 and 31.
        assert_eq!(done, [(58, 9), (68, 0), (78, 1)], "{scheduler}");
    }
    let done = run(&mut channel(&[]), plan());
    assert_eq!(done, [(58, 0), (68, 1), (78, 9)]);
}

#[test]
fn priority_does_not_starve_others() {
    // Reads with a token arrive as fast as the row can serve them (ccd 10 in a group), so that one
    // always waits. The one without a token, of another row, is overtaken until it has waited for
    // 200 cycles: from 202 on.
    let mut channel = channel(&[
        ("dram-scheduler", "fp-frfcfs"),
        ("dram.age-limit", "200"),
        ("dram.read-queue", "32"),
    ]);
    let token =
        |index: u64| (10 * index.saturating_sub(1), TokenRead(index as u32, 32 + index % 8, 1));
    let mut plan: Vec<(u64, Do)> = (0..60).map(token).collect();
    plan.insert(2, (1, Read(99, 0, 1)));
    let done = run(&mut channel, plan);
    let (at, _) = done.iter().find(|(_, reader)| *reader == 99).expect("it is served");
    assert!((202 + 47..202 + 47 + 60).contains(at), "{at}");
}

#[test]
fn without_tokens_all_schedulers_are_one() {
    let plan = || {
        (0..40u64)
            .map(|index| (30 * index, Read(index as u32, index * index * 7 % 97, 1)))
            .collect()
    };
    let runs = ["fr-fcfs", "frfp-fcfs", "fp-frfcfs"].map(|scheduler| {
        let mut channel = channel(&[("dram-scheduler", scheduler)]);
        (run(&mut channel, plan()), channel.log)
    });
    assert!(runs[0] == runs[1] && runs[1] == runs[2]);
}
