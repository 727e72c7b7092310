//! Exit statuses of our own; a program's own value passes through (modulo 256).

/// A command found something wrong with its input.
pub const FOUND: u8 = 1;
/// `run`: Ctrl-C stopped it, as shells report a process that SIGINT ended.
pub const INTERRUPTED: u8 = 130;
/// `run`: the program does not compile.
pub const COMPILE: u8 = 240;
/// `run`: the program was stopped at a trap.
pub const TRAP: u8 = 241;
/// `run`: a kernel is deadlocked.
pub const DEADLOCK: u8 = 242;
/// `run`: a limit was reached.
pub const LIMIT: u8 = 243;
/// `run` and `launch`: the program ended by itself with 0, and `--check` has found something.
pub const CHECKED: u8 = 244;
/// An error of ours.
pub const INTERNAL: u8 = 250;
/// Wrong usage, or a file that cannot be read or written.
pub const USAGE: u8 = 2;
